"""C: definitions, includes and calls of one file, macros included. Its unit is the file."""

from __future__ import annotations

import re
from functools import cache
from operator import attrgetter

import tree_sitter_c
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.c_names import KEYWORDS, LIBRARY
from numen.graph.parse.facts import Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.flow import Flow, Value
from numen.graph.parse.reading import Reading
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_c.language())
_QUERY = """
(preproc_include path: (_) @include)
(preproc_def) @constant
[(function_definition) (preproc_function_def) (type_definition)
 (struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @define
(declaration declarator: (function_declarator) @prototype)
(declaration declarator: (pointer_declarator declarator: (function_declarator) @prototype))
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator:
  (function_declarator) @prototype)))
(call_expression function: (identifier) @call)
(argument_list (identifier) @argument)
(initializer_list (identifier) @mention)
(initializer_list (pointer_expression argument: (identifier) @mention))
(initializer_pair value: (identifier) @mention)
(ERROR) @error
(MISSING) @error
"""

_KINDS = {
    "struct_specifier": NodeKind.CLASS,
    "union_specifier": NodeKind.CLASS,
    "enum_specifier": NodeKind.ENUM,
    "type_definition": NodeKind.TYPE,
}
_UNUSUAL = frozenset((b"WIN32", b"_WIN32", b"WIN64", b"_WIN64", b"_MSC_VER", b"__MINGW32__", b"__CYGWIN__"))
_WINDOWS = re.compile(rb"#\s*ifdef\s+(?:_*WIN|_MSC_VER|__MINGW|__CYGWIN)")
_START = attrgetter("start_byte")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:  # noqa: ARG001  C has no form for tests
    """The facts of a C file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    reader = _Reader(Reading(path, source))
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        errors = sorted(node.start_byte for node in captures.get("error", []))
        line = reader.reading.line(errors[0]) if errors else 1
        facts.problem = f"does not parse at line {line}; what could be read is kept"
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.reading.has_star = True
        self.flow = Flow(reading, frozenset())
        self._functions: dict[str, int] = {}
        self._declared: set[str] = set()
        self._asked: set[tuple[int, RefKind, bytes]] = set()
        self._is_conditional = _WINDOWS.search(reading.source) is not None

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is declared and included, then what is called."""
        macros: list[tuple[Node, int]] = []
        for node in sorted(captures.get("define", []), key=_position):
            number = self._define(node)
            if number and node.type == "preproc_function_def":
                macros.append((node, number))
        imports = self.reading.facts.imports
        for node in captures.get("include", []):
            self._include(node)
        for node in captures.get("prototype", []):
            self._prototype(node)
        for node in captures.get("constant", []):
            self._constant(node)
        self._use(captures.get("call", []), RefKind.CALLS)
        for node, number in macros:
            self._macro(node, number)
        known = {name.encode() for name in self._functions}
        text = self.reading.source
        arguments = captures.get("argument", [])
        arguments = [node for node in arguments if text[node.start_byte : node.end_byte] in known]
        self._use([*captures.get("mention", []), *arguments], RefKind.REFERENCES)
        imports.sort(key=lambda one: (one.line, one.form, one.local))

    # Definitions

    def _define(self, node: Node) -> int:
        """Define what `node` names and give its number, 0 if it names nothing."""
        reading = self.reading
        above = node.parent if node.type.endswith("_specifier") else None
        if above is not None and above.type == "type_definition":  # it is defined by that name
            return 0
        kind = _KINDS.get(node.type, NodeKind.FUNCTION)
        name_node = node.child_by_field_name("name") or _name(node.child_by_field_name("declarator"))
        if node.type == "type_definition":
            said = node.child_by_field_name("type")
            if said is not None and said.child_by_field_name("body") is not None:
                kind = _KINDS.get(said.type, NodeKind.TYPE)
        if name_node is None:
            return 0
        name = reading.text(name_node)
        if not _WORD.fullmatch(name) or name in KEYWORDS:
            return 0
        body = node.child_by_field_name("body") or node.child_by_field_name("value")
        start = node.start_byte
        trait, number = Trait.NONE, len(reading.facts.definitions)
        if kind is NodeKind.FUNCTION:
            start = name_node.start_byte
            trait = self._trait(node, name)
            self._functions.setdefault(name, number)
        stop = body.start_byte if body is not None else node.end_byte
        if kind in (NodeKind.CLASS, NodeKind.ENUM):
            stop = reading.source.find(b"{", node.start_byte, node.end_byte)
        signature = reading.signature(node.start_byte, stop).removesuffix(";")
        reading.define(kind, name, signature, node.start_byte, node, trait, start=start)
        return number

    def _trait(self, node: Node, name: str) -> Trait:
        """A function that others cannot name, and one that stands in for another of its name."""
        trait = Trait.ALTERNATIVE if name in self._functions else Trait.NONE
        if node.type == "preproc_function_def":
            return trait | Trait.PRIVATE
        return trait | Trait.PRIVATE if self._is_static(node) else trait

    def _is_static(self, node: Node) -> bool:
        while node.type.endswith("declarator") and node.parent is not None:
            node = node.parent
        kind = "storage_class_specifier"
        return any(one.type == kind and self.reading.text(one) == "static" for one in node.children)

    # Imports

    def _include(self, node: Node) -> None:
        text = self.reading.text(node)
        module = text.strip('"') if node.type == "string_literal" else text
        if module:
            line = self.reading.line(node.start_byte)
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.STAR, 0, line))

    def _prototype(self, node: Node) -> None:
        name_node = _name(node)
        scope = self.reading.inside(node.start_byte)
        if (self._is_conditional and _is_unusual(node)) or self._is_static(node):
            return
        name = self.reading.text(name_node) if name_node is not None else ""
        if name and scope.number == 0 and name not in self._functions and name not in self._declared:
            self._declared.add(name)
            line = self.reading.line(node.start_byte)
            self.reading.facts.imports.append(Import("", name, name, ImportForm.DECLARED, 0, line))

    def _constant(self, node: Node) -> None:
        """`#define a b`: another name for what may be a function."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return
        local, word = self.reading.text(name), self.reading.text(value).strip()
        if _WORD.fullmatch(word) and word != local and self.reading.inside(node.start_byte).number == 0:
            line = self.reading.line(node.start_byte)
            self.reading.facts.imports.append(Import("", word, local, ImportForm.NAME, 0, line))

    # Uses

    def _use(self, nodes: list[Node], kind: RefKind) -> None:
        """Note each name once for each definition that uses it."""
        source = self.reading.source
        for node in sorted(nodes, key=_START):
            start = node.start_byte
            word = source[start : node.end_byte]
            definition = self.reading.inside(start).definition
            key = (definition, kind, word)
            if key not in self._asked:
                self._asked.add(key)
                self._name(definition, kind, word.decode("utf-8", "replace"), start)

    def _name(self, source: int, kind: RefKind, name: str, byte: int) -> None:
        line = self.reading.line(byte)
        number = self._functions.get(name)
        if number is not None:
            self.flow.add(source, kind, Value(Head.LOCAL, number), line)
        elif name not in LIBRARY:
            self.flow.add(source, kind, Value(Head.FREE, 0, (name,)), line)

    def _macro(self, node: Node, number: int) -> None:
        """What is called where a macro is used."""
        value, parameters = node.child_by_field_name("value"), node.child_by_field_name("parameters")
        if value is None or parameters is None:
            return
        own = set(_WORD.findall(self.reading.text(parameters)))
        for found in _CALLED.finditer(self.reading.text(value)):
            name = found.group(1)
            if name not in own and name not in KEYWORDS:
                self._name(number, RefKind.CALLS, name, value.start_byte)


def _name(node: Node | None) -> Node | None:
    """The name that a declarator declares."""
    while node is not None and node.type not in ("identifier", "type_identifier", "field_identifier"):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type == "parenthesized_declarator":
            inner = next(iter(node.named_children), None)
        node = inner
    return node


def _is_unusual(node: Node) -> bool:
    """Whether something is only there on Windows."""
    at, inner = node.parent, node
    while at is not None:
        if at.type == "preproc_ifdef" and at.children[0].type == "#ifdef":
            name = at.child_by_field_name("name")
            if name is not None and name.text in _UNUSUAL and at.child_by_field_name("alternative") != inner:
                return True
        at, inner = at.parent, at
    return False


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
