"""Linking: from what files say to edges between nodes, with how sure each is.

Everything here is a function of the tables and of the paths in the tree. What cannot be settled is kept
as ambiguous and becomes no edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, Arrays, Column, integers, mixed
from numen.graph.lookup import Answers, Exports, Members, Table, member_key
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import Alias, Head, ImportForm, RefKind, Trait, Units
from numen.graph.rows import (
    CLASS_NUMBER,
    EDGE_NUMBER,
    KIND_NUMBER,
    AliasRows,
    FileRows,
    ImportRows,
    NodeRows,
    ReferenceRows,
    key_of,
)
from numen.graph.types import Certainty, EdgeKind, FileClass, NodeKind

DISTINCTIVE = 8
"""Letters from which on a name, or any name with an underscore, may be matched by itself."""

_CLASSES = [KIND_NUMBER[kind] for kind in (NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM, NodeKind.TYPE)]


@dataclass(frozen=True, slots=True)
class Links:
    """The edges, sorted by (source, target, kind), and the references that stayed ambiguous.

    `unsettled_*` are (source node, name key, edge kind, how many candidates), sorted.
    """

    source: I32
    target: I32
    kind: U8
    certainty: U8
    unsettled_source: I32
    unsettled_name: U64
    unsettled_kind: U8
    unsettled_count: I32

    def arrays(self) -> dict[str, Column]:
        """Every column by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    @staticmethod
    def from_arrays(arrays: Arrays) -> Links:
        """The links that `arrays` was made of. Raises KeyError if a column is missing."""
        return Links(**{name: arrays[name] for name in Links.__slots__})  # pyright: ignore[reportArgumentType]


def linked(
    files: FileRows, nodes: NodeRows, imports: ImportRows, references: ReferenceRows, aliases: AliasRows
) -> Links:
    """The links of a tree, from all its tables."""
    return _Linker(files, nodes, imports, references, aliases).links()


class _Linker:
    """One linking. Made for one use."""

    def __init__(
        self,
        files: FileRows,
        nodes: NodeRows,
        imports: ImportRows,
        references: ReferenceRows,
        aliases: AliasRows,
    ) -> None:
        self._files, self._nodes, self._imports, self._refs = files, nodes, imports, references
        self._first = nodes.ends[:-1]
        self._file = nodes.file_of_row()
        self._parent = np.where(nodes.parent < 0, -1, nodes.parent + self._first[self._file]).astype(np.int64)
        self._import_file = imports.file_of_row()
        self._ref_file = references.file_of_row()
        self._is_class = np.isin(nodes.kind, _CLASSES)
        self._in_test = files.file_class == CLASS_NUMBER[FileClass.TEST]
        self._found: list[tuple[I64, I64, int, U8]] = []
        self._lost: list[tuple[I64, U64, int, I32]] = []
        targets, children = _units(files, imports, self._import_file, aliases)
        self._target = targets
        self._exports = self._exported(children)
        self._bound = self._imported()
        self._members = self._inherited()

    def links(self) -> Links:
        """All of it."""
        self._contain()
        self._import_edges()
        self._reference_edges()
        self._test_edges()
        return _links(self._found, self._lost)

    # Symbol tables

    def _exported(self, children: list[tuple[int, int, int]]) -> Exports:
        nodes, imports = self._nodes, self._imports
        top = (nodes.parent == 0) & (nodes.kind != KIND_NUMBER[NodeKind.SECTION])
        top &= nodes.trait & int(Trait.OVERLOAD | Trait.LOCAL) == 0
        rows = np.flatnonzero(top)
        definitions = Table.of(mixed(self._files.unit[self._file[rows]], nodes.name_key[rows]), rows)
        own = self._files.unit[self._import_file]
        star = imports.form == ImportForm.STAR
        named = np.flatnonzero((imports.scope == 0) & ~star & (imports.local_key != 0))
        stars = np.flatnonzero((imports.scope == 0) & star & (self._target != 0))
        parents = np.array([unit for unit, _, _ in children], dtype=np.uint64)
        names = np.array([name for _, name, _ in children], dtype=np.uint64)
        return Exports(
            definitions=definitions,
            bindings=Table.of(mixed(own[named], imports.local_key[named]), named),
            stars=Table.of(own[stars], stars),
            children=Table.of(mixed(parents, names), np.arange(len(children), dtype=np.int64)),
            child_unit=np.array([child for _, _, child in children], dtype=np.uint64),
            target_unit=self._target,
            target_name=np.where(imports.form == ImportForm.NAME, imports.name_key, np.uint64(0)),
        )

    def _imported(self) -> Answers:
        """For each import, what it binds."""
        imports = self._imports
        bound = Answers.none(len(imports))
        bound.outside[:] = self._target == 0
        inside = self._target != 0
        named = np.flatnonzero(inside & (imports.form == ImportForm.NAME))
        bound.put(named, self._exports.find(self._target[named], imports.name_key[named]))
        whole = np.flatnonzero(inside & (imports.form != ImportForm.NAME) & (imports.form != ImportForm.STAR))
        bound.unit[whole] = self._target[whole]
        bound.count[whole] = 1
        return bound

    def _inherited(self) -> Members:
        """The base classes, which decide what objects answer to; the edges to them on the way."""
        nodes, refs = self._nodes, self._refs
        member = np.flatnonzero(
            (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.trait & int(Trait.OVERLOAD) == 0)
        )
        own = Table.of(member_key(self._parent[member], nodes.name_key[member]), member)
        count = len(nodes)
        alone = Members(
            own, np.arange(count + 1, dtype=np.int64), np.arange(count, dtype=np.int32), np.zeros(count, bool)
        )
        rows = np.flatnonzero(refs.kind == RefKind.INHERITS)
        answers, _ = self._resolved(rows, alone)
        source = self._first[self._ref_file[rows]] + refs.source[rows]
        settled = (answers.node >= 0) & (answers.node != source)
        settled[settled] = self._is_class[answers.node[settled]]
        self._add(
            source[settled],
            answers.node[settled],
            EdgeKind.INHERITS,
            self._certainty(rows[settled], answers.node[settled]),
        )
        self._lose(source, self._last_name(rows), EdgeKind.INHERITS, answers)
        bases: dict[int, list[int]] = {}
        open_ended = np.zeros(count, bool)
        for child, base, known in zip(source.tolist(), answers.node.tolist(), settled.tolist(), strict=True):
            if known:
                bases.setdefault(child, []).append(base)
            else:
                open_ended[child] = True
        return _lines(own, count, bases, open_ended)

    # References

    def _resolved(self, rows: I64, members: Members) -> tuple[Answers, I64]:
        """What each reference names; and which of them failed on an attribute of something known."""
        refs = self._refs
        size = len(rows)
        state = Answers.none(size)
        head, at, file = refs.head[rows], refs.at[rows], self._ref_file[rows]
        path = [refs.first[rows], refs.second[rows], refs.third[rows], np.zeros(size, np.uint64)]
        local = np.flatnonzero(head == Head.LOCAL)
        state.node[local] = self._first[file[local]] + at[local]
        state.count[local] = 1
        bound = np.flatnonzero(head == Head.IMPORT)
        which = self._imports.ends[file[bound]] + at[bound]
        state.node[bound], state.unit[bound] = self._bound.node[which], self._bound.unit[which]
        state.count[bound], state.outside[bound] = self._bound.count[which], self._bound.outside[which]
        shifted = np.zeros(size, bool)
        free = np.flatnonzero(head == Head.FREE)
        state.put(free, self._exports.find(self._files.unit[file[free]], path[0][free]))
        for kind in (Head.SELF, Head.SUPER):
            own = np.flatnonzero(head == kind)
            classes = self._first[file[own]] + at[own]
            state.put(own, members.find(classes, path[0][own], skip_own=kind is Head.SUPER))
        shifted |= (head == Head.FREE) | (head == Head.SELF) | (head == Head.SUPER)
        failed: list[I64] = [np.flatnonzero((head == Head.SELF) & (state.count == 0) & ~state.outside)]
        for step in range(3):
            name = np.where(shifted, path[step + 1], path[step])
            go = np.flatnonzero((name != 0) & (state.count == 1) & (head != Head.UNKNOWN))
            failed.append(self._step(state, go, name, members))
        return state, np.concatenate(failed)

    def _step(self, state: Answers, go: I64, name: U64, members: Members) -> I64:
        """Follow one attribute of every row in `go`; give the rows whose holder has no such attribute."""
        in_unit = go[state.unit[go] != 0]
        on_node = go[state.node[go] >= 0]
        on_class = on_node[self._is_class[state.node[on_node]]]
        on_other = on_node[~self._is_class[state.node[on_node]]]
        if len(in_unit):
            state.put(in_unit, self._exports.find(state.unit[in_unit], name[in_unit]))
        if len(on_class):
            state.put(on_class, members.find(state.node[on_class].astype(np.int64), name[on_class]))
        state.put(on_other, Answers.none(len(on_other)))
        lost = np.concatenate((in_unit, on_class, on_other))
        return lost[(state.count[lost] == 0) & ~state.outside[lost]]

    def _reference_edges(self) -> None:
        refs = self._refs
        for kind, edge in ((RefKind.CALLS, EdgeKind.CALLS), (RefKind.REFERENCES, EdgeKind.REFERENCES)):
            rows = np.flatnonzero(refs.kind == kind)
            answers, failed = self._resolved(rows, self._members)
            source = self._first[self._ref_file[rows]] + refs.source[rows]
            settled = np.flatnonzero(answers.node >= 0)
            target = answers.node[settled].astype(np.int64)
            self._add(source[settled], target, edge, self._certainty(rows[settled], target))
            self._lose(source, self._last_name(rows), edge, answers)
            if kind is RefKind.CALLS:
                unknown = np.flatnonzero(refs.head[rows] == Head.UNKNOWN)
                by_name = np.unique(np.concatenate((unknown, failed)))
                self._by_name(rows[by_name], source[by_name])

    def _by_name(self, rows: I64, source: I64) -> None:
        """Calls on objects of unknown type: one method of a telling name is it; several stay ambiguous."""
        nodes = self._nodes
        name = self._last_name(rows)
        family = self._files.family[self._ref_file[rows]]
        candidates = np.flatnonzero(nodes.trait & int(Trait.MEMBER) != 0)
        common = np.concatenate([_keys(family.common) for family in FAMILIES])
        candidates = candidates[~np.isin(nodes.name_key[candidates], common)]
        table = Table.of(
            mixed(self._files.family[self._file[candidates]].astype(np.uint64), nodes.name_key[candidates]),
            candidates,
        )
        first, count = table.spans(mixed(family.astype(np.uint64), name))
        single = np.flatnonzero(count == 1)
        target = table.rows[first[single]]
        telling = self._telling(target) & (target != source[single])
        telling &= ~self._in_test[self._file[target]] | (self._file[target] == self._file[source[single]])
        sure = single[telling]
        certainty = np.full(len(sure), Certainty.UNIQUE_NAME, np.uint8)
        self._add(source[sure], target[telling], EdgeKind.CALLS, certainty)
        unsure = np.ones(len(rows), bool)
        unsure[sure] = False
        left = np.flatnonzero(unsure & (count > 0))
        self._lost.append(
            (source[left], name[left], EDGE_NUMBER[EdgeKind.CALLS], count[left].astype(np.int32))
        )

    def _telling(self, nodes: I64) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        names = self._nodes.name
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(names.data == ord("_"), dtype=np.int64)))
        start, stop = names.ends[nodes], names.ends[nodes + 1]
        scored = before[stop] - before[np.minimum(start + 1, stop)] > 0
        return scored | (stop - start >= DISTINCTIVE)

    def _last_name(self, rows: I64) -> U64:
        refs = self._refs
        last = np.where(refs.third[rows] != 0, refs.third[rows], refs.second[rows])
        last = np.where(last != 0, last, refs.first[rows])
        bound = (last == 0) & (refs.head[rows] == Head.IMPORT)
        which = self._imports.ends[self._ref_file[rows[bound]]] + refs.at[rows[bound]]
        last[bound] = self._imports.name_key[which]
        return last

    def _certainty(self, rows: I64, target: I64 | I32) -> U8:
        refs = self._refs
        same = self._file[target] == self._ref_file[rows]
        exact = same & (refs.inferred[rows] == 0) & (refs.head[rows] != Head.IMPORT)
        return np.where(exact, Certainty.EXACT, Certainty.IMPORT_RESOLVED).astype(np.uint8)

    # Edges that need no reference

    def _contain(self) -> None:
        inner = np.flatnonzero(self._parent >= 0)
        certainty = np.full(len(inner), Certainty.EXACT, np.uint8)
        self._add(self._parent[inner], inner, EdgeKind.CONTAINS, certainty)

    def _import_edges(self) -> None:
        by_unit = Table.of(self._files.unit, np.arange(self._files.files, dtype=np.int64))
        named = self._imports.form == ImportForm.NAME
        for rows, unit in (
            (np.flatnonzero(self._target != 0), self._target),
            (np.flatnonzero(named & (self._bound.unit != 0)), self._bound.unit),
        ):
            first, count = by_unit.spans(unit[rows])
            rows, first = rows[count == 1], first[count == 1]
            target = self._first[by_unit.rows[first]]
            source = self._first[self._import_file[rows]]
            self._add(
                source, target, EdgeKind.IMPORTS, np.full(len(rows), Certainty.IMPORT_RESOLVED, np.uint8)
            )
        rows = np.flatnonzero(self._bound.node >= 0)
        source = self._first[self._import_file[rows]] + self._imports.scope[rows]
        target = self._bound.node[rows].astype(np.int64)
        own = self._target[rows] == self._files.unit[self._import_file[rows]]
        rows, source, target = rows[~own], source[~own], target[~own]
        self._add(
            source, target, EdgeKind.REFERENCES, np.full(len(rows), Certainty.IMPORT_RESOLVED, np.uint8)
        )

    def _test_edges(self) -> None:
        kinds = {EDGE_NUMBER[kind] for kind in (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.IMPORTS)}
        for source, target, kind, certainty in list(self._found):
            if kind in kinds:
                of_test = self._in_test[self._file[source]] & ~self._in_test[self._file[target]]
                rows = np.flatnonzero(of_test)
                self._add(source[rows], target[rows], EdgeKind.TESTS, certainty[rows])

    def _add(self, source: I64, target: I64 | I32, kind: EdgeKind, certainty: U8) -> None:
        other = source != target
        self._found.append(
            (source[other], target[other].astype(np.int64), EDGE_NUMBER[kind], certainty[other])
        )

    def _lose(self, source: I64, name: U64, kind: EdgeKind, answers: Answers) -> None:
        many = np.flatnonzero(answers.count > 1)
        self._lost.append((source[many], name[many], EDGE_NUMBER[kind], answers.count[many]))


def _links(found: list[tuple[I64, I64, int, U8]], lost: list[tuple[I64, U64, int, I32]]) -> Links:
    """Sorted and without repetition; of two edges that differ in certainty, the surer one."""
    packed = np.concatenate(
        [source << 34 | target << 5 | kind << 2 | certainty for source, target, kind, certainty in found]
    )
    packed = np.sort(packed)
    if len(packed):
        packed = packed[np.concatenate(([True], packed[1:] >> 2 != packed[:-1] >> 2))]
    source = np.concatenate([row for row, _, _, _ in lost])
    name = np.concatenate([row for _, row, _, _ in lost])
    kind = np.concatenate([np.full(len(row), kind, np.uint8) for row, _, kind, _ in lost])
    count = np.concatenate([row for _, _, _, row in lost]).astype(np.int32)
    order = np.lexsort((-count, kind, name, source))
    source, name, kind, count = source[order], name[order], kind[order], count[order]
    if len(source):
        same = (source[1:] == source[:-1]) & (name[1:] == name[:-1]) & (kind[1:] == kind[:-1])
        fresh = np.concatenate(([True], ~same))
        source, name, kind, count = source[fresh], name[fresh], kind[fresh], count[fresh]
    return Links(
        source=(packed >> 34).astype(np.int32),
        target=(packed >> 5 & 0x1FFFFFFF).astype(np.int32),
        kind=(packed >> 2 & 7).astype(np.uint8),
        certainty=(packed & 3).astype(np.uint8),
        unsettled_source=source.astype(np.int32),
        unsettled_name=name,
        unsettled_kind=kind,
        unsettled_count=count,
    )


def _lines(
    own: Table,
    count: int,
    bases: dict[int, list[int]],
    open_ended: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Members:
    """For each class the order in which its bases are searched: itself, then each base's own line."""
    memo: dict[int, tuple[int, ...]] = {}

    def line(node: int, above: frozenset[int]) -> tuple[int, ...]:
        known = memo.get(node)
        if known is not None:
            return known
        found = [node]
        for base in bases.get(node, ()):
            if base in above or base == node:
                continue
            for one in line(base, above | {node}) if base in bases else (base,):
                if one in found:
                    found.remove(one)
                found.append(one)
        if not above:
            memo[node] = tuple(found)
        return tuple(found)

    lines = {node: line(node, frozenset()) for node in sorted(bases)}
    sizes = np.ones(count, np.int64)
    for node, found in lines.items():
        sizes[node] = len(found)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    flat = np.zeros(int(starts[-1]), np.int32)
    flat[starts[:-1]] = np.arange(count)
    for node, found in lines.items():
        flat[starts[node] : starts[node + 1]] = found
    ends_open = open_ended.copy()
    for node, found in lines.items():
        ends_open[node] = open_ended[list(found)].any()
    return Members(own, starts, flat, ends_open)


def _units(
    files: FileRows, imports: ImportRows, import_file: I32, aliases: AliasRows
) -> tuple[U64, list[tuple[int, int, int]]]:
    """For each import the key of the unit it names, 0 for none; and the units inside units."""
    paths = list(files.path)
    declared: list[tuple[str, Alias]] = []
    columns = (
        integers(aliases.file_of_row()),
        aliases.name,
        aliases.target,
        integers(aliases.everywhere),
    )
    for file, name, target, everywhere in zip(*columns, strict=True):
        declared.append((paths[file].rpartition("/")[0], Alias(name, target, bool(everywhere))))
    known: dict[int, Units] = {}
    children: list[tuple[int, int, int]] = []
    present = set(integers(files.family))
    for number, family in enumerate(FAMILIES):
        if number in present and family.units is not None:
            known[number] = family.units(paths, declared)
            for unit, name, child in known[number].children():
                children.append((key_of(unit), key_of(name), key_of(child)))
    targets = np.zeros(len(imports), np.uint64)
    memo: dict[tuple[int, str, str], int] = {}
    families, units = integers(files.family), integers(files.unit)
    rows = zip(integers(import_file), imports.module, integers(imports.form), strict=True)
    for i, (file, module, form) in enumerate(rows):
        if not module:
            targets[i] = units[file]
            continue
        if form == ImportForm.PACKAGE:
            module = module.partition(".")[0]
        path = paths[file]
        key = (families[file], path.rpartition("/")[0], module)
        if key not in memo:
            finder = known.get(families[file])
            unit = finder.find(path, module) if finder is not None else None
            memo[key] = key_of(unit) if unit is not None else 0
        targets[i] = memo[key]
    return targets, children


def _keys(names: frozenset[str]) -> U64:
    return np.array(sorted(key_of(name) for name in names), dtype=np.uint64)
