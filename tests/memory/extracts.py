"""How well the extractors do on labelled lines: precision and recall, an item right or wrong as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from numen.memory.extraction import CORRECTION, said

CORPORA = Path(__file__).parents[1] / "corpora"

ALIKE = 0.5
"""F1 of the words of `what`: the conventions leave open which object pronouns and verbs belong to it."""


@dataclass
class Score:
    """Counts over a corpus, and the lines that were wrong."""

    right: int = 0
    found: int = 0
    expected: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else 1.0


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPORA / name).read_text(encoding="utf-8").splitlines()]


def score(rows: Iterable[dict[str, Any]]) -> Score:
    """The score of the extractors on labelled lines."""
    total = Score()
    for row in rows:
        got = extracted(row)
        left = list(row["expect"])
        for one in got:
            match = next((want for want in left if _same(one, want)), None)
            if match is None:
                total.wrong.append(f"{row['text']} -> {one}")
            else:
                left.remove(match)
                total.right += 1
        total.missed += [f"{row['text']} <- {want}" for want in left]
        total.found += len(got)
        total.expected += len(row["expect"])
    return total


def extracted(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What is taken out of a line, in the corpus' form."""
    found = said(row["text"], datetime.fromisoformat(row["said_at"]), row["timezone"])
    items: list[dict[str, Any]] = [
        {
            "kind": "commitment",
            "what": one.what,
            "who": str(one.who),
            "due": one.due_at,
            "due_precision": one.precision,
        }
        for one in found.promises
    ]
    for fact in found.facts:
        if fact.predicate == CORRECTION:
            items.append({"kind": "correction", "value": fact.value})
        else:
            kept = {"kind": "profile", "predicate": fact.predicate, "value": fact.value}
            items.append(kept | ({"subject": fact.subject} if fact.subject else {}))
    return items


def _same(got: dict[str, Any], want: dict[str, Any]) -> bool:
    if got["kind"] != want["kind"]:
        return False
    if got["kind"] == "commitment":
        return got["who"] == want["who"] and _due(got, want) and _alike(got["what"], want["what"])
    if got["kind"] == "profile":
        same = (got["predicate"], got.get("subject")) == (want["predicate"], want.get("subject"))
        return same and got["value"].casefold() == want["value"].casefold()
    return got["value"].casefold() == want["value"].casefold()


def _due(got: dict[str, Any], want: dict[str, Any]) -> bool:
    if want["due"] is None or got["due"] is None:
        return want["due"] is None and got["due"] is None
    due = datetime.fromisoformat(want["due"])
    if want["due_precision"] == "day":
        return got["due_precision"] == "day" and got["due"].date() == due.date()
    return got["due_precision"] == want["due_precision"] and got["due"] == due


def _alike(got: str, want: str) -> bool:
    first, second = _words(got), _words(want)
    common = len(set(first) & set(second))
    return bool(common) and 2 * common / (len(set(first)) + len(set(second))) >= ALIKE


def _words(text: str) -> Sequence[str]:
    return re.findall(r"\w+", text.casefold())
