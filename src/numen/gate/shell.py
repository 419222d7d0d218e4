"""What a shell command consists of: its simple commands, with what stands around each.

Read by the grammar of bash, never by running anything. Whatever the grammar does not know, and whatever the
shell itself would only know later (a name in a variable, a text that is evaluated), makes the script opaque.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

LONGEST = 20_000
"""Characters of a command that is read; a longer one is opaque (ours: nobody could check it either)."""

DEEPEST = 60
"""Nested constructs that are followed (ours; people write three or four)."""

_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r"\\([$`\"\\\n])")
_GLOB = re.compile(r"(?<!\\)[*?\[]")
_BRACES = re.compile(r"\{[^}]*(?:,|\.\.)")
_NUMBERS = re.compile(r"-?\d+|\$[#?]|\$\{#\w+\}")
_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_BEFORE_COMMENT = frozenset(b" \t\n;&|()")

_ONE_LINE = frozenset(
    """
    command redirected_statement declaration_command unset_command variable_assignment concatenation
    file_redirect herestring_redirect negated_command
    """.split()
)
"""What ends with its line, as bash reads it."""

_PLAIN = frozenset(
    """
    program list subshell compound_statement negated_command if_statement elif_clause else_clause
    for_statement c_style_for_statement while_statement do_group case_statement case_item unary_expression
    binary_expression parenthesized_expression postfix_expression ternary_expression command_substitution
    process_substitution string string_content translated_string raw_string concatenation word number
    variable_name simple_expansion special_variable_name arithmetic_expansion array heredoc_body
    heredoc_content heredoc_start heredoc_end test_operator extglob_pattern regex file_descriptor
    brace_expression command_name
    """.split()
)
"""What is looked into for what stands inside it, and does nothing by itself."""


@dataclass(frozen=True, slots=True)
class Word:
    """An argument. `text` is None where only the running shell knows it.

    `head` is how it surely begins, `tail` how it ends. `loose`: it may become several words, or an option.
    """

    text: str | None
    head: str = ""
    loose: bool = False
    tail: str = ""


UNKNOWN = Word(None, loose=True)


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where a stream goes or comes from: `operator` as it is written, without the descriptor."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command. `name` is None for assignments and redirections alone.

    `piped`: another command writes into it. `script` is the text on its stdin where that is written out.
    """

    name: Word | None
    arguments: tuple[Word, ...] = ()
    assigned: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    piped: bool = False
    script: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """All simple commands in a text, in their order, and why not all of it could be read, if so."""

    commands: tuple[Command, ...]
    opaque: str | None = None
    functions: frozenset[str] = frozenset()


def parse(text: str) -> Script:
    """The commands in `text`. Never raises: what cannot be read is said in `opaque`."""
    if len(text) > LONGEST:
        return Script((), "it is too long to be read")
    if any(_is_hidden(char) for char in text):
        return Script((), "it holds characters that do not show")
    source = text.encode("utf-8", "surrogatepass")
    root = _parser().parse(source).root_node
    reader = _Reader(source)
    if root.has_error:
        reader.hide("it is not a command that bash would read")
    if any(reader.is_two_lines(node) for node in _everything(root)):
        reader.hide("a new line stands where another command may begin")
    reader.visit(root, piped=False, depth=0)
    return Script(tuple(reader.commands), reader.opaque, frozenset(reader.functions))


@functools.cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def _is_hidden(char: str) -> bool:
    """Whether it is a mark that a person does not see, or a space that the shell takes for a letter."""
    if char in "\n\t ":
        return False
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"}


@dataclass
class _Reader:
    source: bytes
    commands: list[Command] = field(default_factory=list[Command])
    functions: set[str] = field(default_factory=set[str])
    opaque: str | None = None
    fed: str | None = None
    """What the command before has written out for the next one to read."""

    def hide(self, why: str) -> None:
        """Say that not all can be known; the first reason stays."""
        self.opaque = self.opaque or why

    def is_two_lines(self, node: Node) -> bool:
        """Whether the grammar took a line that begins with a backslash for more of the line before."""
        if node.type == "word":
            return "\n" in _ESCAPE.sub("", self._text(node))
        gaps = (self.source[a.end_byte : b.start_byte] for a, b in itertools.pairwise(node.children))
        return node.type in _ONE_LINE and any(b"\n" in gap.replace(b"\\\n", b"") for gap in gaps)

    def visit(self, node: Node, *, piped: bool, depth: int) -> None:
        """Take every command that stands in `node`."""
        if depth > DEEPEST:
            self.hide("it is nested too deep")
            return
        match node.type:
            case "command":
                self._command(node, (), piped, depth)
            case "redirected_statement":
                self._redirected(node, piped, depth)
            case "pipeline":
                for place, child in enumerate(node.named_children):
                    self.fed = _echoed(self.commands[-1]) if place and self.commands else None
                    self.visit(child, piped=piped or place > 0, depth=depth + 1)
                self.fed = None
            case "variable_assignment":
                self.commands.append(Command(None, assigned=(self._assignment(node),)))
                self._inside(node, piped, depth)
            case "declaration_command" | "unset_command":
                self._declaration(node, piped, depth)
            case "function_definition":
                self.functions.add(self._text(node.named_children[0]))
                self._inside(node, piped, depth)
            case "test_command":
                self._test(node)
                self._inside(node, piped, depth)
            case "expansion":
                self._expansion(node)
                self._inside(node, piped, depth)
            case "subscript":
                if not all(_NUMBERS.fullmatch(self._text(index)) for index in node.named_children[1:]):
                    self.hide("an index is evaluated")
                self._inside(node, piped, depth)
            case "ansi_c_string":
                pass
            case "comment":
                if node.start_byte and self.source[node.start_byte - 1] not in _BEFORE_COMMENT:
                    self.hide("a # may or may not begin a comment")
            case _:
                if node.is_named and node.type not in _PLAIN:
                    self.hide(f"bash knows more here than is read ({node.type})")
                self._inside(node, piped, depth)

    def _inside(self, node: Node, piped: bool, depth: int) -> None:
        for child in node.named_children:
            self.visit(child, piped=piped, depth=depth + 1)

    def _redirected(self, node: Node, piped: bool, depth: int) -> None:
        outer = [child for child in node.named_children if child.type.endswith("_redirect")]
        bodies = [child for child in node.named_children if not child.type.endswith("_redirect")]
        if len(bodies) == 1 and bodies[0].type == "command":
            self._command(bodies[0], tuple(outer), piped, depth)
            return
        if len(bodies) == 1 and bodies[0].type == "pipeline":  # the redirection is the last command's
            *before, last = bodies[0].named_children
            for place, child in enumerate(before):
                self.visit(child, piped=piped or place > 0, depth=depth + 1)
            if last.type == "command":
                self._command(last, tuple(outer), True, depth)
                return
            bodies = [last]
        redirects, script = self._redirects(outer, depth)
        self.commands.append(Command(None, redirects=redirects, piped=bool(bodies)))
        for body in bodies:
            self.visit(body, piped=piped or script is not None, depth=depth + 1)

    def _command(self, node: Node, outer: tuple[Node, ...], piped: bool, depth: int) -> None:
        name: Word | None = None
        arguments: list[Word] = []
        assigned: list[tuple[str, Word]] = []
        own: list[Node] = []
        fed, self.fed = self.fed, None
        for child in node.named_children:
            if child.type == "command_name":
                name = self._word(child.named_children[0]) if child.named_children else UNKNOWN
            elif child.type == "variable_assignment":
                assigned.append(self._assignment(child))
            elif child.type.endswith("_redirect"):
                own.append(child)
                continue
            else:
                arguments.append(self._word(child))
            self.visit(child, piped=False, depth=depth + 1)
        redirects, script = self._redirects([*own, *outer], depth)
        script, self.fed = script if script is not None or not piped else fed, None
        self.commands.append(Command(name, tuple(arguments), tuple(assigned), redirects, piped, script))

    def _redirects(self, nodes: list[Node], depth: int) -> tuple[tuple[Redirect, ...], str | None]:
        """The redirections, and what is written out on stdin."""
        found: list[Redirect] = []
        script: str | None = None
        for node in nodes:
            if node.type == "heredoc_redirect":
                bodies = [child for child in node.named_children if child.type == "heredoc_body"]
                script = "".join(map(self._text, bodies))
                for child in node.named_children:
                    if child.type == "file_redirect":
                        found.extend(self._redirects([child], depth)[0])
                    else:
                        follows = child.type in {"pipeline", "command", "list"}
                        self.visit(child, piped=follows, depth=depth + 1)
            elif node.type == "herestring_redirect":
                words = [self._word(child) for child in node.named_children]
                script = words[0].text if len(words) == 1 else None
                self._inside(node, False, depth)
                if script is None:
                    found.append(Redirect("<<<", UNKNOWN))
            else:
                operator = "".join(child.type for child in node.children if not child.is_named)
                targets = [child for child in node.named_children if child.type != "file_descriptor"]
                found.extend(Redirect(operator, self._word(child)) for child in targets)
                self._inside(node, False, depth)
        return tuple(found), script

    def _declaration(self, node: Node, piped: bool, depth: int) -> None:
        keyword = self._text(node.children[0])
        assigned = tuple(
            self._assignment(child) for child in node.named_children if child.type == "variable_assignment"
        )
        others = tuple(
            self._word(child) for child in node.named_children if child.type != "variable_assignment"
        )
        self.commands.append(Command(Word(keyword, keyword), others, assigned))
        self._inside(node, piped, depth)

    def _assignment(self, node: Node) -> tuple[str, Word]:
        value = node.child_by_field_name("value")
        named = node.child_by_field_name("name")
        name = "" if named is None else self._text(named)
        return name, Word("") if value is None else self._word(value)

    def _test(self, node: Node) -> None:
        """`[[ x -eq y ]]` evaluates its sides; `-v` takes an index that is evaluated."""
        for one in _walk(node):
            operators = {self._text(child) for child in one.children if child.type == "test_operator"}
            sides = [child for child in one.named_children if child.type != "test_operator"]
            if operators & _ARITHMETIC_TESTS and not all(
                _NUMBERS.fullmatch(self._text(side)) for side in sides
            ):
                self.hide("a test evaluates what it compares")
            if "-v" in operators:
                self.hide("a test evaluates an index")

    def _expansion(self, node: Node) -> None:
        """`${x@P}` and `${!x}` evaluate what is in a variable."""
        marks = {child.type for child in node.children if not child.is_named}
        if "@" in marks or "!" in marks:
            self.hide("a variable's content is evaluated")

    def _word(self, node: Node) -> Word:
        """What is known of an argument."""
        match node.type:
            case "word" | "number" | "variable_name" | "special_variable_name":
                raw = self._text(node)
                loose = _GLOB.search(raw) is not None
                if _BRACES.search(raw):
                    return UNKNOWN
                text = _ESCAPE.sub(lambda escape: "" if escape[1] == "\n" else escape[1], raw)
                return Word(text, text, loose)
            case "raw_string":
                text = self._text(node)[1:-1]
                return Word(text, text)
            case "string" | "translated_string":
                return self._string(node)
            case "concatenation":
                if _BRACES.search(self._text(node)):
                    return UNKNOWN
                return _joined([self._word(child) for child in node.children if child.is_named])
            case "simple_expansion" | "expansion" | "command_substitution" | "arithmetic_expansion":
                return UNKNOWN
            case "process_substitution":
                return Word(None, "/dev/fd/")
            case _:
                return UNKNOWN

    def _string(self, node: Node) -> Word:
        if node.type == "translated_string":
            return Word(None)
        inner = self.source[node.start_byte + 1 : node.end_byte - 1]
        parts = [child for child in node.named_children if child.type != "string_content"]
        if not parts:
            text = _QUOTED_ESCAPE.sub(
                lambda escape: "" if escape[1] == "\n" else escape[1], inner.decode("utf-8", "replace")
            )
            return Word(text, text)
        head = self.source[node.start_byte + 1 : parts[0].start_byte].decode("utf-8", "replace")
        tail = self.source[parts[-1].end_byte : node.end_byte - 1].decode("utf-8", "replace")
        return Word(None, _QUOTED_ESCAPE.sub(r"\1", head), tail=_QUOTED_ESCAPE.sub(r"\1", tail))

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _echoed(command: Command) -> str | None:
    """What a plain `echo` writes; None where it is not all known."""
    words = [one.text for one in command.arguments]
    if command.name is None or command.name.text != "echo" or command.redirects:
        return None
    if any(text is None or "\\" in text or text.startswith("-") for text in words):
        return None
    return " ".join(text or "" for text in words)


def _joined(parts: list[Word]) -> Word:
    text = ""
    for part in parts:
        if part.text is None:
            tail = parts[-1].tail if parts[-1].text is None else ""
            for last in reversed(parts):
                if last.text is None:
                    tail = last.tail + tail if last is not parts[-1] else tail
                    break
                tail = last.text + tail
            return Word(None, text + part.head, any(one.loose for one in parts), tail)
        text += part.text
    return Word(text, text, any(one.loose for one in parts))


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        if child.type not in {"command_substitution", "process_substitution"}:
            yield from _walk(child)


def _everything(root: Node) -> Iterator[Node]:
    """Each node at any depth, substitutions too."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        left += node.named_children
