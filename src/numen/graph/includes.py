"""Includes: what files see of what they include, and the definitions that stand behind declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, integers, ranges
from numen.graph.lookup import Answers, Bools, Table, settled
from numen.graph.parse import FAMILIES, NO_FAMILY
from numen.graph.parse.facts import ImportForm, Trait
from numen.graph.rows import KIND_NUMBER, FileRows, ImportRows, NodeRows, key_of
from numen.graph.types import NodeKind
from numen.graph.wiring import Wiring

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".def")


class Included:
    """What bare names mean in the families whose files see all of what they include.

    A name is what is defined under it in the files that are seen, or what stands behind a declaration there.
    A macro that gives a name to another makes it uncertain.
    """

    def __init__(self, files: FileRows, nodes: NodeRows, imports: ImportRows, wiring: Wiring) -> None:
        self._files, self._nodes = files, nodes
        self.is_family = np.zeros(NO_FAMILY + 1, np.bool_)
        self.is_family[: len(FAMILIES)] = [family.includes for family in FAMILIES]
        """For each number of a family whether it is one of these."""
        here = self.is_family[files.family]
        self._place = np.cumsum(here) - 1  # of a file among those of these families
        if not here.any():
            return
        node_file, import_file = nodes.file_of_row(), imports.file_of_row()
        own = here[import_file]
        self._seen = self._closure(files, imports, wiring, import_file, own)
        shown = (
            here[node_file] & (nodes.parent == 0) & (nodes.trait & int(Trait.LOCAL | Trait.ALTERNATIVE) == 0)
        )
        shown = np.flatnonzero(shown & (nodes.kind == KIND_NUMBER[NodeKind.FUNCTION]))
        declared = np.flatnonzero(own & (imports.form == ImportForm.DECLARED))
        behind, which = self._behind(shown, node_file, imports.name_key[declared], import_file[declared])
        alias = np.flatnonzero(own & (imports.form == ImportForm.NAME))
        self._table = Table.of(
            np.concatenate(
                (nodes.name_key[shown], imports.name_key[declared][which], imports.local_key[alias])
            ),
            np.arange(len(shown) + len(which) + len(alias), dtype=np.int64),
        )
        self._node = np.concatenate((shown, behind, np.full(len(alias), -1, np.int64)))
        self._file = self._place[
            np.concatenate((node_file[shown], import_file[declared][which], import_file[alias]))
        ]

    def find(self, files: I32, names: U64) -> Answers:
        """What each name is in its file."""
        first, count = self._table.spans(names)
        rows = self._table.rows[ranges(first, count)]
        origin = np.repeat(np.arange(len(names), dtype=np.int64), count)
        other = self._file[rows]
        is_seen = self._seen[self._place[files[origin]], other >> 3] >> (other & 7) & 1 != 0
        rows, origin = rows[is_seen], origin[is_seen]
        nodes = self._node[rows]
        units = np.where(nodes < 0, np.uint64(1), np.uint64(0))  # an alias is one more thing that it may be
        found = settled(len(names), [(origin, nodes, units)], np.zeros(len(names), np.bool_))
        alone = found.unit != 0
        found.unit[alone], found.count[alone] = 0, 0
        return found

    def _closure(
        self, files: FileRows, imports: ImportRows, wiring: Wiring, import_file: I32, own: Bools
    ) -> U8:
        """One row of bits a file: which files it sees, itself included."""
        stars = np.flatnonzero(own & (imports.form == ImportForm.STAR) & (wiring.targets.target != 0))
        here = np.flatnonzero(self.is_family[files.family])
        paths = [files.path[file] for file in integers(here)]
        by_path = Table.of(np.array([key_of(path) for path in paths], dtype=np.uint64), np.arange(len(paths)))
        first, count = by_path.spans(wiring.targets.target[stars])
        source, target = self._place[import_file[stars]][count > 0], by_path.rows[first[count > 0]]
        direct: dict[int, list[int]] = {}
        for one, other in zip(integers(source), integers(target), strict=True):
            direct.setdefault(one, []).append(other)
            if not paths[other].endswith(_HEADERS):  # a piece of the file that includes it sees all of that
                direct.setdefault(other, []).append(one)
        size = len(paths) + 7 >> 3
        rows = b"".join(one.to_bytes(size, "little") for one in _reach(len(paths), direct))
        return np.frombuffer(rows, np.uint8).reshape(len(paths), size)

    def _behind(self, shown: I64, node_file: I32, names: U64, files: I32) -> tuple[I64, I64]:
        """The definitions behind declarations, as (node, which declaration).

        In the same file first; then in the file of the same name, then in the nearest folder.
        """
        nodes = self._nodes
        outward = nodes.trait[shown] & int(Trait.PRIVATE) == 0
        table = Table.of(nodes.name_key[shown[outward]], shown[outward])
        first, count = table.spans(names)
        single = np.flatnonzero(count == 1)
        found, which = [table.rows[first[single]]], [single]
        paths = list(self._files.path)
        for row in integers(np.flatnonzero(count > 1)):
            candidates = table.rows[first[row] : first[row] + count[row]]
            near = _nearest(paths[int(files[row])], [paths[int(node_file[one])] for one in candidates])
            found.append(candidates[near])
            which.append(np.full(len(near), row, np.int64))
        return np.concatenate(found), np.concatenate(which)


def _reach(count: int, direct: Mapping[int, Sequence[int]]) -> list[int]:
    """For each of `count` files the set of what it sees, itself included, as the bits of a number."""
    seen = [1 << file for file in range(count)]
    grows = True
    while grows:
        grows = False
        for file, others in direct.items():
            wider = seen[file]
            for other in others:
                wider |= seen[other]
            grows |= wider != seen[file]
            seen[file] = wider
    return seen


def _nearest(path: str, others: Sequence[str]) -> list[int]:
    """Which of the files `others` a declaration in the file at `path` most likely means."""
    stem, folders = path.rpartition("/")[2].partition(".")[0], path.split("/")[:-1]

    def place(other: str) -> tuple[bool, bool, int]:
        shared = 0
        for one, two in zip(folders, other.split("/")[:-1], strict=False):
            if one != two:
                break
            shared += 1
        return other == path, other.rpartition("/")[2].partition(".")[0] == stem, shared

    places = [place(other) for other in others]
    best = max(places)
    return [i for i, one in enumerate(places) if one == best]
