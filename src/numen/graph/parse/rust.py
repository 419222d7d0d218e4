"""Rust: definitions, imports and references of one file, the arguments of macros included."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_rust
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import Alias, Facts, Head, Trait, ordered
from numen.graph.parse.flow import ELEMENT, Value
from numen.graph.parse.reading import Reading, Scope
from numen.graph.parse.rust_conditions import holds
from numen.graph.parse.rust_macros import ROUNDS, arguments_read
from numen.graph.parse.rust_names import TRANSPARENT
from numen.graph.parse.rust_patterns import RustPatterns
from numen.graph.parse.rust_units import MACRO
from numen.graph.parse.rust_uses import RustUses
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_rust.language())
_EVENTS = """
[(closure_expression) (block) (match_arm) (if_expression) (while_expression) (for_expression)] @block
[(let_declaration) (let_condition)] @bind
(call_expression) @call
(macro_invocation) @call
(struct_expression) @made
"""
_QUERY = f"""
[(function_item) (function_signature_item) (struct_item) (union_item) (enum_item) (trait_item) (type_item)
 (mod_item) (macro_definition) (impl_item)] @define
[(static_item) (const_item)] @variable
[(use_declaration) (extern_crate_declaration)] @import
{_EVENTS}
(ERROR) @error
(MISSING) @error
"""

_ATTRIBUTE = re.compile(r"#\s*\[\s*(?:\w+::)*test\b|#\s*\[\s*(?:rstest|test_case|quickcheck)\b")
_DERIVED = re.compile(r"derive\s*\(([\w\s:,]*)\)")
_CONFIGURED = re.compile(r"#\s*\[\s*cfg\s*\((.*)\)\s*\]", re.DOTALL)
_KINDS = {
    "struct_item": NodeKind.CLASS,
    "union_item": NodeKind.CLASS,
    "enum_item": NodeKind.ENUM,
    "trait_item": NodeKind.INTERFACE,
    "type_item": NodeKind.TYPE,
    "mod_item": NodeKind.TYPE,
}


@cache
def _query(text: str) -> Query:
    return Query(_LANGUAGE, text)


def parse(path: str, source: bytes, is_test: bool) -> Facts:  # noqa: ARG001  tests say so themselves
    """The facts of a Rust file given as UTF-8; a file that does not parse gives what could be read."""
    parser = Parser(_LANGUAGE)
    tree = parser.parse(source)
    captures = QueryCursor(_query(_QUERY)).captures(tree.root_node)
    reader = _Reader(Reading(path, source), path)
    events = _events(parser, source, captures)
    reader.reading.attempt(lambda: reader.read(captures, events))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        errors = sorted(node.start_byte for node in captures.get("error", []))
        line = reader.reading.line(errors[0]) if errors else 1
        facts.problem = f"does not parse at line {line}; what could be read is kept"
    return ordered(facts)


def _events(parser: Parser, source: bytes, captures: dict[str, list[Node]]) -> list[Node]:
    """Blocks, bindings and calls of the file and of the arguments of its macros."""
    kinds = ("block", "bind", "call", "made")
    events = [node for kind in kinds for node in captures.get(kind, [])]
    invocations = [node for node in captures.get("call", []) if node.type == "macro_invocation"]
    for _ in range(ROUNDS):
        read = arguments_read(parser, source, invocations)
        if read is None:
            break
        inner = QueryCursor(_query(_EVENTS)).captures(read.tree.root_node)
        found = [node for kind in kinds for node in inner.get(kind, []) if read.hold(node)]
        events.extend(found)
        invocations = [node for node in found if node.type == "macro_invocation"]
    return events


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, path: str) -> None:
        self.reading = reading
        self.values = RustPatterns(reading)
        self.flow = self.values.flow
        self._uses = RustUses(self.values, path)
        self._path = path
        self._scope_of: dict[int, Scope] = {}
        self._beside: dict[int, int] = {}

    def read(self, captures: dict[str, list[Node]], events: list[Node]) -> None:
        """Definitions and imports first, then what types hold, then everything from top to bottom."""
        defined = sorted(captures.get("define", []), key=_position)
        for node in defined:
            self._define(node)
        for node in captures.get("import", []):
            self._uses.read(node)
        for passes in (self._type, self._give):
            self.flow.restart()
            for node in defined:
                self.flow.reach(node.start_byte)
                passes(node)
        for node in captures.get("variable", []):
            self._variable(node)
        self.flow.restart()
        for node in sorted([*defined, *events], key=_position):
            self.flow.reach(node.start_byte)
            self._meet(node)

    def _meet(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        flow, values = self.flow, self.values
        match node.type:
            case "call_expression" | "macro_invocation":
                values.value(node, scope)
            case "struct_expression":
                values.made(node, scope)
            case "function_item" | "function_signature_item":
                self._open(node, self._scope_of.get(node.id, scope))
            case "impl_item" | "trait_item" | "struct_item" | "enum_item" | "mod_item":
                self._frame(node, self._scope_of.get(node.id, scope))
            case "let_declaration" | "let_condition":
                self._let(node, scope)
            case "closure_expression":
                flow.block(node.end_byte)
                values.bind_closure(node, scope)
            case "match_arm":
                flow.block(node.end_byte)
                above = node.parent.parent if node.parent is not None else None
                value = values.value(above.child_by_field_name("value"), scope) if above is not None else None
                values.bind(node.child_by_field_name("pattern"), value, scope)
            case "for_expression":
                flow.block(node.end_byte)
                value = flow.inside(values.value(node.child_by_field_name("value"), scope), ELEMENT)
                values.bind(node.child_by_field_name("pattern"), value, scope)
            case "block" | "if_expression" | "while_expression":
                flow.block(node.end_byte)
            case _:
                return

    def _let(self, node: Node, scope: Scope) -> None:
        said, given = node.child_by_field_name("type"), node.child_by_field_name("value")
        value = self.values.value(given, scope)
        if said is not None:
            value = self.values.kind(said, scope) or value
        self.values.bind(node.child_by_field_name("pattern"), value, scope)

    # Definitions

    def _define(self, node: Node) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        if node.type == "mod_item" and body is None:
            self._uses.declare(self.reading.text(name_node), node)
            return
        reading, name = self.reading, self.reading.text(name_node)
        attributes, first = self._attributes(node)
        owner = self._owner(node)
        kind = _KINDS.get(node.type, NodeKind.FUNCTION)
        trait, prefix = self._alternative(attributes), ""
        holder = reading.inside(first)
        if node.type in ("function_item", "function_signature_item"):
            if owner is not None:
                kind, trait = NodeKind.METHOD, trait | Trait.MEMBER
                outer = reading.facts.definitions[holder.definition].qualified
                prefix = f"{outer}.{self._owner_name(owner)}" if outer else self._owner_name(owner)
            elif holder.is_class and reading.facts.definitions[holder.definition].kind is NodeKind.INTERFACE:
                kind = NodeKind.METHOD
            if _ATTRIBUTE.search(attributes):
                kind = NodeKind.TEST
        sought = f"{name}!" if node.type == "macro_definition" else ""
        if sought:
            self.values.macros.setdefault(name, len(reading.facts.definitions))
            reading.facts.aliases.append(Alias(MACRO + name, self._path, everywhere=True))
        stop = body.start_byte if body is not None else node.end_byte
        signature = reading.signature(node.start_byte, stop).removesuffix(";")
        scope = reading.define(
            kind, name, signature, first, node, trait, prefix, start=node.start_byte, sought=sought
        )
        self._scope_of[node.id] = scope
        if sought:
            holder.definitions[name].pop()
            if not holder.definitions[name]:
                del holder.definitions[name]

    def _attributes(self, node: Node) -> tuple[str, int]:
        """The words of a definition's attributes, and the byte where they begin."""
        first = node.start_byte
        at = node.prev_named_sibling
        while at is not None and at.type in ("attribute_item", "line_comment", "block_comment"):
            if at.type == "attribute_item":
                first = at.start_byte
            at = at.prev_named_sibling
        return self.reading.source[first : node.start_byte].decode("utf-8", "replace"), first

    def _alternative(self, attributes: str) -> Trait:
        found = _CONFIGURED.search(attributes) if "cfg" in attributes else None
        return Trait.ALTERNATIVE if found is not None and not holds(found.group(1)) else Trait.NONE

    def _owner(self, node: Node) -> Node | None:
        """The `impl` that a function is directly in."""
        above = node.parent.parent if node.parent is not None else None
        return above if above is not None and above.type == "impl_item" else None

    def _owner_name(self, node: Node) -> str:
        """The bare name of the type of an `impl`."""
        kind = node.child_by_field_name("type")
        while kind is not None and kind.type not in ("type_identifier", "primitive_type"):
            inner = kind.child_by_field_name("name") or kind.child_by_field_name("type")
            inner = inner or kind.child_by_field_name("element") or kind.child_by_field_name("trait")
            if inner is None:
                break
            kind = inner
        return re.sub(r"\W+", "", self.reading.text(kind)) if kind is not None else ""

    def _frame(self, node: Node, scope: Scope) -> Value | None:
        """The names that hold in all of a type, trait, `impl` or module: its parameters and `Self`."""
        flow = self.flow
        flow.block(node.end_byte)
        self._parameters_of_type(node, scope)
        value: Value | None = None
        if node.type == "impl_item":
            value = self._implemented(node, scope)
        elif node.type != "mod_item":
            value = Value(Head.LOCAL, scope.definition)
        if node.type != "mod_item":
            flow.bind("Self", value, is_exact=True)
        return value

    def _implemented(self, node: Node, scope: Scope) -> Value | None:
        """The type of an `impl`: one of this tree, or something outside that knows the methods beside."""
        kind = node.child_by_field_name("type")
        while kind is not None and kind.type == "reference_type":
            kind = kind.child_by_field_name("type")
        base = kind.child_by_field_name("type") if kind is not None and kind.type == "generic_type" else kind
        word = self.reading.text(base) if base is not None else ""
        value = self.values.kind(base, scope)
        is_own = (
            value is not None and not value.around and word not in TRANSPARENT | self._parameters_in(node)
        )
        if is_own and value is not None and value.head is not Head.OUTSIDE:
            return value
        number = self._beside.get(node.id)
        if number is None:
            number = self._beside[node.id] = len(self.values.beside)
            self.values.beside.append({})
        return Value(Head.OUTSIDE, number)

    def _parameters_in(self, node: Node) -> set[str]:
        parameters = node.child_by_field_name("type_parameters")
        names = [one.child_by_field_name("name") for one in parameters.named_children] if parameters else []
        return {self.reading.text(name) for name in names if name is not None}

    def _parameters_of_type(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("type_parameters")
        for one in parameters.named_children if parameters is not None else ():
            name = one.child_by_field_name("name")
            if one.type == "type_parameter" and name is not None:
                self.flow.bind(self.reading.text(name), self._bound(one.child_by_field_name("bounds"), scope))
        where = next((one for one in node.named_children if one.type == "where_clause"), None)
        for one in where.named_children if where is not None else ():
            left = one.child_by_field_name("left")
            if left is not None and left.type == "type_identifier":
                self.flow.bind(self.reading.text(left), self._bound(one.child_by_field_name("bounds"), scope))

    def _bound(self, node: Node | None, scope: Scope) -> Value | None:
        """The first trait of `: A + B` that may be of this tree."""
        for one in node.named_children if node is not None else ():
            value = self.values.kind(one, scope) if one.type != "lifetime" else None
            if value is not None and value.head is not Head.OUTSIDE:
                return value
        return None

    def _type(self, node: Node) -> None:
        """What objects of a type hold, and what it is derived from."""
        scope = self._scope_of.get(node.id, self.reading.inside(node.start_byte))
        flow, values, line = self.flow, self.values, self.reading.line(node.start_byte)
        body = node.child_by_field_name("body")
        match node.type:
            case "struct_item" | "union_item":
                self._frame(node, scope)
                self._derive(node, scope)
                self._fields(scope.definition, body, "", scope)
            case "enum_item":
                self._frame(node, scope)
                self._derive(node, scope)
                for variant in body.named_children if body is not None else ():
                    name = variant.child_by_field_name("name")
                    word = self.reading.text(name) if name is not None else ""
                    values.variants[word] = -1 if word in values.variants else scope.definition
                    self._fields(scope.definition, variant.child_by_field_name("body"), f"{word}#", scope)
            case "trait_item":
                self._frame(node, scope)
                bounds = node.child_by_field_name("bounds")
                for one in bounds.named_children if bounds is not None else ():
                    if one.type != "lifetime":
                        flow.inherit(scope.definition, values.kind(one, scope), line)
            case "type_item":
                if node.id in self._scope_of and (
                    node.parent is None or node.parent.type != "declaration_list"
                ):
                    flow.inherit(scope.definition, values.kind(node.child_by_field_name("type"), scope), line)
            case "impl_item":
                value = self._frame(node, scope)
                base = node.child_by_field_name("trait")
                if base is not None and value is not None and value.head is Head.LOCAL and not value.path:
                    flow.inherit(value.at, values.kind(base, scope), line)
            case "mod_item":
                flow.block(node.end_byte)
            case _:
                return

    def _derive(self, node: Node, scope: Scope) -> None:
        """`#[derive(Name)]` implements the trait of that name."""
        line = self.reading.line(node.start_byte)
        for found in _DERIVED.finditer(self._attributes(node)[0]):
            for name in found.group(1).split(","):
                value = self.values.path(name.strip().split("::"), scope, line) if name.strip() else None
                if value is not None and value.head is not Head.OUTSIDE:
                    self.flow.inherit(scope.definition, value, line)

    def _fields(self, source: int, body: Node | None, lead: str, scope: Scope) -> None:
        if body is None:
            return
        line = self.reading.line(body.start_byte)
        if body.type == "ordered_field_declaration_list":
            for i, one in enumerate(body.children_by_field_name("type")):
                self.flow.say(source, f"{lead}{i}", self.values.kind(one, scope), line)
            return
        for one in body.named_children:
            name = one.child_by_field_name("name")
            if one.type == "field_declaration" and name is not None:
                value = self.values.kind(one.child_by_field_name("type"), scope)
                self.flow.say(source, self.reading.text(name), value, self.reading.line(one.start_byte))

    def _give(self, node: Node) -> None:
        """Which class a function is a member of, and what it gives."""
        scope = self._scope_of.get(node.id, self.reading.inside(node.start_byte))
        if node.type in ("impl_item", "trait_item", "struct_item", "enum_item", "mod_item"):
            self._frame(node, scope)
        if node.type not in ("function_item", "function_signature_item") or node.id not in self._scope_of:
            return
        flow, line = self.flow, self.reading.line(node.start_byte)
        flow.block(node.end_byte)
        self._parameters_of_type(node, scope)
        own, owner = scope.definition, self._owner(node)
        value = flow.look("Self", scope) if owner is not None else None
        flow.own(own, value, line)
        if value is not None and value.head is Head.OUTSIDE:
            self.values.beside[value.at][self.reading.facts.definitions[own].name] = own
        returned = node.child_by_field_name("return_type")
        given = self.values.kind(returned, scope)
        flow.say(own, "", given, line)
        for label, part in self.values.parts(returned, scope):
            flow.say(own, label, part, line)
        holder = value.at if value is not None and value.head is Head.LOCAL and not value.path else -1
        parent = self.reading.facts.definitions[own].parent
        if owner is None and parent > 0 and self.reading.scope_of(parent).is_class:
            holder = parent
        if holder >= 0:
            name = f"{self.reading.facts.definitions[own].name}()"
            flow.around[holder, name] = given.around if given is not None else ""

    def _open(self, node: Node, scope: Scope) -> None:
        """The names that are bound where a function begins."""
        flow = self.flow
        flow.block(node.end_byte)
        self._parameters_of_type(node, scope)
        parameters = node.child_by_field_name("parameters")
        for one in parameters.named_children if parameters is not None else ():
            if one.type == "self_parameter":
                flow.bind("self", flow.look("Self", scope), is_exact=True)
            elif one.type == "parameter":
                value = self.values.kind(one.child_by_field_name("type"), scope)
                self.values.bind(one.child_by_field_name("pattern"), value, scope)

    def _variable(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        name = node.child_by_field_name("name")
        if name is not None and scope.number == 0:
            value = self.values.kind(node.child_by_field_name("type"), scope)
            self.flow.say(0, self.reading.text(name), value, self.reading.line(node.start_byte))


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
