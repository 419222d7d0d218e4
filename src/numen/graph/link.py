"""Linking: from what files say to edges between nodes, with how sure each is.

Everything here is a function of the tables. What cannot be settled is kept as ambiguous and becomes no
edge. Where an earlier linking still stands, only doubtful references are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, Rows, integers, mixed, ranges
from numen.graph.includes import Included
from numen.graph.lookup import HOPS, Answers, Bools, Exports, Holdings, Members, Table, member_key, single
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import AROUND, Head, ImportForm, RefKind, Trait
from numen.graph.places import Overloads, Places, gathered
from numen.graph.results import Results
from numen.graph.rows import (
    CLASS_NUMBER,
    KIND_NUMBER,
    ON_CLASS,
    FileRows,
    ImportRows,
    NodeRows,
    ReferenceRows,
    key_of,
    keys_of,
)
from numen.graph.types import Certainty, FileClass, NodeKind
from numen.graph.wiring import Wiring

DISTINCTIVE = 8
"""Letters from which on a name, or any name with an underscore inside, may be matched by itself."""

DEFAULT = key_of("default")
"""The name under which a module of JavaScript can itself be called."""

ALIASES = 3
"""Names of types for other types that are followed one after another."""

UNTOLD = -2
"""In an earlier linking: this reference was not there."""

_COMMON = np.concatenate(
    [mixed(np.full(1, i, np.uint64), keys_of(family.common)) for i, family in enumerate(FAMILIES)]
)
"""Names that say nothing about a tree, each for its family."""


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
        self._places = Places.of(self._files, self._nodes)
        self._owner = np.full(len(self._nodes), -1, np.int32)
        self._returned = np.full(len(self._nodes), -1, np.int64)
        count = len(self._refs)
        self._node = np.full(count, -1, np.int32) if standing is None else standing.node.copy()
        self._certainty = np.zeros(count, np.uint8) if standing is None else standing.certainty.copy()
        self._count = np.zeros(count, np.int32) if standing is None else standing.count.copy()
        self._away = np.zeros(count, np.uint8) if standing is None else standing.open_ended.copy()
        self._doubtful = np.ones(count, np.bool_) if doubtful is None else doubtful
        self._results = Results.of(self._refs, self._ref_file)
        self._included = Included(tables.files, tables.nodes, tables.imports, tables.wiring)
        self._exports = self._exported()
        self._bound = self._imported()
        self._own()
        self._held = Holdings.none(self._members)
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
        asked = self._follow(np.flatnonzero(self._doubtful & is_use))
        self._by_name(asked[kind[asked] == RefKind.CALLS])
        links = LinkRows(self._refs.ends, self._node, self._certainty, self._count, self._away)
        return Linking(links, self._bound)

    def _follow(self, rows: I64) -> I64:
        """Settle the references in `rows`, results after what gives them; those to be sought by name."""
        depth = self._results.depth[rows]
        lost: list[I64] = [np.zeros(0, np.int64)]
        for step in range(int(depth.max()) + 1 if len(rows) else 0):
            part = rows[depth == step]
            answers, failed = self._resolved(part)
            self._settle(part, answers)
            unknown = np.flatnonzero(self._refs.head[part] == Head.UNKNOWN)
            lost.append(part[np.unique(np.concatenate((unknown, failed)))])
        return np.concatenate(lost)

    # Symbol tables

    def _exported(self) -> Exports:
        nodes, imports, places = self._nodes, self._imports, self._places
        target = self._wiring.targets.target
        top = (nodes.parent == 0) & (nodes.kind != KIND_NUMBER[NodeKind.SECTION])
        top &= nodes.trait & int(Trait.LOCAL) == 0
        top[self._source(np.flatnonzero(self._refs.kind == RefKind.MEMBER))] = False
        rows = np.flatnonzero(top)
        scope, home = places.scope[self._file[rows]], places.home[rows]
        shown = nodes.trait[rows] & int(Trait.PRIVATE) == 0
        twice = scope != home
        keys = np.concatenate((home[shown], scope[twice | ~shown]))
        rows = np.concatenate((rows[shown], rows[twice | ~shown]))
        definitions, self._overloads = self._gathered(mixed(keys, places.sought[rows]), rows, is_apart=True)
        own = places.scope[imports.file_of_row()]
        star = imports.form == ImportForm.STAR
        itself = (target == own) & (imports.name_key == imports.local_key)  # `from . import a` is a module
        bare = star | (imports.form == ImportForm.DECLARED)
        named = np.flatnonzero((imports.scope == 0) & ~bare & (imports.local_key != 0) & ~itself)
        stars = np.flatnonzero((imports.scope == 0) & star & (target != 0))
        inner = self._wiring
        outer = np.flatnonzero(inner.name == key_of(AROUND))
        self._outer = Table.of(inner.unit[outer], outer)
        return Exports(
            definitions=definitions,
            bindings=Table.of(mixed(own[named], imports.local_key[named]), named),
            stars=Table.of(own[stars], stars),
            children=Table.of(mixed(inner.unit, inner.name), np.arange(len(inner.unit), dtype=np.int64)),
            child_unit=inner.child,
            target_unit=target,
            target_name=np.where(imports.form == ImportForm.NAME, imports.name_key, np.uint64(0)),
        )

    def _gathered(self, keys: U64, rows: I64, *, is_apart: bool) -> tuple[Table, Overloads]:
        """The table of `rows` by `keys`; overloads of different files are different things if `is_apart`."""
        main = self._places.main[rows]
        _, first = np.unique(mixed(keys, main.astype(np.uint64)), return_index=True)
        keys, rows = keys[first], main[first]
        apart = self._file[rows].astype(np.int64) if is_apart else np.zeros(len(rows), np.int64)
        table, together = gathered(self._nodes, keys, rows, apart)
        nodes = self._nodes
        return table, Overloads(together, nodes.least.astype(np.int64), nodes.most.astype(np.int64))

    def _own(self, outside: I64 | None = None) -> None:
        """What the objects of each class answer to by themselves; `outside` are references of members."""
        nodes, places = self._nodes, self._places
        rows = np.flatnonzero((nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent > 0))
        holder = places.main[places.parent[rows]]
        if outside is not None:
            rows = np.concatenate((rows, self._source(outside)))
            holder = np.concatenate((holder, self._node[outside].astype(np.int64)))
        self._rows_own = (member_key(holder, places.sought[rows]), rows)
        own, self._methods = self._gathered(*self._rows_own, is_apart=False)
        self._members = Members(own, {}, np.zeros(len(nodes), np.bool_))
        self._around = places.around(self._owner)
        above = np.where(places.parent >= 0, self._around[np.maximum(places.parent, 0)], -1)
        self._beyond = np.where(above >= 0, above, self._owner)

    def _own_outside(self, rows: I64) -> None:
        """Settle which classes the members that stand outside of them belong to."""
        self._classes(rows)
        known = rows[self._node[rows] >= 0]
        if len(known):
            self._owner[self._source(known)] = self._node[known]
            self._own(known)

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
        found: dict[int, list[int]] = {}
        for one, above in zip(integers(child), integers(base), strict=True):
            if above >= 0 and above != one:
                found.setdefault(one, []).append(above)
        open_ended = np.zeros(len(self._nodes), np.bool_)
        open_ended[child[self._away[bases] != 0]] = True
        self._members = Members(self._members.own, found, open_ended)

    def _extend(self, rows: I64) -> None:
        """Settle which classes are extended by which; from then on they themselves have what those define."""
        if not len(rows):
            return
        self._classes(rows)
        known = rows[self._node[rows] >= 0]
        nodes, places = self._nodes, self._places
        member = (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent > 0) & (nodes.sought == 0)
        member = np.flatnonzero(member)
        by_holder = Table.of(places.main[places.parent[member]].astype(np.uint64), member)
        pairs = [
            (one, holder)
            for one, other in zip(
                integers(places.main[self._source(known)]), integers(self._node[known]), strict=True
            )
            for holder in self._members.line(other)
        ]
        extended = np.array(pairs, dtype=np.int64).reshape(len(pairs), 2)
        first, count = by_holder.spans(extended[:, 1].astype(np.uint64))
        found = by_holder.rows[ranges(first, count)]
        names = places.sought[found] ^ np.uint64(ON_CLASS)
        keys = member_key(np.repeat(extended[:, 0], count), names)
        free = ~np.isin(keys, self._rows_own[0])  # what a class defines itself hides what it is extended by
        keys, found = (
            np.concatenate((self._rows_own[0], keys[free])),
            np.concatenate((self._rows_own[1], found[free])),
        )
        own, self._methods = self._gathered(keys, found, is_apart=False)
        self._members = self._members.over(own)

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
        main = self._places.main
        source, name = main[self._source(holds)], last_name(self._refs, self._imports)[holds]
        of_unit = self._refs.source[holds] == 0
        home = self._files.unit[self._ref_file[holds]]
        keys = np.where(of_unit, mixed(home, name), member_key(source, name))
        kinds, away = self._node[holds].astype(np.int64), self._away[holds] != 0
        self._held = Holdings.of(self._members, keys, kinds, away)
        known = returns[self._node[returns] >= 0]
        self._returned[self._source(known)] = self._node[known]
        for overloads in (self._overloads, self._methods):
            rows = overloads.all.rows[self._returned[overloads.all.rows] >= 0]
            leader = overloads.all.keys[self._returned[overloads.all.rows] >= 0].astype(np.int64)
            self._returned[overloads.all.keys.astype(np.int64)] = -1
            only, kinds = single(leader.astype(np.uint64), self._returned[rows])
            self._returned[only.astype(np.int64)] = kinds
        for _ in range(ALIASES):
            alias = np.flatnonzero(self._returned >= 0)
            further = self._returned[self._returned[alias]]
            self._returned[alias] = np.where(further >= 0, further, self._returned[alias])

    def _given(self, rows: I64) -> I64:
        """The class of what each reference gives, -1 where that is not known."""
        node = np.maximum(self._node[rows], 0)
        own = np.where(self._places.is_class[node], self._places.main[node], -1)
        kind = np.where(self._returned[node] >= 0, self._returned[node], own)
        return np.where(self._is_sure(rows), kind, -1)

    def _is_sure(self, rows: I64) -> Bools:
        return (self._node[rows] >= 0) & (self._certainty[rows] != Certainty.UNIQUE_NAME)

    def _put_results(self, state: Answers, which: I64, rows: I64, name: U64) -> Bools:
        """Begin with what other references give; whether the first name of the path was needed for that."""
        base = self._results.base_of(rows)
        sure = self._is_sure(base)
        found = self._held.named(np.where(sure, self._node[base], 0).astype(np.int64), name)
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
        self._put_variables(state, bound[left], imported[left])
        state.outside[head == Head.OUTSIDE] = True
        further = np.isin(refs.kind[rows], (RefKind.VALUES, RefKind.HOLDS, RefKind.RETURNS))
        free = np.flatnonzero(head == Head.FREE)
        more = further[free] | (path[1][free] != 0)
        state.put(free, self._free(file[free], self._source(rows[free]), path[0][free], more))
        implicit = np.flatnonzero(head == Head.IMPLICIT)
        state.put(implicit, self._implicit(at[implicit], path[0][implicit], path[1][implicit] != 0))
        for kind in (Head.SELF, Head.SUPER):
            own = np.flatnonzero((head == kind) & (self._around[at] >= 0))
            classes = places.main[self._around[at[own]]]
            more = path[1][own] != 0
            state.put(own, self._asked(classes, path[0][own], more, skip_own=kind is Head.SUPER))
        failed = [np.flatnonzero((head == Head.SELF) & (state.count == 0) & ~state.outside)]
        shifted = (head == Head.FREE) | (head == Head.IMPLICIT) | (head == Head.SELF) | (head == Head.SUPER)
        result = np.flatnonzero(head == Head.RESULT)
        shifted[result] = self._put_results(state, result, rows[result], path[0][result])
        for step in range(3):
            name = np.where(shifted, path[step + 1], path[step])
            more = further | (np.where(shifted, path[min(step + 2, 3)], path[step + 1]) != 0)
            go = np.flatnonzero((name != 0) & (state.count == 1))
            failed.append(self._step(state, go, name[go], more[go]))
        called = np.flatnonzero((state.unit != 0) & (refs.kind[rows] == RefKind.CALLS))
        names = np.full(len(called), DEFAULT, np.uint64)
        state.put(called, self._exports.find(state.unit[called], names))
        return state, np.concatenate(failed)

    def _put_variables(self, state: Answers, left: I64, imports: I64) -> None:
        """Where an import names a variable of a unit, go on from the class of its object."""
        exports = self._exports
        units, names = exports.target_unit[imports], exports.target_name[imports]
        for _ in range(HOPS):
            self._held.put_shared(state, left, units, names)
            row, count = exports.bindings.spans(mixed(units, names))
            go = np.flatnonzero((state.count[left] == 0) & ~state.outside[left] & (count == 1))
            binding = exports.bindings.rows[row[go]]
            left, units, names = left[go], exports.target_unit[binding], exports.target_name[binding]
            if not len(left):
                break

    def _path(self, rows: I64) -> list[U64]:
        """The names of the references, one step an array; that of what is held is left out."""
        refs = self._refs
        path = [refs.first[rows], refs.second[rows], refs.third[rows], np.zeros(len(rows), np.uint64)]
        held = refs.kind[rows] == RefKind.HOLDS
        if held.any():
            path = [np.where(held & (after == 0), 0, name) for name, after in pairwise(path)]
            path.append(np.zeros(len(rows), np.uint64))
        return path

    def _imported(self) -> Answers:
        """What every import binds."""
        imports, target = self._imports, self._wiring.targets.target
        answers = Answers.none(len(imports))
        answers.outside[:] = target == 0
        is_include = self._included.is_family[self._files.family[imports.file_of_row()]]
        named = np.flatnonzero((target != 0) & (imports.form == ImportForm.NAME) & ~is_include)
        answers.put(named, self._exports.find(target[named], imports.name_key[named]))
        whole = (target != 0) & ((imports.form == ImportForm.MODULE) | (imports.form == ImportForm.PACKAGE))
        answers.unit[whole], answers.count[whole] = target[whole], 1
        return answers

    def _free(self, files: I32, sources: I64, names: U64, more: Bools) -> Answers:
        """What bare names are: in the file, in the unit and those around it, then by the file's stars.

        With `more` asked of it, a name may be a variable of the unit.
        """
        includes = self._included.is_family[self._files.family[files]]
        if includes.any():
            answers = Answers.none(len(files))
            for which, find in ((includes, self._included.find), (~includes, None)):
                rows = np.flatnonzero(which)
                found = (
                    find(files[rows], names[rows])
                    if find is not None
                    else self._free(files[rows], sources[rows], names[rows], more[rows])
                )
                answers.put(rows, found)
            return answers
        scope = self._places.scope[files]
        answers = self._exports.find(scope, names, by_star=False)
        left = np.flatnonzero(answers.count == 0)
        home = self._places.home[sources[left]]
        while len(left):
            found = self._exports.find(home, names[left], by_star=False)
            answers.fill(left, found)
            first, count = self._outer.spans(home)
            go = np.flatnonzero((found.count == 0) & (count > 0))
            left, home = left[go], self._wiring.child[self._outer.rows[first[go]]]
        left = np.flatnonzero(answers.count == 0)
        left = answers.fill(left, self._exports.find(scope[left], names[left]))
        left = left[more[left]]
        self._held.put_shared(answers, left, self._places.home[sources[left]], names[left])
        return answers

    def _implicit(self, at: I64, names: U64, more: Bools) -> Answers:
        """What bare names are that may be members of the class around, or of one around that."""
        answers = Answers.none(len(at))
        holder = self._around[at]
        left = np.flatnonzero(holder >= 0)
        while len(left):
            found = self._asked(self._places.main[holder[left]], names[left], more[left])
            answers.fill(left, found)
            answers.outside[left] |= found.outside
            left = left[found.count == 0]
            holder[left] = self._beyond[holder[left]]
            left = left[holder[left] >= 0]
        left = np.flatnonzero(answers.count == 0)
        answers.fill(left, self._free(self._file[at[left]], at[left], names[left], more[left]))
        return answers

    def _asked(self, classes: I64, names: U64, more: Bools, *, skip_own: bool = False) -> Answers:
        """What names are on objects of `classes`: what they hold if `more` is asked of it, or members."""
        answers = Answers.none(len(classes))
        further = np.flatnonzero(more)
        answers.put(further, self._held.find(classes[further], names[further], skip_own=skip_own))
        left = np.flatnonzero((answers.count == 0) & ~(more & answers.outside))
        answers.put(left, self._members.find(classes[left], names[left], skip_own=skip_own))
        return answers

    def _step(self, state: Answers, go: I64, name: U64, more: Bools) -> I64:
        """Follow one attribute of every row in `go`; give the rows whose holder has no such attribute."""
        is_unit = state.unit[go] != 0
        node = np.maximum(state.node[go], 0).astype(np.int64)
        kind = np.where(
            self._returned[node] >= 0, self._returned[node], np.where(self._places.is_class[node], node, -1)
        )
        kind[is_unit] = -1
        found = Answers.none(len(go))
        of_unit, of_class = np.flatnonzero(is_unit), np.flatnonzero(kind >= 0)
        units = state.unit[go[of_unit]]
        found.put(of_unit, self._exports.find(units, name[of_unit]))
        left = np.flatnonzero((found.count[of_unit] == 0) & more[of_unit])
        self._held.put_shared(found, of_unit[left], units[left], name[of_unit[left]])
        found.put(of_class, self._asked(kind[of_class], name[of_class], more[of_class]))
        state.put(go, found)
        return go[(found.count == 0) & ~found.outside]

    def _settle(self, rows: I64, answers: Answers) -> None:
        """Write down what the references in `rows` came to."""
        refs = self._refs
        given = refs.given[rows].astype(np.int64)
        called = np.flatnonzero((answers.node >= 0) & (given >= 0))
        for overloads in (self._overloads, self._methods):
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

    def _by_name(self, rows: I64) -> None:
        """Calls on objects of unknown type: one method of a telling name is it; several stay ambiguous."""
        nodes, files = self._nodes, self._files
        alone = (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent == 0)
        candidates = np.union1d(self._members.own.rows, np.flatnonzero(alone))
        family = files.family[self._file[candidates]].astype(np.uint64)
        keys = mixed(family, self._places.sought[candidates])
        telling = ~np.isin(keys, _COMMON)
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


def last_name(refs: ReferenceRows, imports: ImportRows) -> U64:
    """For each reference the key of the last name in it."""
    last = np.where(refs.third != 0, refs.third, refs.second)
    last = np.where(last != 0, last, refs.first)
    bare = np.flatnonzero((last == 0) & (refs.head == Head.IMPORT))
    last[bare] = imports.name_key[imports.ends[refs.file_of_row()[bare]] + refs.at[bare]]
    return last
