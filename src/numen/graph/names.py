"""Names: what they mean in files and units, on objects of classes, and as variables of units."""

from __future__ import annotations

import numpy as np

from numen.graph.columns import I32, I64, U64, integers, mixed, ranges
from numen.graph.includes import Included
from numen.graph.lookup import (
    HOPS,
    Answers,
    Bools,
    Exports,
    Holdings,
    Members,
    Nearness,
    Table,
    member_key,
    single,
)
from numen.graph.parse.facts import AROUND, ImportForm, Trait
from numen.graph.places import Overloads, Places, gathered
from numen.graph.rows import KIND_NUMBER, ON_CLASS, FileRows, ImportRows, NodeRows, key_of
from numen.graph.types import NodeKind
from numen.graph.wiring import Wiring

ALIASES = 3
"""Names of types for other types that are followed one after another."""


class Names:
    """The symbol tables of a tree. They grow as it is said what belongs to what.

    `elsewhere` are members that stand outside of their class: no unit has them by their bare name.
    """

    def __init__(
        self, files: FileRows, nodes: NodeRows, imports: ImportRows, wiring: Wiring, elsewhere: I64
    ) -> None:
        self._files, self._nodes, self._imports, self._wiring = files, nodes, imports, wiring
        self._file = nodes.file_of_row()
        self.places = Places.of(files, nodes)
        self.owner = np.full(len(nodes), -1, np.int32)
        self.returned = np.full(len(nodes), -1, np.int64)
        self.included = Included(files, nodes, imports, wiring)
        self.exports = self._exported(elsewhere)
        nothing = np.zeros(0, np.int64)
        self.own(nothing, nothing)
        self.held = Holdings.none(self.members)

    # What belongs to what

    def _exported(self, elsewhere: I64) -> Exports:
        nodes, imports, places = self._nodes, self._imports, self.places
        target = self._wiring.targets.target
        top = (nodes.parent == 0) & (nodes.kind != KIND_NUMBER[NodeKind.SECTION])
        top &= nodes.trait & int(Trait.LOCAL) == 0
        top[elsewhere] = False
        rows = np.flatnonzero(top)
        scope, home = places.scope[self._file[rows]], places.home[rows]
        shown = nodes.trait[rows] & int(Trait.PRIVATE) == 0
        twice = scope != home
        keys = np.concatenate((home[shown], scope[twice | ~shown]))
        rows = np.concatenate((rows[shown], rows[twice | ~shown]))
        definitions, self.overloads = self._gathered(mixed(keys, places.sought[rows]), rows, is_apart=True)
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
            nearness=Nearness(list(self._files.path), self._file, places.home != places.scope[self._file]),
        )

    def _gathered(self, keys: U64, rows: I64, *, is_apart: bool) -> tuple[Table, Overloads]:
        """The table of `rows` by `keys`; overloads of different files are different things if `is_apart`."""
        main = self.places.main[rows]
        _, first = np.unique(mixed(keys, main.astype(np.uint64)), return_index=True)
        keys, rows = keys[first], main[first]
        apart = self._file[rows].astype(np.int64) if is_apart else np.zeros(len(rows), np.int64)
        table, together = gathered(self._nodes, keys, rows, apart)
        nodes = self._nodes
        return table, Overloads(together, nodes.least.astype(np.int64), nodes.most.astype(np.int64))

    def own(self, members: I64, classes: I64) -> None:
        """Let `members` be members of `classes`, outside of which they stand."""
        self.owner[members] = classes
        nodes, places = self._nodes, self.places
        rows = np.flatnonzero((nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent > 0))
        holder = places.main[places.parent[rows]]
        rows, holder = np.concatenate((rows, members)), np.concatenate((holder, classes))
        self._rows_own = (member_key(holder, places.sought[rows]), rows)
        own, self.methods = self._gathered(*self._rows_own, is_apart=False)
        self.members = Members(own, {}, np.zeros(len(nodes), np.bool_))
        self.around = places.around(self.owner)
        above = np.where(places.parent >= 0, self.around[np.maximum(places.parent, 0)], -1)
        self.beyond = np.where(above >= 0, above, self.owner)

    def inherit(self, classes: I64, bases: I64 | I32, open_ended: I64) -> None:
        """Let `classes` have these `bases`; some in `open_ended` have bases that are not of this tree."""
        found: dict[int, list[int]] = {}
        for one, base in zip(integers(classes), integers(bases), strict=True):
            found.setdefault(one, []).append(base)
        is_open = np.zeros(len(self._nodes), np.bool_)
        is_open[open_ended] = True
        self.members = Members(self.members.own, found, is_open)

    def extend(self, classes: I64, others: I64) -> None:
        """Let the classes themselves have what the objects of `others` answer to."""
        nodes, places = self._nodes, self.places
        member = (nodes.trait & int(Trait.MEMBER) != 0) & (nodes.parent > 0) & (nodes.sought == 0)
        member = np.flatnonzero(member)
        by_holder = Table.of(places.main[places.parent[member]].astype(np.uint64), member)
        pairs = [
            (one, holder)
            for one, other in zip(integers(classes), integers(others), strict=True)
            for holder in self.members.line(other)
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
        own, self.methods = self._gathered(keys, found, is_apart=False)
        self.members = self.members.over(own)

    def hold(self, keys: U64, classes: I64, away: Bools) -> None:
        """Let `keys` hold objects of `classes`, or things that are not of this tree, where `away` says so."""
        self.held = Holdings.of(self.members, keys, classes, away)

    def give(self, functions: I64, classes: I64) -> None:
        """Let `functions` give objects of `classes`; overloads only what all of them give."""
        self.returned[functions] = classes
        for overloads in (self.overloads, self.methods):
            leaders = overloads.all.keys.astype(np.int64)
            given = self.returned[overloads.all.rows]
            only, classes = single(overloads.all.keys[given >= 0], given[given >= 0])
            self.returned[leaders] = -1
            self.returned[only.astype(np.int64)] = classes
        for _ in range(ALIASES):
            alias = np.flatnonzero(self.returned >= 0)
            further = self.returned[self.returned[alias]]
            self.returned[alias] = np.where(further >= 0, further, self.returned[alias])

    # What names mean

    def imported(self) -> Answers:
        """What every import binds."""
        imports, target = self._imports, self._wiring.targets.target
        answers = Answers.none(len(imports))
        answers.outside[:] = target == 0
        files = imports.file_of_row()
        is_include = self.included.is_family[self._files.family[files]]
        named = np.flatnonzero((target != 0) & (imports.form == ImportForm.NAME) & ~is_include)
        answers.put(named, self.exports.find(target[named], imports.name_key[named], files=files[named]))
        whole = (target != 0) & ((imports.form == ImportForm.MODULE) | (imports.form == ImportForm.PACKAGE))
        answers.unit[whole], answers.count[whole] = target[whole], 1
        return answers

    def free(self, files: I32, sources: I64, names: U64, more: Bools) -> Answers:
        """What bare names are: in the file, in the unit and those around it, then by the file's stars.

        With `more` asked of it, a name may be a variable of the unit.
        """
        includes = self.included.is_family[self._files.family[files]]
        if includes.any():
            answers = Answers.none(len(files))
            for which, find in ((includes, self.included.find), (~includes, None)):
                rows = np.flatnonzero(which)
                found = (
                    find(files[rows], names[rows])
                    if find is not None
                    else self.free(files[rows], sources[rows], names[rows], more[rows])
                )
                answers.put(rows, found)
            return answers
        scope = self.places.scope[files]
        answers = self.exports.find(scope, names, by_star=False)
        left = np.flatnonzero(answers.count == 0)
        home = self.places.home[sources[left]]
        while len(left):
            found = self.exports.find(home, names[left], by_star=False, files=files[left])
            answers.fill(left, found)
            first, count = self._outer.spans(home)
            go = np.flatnonzero((found.count == 0) & (count > 0))
            left, home = left[go], self._wiring.child[self._outer.rows[first[go]]]
        left = np.flatnonzero(answers.count == 0)
        left = answers.fill(left, self.exports.find(scope[left], names[left], files=files[left]))
        left = left[more[left]]
        self.held.put_shared(answers, left, self.places.home[sources[left]], names[left])
        return answers

    def implicit(self, at: I64, names: U64, more: Bools) -> Answers:
        """What bare names are that may be members of the class around, or of one around that."""
        answers = Answers.none(len(at))
        holder = self.around[at]
        left = np.flatnonzero(holder >= 0)
        while len(left):
            found = self.asked(self.places.main[holder[left]], names[left], more[left])
            answers.fill(left, found)
            answers.outside[left] |= found.outside
            left = left[found.count == 0]
            holder[left] = self.beyond[holder[left]]
            left = left[holder[left] >= 0]
        left = np.flatnonzero(answers.count == 0)
        answers.fill(left, self.free(self._file[at[left]], at[left], names[left], more[left]))
        return answers

    def asked(self, classes: I64, names: U64, more: Bools, *, skip_own: bool = False) -> Answers:
        """What names are on objects of `classes`: what they hold if `more` is asked of it, or members."""
        answers = Answers.none(len(classes))
        further = np.flatnonzero(more)
        answers.put(further, self.held.find(classes[further], names[further], skip_own=skip_own))
        left = np.flatnonzero((answers.count == 0) & ~(more & answers.outside))
        answers.put(left, self.members.find(classes[left], names[left], skip_own=skip_own))
        return answers

    def step(self, state: Answers, go: I64, name: U64, more: Bools) -> I64:
        """Follow one attribute of every row in `go`; give the rows whose holder has no such attribute."""
        is_unit = state.unit[go] != 0
        node = np.maximum(state.node[go], 0).astype(np.int64)
        kind = np.where(
            self.returned[node] >= 0, self.returned[node], np.where(self.places.is_class[node], node, -1)
        )
        kind[is_unit] = -1
        found = Answers.none(len(go))
        of_unit, of_class = np.flatnonzero(is_unit), np.flatnonzero(kind >= 0)
        units = state.unit[go[of_unit]]
        found.put(of_unit, self.exports.find(units, name[of_unit]))
        left = np.flatnonzero((found.count[of_unit] == 0) & more[of_unit])
        self.held.put_shared(found, of_unit[left], units[left], name[of_unit[left]])
        found.put(of_class, self.asked(kind[of_class], name[of_class], more[of_class]))
        state.put(go, found)
        return go[(found.count == 0) & ~found.outside]

    def put_variables(self, state: Answers, left: I64, imports: I64) -> None:
        """Where an import names a variable of a unit, go on from the class of its object."""
        exports = self.exports
        units, names = exports.target_unit[imports], exports.target_name[imports]
        for _ in range(HOPS):
            self.held.put_shared(state, left, units, names)
            row, count = exports.bindings.spans(mixed(units, names))
            go = np.flatnonzero((state.count[left] == 0) & ~state.outside[left] & (count == 1))
            binding = exports.bindings.rows[row[go]]
            left, units, names = left[go], exports.target_unit[binding], exports.target_name[binding]
            if not len(left):
                break
