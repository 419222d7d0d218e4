"""Names to what they stand for, many at a time: the linker's symbol tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from numen.graph.columns import I32, I64, U64, integers, mixed, ranges

Bools = NDArray[np.bool_]

HOPS = 12
"""Re-exports that are followed one after another; longer chains are taken for a circle."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by key, several to a key."""

    keys: U64
    rows: I64

    @staticmethod
    def of(keys: U64, rows: I64) -> Table:
        """The table that finds `rows[i]` under `keys[i]`."""
        order = np.argsort(keys, kind="stable")
        return Table(keys[order], rows[order])

    def spans(self, keys: U64) -> tuple[I64, I64]:
        """For each key, where its rows begin and how many there are."""
        first = np.searchsorted(self.keys, keys)
        last = np.searchsorted(self.keys, keys, side="right")
        return first, last - first


@dataclass(frozen=True, slots=True)
class Answers:
    """What names stand for: a node, or a unit, or neither.

    `count` is how many things a name may be (`node` and `unit` are only set for one); `outside` says that
    it leads out of this tree.
    """

    node: I32
    unit: U64
    count: I32
    outside: Bools

    @staticmethod
    def none(size: int) -> Answers:
        """Answers that found nothing."""
        return Answers(
            np.full(size, -1, np.int32),
            np.zeros(size, np.uint64),
            np.zeros(size, np.int32),
            np.zeros(size, np.bool_),
        )

    def at(self, rows: I64) -> Answers:
        """The answers in `rows`, as a copy."""
        return Answers(self.node[rows], self.unit[rows], self.count[rows], self.outside[rows])

    def put(self, where: I64, other: Answers) -> None:
        """Replace the answers at `where`."""
        self.node[where], self.unit[where] = other.node, other.unit
        self.count[where], self.outside[where] = other.count, other.outside

    def fill(self, where: I64, other: Answers) -> I64:
        """Replace the answers at `where` for which `other` found something; give those for which not."""
        found = np.flatnonzero(other.count > 0)
        self.put(where[found], other.at(found))
        return where[other.count == 0]


class Nearness:
    """Which of several definitions of one name is meant: the one whose folder is nearest to the asking file.

    It is asked only of what units of several files offer: two projects of one tree may use one namespace.
    """

    def __init__(self, paths: Sequence[str], file: I32, is_shared: Bools) -> None:
        self._folders = [path.split("/")[:-1] for path in paths]
        self._file = file
        self._is_shared = is_shared
        self._memo: dict[tuple[int, int], int] = {}

    def left(self, files: I32, origin: I64, nodes: I64) -> Bools:
        """Of candidate `nodes` for the names `origin`, asked for in `files`, those that are not farther."""
        keep = np.ones(len(origin), np.bool_)
        several = np.flatnonzero(np.bincount(origin, minlength=1)[origin] > 1)
        if not len(several):
            return keep
        own, node = origin[several], nodes[several]
        told = (node >= 0) & self._is_shared[node]
        shares = np.array(
            [
                self._shared(*pair)
                for pair in zip(integers(files[own]), integers(self._file[node]), strict=True)
            ]
        )
        shares[~told] = -1
        best = np.full(len(files), -1, np.int64)
        np.maximum.at(best, own, shares)
        first = shares == best[own]
        alone = np.bincount(own[first], minlength=len(files))[own] == 1
        all_told = np.bincount(own[~told], minlength=len(files))[own] == 0
        keep[several] = first | ~alone | ~all_told
        return keep

    def _shared(self, one: int, other: int) -> int:
        """How many folders from the root on two files share."""
        key = (one, other)
        if key not in self._memo:
            pairs = zip(self._folders[one], self._folders[other], strict=False)
            self._memo[key] = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return self._memo[key]


@dataclass(frozen=True, slots=True)
class Exports:
    """What the units of a tree offer by name: definitions, bound imports, modules inside, and stars.

    The rows of `definitions` are nodes; those of `bindings` and `stars` are rows of `target_unit` and
    `target_name` (0 is the unit itself); those of `children` are rows of `child_unit`.
    """

    definitions: Table
    bindings: Table
    stars: Table
    children: Table
    child_unit: U64
    target_unit: U64
    target_name: U64
    nearness: Nearness

    def find(self, units: U64, names: U64, *, by_star: bool = True, files: I32 | None = None) -> Answers:
        """What each name is in its unit, through re-exports and, unless it is said otherwise, its stars.

        `files` are those that ask: of several definitions they mean the nearest.
        """
        size = len(units)
        origin = np.arange(size, dtype=np.int64)
        outside = np.zeros(size, np.bool_)
        found: list[tuple[I64, I64, U64]] = []
        for _ in range(HOPS):
            if not len(origin):
                break
            key = mixed(units, names)
            known, known_count = self.definitions.spans(key)
            bound, bound_count = self.bindings.spans(key)
            nodes = self.definitions.rows[ranges(known, known_count)]
            found.append((np.repeat(origin, known_count), nodes, np.zeros(len(nodes), np.uint64)))
            imports = self.bindings.rows[ranges(bound, bound_count)]
            import_origin = np.repeat(origin, bound_count)
            self._inside(origin, key, known_count + bound_count == 0, found)
            open_star = (known_count + bound_count == 0) & ~self._has_child(key) & by_star
            star, star_count = self.stars.spans(units[open_star])
            stars = self.stars.rows[ranges(star, star_count)]
            star_origin = np.repeat(origin[open_star], star_count)
            star_name = np.repeat(names[open_star], star_count)
            next_unit = np.concatenate((self.target_unit[imports], self.target_unit[stars]))
            next_name = np.concatenate((self.target_name[imports], star_name))
            origin = np.concatenate((import_origin, star_origin))
            is_unit = next_name == 0
            gone = next_unit == 0
            outside[import_origin[self.target_unit[imports] == 0]] = True
            whole = is_unit & ~gone
            found.append((origin[whole], np.full(int(whole.sum()), -1, np.int64), next_unit[whole]))
            go = ~is_unit & ~gone
            origin, units, names = _distinct(origin[go], next_unit[go], next_name[go])
            by_star = True
        return settled(size, found, outside, self.nearness if files is not None else None, files)

    def _has_child(self, key: U64) -> Bools:
        return self.children.spans(key)[1] > 0

    def _inside(self, origin: I64, key: U64, unbound: Bools, found: list[tuple[I64, I64, U64]]) -> None:
        first, count = self.children.spans(key[unbound])
        units = self.child_unit[self.children.rows[ranges(first, count)]]
        found.append((np.repeat(origin[unbound], count), np.full(len(units), -1, np.int64), units))


def _distinct(origin: I64, units: U64, names: U64) -> tuple[I64, U64, U64]:
    """The rows without repetition: a name that two stars lead to is asked once."""
    key = mixed(mixed(units, names), origin.astype(np.uint64))
    _, first = np.unique(key, return_index=True)
    return origin[first], units[first], names[first]


def settled(
    size: int,
    found: list[tuple[I64, I64, U64]],
    outside: Bools,
    nearness: Nearness | None = None,
    files: I32 | None = None,
) -> Answers:
    """The answers for `size` names, of which `found` gives (which names, nodes, units)."""
    origin = np.concatenate([rows for rows, _, _ in found]) if found else np.zeros(0, np.int64)
    node = np.concatenate([rows for _, rows, _ in found]) if found else np.zeros(0, np.int64)
    unit = np.concatenate([rows for _, _, rows in found]) if found else np.zeros(0, np.uint64)
    order = np.lexsort((unit, node, origin))
    origin, node, unit = origin[order], node[order], unit[order]
    if len(origin):
        same = (origin[1:] == origin[:-1]) & (node[1:] == node[:-1]) & (unit[1:] == unit[:-1])
        fresh = np.concatenate(([True], ~same))
        origin, node, unit = origin[fresh], node[fresh], unit[fresh]
    if nearness is not None and files is not None:
        keep = nearness.left(files, origin, node)
        origin, node, unit = origin[keep], node[keep], unit[keep]
    answers = Answers.none(size)
    answers.count[:] = np.bincount(origin, minlength=size)
    single = answers.count[origin] == 1
    answers.node[origin[single]] = node[single]
    answers.unit[origin[single]] = unit[single]
    answers.outside[:] = outside & (answers.count == 0)
    return answers


class Members:
    """What the objects of each class answer to, its base classes' members included.

    `own` finds members under `member_key`. `bases` are the base classes of each class that has some, in
    order; `open_ended[c]` says that class node c has a base that is not of this tree.
    """

    def __init__(self, own: Table, bases: Mapping[int, Sequence[int]], open_ended: Bools) -> None:
        self.own = own
        self._bases = bases
        self._open_ended = open_ended
        self._lines: dict[int, tuple[int, ...]] = {}

    def over(self, own: Table) -> Members:
        """What the objects of the same classes have under other names."""
        return Members(own, self._bases, self._open_ended)

    def line(self, node: int) -> tuple[int, ...]:
        """The class and its bases, in the order in which they are searched."""
        return self._line(node, frozenset())

    def find(self, classes: I64, names: U64, *, skip_own: bool = False) -> Answers:
        """What each name is on objects of its class; the nearest base that has it wins."""
        size = len(classes)
        asked, which = np.unique(classes, return_inverse=True)
        lines = [self.line(one)[skip_own:] for one in integers(asked)]
        sizes = np.array([len(line) for line in lines], dtype=np.int64)
        flat = np.array([one for line in lines for one in line], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        depth = sizes[which]
        holders = flat[ranges(starts[which], depth)]
        origin = np.repeat(np.arange(size, dtype=np.int64), depth)
        at, count = self.own.spans(member_key(holders, names[origin]))
        has = np.flatnonzero(count > 0)[::-1]
        nearest = np.full(size, -1, np.int64)
        nearest[origin[has]] = has  # the last write is the nearest base
        met = np.flatnonzero(nearest >= 0)
        answers = Answers.none(size)
        answers.count[met] = count[nearest[met]]
        single = met[answers.count[met] == 1]
        answers.node[single] = self.own.rows[at[nearest[single]]]
        away = np.array([self._open_ended[list(line)].any() for line in lines], dtype=np.bool_)
        answers.outside[:] = (nearest < 0) & (away[which] if size else False)
        return answers

    def _line(self, node: int, above: frozenset[int]) -> tuple[int, ...]:
        """The class and its bases as they are searched: depth first, a base that is met twice at the end.

        That is Python's order but for crossed hierarchies, and that of languages with one base.
        """
        known = self._lines.get(node)
        if known is not None:
            return known
        found = [node]
        for base in self._bases.get(node, ()):
            if base == node or base in above:
                continue
            for one in self._line(base, above | {node}) if base in self._bases else (base,):
                if one in found:
                    found.remove(one)
                found.append(one)
        if not above:
            self._lines[node] = tuple(found)
        return tuple(found)


class Holdings:
    """What is held under names: by objects of classes, by units, and in what functions give.

    Keys are `member_key`s, or those of a unit and a name.
    """

    def __init__(self, table: Table, members: Members) -> None:
        self._table = table
        self._members = members

    @staticmethod
    def none(members: Members) -> Holdings:
        """Nothing is held."""
        return Holdings.of(members, np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.bool_))

    @staticmethod
    def of(members: Members, keys: U64, kinds: I64, away: Bools) -> Holdings:
        """What `keys` hold: objects of the class `kinds`, or something that leads `away` out of the tree.

        Where that is not known, or said in different ways, nothing is.
        """
        said = (kinds >= 0) | away
        table = Table.of(*single(keys[said], np.where(away[said], _AWAY, kinds[said])))
        return Holdings(table, members.over(table))

    def find(self, classes: I64, names: U64, *, skip_own: bool = False) -> Answers:
        """What objects of the classes hold under the names; a base of another tree may hold anything."""
        answers = self._members.find(classes, names, skip_own=skip_own)
        answers.outside[:] = False
        return _outside_told(answers)

    def named(self, nodes: I64, names: U64) -> Answers:
        """What is said of nodes themselves under the names."""
        return self._at(member_key(nodes, names))

    def put_shared(self, answers: Answers, where: I64, units: U64, names: U64) -> None:
        """Put what the units hold under the names."""
        answers.put(where, self._at(mixed(units, names)))

    def _at(self, keys: U64) -> Answers:
        first, count = self._table.spans(keys)
        answers = Answers.none(len(keys))
        known = np.flatnonzero(count > 0)
        answers.node[known], answers.count[known] = self._table.rows[first[known]], 1
        return _outside_told(answers)


_AWAY = -2
"""Among held classes: one that is not of this tree."""


def _outside_told(answers: Answers) -> Answers:
    away = answers.node == _AWAY
    answers.node[away], answers.count[away], answers.outside[away] = -1, 0, True
    return answers


def single(keys: U64, rows: I64) -> tuple[U64, I64]:
    """The keys that all their rows agree on, with that row."""
    order = np.lexsort((rows, keys))
    keys, rows = keys[order], rows[order]
    if not len(keys):
        return keys, rows
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    last = np.concatenate((first[1:], [len(keys)])) - 1
    same = rows[first] == rows[last]
    return keys[first[same]], rows[first[same]]


def member_key(classes: I64, names: U64) -> U64:
    """The key of a member: its class node and its name."""
    return mixed(classes.astype(np.uint64) + np.uint64(1), names)
