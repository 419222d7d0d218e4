"""C#: definitions, usings and references of one file."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_c_sharp
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.csharp_names import SAME, chain, given, has_code, last_name, stop, takes, type_name
from numen.graph.parse.csharp_units import PROJECT, declares, project
from numen.graph.parse.facts import Alias, Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_c_sharp.language())
_QUERY = """
[(class_declaration) (struct_declaration) (record_declaration) (interface_declaration) (enum_declaration)
 (delegate_declaration) (method_declaration) (constructor_declaration) (destructor_declaration)
 (operator_declaration) (conversion_operator_declaration) (indexer_declaration) (property_declaration)
 (event_declaration) (local_function_statement) (lambda_expression) (anonymous_method_expression)] @scope
[(namespace_declaration) (file_scoped_namespace_declaration)] @namespace
(using_directive) @import
(invocation_expression) @call
(object_creation_expression) @new
(constructor_initializer) @initializer
(variable_declaration) @declare
(parameter) @parameter
(implicit_parameter) @bind
(type_parameter) @bind
(foreach_statement) @variable
(declaration_pattern) @variable
(recursive_pattern) @variable
(declaration_expression) @variable
(catch_declaration) @variable
"""

_KINDS = {
    "class_declaration": NodeKind.CLASS,
    "struct_declaration": NodeKind.CLASS,
    "record_declaration": NodeKind.CLASS,
    "interface_declaration": NodeKind.INTERFACE,
    "enum_declaration": NodeKind.ENUM,
    "delegate_declaration": NodeKind.TYPE,
    "local_function_statement": NodeKind.FUNCTION,
}
_NAMELESS = frozenset(("lambda_expression", "anonymous_method_expression"))
_TESTS = re.compile(rb"\[\s*(?:\w+\.)*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\w*\b")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a C# file given as UTF-8; a file that does not parse gives what could be read."""
    if not path.lower().endswith((".cs", ".csx")):
        return project(path, source)
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    in_order(captures, *captures)
    reader = _Reader(path, Reading(path, source, is_typed=True, is_implicit=True), is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, path: str, reading: Reading, is_test: bool) -> None:
        self._path = path
        self.reading = reading
        self._is_test = is_test
        self._spaces: list[tuple[int, int, str]] = []
        self._bases: list[tuple[Scope, Node]] = []

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        self._namespaces(captures.get("namespace", []))
        for node in captures.get("scope", []):
            if node.type in _NAMELESS:
                self.reading.open(node.start_byte, node.end_byte)
            else:
                self._define(node)
        for node in captures.get("import", []):
            self._import(node)
        self.reading.facts.imports.append(Import(PROJECT, "", "", ImportForm.STAR, 0, 1))
        for node in captures.get("bind", []):
            words = self.reading.text(node.child_by_field_name("name") or node)
            self.reading.inside(node.start_byte).assign(words.rpartition(" ")[2])
        for node in captures.get("parameter", []):
            self._parameter(node)
        for node in captures.get("declare", []):
            self._declare(node)
        for node in captures.get("variable", []):
            self._variable(node)
        for scope, node in self._bases:
            self._inherit(scope, node)
        for node in captures.get("initializer", []):
            self._initialize(node)
        for node in captures.get("new", []):
            self._new(node)
        for node in captures.get("call", []):
            self._call(node)

    # Namespaces

    def _namespaces(self, nodes: list[Node]) -> None:
        facts = self.reading.facts
        for node in nodes:
            name = node.child_by_field_name("name")
            words = "".join(self.reading.text(name).split()) if name is not None else ""
            above = self._space(node.start_byte)
            is_whole = node.type == "file_scoped_namespace_declaration"
            end = len(self.reading.source) + 1 if is_whole else node.end_byte
            self._spaces.append((node.start_byte, end, f"{above}.{words}" if above else words))
        spaces = sorted({space for _, _, space in self._spaces})
        facts.unit = f"csharp:{self._spaces[0][2] if self._spaces else ''}"
        facts.aliases = [Alias(f"csharp:{space}", "", everywhere=True) for space in spaces]

    def _space(self, byte: int) -> str:
        for start, end, name in reversed(self._spaces):
            if start <= byte < end:
                return name
        return ""

    def _home(self, byte: int) -> str:
        home = f"csharp:{self._space(byte)}"
        return home if home != self.reading.facts.unit else ""

    def _import(self, node: Node) -> None:
        reading = self.reading
        words = [reading.text(child) for child in node.children if child.type != "comment"]
        line = reading.line(node.start_byte)
        named = node.child_by_field_name("name")
        inner = [child for child in node.named_children if child != named]
        target = type_name(reading, inner[-1]) if inner else None
        if target is None:
            return
        if named is not None:
            module, _, name = target.rpartition(".")
            one = Import(module, name, reading.text(named), ImportForm.NAME, 0, line)
            reading.bind(one, reading.scopes[0])
        elif "static" in words:
            module, _, name = target.rpartition(".")
            reading.facts.imports.append(Import(module, name, "", ImportForm.NAME, 0, line))
        else:
            reading.facts.imports.append(Import(target, "", "", ImportForm.STAR, 0, line))
            if "global" in words and not any(one.name.startswith("csharp*") for one in reading.facts.aliases):
                reading.facts.aliases.append(declares(self._path))

    # Definitions

    def _define(self, node: Node) -> None:
        reading = self.reading
        start = next((c.start_byte for c in node.children if c.type != "attribute_list"), node.start_byte)
        name, sought = self._name(node, start)
        if not name or (node.type in ("property_declaration", "event_declaration") and not has_code(node)):
            self._property(node, start)
            return
        kind = _KINDS.get(node.type, NodeKind.METHOD)
        if (
            self._is_test
            and kind is NodeKind.METHOD
            and _TESTS.search(reading.source, node.start_byte, start)
        ):
            kind = NodeKind.TEST
        words = reading.source[start : start + 200].split(b"{", 1)[0].split()
        shared = (
            b"partial" in words if kind in (NodeKind.CLASS, NodeKind.INTERFACE) else kind is not NodeKind.ENUM
        )
        scope = reading.define(
            kind,
            name,
            reading.signature(start, stop(node)).removesuffix("{").removesuffix("=>").rstrip(" ;"),
            node.start_byte,
            node,
            Trait.SHARED if shared else Trait.NONE,
            start=start,
            sought=sought,
            home=self._home(node.start_byte),
            takes=takes(reading, node),
        )
        if kind in (NodeKind.CLASS, NodeKind.INTERFACE):
            self._bases.append((scope, node))
        elif kind in (NodeKind.METHOD, NodeKind.TEST, NodeKind.FUNCTION):
            if kind is not NodeKind.FUNCTION:
                scope.me = "this"
            self._returns(scope, node)
            self._extends(scope, node)

    def _name(self, node: Node, start: int) -> tuple[str, str]:
        name = node.child_by_field_name("name")
        if node.type == "constructor_declaration" and name is not None:
            return self.reading.text(name), ".ctor"
        if node.type == "destructor_declaration" and name is not None:
            return f"~{self.reading.text(name)}", ""
        if node.type == "indexer_declaration":
            return "this[]", ""
        if node.type.endswith("operator_declaration"):
            words = self.reading.signature(start, stop(node))
            found = re.search(r"operator\s*([^\s(]+)", words)
            return (f"operator {found.group(1)}", "") if found is not None else ("", "")
        text = self.reading.text(name) if name is not None else ""
        parameters = next((c for c in node.children if c.type == "type_parameter_list"), None)
        if parameters is not None and node.type in _KINDS and node.type != "local_function_statement":
            return text, f"{text}`{parameters.named_child_count}"
        return text, ""

    def _property(self, node: Node, start: int) -> None:
        """A property without code is what its objects hold."""
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        holder = self.reading.inside(node.start_byte)
        if name is not None and kind is not None and holder.is_class:
            self._hold(holder, self.reading.text(name), kind, self.reading.line(start))

    def _hold(self, holder: Scope, name: str, kind: Node, line: int) -> None:
        said = type_name(self.reading, kind)
        if said is not None:
            self.reading.hold(holder.definition, holder, name, said, line)
            self.reading.refer(holder, RefKind.REFERENCES, said.split("."), line)

    def _returns(self, scope: Scope, node: Node) -> None:
        kind = node.child_by_field_name("returns") or node.child_by_field_name("type")
        said = type_name(self.reading, kind) if kind is not None else None
        if said is not None:
            line = self.reading.line(node.start_byte)
            self.reading.refer(scope, RefKind.RETURNS, said.split("."), line)
            self.reading.refer(scope, RefKind.REFERENCES, said.split("."), line)

    def _extends(self, scope: Scope, node: Node) -> None:
        """An extension method is a member of its first parameter's class too."""
        parameters = node.child_by_field_name("parameters")
        first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
        if first is None or not any(
            c.type == "modifier" and self.reading.text(c) == "this" for c in first.children
        ):
            return
        kind = first.child_by_field_name("type")
        said = type_name(self.reading, kind) if kind is not None else None
        if said is not None:
            self.reading.refer(scope, RefKind.MEMBER, said.split("."), self.reading.line(first.start_byte))

    def _inherit(self, scope: Scope, node: Node) -> None:
        assert scope.parent is not None
        bases = next((child for child in node.children if child.type == "base_list"), None)
        for child in bases.named_children if bases is not None else ():
            said = type_name(self.reading, child.child_by_field_name("type") or child)
            if said is not None:
                line = self.reading.line(child.start_byte)
                self.reading.refer(scope, RefKind.INHERITS, said.split("."), line)

    # Names

    def _parameter(self, node: Node) -> None:
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None:
            return
        scope, word = self.reading.inside(node.start_byte), self.reading.text(name)
        if scope.is_class:
            if (
                kind is not None
                and self.reading.facts.definitions[scope.definition].kind is not NodeKind.TYPE
            ):
                self._hold(scope, word, kind, self.reading.line(node.start_byte))
            return
        scope.assign(word)
        said = type_name(self.reading, kind) if kind is not None else None
        if said is not None:
            scope.make(word, said)
            self.reading.refer(scope, RefKind.REFERENCES, said.split("."), self.reading.line(node.start_byte))

    def _declare(self, node: Node) -> None:
        """Fields and local variables."""
        reading = self.reading
        kind = node.child_by_field_name("type")
        scope = reading.inside(node.start_byte)
        line = reading.line(node.start_byte)
        for child in node.named_children:
            name = child.child_by_field_name("name") if child.type == "variable_declarator" else None
            if name is None or kind is None:
                continue
            word = reading.text(name)
            if scope.is_class:
                self._hold(scope, word, kind, line)
                continue
            scope.assign(word)
            said = type_name(reading, kind) if kind.type != "implicit_type" else self._made(child, name)
            if said is not None:
                scope.make(word, said)

    def _made(self, declarator: Node, name: Node) -> str | None:
        """What `var x = ...` says of the type of x: a class, or a chain of calls that gives it."""
        values = [child for child in declarator.named_children if child != name]
        names = chain(self.reading, values[-1]) if values else None
        return ".".join(names) if names is not None else None

    def _variable(self, node: Node) -> None:
        """Loop variables, pattern variables, `out` variables and caught exceptions."""
        name = node.child_by_field_name("name") or node.child_by_field_name("left")
        kind = node.child_by_field_name("type")
        if name is None or name.type != "identifier":
            return
        scope, word = self.reading.inside(node.start_byte), self.reading.text(name)
        if scope.is_class:
            return
        scope.assign(word)
        said = type_name(self.reading, kind) if kind is not None else None
        if said is not None:
            scope.make(word, said)

    # Uses

    def _new(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        said = type_name(self.reading, kind) if kind is not None else None
        if said is not None:
            scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
            self.reading.refer(scope, RefKind.CALLS, said.split("."), line)

    def _initialize(self, node: Node) -> None:
        """`: base(...)` makes an object of the base class, `: this(...)` calls another constructor."""
        scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
        if scope.owner < 0:
            return
        if any(child.type == "this" for child in node.children):
            target = Target(Head.SELF, scope.owner, (".ctor",))
            self.reading.add(scope.definition, RefKind.CALLS, target, line, given(node))
            return
        holder = self.reading.scope_of(scope.owner)
        for one, other in self._bases:
            bases = (
                next((c for c in other.children if c.type == "base_list"), None) if one is holder else None
            )
            said = type_name(self.reading, bases.named_children[0]) if bases is not None else None
            if said is not None:
                self.reading.refer(scope, RefKind.CALLS, said.split("."), line)

    def _call(self, node: Node) -> None:
        reading = self.reading
        function = node.child_by_field_name("function")
        if function is None:
            return
        scope, line = reading.inside(function.start_byte), reading.line(function.end_byte - 1)
        last = last_name(function)
        word = reading.text(last).partition("<")[0] if last is not None else ""
        if word in SAME:
            return
        names = chain(self.reading, function, is_called=True)
        passed = given(node)
        if names is None:
            if word:
                reading.ask(scope, word, line)
        elif names[0] == "base":
            if scope.owner >= 0 and len(names) == 2:
                target = Target(Head.SUPER, scope.owner, (names[1],))
                reading.add(scope.definition, RefKind.CALLS, target, line, passed)
        elif names != ["nameof"]:
            reading.refer(scope, RefKind.CALLS, names, line, given=passed)
