"""Values in C++: of what class variables, fields and elements are, and what is called on them."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.cpp_names import (
    ELEMENT,
    chain,
    declared,
    element_name,
    given,
    qualified,
    type_name,
    written,
)
from numen.graph.parse.facts import RefKind
from numen.graph.parse.reading import Reading, Scope


class Values:
    """Reads what binds and uses values in one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def fields(self, node: Node, holder: Scope) -> None:
        """What the objects of a class hold."""
        kind = node.child_by_field_name("type")
        if kind is None or not holder.is_class:
            return
        line = self.reading.line(node.start_byte)
        said, element = type_name(kind), element_name(kind)
        for child in node.children_by_field_name("declarator"):
            name, _ = declared(child)
            if name is None or name.type != "field_identifier":
                continue
            word = written(name)
            if said is not None:
                self.reading.hold(holder.definition, holder, word, said, line)
            if (element or said) is not None:
                self.reading.hold(holder.definition, holder, f"{word}{ELEMENT}", element or said or "", line)
        if (element or said) is not None:
            self.reading.refer(holder, RefKind.REFERENCES, (element or said or "").split("."), line)

    def parameter(self, node: Node) -> None:
        """A parameter of a function, and of what class it is."""
        kind = node.child_by_field_name("type")
        name, _ = declared(node.child_by_field_name("declarator"))
        if kind is not None and name is not None and name.type == "identifier":
            self._bind(self.reading.inside(node.start_byte), written(name), kind, None)

    def _bind(self, scope: Scope, name: str, kind: Node, value: Node | None) -> None:
        """Note a variable, and of what class it and its elements are."""
        if scope.is_class:
            return
        scope.assign(name)
        scope.assign(f"{name}{ELEMENT}")
        said, element = type_name(kind), element_name(kind)
        if kind.type == "placeholder_type_specifier":
            names = chain(value) if value is not None else None
            if names is not None:
                scope.make(name, ".".join(names))
                scope.make(f"{name}{ELEMENT}", ".".join([*names[:-1], f"{names[-1]}{ELEMENT}"]))
            return
        if said is not None:
            scope.make(name, said)
        if (element or said) is not None:
            scope.make(f"{name}{ELEMENT}", element or said or "")
            line = self.reading.line(kind.start_byte)
            self.reading.refer(scope, RefKind.REFERENCES, (element or said or "").split("."), line)

    def declare(self, node: Node) -> None:
        """Local and global variables; one with arguments makes an object."""
        kind = node.child_by_field_name("type")
        scope = self.reading.inside(node.start_byte)
        if kind is None or scope.is_class:
            return
        for child in node.children_by_field_name("declarator"):
            name, function = declared(child)
            if name is None or name.type != "identifier" or (function is not None and scope.number == 0):
                continue
            value = child.child_by_field_name("value") if child.type == "init_declarator" else None
            if scope.number:
                self._bind(scope, written(name), kind, value)
            said = type_name(kind)
            made = value is not None and value.type in ("argument_list", "initializer_list")
            if said is not None and (made or function is not None):
                self.reading.refer(scope, RefKind.CALLS, said.split("."), self.reading.line(node.start_byte))

    def loop(self, node: Node) -> None:
        """The variable of a loop over what a container holds."""
        kind, right = node.child_by_field_name("type"), node.child_by_field_name("right")
        name, _ = declared(node.child_by_field_name("declarator"))
        if kind is None or right is None or name is None or name.type != "identifier":
            return
        scope, word = self.reading.inside(node.start_byte), written(name)
        if kind.type != "placeholder_type_specifier":
            self._bind(scope, word, kind, None)
            return
        scope.assign(word)
        names = chain(right)
        if names is not None:
            scope.make(word, ".".join([*names[:-1], f"{names[-1]}{ELEMENT}"]))

    def new(self, node: Node) -> None:
        """`new T(...)` makes a T."""
        kind = node.child_by_field_name("type")
        said = type_name(kind) if kind is not None else None
        if said is not None:
            scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
            self.reading.refer(scope, RefKind.CALLS, said.split("."), line)

    def call(self, node: Node) -> None:
        """A call, of a chain of names or of something asked of an object of unknown type."""
        function = node.child_by_field_name("function")
        if function is None:
            return
        reading = self.reading
        scope, line = reading.inside(node.start_byte), reading.line(function.end_byte - 1)
        names = chain(function)
        if names is not None and "" not in names:
            reading.refer(scope, RefKind.CALLS, names, line, given=given(node))
        elif function.type == "field_expression":
            field = function.child_by_field_name("field")
            asked = qualified(field) if field is not None else None
            if asked is not None:
                reading.ask(scope, asked[-1], line)
        elif function.type in ("qualified_identifier", "template_function"):
            self._made(node, scope, line)

    def _made(self, node: Node, scope: Scope, line: int) -> None:
        """`std::make_unique<T>(...)` makes a T."""
        names = chain(node)
        function = node.child_by_field_name("function")
        if names is not None and function is not None and "make_" in written(function)[:60]:
            self.reading.refer(scope, RefKind.CALLS, names, line)
