"""Linking: from what files say to edges between nodes, with how sure each is.

Everything here is a function of the tables. What cannot be settled is kept as ambiguous and becomes no
edge. Where an earlier linking still stands, only doubtful references are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, Rows, integers, mixed
from numen.graph.lookup import Answers, Bools, Exports, Members, Table, member_key
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import Head, ImportForm, RefKind, Trait
from numen.graph.rows import CLASS_NUMBER, KIND_NUMBER, FileRows, ImportRows, NodeRows, ReferenceRows, key_of
from numen.graph.types import Certainty, FileClass, NodeKind
from numen.graph.wiring import Wiring

DISTINCTIVE = 8
"""Letters from which on a name, or any name with an underscore inside, may be matched by itself."""

DEFAULT = key_of("default")
"""The name under which a module of JavaScript can itself be called."""

_CLASSES = [KIND_NUMBER[kind] for kind in (NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM, NodeKind.TYPE)]
_COMMON = np.array(sorted({key_of(name) for family in FAMILIES for name in family.common}), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class LinkRows(Rows):
    """One row a reference, in step with `ReferenceRows`: what it came to.

    `node` is the node that it means, -1 if that is not settled; then `count` says how many it may mean.
    `open_ended` marks a base class that is not of this tree.
    """

    node: I32
    certainty: U8
    count: I32
    open_ended: U8


@dataclass(frozen=True, slots=True)
class Linking:
    """What every reference comes to, and what every import binds."""

    links: LinkRows
    bound: Answers


@dataclass(frozen=True, slots=True)
class Tables:
    """What a linking works on."""

    files: FileRows
    nodes: NodeRows
    imports: ImportRows
    references: ReferenceRows
    wiring: Wiring


def linked(tables: Tables) -> Linking:
    """The linking of a whole tree."""
    linker = _Linker(tables, None, None)
    linker.inherit()
    return linker.linking()


def relinked(tables: Tables, standing: LinkRows, doubtful: Bools) -> Linking | None:
    """The linking of a tree of which an earlier one still stands but for the references in doubt.

    None if that is not enough because some class has other bases now: link the whole tree then.
    """
    linker = _Linker(tables, standing, doubtful)
    return linker.linking() if linker.inherit() else None


class _Linker:
    """One linking. Made for one use."""

    def __init__(self, tables: Tables, standing: LinkRows | None, doubtful: Bools | None) -> None:
        self._files, self._nodes = tables.files, tables.nodes
        self._imports, self._refs = tables.imports, tables.references
        self._wiring = tables.wiring
        self._first = self._nodes.ends[:-1]
        self._file = self._nodes.file_of_row()
        self._ref_file = self._refs.file_of_row()
        self._is_class = np.isin(self._nodes.kind, _CLASSES)
        count = len(self._refs)
        self._node = np.full(count, -1, np.int32) if standing is None else standing.node.copy()
        self._certainty = np.zeros(count, np.uint8) if standing is None else standing.certainty.copy()
        self._count = np.zeros(count, np.int32) if standing is None else standing.count.copy()
        self._away = np.zeros(count, np.uint8) if standing is None else standing.open_ended.copy()
        self._doubtful = np.ones(count, np.bool_) if doubtful is None else doubtful
        self._exports = self._exported()
        self._bound = self._imported()
        self._members = self._own_members()

    def inherit(self) -> bool:
        """Settle the base classes that are in doubt; whether all are what they were."""
        bases = np.flatnonzero(self._refs.kind == RefKind.INHERITS)
        before = (self._node[bases], self._away[bases])
        self._inherit(bases)
        return all(map(np.array_equal, before, (self._node[bases], self._away[bases])))

    def linking(self) -> Linking:
        """What every reference comes to, once the base classes are settled."""
        rows = np.flatnonzero(self._doubtful & (self._refs.kind != RefKind.INHERITS))
        answers, failed = self._resolved(rows, self._members)
        self._settle(rows, answers)
        unknown = np.flatnonzero(self._refs.head[rows] == Head.UNKNOWN)
        asked = rows[np.unique(np.concatenate((unknown, failed)))]
        self._by_name(asked[self._refs.kind[asked] == RefKind.CALLS])
        links = LinkRows(self._refs.ends, self._node, self._certainty, self._count, self._away)
        return Linking(links, self._bound)

    # Symbol tables

    def _exported(self) -> Exports:
        nodes, imports = self._nodes, self._imports
        target = self._wiring.targets.target
        top = (nodes.parent == 0) & (nodes.kind != KIND_NUMBER[NodeKind.SECTION])
        top &= nodes.trait & int(Trait.OVERLOAD | Trait.LOCAL) == 0
        rows = np.flatnonzero(top)
        own = self._files.unit[imports.file_of_row()]
        star = imports.form == ImportForm.STAR
        named = np.flatnonzero((imports.scope == 0) & ~star & (imports.local_key != 0))
        stars = np.flatnonzero((imports.scope == 0) & star & (target != 0))
        inner = self._wiring
        return Exports(
            definitions=Table.of(mixed(self._files.unit[self._file[rows]], nodes.name_key[rows]), rows),
            bindings=Table.of(mixed(own[named], imports.local_key[named]), named),
            stars=Table.of(own[stars], stars),
            children=Table.of(mixed(inner.unit, inner.name), np.arange(len(inner.unit), dtype=np.int64)),
            child_unit=inner.child,
            target_unit=target,
            target_name=np.where(imports.form == ImportForm.NAME, imports.name_key, np.uint64(0)),
        )

    def _own_members(self) -> Members:
        nodes = self._nodes
        member = (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.trait & int(Trait.OVERLOAD) == 0)
        rows = np.flatnonzero(member & (nodes.parent > 0))
        parent = nodes.parent[rows] + self._first[self._file[rows]]
        own = Table.of(member_key(parent, nodes.name_key[rows]), rows)
        return Members(own, {}, np.zeros(len(nodes), np.bool_))

    def _inherit(self, bases: I64) -> None:
        """Settle which classes the doubtful bases are; from then on objects answer to inherited names."""
        asked = bases[self._doubtful[bases]]
        answers, _ = self._resolved(asked, self._members)
        other = (answers.node >= 0) & (answers.node != self._source(asked))
        other[other] = self._is_class[answers.node[other]]
        answers.node[~other] = -1
        self._settle(asked, answers)
        self._away[asked] = ~other
        child, base = self._source(bases), self._node[bases]
        found: dict[int, list[int]] = {}
        for one, above in zip(integers(child), integers(base), strict=True):
            if above >= 0:
                found.setdefault(one, []).append(above)
        open_ended = np.zeros(len(self._nodes), np.bool_)
        open_ended[child[self._away[bases] != 0]] = True
        self._members = Members(self._members.own, found, open_ended)

    def _source(self, rows: I64) -> I64:
        return self._first[self._ref_file[rows]] + self._refs.source[rows]

    # References

    def _resolved(self, rows: I64, members: Members) -> tuple[Answers, I64]:
        """What the references name; and which failed on an attribute of something of this tree."""
        refs = self._refs
        size = len(rows)
        state = Answers.none(size)
        head, at, file = refs.head[rows], refs.at[rows], self._ref_file[rows]
        path = [refs.first[rows], refs.second[rows], refs.third[rows], np.zeros(size, np.uint64)]
        local = np.flatnonzero(head == Head.LOCAL)
        state.node[local] = self._first[file[local]] + at[local]
        state.count[local] = 1
        bound = np.flatnonzero(head == Head.IMPORT)
        state.put(bound, self._bound.at(self._imports.ends[file[bound]] + at[bound]))
        free = np.flatnonzero(head == Head.FREE)
        state.put(free, self._exports.find(self._files.unit[file[free]], path[0][free]))
        for kind in (Head.SELF, Head.SUPER):
            own = np.flatnonzero(head == kind)
            classes = self._first[file[own]] + at[own]
            state.put(own, members.find(classes, path[0][own], skip_own=kind is Head.SUPER))
        shifted = (head == Head.FREE) | (head == Head.SELF) | (head == Head.SUPER)
        failed = [np.flatnonzero((head == Head.SELF) & (state.count == 0) & ~state.outside)]
        for step in range(3):
            name = np.where(shifted, path[step + 1], path[step])
            go = np.flatnonzero((name != 0) & (state.count == 1))
            failed.append(self._step(state, go, name, members))
        called = np.flatnonzero((state.unit != 0) & (refs.kind[rows] == RefKind.CALLS))
        names = np.full(len(called), DEFAULT, np.uint64)
        state.put(called, self._exports.find(state.unit[called], names))
        return state, np.concatenate(failed)

    def _imported(self) -> Answers:
        """What every import binds."""
        imports, target = self._imports, self._wiring.targets.target
        answers = Answers.none(len(imports))
        answers.outside[:] = target == 0
        named = np.flatnonzero((target != 0) & (imports.form == ImportForm.NAME))
        answers.put(named, self._exports.find(target[named], imports.name_key[named]))
        whole = (target != 0) & (imports.form != ImportForm.NAME) & (imports.form != ImportForm.STAR)
        answers.unit[whole], answers.count[whole] = target[whole], 1
        return answers

    def _step(self, state: Answers, go: I64, name: U64, members: Members) -> I64:
        """Follow one attribute of every row in `go`; give the rows whose holder has no such attribute."""
        in_unit = go[state.unit[go] != 0]
        on_node = go[state.node[go] >= 0]
        is_class = self._is_class[state.node[on_node]]
        on_class, on_other = on_node[is_class], on_node[~is_class]
        if len(in_unit):
            state.put(in_unit, self._exports.find(state.unit[in_unit], name[in_unit]))
        if len(on_class):
            state.put(on_class, members.find(state.node[on_class].astype(np.int64), name[on_class]))
        state.put(on_other, Answers.none(len(on_other)))
        lost = np.concatenate((in_unit, on_class, on_other))
        return lost[(state.count[lost] == 0) & ~state.outside[lost]]

    def _settle(self, rows: I64, answers: Answers) -> None:
        """Write down what the references in `rows` came to."""
        refs = self._refs
        settled = answers.node >= 0
        self._node[rows] = answers.node
        self._count[rows] = np.where(answers.count > 1, answers.count, 0)
        same = self._file[np.maximum(answers.node, 0)] == self._ref_file[rows]
        exact = settled & same & (refs.inferred[rows] == 0) & (refs.head[rows] != Head.IMPORT)
        self._certainty[rows] = np.where(exact, Certainty.EXACT, Certainty.IMPORT_RESOLVED)

    def _by_name(self, rows: I64) -> None:
        """Calls on objects of unknown type: one method of a telling name is it; several stay ambiguous."""
        nodes, files = self._nodes, self._files
        candidates = np.flatnonzero(nodes.trait & int(Trait.MEMBER) != 0)
        candidates = candidates[~np.isin(nodes.name_key[candidates], _COMMON)]
        family = files.family[self._file[candidates]].astype(np.uint64)
        table = Table.of(mixed(family, nodes.name_key[candidates]), candidates)
        asked = mixed(
            files.family[self._ref_file[rows]].astype(np.uint64), last_name(self._refs, self._imports)[rows]
        )
        first, count = table.spans(asked)
        self._count[rows] = count
        single = np.flatnonzero(count == 1)
        target, source = table.rows[first[single]], self._source(rows[single])
        in_test = files.file_class[self._file[target]] == CLASS_NUMBER[FileClass.TEST]
        telling = self._telling(target) & (target != source)
        telling &= ~in_test | (self._file[target] == self._file[source])
        sure = rows[single[telling]]
        self._node[sure] = target[telling]
        self._count[sure] = 0
        self._certainty[sure] = Certainty.UNIQUE_NAME

    def _telling(self, nodes: I64) -> Bools:
        """Whether a name is rare enough by its form that one match of it means something."""
        names = self._nodes.name
        start, stop = names.ends[nodes], names.ends[nodes + 1]
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(names.data == ord("_"), dtype=np.int64)))
        return (before[stop] - before[np.minimum(start + 1, stop)] > 0) | (stop - start >= DISTINCTIVE)


def last_name(refs: ReferenceRows, imports: ImportRows) -> U64:
    """For each reference the key of the last name in it."""
    last = np.where(refs.third != 0, refs.third, refs.second)
    last = np.where(last != 0, last, refs.first)
    bare = np.flatnonzero((last == 0) & (refs.head == Head.IMPORT))
    last[bare] = imports.name_key[imports.ends[refs.file_of_row()[bare]] + refs.at[bare]]
    return last
