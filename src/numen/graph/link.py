"""Linking: from what files say to edges between nodes, with how sure each is.

Everything here is a function of the tables. What cannot be settled is kept as ambiguous and becomes no
edge. Where an earlier linking still stands, only doubtful references are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, Rows, mixed
from numen.graph.lookup import Answers, Bools, Table, member_key
from numen.graph.names import Names
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import Head, RefKind, Trait
from numen.graph.results import LONGEST, Results
from numen.graph.rows import (
    CLASS_NUMBER,
    FileRows,
    ImportRows,
    NodeRows,
    ReferenceRows,
    key_of,
    keys_of,
)
from numen.graph.types import Certainty, FileClass
from numen.graph.wiring import Wiring

DISTINCTIVE = 8
"""Letters from which on a name, or any name with an underscore inside, may be matched by itself."""

DEFAULT = key_of("default")
"""The name under which a module of JavaScript can itself be called."""

UNTOLD = -2
"""In an earlier linking: this reference was not there."""


@dataclass(frozen=True, slots=True)
class LinkRows(Rows):
    """One row a reference, in step with `ReferenceRows`: what it came to.

    `node` is the node that it means, -1 if that is not settled; then `count` says how many it may mean.
    `open_ended` marks what leads out of this tree, such as a base class that is not of it.
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
    linker.structure()
    return linker.linking()


def relinked(tables: Tables, standing: LinkRows, doubtful: Bools) -> Linking | None:
    """The linking of a tree of which an earlier one still stands but for the references in doubt.

    None if that is not enough because some class has other bases now, or something else that was named has
    another class: link the whole tree then.
    """
    linker = _Linker(tables, standing, doubtful)
    return linker.linking() if linker.structure() else None


class _Linker:
    """One linking. Made for one use."""

    def __init__(self, tables: Tables, standing: LinkRows | None, doubtful: Bools | None) -> None:
        self._files, self._nodes = tables.files, tables.nodes
        self._imports, self._refs = tables.imports, tables.references
        self._wiring = tables.wiring
        self._first = self._nodes.ends[:-1]
        self._file = self._nodes.file_of_row()
        self._ref_file = self._refs.file_of_row()
        count = len(self._refs)
        self._node = np.full(count, -1, np.int32) if standing is None else standing.node.copy()
        self._certainty = np.zeros(count, np.uint8) if standing is None else standing.certainty.copy()
        self._count = np.zeros(count, np.int32) if standing is None else standing.count.copy()
        self._away = np.zeros(count, np.uint8) if standing is None else standing.open_ended.copy()
        self._doubtful = np.ones(count, np.bool_) if doubtful is None else doubtful
        self._results = Results.of(self._refs, self._ref_file)
        elsewhere = self._source(np.flatnonzero(self._refs.kind == RefKind.MEMBER))
        self._names = Names(tables.files, tables.nodes, tables.imports, tables.wiring, elsewhere)
        self._places = self._names.places
        self._bound = self._names.imported()
        self._doubtful |= self._results.within(self._doubtful)

    def structure(self) -> bool:
        """Settle what is a member, a base or an object of what, where it is in doubt; whether all stands."""
        kind = self._refs.kind
        said = np.flatnonzero((kind == RefKind.INHERITS) | (kind >= RefKind.MEMBER))
        before, away = self._node[said], self._away[said]
        self._own_outside(np.flatnonzero(kind == RefKind.MEMBER))
        self._inherit(np.flatnonzero(kind == RefKind.INHERITS))
        self._extend(np.flatnonzero(kind == RefKind.EXTENDS))
        self._hold(np.flatnonzero(kind == RefKind.HOLDS), np.flatnonzero(kind == RefKind.RETURNS))
        same = (before == self._node[said]) & (away == self._away[said]) | (before == UNTOLD)
        return bool(same.all())

    def linking(self) -> Linking:
        """What every reference comes to, once the structure is settled."""
        kind = self._refs.kind
        is_use = np.isin(kind, (RefKind.CALLS, RefKind.REFERENCES, RefKind.VALUES))
        rows = np.flatnonzero(self._doubtful & is_use)
        asked = self._follow(rows)
        self._by_name(asked[kind[asked] == RefKind.CALLS], self._members())
        self._by_name(self._on_others(rows[kind[rows] == RefKind.CALLS]), self._extensions())
        links = LinkRows(self._refs.ends, self._node, self._certainty, self._count, self._away)
        return Linking(links, self._bound)

    def _follow(self, rows: I64) -> I64:
        """Settle the references in `rows`, results after what gives them; those to be sought by name."""
        depth = self._results.depth[rows]
        lost: list[I64] = [np.zeros(0, np.int64)]
        for step in range(min(int(depth.max()), LONGEST) + 1 if len(rows) else 0):
            part = rows[depth == step]
            answers, failed = self._resolved(part)
            self._settle(part, answers)
            unknown = np.flatnonzero(self._refs.head[part] == Head.UNKNOWN)
            lost.append(part[np.unique(np.concatenate((unknown, failed)))])
        return np.concatenate(lost)

    # Symbol tables

    def _own_outside(self, rows: I64) -> None:
        """Settle which classes the members that stand outside of them belong to."""
        self._classes(rows)
        known = rows[self._node[rows] >= 0]
        if len(known):
            self._names.own(self._source(known), self._node[known].astype(np.int64))

    def _classes(self, rows: I64) -> None:
        """Settle which classes the doubtful of the references in `rows` name."""
        asked = rows[self._doubtful[rows]]
        answers, _ = self._resolved(asked)
        other = answers.node >= 0
        other[other] = self._places.is_class[answers.node[other]]
        answers.node[~other] = -1
        self._settle(asked, answers)

    def _inherit(self, bases: I64) -> None:
        """Settle which classes the doubtful bases are; from then on objects answer to inherited names."""
        self._classes(bases)
        main = self._places.main
        child, base = main[self._source(bases)], self._node[bases]
        asked = self._doubtful[bases]
        self._away[bases[asked]] = ((base < 0) | (base == child))[asked]
        known = (base >= 0) & (base != child)
        self._names.inherit(child[known], base[known], child[self._away[bases] != 0])

    def _extend(self, rows: I64) -> None:
        """Settle which classes are extended by which; from then on they themselves have what those define."""
        if len(rows):
            self._classes(rows)
            known = rows[self._node[rows] >= 0]
            self._names.extend(self._places.main[self._source(known)], self._node[known].astype(np.int64))

    def _hold(self, holds: I64, returns: I64) -> None:
        """Settle of which classes the objects are that others hold, and that functions give."""
        said = np.concatenate((holds, returns))
        by_result = self._refs.head[said] == Head.RESULT
        self._classes(said[~by_result])
        self._keep(holds[self._refs.head[holds] != Head.RESULT], returns)
        if by_result.any():  # they are asked again each time: what they are may depend on any type
            before = self._results.leading_to(said[by_result])
            self._doubtful[said[by_result]] = self._doubtful[before] = True
            self._doubtful |= self._results.within(self._doubtful)
            self._follow(before)
            self._classes(said[by_result])
            self._keep(holds, returns)

    def _keep(self, holds: I64, returns: I64) -> None:
        """Note the classes of what is held and given, as far as they are settled."""
        name, home = last_name(self._refs, self._imports)[holds], self._files.unit[self._ref_file[holds]]
        source = self._places.main[self._source(holds)]
        of_unit = self._refs.source[holds] == 0
        keys = np.where(of_unit, mixed(home, name), member_key(source, name))
        self._names.hold(keys, self._node[holds].astype(np.int64), self._away[holds] != 0)
        known = returns[self._node[returns] >= 0]
        self._names.give(self._source(known), self._node[known].astype(np.int64))

    def _given(self, rows: I64) -> I64:
        """The class of what each reference gives, -1 where that is not known."""
        node = np.maximum(self._node[rows], 0)
        own = np.where(self._places.is_class[node], self._places.main[node], -1)
        kind = np.where(self._names.returned[node] >= 0, self._names.returned[node], own)
        return np.where(self._is_sure(rows), kind, -1)

    def _is_sure(self, rows: I64) -> Bools:
        return (self._node[rows] >= 0) & (self._certainty[rows] != Certainty.UNIQUE_NAME)

    def _put_results(self, state: Answers, which: I64, rows: I64, name: U64) -> Bools:
        """Begin with what other references give; whether the first name of the path was needed for that."""
        base = self._results.base_of(rows)
        sure = self._is_sure(base)
        found = self._names.held.named(np.where(sure, self._node[base], 0).astype(np.int64), name)
        by_name = sure & ((found.count > 0) | found.outside) & (name != 0)
        state.node[which] = np.where(by_name, found.node, self._given(base))
        state.count[which] = state.node[which] >= 0
        state.outside[which] = np.where(by_name, found.outside, self._away[base] != 0)
        return by_name

    def _source(self, rows: I64) -> I64:
        return self._first[self._ref_file[rows]] + self._refs.source[rows]

    # References

    def _resolved(self, rows: I64) -> tuple[Answers, I64]:
        """What the references name; and which failed on an attribute of something of this tree."""
        refs, places = self._refs, self._places
        size = len(rows)
        state = Answers.none(size)
        head, file = refs.head[rows], self._ref_file[rows]
        at = np.where((head == Head.IMPORT) | (head == Head.RESULT), 0, self._first[file] + refs.at[rows])
        path = self._path(rows)
        local = np.flatnonzero(head == Head.LOCAL)
        state.node[local], state.count[local] = places.main[at[local]], 1
        bound = np.flatnonzero(head == Head.IMPORT)
        imported = self._imports.ends[file[bound]] + refs.at[rows[bound]]
        state.put(bound, self._bound.at(imported))
        left = np.flatnonzero((state.count[bound] == 0) & ~state.outside[bound] & (path[0][bound] != 0))
        self._names.put_variables(state, bound[left], imported[left])
        state.outside[head == Head.OUTSIDE] = True
        further = np.isin(refs.kind[rows], (RefKind.VALUES, RefKind.HOLDS, RefKind.RETURNS))
        free = np.flatnonzero(head == Head.FREE)
        more = further[free] | (path[1][free] != 0)
        state.put(free, self._names.free(file[free], self._source(rows[free]), path[0][free], more))
        implicit = np.flatnonzero(head == Head.IMPLICIT)
        state.put(implicit, self._names.implicit(at[implicit], path[0][implicit], path[1][implicit] != 0))
        for kind in (Head.SELF, Head.SUPER):
            own = np.flatnonzero((head == kind) & (self._names.around[at] >= 0))
            classes = places.main[self._names.around[at[own]]]
            more = path[1][own] != 0
            state.put(own, self._names.asked(classes, path[0][own], more, skip_own=kind is Head.SUPER))
        failed = [np.flatnonzero((head == Head.SELF) & (state.count == 0) & ~state.outside)]
        shifted = (head == Head.FREE) | (head == Head.IMPLICIT) | (head == Head.SELF) | (head == Head.SUPER)
        result = np.flatnonzero(head == Head.RESULT)
        shifted[result] = self._put_results(state, result, rows[result], path[0][result])
        for step in range(3):
            name = np.where(shifted, path[step + 1], path[step])
            more = further | (np.where(shifted, path[min(step + 2, 3)], path[step + 1]) != 0)
            go = np.flatnonzero((name != 0) & (state.count == 1))
            failed.append(self._names.step(state, go, name[go], more[go]))
        called = np.flatnonzero((state.unit != 0) & (refs.kind[rows] == RefKind.CALLS))
        names = np.full(len(called), DEFAULT, np.uint64)
        state.put(called, self._names.exports.find(state.unit[called], names))
        return state, np.concatenate(failed)

    def _path(self, rows: I64) -> list[U64]:
        """The names of the references, one step an array; that of what is held is left out."""
        refs = self._refs
        path = [refs.first[rows], refs.second[rows], refs.third[rows], np.zeros(len(rows), np.uint64)]
        held = refs.kind[rows] == RefKind.HOLDS
        if held.any():
            path = [np.where(held & (after == 0), 0, name) for name, after in pairwise(path)]
            path.append(np.zeros(len(rows), np.uint64))
        return path

    def _settle(self, rows: I64, answers: Answers) -> None:
        """Write down what the references in `rows` came to."""
        refs = self._refs
        given = refs.given[rows].astype(np.int64)
        called = np.flatnonzero((answers.node >= 0) & (given >= 0))
        for overloads in (self._names.overloads, self._names.methods):
            answers.node[called] = overloads.fitting(answers.node[called], given[called])
        settled = answers.node >= 0
        self._node[rows] = answers.node
        self._away[rows] = answers.outside
        self._count[rows] = np.where(answers.count > 1, answers.count, 0)
        head = refs.head[rows]
        same = self._file[np.maximum(answers.node, 0)] == self._ref_file[rows]
        by_type = ((head == Head.SELF) | (head == Head.IMPLICIT)) & (refs.second[rows] != 0)
        exact = settled & same & (refs.inferred[rows] == 0) & (head != Head.IMPORT) & ~by_type
        exact &= head != Head.RESULT
        self._certainty[rows] = np.where(exact, Certainty.EXACT, Certainty.IMPORT_RESOLVED)

    def _members(self) -> I64:
        """Everything that an object may answer to."""
        nodes = self._nodes
        alone = (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent == 0)
        return np.union1d(self._names.members.own.rows, np.flatnonzero(alone))

    def _extensions(self) -> I64:
        """What stands in one class and is a member of another, which may be of another tree (C#)."""
        nodes = np.unique(self._source(np.flatnonzero(self._refs.kind == RefKind.MEMBER)))
        parent = np.maximum(self._places.parent[nodes], 0)
        return nodes[self._places.is_class[parent] & ~self._places.is_class[nodes]]

    def _on_others(self, rows: I64) -> I64:
        """Of the references in `rows` those that ask something of what is not of this tree."""
        refs = self._refs
        with_holder = (refs.second[rows] != 0) | (refs.head[rows] == Head.RESULT)
        return rows[(self._node[rows] < 0) & (self._count[rows] == 0) & with_holder]

    def _by_name(self, rows: I64, candidates: I64) -> None:
        """Calls that ask by name alone: one method of a telling name is it; several stay ambiguous."""
        if not len(candidates):
            return
        files = self._files
        family = files.family[self._file[candidates]].astype(np.uint64)
        keys = mixed(family, self._places.sought[candidates])
        telling = ~np.isin(keys, _common())
        table = Table.of(keys[telling], candidates[telling])
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


@cache
def _common() -> U64:
    """Names that say nothing about a tree, each for its family."""
    keys = [mixed(np.full(1, i, np.uint64), keys_of(family.common)) for i, family in enumerate(FAMILIES)]
    return np.concatenate(keys)


def last_name(refs: ReferenceRows, imports: ImportRows) -> U64:
    """For each reference the key of the last name in it."""
    last = np.where(refs.third != 0, refs.third, refs.second)
    last = np.where(last != 0, last, refs.first)
    bare = np.flatnonzero((last == 0) & (refs.head == Head.IMPORT))
    last[bare] = imports.name_key[imports.ends[refs.file_of_row()[bare]] + refs.at[bare]]
    return last
