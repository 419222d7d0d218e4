"""Go: definitions, imports and references of one file. Its unit is the package: a folder, tests beside it."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_go
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import Facts, Import, ImportForm, Trait, ordered
from numen.graph.parse.flow import ELEMENT, OUTSIDE, Value
from numen.graph.parse.golang_units import is_built, unit_of
from numen.graph.parse.golang_values import GoValues
from numen.graph.parse.reading import Reading, Scope
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_go.language())
_QUERY = """
(package_clause (package_identifier) @package)
(import_spec) @import
[(function_declaration) (method_declaration) (type_spec) (type_alias) (method_elem)] @define
[(func_literal) (block) (if_statement) (for_statement) (expression_switch_statement)
 (type_switch_statement) (expression_case) (type_case) (default_case) (communication_case)] @block
[(var_spec) (const_spec) (short_var_declaration) (range_clause) (receive_statement)] @bind
(call_expression) @call
(type_conversion_expression type: (generic_type)) @call
(composite_literal) @made
(ERROR) @error
(MISSING) @error
"""

_TEST = re.compile(r"(?:Test|Benchmark|Fuzz|Example)(?:[A-Z_\d].*)?")
_VERSION = re.compile(r"v\d+|.*\.v\d+")
_KINDS = {"struct_type": NodeKind.CLASS, "interface_type": NodeKind.INTERFACE}


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a Go file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    reader = _Reader(Reading(path, source), path, is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        errors = sorted(node.start_byte for node in captures.get("error", []))
        line = reader.reading.line(errors[0]) if errors else 1
        facts.problem = f"does not parse at line {line}; what could be read is kept"
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, path: str, is_test: bool) -> None:
        self.reading = reading
        self.values = GoValues(reading)
        self.flow = self.values.flow
        self._path = path
        self._is_test = is_test and path.endswith("_test.go")
        self._trait = Trait.NONE if is_built(path, reading.source) else Trait.ALTERNATIVE
        self._scope_of: dict[int, Scope] = {}

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions and imports first, then everything from top to bottom."""
        packages = captures.get("package", [])
        self.reading.facts.unit = unit_of(self._path, self.reading.text(packages[0]) if packages else "")
        for node in sorted(captures.get("define", []), key=_position):
            self._define(node)
        for node in captures.get("import", []):
            self._import(node)
        for node in sorted(captures.get("bind", []), key=_position):
            if node.type in ("var_spec", "const_spec") and not self.reading.inside(node.start_byte).number:
                self._bind(node, self.reading.scopes[0])
        kinds = ("define", "block", "bind", "call", "made")
        for node in sorted((node for kind in kinds for node in captures.get(kind, [])), key=_position):
            self.flow.reach(node.start_byte)
            self._meet(node)

    def _meet(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        match node.type:
            case "call_expression" | "composite_literal" | "type_conversion_expression":
                self.values.value(node, scope)
            case "block":
                self.flow.block(node.end_byte)
            case "function_declaration" | "method_declaration" | "method_elem":
                self._open(node, self._scope_of.get(node.id, scope))
            case "func_literal":
                self.flow.block(node.end_byte)
                self._parameters(node.child_by_field_name("parameters"), scope)
                self._parameters(node.child_by_field_name("result"), scope)
            case "type_spec" | "type_alias":
                self._type(node, self._scope_of.get(node.id, scope))
            case "var_spec" | "const_spec" | "short_var_declaration" | "range_clause" | "receive_statement":
                self._bind(node, scope)
            case "type_case":
                self.flow.block(node.end_byte)
                self._case(node, scope)
            case _:
                self.flow.block(node.end_byte)
                self._alias(node, scope)

    # Definitions

    def _define(self, node: Node) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        reading, name = self.reading, self.reading.text(name_node)
        body = node.child_by_field_name("body")
        kind, trait, prefix, first = NodeKind.FUNCTION, self._trait, "", node.start_byte
        stop = body.start_byte if body is not None else node.end_byte
        if node.type in ("type_spec", "type_alias"):
            kind = NodeKind.TYPE
            inner = node.child_by_field_name("type")
            if inner is not None and node.type == "type_spec":
                kind = _KINDS.get(inner.type, NodeKind.TYPE)
                stop = inner.start_byte if kind is not NodeKind.TYPE else stop
            above = node.parent
            if above is not None and above.named_child_count == 1:
                first = above.start_byte
        elif node.type == "method_elem":
            kind = NodeKind.METHOD
        elif node.type == "method_declaration":
            kind, trait, prefix = NodeKind.METHOD, trait | Trait.MEMBER, self._receiver(node)[1]
        elif self._is_test and _TEST.fullmatch(name):
            kind = NodeKind.TEST
        signature = reading.signature(first, stop)
        self._scope_of[node.id] = reading.define(kind, name, signature, first, node, trait, prefix)

    def _receiver(self, node: Node) -> tuple[str, str]:
        """The name of a method's object, which may be empty, and that of its type."""
        receiver = node.child_by_field_name("receiver")
        one = receiver.named_children[0] if receiver is not None and receiver.named_children else None
        kind = one.child_by_field_name("type") if one is not None else None
        while kind is not None and kind.type != "type_identifier":
            kind = next((c for c in kind.named_children if c.type != "comment"), None)
        name = one.child_by_field_name("name") if one is not None else None
        return (
            self.reading.text(name) if name is not None else "",
            self.reading.text(kind) if kind is not None else "",
        )

    def _open(self, node: Node, scope: Scope) -> None:
        """What is bound and said where a function begins."""
        flow, line = self.flow, self.reading.line(node.start_byte)
        flow.block(node.end_byte)
        self._type_parameters(node, scope)
        if node.type == "method_declaration":
            name, kind = self._receiver(node)
            owner = flow.look(kind, scope) if kind else None
            flow.own(scope.definition, owner, line)
            flow.bind(name, owner, is_exact=True)
            receiver = node.child_by_field_name("receiver")
            for inner in _all(receiver, "type_identifier") if receiver is not None else ():
                if (word := self.reading.text(inner)) != kind:
                    flow.bind(word, None)  # its type parameters
        self._parameters(node.child_by_field_name("parameters"), scope)
        self._results(scope.definition, node.child_by_field_name("result"), scope, line)
        self._parameters(node.child_by_field_name("result"), scope)

    def _type_parameters(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("type_parameters")
        for one in parameters.named_children if parameters is not None else ():
            said = one.child_by_field_name("type")
            inner = said.named_children if said is not None else []
            value = self.values.kind(inner[0], scope) if len(inner) == 1 else None
            value = value if value != OUTSIDE else None
            for name in one.children_by_field_name("name"):
                self.flow.bind(self.reading.text(name), value)

    def _parameters(self, node: Node | None, scope: Scope) -> None:
        if node is None or node.type != "parameter_list":
            return
        for one in node.named_children:
            value = self.values.kind(one.child_by_field_name("type"), scope)
            if one.type == "variadic_parameter_declaration" and value is not None:
                value = value._replace(around=ELEMENT + value.around)
            for name in one.children_by_field_name("name"):
                self.flow.bind(self.reading.text(name), value)

    def _results(self, source: int, node: Node | None, scope: Scope, line: int) -> None:
        if node is None:
            return
        if node.type != "parameter_list":
            self.flow.say(source, "", self.values.kind(node, scope), line)
            return
        number = 0
        for one in node.named_children:
            value = self.values.kind(one.child_by_field_name("type"), scope)
            for _ in range(max(1, len(one.children_by_field_name("name")))):
                self.flow.say(source, f"#{number}" if number else "", value, line)
                number += 1

    def _type(self, node: Node, scope: Scope) -> None:
        """What a type is made of: fields, embedded types, elements."""
        flow, said = self.flow, node.child_by_field_name("type")
        flow.block(node.end_byte)
        self._type_parameters(node, scope)
        if said is None:
            return
        own = scope.definition
        line = self.reading.line(node.start_byte)
        if said.type == "struct_type":
            for field in _all(said, "field_declaration"):
                self._field(own, field, scope)
        elif said.type == "interface_type":
            for one in said.named_children:
                if one.type == "type_elem" and one.named_child_count == 1:
                    flow.inherit(own, self.values.kind(one.named_children[0], scope), line)
        elif node.type == "type_alias":
            flow.inherit(own, self.values.kind(said, scope), line)
        else:
            value = self.values.kind(said, scope)
            if value is not None and value.around:  # what is in it, not what it is
                flow.say(own, "", value, line)

    def _field(self, own: int, node: Node, scope: Scope) -> None:
        flow, line = self.flow, self.reading.line(node.start_byte)
        value = self.values.kind(node.child_by_field_name("type"), scope)
        names = node.children_by_field_name("name")
        for name in names:
            flow.say(own, self.reading.text(name), value, line)
        if not names and value is not None:
            flow.inherit(own, value, line)
            said = node.child_by_field_name("type")
            word = self.reading.text(said).partition("[")[0].rpartition(".")[2] if said is not None else ""
            flow.say(own, word.lstrip("*"), value, line)

    def _import(self, node: Node) -> None:
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is None:
            return
        module = self.reading.text(path).strip('"`')
        scope, line = self.reading.scopes[0], self.reading.line(node.start_byte)
        word = self.reading.text(name) if name is not None else _package_name(module)
        if word == ".":
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.STAR, 0, line))
        elif word == "_":
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.MODULE, 0, line))
        else:
            self.reading.bind(Import(module, "", word, ImportForm.MODULE, 0, line), scope)

    # Names

    def _bind(self, node: Node, scope: Scope) -> None:
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if node.type in ("var_spec", "const_spec"):
            names = [self.reading.text(name) for name in node.children_by_field_name("name")]
        else:
            names = [self.reading.text(one) for one in left.named_children] if left is not None else []
        said = node.child_by_field_name("type")
        values: list[Value | None]
        if said is not None:
            values = [self.values.kind(said, scope)] * len(names)
            if right is not None and right.type == "expression_list":
                for one in right.named_children:
                    self.values.value(one, scope)
        elif right is None:
            values = [None] * len(names)
        elif node.type == "range_clause":
            values = [OUTSIDE, self.flow.inside(self.values.value(right, scope), ELEMENT)]
        else:
            values = self._values(right, len(names), scope)
        line = self.reading.line(node.start_byte)
        for name, value in zip(names, values, strict=False):
            if scope.number == 0 and node.type in ("var_spec", "const_spec"):
                if self._trait is Trait.NONE:  # else another file of the package says it for the usual build
                    self.flow.say(0, name, value, line)
            elif name != "_":
                self.flow.bind(name, value)

    def _values(self, node: Node, count: int, scope: Scope) -> list[Value | None]:
        """The values of the right side of an assignment to `count` names."""
        given = node.named_children if node.type == "expression_list" else [node]
        values = [self.values.value(one, scope) for one in given]
        if len(values) == 1 and count > 1:
            many = given[0].type == "call_expression"
            later = [self.flow.inside(values[0], f"#{i}") if many else None for i in range(1, count)]
            return [values[0], *later]
        return values

    def _alias(self, node: Node, scope: Scope) -> None:
        """`switch x := y.(type)`: in each case `x` is of that case's type, and like `y` in the default."""
        if node.type == "default_case" and node.parent is not None:
            node = node.parent
        if node.type != "type_switch_statement":
            return
        alias, value = node.child_by_field_name("alias"), node.child_by_field_name("value")
        if alias is not None and value is not None:
            self.flow.bind(self.reading.text(alias), self.values.value(value, scope))

    def _case(self, node: Node, scope: Scope) -> None:
        above = node.parent
        alias = above.child_by_field_name("alias") if above is not None else None
        kinds = node.children_by_field_name("type")
        if alias is not None and len(kinds) == 1:
            self.flow.bind(self.reading.text(alias), self.values.kind(kinds[0], scope))


def _package_name(module: str) -> str:
    """The name that a package most likely has, from its path."""
    parts = module.split("/")
    if len(parts) > 1 and re.fullmatch(r"v\d+", parts[-1]):
        parts.pop()
    name = re.sub(r"\.v\d+$", "", parts[-1])
    return name.removeprefix("go-").removesuffix("-go").rpartition("-")[2]


def _all(node: Node, kind: str) -> list[Node]:
    """The nodes of one kind at or below `node`, not looking inside of them."""
    found: list[Node] = []
    pending = [node]
    while pending:
        one = pending.pop()
        if one.type == kind:
            found.append(one)
        else:
            pending.extend(reversed(one.named_children))
    return found


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
