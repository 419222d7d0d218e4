"""Languages without a reader of their own: definitions by what the grammar calls its nodes.

The grammars come with the extra `languages`; without it such a file is its text and no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import Facts, Trait, ordered
from numen.graph.parse.reading import Reading, broken
from numen.graph.types import NodeKind

_PACK = import_module("tree_sitter_language_pack") if find_spec("tree_sitter_language_pack") else None

GRAMMARS: dict[str, str] = {
    "kotlin": "kotlin", "swift": "swift", "scala": "scala", "objective-c": "objc", "shell": "bash",
    "powershell": "powershell", "lua": "lua", "perl": "perl", "r": "r", "julia": "julia", "dart": "dart",
    "ocaml": "ocaml", "nim": "nim", "sql": "sql", "graphql": "graphql",
}  # fmt: skip
"""Languages whose grammar names its definitions, and what the grammar is called."""

COMMENTS = ("//", "/*", "*", "#", "--", "(*")

_NODE = re.compile(
    r"(?:\w+_)?(function|method|func|procedure|subroutine|macro|constructor|class|struct|object|mixin|union|record"
    r"|module|package|contract|extension|interface|protocol|trait|enum|type|typealias)"
    r"(?:_type|_declaration)?_(?:definition|declaration|statement|item|specifier|def|decl)"
)
_NOT = re.compile(
    r"(?:^|_)(?:forward|parameter|field|value|values|import|export|phaser|property|associatedtype|qualified|sized"
    r"|storage|typedefed|typeof|array|tuple|executable|root|scalar|symbol|deconstruct|external)(?:_|$)"
)
_KINDS = {
    "interface": NodeKind.INTERFACE,
    "protocol": NodeKind.INTERFACE,
    "trait": NodeKind.INTERFACE,
    "enum": NodeKind.ENUM,
    "type": NodeKind.TYPE,
    "typealias": NodeKind.TYPE,
} | dict.fromkeys(
    ("class", "struct", "object", "mixin", "union", "record", "module", "package", "contract", "extension"),
    NodeKind.CLASS,
)
"""What a word in the name of a node says of its kind; the others are functions."""

_NAMED = re.compile(r"(?:\w+_)?(?:identifier|name|word|variable|constant|package)")


def available() -> tuple[str, ...]:
    """The languages whose grammar is installed, sorted."""
    return tuple(sorted(GRAMMARS)) if _PACK is not None else ()


def parse(language: str, path: str, source: bytes, is_test: bool) -> Facts:  # noqa: ARG001  no generic form
    """The definitions of a file given as UTF-8; a file that does not parse gives what could be read."""
    grammar, query = _grammar(language)
    tree = Parser(grammar).parse(source)
    captures = QueryCursor(query).captures(tree.root_node)
    reading = Reading(path, source)
    for node in sorted(captures.get("define", []), key=_position):
        _define(reading, node)
    facts = reading.facts
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


@cache
def _grammar(language: str) -> tuple[Language, Query]:
    assert _PACK is not None
    found = cast("Callable[[str], Language]", vars(_PACK)["get_language"])(GRAMMARS[language])
    kinds = {
        found.node_kind_for_id(i) or "" for i in range(found.node_kind_count) if found.node_kind_is_named(i)
    }
    defining = sorted(kind for kind in kinds if _NODE.fullmatch(kind) and not _NOT.search(kind))
    return found, Query(found, f"[{' '.join(f'({kind})' for kind in defining)}] @define")


def _define(reading: Reading, node: Node) -> None:
    found = _NODE.fullmatch(node.type)
    body = node.child_by_field_name("body")
    if found is None or (node.type.endswith("_specifier") and body is None):
        return
    name = node.child_by_field_name("name") or _name(node.child_by_field_name("declarator") or node)
    words = " ".join(reading.text(name).split()) if name is not None else ""
    if not words or len(words) > _LONGEST:
        return
    kind = _KINDS.get(found.group(1), NodeKind.FUNCTION)
    if kind is NodeKind.FUNCTION and reading.inside(node.start_byte).is_class:
        kind = NodeKind.METHOD
    stop = body.start_byte if body is not None else reading.source.find(b"\n", node.start_byte) % (1 << 62)
    signature = reading.signature(node.start_byte, min(stop, node.end_byte)).rstrip("{ ")
    reading.define(kind, words, signature, node.start_byte, node, Trait.NONE)


_LONGEST = 120
"""Letters of a name; what is longer is none."""


def _name(node: Node) -> Node | None:
    """The first name below `node`, not looking into its body."""
    for child in node.named_children:
        if _NAMED.fullmatch(child.type):
            return child
        if child.type.endswith("declarator"):
            return _name(child)
    return None


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
