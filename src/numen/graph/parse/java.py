"""Java: definitions, imports and references of one file. Its unit is the package that it declares."""

from __future__ import annotations

from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import MANY, Alias, Facts, Head, Import, ImportForm, Trait, ordered
from numen.graph.parse.flow import ELEMENT, OUTSIDE, Value
from numen.graph.parse.java_units import PACKAGE
from numen.graph.parse.java_values import JavaValues
from numen.graph.parse.reading import Reading, Scope
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_java.language())
_QUERY = """
(package_declaration) @package
(import_declaration) @import
[(class_declaration) (record_declaration) (interface_declaration) (annotation_type_declaration)
 (enum_declaration) (method_declaration) (constructor_declaration) (compact_constructor_declaration)
 (annotation_type_element_declaration)] @define
(field_declaration) @field
(enum_constant) @constant
[(block) (constructor_body) (lambda_expression) (for_statement) (enhanced_for_statement)
 (try_with_resources_statement) (catch_clause) (switch_block_statement_group) (switch_rule)
 (static_initializer)] @block
(object_creation_expression (class_body)) @anonymous
[(local_variable_declaration) (resource) (instanceof_expression) (type_pattern)] @bind
[(method_invocation) (object_creation_expression) (method_reference)] @call
(ERROR) @error
(MISSING) @error
"""

_KINDS = {
    "class_declaration": NodeKind.CLASS,
    "record_declaration": NodeKind.CLASS,
    "interface_declaration": NodeKind.INTERFACE,
    "annotation_type_declaration": NodeKind.INTERFACE,
    "enum_declaration": NodeKind.ENUM,
}
_ANNOTATIONS = ("marker_annotation", "annotation")
CONSTRUCTOR = "<init>"
"""The name by which constructors are sought."""

_TESTS = frozenset("Test ParameterizedTest RepeatedTest TestFactory TestTemplate".split())


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a Java file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    reader = _Reader(Reading(path, source), is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        errors = sorted(node.start_byte for node in captures.get("error", []))
        line = reader.reading.line(errors[0]) if errors else 1
        facts.problem = f"does not parse at line {line}; what could be read is kept"
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, is_test: bool) -> None:
        self.reading = reading
        self.values = JavaValues(reading)
        self.flow = self.values.flow
        self._is_test = is_test
        self._scope_of: dict[int, Scope] = {}

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions and imports first, then what classes hold, then everything from top to bottom."""
        self._package(captures.get("package", []))
        defined = sorted(captures.get("define", []), key=_position)
        for node in defined:
            self._define(node)
        for node in captures.get("import", []):
            self._import(node)
        fields = [*captures.get("field", []), *captures.get("constant", [])]
        for node in sorted([*defined, *fields], key=_position):
            self.flow.reach(node.start_byte)
            self._hold(node)
        self.flow.restart()
        kinds = ("block", "bind", "call", "anonymous", "field")
        events = [node for kind in kinds for node in captures.get(kind, [])]
        for node in sorted({node.id: node for node in [*defined, *events]}.values(), key=_position):
            self.flow.reach(node.start_byte)
            self._meet(node)

    def _meet(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        flow, values = self.flow, self.values
        match node.type:
            case "method_invocation":
                values.value(node, scope)
            case "object_creation_expression":
                values.value(node, scope)
                self._anonymous(node, scope)
            case "method_reference":
                self._method_reference(node, scope)
            case "local_variable_declaration" | "resource" | "instanceof_expression" | "type_pattern":
                self._bind(node, scope)
            case "field_declaration":
                self._unknown_field(node, scope)
            case "lambda_expression":
                flow.block(node.end_byte)
                values.bind_lambda(node, scope)
            case "enhanced_for_statement" | "catch_clause":
                flow.block(node.end_byte)
                self._bind_one(node, scope)
            case _ if node.id in self._scope_of:
                self._open(node, self._scope_of[node.id])
            case _ if node.type == "method_declaration":  # of an anonymous class
                flow.block(node.end_byte)
                self._parameters(node, scope)
            case _:
                flow.block(node.end_byte)

    # Definitions

    def _package(self, nodes: list[Node]) -> None:
        name = self.reading.text(nodes[0].named_children[-1]) if nodes else ""
        self.reading.facts.unit = PACKAGE + name
        self.reading.facts.aliases.append(Alias(PACKAGE + name, "", everywhere=True))

    def _define(self, node: Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or self._is_anonymous(node):
            return
        reading, name = self.reading, self.reading.text(name_node)
        kind = _KINDS.get(node.type, NodeKind.METHOD)
        start, annotations = self._start(node)
        if kind is NodeKind.METHOD and self._is_test and _TESTS & annotations:
            kind = NodeKind.TEST
        trait = Trait.ALTERNATIVE if self._is_in_constant(node) else Trait.NONE
        trait |= Trait.SHARED if kind not in _KINDS.values() else Trait.NONE
        takes = self._takes(node) if kind in (NodeKind.METHOD, NodeKind.TEST) else (-1, -1)
        stop = body.start_byte if body is not None else node.end_byte
        holder = reading.inside(node.start_byte)
        signature = reading.signature(start, stop).removesuffix(";")
        sought = CONSTRUCTOR if "constructor" in node.type else ""  # it is no member of its class's name
        scope = reading.define(
            kind, name, signature, node.start_byte, node, trait, start=start, sought=sought, takes=takes
        )
        self._scope_of[node.id] = scope
        if holder.is_class and kind in (NodeKind.METHOD, NodeKind.TEST):
            self.values.methods.setdefault(holder.definition, set()).add(name)

    def _is_anonymous(self, node: Node) -> bool:
        """Whether a method is one of a class without a name."""
        body = node.parent
        return (
            body is not None and body.parent is not None and body.parent.type == "object_creation_expression"
        )

    def _is_in_constant(self, node: Node) -> bool:
        body = node.parent
        return body is not None and body.parent is not None and body.parent.type == "enum_constant"

    def _start(self, node: Node) -> tuple[int, set[str]]:
        """Where the words of a definition begin behind its annotations, and the names of these."""
        names: set[str] = set()
        for child in node.children:
            if child.type != "modifiers":
                return child.start_byte, names
            for one in child.children:
                if one.type not in _ANNOTATIONS:
                    if "comment" not in one.type:
                        return one.start_byte, names
                    continue
                name = one.child_by_field_name("name")
                names.add(self.reading.text(name) if name is not None else "")
        return node.start_byte, names

    def _takes(self, node: Node) -> tuple[int, int]:
        parameters = node.child_by_field_name("parameters")
        given = parameters.named_children if parameters is not None else []
        fixed = sum(one.type == "formal_parameter" for one in given)
        return (fixed, MANY) if any(one.type == "spread_parameter" for one in given) else (fixed, fixed)

    def _type_parameters(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("type_parameters")
        for one in parameters.named_children if parameters is not None else ():
            names = [inner for inner in one.named_children if inner.type in ("type_identifier", "identifier")]
            bound = next((inner for inner in one.named_children if inner.type == "type_bound"), None)
            if names:
                value = self.values.kind(bound, scope)
                self.flow.bind(self.reading.text(names[0]), value if value is not None else OUTSIDE)

    def _hold(self, node: Node) -> None:
        """What a class is derived from, and what its fields and methods are."""
        scope = self._scope_of.get(node.id, self.reading.inside(node.start_byte))
        flow, values, line = self.flow, self.values, self.reading.line(node.start_byte)
        if node.type == "field_declaration":
            self._fields(node, scope)
        elif node.type == "enum_constant":
            name = node.child_by_field_name("name")
            if name is not None and scope.is_class:
                flow.say(scope.definition, self.reading.text(name), Value(Head.LOCAL, scope.definition), line)
        elif node.id in self._scope_of:
            flow.block(node.end_byte)
            self._type_parameters(node, scope)
            own = scope.definition
            if node.type in _KINDS:
                for base in self._bases(node):
                    flow.inherit(own, values.kind(base, scope), line)
                if node.type == "record_declaration":
                    self._record(node, scope)
                return
            value = values.kind(node.child_by_field_name("type"), scope)
            if node.type != "constructor_declaration":
                flow.say(own, "", value, line)
            one = self.reading.facts.definitions[own]
            if one.parent > 0:
                flow.around[one.parent, f"{one.name}()"] = value.around if value is not None else ""

    def _bases(self, node: Node) -> list[Node]:
        found: list[Node] = []
        for child in node.named_children:
            if child.type == "superclass":
                found.extend(child.named_children[:1])
            elif child.type in ("super_interfaces", "extends_interfaces"):
                for inner in child.named_children:
                    found.extend(inner.named_children if inner.type == "type_list" else [inner])
        return found

    def _record(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("parameters")
        for one in parameters.named_children if parameters is not None else ():
            name = one.child_by_field_name("name")
            if name is not None:
                value = self.values.kind(one.child_by_field_name("type"), scope)
                self.flow.say(
                    scope.definition, self.reading.text(name), value, self.reading.line(one.start_byte)
                )

    def _fields(self, node: Node, scope: Scope) -> None:
        if not scope.is_class or self._is_anonymous(node):
            return
        value = self.values.kind(node.child_by_field_name("type"), scope)
        for one in node.children_by_field_name("declarator"):
            name = one.child_by_field_name("name")
            if name is None:
                continue
            word = self.reading.text(name)
            arrays = one.child_by_field_name("dimensions")
            held = value
            if arrays is not None and value is not None:
                held = value._replace(around=ELEMENT * self.reading.text(arrays).count("[") + value.around)
            self.flow.around.setdefault((scope.definition, word), "")
            self.flow.say(scope.definition, word, held, self.reading.line(one.start_byte))

    def _open(self, node: Node, scope: Scope) -> None:
        """The names that are bound where a class or a method begins."""
        self.flow.block(node.end_byte)
        self._type_parameters(node, scope)
        if node.type not in _KINDS:
            self._parameters(node, scope)

    def _parameters(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("parameters")
        for one in parameters.named_children if parameters is not None else ():
            if one.type == "formal_parameter":
                self._bind_one(one, scope)
            elif one.type == "spread_parameter":
                kind = next((inner for inner in one.named_children if inner.type != "modifiers"), None)
                value = self.values.kind(kind, scope)
                declarator = one.named_children[-1]
                name = declarator.child_by_field_name("name")
                if name is not None:
                    value = value._replace(around=ELEMENT + value.around) if value is not None else None
                    self.flow.bind(self.reading.text(name), value)

    def _anonymous(self, node: Node, scope: Scope) -> None:
        body = next((one for one in node.named_children if one.type == "class_body"), None)
        if body is None:
            return
        names: dict[str, Value | None] = {}
        for one in body.named_children:
            name = one.child_by_field_name("name") if one.type == "method_declaration" else None
            if name is not None:
                names[self.reading.text(name)] = self.values.kind(one.child_by_field_name("type"), scope)
        base = self.values.kind(node.child_by_field_name("type"), scope)
        self.values.anonymous.append((body.start_byte, body.end_byte, names, base))

    # Imports

    def _import(self, node: Node) -> None:
        path = next((one for one in node.named_children if "identifier" in one.type), None)
        if path is None:
            return
        names = "".join(self.reading.text(path).split()).split(".")
        is_star = any(one.type == "asterisk" for one in node.named_children)
        is_static = any(one.type == "static" for one in node.children)
        scope, line = self.reading.scopes[0], self.reading.line(node.start_byte)
        size = next((i for i, name in enumerate(names) if name[:1].isupper()), len(names) - 1)
        if is_star and not any(name[:1].isupper() for name in names):
            self.reading.has_star = True
            self.reading.facts.imports.append(Import(".".join(names), "", "", ImportForm.STAR, 0, line))
        elif is_static or is_star or len(names) > size + 1:
            value = self.values.packaged(names, scope, line)
            if value is not None and is_star:
                self.values.stars.append(value)
            elif value is not None:
                self.values.shown[names[-1]] = value
        else:
            module = ".".join(names[:-1])
            self.reading.bind(Import(module, names[-1], names[-1], ImportForm.NAME, 0, line), scope)

    # Names

    def _bind(self, node: Node, scope: Scope) -> None:
        if node.type == "resource":
            self._bind_one(node, scope)
        elif node.type == "instanceof_expression":
            name, right = node.child_by_field_name("name"), node.child_by_field_name("right")
            if name is not None:
                self.flow.bind(self.reading.text(name), self.values.kind(right, scope))
        elif node.type == "type_pattern":
            self.flow.bind(
                self.reading.text(node.named_children[-1]), self.values.kind(node.named_children[0], scope)
            )
        else:
            kind = node.child_by_field_name("type")
            for one in node.children_by_field_name("declarator"):
                self._declare(one, kind, scope)

    def _declare(self, node: Node, kind: Node | None, scope: Scope) -> None:
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        made = self.values.value(given, scope)
        if kind is None or self.reading.text(kind) != "var":
            made = self.values.kind(kind, scope)
            arrays = node.child_by_field_name("dimensions")
            if arrays is not None and made is not None:
                made = made._replace(around=ELEMENT * self.reading.text(arrays).count("[") + made.around)
        self.flow.bind(self.reading.text(name), made)

    def _bind_one(self, node: Node, scope: Scope) -> None:
        """A parameter, resource, caught exception or loop variable."""
        if node.type == "catch_clause":
            node = next((one for one in node.named_children if one.type == "catch_formal_parameter"), node)
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if kind is None:
            kind = next((one for one in node.named_children if one.type == "catch_type"), None)
        if name is None:
            return
        if kind is not None and self.reading.text(kind) == "var":
            value = self.values.value(node.child_by_field_name("value"), scope)
            value = self.flow.inside(value, ELEMENT) if node.type == "enhanced_for_statement" else value
        else:
            value = self.values.kind(kind, scope)
        self.flow.bind(self.reading.text(name), value)

    def _unknown_field(self, node: Node, scope: Scope) -> None:
        """A field of an anonymous class is like a variable in its body."""
        if self._is_anonymous(node):
            for one in node.children_by_field_name("declarator"):
                self._declare(one, node.child_by_field_name("type"), scope)

    def _method_reference(self, node: Node, scope: Scope) -> None:
        children = [one for one in node.named_children if one.type != "type_arguments"]
        if len(children) == 2:
            line = self.reading.line(node.start_byte)
            value = self.values.value(children[0], scope)
            if value is not None and not value.around and value.head is not Head.UNKNOWN:
                self.flow.refer(
                    self.flow.attribute(value, self.reading.text(children[1]), scope, line), scope, line
                )


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
