"""Blocks of a turn's context: whole lines, fresh state first, inside of what the host shows inline. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from numen.kernel import Json
from numen.memory import rules
from numen.memory.types import ClaimState, Freshness, Row

CURRENT_TIME = "Current Time"
"""The one title that is never shortened to a line (wire contract, 1.2)."""

HELD_BACK = "Held back this turn"

LONGEST_QUOTE = 700
"""Characters of one quote in a block; a longer one ends in a mark (ours: about a hundred words)."""

FRESH_FIRST = (
    "temporal-context",
    "protagine-current-state",
    "protagine-executions",
    "protagine-mind",
    "protagine-status",
    "protagine-commitments",
    "protagine-waiting",
    "protagine-open-questions",
    "protagine-corrections",
)
"""Ids of what is fresh state, in the order in which the stock client keeps them (wire contract, 1.2)."""


@dataclass(frozen=True, slots=True)
class Block:
    """A section before it is fitted: `limit` is the most characters that its body may have.

    With `fence` its lines are recalled words, and go out between marks by which they are known again.
    """

    id: str
    title: str
    lines: tuple[str, ...]
    priority: int
    limit: int
    fence: bool = False

    @property
    def body(self) -> str:
        """The body as it is sent."""
        text = "\n".join(self.lines)
        return rules.fenced(text) if self.fence else text

    @property
    def size(self) -> int:
        """Characters as the host renders it, with the gap before the next."""
        return len(f"## {self.title}\n{self.body}\n\n")

    @property
    def fingerprint(self) -> str:
        """By which the host knows that it has shown this."""
        return hashlib.sha256(f"{self.title}\n{self.body}".encode("utf-8", "replace")).hexdigest()

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"id": self.id, "title": self.title, "body": self.body, "priority": self.priority}


@dataclass(frozen=True, slots=True)
class Fitted:
    """The sections that go out, and the titles of those that did not fit."""

    blocks: tuple[Block, ...]
    held_back: tuple[str, ...]


def quote_lines(rows: Iterable[Row]) -> list[str]:
    """Rows as lines: who said it and when, and the words; a speaker and day that go on are not said again.

    Whether the words still hold is noted where that may change.
    """
    lines: list[str] = []
    last = ""
    for row in rows:
        head = f"{row.who}, {row.when:%Y-%m-%d}: "
        lines.append((head if head != last else "- ") + _quote(row))
        last = head
    return lines


def _quote(row: Row) -> str:
    words = " ".join(row.quote.split())
    if len(words) > LONGEST_QUOTE:
        words = words[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " […]"
    notes: list[str] = [row.freshness] if row.freshness in {Freshness.STALE, Freshness.MISSING} else []
    if row.state is not ClaimState.ACTIVE:
        notes.append(row.state)
    return words + (f" ({', '.join(notes)})" if notes else "")


def quoted_share(rows: Sequence[Row], block: Block) -> float:
    """Which part of a block's body is words that somebody said."""
    said = sum(len(" ".join(row.quote.split())[:LONGEST_QUOTE]) for row in rows[: len(block.lines)])
    return min(said / max(len(block.body), 1), 1.0)


def trimmed(block: Block, room: int) -> Block | None:
    """`block` in at most `room` characters of body: whole lines from its start, and a mark for the others.

    None where not even one line fits beside the mark.
    """
    room = min(room, block.limit)
    if len(block.body) <= room:
        return block
    for count in range(len(block.lines) - 1, 0, -1):
        mark = f"(+{len(block.lines) - count} more held back)"
        shorter = replace(block, lines=(*block.lines[:count], mark))
        if len(shorter.body) <= room:
            return shorter
    return None


def fit(blocks: Iterable[Block], inline: int | None, shown: Collection[str], cut: Sequence[str]) -> Fitted:
    """The blocks that go out inside of `inline` characters (None: no limit), fresh state admitted first.

    A block that the host has shown costs it one line. `cut` names what could not be asked in time; it is said
    with what did not fit.
    """
    ordered = sorted((one for one in blocks if one.lines), key=_rank)
    kept: list[Block] = []
    held: list[str] = list(cut)
    reserve = _held_block([*held, *(one.title for one in ordered)]).size if inline is not None else 0
    left = None if inline is None else inline - reserve
    for one in ordered:
        whole = trimmed(one, one.limit)
        if whole is None:
            held.append(one.title)
            continue
        if whole.fingerprint in shown and whole.title != CURRENT_TIME:
            cost = len(f"unchanged since your last turn: {whole.title}\n\n")
        else:
            if left is not None and whole.size > left:
                frame = whole.size - len(whole.body)
                whole = trimmed(one, left - frame)
            if whole is None:
                held.append(one.title)
                continue
            cost = whole.size
        if left is not None:
            if cost > left:
                held.append(one.title)
                continue
            left -= cost
        kept.append(whole)
    kept.sort(key=lambda one: -one.priority)
    if held:
        kept.append(_held_block(held))
    return Fitted(tuple(kept), tuple(held))


def _held_block(titles: Sequence[str]) -> Block:
    return Block("numen-held-back", HELD_BACK, (f"Not shown: {'; '.join(titles)}.",), 0, 1 << 16)


def _rank(block: Block) -> tuple[int, int]:
    place = FRESH_FIRST.index(block.id) if block.id in FRESH_FIRST else len(FRESH_FIRST)
    return place, -block.priority
