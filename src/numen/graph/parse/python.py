"""Python: definitions, imports and references of one file."""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import io
import logging
import pathlib
import re
import socket
import subprocess
import threading
from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_python.language())
_QUERY = """
[(function_definition) (class_definition) (lambda)] @scope
(call function: [(identifier) (attribute)] @call)
(decorator [(identifier) (attribute)] @call)
(import_statement) @import
(import_from_statement) @import
(assignment left: (identifier) @bind)
(assignment left: (pattern_list (identifier) @bind))
(assignment left: (tuple_pattern (identifier) @bind))
(augmented_assignment left: (identifier) @bind)
(for_statement left: (identifier) @bind)
(for_statement left: (pattern_list (identifier) @bind))
(for_statement left: (tuple_pattern (identifier) @bind))
(for_in_clause left: (identifier) @bind)
(for_in_clause left: (pattern_list (identifier) @bind))
(for_in_clause left: (tuple_pattern (identifier) @bind))
(lambda_parameters (identifier) @bind)
(lambda_parameters (default_parameter name: (identifier) @bind))
(as_pattern_target (identifier) @bind)
(named_expression name: (identifier) @bind)
(case_pattern (dotted_name . (identifier) @bind .))
(assignment right: [
  (call function: [(identifier) (attribute object: [(identifier) (attribute object: (identifier))])])
  (await (call function: [(identifier) (attribute object: [(identifier) (attribute object: (identifier))])]))
]) @made
(assignment type: (type)) @made
(assignment left: (attribute object: (identifier)) right: (identifier)) @given
(as_pattern
  (call function: [(identifier) (attribute object: (identifier))])
  (as_pattern_target (identifier) @with))
"""

_BUILTINS = frozenset(dir(builtins))
_KNOWN = (
    str, bytes, bytearray, memoryview, list, dict, set, frozenset, tuple, int, float, complex, type, object,
    property, BaseException, datetime.datetime, datetime.timedelta, pathlib.Path, re.Pattern, re.Match,
    collections.deque, collections.Counter, collections.OrderedDict, threading.Thread, threading.Event,
    subprocess.Popen, socket.socket, io.TextIOWrapper, io.BytesIO, logging.Logger, decimal.Decimal,
)  # fmt: skip
COMMON = frozenset(name for kind in _KNOWN for name in dir(kind)) | frozenset(
    "add_argument parse_args acquire release cursor execute executemany fetchone fetchall fetchmany "
    "commit rollback put get_nowait put_nowait done result cancel submit assert_called_once_with "
    "assert_called_with assert_called_once assert_not_called assert_any_call main setup all first save "
    "load loads dump dumps".split()
)
"""Attributes of built-in and standard types, cursors, locks, futures, mocks and the like."""
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
_MADE_AND_ASKED = re.compile(r"(\w+(?:\.\w+)?)\([^()]*\)\.(\w+)")
_MADE = re.compile(r"(self\.|cls\.)?(\w+)\s*(?::\s*([^=]+?))?\s*(?:=\s*(?:await\s+)?(\w+(?:\.\w+)*)?|$)")
_PARAMETER = re.compile(r"\*{0,2}\s*(\w+)\s*(?::\s*([^=]+?))?\s*(?:=|$)")
_FROM = re.compile(r"from\s+(\.*\s*[\w.]*)\s+import\s+(.*)", re.DOTALL)
_ANNOTATION = re.compile(r"""["']?(?:Optional\[)?(\w+(?:\.\w+)*)\]?(?:\s*\|\s*None)?["']?""")
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices"))
_STATIC = re.compile(rb"@\s*staticmethod\b")
_OVERLOAD = re.compile(rb"@\s*(?:\w+\.)?overload\b|@\s*\w+\.(?:setter|deleter)\b")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a Python file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    in_order(captures, "import", "call")
    reader = _Reader(Reading(path, source, _BUILTINS, is_typed=True), is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, is_test: bool) -> None:
        self.reading = reading
        self._is_test = is_test
        self._asked: set[tuple[int, bytes]] = set()
        self._results: list[tuple[Scope, str]] = []
        self._held: list[tuple[int, Scope, str, str, int]] = []

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        reading = self.reading
        bases: list[tuple[Scope, Node]] = []
        for node in sorted(captures.get("scope", []), key=_position):
            if node.type == "lambda":
                reading.open(node.start_byte, node.end_byte)
            else:
                self._define(node, bases)
        for node in captures.get("import", []):
            self._import(node)
        for node in captures.get("bind", []):
            reading.inside(node.start_byte).assign(reading.text(node))
        for node in captures.get("made", []):
            self._made(node)
        for node in captures.get("with", []):
            self._with(node)
        for node in captures.get("given", []):
            self._given(node)
        for scope, node in bases:
            self._inherit(scope, node)
        for scope, said in self._results:
            self._return(scope, said)
        reading.hold_variables()
        for holder, scope, name, kind, line in self._held:
            reading.hold(holder, scope, name, kind, line)
        for node in captures.get("call", []):
            self._call(node)

    def _define(self, node: Node, bases: list[tuple[Scope, Node]]) -> None:
        reading = self.reading
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        above = node.parent
        decorated = above is not None and above.type == "decorated_definition"
        first = above.start_byte if above is not None and decorated else node.start_byte
        decorators = reading.source[first : node.start_byte]
        name = reading.text(name_node)
        holder = reading.inside(first)
        is_class = node.type == "class_definition"
        inner = node.child_by_field_name("superclasses" if is_class else "parameters")
        stop = body.start_byte if body is not None else node.end_byte
        signature = reading.signature(node.start_byte, stop)
        told, colon, _ = signature.rpartition(":")
        trait = Trait.OVERLOAD if decorated and _OVERLOAD.search(decorators) else Trait.NONE
        kind = self._kind(is_class, name, holder, inner)
        scope = reading.define(kind, name, told if colon else signature, first, node, trait)
        if inner is not None and is_class:
            bases.append((scope, inner))
        elif inner is not None:
            self._parameters(scope, inner, is_method=holder.is_class and not _STATIC.search(decorators))
        result = None if is_class else node.child_by_field_name("return_type")
        if result is not None:
            self._results.append((scope, reading.text(result)))

    def _kind(self, is_class: bool, name: str, holder: Scope, bases: Node | None) -> NodeKind:
        if is_class:
            words = set(re.findall(r"\w+", self.reading.text(bases))) if bases is not None else set[str]()
            if words & _ENUMS:
                return NodeKind.ENUM
            return NodeKind.INTERFACE if "Protocol" in words else NodeKind.CLASS
        if self._is_test and name.startswith("test"):
            return NodeKind.TEST
        return NodeKind.METHOD if holder.is_class else NodeKind.FUNCTION

    def _parameters(self, scope: Scope, node: Node, *, is_method: bool) -> None:
        for i, child in enumerate(node.named_children):
            found = _PARAMETER.match(self.reading.text(child))
            if found is None:
                continue
            name, annotation = found.groups()
            if i == 0 and is_method and annotation is None:
                scope.me = name
                continue
            scope.assign(name)
            kind = _class_in(annotation) if annotation is not None else None
            if kind is not None:
                scope.declare(name, kind)

    def _import(self, node: Node) -> None:
        text = self.reading.text(node)
        if "#" in text:
            text = re.sub(r"#[^\n]*", "", text)
        text = text.replace("\\\n", " ")
        scope = self.reading.inside(node.start_byte)
        line = self.reading.line(node.start_byte)
        found = _FROM.match(text)
        if found is None:
            self._import_modules(text[len("import") :], scope, line)
            return
        module = "".join(found.group(1).split())
        for item in found.group(2).strip("() \n\t").split(","):
            words = item.split()
            if words == ["*"]:
                self.reading.has_star = True
                star = Import(module, "", "", ImportForm.STAR, scope.definition, line)
                self.reading.facts.imports.append(star)
            elif words:
                one = Import(module, words[0], words[-1], ImportForm.NAME, scope.definition, line)
                self.reading.bind(one, scope)

    def _import_modules(self, text: str, scope: Scope, line: int) -> None:
        for item in text.split(","):
            words = item.split()
            if not words:
                continue
            form, local = ImportForm.MODULE, words[-1]
            if len(words) == 1:
                local, dot, _ = words[0].partition(".")
                form = ImportForm.PACKAGE if dot else ImportForm.MODULE
            self.reading.bind(Import(words[0], "", local, form, scope.definition, line), scope)

    def _made(self, node: Node) -> None:
        """`x = Name(...)`, `self.x = Name(...)` and `x: Name`: the type of a name, as far as it is said."""
        found = _MADE.match(self.reading.text(node))
        if found is None:
            return
        me, name, annotation, called = found.groups()
        scope = self.reading.inside(node.start_byte)
        kind = _class_in(annotation) if annotation is not None else called
        holder = scope.owner if me else scope.definition if scope.is_class and annotation is not None else -1
        if kind is None:
            return
        if holder >= 0:
            line = self.reading.line(node.start_byte)
            self._held.append((holder, scope, name, kind, line))
        elif annotation is not None:
            scope.declare(name, kind)
        elif not me:
            scope.make(name, kind)

    def _given(self, node: Node) -> None:
        """`self.x = x`, where it is said what `x` is."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        scope = self.reading.inside(node.start_byte)
        if left is None or right is None or scope.owner < 0:
            return
        me, _, name = self.reading.text(left).partition(".")
        kind = self.reading.kind_of(scope, self.reading.text(right))
        if me == scope.me and kind is not None and kind not in scope.assigned:
            self._held.append((scope.owner, scope, name, kind, self.reading.line(node.start_byte)))

    def _with(self, node: Node) -> None:
        """`with Name(...) as x`: what a class gives on entry is nearly always itself."""
        above = node.parent.parent if node.parent is not None else None
        call = above.named_children[0] if above is not None else None
        function = call.child_by_field_name("function") if call is not None else None
        if function is not None:
            scope = self.reading.inside(node.start_byte)
            scope.make(self.reading.text(node), self.reading.text(function))

    def _return(self, scope: Scope, said: str) -> None:
        kind = _class_in(said)
        if kind is None or scope.parent is None:
            return
        line = self.reading.facts.definitions[scope.definition].start
        if kind.rpartition(".")[2] == "Self" and scope.owner >= 0:
            self.reading.add(scope.definition, RefKind.RETURNS, Target(Head.LOCAL, scope.owner, ()), line)
        else:
            self.reading.refer(scope.parent, RefKind.RETURNS, kind.split("."), line, source=scope.definition)

    def _inherit(self, scope: Scope, node: Node) -> None:
        assert scope.parent is not None
        line = self.reading.line(node.start_byte)
        for child in node.named_children:
            text, _, _ = self.reading.text(child).partition("[")
            kind = RefKind.INHERITS
            if child.type == "keyword_argument":
                _, _, text = text.partition("=")
                kind = RefKind.REFERENCES
            if _DOTTED.fullmatch(text.strip()):
                self.reading.refer(scope.parent, kind, text.strip().split("."), line, source=scope.definition)

    def _call(self, node: Node) -> None:
        reading = self.reading
        start, end = node.start_byte, node.end_byte
        scope = reading.inside(start)
        words = reading.source[start : min(end, start + 200)]
        if (scope.number, words) in self._asked:
            return
        self._asked.add((scope.number, words))
        line = reading.line(start)
        text = words.decode("utf-8", "replace")
        if text.isidentifier():
            reading.refer(scope, RefKind.CALLS, [text], line)
            return
        if _DOTTED.fullmatch(text):
            reading.refer(scope, RefKind.CALLS, text.split("."), line)
            return
        if text.startswith("super().") and scope.owner >= 0 and text[8:].isidentifier():
            reading.add(scope.definition, RefKind.CALLS, Target(Head.SUPER, scope.owner, (text[8:],)), line)
            return
        made = _MADE_AND_ASKED.fullmatch(text)
        if made is not None:
            target = reading.resolved(scope, [*made.group(1).split("."), made.group(2)])
            if target is not None and target.head is not Head.UNKNOWN:
                reading.add(scope.definition, RefKind.CALLS, target._replace(inferred=True), line)
                return
        last = (
            reading.source[reading.source.rfind(b".", start, end) + 1 : end]
            .decode("utf-8", "replace")
            .strip()
        )
        if last.isidentifier():
            reading.ask(scope, last, line)


def _class_in(annotation: str) -> str | None:
    """The class that an annotation names, if it names one alone, or one or nothing."""
    found = _ANNOTATION.fullmatch(annotation.strip())
    return found.group(1) if found is not None else None


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
