"""Values in Ruby: what `self` is, and what bare names, variables, constants and chains of calls mean."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import CLASS_SIDE, Head, RefKind
from numen.graph.parse.reading import Reading, Scope, Target
from numen.graph.parse.ruby_names import chain, written
from numen.graph.types import NodeKind


class Values:
    """Reads what uses values in one file.

    `on_class` are the scopes where `self` is the class, `either` those where it may be that or an object.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.on_class: set[int] = set()
        self.either: set[int] = set()
        self._followed: set[tuple[int, str]] = set()

    def constant(self, scope: Scope, names: list[str]) -> Target:
        """What a constant means where `scope` is open."""
        if not names[0]:
            return Target(Head.FREE, 0, tuple(names[1:]))
        return Target(Head.IMPLICIT, scope.definition, tuple(names))

    def call(self, node: Node) -> None:
        """A call with a receiver or with arguments."""
        receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        if method is None or method.type not in ("identifier", "constant"):
            return
        scope, line = self.reading.inside(node.start_byte), self.reading.line(method.start_byte)
        name = written(method)
        found = chain(receiver) if receiver is not None else None
        if receiver is not None and found is None:
            self.reading.ask(scope, name, line)
            return
        if found is not None and found.is_class and name == "new" and found.names[0] != "self":
            self.reading.add(scope.definition, RefKind.CALLS, self.constant(scope, found.names), line)
        if found is None:  # with arguments it is a call, whatever variable has that name
            for target in self._of_bare(scope, [name]):
                self.reading.add(scope.definition, RefKind.CALLS, target, line)
            return
        self._ask(scope, [*found.names, f"{CLASS_SIDE}{name}" if found.is_class else name], line)

    def word(self, node: Node) -> None:
        """A bare word that is no variable is a call."""
        scope = self.reading.inside(node.start_byte)
        name = written(node)
        if name == "module_function" and scope.is_class:
            target = Target(Head.LOCAL, scope.definition, ())
            self.reading.add(scope.definition, RefKind.EXTENDS, target, self.reading.line(node.start_byte))
            return
        if scope.owner >= 0 or scope.is_class:
            at: Scope | None = scope
            while at is not None and not at.is_class:
                if name in at.assigned:
                    return
                at = at.parent
            self._ask(scope, [name], self.reading.line(node.start_byte))

    def _ask(self, scope: Scope, names: list[str], line: int) -> None:
        """Add the call of the last of `names`."""
        for target in self._targets(scope, names):
            self.reading.add(scope.definition, RefKind.CALLS, target, line)

    def _targets(self, scope: Scope, names: list[str]) -> list[Target]:
        first, rest = names[0], tuple(names[1:])
        if first[:1].isupper() or not first:
            return [self.constant(scope, names)]
        if first == "self":
            return self._of_self(scope, rest)
        if first.startswith("@"):
            is_object = scope.owner >= 0 and not self.is_on_class(scope)
            return [Target(Head.SELF, scope.owner, tuple(names))] if is_object else [_unknown(names)]
        at: Scope | None = scope
        while at is not None:
            if first in at.assigned and not (at.is_class and at is not scope):
                return [self._of_variable(at, first, rest)] if rest else []
            at = at.parent
        return self._of_bare(scope, names)

    def _of_bare(self, scope: Scope, names: list[str]) -> list[Target]:
        """What a bare name that is no variable may be: a method of `self`, or a function of the file."""
        first, rest = names[0], tuple(names[1:])
        if first == "new" and self.is_on_class(scope) and rest:
            return [Target(Head.SELF, scope.definition if scope.is_class else scope.owner, rest)]
        top = self.reading.scopes[0].definitions.get(first)
        if top is not None and not rest:
            return [Target(Head.LOCAL, top[0], ())]
        return self._of_self(scope, tuple(names))

    def _of_variable(self, at: Scope, name: str, rest: tuple[str, ...]) -> Target:
        made = at.made.get(name, [])
        if (
            len(set(made)) == 1
            and len(made) >= at.assigned.get(name, 0)
            and (at.number, name) not in self._followed
        ):
            self._followed.add((at.number, name))
            found = self._targets(at, [*made[0].split("."), *rest])
            self._followed.discard((at.number, name))
            if found and found[0].head is not Head.UNKNOWN:
                return found[0]._replace(inferred=True)
        return _unknown(rest)

    def _of_self(self, scope: Scope, rest: tuple[str, ...]) -> list[Target]:
        if not rest:
            return []
        owner = scope.definition if scope.is_class else scope.owner
        if owner < 0:
            return [Target(Head.FREE, 0, rest)] if len(rest) == 1 else [_unknown(rest)]
        first = rest[0].removeprefix(CLASS_SIDE)
        of_class = Target(Head.LOCAL, owner, (f"{CLASS_SIDE}{first}", *rest[1:]))
        if self.is_on_class(scope) or rest[0].startswith(CLASS_SIDE):
            return [of_class]
        of_object = Target(Head.SELF, owner, rest)
        return [of_object, of_class] if self._is_either(scope) else [of_object]

    def is_on_class(self, scope: Scope) -> bool:
        """Whether `self` is the class here."""
        at: Scope | None = scope
        while at is not None:
            if at.number in self.on_class:
                return True
            if at.me or at.number in self.either:
                return False
            at = at.parent
        return False

    def _is_either(self, scope: Scope) -> bool:
        at: Scope | None = scope
        while at is not None and not at.me and not at.is_class:
            if at.number in self.either:
                return True
            at = at.parent
        return False

    def super(self, node: Node) -> None:
        """The method of the same name in a base class."""
        scope = self.reading.inside(node.start_byte)
        definition = self.reading.facts.definitions[scope.definition]
        if scope.owner >= 0 and definition.kind is NodeKind.METHOD:
            name = definition.sought or definition.name
            line = self.reading.line(node.start_byte)
            self.reading.add(scope.definition, RefKind.CALLS, Target(Head.SUPER, scope.owner, (name,)), line)


def _unknown(names: list[str] | tuple[str, ...]) -> Target:
    return Target(Head.UNKNOWN, 0, (names[-1],))
