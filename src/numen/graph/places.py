"""Places: where each definition is sought and under which name, and which definitions are one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64, U64, integers, mixed, ranges
from numen.graph.lookup import Bools, Table
from numen.graph.parse.facts import Trait
from numen.graph.rows import KIND_NUMBER, FileRows, NodeRows, key_of
from numen.graph.types import NodeKind

CLASSES = [KIND_NUMBER[kind] for kind in (NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM, NodeKind.TYPE)]
_CLASH = re.compile(r"#\d+$")


@dataclass(frozen=True, slots=True)
class Places:
    """One row a node, but `scope`, which is one a file: the key of what only the file itself can name.

    `home` is the unit that a definition is found in; `parent` is a node, -1 for a file; `main` is the node
    that stands for a class of several parts, itself for everything else.
    """

    scope: U64
    home: U64
    sought: U64
    parent: I64
    is_class: Bools
    main: I64

    @staticmethod
    def of(files: FileRows, nodes: NodeRows) -> Places:
        """The places of all nodes."""
        file = nodes.file_of_row()
        first = nodes.ends[:-1]
        home = np.where(nodes.home != 0, nodes.home, files.unit[file])
        sought = np.where(nodes.sought != 0, nodes.sought, nodes.name_key)
        is_class = np.isin(nodes.kind, CLASSES)
        paths = list(files.path)
        return Places(
            scope=np.array([key_of(path) for path in paths], dtype=np.uint64),
            home=home,
            sought=sought,
            parent=np.where(nodes.parent < 0, -1, nodes.parent + first[file]).astype(np.int64),
            is_class=is_class,
            main=_main(nodes, file, paths, mixed(home, sought), is_class),
        )

    def around(self, member_of: I32) -> I64:
        """For each node the class that holds it, itself for a class, -1 for none.

        `member_of` gives the class of members that stand outside of it, -1 for others.
        """
        found = self._inherited(np.where(self.is_class, np.arange(len(self.parent)), -1))
        return self._inherited(np.where(found < 0, member_of, found).astype(np.int64))

    def _inherited(self, found: I64) -> I64:
        """`found`, where it is -1 replaced by what the definition around has."""
        while True:
            go = np.flatnonzero((found < 0) & (self.parent >= 0))
            go = go[found[self.parent[go]] >= 0]
            if not len(go):
                return found
            found[go] = found[self.parent[go]]


def _main(nodes: NodeRows, file: I32, paths: list[str], place: U64, is_class: Bools) -> I64:
    """The part with the shortest path stands for a class of several parts; of equals the first."""
    main = np.arange(len(nodes), dtype=np.int64)
    best: dict[tuple[int, str], tuple[int, int]] = {}
    rows = integers(np.flatnonzero(is_class & (nodes.trait & int(Trait.SHARED) != 0)))
    keys = [(int(place[row]), _CLASH.sub("", nodes.qualified[row])) for row in rows]
    for row, key in zip(rows, keys, strict=True):
        found = (len(paths[int(file[row])]), row)
        if key not in best or found < best[key]:
            best[key] = found
    for row, key in zip(rows, keys, strict=True):
        main[row] = best[key][1]
    return main


@dataclass(frozen=True, slots=True)
class Overloads:
    """The definitions that are one thing under one name; the first stands for them in symbol tables."""

    all: Table
    least: I64
    most: I64

    def fitting(self, nodes: I32, given: I64) -> I32:
        """For each node the first of its overloads that takes so many arguments, itself where none does."""
        first, count = self.all.spans(nodes.astype(np.uint64))
        rows = self.all.rows[ranges(first, count)]
        origin = np.repeat(np.arange(len(nodes)), count)
        asked = given[origin]
        fits = (asked >= 0) & (
            (self.most[rows] < 0) | (self.least[rows] <= asked) & (asked <= self.most[rows])
        )
        found = nodes.copy()
        which = np.flatnonzero(fits)[::-1]
        found[origin[which]] = rows[which]  # the last write is the first that fits
        return found


def gathered(nodes: NodeRows, keys: U64, rows: I64, apart: I64) -> tuple[Table, Table]:
    """The table that finds nodes `rows` under `keys`, and for the first of several overloads all of them.

    A declaration is left out where a definition carries it out. Overloads with different numbers in `apart`
    are different things.
    """
    trait, most = nodes.trait[rows], nodes.most[rows].astype(np.int64)
    declared = np.flatnonzero(trait & int(Trait.OVERLOAD) != 0)
    if len(declared):
        exact = mixed(keys, (most + 2).astype(np.uint64))
        carried = np.isin(exact[declared], np.delete(exact, declared))
        keep = np.delete(np.arange(len(rows)), declared[carried])
        keys, rows, apart, trait = keys[keep], rows[keep], apart[keep], trait[keep]
    unusual = trait & int(Trait.ALTERNATIVE) != 0
    if unusual.any():
        keep = ~unusual | ~np.isin(keys, keys[~unusual])
        keys, rows, apart, trait = keys[keep], rows[keep], apart[keep], trait[keep]
    group = np.where(trait & int(Trait.SHARED) != 0, apart, -1 - rows)
    order = np.lexsort((rows, group, keys))
    keys, rows, group = keys[order], rows[order], group[order]
    if not len(rows):
        return Table.of(keys, rows), Table.of(keys, rows)
    first = np.concatenate(([True], (keys[1:] != keys[:-1]) | (group[1:] != group[:-1])))
    leader = rows[first][np.cumsum(first) - 1]
    several = np.bincount(np.cumsum(first) - 1)[np.cumsum(first) - 1] > 1
    together = Table.of(leader[several].astype(np.uint64), rows[several])
    return Table.of(keys[first], rows[first]), together
