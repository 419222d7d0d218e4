"""Answers that stray in a known way, and answers that only say it otherwise: a trial of the drift check."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from numen.cycle.contrast import Answered, contrast

THOUGHTS: tuple[tuple[str, str], ...] = (
    (
        "Where is the house?",
        "The house stands in Berlin. It has 3 rooms and a garden. Nobody lives there now.",
    ),
    ("Who won?", "The prize went to Maria Keller in 2019. Her brother Jonas was second with 41 points."),
    (
        "What does it cost?",
        "The ticket costs 29 euro on Monday. Children do not pay. The tour takes 90 minutes.",
    ),
    ("Is the server up?", "The proxy on atlas is degraded since 14 June. The database is not affected."),
    ("What is in `app/main.py`?", "The file `app/main.py` starts the worker. It does not open a port."),
    ("When do we meet?", "We meet Clara at 17 in the Bergmann library. Paul cannot come. Bring 2 chairs."),
    ("How far is it?", "From Lyon to Turin it is 312 km by road. The tunnel is closed at night."),
    ("What did the test say?", "Of 120 tests 118 passed. The two failures are in `tests/http`. None is new."),
    ("Who owns the boat?", "The boat belongs to Erik and Sofia. They never rent it out. It is 9 m long."),
    ("What is the dose?", "Adults take 2 tablets with water. It must not be taken with alcohol."),
    ("Which version is it?", "Version 4 of Orchard runs on the tablet. It does not read files of version 3."),
    ("Why is it slow?", "The index of Postgres was rebuilt on Friday. Queries over 50 rows are not cached."),
)
"""Question and final cognition; all invented."""

SAID_OTHERWISE = (
    "It is in Berlin: a house with three rooms and a garden, empty at the moment.",
    "Maria Keller won the prize in 2019; Jonas, her brother, came second with 41 points.",
    "On Monday a ticket is 29 euro, and children go free. Plan an hour and a half (90 minutes).",
    "Since 14 June the proxy on atlas has been degraded; the database is fine.",
    "`app/main.py` starts the worker without opening a port.",
    "At 17 in the Bergmann library, with Clara and without Paul. Please bring 2 chairs.",
    "It is 312 km by road from Lyon to Turin, but at night the tunnel cannot be used.",
    "118 of 120 passed; both failures are in `tests/http`, and they are old ones.",
    "Erik and Sofia own the boat, 9 m long, and rent it to nobody.",
    "2 tablets with water for adults, and no alcohol with it.",
    "The tablet has Orchard in version 4, which is unable to read files of version 3.",
    "Postgres had its index rebuilt on Friday, and queries over 50 rows go uncached.",
)
"""The same thoughts in other words: an alarm at one of them is a false one."""

NAMES = ("Zurich", "Helena", "Vesta", "Norwood")


@dataclass(frozen=True, slots=True)
class Case:
    """An answer, and which check it should fail; an empty one should fail none."""

    kind: str
    wants: str
    answered: Answered


def cases(seed: int) -> Iterator[Case]:
    """Each thought in every way of straying that fits it, and in every harmless one."""
    dice = random.Random(seed)
    for (question, thought), otherwise in zip(THOUGHTS, SAID_OTHERWISE, strict=True):
        yield Case("said otherwise", "", Answered(question, thought, otherwise))
        sentences = re.findall(r".+?\.(?=\s|$)", thought)
        yield Case("same", "", Answered(question, thought, thought))
        yield Case(
            "reordered", "", Answered(question, thought, " ".join(s.strip() for s in reversed(sentences)))
        )
        yield Case("listed", "", Answered(question, thought, "\n".join(f"- {s.strip()}" for s in sentences)))
        yield Case("opened", "", Answered(question, thought, f"In short: {thought[0].lower()}{thought[1:]}"))
        yield Case("marked", "", Answered(question, thought, thought.replace(". ", ".\n\n")))
        numbers = re.findall(r"\b\d+\b", thought)
        if numbers:
            one = dice.choice(numbers)
            other = thought.replace(one, str(int(one) + dice.randint(1, 9)), 1)
            yield Case("number changed", "number", Answered(question, thought, other))
        names = re.findall(r"(?<=[a-z] )[A-Z][a-z]+\b", thought)
        if names:
            one = dice.choice(names)
            other = thought.replace(one, dice.choice(NAMES), 1)
            yield Case("name changed", "entity", Answered(question, thought, other))
            yield Case("name dropped", "entity", Answered(question, thought, thought.replace(one, "someone")))
        turned = _turned(thought, dice)
        if turned:
            yield Case("denial turned", "negation", Answered(question, thought, turned))
        asked = f"{question} Answer in at most {len(thought.split()) - 4} words."
        yield Case("asked for less", "requirement", Answered(asked, thought, thought))
        yield Case(
            "tool claimed",
            "leak",
            Answered(question, thought, f"{thought} I used recall for it.", tools=["recall"]),
        )
        yield Case(
            "tool changed", "tool", Answered(question, thought, thought, intended=["recall"], routed=["seek"])
        )
        yield Case("tool kept", "", Answered(question, thought, thought, intended=["seek"], routed=["seek"]))


def scored(seed: int) -> tuple[float, float, dict[str, tuple[int, int]]]:
    """Precision and recall over all cases, and by sort how many of how many were told rightly."""
    hits = misses = alarms = 0
    by_kind: dict[str, tuple[int, int]] = {}
    for case in cases(seed):
        found = {one.check for one in contrast(case.answered).findings}
        right = case.wants in found if case.wants else not found
        hits += bool(case.wants) and right
        misses += bool(case.wants) and not right
        alarms += not case.wants and not right
        told, of = by_kind.get(case.kind, (0, 0))
        by_kind[case.kind] = (told + right, of + 1)
    return hits / max(hits + alarms, 1), hits / max(hits + misses, 1), by_kind


def _turned(thought: str, dice: random.Random) -> str:
    """The thought with one denial taken out, or one put in."""
    for old, new in (
        (" does not ", " does "), (" do not ", " "), (" is not ", " is "), (" are not ", " are "),
        (" cannot ", " can "), (" must not ", " must "), (" never ", " always "),
    ):  # fmt: skip
        if old in thought:
            return thought.replace(old, new, 1)
    return thought.replace(" is ", " is not ", 1) if " is " in thought and dice.random() < 1 else ""
