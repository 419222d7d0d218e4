"""The last step: an answer against what was asked and what was thought. It tells, and steers nothing.

Nothing in Numen chooses, retries or rewards by what is found here (cycle contract, L4).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from numen.cycle.requirements import is_met, requirements
from numen.cycle.types import Drift, Finding
from numen.memory.terms import language, terms

ALIKE = 0.5
"""Share of words from which on two sentences say something about the same thing (ours)."""

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]+)*")
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?%?(?![\w])")
_NAME = re.compile(
    r"(?<![.!?:\n]\s)(?<!^)(?<![\"'“*-]\s)\b[A-ZÄÖÜ][\w'’-]+(?:\s+[A-ZÄÖÜ][\w'’-]+)*", re.MULTILINE
)
_CODE = re.compile(r"`([^`\n]{1,120})`|\b(https?://[^\s)>\]]+|[\w./-]+/[\w./-]+\w|\w+_\w+|\w+\(\))")
_NEGATORS = frozenset(
    "not no never none nobody nothing cannot without nor neither nicht kein keine nie ohne "
    "unable impossible false untrue".split()
)
_CONTRACTED = re.compile(r"\b(\w+)n['’]t\b")
_USED = (
    r"(?:used|called|ran|invoked|consulted|asked|queried|executed|via|with the tool|through)\s+"
    r"(?:the\s+)?(?:tool\s+)?"
)
_SAYS = r"\s+(?:returned|says|said|found|shows|showed|reported|confirmed|gave)\b"


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer is held against. `grounds` is all that it may rest on beside the question."""

    question: str
    cognition: str
    answer: str
    grounds: Sequence[str] = ()
    intended: Collection[str] = ()
    routed: Collection[str] = ()
    tools: Collection[str] = ()


def contrast(course: Answered) -> Drift:
    """How far the answer strayed: each check that was made, and each that does not hold, with why."""
    made: list[tuple[str, str]] = [
        *_asked(course),
        *_kept("entity", names(course.cognition), course),
        *_new("entity", names(course.answer), course),
        *_kept("number", numbers(course.cognition), course),
        *_new("number", numbers(course.answer), course),
        *_polarity(course),
        *_tools(course),
    ]
    wrong = tuple(Finding(check, reason) for check, reason in made if reason)
    return Drift(len(made) - len(wrong), len(made), wrong)


def names(text: str) -> dict[str, str]:
    """What is named in a text: names within sentences, code, places; by its folded form."""
    found = [match[0] for match in _NAME.finditer(text)]
    found += [match[1] or match[2] for match in _CODE.finditer(text)]
    return {one.casefold().strip(".,"): one for one in found}


def numbers(text: str) -> dict[str, str]:
    """The numbers in a text, by their plain form: 1,000 is 1000."""
    return {match[0].replace(",", "").replace("−", "-"): match[0] for match in _NUMBER.finditer(text)}


def negative(sentence: str) -> bool:
    """Whether a sentence denies what it says: an odd number of denials."""
    plain = _CONTRACTED.sub(r"\1 not", sentence.casefold())
    words = re.findall(r"\w+", plain)
    return sum(word in _NEGATORS for word in words) % 2 == 1


def _asked(course: Answered) -> Iterator[tuple[str, str]]:
    for one in requirements(course.question):
        met = is_met(one, course.answer)
        yield "requirement", "" if met else f"it was asked: {one.words}"


def _kept(check: str, said: dict[str, str], course: Answered) -> Iterator[tuple[str, str]]:
    """What was thought is in the answer."""
    have = _of(check, course.answer)
    for key, shown in said.items():
        yield check, "" if key in have or _stands(check, key, course.answer) else f"{shown} is gone"


def _new(check: str, said: dict[str, str], course: Answered) -> Iterator[tuple[str, str]]:
    """What is in the answer was thought, asked or found."""
    known = "\n".join((course.cognition, course.question, *course.grounds))
    have = _of(check, known)
    for key, shown in said.items():
        yield check, "" if key in have or _stands(check, key, known) else f"{shown} comes from nowhere"


def _of(check: str, text: str) -> dict[str, str]:
    return numbers(text) if check == "number" else names(text)


def _stands(check: str, key: str, text: str) -> bool:
    return check == "entity" and key in text.casefold()


def _polarity(course: Answered) -> Iterator[tuple[str, str]]:
    """A sentence of the answer does not deny what was thought, nor says what was denied."""
    tongue = language(course.cognition)
    thought = [(one, _terms(one, tongue)) for one in _sentences(course.cognition)]
    for sentence in _sentences(course.answer):
        said = _terms(sentence, tongue)
        near = max(((_alike(said, known), one) for one, known in thought), default=(0.0, ""))
        if near[0] >= ALIKE:
            turned = negative(sentence) != negative(near[1])
            yield "negation", f"turned round: {sentence.strip()}" if turned else ""


def _tools(course: Answered) -> Iterator[tuple[str, str]]:
    for tool in sorted(set(course.intended) | set(course.routed)):
        if tool not in course.routed:
            yield "tool", f"{tool} was meant and not routed"
        else:
            yield "tool", "" if tool in course.intended else f"{tool} was routed and not meant"
    for tool in sorted(set(course.tools) - set(course.routed)):
        name = rf"`?\b{re.escape(tool)}\b`?"
        claimed = re.search(rf"\b{_USED}{name}|{name}{_SAYS}", course.answer, re.IGNORECASE)
        yield "leak", f"it speaks of {tool} as if it had been called" if claimed else ""


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE.findall(text) if one.strip()]


def _terms(text: str, tongue: str) -> frozenset[str]:
    """What a sentence is about, the same whether it says or denies it."""
    words = _CONTRACTED.sub(r"\1", text).split()
    return frozenset(terms(" ".join(word for word in words if word.casefold() not in _NEGATORS), tongue))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
