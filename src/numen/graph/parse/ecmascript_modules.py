"""What the `import`, `export` and `require` of JavaScript and TypeScript say, from their words."""

from __future__ import annotations

import re

from tree_sitter import Node

from numen.graph.parse.facts import Import, ImportForm
from numen.graph.parse.reading import Reading, Scope

LONGEST_LIST = 8000
"""Bytes of an export statement that are read; what follows is no list of names."""


TITLE = re.compile(r"\s*(?:'((?:[^'\\\n]|\\.)*)'|\"((?:[^\"\\\n]|\\.)*)\"|`([^`]*)`)")
"""The words of the string that an argument list begins with."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FROM = re.compile(r"\bfrom\s*(['\"])([^'\"]+)\1")
_BARE = re.compile(r"import\s*(['\"])([^'\"]+)\1")
_NAMES = re.compile(r"\{([^}]*)\}")
_NAMESPACE = re.compile(r"\*\s*as\s+([\w$]+)")
_DEFAULT = re.compile(r"import\s+(?:type\s+)?([\w$]+)\s*(?:,|from\b)")
_REQUIRE = re.compile(
    r"(.+?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*(['\"])([^'\"]+)\2\s*\)(?:\.([\w$]+))?", re.DOTALL
)
_EQUALS = re.compile(r"import\s+([\w$]+)\s*=\s*require\(\s*(['\"])([^'\"]+)\2")
_OBJECT_EXPORT = Import("", "", "default", ImportForm.MODULE, 0, 0)
"""An exported object of names stands for the module: its names are nearly always the module's own."""

_OBJECT = re.compile(r"exports \w+ = \{(.*?)\}?$", re.DOTALL)


class Modules:
    """Notes what the nodes of one file import and export."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def import_statement(self, node: Node) -> None:
        """`import ... from "m"`."""
        self._bind(import_rows(self._reading.text(node)), node)

    def export_statement(self, node: Node) -> None:
        """`export { a as b }`, `export * from "m"`, `export default x`."""
        self._add(export_rows(self._words(node)), node)

    def exported(self, target: str, value: Node) -> None:
        """`module.exports = x`, `exports.x = y`."""
        local = "default" if target == "module.exports" else target.rpartition(".")[2]
        self._add(export_rows(f"exports {local} = {self._words(value)}"), value)

    def required(self, text: str, node: Node) -> bool:
        """`const x = require("m")`, given as text; whether it is that."""
        rows = require_rows(text)
        self._bind(rows, node)
        return bool(rows)

    def used(self, node: Node, scope: Scope) -> None:
        """`require("m")` or `import("m")` anywhere: this file uses that one, whatever becomes of it."""
        arguments = node.child_by_field_name("arguments")
        above = node.parent
        if arguments is None or (above is not None and above.type == "variable_declarator"):
            return
        title = TITLE.match(self._reading.text(arguments)[1:])
        module = (title.group(1) or title.group(2) or "") if title is not None else ""
        if module:
            line = self._reading.line(node.start_byte)
            one = Import(module, "", "", ImportForm.MODULE, scope.definition, line)
            self._reading.facts.imports.append(one)

    def _bind(self, rows: list[Import], node: Node) -> None:
        scope, line = self._reading.inside(node.start_byte), self._reading.line(node.start_byte)
        for row in rows:
            row = row._replace(scope=scope.definition, line=line)
            if row.local:
                self._reading.bind(row, scope)
            else:
                self._reading.facts.imports.append(row)

    def _add(self, rows: list[Import], node: Node) -> None:
        line = self._reading.line(node.start_byte)
        self._reading.facts.imports.extend(row._replace(line=line) for row in rows)

    def _words(self, node: Node) -> str:
        end = min(node.end_byte, node.start_byte + LONGEST_LIST)
        return self._reading.source[node.start_byte : end].decode("utf-8", "replace")


def import_rows(text: str) -> list[Import]:
    """The names that one import statement binds; scope and line are left at 0."""
    text = _COMMENT.sub("", text) if "/" in text else text
    equals = _EQUALS.match(text)
    if equals is not None:
        return [Import(equals.group(3), "", equals.group(1), ImportForm.MODULE, 0, 0)]
    source = _FROM.search(text)
    if source is None:
        bare = _BARE.match(text)
        return [Import(bare.group(2), "", "", ImportForm.MODULE, 0, 0)] if bare is not None else []
    module = source.group(2)
    rows: list[Import] = []
    default = _DEFAULT.match(text)
    if default is not None and default.group(1) not in ("type", "from"):
        rows.append(Import(module, "default", default.group(1), ImportForm.NAME, 0, 0))
    namespace = _NAMESPACE.search(text)
    if namespace is not None:
        rows.append(Import(module, "", namespace.group(1), ImportForm.MODULE, 0, 0))
    rows.extend(Import(module, name, local, ImportForm.NAME, 0, 0) for name, local in _pairs(text, "as"))
    return rows or [Import(module, "", "", ImportForm.MODULE, 0, 0)]


def export_rows(text: str) -> list[Import]:
    """What an export statement, or `exports name = value`, makes known by another name or from elsewhere."""
    text = _COMMENT.sub("", text) if text.startswith("export {") or "from" in text else text
    if text.startswith("exports "):
        return _common_js(text)
    source = _FROM.search(text) if re.match(r"export\s*(?:type\s*)?[{*]", text) else None
    module = source.group(2) if source is not None else ""
    if re.match(r"export\s*(?:type\s*)?\*", text):
        named = _NAMESPACE.search(text)
        if named is not None:
            return [Import(module, "", named.group(1), ImportForm.MODULE, 0, 0)]
        return [Import(module, "", "", ImportForm.STAR, 0, 0)]
    if re.match(r"export\s*(?:type\s*)?\{", text):
        rows = [Import(module, name, local, ImportForm.NAME, 0, 0) for name, local in _pairs(text, "as")]
        return [row for row in rows if module or row.name != row.local]
    if re.match(r"export\s+default\s*\{", text):
        return [_OBJECT_EXPORT]
    default = re.match(
        r"export\s+default\s+(?:(?:abstract\s+)?class|(?:async\s+)?function\s*\*?)\s+([\w$]+)"
        r"|export\s+(?:default|=)\s*([\w$]+)\s*(?:;|$|\n)|export\s*=\s*([\w$]+)",
        text,
    )
    name = next((group for group in default.groups() if group), "") if default is not None else ""
    if name in ("", "extends", "function", "class", "async", "new"):
        return []
    return [Import("", name, "default", ImportForm.NAME, 0, 0)]


def require_rows(text: str) -> list[Import]:
    """The names that `x = require("m")`, `{a, b: c} = require("m")` and their awaited imports bind."""
    found = _REQUIRE.match(text)
    if found is None:
        return []
    left, _, module, attribute = found.groups()
    if left.startswith("{"):
        return [Import(module, name, local, ImportForm.NAME, 0, 0) for name, local in _pairs(left, ":")]
    if not re.fullmatch(r"[\w$]+", left):
        return []
    if attribute:
        return [Import(module, attribute, left, ImportForm.NAME, 0, 0)]
    return [Import(module, "", left, ImportForm.MODULE, 0, 0)]


def _common_js(text: str) -> list[Import]:
    """`exports local = value`: an alias of a name, of a module, or an object of names."""
    _, local, _, value = text.split(" ", 3)
    required = require_rows(f"{local} = {value}") if "require(" in value[:200] else []
    if required:
        return required
    if re.fullmatch(r"[\w$]+", value) and value != local:
        return [Import("", value, local, ImportForm.NAME, 0, 0)]
    inner = _OBJECT.match(text)
    if inner is None or local != "default" or "(" in inner.group(1):
        return []
    return [
        Import("", name, shown, ImportForm.NAME, 0, 0)
        for shown, name in _pairs(f"{{{inner.group(1)}}}", ":")
        if name != shown
    ]


def _pairs(text: str, word: str) -> list[tuple[str, str]]:
    """The (name, local) pairs in the first braces of `text`, told apart by `word`."""
    inner = _NAMES.search(text)
    if inner is None:
        return []
    pairs: list[tuple[str, str]] = []
    for item in inner.group(1).split(","):
        words = re.sub(r"^type\s+(?=[\w$])", "", item.strip())
        name, local = _split(words, word)
        if re.fullmatch(r"[\w$]+", name) and re.fullmatch(r"[\w$]+", local):
            pairs.append((name, local))
    return pairs


def _split(words: str, word: str) -> tuple[str, str]:
    if word == ":":
        name, told, local = words.partition(":")
        name = name.partition("=")[0].strip()
        return name, local.partition("=")[0].strip() if told else name
    parts = words.split()
    return (parts[0], parts[2]) if len(parts) == 3 and parts[1] == "as" else (words, words)
