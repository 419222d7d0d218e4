"""C++: definitions, includes, namespaces and references of one file."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from numen.graph.parse.cpp_macros import blanked, unconditional
from numen.graph.parse.cpp_names import declared, qualified, takes, type_name, written
from numen.graph.parse.cpp_units import OPENED
from numen.graph.parse.cpp_values import Values
from numen.graph.parse.facts import Alias, Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_cpp.language())
_QUERY = """
[(class_specifier body: (_)) (struct_specifier body: (_)) (union_specifier body: (_))
 (enum_specifier body: (_)) (function_definition) (alias_declaration) (type_definition)
 (preproc_function_def) (lambda_expression)] @scope
(field_declaration declarator: (_)) @scope
(declaration declarator: (function_declarator)) @scope
(namespace_definition) @namespace
(preproc_include path: (_) @include)
[(using_declaration) (namespace_alias_definition)] @using
[(parameter_declaration) (optional_parameter_declaration) (variadic_parameter_declaration)] @parameter
(type_parameter_declaration (type_identifier) @bind)
(variadic_type_parameter_declaration (type_identifier) @bind)
(declaration) @declare
(for_range_loop) @loop
(structured_binding_declarator (identifier) @bind)
(call_expression) @call
(new_expression) @new
"""

_CLASSES = {
    "class_specifier": NodeKind.CLASS,
    "struct_specifier": NodeKind.CLASS,
    "union_specifier": NodeKind.CLASS,
    "enum_specifier": NodeKind.ENUM,
}
_TESTS = frozenset(
    "TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P FRIEND_TEST BOOST_AUTO_TEST_CASE BOOST_FIXTURE_TEST_CASE "
    "TEST_CASE SCENARIO GTEST_TEST SECTION".split()
)
_OPENED = re.compile(rb"#[ \t]*define[ \t]+\w+(?:[ \t]|\\\r?\n)+(?:inline[ \t]+)?namespace[ \t]+(\w+)")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a C++ file given as UTF-8; a file that does not parse gives what could be read."""
    tree = _tree(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    in_order(captures, *captures)
    reader = _Reader(Reading(path, source, is_typed=True, is_implicit=True), is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


def _tree(source: bytes) -> Tree:
    """The tree with the fewest bytes of error, of the file as it is, then without what hides its form."""
    parser = Parser(_LANGUAGE)
    text = blanked(source)
    best, least = parser.parse(text), 0
    if best.root_node.has_error:
        least = _errors(best.root_node)
        for other in (unconditional(text, both=True), unconditional(text, both=False), source):
            tree = parser.parse(other)
            errors = _errors(tree.root_node)
            if errors < least:
                best, least = tree, errors
            if not least:
                break
    return best


def _errors(root: Node) -> int:
    """The bytes of a tree that no rule of the grammar explains."""
    count = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            count += node.end_byte - node.start_byte + 1
        elif node.has_error:
            pending.extend(node.children)
    return count


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, is_test: bool) -> None:
        self.reading = reading
        self._is_test = is_test
        self._spaces: list[tuple[int, int, str, bool]] = []
        self._parts: set[str] = set()
        self._bases: list[tuple[Scope, Node]] = []
        self._values = Values(reading)

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        self._namespaces(captures.get("namespace", []))
        for node in captures.get("scope", []):
            self._define(node)
        for node in captures.get("include", []):
            line = self.reading.line(node.start_byte)
            module = written(node).strip('"')
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.MODULE, 0, line))
        for node in captures.get("using", []):
            self._using(node)
        for node in captures.get("bind", []):
            self.reading.inside(node.start_byte).assign(written(node))
        for node in captures.get("parameter", []):
            self._values.parameter(node)
        for node in captures.get("declare", []):
            self._values.declare(node)
        for node in captures.get("loop", []):
            self._values.loop(node)
        for scope, node in self._bases:
            self._inherit(scope, node)
        for node in captures.get("new", []):
            self._values.new(node)
        for node in captures.get("call", []):
            self._values.call(node)

    # Namespaces

    def _namespaces(self, nodes: list[Node]) -> None:
        facts = self.reading.facts
        for node in nodes:
            name = node.child_by_field_name("name")
            above, hidden = self._space(node.start_byte)
            words = "".join(written(name).split()) if name is not None else ""
            if any(
                child.type == "inline" for child in node.children
            ):  # its names are those of the one around
                words = ""
            elif name is None:
                hidden = True
            space = "::".join(part for part in (above, words) if part)
            self._spaces.append((node.start_byte, node.end_byte, space, hidden))
            self._parts.update(space.split("::"))
        spaces = sorted({space for _, _, space, _ in self._spaces if space})
        facts.unit = f"cpp:{spaces[0]}" if spaces else "cpp:"
        facts.aliases = [Alias(f"cpp:{space}", "", everywhere=True) for space in spaces]
        for found in sorted(set(_OPENED.findall(self.reading.source))):
            facts.aliases.append(Alias(f"{OPENED}{found.decode()}", "", everywhere=True))

    def _space(self, byte: int) -> tuple[str, bool]:
        """The namespace that holds `byte`, and whether it is one without a name."""
        for start, end, name, hidden in reversed(self._spaces):
            if start <= byte < end:
                return name, hidden
        return "", False

    def _using(self, node: Node) -> None:
        line = self.reading.line(node.start_byte)
        names = next(
            (found for c in reversed(node.named_children) if (found := qualified(c)) is not None), None
        )
        scope = self.reading.inside(node.start_byte)
        if names is None or scope.is_class:
            return
        names = [name for name in names if name]
        if node.type == "namespace_alias_definition":
            local = node.child_by_field_name("name")
            one = Import("::".join(names), "", written(local) if local else "", ImportForm.MODULE, 0, line)
            self.reading.bind(one, scope)
        elif any(child.type == "namespace" for child in node.children):
            module = self._known("::".join(names), node.start_byte)
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.STAR, 0, line))
        elif len(names) > 1:
            module = self._known("::".join(names[:-1]), node.start_byte)
            self.reading.bind(Import(module, names[-1], names[-1], ImportForm.NAME, 0, line), scope)

    def _known(self, name: str, byte: int) -> str:
        """The whole name of a namespace that is named from inside another, as far as this file tells."""
        above, _ = self._space(byte)
        spaces = {space for _, _, space, _ in self._spaces}
        while above:
            if f"{above}::{name}" in spaces:
                return f"{above}::{name}"
            above = above.rpartition("::")[0]
        return name

    # Definitions

    def _define(self, node: Node) -> None:
        if node.type == "lambda_expression":
            self.reading.open(node.start_byte, node.end_byte)
        elif node.type in _CLASSES:
            self._class(node, node.child_by_field_name("name"), _CLASSES[node.type])
        elif node.type in ("alias_declaration", "type_definition"):
            self._alias(node)
        elif node.type == "preproc_function_def":
            self._macro(node)
        else:
            self._function(node)

    def _class(self, node: Node, name: Node | None, kind: NodeKind) -> None:
        above = node.parent
        if name is None and above is not None and above.type == "type_definition":
            name = above.child_by_field_name("declarator")
        names = qualified(name) if name is not None else None
        body = node.child_by_field_name("body")
        if names is None or body is None or name is None:
            return
        inner = name
        while (
            inner.type == "qualified_identifier" and (below := inner.child_by_field_name("name")) is not None
        ):
            inner = below
        sought = "".join(written(inner).split()) if inner.type == "template_type" else ""
        scope = self._add(kind, names, node, body.start_byte, sought=sought)
        if kind is NodeKind.CLASS:
            self._bases.append((scope, node))

    def _alias(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        if node.type == "alias_declaration":
            name = node.child_by_field_name("name")
        else:
            name, _ = declared(node.child_by_field_name("declarator"))
            if kind is not None and kind.child_by_field_name("body") is not None:
                return  # the class or enum is defined by this name, or by its own
        if name is None or name.type != "type_identifier":
            return
        scope = self._add(NodeKind.TYPE, [written(name)], node, node.end_byte)
        said = type_name(kind) if kind is not None else None
        if said is not None and said != written(name) and scope.parent is not None:
            line = self.reading.line(node.start_byte)
            self.reading.refer(scope.parent, RefKind.RETURNS, said.split("."), line, scope.definition)

    def _macro(self, node: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            stop = value.start_byte if value is not None else node.end_byte
            signature = self.reading.signature(node.start_byte, stop)
            self.reading.define(
                NodeKind.FUNCTION, written(name), signature, node.start_byte, node, Trait.SHARED, home="cpp:"
            )

    def _function(self, node: Node) -> None:
        """A function, or the declaration of a method; other declarations of functions say nothing new."""
        name, function = declared(node.child_by_field_name("declarator"))
        body = node.child_by_field_name("body")
        holder = self.reading.inside(node.start_byte)
        if name is None or function is None:
            if node.type == "field_declaration":
                self._values.fields(node, holder)
            return
        names = qualified(name)
        if names is None or (node.type != "function_definition" and not holder.is_class):
            return
        if names[0] in _TESTS and len(names) == 1:
            self._test(node, function, body)
            return
        trait = Trait.NONE if node.type == "function_definition" else Trait.OVERLOAD
        stop = body.start_byte if body is not None else node.end_byte
        own = self.reading.facts.definitions[holder.definition].name if holder.is_class else ""
        is_maker = names[-1] == own or (len(names) > 1 and names[-1] == names[-2])
        scope = self._add(
            NodeKind.METHOD if holder.is_class or len(self._outer(names[:-1])) else NodeKind.FUNCTION,
            names,
            node,
            stop,
            trait=trait | Trait.SHARED,
            sought=".ctor" if is_maker else "",
            takes=takes(function),
        )
        self._returns(scope, node, function)

    def _outer(self, names: list[str]) -> list[str]:
        """The classes among the names before the last; the namespaces before them are left out."""
        while names and (not names[0] or names[0] in self._parts):
            names = names[1:]
        return names

    def _add(
        self,
        kind: NodeKind,
        names: list[str],
        node: Node,
        stop: int,
        *,
        trait: Trait = Trait.NONE,
        sought: str = "",
        takes: tuple[int, int] = (-1, -1),
    ) -> Scope:
        """Add a definition, inside the class it stands in or of the one that its name is led by."""
        reading = self.reading
        above = node.parent
        first = (
            above.start_byte
            if above is not None and above.type == "template_declaration"
            else node.start_byte
        )
        space, hidden = self._space(node.start_byte)
        home = f"cpp:{space}"
        outer = self._outer(names[:-1])
        static = any(c.type == "storage_class_specifier" and written(c) == "static" for c in node.children)
        holder = reading.inside(first)
        if (hidden or (static and holder.number == 0)) and not outer:
            trait |= Trait.PRIVATE
        start = self._start(node)
        scope = reading.define(
            kind,
            names[-1],
            reading.signature(start, stop).removesuffix("{").rstrip(" ;:"),
            first,
            node,
            trait,
            ".".join(outer),
            start=start,
            sought=sought,
            home=home if home != reading.facts.unit else "",
            takes=takes,
        )
        if outer and not holder.is_class:
            path = tuple(name for name in names[:-1] if name)
            reading.add(scope.definition, RefKind.MEMBER, Target(Head.FREE, 0, path), reading.line(start))
            scope.owner = scope.definition
        if kind is NodeKind.METHOD and scope.owner >= 0:
            scope.me = "this"
        return scope

    def _start(self, node: Node) -> int:
        """Where the line of the name begins for a function whose type stands above it."""
        name, function = declared(node.child_by_field_name("declarator"))
        if function is None or name is None or node.type != "function_definition":
            return node.start_byte
        kind = node.child_by_field_name("type")
        has_own = kind is not None and kind.child_by_field_name("body") is not None  # a class in its place
        same = self.reading.line(node.start_byte) == self.reading.line(name.start_byte)
        return node.start_byte if same or has_own else name.start_byte

    def _test(self, node: Node, function: Node, body: Node | None) -> None:
        """`TEST(Suite, Name) { ... }`."""
        parameters = function.child_by_field_name("parameters")
        words = [written(child) for child in parameters.named_children] if parameters is not None else []
        name = ".".join(" ".join(word.strip('"').split()) for word in words)
        if not name or body is None:
            return
        kind = NodeKind.TEST if self._is_test else NodeKind.FUNCTION
        signature = self.reading.signature(node.start_byte, body.start_byte)
        self.reading.define(kind, name, signature, node.start_byte, node, Trait.PRIVATE)

    def _returns(self, scope: Scope, node: Node, function: Node) -> None:
        trailing = next((c for c in function.children if c.type == "trailing_return_type"), None)
        kind = trailing.named_children[0] if trailing is not None and trailing.named_children else None
        kind = kind or node.child_by_field_name("type")
        said = type_name(kind) if kind is not None else None
        if said is not None:
            line = self.reading.line(node.start_byte)
            self.reading.refer(scope, RefKind.RETURNS, said.split("."), line)
            self.reading.refer(scope, RefKind.REFERENCES, said.split("."), line)

    def _inherit(self, scope: Scope, node: Node) -> None:
        clause = next((c for c in node.children if c.type == "base_class_clause"), None)
        for child in clause.named_children if clause is not None else ():
            names = qualified(child)
            if names is not None and names[0] != "std" and scope.parent is not None:
                line = self.reading.line(child.start_byte)
                names = [name for name in names if name]
                self.reading.refer(scope.parent, RefKind.INHERITS, names, line, scope.definition)
