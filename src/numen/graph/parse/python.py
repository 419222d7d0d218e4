"""Python: definitions, imports and references of one file."""

from __future__ import annotations

import builtins
import re
from bisect import bisect_right
from typing import NamedTuple

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import (
    PATH_LIMIT,
    SIGNATURE_LIMIT,
    Definition,
    Facts,
    Head,
    Import,
    ImportForm,
    Reference,
    RefKind,
    Trait,
    file_definition,
    ordered,
)
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_python.language())
_QUERY = Query(
    _LANGUAGE,
    """
(function_definition) @definition
(class_definition) @definition
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
(assignment right: (call function: [(identifier) (attribute object: (identifier))])) @made
(assignment type: (type)) @made
(ERROR) @error
(MISSING) @error
""",
)

_BUILTINS = frozenset(dir(builtins))
COMMON = frozenset(
    name
    for kind in (
        str,
        bytes,
        list,
        dict,
        set,
        int,
        float,
        tuple,
        object,
        Exception,
        type,
        property,
        memoryview,
    )
    for name in dir(kind)
) | frozenset(
    "add_argument acquire release read write close open flush seek tell readline readlines writelines fileno "
    "send recv connect cursor execute fetchone fetchall commit rollback group groups match search sub findall "
    "start join run stop put done result cancel submit info debug warning error exception critical log "
    "assert_called_once_with assert_called_with assert_called_once assert_not_called strftime isoformat "
    "total_seconds exists mkdir unlink resolve glob write_text read_text write_bytes read_bytes is_file is_dir "
    "as_posix with_suffix relative_to iterdir main setup filter all first save load loads dump dumps".split()
)
"""Attributes of built-in types, files, sockets, cursors, loggers, paths, mocks and the like."""
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
_MADE_AND_ASKED = re.compile(r"(\w+(?:\.\w+)?)\([^()]*\)\.(\w+)")
_MADE = re.compile(r"(self\.|cls\.)?(\w+)\s*(?::\s*([^=]+?))?\s*(?:=\s*(?:await\s+)?(\w+(?:\.\w+)*)?|$)")
_PARAMETER = re.compile(r"\*{0,2}\s*(\w+)\s*(?::\s*([^=]+?))?\s*(?:=|$)")
_FROM = re.compile(r"from\s+(\.*\s*[\w.]*)\s+import\s+(.*)", re.DOTALL)
_ANNOTATION = re.compile(r"""["']?(?:Optional\[)?(\w+(?:\.\w+)*)\]?(?:\s*\|\s*None)?["']?""")
_ENUMS = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices"))
_STATIC = re.compile(rb"@\s*staticmethod\b")
_OVERLOAD = re.compile(rb"@\s*(?:typing\.)?overload\b|@\s*\w+\.(?:setter|deleter)\b")


class _Target(NamedTuple):
    """What a name stands for: a head and the attributes that follow it."""

    head: Head
    at: int
    path: tuple[str, ...]
    inferred: bool


class _Scope:
    """The names that one definition binds."""

    __slots__ = ("assigned", "definitions", "imports", "is_class", "made", "me", "owner", "parent")

    def __init__(self, parent: int, is_class: bool, owner: int, me: str) -> None:
        self.parent = parent
        self.is_class = is_class
        self.owner = owner
        self.me = me
        self.definitions: dict[str, list[int]] = {}
        self.imports: dict[str, list[int]] = {}
        self.assigned: dict[str, int] = {}
        self.made: dict[str, list[str]] = {}


class _Reader:
    """Reads one file. Made for one use."""

    def __init__(self, path: str, source: bytes, is_test: bool) -> None:
        self._source = source
        self._is_test = is_test
        self._breaks = [found.start() for found in re.finditer(rb"\n", source)]
        self._facts = Facts([file_definition(path, len(self._breaks) + (not source.endswith(b"\n")))])
        self._scopes = [_Scope(-1, False, -1, "")]
        self._ends = [len(source) + 1]
        self._starts = [0]
        self._seen: set[tuple[int, RefKind, Head, int, tuple[str, ...]]] = set()
        self._has_star = False

    def read(self) -> Facts:
        """The facts of the file."""
        tree = Parser(_LANGUAGE).parse(self._source)
        captures = QueryCursor(_QUERY).captures(tree.root_node)
        for nodes in captures.values():  # they come in no order
            nodes.sort(key=_position)
        if tree.root_node.has_error:
            errors = captures.get("error", [])
            line = self._line(errors[0].start_byte) if errors else 1
            self._facts.problem = f"does not parse at line {line}; what could be read is kept"
        bases: list[tuple[int, Node]] = []
        for node in captures.get("definition", []):
            self._define(node, bases)
        for node in captures.get("import", []):
            self._import(node)
        for node in captures.get("bind", []):
            scope = self._scopes[self._inside(node.start_byte)]
            name = self._text(node)
            scope.assigned[name] = scope.assigned.get(name, 0) + 1
        for node in captures.get("made", []):
            self._made(node)
        for number, node in bases:
            self._inherit(number, node)
        for node in captures.get("call", []):
            self._call(node)
        return ordered(self._facts)

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _line(self, byte: int) -> int:
        return bisect_right(self._breaks, byte - 1) + 1

    def _inside(self, byte: int) -> int:
        """The innermost definition that holds `byte`."""
        number = bisect_right(self._starts, byte) - 1
        while self._ends[number] <= byte:
            number = self._scopes[number].parent
        return number

    def _define(self, node: Node, bases: list[tuple[int, Node]]) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return
        above = node.parent
        first = (
            above.start_byte
            if above is not None and above.type == "decorated_definition"
            else node.start_byte
        )
        parent = self._inside(first)
        name = self._text(name_node)
        holder = self._scopes[parent]
        decorators = self._source[first : node.start_byte]
        is_class = node.type == "class_definition"
        inner = node.child_by_field_name("superclasses" if is_class else "parameters")
        trait = self._trait(parent, decorators)
        number = len(self._facts.definitions)
        prefix = self._facts.definitions[parent].qualified
        start = self._line(node.start_byte)
        stop = body.start_byte if body is not None else node.end_byte
        self._facts.definitions.append(
            Definition(
                self._kind(is_class, name, holder, inner),
                name,
                f"{prefix}.{name}" if prefix else name,
                self._signature(node.start_byte, stop),
                start,
                self._line(max(node.start_byte, node.end_byte - 1)),
                self._line(first),
                parent,
                trait,
            )
        )
        holder.definitions.setdefault(name, []).append(number)
        owner = parent if holder.is_class else holder.owner
        scope = _Scope(parent, is_class, number if is_class else owner, "")
        self._scopes.append(scope)
        self._starts.append(first)
        self._ends.append(node.end_byte)
        if inner is not None and is_class:
            bases.append((number, inner))
        elif inner is not None:
            self._parameters(scope, inner, holder.is_class and not _STATIC.search(decorators))

    def _trait(self, parent: int, decorators: bytes) -> int:
        trait = Trait.OVERLOAD if decorators and _OVERLOAD.search(decorators) else Trait.NONE
        if self._scopes[parent].is_class:
            trait |= Trait.MEMBER
        if parent and (
            not self._scopes[parent].is_class or self._facts.definitions[parent].trait & Trait.LOCAL
        ):
            trait |= Trait.LOCAL
        return int(trait)

    def _kind(self, is_class: bool, name: str, holder: _Scope, bases: Node | None) -> NodeKind:
        if is_class:
            words = set(re.findall(r"\w+", self._text(bases))) if bases is not None else set[str]()
            if words & _ENUMS:
                return NodeKind.ENUM
            return NodeKind.INTERFACE if "Protocol" in words else NodeKind.CLASS
        if self._is_test and name.startswith("test"):
            return NodeKind.TEST
        return NodeKind.METHOD if holder.is_class else NodeKind.FUNCTION

    def _signature(self, start: int, stop: int) -> str:
        text = self._source[start : min(stop, start + 4 * SIGNATURE_LIMIT)].decode("utf-8", "replace")
        text = " ".join(text.split())
        head, colon, _ = text.rpartition(":")
        return (head if colon else text).replace("( ", "(").replace(", )", ")")[:SIGNATURE_LIMIT]

    def _parameters(self, scope: _Scope, node: Node, is_method: bool) -> None:
        for i, child in enumerate(node.named_children):
            found = _PARAMETER.match(self._text(child))
            if found is None:
                continue
            name, annotation = found.groups()
            scope.assigned[name] = 1
            if annotation is not None:
                self._annotated(scope, name, annotation)
            elif i == 0 and is_method:
                scope.me = name

    @staticmethod
    def _annotated(scope: _Scope, name: str, annotation: str) -> None:
        found = _ANNOTATION.fullmatch(annotation.strip())
        if found is not None:
            scope.made.setdefault(name, []).append(found.group(1))

    def _import(self, node: Node) -> None:
        text = self._text(node)
        if "#" in text:
            text = re.sub(r"#[^\n]*", "", text)
        text = text.replace("\\\n", " ")
        number = self._inside(node.start_byte)
        line = self._line(node.start_byte)
        found = _FROM.match(text)
        if found is None:
            self._import_modules(text[len("import") :], number, line)
            return
        module = "".join(found.group(1).split())
        for item in found.group(2).strip("() \n\t").split(","):
            words = item.split()
            if words == ["*"]:
                self._has_star = True
                self._facts.imports.append(Import(module, "", "", ImportForm.STAR, number, line))
            elif words:
                self._bind(Import(module, words[0], words[-1], ImportForm.NAME, number, line))

    def _import_modules(self, text: str, number: int, line: int) -> None:
        for item in text.split(","):
            words = item.split()
            if not words:
                continue
            if len(words) == 3:
                self._bind(Import(words[0], "", words[2], ImportForm.MODULE, number, line))
                continue
            first, dot, _ = words[0].partition(".")
            form = ImportForm.PACKAGE if dot else ImportForm.MODULE
            self._bind(Import(words[0], "", first, form, number, line))

    def _bind(self, one: Import) -> None:
        self._scopes[one.scope].imports.setdefault(one.local, []).append(len(self._facts.imports))
        self._facts.imports.append(one)

    def _made(self, node: Node) -> None:
        """`x = Name(...)`, `self.x = Name(...)` and `x: Name`: the type of a name, as far as it is said."""
        found = _MADE.match(self._text(node))
        if found is None:
            return
        me, name, annotation, called = found.groups()
        scope = self._scopes[self._inside(node.start_byte)]
        if me:
            if scope.owner < 0:
                return
            scope = self._scopes[scope.owner]
            name = f".{name}"
        if annotation is not None:
            self._annotated(scope, name, annotation)
        elif called is not None:
            scope.made.setdefault(name, []).append(called)

    def _inherit(self, number: int, node: Node) -> None:
        outside = self._scopes[number].parent
        line = self._facts.definitions[number].start
        for child in node.named_children:
            text, _, _ = self._text(child).partition("[")
            kind = RefKind.INHERITS
            if child.type == "keyword_argument":
                _, _, text = text.partition("=")
                kind = RefKind.REFERENCES
            if _DOTTED.fullmatch(text.strip()):
                self._refer(number, outside, kind, text.strip().split("."), line)

    def _call(self, node: Node) -> None:
        number = self._inside(node.start_byte)
        line = self._line(node.start_byte)
        text = self._source[node.start_byte : min(node.end_byte, node.start_byte + 200)].decode(
            "utf-8", "replace"
        )
        if _DOTTED.fullmatch(text):
            self._refer(number, number, RefKind.CALLS, text.split("."), line)
            return
        if text.startswith("super()."):
            owner, rest = self._scopes[number].owner, text[8:]
            if owner >= 0 and rest.isidentifier():
                self._add(number, RefKind.CALLS, _Target(Head.SUPER, owner, (rest,), False), line)
            return
        made = _MADE_AND_ASKED.fullmatch(text)
        if made is not None:
            names = [*made.group(1).split("."), made.group(2)]
            target = self._resolved(number, names)
            if target is not None and target.head is not Head.UNKNOWN:
                self._add(number, RefKind.CALLS, target._replace(inferred=True), line)
                return
        dot = self._source.rfind(b".", node.start_byte, node.end_byte)
        last = self._source[dot + 1 : node.end_byte].decode("utf-8", "replace").strip()
        if last.isidentifier():
            self._add(number, RefKind.CALLS, _Target(Head.UNKNOWN, 0, (last,), False), line)

    def _refer(self, source: int, scope: int, kind: RefKind, names: list[str], line: int) -> None:
        target = self._resolved(scope, names)
        if target is None:
            return
        if target.head is Head.UNKNOWN and kind is not RefKind.CALLS:
            return
        self._add(source, kind, target, line)

    def _add(self, source: int, kind: RefKind, target: _Target, line: int) -> None:
        head, at, path, inferred = target
        if len(path) > PATH_LIMIT:
            head, at, path, inferred = Head.UNKNOWN, 0, path[-1:], False
        key = (source, kind, head, at, path)
        if key not in self._seen:
            self._seen.add(key)
            self._facts.references.append(Reference(source, kind, head, at, path, line, inferred))

    def _resolved(self, number: int, names: list[str], depth: int = 0) -> _Target | None:
        """What `names` stand for where definition `number` says them; None if nothing of this repository."""
        name, rest = names[0], tuple(names[1:])
        at = number
        while at >= 0:
            scope = self._scopes[at]
            if scope.is_class and at != number:
                at = scope.parent
                continue
            if scope.me == name and scope.owner >= 0:
                return self._of_self(scope.owner, rest, depth)
            imports, found = scope.imports.get(name, []), scope.definitions.get(name, [])
            found = [i for i in found if not self._facts.definitions[i].trait & Trait.OVERLOAD] or found
            if len(imports) + len(found) == 1:
                if imports:
                    return _Target(Head.IMPORT, imports[0], rest, False)
                return _Target(Head.LOCAL, found[0], rest, False)
            if imports or found:
                return _Target(Head.FREE, 0, (name, *rest), False) if at == 0 else None
            if name in scope.assigned or name in scope.made:
                return self._of_variable(at, name, rest, depth)
            at = scope.parent
        if self._has_star:
            return None if name in _BUILTINS else _Target(Head.FREE, 0, (name, *rest), False)
        return None

    def _of_self(self, owner: int, rest: tuple[str, ...], depth: int) -> _Target | None:
        if len(rest) <= 1:
            return _Target(Head.SELF, owner, rest, False) if rest else None
        made = self._scopes[owner].made.get(f".{rest[0]}", [])
        if made and len(set(made)) == 1 and depth < 2:
            target = self._resolved(owner, [*made[0].split("."), *rest[1:]], depth + 1)
            if target is not None and target.head is not Head.UNKNOWN:
                return target._replace(inferred=True)
        return _Target(Head.UNKNOWN, 0, rest[-1:], False)

    def _of_variable(self, at: int, name: str, rest: tuple[str, ...], depth: int) -> _Target | None:
        if not rest:
            return None
        scope = self._scopes[at]
        made = scope.made.get(name, [])
        if made and len(set(made)) == 1 and len(made) >= scope.assigned.get(name, 0) and depth < 2:
            target = self._resolved(at, [*made[0].split("."), *rest], depth + 1)
            if target is not None and target.head is not Head.UNKNOWN:
                return target._replace(inferred=True)
        return _Target(Head.UNKNOWN, 0, rest[-1:], False)


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a Python file given as UTF-8; a file that does not parse gives what could be read."""
    return _Reader(path, source, is_test).read()
