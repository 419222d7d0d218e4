"""What is looked up for a turn: every source is asked, the router weighs them, and the best fit a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from numen.cycle.types import Passage
from numen.kernel import NumenError, Scope, tokens
from numen.memory.terms import language, terms

RANK = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

ROWS = 12
"""Rows that a source gives at most, as many as a turn's context recalls (`memory.context`)."""


class Source(Protocol):
    """Somewhere that something may be found."""

    @property
    def name(self) -> str:
        """As it is named in traces."""
        ...

    def find(self, scope: Scope, question: str, limit: int) -> Sequence[Passage]:
        """What the caller may see of it, the best first; nothing where nothing answers. Writes nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was admitted, best first; what was not and why; the weight of each source; who did not answer."""

    passages: tuple[Passage, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    weights: Mapping[str, float] | None = None
    silent: tuple[str, ...] = ()


def retrieve(scope: Scope, question: str, sources: Sequence[Source], budget: int) -> Retrieved:
    """What the sources have on `question`, fused and packed into `budget` tokens, each with its source."""
    found: dict[str, Sequence[Passage]] = {}
    silent: list[str] = []
    for source in sources:
        try:
            found[source.name] = source.find(scope, question, ROWS)
        except NumenError as error:
            silent.append(f"{source.name}: {error.what}")
    weights = {name: weight(question, rows) for name, rows in found.items()}
    admitted, refused = admit(fused(found, weights), budget)
    return Retrieved(admitted, refused, weights, tuple(silent))


def weight(question: str, rows: Sequence[Passage]) -> float:
    """The share of the words of `question` that a source's rows hold: what the router goes by."""
    asked = frozenset(terms(question, language(question)))
    known = {term for row in rows for term in terms(row.text, language(row.text))}
    return len(asked & known) / len(asked) if asked else 0.0


def fused(found: Mapping[str, Sequence[Passage]], weights: Mapping[str, float]) -> tuple[Passage, ...]:
    """All rows in one order: by reciprocal rank, a source counting as much as it knows of the question."""
    scored = [
        (weights[name] / (RANK + place), row)
        for name, rows in found.items()
        for place, row in enumerate(rows, 1)
        if weights[name] > 0
    ]
    return tuple(row for _, row in sorted(scored, key=lambda pair: (-pair[0], pair[1].source, pair[1].ref)))


def admit(
    passages: Sequence[Passage], budget: int
) -> tuple[tuple[Passage, ...], tuple[tuple[str, str], ...]]:
    """Each row let in or refused by itself: empty and repeated ones are, and what does not fit any more."""
    kept: list[Passage] = []
    refused: list[tuple[str, str]] = []
    seen: set[str] = set()
    left = budget
    for row in passages:
        words = " ".join(row.text.split())
        size = tokens(row.text)
        reason = "empty" if not words else "repeated" if words in seen else "no_room" if size > left else ""
        if reason:
            refused.append((row.ref, reason))
            continue
        kept.append(row)
        seen.add(words)
        left -= size
    return tuple(kept), tuple(refused)
