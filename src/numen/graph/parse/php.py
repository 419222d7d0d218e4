"""PHP: definitions, imports and references of one file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import tree_sitter_php
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import Alias, Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.php_names import (
    SAID_PARAMETER,
    SAID_RETURN,
    SAID_VAR,
    THIS,
    chain,
    said_type,
    type_of,
    written,
)
from numen.graph.parse.php_units import GLOBAL
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_php.language_php())
_QUERY = """
[(class_declaration) (interface_declaration) (trait_declaration) (enum_declaration) (anonymous_class)
 (method_declaration) (function_definition) (anonymous_function) (arrow_function)] @scope
(namespace_definition) @namespace
(namespace_use_declaration) @import
[(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @require
(use_declaration) @trait
(property_declaration) @property
[(simple_parameter) (property_promotion_parameter) (variadic_parameter)] @parameter
(assignment_expression) @assign
(foreach_statement) @each
(catch_clause) @catch
(object_creation_expression) @new
[(function_call_expression) (member_call_expression) (nullsafe_member_call_expression)
 (scoped_call_expression)] @call
"""

_KINDS = {
    "class_declaration": NodeKind.CLASS,
    "trait_declaration": NodeKind.CLASS,
    "interface_declaration": NodeKind.INTERFACE,
    "enum_declaration": NodeKind.ENUM,
    "method_declaration": NodeKind.METHOD,
    "function_definition": NodeKind.FUNCTION,
}
_NAMELESS = frozenset(("anonymous_function", "arrow_function", "anonymous_class"))
_TEST = re.compile(rb"#\[\s*(?:\w+\\)*Test\b|@test\b")
_GROUP = re.compile(r"(.*?)\\?\{(.*)\}", re.DOTALL)
_PATTERNS = frozenset(
    ("list_literal", "array_creation_expression", "array_element_initializer", "pair", "by_ref")
)
_STRING = re.compile(r"""['"]([^'"$]+\.(?:php|inc|phtml))['"]""")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a PHP file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    in_order(captures, *captures)
    reader = _Reader(Reading(path, source, is_typed=True), is_test)
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
        self._spaces: list[tuple[int, int, str]] = []
        self._uses: dict[str, str] = {}
        self._bases: list[tuple[Scope, Node]] = []
        self._typed: set[tuple[int, str]] = set()
        reading.has_star = True

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        self._namespaces(captures.get("namespace", []))
        for node in captures.get("import", []):
            self._import(node)
        for node in captures.get("scope", []):
            self._nameless(node) if node.type in _NAMELESS else self._define(node)
        for node in captures.get("require", []):
            self._require(node)
        for node in captures.get("property", []):
            self._property(node)
        for node in captures.get("parameter", []):
            self._parameter(node)
        for node in captures.get("each", []):
            self._each(node)
        for node in captures.get("catch", []):
            self._catch(node)
        for node in captures.get("assign", []):
            self._assign(node)
        for scope, node in self._bases:
            self._inherit(scope, node)
        for node in captures.get("trait", []):
            self._mix(node)
        for node in captures.get("new", []):
            self._new(node)
        for node in captures.get("call", []):
            self._call(node)

    # Namespaces

    def _namespaces(self, nodes: list[Node]) -> None:
        facts = self.reading.facts
        for i, node in enumerate(nodes):
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            following = nodes[i + 1].start_byte if i + 1 < len(nodes) else len(self.reading.source) + 1
            end = node.end_byte if body is not None else following
            self._spaces.append((node.start_byte, end, written(name) if name is not None else ""))
        facts.unit = f"php:{self._spaces[0][2] if self._spaces else ''}"
        spaces = sorted({space for _, _, space in self._spaces if space})
        facts.aliases = [Alias(f"php:{space}", "", everywhere=True) for space in spaces]

    def _space(self, byte: int) -> str:
        return next((name for start, end, name in self._spaces if start <= byte < end), "")

    def _import(self, node: Node) -> None:
        words = self.reading.text(node).removesuffix(";").split(None, 1)
        if len(words) < 2 or words[1].startswith("const "):
            return
        text = words[1].removeprefix("function ").strip()
        group = _GROUP.fullmatch(text)
        prefix = f"{group.group(1)}\\" if group is not None else ""
        line = self.reading.line(node.start_byte)
        for item in (group.group(2) if group is not None else text).split(","):
            parts = item.removeprefix("function ").split()
            if not parts or parts[0] == "const":
                continue
            whole = f"{prefix}{parts[0]}".strip("\\")
            local = parts[-1] if len(parts) == 3 else whole.rpartition("\\")[2]
            self._uses[local] = whole
            self.reading.bind(_imported(whole, local, line), self.reading.scopes[0])

    def _require(self, node: Node) -> None:
        """A file that is named in words relative to this one's folder."""
        found = _STRING.search(self.reading.text(node))
        if found is not None:
            scope = self.reading.inside(node.start_byte)
            line = self.reading.line(node.start_byte)
            module = f"./{found.group(1).lstrip('/')}"
            self.reading.facts.imports.append(
                Import(module, "", "", ImportForm.MODULE, scope.definition, line)
            )

    def _named(self, said: str, byte: int) -> str:
        """The name that a class or function, written as `said`, is bound under in this file."""
        if "\\" not in said:
            return said
        first, _, rest = said.partition(GLOBAL)
        if not first:
            whole = rest
        elif first in self._uses:
            whole = f"{self._uses[first]}{GLOBAL}{rest}"
        else:
            inner = rest if first == "namespace" else said
            whole = f"{self._space(byte)}{GLOBAL}{inner}".strip(GLOBAL)
        local = GLOBAL + whole
        top = self.reading.scopes[0]
        if local not in top.imports:
            self.reading.bind(_imported(whole, local, self.reading.line(byte)), top)
        return local

    def _chain(self, node: Node) -> list[str] | None:
        return chain(node, lambda said: self._named(said, node.start_byte))

    def _type(self, node: Node | None, comment: str | None = None) -> str | None:
        """The class that a declaration names, or that its comment does."""
        said = type_of(node) if node is not None else said_type(comment) if comment is not None else None
        if said is None or node is None:
            return said if said is None or said == THIS else self._named(said, 0)
        return said if said == THIS else self._named(said, node.start_byte)

    # Definitions

    def _nameless(self, node: Node) -> None:
        scope = self.reading.open(node.start_byte, node.end_byte)
        if node.type == "anonymous_class":
            scope.owner = -1
            scope.assign(THIS)

    def _define(self, node: Node) -> None:
        reading = self.reading
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        start = next((c.start_byte for c in node.children if c.type != "attribute_list"), node.start_byte)
        kind, word = _KINDS[node.type], written(name)
        comment = self._comment(node)
        if self._is_test and kind is NodeKind.METHOD:
            marked = _TEST.search(reading.source, node.start_byte, start) or b"@test" in comment
            kind = NodeKind.TEST if marked or word.startswith("test") else kind
        home = f"php:{self._space(node.start_byte)}"
        stop = body.start_byte if body is not None else node.end_byte
        scope = reading.define(
            kind,
            word,
            reading.signature(start, stop).rstrip(" ;{"),
            node.start_byte,
            node,
            Trait.NONE,
            start=start,
            home=home if home != reading.facts.unit else "",
        )
        if kind in (NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM):
            self._bases.append((scope, node))
            return
        scope.me = THIS if scope.owner >= 0 and node.type == "method_declaration" else ""
        self._returns(scope, node, comment)
        for said, parameter in SAID_PARAMETER.findall(comment.decode("utf-8", "replace")):
            kind_said = self._type(None, said)
            if kind_said is not None:
                scope.make(parameter, kind_said)

    def _comment(self, node: Node) -> bytes:
        before = node.prev_named_sibling
        return (before.text or b"") if before is not None and before.type == "comment" else b""

    def _returns(self, scope: Scope, node: Node, comment: bytes) -> None:
        said = SAID_RETURN.search(comment.decode("utf-8", "replace"))
        declared = node.child_by_field_name("return_type")
        kind = self._type(declared) if declared is not None else None
        if kind is None and said is not None:
            kind = self._type(None, said.group(1))
        line = self.reading.line(node.start_byte)
        if kind == THIS and scope.owner >= 0:
            self.reading.add(scope.definition, RefKind.RETURNS, Target(Head.LOCAL, scope.owner, ()), line)
        elif kind is not None:
            self.reading.refer(scope, RefKind.RETURNS, [kind], line)

    def _inherit(self, scope: Scope, node: Node) -> None:
        assert scope.parent is not None
        for clause in node.children:
            if clause.type in ("base_clause", "class_interface_clause"):
                for child in clause.named_children:
                    name = self._named(written(child), child.start_byte)
                    line = self.reading.line(child.start_byte)
                    self.reading.refer(scope.parent, RefKind.INHERITS, [name], line, scope.definition)

    def _mix(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        for child in node.named_children:
            if child.type in ("name", "qualified_name") and scope.is_class:
                name = self._named(written(child), child.start_byte)
                self.reading.refer(scope, RefKind.INHERITS, [name], self.reading.line(child.start_byte))

    # Names

    def _property(self, node: Node) -> None:
        scope = self.reading.inside(node.start_byte)
        said = SAID_VAR.search(self._comment(node).decode("utf-8", "replace"))
        kind = self._type(node.child_by_field_name("type"), said.group(1) if said is not None else None)
        for child in node.named_children:
            name = child.child_by_field_name("name") if child.type == "property_element" else None
            if name is not None and scope.is_class and kind is not None:
                word = written(name)[1:]
                self._hold(scope.definition, scope, word, kind, self.reading.line(node.start_byte))
                self._typed.add((scope.definition, word))

    def _hold(self, holder: int, scope: Scope, name: str, kind: str, line: int) -> None:
        if kind == THIS:
            self.reading.add(holder, RefKind.HOLDS, Target(Head.LOCAL, holder, (name,)), line)
        else:
            self.reading.hold(holder, scope, name, kind, line)

    def _parameter(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        scope, word = self.reading.inside(node.start_byte), written(name)
        said = scope.made.get(word, [None])[0]
        declared = node.child_by_field_name("type")
        kind = self._type(declared) if declared is not None else None
        scope.made.pop(word, None)
        scope.assign(word)
        kind = kind if kind is not None else said
        if kind is None or node.type == "variadic_parameter":
            return
        scope.make(word, kind)
        if node.type == "property_promotion_parameter" and scope.owner >= 0:
            self._hold(scope.owner, scope, word[1:], kind, self.reading.line(node.start_byte))
            self._typed.add((scope.owner, word[1:]))

    def _each(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        for child in node.named_children[1:]:
            if body is None or child != body:
                for name in _variables(child):
                    self.reading.inside(child.start_byte).assign(name)

    def _catch(self, node: Node) -> None:
        name, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is not None:
            scope = self.reading.inside(node.start_byte)
            scope.assign(written(name))
            said = self._type(kind) if kind is not None else None
            if said is not None:
                scope.make(written(name), said)

    def _assign(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        scope = self.reading.inside(node.start_byte)
        if left.type == "variable_name":
            scope.assign(written(left))
            made = self._chain(right)
            if made is not None:
                scope.make(written(left), ".".join(made))
        elif left.type in ("list_literal", "array_creation_expression"):
            for name in _variables(left):
                scope.assign(name)
        elif left.type == "member_access_expression" and scope.owner >= 0:
            names = self._chain(left)
            if names is not None and names[0] == THIS and len(names) == 2:
                self._assign_property(scope, names[1], right)

    def _assign_property(self, scope: Scope, name: str, right: Node) -> None:
        """`$this->name = ...` says what an object holds where no declaration does."""
        if (scope.owner, name) in self._typed:
            return
        made = self._chain(right)
        kind = made[0] if made is not None and len(made) == 1 else None
        if kind is not None and kind.startswith("$") and kind != THIS:
            known = scope.made.get(kind, [])
            kind = known[0] if len(known) == 1 and scope.assigned.get(kind, 0) <= 1 else None
        is_call = right.type not in ("object_creation_expression", "variable_name")
        if kind is not None and "." not in kind and not is_call:
            self._hold(scope.owner, scope, name, kind, self.reading.line(right.start_byte))

    # Uses

    def _new(self, node: Node) -> None:
        made = node.named_children[0] if node.named_children else None
        if made is None or made.type not in ("name", "qualified_name"):
            return
        scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
        names = self._chain(made)
        if names == [THIS] and scope.owner >= 0:
            self.reading.add(scope.definition, RefKind.CALLS, Target(Head.LOCAL, scope.owner, ()), line)
        elif names is not None and names != [THIS]:
            self.reading.refer(scope, RefKind.CALLS, names, line)

    def _call(self, node: Node) -> None:
        reading = self.reading
        name = node.child_by_field_name("name")
        scope = reading.inside(node.start_byte)
        line = reading.line(name.start_byte if name is not None else node.start_byte)
        holder = node.child_by_field_name("scope")
        if holder is not None and written(holder) == "parent" and name is not None:
            if scope.owner >= 0:
                target = Target(Head.SUPER, scope.owner, (written(name),))
                reading.add(scope.definition, RefKind.CALLS, target, line)
            return
        names = self._chain(node)
        target = reading.resolved(scope, names) if names is not None else None
        if names is None or (target is not None and target.head is Head.FREE and target.path[0][0] == "$"):
            if name is not None and name.type == "name":
                reading.ask(scope, written(name), line)
        elif target is not None:
            reading.add(scope.definition, RefKind.CALLS, target, line)


def _imported(whole: str, local: str, line: int) -> Import:
    module, _, name = whole.rpartition("\\")
    return Import(module or GLOBAL, name, local, ImportForm.NAME, 0, line)


def _variables(node: Node) -> Iterable[str]:
    if node.type == "variable_name":
        yield written(node)
    elif node.type in _PATTERNS:
        for child in node.named_children:
            yield from _variables(child)
