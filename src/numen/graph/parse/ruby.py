"""Ruby: definitions, requires, mixins and references of one file."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_ruby
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.facts import CLASS_SIDE, Facts, Head, Import, ImportForm, RefKind, Trait, ordered
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.parse.ruby_names import (
    Chain,
    chain,
    constant,
    given_by,
    shaped,
    symbols,
    written,
)
from numen.graph.parse.ruby_values import Values
from numen.graph.types import NodeKind

_LANGUAGE = Language(tree_sitter_ruby.language())
_QUERY = """
[(class) (module) (method) (singleton_method) (do_block) (block) (lambda)] @scope
(singleton_class) @side
(assignment left: (constant)) @scope
[(assignment) (operator_assignment)] @assign
[(method_parameters (identifier) @bind) (block_parameters (identifier) @bind)
 (lambda_parameters (identifier) @bind)]
[(optional_parameter name: (identifier) @bind) (keyword_parameter name: (identifier) @bind)
 (splat_parameter name: (identifier) @bind) (hash_splat_parameter name: (identifier) @bind)
 (block_parameter name: (identifier) @bind) (destructured_parameter (identifier) @bind)
 (left_assignment_list (identifier) @bind) (rest_assignment (identifier) @bind)
 (exception_variable (identifier) @bind) (for pattern: (identifier) @bind)]
[(method name: (_) @name) (singleton_method name: (_) @name) (singleton_method object: (_) @name)
 (call method: (identifier) @name) (alias (identifier) @name) (undef (identifier) @name)]
(identifier) @word
(call) @call
(super) @super
"""

_BLOCKS = frozenset(("do_block", "block", "lambda"))
_TESTS = frozenset(("describe", "context", "it", "specify", "test", "scenario", "feature", "should"))
_ATTRIBUTES = frozenset(("attr_reader", "attr_accessor", "attr"))
_REQUIRES = frozenset(("require", "require_relative", "load", "autoload", "require_dependency"))
_MIXINS = frozenset(("include", "prepend"))
_TITLE = re.compile(r"""\s*\(?\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|([A-Z][\w:]*))""")


@cache
def _query() -> Query:
    return Query(_LANGUAGE, _QUERY)


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a Ruby file given as UTF-8; a file that does not parse gives what could be read."""
    tree = Parser(_LANGUAGE).parse(source)
    captures = QueryCursor(_query()).captures(tree.root_node)
    in_order(captures, *captures)
    reader = _Reader(Reading(path, source, is_typed=True, is_implicit=True), is_test)
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    facts.unit = "ruby:"
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, is_test: bool) -> None:
        self.reading = reading
        self._is_test = is_test
        self._sides: list[tuple[int, int]] = []
        self._values = Values(reading)
        self._readers: dict[tuple[int, str], None] = {}
        self._bases: list[tuple[Scope, Node]] = []
        self._mixed: list[tuple[Scope, Node]] = []

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        self._sides = [(node.start_byte, node.end_byte) for node in captures.get("side", [])]
        for node in captures.get("scope", []):
            if node.type in _BLOCKS:
                self._block(node)
            elif node.type == "assignment":
                self._shape(node)
            else:
                self._define(node)
        for node in captures.get("bind", []):
            self.reading.inside(node.start_byte).assign(written(node))
        calls = captures.get("call", [])
        for node in calls:
            self._declare(node)
        for node in captures.get("assign", []):
            self._assign(node)
        for scope, node in reversed(self._mixed):  # the last one mixed in is searched first
            self._inherit(scope, node)
        for scope, node in self._bases:
            self._inherit(scope, node)
        for node in calls:
            self._values.call(node)
        claimed = {node.start_byte for name in ("bind", "name") for node in captures.get(name, [])}
        for node in captures.get("word", []):
            if node.start_byte not in claimed:
                self._values.word(node)
        for node in captures.get("super", []):
            self._values.super(node)

    # Definitions

    def _define(self, node: Node) -> None:
        reading = self.reading
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        is_class = node.type in ("class", "module")
        names = constant(name) if is_class else [written(name)]
        if names is None:
            return
        holder = reading.inside(node.start_byte)
        is_side = node.type == "singleton_method" or any(a <= node.start_byte < b for a, b in self._sides)
        kind = NodeKind.CLASS if is_class else NodeKind.METHOD if holder.is_class else NodeKind.FUNCTION
        word = names[-1]
        if self._is_test and kind is NodeKind.METHOD and word.startswith("test"):
            kind = NodeKind.TEST
        inner = node.child_by_field_name("superclass" if is_class else "parameters")
        above = reading.facts.definitions[holder.definition].qualified
        prefix = ".".join(part for part in (above if names[0] else "", *names[:-1]) if part)
        scope = reading.define(
            kind,
            word,
            reading.signature(node.start_byte, (inner or name).end_byte),
            node.start_byte,
            node,
            Trait.SHARED if is_class else Trait.NONE,
            prefix if len(names) > 1 else "",
            sought=f"{CLASS_SIDE}{word}" if is_side and not is_class else "",
        )
        if is_class:
            self._open_class(scope, node, names)
            return
        scope.me = "self" if scope.owner >= 0 else ""
        if is_side:
            self._values.on_class.add(scope.number)
        self._returns(scope, given_by(body))

    def _open_class(self, scope: Scope, node: Node, names: list[str]) -> None:
        assert scope.parent is not None
        scope.me = ""
        self._values.on_class.add(scope.number)
        if node.child_by_field_name("superclass") is not None:
            self._bases.append((scope, node))
        if len(names) > 1:
            target = self._values.constant(scope.parent, names[:-1])
            self.reading.add(scope.definition, RefKind.MEMBER, target, self.reading.line(node.start_byte))

    def _shape(self, node: Node) -> None:
        """`Name = Struct.new(...) do`: a class without the word."""
        left, found = node.child_by_field_name("left"), shaped(node)
        if left is None or found is None:
            return
        base, block = found
        stop = block.start_byte if block is not None else node.end_byte
        scope = self.reading.define(
            NodeKind.CLASS,
            written(left),
            self.reading.signature(node.start_byte, stop),
            node.start_byte,
            node,
            Trait.SHARED,
        )
        self._values.on_class.add(scope.number)
        if base is not None:
            self._bases.append((scope, base))

    def _block(self, node: Node) -> None:
        above = node.parent
        holder = self.reading.inside(node.start_byte)
        if above is not None and above.type == "call" and self._is_test and self._test(above, node):
            return
        if above is not None and above.type == "call" and self._dynamic(above, node):
            return
        given = above.parent if above is not None and above.type == "call" else None
        if given is not None and given.type == "assignment" and holder.is_class and shaped(given) is not None:
            return
        scope = self.reading.open(node.start_byte, node.end_byte)
        if holder.is_class:  # a block in the body of a class may run on the class or on an object
            scope.owner = holder.definition
            self._values.either.add(scope.number)

    def _test(self, call: Node, block: Node) -> bool:
        method, arguments = call.child_by_field_name("method"), call.child_by_field_name("arguments")
        if method is None or arguments is None or written(method) not in _TESTS:
            return False
        title = _TITLE.match(written(arguments))
        name = " ".join(next((group for group in title.groups() if group), "").split()) if title else ""
        if not name:
            return False
        signature = self.reading.signature(call.start_byte, block.start_byte)
        scope = self.reading.define(
            NodeKind.TEST, name, signature, block.start_byte, call, Trait.MEMBER, start=call.start_byte
        )
        scope.me = "self" if scope.owner >= 0 else ""
        return True

    def _dynamic(self, call: Node, block: Node) -> bool:
        """`define_method(:name) { }`."""
        method, arguments = call.child_by_field_name("method"), call.child_by_field_name("arguments")
        holder = self.reading.inside(block.start_byte)
        if method is None or arguments is None or written(method) != "define_method" or not holder.is_class:
            return False
        names = symbols(arguments)
        if len(names) != 1:
            return False
        signature = self.reading.signature(call.start_byte, block.start_byte)
        scope = self.reading.define(
            NodeKind.METHOD, names[0], signature, block.start_byte, call, Trait.NONE, start=call.start_byte
        )
        scope.me = "self"
        return True

    def _returns(self, scope: Scope, given: Chain | None) -> None:
        if given is None:
            return
        line = self.reading.facts.definitions[scope.definition].start
        if given.is_made:
            target = self._values.constant(scope, given.names) if given.names[0] != "self" else None
        else:
            is_object = scope.owner >= 0 and not self._values.is_on_class(scope)
            target = Target(Head.LOCAL, scope.owner, ()) if is_object else None
        if target is not None:
            self.reading.add(scope.definition, RefKind.RETURNS, target, line)

    # Names

    def _declare(self, node: Node) -> None:
        """Calls that declare: requires, mixins, attributes."""
        method, arguments = node.child_by_field_name("method"), node.child_by_field_name("arguments")
        if node.child_by_field_name("receiver") is not None or method is None or arguments is None:
            return
        name = written(method)
        scope = self.reading.inside(node.start_byte)
        if name in _REQUIRES:
            self._require(name, arguments, scope)
        elif scope.is_class and name in _ATTRIBUTES:
            for attribute in symbols(arguments):
                self._readers[(scope.definition, attribute)] = None
        elif scope.is_class and name in _MIXINS:
            self._mixed.extend((scope, child) for child in arguments.named_children)
        elif scope.is_class and name == "extend":
            for child in arguments.named_children:
                self._extend(scope, child)

    def _require(self, name: str, arguments: Node, scope: Scope) -> None:
        last = arguments.named_children[-1] if arguments.named_children else None
        words = written(last).strip("'\"") if last is not None and last.type == "string" else ""
        if words and "#{" not in words:
            module = f"./{words}" if name == "require_relative" else words
            line = self.reading.line(arguments.start_byte)
            self.reading.facts.imports.append(
                Import(module, "", "", ImportForm.MODULE, scope.definition, line)
            )

    def _assign(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        scope = self.reading.inside(node.start_byte)
        found = chain(right)
        if left.type == "identifier":
            scope.assign(written(left))
            if found is not None and not found.is_class and found.names[0]:
                scope.make(written(left), ".".join(found.names))
        elif left.type == "instance_variable" and scope.owner >= 0 and found is not None and found.is_made:
            self._hold(scope, written(left), found)

    def _hold(self, scope: Scope, name: str, found: Chain) -> None:
        """`@name = Name.new`: what objects hold, and what a reader of that name gives."""
        target = self._values.constant(scope, found.names)
        line = self.reading.facts.definitions[scope.definition].start
        for held in (name, name[1:]) if (scope.owner, name[1:]) in self._readers else (name,):
            self.reading.add(scope.owner, RefKind.HOLDS, target._replace(path=(*target.path, held)), line)

    def _inherit(self, scope: Scope, node: Node) -> None:
        assert scope.parent is not None
        above = node.child_by_field_name("superclass") if node.type in ("class", "module") else None
        names = constant(above.named_children[0] if above is not None else node)
        line = self.reading.line(node.start_byte)
        if names is not None:
            outer = scope.parent if above is not None else scope
            self.reading.add(scope.definition, RefKind.INHERITS, self._values.constant(outer, names), line)

    def _extend(self, scope: Scope, node: Node) -> None:
        """What `extend` is given answers on the class itself; `extend self` opens a module's own methods."""
        names = constant(node)
        itself = Target(Head.LOCAL, scope.definition, ()) if node.type == "self" else None
        target = self._values.constant(scope, names) if names is not None else itself
        if target is not None:
            self.reading.add(scope.definition, RefKind.EXTENDS, target, self.reading.line(node.start_byte))
