"""What is known of a file while it is read: definitions, scopes, and what the names in them stand for.

A language's reader fills in scopes as it meets them and then asks what each use of a name means. Blocks
are not scopes of their own: a name bound anywhere in a function hides outer ones in all of it, which can
lose an edge and never makes a wrong one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from tree_sitter import Node

from numen.graph.columns import integers
from numen.graph.parse.facts import (
    PATH_LIMIT,
    SIGNATURE_LIMIT,
    Definition,
    Facts,
    Head,
    Import,
    Reference,
    RefKind,
    Trait,
    file_definition,
)
from numen.graph.types import NodeKind

_CLASSES = frozenset((NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM, NodeKind.TYPE))
_MEMBER, _LOCAL, _OVERLOAD = int(Trait.MEMBER), int(Trait.LOCAL), int(Trait.OVERLOAD)
_START = attrgetter("start_byte")
_DEPTH = 2
"""Types of types that are followed: `self.a.b` where `a` is a class of this file that declares `b`."""


class Target(NamedTuple):
    """What a name stands for: a head and the attributes that follow it."""

    head: Head
    at: int
    path: tuple[str, ...]
    inferred: bool = False


class Scope:
    """The names that a definition, or a function without a name, binds.

    `owner` is the class whose objects are called `me` here (-1: none). `made` holds what is said of a
    variable's type; the attributes of a class's objects are in its scope under `.name`.
    """

    __slots__ = (
        "assigned", "declared", "definition", "definitions", "imports", "is_class", "made", "me", "number",
        "owner", "parent",
    )  # fmt: skip

    def __init__(self, number: int, parent: Scope | None, definition: int, *, is_class: bool = False) -> None:
        self.number = number
        self.parent = parent
        self.definition = definition
        self.is_class = is_class
        self.owner = parent.owner if parent is not None else -1
        self.me = ""
        self.definitions: dict[str, list[int]] = {}
        self.imports: dict[str, list[int]] = {}
        self.assigned: dict[str, int] = {}
        self.made: dict[str, list[str]] = {}
        self.declared: dict[str, str] = {}

    def assign(self, name: str) -> None:
        """Note that a value is bound to `name` here."""
        self.assigned[name] = self.assigned.get(name, 0) + 1

    def make(self, name: str, kind: str) -> None:
        """Note that `name` is an object of the class that `kind` names."""
        self.made.setdefault(name, []).append(kind)

    def declare(self, name: str, kind: str) -> None:
        """Note that `name` is said to be an object of the class that `kind` names, come what may."""
        self.declared[name] = kind


class Reading:
    """One file while it is read.

    `is_typed` leaves what attributes of objects are to the linker, which knows the classes of other files.
    `is_implicit` says that a bare name may be a member of the class around it; the linker is asked that too.
    """

    def __init__(
        self,
        path: str,
        source: bytes,
        builtins: frozenset[str] = frozenset(),
        *,
        is_typed: bool = False,
        is_implicit: bool = False,
    ) -> None:
        self.source = source
        self._builtins = builtins
        self._is_typed = is_typed
        self._is_implicit = is_implicit
        self._breaks = integers(np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n")))
        lines = len(self._breaks) + (not source.endswith(b"\n"))
        self.facts = Facts([file_definition(path, lines)])
        self.scopes = [Scope(0, None, 0)]
        self.has_star = False
        self._scope_of = {0: self.scopes[0]}
        self._starts = [0]
        self._ends = [len(source) + 1]
        self._seen: dict[tuple[int, RefKind, Target, int], int] = {}

    def attempt(self, read: Callable[[], None]) -> None:
        """Run `read`; of a file that is nested deeper than Python can follow, what it had by then is kept."""
        try:
            read()
        except RecursionError:
            self.facts.problem = "is nested too deeply to be read in full; what could be read is kept"

    def text(self, node: Node) -> str:
        """The words of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line(self, byte: int) -> int:
        """The 1-based line that holds `byte`."""
        return bisect_right(self._breaks, byte - 1) + 1

    def inside(self, byte: int) -> Scope:
        """The innermost scope that holds `byte`."""
        scope = self.scopes[bisect_right(self._starts, byte) - 1]
        while self._ends[scope.number] <= byte and scope.parent is not None:
            scope = scope.parent
        return scope

    def scope_of(self, definition: int) -> Scope:
        """The scope that a definition opened."""
        return self._scope_of[definition]

    def signature(self, start: int, stop: int) -> str:
        """The words from `start` to `stop` on one line, cut to a sane length."""
        words = self.source[start : min(stop, start + 4 * SIGNATURE_LIMIT)].decode("utf-8", "replace").split()
        return " ".join(words).replace("( ", "(").replace(", )", ")").replace(" )", ")")[:SIGNATURE_LIMIT]

    def define(
        self,
        kind: NodeKind,
        name: str,
        signature: str,
        first: int,
        node: Node,
        trait: int,
        prefix: str = "",
        *,
        start: int = -1,
        sought: str = "",
        home: str = "",
        takes: tuple[int, int] = (-1, -1),
    ) -> Scope:
        """Add a definition and open its scope. `first` is the byte where its decorators begin.

        `start` is the byte where its own words begin, if that is not where `node` does; `prefix` is what its
        name is led by, if that is not the name of what holds it. Definitions and functions without a name
        come in the order in which they begin. Where a broken file lacks the name it is `?`.
        """
        name = name or "?"
        holder = self.inside(first)
        parent, trait = holder.definition, int(trait)
        above = prefix or self.facts.definitions[parent].qualified
        number = len(self.facts.definitions)
        if holder.is_class:
            trait |= _MEMBER
        if self._is_hidden(holder):
            trait |= _LOCAL
        self.facts.definitions.append(
            Definition(
                kind=kind,
                name=name,
                qualified=f"{above}.{name}" if above else name,
                signature=signature,
                start=self.line(start if start >= 0 else node.start_byte),
                end=self.line(max(node.start_byte, node.end_byte - 1)),
                lead=self.line(min(first, start) if start >= 0 else first),
                parent=parent,
                trait=trait,
                sought=sought,
                home=home,
                least=takes[0],
                most=takes[1],
            )
        )
        if not trait & _MEMBER or holder.is_class:
            holder.definitions.setdefault(name, []).append(number)
        return self.open(first, node.end_byte, number, is_class=kind in _CLASSES)

    def open(self, start: int, end: int, definition: int = -1, *, is_class: bool = False) -> Scope:
        """Open a scope over bytes `start` to `end`: that of a definition, or of a function without a name."""
        parent = self.inside(start)
        named = definition >= 0
        scope = Scope(len(self.scopes), parent, definition if named else parent.definition, is_class=is_class)
        self.scopes.append(scope)
        self._starts.append(start)
        self._ends.append(end)
        if named:
            self._scope_of[definition] = scope
            if parent.is_class:
                scope.owner = parent.definition
        return scope

    def bind(self, one: Import, scope: Scope) -> None:
        """Add an import that binds a name in `scope`."""
        scope.imports.setdefault(one.local, []).append(len(self.facts.imports))
        self.facts.imports.append(one)

    def refer(
        self, scope: Scope, kind: RefKind, names: list[str], line: int, source: int = -1, given: int = -1
    ) -> None:
        """Add what `names` (a dotted name, split) means in `scope`, if it may mean something of this tree."""
        target = self.resolved(scope, names)
        if target is not None and (target.head is not Head.UNKNOWN or kind is RefKind.CALLS):
            self.add(source if source >= 0 else scope.definition, kind, target, line, given)

    def ask(self, scope: Scope, name: str, line: int) -> None:
        """Add a call of the attribute `name` of an object of unknown type."""
        self.add(scope.definition, RefKind.CALLS, Target(Head.UNKNOWN, 0, (name,)), line)

    def hold(self, holder: int, scope: Scope, name: str, kind: str, line: int) -> None:
        """Note that objects of class `holder` have under `name` an object of the class that `kind` names."""
        target = self.resolved(scope, kind.split("."))
        if target is not None and target.head is not Head.UNKNOWN:
            self.add(holder, RefKind.HOLDS, target._replace(path=(*target.path, name)), line)

    def hold_variables(self) -> None:
        """Note of which classes the objects are that the file's variables hold, where that is settled."""
        top = self.scopes[0]
        for name in (*top.declared, *top.made):
            kind = self.kind_of(top, name)
            if kind is not None and name not in top.definitions and name not in top.imports:
                self.hold(0, top, name, kind, 1)

    def add(self, source: int, kind: RefKind, target: Target, line: int, given: int = -1) -> int:
        """Add a reference by definition `source`, once, and give its number.

        A path that is too long for one is that of two: what the first gives is asked for the rest.
        """
        if len(target.path) > PATH_LIMIT and target.head is not Head.UNKNOWN and self._is_typed:
            first = target._replace(path=target.path[:PATH_LIMIT])
            value = self.add(source, RefKind.VALUES, first, line)
            return self.add(source, kind, Target(Head.RESULT, value, target.path[PATH_LIMIT:]), line, given)
        if len(target.path) > PATH_LIMIT:
            target = Target(Head.UNKNOWN, 0, target.path[-1:])
        key = (source, kind, target, given)
        number = self._seen.get(key)
        if number is None:
            number = self._seen[key] = len(self.facts.references)
            self.facts.references.append(Reference(source, kind, *target[:3], line, target.inferred, given))
        return number

    def resolved(self, scope: Scope, names: list[str], depth: int = 0) -> Target | None:
        """What `names` stand for in `scope`; None if the file says that it is nothing of this tree."""
        name, rest = names[0], tuple(names[1:])
        at: Scope | None = scope
        while at is not None:
            if not at.is_class or at is scope or (self._is_implicit and name in at.assigned):
                if at.me == name and at.owner >= 0:
                    return self._of_me(at.owner, rest, depth)
                if name in at.imports or (name in at.definitions and not self._is_asked(at)):
                    return self._of_bound(at, name, rest)
                if name in at.assigned or name in at.made or name in at.declared:
                    return self._of_variable(at, name, rest, depth)
            at = at.parent
        if self._is_implicit and name not in self._builtins:
            return Target(Head.IMPLICIT, scope.definition, (name, *rest))
        if self.has_star and name not in self._builtins:
            return Target(Head.FREE, 0, (name, *rest))
        return None

    def _of_bound(self, at: Scope, name: str, rest: tuple[str, ...]) -> Target | None:
        imports, found = at.imports.get(name, []), at.definitions.get(name, [])
        if len(found) > 1:
            definitions = self.facts.definitions
            found = [i for i in found if not definitions[i].trait & _OVERLOAD] or found
        if len(imports) + len(found) > 1:  # one of several, known only when it runs
            return Target(Head.FREE, 0, (name, *rest)) if at.number == 0 else None
        if imports:
            return Target(Head.IMPORT, imports[0], rest)
        return Target(Head.LOCAL, found[0], rest)

    def _is_asked(self, at: Scope) -> bool:
        """Whether the linker must say what a name is that `at` defines: something nearer may have it too."""
        return self._is_implicit and (at.is_class or at.number == 0)

    def _of_me(self, owner: int, rest: tuple[str, ...], depth: int) -> Target | None:
        if len(rest) <= 1 or self._is_typed:
            return Target(Head.SELF, owner, rest) if rest else None
        return self._of_variable(self._scope_of[owner], f".{rest[0]}", rest[1:], depth)

    def _of_variable(self, at: Scope, name: str, rest: tuple[str, ...], depth: int) -> Target | None:
        if not rest:
            return None
        kind = self.kind_of(at, name)
        if kind is not None and depth < _DEPTH:
            target = self.resolved(at, [*kind.split("."), *rest], depth + 1)
            if target is not None and target.head is not Head.UNKNOWN:
                return target._replace(inferred=True)
        return Target(Head.UNKNOWN, 0, rest[-1:])

    @staticmethod
    def kind_of(at: Scope, name: str) -> str | None:
        """The class that a variable of scope `at` is an object of, as it is written; None if not settled."""
        if name in at.declared:
            return at.declared[name]
        made = at.made.get(name)
        if made and len(set(made)) == 1 and len(made) >= at.assigned.get(name, 0):
            return made[0]
        return None

    def _is_hidden(self, holder: Scope) -> bool:
        """Whether what `holder` defines cannot be named from outside: it is in a function."""
        if not holder.is_class:
            return holder.number != 0
        return bool(self.facts.definitions[holder.definition].trait & _LOCAL)


def in_order(captures: dict[str, list[Node]], *names: str) -> None:
    """Sort the captures of these names by where they begin; they come in no order."""
    for name in names:
        if name in captures:
            captures[name].sort(key=_START)


def broken(root: Node) -> str:
    """The problem of a file that does not parse: a sentence that names the line."""
    node = root
    while not (node.is_error or node.is_missing):
        node = next((child for child in node.children if child.has_error or child.is_missing), None)
        if node is None:
            break
    line = node.start_point.row + 1 if node is not None else 1
    return f"does not parse at line {line}; what could be read is kept"
