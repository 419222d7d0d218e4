"""LoCoMo as questions over rows of memory: ten long conversations, and where each question's evidence is.

The data is CC BY-NC and lies outside this repository; nothing of it is copied here.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from numen.kernel import Audience
from numen.memory import Item, Sort

FIT = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43")
HELD_OUT = ("conv-44", "conv-47", "conv-48", "conv-49", "conv-50")
KINDS = {1: "multi_hop", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}
ADVERSARIAL = 5
STRANGE = 400
"""Questions that other dialogues lend to each."""

OWNER, OTHER = "owner", "contact_other"
"""Whose rows are: the first of the two people is taken to be the owner."""

_EVIDENCE = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its kind, and the ids of the rows that hold its evidence; none for a strange one."""

    text: str
    kind: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation as rows, its questions, and questions of other conversations with its names put in."""

    name: str
    people: tuple[str, str]
    items: tuple[Item, ...]
    asked: tuple[Asked, ...]
    strange: tuple[Asked, ...] = ()


def dialogues(data: Path, names: Sequence[str]) -> list[Dialogue]:
    """The dialogues of those names; each lends its answerable questions to the others among them."""
    whole = json.loads(data.read_text("utf-8"))
    audit = json.loads(data.with_name("corrections.json").read_text("utf-8"))
    corrected = {row["question_id"]: row for row in audit if row["error_type"] == "WRONG_CITATION"}
    found = [
        _dialogue(one, number, corrected) for number, one in enumerate(whole) if one["sample_id"] in names
    ]
    return [_with_strangers(one, found) for one in found]


def plain(dialogue: Dialogue) -> Dialogue:
    """The same rows, where the first person asks about themselves ("I", "my") what was asked by name."""
    own, other = dialogue.people

    def asked(those: Sequence[Asked]) -> tuple[Asked, ...]:
        about = (one for one in those if own in one.text and other not in one.text)
        return tuple(
            Asked(re.sub(rf"\b{own}\b", "I", re.sub(rf"\b{own}'s\b", "my", one.text)), one.kind, one.gold)
            for one in about
        )

    return Dialogue(
        dialogue.name, dialogue.people, dialogue.items, asked(dialogue.asked), asked(dialogue.strange)
    )


def digest_of(data: Path) -> str:
    """The SHA-256 of the data and of its corrections."""
    hasher = hashlib.sha256()
    for path in (data, data.with_name("corrections.json")):
        hasher.update(path.read_bytes())
    return hasher.hexdigest()


def _dialogue(one: dict, number: int, corrected: dict) -> Dialogue:
    said = one["conversation"]
    whose = {said["speaker_a"]: OWNER, said["speaker_b"]: OTHER}
    items: dict[str, Item] = {}
    for session in range(1, len(said)):
        key = f"session_{session}"
        if key not in said:
            continue
        at = datetime.strptime(said[f"{key}_date_time"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007
        for position, turn in enumerate(said[key]):
            caption = turn.get("blip_caption")
            text = f"{turn['text']} [photo: {caption}]" if caption else turn["text"]
            items[turn["dia_id"]] = Item(
                turn["dia_id"], Sort.TURN, whose[turn["speaker"]], Audience.OWNER, "room", text,
                f"{at.isoformat()}Z", key, position, turn["speaker"], "user",
            )  # fmt: skip
    asked: list[Asked] = []
    for index, row in enumerate(one["qa"]):
        correction = corrected.get(f"locomo_{number}_qa{index}")
        cited = correction["correct_evidence"] if correction else row.get("evidence") or []
        named = {f"D{int(a)}:{int(b)}" for text in cited for a, b in _EVIDENCE.findall(text)}
        gold = frozenset(named & items.keys())
        if gold:
            asked.append(Asked(row["question"], row["category"], gold))
    people = (said["speaker_a"], said["speaker_b"])
    return Dialogue(one["sample_id"], people, tuple(items.values()), tuple(asked))


def _with_strangers(own: Dialogue, all_of_them: Sequence[Dialogue]) -> Dialogue:
    lent = [
        Asked(_renamed(asked.text, other.people, own.people), asked.kind, frozenset())
        for other in all_of_them
        if other is not own
        for asked in other.asked
        if asked.kind != ADVERSARIAL
    ]
    random.Random(7).shuffle(lent)
    return Dialogue(own.name, own.people, own.items, own.asked, tuple(lent[:STRANGE]))


def _renamed(text: str, old: tuple[str, str], new: tuple[str, str]) -> str:
    names = dict(zip(old, new, strict=True))
    return re.sub("|".join(rf"\b{name}\b" for name in old), lambda found: names[found[0]], text)
