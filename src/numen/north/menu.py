"""The menu of the cockpit as values: eight slots that never move, what each holds, and its form. Pure.

A slot's label and the rows under it are made of one reading (`Slot`), so they cannot name different things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from numen.kernel import InvalidInput, Json, NotFound, canonical_bytes, canonical_text, digest, tokens
from numen.north.budget import pack_to_budget
from numen.north.catalogue import WHY

T = TypeVar("T")

SCHEMA = "numen-cockpit-v1"

ROOT_LIMIT = 600
"""Tokens of the root (north contract, "Cockpit")."""

DRILL_LIMIT = 800
"""Tokens of a drill (north contract, "Cockpit")."""

_TITLE = 100
_WHY = 120
_ROOT_PATH = 60
_SELECT = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,2}")


class Key(StrEnum):
    """The slots, in the order that is theirs for ever: 1 to 8."""

    TRAY = "tray"
    MAP = "map"
    MISSIONS = "missions"
    HEALTH = "health"
    TRUST = "trust"
    MEMORIES = "memories"
    DRIFT = "drift"
    PRESENCES = "presences"


class Reading(StrEnum):
    """Whether a slot holds something. What cannot be read is not empty."""

    OK = "ok"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


POINTERS = frozenset({Key.TRAY, Key.MISSIONS, Key.PRESENCES})
"""Slots that point at what is done elsewhere: they name no verb."""

ROUTES: Mapping[Key, str] = {
    Key.MAP: "seek",
    Key.HEALTH: "north",
    Key.TRUST: "impact",
    Key.MEMORIES: "recall",
    Key.DRIFT: "impact",
}
"""Slot -> the verb by which one goes on from it. Each only reads (a test derives it from the table)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an item, the deepest thing that can be selected."""

    title: str
    facts: Mapping[str, Json] = field(default_factory=dict[str, Json])


def no_parts() -> Sequence[Part]:
    """An item without parts."""
    return ()


@dataclass(frozen=True, slots=True)
class Item:
    """One row of a slot. `parts` are read when the item is selected."""

    title: str
    facts: Mapping[str, Json]
    parts: Callable[[], Sequence[Part]] = no_parts


@dataclass(frozen=True, slots=True)
class Slot:
    """One reading of a slot: what the label counts and the rows that it counted; `why` where unreadable."""

    key: Key
    reading: Reading
    facts: Mapping[str, Json] = field(default_factory=dict[str, Json])
    items: Sequence[Item] = ()
    why: str = ""

    @property
    def number(self) -> int:
        """The slot's place, which never changes."""
        return list(Key).index(self.key) + 1

    def label(self) -> str:
        """What the slot holds, in a few words made of `facts`."""
        if self.reading is Reading.UNREADABLE:
            return f"{self.key}: cannot be read"
        if self.reading is Reading.EMPTY:
            return f"{self.key}: {_EMPTY[self.key]}"
        return f"{self.key}: " + ", ".join(_counted(name, value) for name, value in self.facts.items())

    def entry(self) -> dict[str, Json]:
        """The slot as a line of the root."""
        body: dict[str, Json] = {
            "slot": self.number,
            "key": self.key,
            "label": self.label(),
            "kind": "pointer" if self.key in POINTERS else "view",
            "state": self.reading,
            "facts": dict(self.facts),
        }
        return body | {"why": cut(self.why, _WHY)} if self.why else body


_EMPTY: Mapping[Key, str] = {
    Key.TRAY: "nothing waits for you",
    Key.MAP: "none was made",
    Key.MISSIONS: "none",
    Key.HEALTH: "nothing was looked at",
    Key.TRUST: "no file of code",
    Key.MEMORIES: "none yet",
    Key.DRIFT: "nothing moved",
    Key.PRESENCES: "nobody is at work",
}


@dataclass(frozen=True, slots=True)
class Heading:
    """What every answer of the cockpit carries: which tree, and in which state the store was."""

    brain: str
    root: str
    store_version: str
    has_moved: bool = False


def path_of(select: str) -> tuple[int, ...]:
    """`select` as the numbers on the way: () for the root. Raises `InvalidInput` for anything else."""
    text = select.strip() or "0"
    if _SELECT.fullmatch(text) is None:
        raise _unknown(f"There is nothing at {text[:40]!r}.")
    numbers = tuple(int(part) for part in text.split("."))
    if numbers[0] == 0 and len(numbers) == 1:
        return ()
    if not 1 <= numbers[0] <= len(Key):
        raise _unknown(f"There is no slot {numbers[0]}.")
    return numbers


def root(heading: Heading, slots: Sequence[Slot]) -> dict[str, Json]:
    """The eight entries. Should they be too large, the reasons fall first, then the facts."""
    entries: list[dict[str, Json]] = [slot.entry() for slot in slots]
    for name in ("", "why", "facts"):
        entries = [{key: value for key, value in entry.items() if key != name} for entry in entries]
        body = _signed({"select": "0", "entries": list(entries)}, heading, "0")
        if tokens(canonical_text(body)) <= ROOT_LIMIT:
            break
    return body


def drill(heading: Heading, slot: Slot, way: tuple[int, ...]) -> dict[str, Json]:
    """What lies at `way`: a slot with its items, an item with its parts, or one part; within the budget.

    Raises `NotFound` where nothing does.
    """
    select = ".".join(map(str, way))
    body: dict[str, Json] = {
        "select": select,
        "slot": slot.number,
        "key": slot.key,
        "label": slot.label(),
        "kind": "pointer" if slot.key in POINTERS else "view",
        "state": slot.reading,
    }
    if slot.why:
        body["why"] = cut(slot.why, _WHY)
    if slot.key in ROUTES:
        verb = ROUTES[slot.key]
        body["next"] = {"tool": verb, "why": WHY[verb]}
    if len(way) == 1:
        rows = [_row(number, one.title, one.facts) for number, one in enumerate(slot.items, 1)]
        return _packed(body | {"facts": dict(slot.facts)}, "items", rows, heading)
    item = _at(slot.items, way[1], f"slot {slot.number}")
    parts = item.parts()
    if len(way) == 2:
        rows = [_row(number, one.title, {}) for number, one in enumerate(parts, 1)]
        return _packed(body | {"item": _row(way[1], item.title, item.facts)}, "parts", rows, heading)
    part = _at(parts, way[2], f"item {way[1]}")
    return _packed(body | {"part": _row(way[2], part.title, part.facts)}, "", [], heading)


def cut(text: str, most: int) -> str:
    """`text` on one line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _row(number: int, title: str, facts: Mapping[str, Json]) -> dict[str, Json]:
    body: dict[str, Json] = {"n": number, "title": cut(title, _TITLE)}
    return body | {"facts": dict(facts)} if facts else body


def _packed(
    body: dict[str, Json], name: str, rows: Sequence[dict[str, Json]], heading: Heading
) -> dict[str, Json]:
    """`body` with as many of `rows` under `name` as the budget pays for; a row alone that is too large is
    shown with its longest text cut."""

    def made(some: Sequence[dict[str, Json]]) -> dict[str, Json]:
        if not name:
            return _signed(body, heading, str(body["select"]))
        whole: dict[str, Json] = {name: list(some), "dropped": len(rows) - len(some)}
        return _signed(body | whole, heading, str(body["select"]))

    def price(some: Sequence[dict[str, Json]]) -> int:
        return tokens(canonical_bytes(made(some)))

    if price(()) > DRILL_LIMIT:
        told = next(key for key in ("part", "item", "facts") if key in body)
        return _packed(body | {told: _shortened(body[told])}, name, rows, heading)
    kept, used = pack_to_budget(rows, DRILL_LIMIT, price)
    return made(kept if used <= DRILL_LIMIT else ())


def _shortened(value: Json) -> Json:
    """`value` with its longest text at half its length; without it where nothing is left to cut."""
    texts: list[tuple[int, tuple[str, ...]]] = []

    def look(one: Json, way: tuple[str, ...]) -> None:
        if isinstance(one, Mapping):
            for key, inner in one.items():
                look(inner, (*way, key))
        elif way:
            texts.append((len(canonical_bytes(one)), way))

    look(value, ())
    _, longest = max(texts)

    def changed(one: Json, way: tuple[str, ...]) -> Json:
        if isinstance(one, Mapping):
            return {
                key: changed(inner, (*way, key))
                for key, inner in one.items()
                if (*way, key) != longest or isinstance(inner, str | list)
            }
        if way != longest:
            return one
        if isinstance(one, str):
            return one[: len(one) // 2].rstrip("…") + "…" if len(one) > 1 else ""
        return list(one[: len(one) // 2]) if isinstance(one, list) else one

    return changed(value, ())


def _signed(body: Mapping[str, Json], heading: Heading, select: str) -> dict[str, Json]:
    """`body` with what every answer carries. `state_sig` covers all that is shown, and nothing else."""
    shown: dict[str, Json] = {
        "schema": SCHEMA,
        "brain": {"id": heading.brain, "root": _tail(heading.root)},
        **body,
    }
    menu = [select, [_name(row) for name in ("entries", "items", "parts") for row in _rows(body.get(name))]]
    signed: dict[str, Json] = {
        **shown,
        "state_sig": digest(canonical_bytes(shown))[:12],
        "menu_sig": digest(canonical_bytes(menu))[:12],
        "store_version": heading.store_version,
    }
    return signed | {"state_moved": True} if heading.has_moved else signed


def _rows(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _name(row: Json) -> Json:
    return (
        [row.get("slot", row.get("n")), row.get("key", row.get("title"))] if isinstance(row, Mapping) else row
    )


def _tail(path: str) -> str:
    """A path, or as much of its end as has room."""
    return path if len(path) <= _ROOT_PATH else "…" + path[-_ROOT_PATH + 1 :]


_ONE = {
    "candidates": "candidate",
    "collisions": "collision",
    "files": "file",
    "memories": "memory",
    "symbols": "symbol",
}


def _counted(name: str, value: Json) -> str:
    if value == 1 and value is not True:
        name = _ONE.get(name, name)
    said = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return (
        f"{said} {name.replace('_', ' ')}" if isinstance(value, int) else f"{name.replace('_', ' ')} {said}"
    )


def _at(rows: Sequence[T], number: int, where: str) -> T:
    if not 1 <= number <= len(rows):
        raise NotFound(
            f"There is no {number} in {where}; it has {len(rows)}.",
            not_done="Nothing was opened.",
            next_step="Open the menu again: what it holds may have moved.",
        )
    return rows[number - 1]


def _unknown(what: str) -> InvalidInput:
    return InvalidInput(
        what,
        not_done="Nothing was opened.",
        next_step="0 is the menu, 1 to 8 are its slots, 3.2 is the second item of slot 3.",
    )
