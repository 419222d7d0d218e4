"""JavaScript and TypeScript, with JSX and TSX: definitions, imports and references of one file."""

from __future__ import annotations

import re
from functools import cache

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from numen.graph.parse.ecmascript_modules import TITLE, Modules
from numen.graph.parse.ecmascript_names import KINDS
from numen.graph.parse.ecmascript_types import DOTTED, Types
from numen.graph.parse.facts import Facts, Head, RefKind, Trait, ordered
from numen.graph.parse.reading import Reading, Scope, Target, broken, in_order
from numen.graph.types import NodeKind

_COMMON_QUERY = """
[(function_declaration) (generator_function_declaration) (class_declaration) (class) (method_definition)
 (arrow_function) (function_expression) (generator_function)] @scope
(call_expression function: [(identifier) (member_expression) (super) (import)]) @call
(new_expression constructor: [(identifier) (member_expression)] @use)
(decorator [(identifier) (member_expression)] @use)
(import_statement) @import
(export_statement) @export
(variable_declarator) @declare
(assignment_expression left: (member_expression)) @assign
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(for_in_statement left: (identifier) @bind)
(shorthand_property_identifier_pattern) @bind
(pair_pattern value: (identifier) @bind)
(array_pattern (identifier) @bind)
(rest_pattern (identifier) @bind)
(assignment_pattern left: (identifier) @bind)
"""
_JSX_QUERY = """
(jsx_opening_element name: [(identifier) (member_expression)] @tag)
(jsx_self_closing_element name: [(identifier) (member_expression)] @tag)
"""
_JAVASCRIPT_QUERY = """
(field_definition) @field
(formal_parameters (identifier) @bind)
"""
_TYPESCRIPT_QUERY = """
[(interface_declaration) (type_alias_declaration) (enum_declaration) (abstract_class_declaration)
 (function_signature) (method_signature) (abstract_method_signature) (internal_module) (module)] @scope
[(public_field_definition) (property_signature)] @field
[(required_parameter) (optional_parameter)] @parameter
"""

_GRAMMARS = {
    "javascript": Language(tree_sitter_javascript.language()),
    "typescript": Language(tree_sitter_typescript.language_typescript()),
    "tsx": Language(tree_sitter_typescript.language_tsx()),
}
_QUERIES = {
    "javascript": _COMMON_QUERY + _JSX_QUERY + _JAVASCRIPT_QUERY,
    "typescript": _COMMON_QUERY + _TYPESCRIPT_QUERY,
    "tsx": _COMMON_QUERY + _JSX_QUERY + _TYPESCRIPT_QUERY,
}

_FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function"))
_TESTS = re.compile(r"(?:describe|context|suite|it|test|specify|bench)(?:\.\w+)*")


@cache
def _query(grammar: str) -> Query:
    return Query(_GRAMMARS[grammar], _QUERIES[grammar])


def parse(path: str, source: bytes, is_test: bool) -> Facts:
    """The facts of a file given as UTF-8; a file that does not parse gives what could be read."""
    tail = path.rpartition(".")[2].lower()
    grammar = "tsx" if tail == "tsx" else "typescript" if tail in ("ts", "mts", "cts") else "javascript"
    tree = Parser(_GRAMMARS[grammar]).parse(source)
    captures = QueryCursor(_query(grammar)).captures(tree.root_node)
    in_order(captures, "import", "export", "assign", "declare", "parameter", "use", "tag", "call")
    reader = _Reader(
        Reading(path, source, is_typed=True),
        is_test,
        is_declared=path.endswith((".d.ts", ".d.mts", ".d.cts")),
    )
    reader.reading.attempt(lambda: reader.read(captures))
    facts = reader.reading.facts
    if tree.root_node.has_error:
        facts.problem = broken(tree.root_node)
    return ordered(facts)


class _Reader:
    """Reads the captures of one file."""

    def __init__(self, reading: Reading, is_test: bool, *, is_declared: bool) -> None:
        self.reading = reading
        self._is_test = is_test
        self._is_declared = is_declared
        self._heritage: list[tuple[Scope, Node]] = []
        self._modules = Modules(reading)
        self._types = Types(reading)
        self._asked: set[tuple[int, bytes]] = set()

    def read(self, captures: dict[str, list[Node]]) -> None:
        """Definitions first, then what is bound where, then what is used."""
        tests = [node for node in captures.get("call", []) if self._is_test and self._is_test_call(node)]
        for node in sorted([*captures.get("scope", []), *tests], key=_position):
            if node.type == "call_expression":
                self._test(node)
            elif node.type in _FUNCTIONS:
                self._function(node)
            else:
                self._define(node)
        for node in captures.get("import", []):
            self._modules.import_statement(node)
        for node in captures.get("declare", []):
            self._declare(node)
        for node in captures.get("export", []):
            self._modules.export_statement(node)
        for node in captures.get("assign", []):
            self._assign(node)
        for node in captures.get("bind", []):
            self.reading.inside(node.start_byte).assign(self.reading.text(node))
        for node in captures.get("parameter", []):
            self._types.parameter(node)
        for node in captures.get("field", []):
            self._types.field(node)
        self._types.settle()
        for scope, node in self._heritage:
            self._inherit(scope, node)
        for node in captures.get("use", []):
            self._use(node)
        for node in captures.get("tag", []):
            if not self.reading.text(node)[0].islower():
                self._use(node)
        for node in captures.get("call", []):
            self._call(node)

    # Definitions

    def _define(self, node: Node) -> None:
        reading = self.reading
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = reading.text(name_node).strip("'\"") if name_node is not None else self._name_of_value(node)
        if name is None:
            reading.open(node.start_byte, node.end_byte)
            return
        kind = KINDS.get(node.type, NodeKind.FUNCTION)
        trait = Trait.NONE
        if body is None and not self._is_declared and node.type in ("function_signature", "method_signature"):
            trait = Trait.OVERLOAD if not self._in_interface(node) else Trait.NONE
        above = node.parent
        if above is not None and above.type == "object":
            self._member_of_object(node, above, name)
            return
        first = (
            above.start_byte if above is not None and above.type == "export_statement" else node.start_byte
        )
        stop = body.start_byte if body is not None else node.end_byte
        scope = reading.define(kind, name, self._signature(first, stop), first, node, trait)
        if kind in (NodeKind.CLASS, NodeKind.INTERFACE):
            self._heritage.append((scope, node))
        elif kind in (NodeKind.FUNCTION, NodeKind.METHOD):
            self._this(scope, is_method=kind is NodeKind.METHOD)
            self._types.result(scope, node)

    def _function(self, node: Node) -> None:
        """A function that is a value: it has the name of what it is given to, or none."""
        reading = self.reading
        is_arrow = node.type == "arrow_function"
        above, given = node.parent, None
        name_node = node.child_by_field_name("name")
        if above is not None:
            given = self._name_of_value(node)
        body = node.child_by_field_name("body")
        stop = body.start_byte if body is not None else node.end_byte
        if given is None or above is None:
            scope = reading.open(node.start_byte, node.end_byte)
            if not is_arrow:
                scope.assign("this")
            if name_node is not None:
                scope.assign(reading.text(name_node))
            return
        if above.type == "pair":
            self._member_of_object(node, above.parent, given)
            return
        is_field = above.type in ("field_definition", "public_field_definition")
        first = self._statement(above).start_byte
        prefix, trait = "", Trait.NONE
        if above.type == "assignment_expression":
            prefix, trait = self._assigned_prefix(above)
        kind = NodeKind.METHOD if is_field or trait & Trait.MEMBER else NodeKind.FUNCTION
        scope = reading.define(kind, given, self._signature(first, stop), first, above, trait, prefix)
        self._types.result(scope, node)
        if not is_arrow or is_field:
            self._this(scope, is_method=is_field)

    def _member_of_object(self, node: Node, holder: Node | None, name: str) -> None:
        """A method of an object literal, called `object.method` when the object has a name."""
        reading = self.reading
        above = holder.parent if holder is not None else None
        prefix = ""
        if above is not None and above.type == "variable_declarator":
            name_node = above.child_by_field_name("name")
            prefix = reading.text(name_node) if name_node is not None else ""
        body = node.child_by_field_name("body")
        stop = body.start_byte if body is not None else node.end_byte
        start = (
            node.parent.start_byte
            if node.parent is not None and node.parent.type == "pair"
            else node.start_byte
        )
        outer = reading.facts.definitions[reading.inside(start).definition].qualified
        prefix = f"{outer}.{prefix}" if outer and prefix else prefix
        scope = reading.define(
            NodeKind.METHOD, name, self._signature(start, stop), start, node, Trait.MEMBER, prefix
        )
        if node.type != "arrow_function":
            scope.assign("this")

    def _test(self, node: Node) -> None:
        arguments = node.child_by_field_name("arguments")
        if arguments is None:
            return
        title = TITLE.match(
            self.reading.source[arguments.start_byte + 1 : arguments.end_byte].decode("utf-8", "replace")
        )
        if title is None:
            return
        name = " ".join((title.group(1) or title.group(2) or title.group(3) or "").split())
        if name:
            stop = arguments.start_byte + 1 + len(title.group(0).encode())
            signature = self.reading.signature(node.start_byte, stop)
            self.reading.define(NodeKind.TEST, name, signature, node.start_byte, node, Trait.MEMBER)

    def _is_test_call(self, node: Node) -> bool:
        function = node.child_by_field_name("function")
        return function is not None and _TESTS.fullmatch(self.reading.text(function)) is not None

    def _this(self, scope: Scope, *, is_method: bool) -> None:
        if is_method and scope.owner >= 0:
            scope.me = "this"
        else:
            scope.assign("this")

    def _in_interface(self, node: Node) -> bool:
        above = node.parent
        return above is not None and above.type in ("interface_body", "object_type")

    def _signature(self, start: int, stop: int) -> str:
        text = self.reading.signature(start, stop)
        return text.removesuffix("{").removesuffix("=>").rstrip()

    def _name_of_value(self, node: Node) -> str | None:
        """The name that a function or class without one is given where it stands."""
        above = node.parent
        if above is None:
            return None
        if above.type == "variable_declarator":
            name = above.child_by_field_name("name")
            return self.reading.text(name) if name is not None and name.type == "identifier" else None
        if above.type in ("pair", "field_definition", "public_field_definition"):
            name = above.child_by_field_name("key") or above.child_by_field_name("property")
            name = name or above.child_by_field_name("name")
            return (
                self.reading.text(name).strip("'\"")
                if name is not None and name.type != "computed_property_name"
                else None
            )
        if above.type == "assignment_expression":
            left = above.child_by_field_name("left")
            text = self.reading.text(left) if left is not None else ""
            if text == "module.exports":
                return "default"
            return text.rpartition(".")[2] if DOTTED.fullmatch(text) and "." in text else None
        if above.type == "export_statement":
            return "default"
        return None

    def _statement(self, node: Node) -> Node:
        """The statement that a declared or assigned value begins with, `export` included."""
        while node.parent is not None and node.parent.type in (
            "lexical_declaration",
            "variable_declaration",
            "export_statement",
            "expression_statement",
        ):
            if (
                node.type == "variable_declarator"
                and node.parent.named_children[0].start_byte != node.start_byte
            ):
                break
            node = node.parent
        return node

    def _assigned_prefix(self, node: Node) -> tuple[str, Trait]:
        """For `a.b = function`: what it is a member of, unless that is the module itself."""
        left = node.child_by_field_name("left")
        holder = self.reading.text(left).rpartition(".")[0] if left is not None else ""
        if holder in ("exports", "module.exports", "module", "this"):
            return "", Trait.NONE
        return holder.replace(".prototype", ""), Trait.MEMBER

    # Names

    def _declare(self, node: Node) -> None:
        """`const x = ...`: what it binds, and what is said of its type."""
        reading = self.reading
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if value is not None and value.type in ("call_expression", "await_expression", "member_expression"):
            text = reading.source[node.start_byte : min(node.end_byte, node.start_byte + 400)].decode(
                "utf-8", "replace"
            )
            if self._modules.required(text, node):
                return
        is_function = value is not None and value.type in (*_FUNCTIONS, "class")
        if name is not None and name.type == "identifier" and not is_function:
            self._types.variable(node)

    def _assign(self, node: Node) -> None:
        """`module.exports = x`, `exports.x = y`, `this.x = y`."""
        reading = self.reading
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        target, scope = reading.text(left), reading.inside(node.start_byte)
        if target == "module.exports" or target.startswith(("module.exports.", "exports.")):
            self._modules.exported(target, right)
        elif target.startswith("this.") and target.count(".") == 1 and scope.owner >= 0 and scope.me:
            self._types.attribute(target[5:], right, scope)

    def _inherit(self, scope: Scope, node: Node) -> None:
        assert scope.parent is not None
        body = node.child_by_field_name("body")
        name = node.child_by_field_name("name")
        start = name.end_byte if name is not None else node.start_byte
        stop = body.start_byte if body is not None else node.end_byte
        head = self.reading.source[start:stop].decode("utf-8", "replace")
        line = self.reading.line(node.start_byte)
        while "<" in head and (shorter := re.sub(r"<[^<>]*>", "", head)) != head:
            head = shorter
        _, _, bases = head.partition("extends") if "extends" in head else head.partition("implements")
        for word in re.split(r"\bimplements\b|,", bases):
            if DOTTED.fullmatch(word.strip()):
                self.reading.refer(
                    scope.parent, RefKind.INHERITS, word.strip().split("."), line, scope.definition
                )

    # Uses

    def _use(self, node: Node) -> None:
        scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
        text = self.reading.text(node)
        if DOTTED.fullmatch(text) and not text.startswith("this."):
            self.reading.refer(scope, RefKind.CALLS, text.split("."), line)

    def _call(self, node: Node) -> None:
        reading = self.reading
        function = node.child_by_field_name("function")
        if function is None:
            return
        start, end = function.start_byte, function.end_byte
        scope, line = reading.inside(start), reading.line(start)
        words = reading.source[start : min(end, start + 200)]
        if words in (b"require", b"import"):
            self._modules.used(node, scope)
            return
        if (scope.number, words) in self._asked:
            return
        self._asked.add((scope.number, words))
        text = words.decode("utf-8", "replace").replace("?.", ".").replace("!.", ".")
        if text == "super" or text.startswith("super."):
            if scope.owner >= 0:
                rest = text[6:] if len(text) > 6 else "constructor"
                if "." not in rest:
                    reading.add(
                        scope.definition, RefKind.CALLS, Target(Head.SUPER, scope.owner, (rest,)), line
                    )
            return
        if DOTTED.fullmatch(text):
            reading.refer(scope, RefKind.CALLS, text.split("."), line)
            return
        made = re.fullmatch(r"\(?new\s+([\w$]+)\([^()]*\)\)?\.([\w$]+)", text)
        if made is not None:
            target = reading.resolved(scope, [made.group(1), made.group(2)])
            if target is not None and target.head is not Head.UNKNOWN:
                reading.add(scope.definition, RefKind.CALLS, target._replace(inferred=True), line)
                return
        last = function.child_by_field_name("property")
        if last is not None:
            reading.ask(scope, reading.text(last), line)


def _position(node: Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte
