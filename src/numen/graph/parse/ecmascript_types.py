"""What JavaScript and TypeScript say of types: of variables, parameters, fields and results."""

from __future__ import annotations

import re

from tree_sitter import Node

from numen.graph.parse.facts import Head, RefKind
from numen.graph.parse.reading import Reading, Scope, Target

DOTTED = re.compile(r"[\w$]+(?:\.#?[\w$]+)*")

_WRAPPED = re.compile(r"(?:Promise|Readonly|Required|Partial|NonNullable|Awaited|Ref)<(.*)>", re.DOTALL)
_ONE = re.compile(r"([\w$]+(?:\.[\w$]+)*)(?:\s*\|\s*(?:null|undefined|void))*")
_PARAMETER_PROPERTY = re.compile(
    r"(?:@[\w.]+(?:\([^)]*\))?\s*)*(?:(?:public|private|protected|readonly|override)\s+)+"
)
_THROUGH = frozenset(("await_expression", "parenthesized_expression", "non_null_expression"))
_SAID = frozenset(("as_expression", "satisfies_expression"))


class Types:
    """Notes what the nodes of one file say of types."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._later: list[tuple[int, Scope, str, str, int]] = []
        self._results: list[tuple[Scope, Node]] = []

    def variable(self, node: Node) -> None:
        """`const x: Name`, `const x = new Name()`, `const x = make()`, `const x = this.y`."""
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None:
            return
        scope, word = self._reading.inside(node.start_byte), self._reading.text(name)
        scope.assign(word)
        said = self._said(kind)
        made = self.of_value(node.child_by_field_name("value"))
        if said is not None:
            scope.declare(word, said)
        elif made is not None and made != word:
            scope.make(word, made)

    def parameter(self, node: Node) -> None:
        """A parameter of TypeScript, which may be a field of the object too."""
        pattern, kind = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if pattern is None or pattern.type != "identifier":
            return
        scope, name = self._reading.inside(node.start_byte), self._reading.text(pattern)
        scope.assign(name)
        said = self._said(kind)
        if said is None:
            return
        scope.declare(name, said)
        if scope.owner >= 0 and _PARAMETER_PROPERTY.match(self._reading.text(node)):
            self._hold(scope.owner, scope, name, said, node)

    def field(self, node: Node) -> None:
        """A field of a class or a property of an interface."""
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        scope = self._reading.inside(node.start_byte)
        if name is None or not scope.is_class:
            return
        kind = self._said(node.child_by_field_name("type"))
        kind = kind or self.of_value(node.child_by_field_name("value"))
        if kind is not None:
            self._hold(scope.definition, scope, self._reading.text(name), kind, node)

    def attribute(self, name: str, value: Node, scope: Scope) -> None:
        """`this.name = value`."""
        kind = self.of_value(value)
        if value.type == "identifier":
            kind = self._reading.kind_of(scope, self._reading.text(value))
            kind = None if kind is not None and kind in scope.assigned else kind
        if kind is not None:
            self._hold(scope.owner, scope, name, kind, value)

    def result(self, scope: Scope, node: Node) -> None:
        """What a function says that it gives."""
        kind = node.child_by_field_name("return_type")
        if kind is not None:
            self._results.append((scope, kind))

    def settle(self) -> None:
        """Note what can only be said once every name is bound."""
        reading = self._reading
        for holder, scope, name, kind, line in self._later:
            reading.hold(holder, scope, name, kind, line)
        reading.hold_variables()
        for scope, node in self._results:
            kind, line = self._said(node), reading.line(node.start_byte)
            if kind == "this" and scope.owner >= 0:
                target = Target(Head.LOCAL, scope.owner, ())
                reading.add(scope.definition, RefKind.RETURNS, target, line)
            elif kind is not None and scope.parent is not None:
                reading.refer(scope.parent, RefKind.RETURNS, kind.split("."), line, scope.definition)

    def of_value(self, node: Node | None) -> str | None:
        """The name, class or call that a value is an object of, dotted; None if it is not so simple."""
        while node is not None and node.type in _THROUGH:
            node = node.named_children[0] if node.named_children else None
        if node is None:
            return None
        if node.type in _SAID:
            return self._said(node.named_children[-1])
        if node.type == "new_expression":
            node = node.child_by_field_name("constructor")
        elif node.type == "call_expression":
            node = node.child_by_field_name("function")
        elif node.type != "member_expression":
            return None
        text = self._reading.text(node).replace("?.", ".").replace("!.", ".") if node is not None else ""
        return text if DOTTED.fullmatch(text) else None

    def _hold(self, holder: int, scope: Scope, name: str, kind: str, node: Node) -> None:
        self._later.append((holder, scope, name, kind, self._reading.line(node.start_byte)))

    def _said(self, node: Node | None) -> str | None:
        """The class that an annotation names, if it names one alone, or one or nothing."""
        if node is None:
            return None
        text = self._reading.text(node).lstrip(": \t\n").strip()
        while (wrapped := _WRAPPED.fullmatch(text)) is not None:
            text = wrapped.group(1).strip()
        while "<" in text and (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
            text = shorter
        found = _ONE.fullmatch(text)
        return found.group(1) if found is not None else None
