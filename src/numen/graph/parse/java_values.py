"""What expressions and types of Java stand for."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import Head, Import, ImportForm
from numen.graph.parse.flow import ELEMENT, MAYBE, OUTSIDE, Flow, Value
from numen.graph.parse.java_names import HOLD_MANY, INNER, KNOWN, MAY_HOLD, PICKS, STAYS
from numen.graph.parse.reading import Reading, Scope
from numen.graph.types import NodeKind

_TAKES = frozenset("get orElse orElseThrow orElseGet call join getNow resultNow getAndSet".split())
_CLASSES = frozenset((NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.ENUM, NodeKind.TYPE))


class JavaValues:
    """The values of one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.flow = Flow(reading, KNOWN)
        self.shown: dict[str, Value] = {}
        """What static imports, and imports of nested types, bind."""
        self.stars: list[Value] = []
        """Classes all of whose static members are imported."""
        self.methods: dict[int, set[str]] = {}
        """The methods that each class of this file declares."""
        self.anonymous: list[tuple[int, int, dict[str, Value | None], Value | None]] = []
        """Anonymous classes: where they begin and end, what their methods give, and their base."""
        self._packages: dict[tuple[str, str], int] = {}

    def line(self, node: Node) -> int:
        """The line on which `node` begins."""
        return self.reading.line(node.start_byte)

    # Names

    def classes(self, scope: Scope) -> list[int]:
        """The classes of this file around `scope`, innermost first."""
        found: list[int] = []
        at: Scope | None = scope
        while at is not None:
            if at.is_class:
                found.append(at.definition)
            at = at.parent
        return found

    def name(self, word: str, scope: Scope, line: int) -> Value | None:
        """What a bare word stands for: a variable, a field, or a type."""
        found, value = self.flow.bound(word)
        if found:
            return value
        around = self.classes(scope)
        for one in around:
            if (one, word) in self.flow.around:
                return self.flow.attribute(Value(Head.LOCAL, one), word, scope, line)
        if word in self.shown:
            return self.shown[word]
        if word[:1].isupper():
            return self.type_name(word, scope)
        return self.flow.attribute(Value(Head.LOCAL, around[0]), word, scope, line) if around else None

    def type_name(self, word: str, scope: Scope) -> Value | None:
        """What type a bare word names: a parameter, a class around, an import, or one of the package."""
        found, value = self.flow.bound(word)
        if found and value is not None and value.head is Head.OUTSIDE:
            return None
        if found and value is not None:
            return value
        definitions = self.reading.facts.definitions
        at: Scope | None = scope
        while at is not None:
            for one in at.definitions.get(word, []):
                if definitions[one].kind in _CLASSES:
                    return Value(Head.LOCAL, one)
            if word in at.imports:
                return Value(Head.IMPORT, at.imports[word][0])
            at = at.parent
        if word in self.shown:
            return self.shown[word]
        if word in KNOWN:
            return OUTSIDE
        around = self.classes(scope)
        return Value(Head.IMPLICIT, around[0], (word,)) if around else Value(Head.FREE, 0, (word,))

    def packaged(self, names: list[str], scope: Scope, line: int) -> Value | None:
        """What a name stands for that begins with its package."""
        size = next((i for i, name in enumerate(names) if name[:1].isupper()), 0)
        if not size:
            return None
        module, name = ".".join(names[:size]), names[size]
        number = self._packages.get((module, name))
        if number is None:
            number = self._packages[module, name] = len(self.reading.facts.imports)
            self.reading.facts.imports.append(Import(module, name, "", ImportForm.NAME, 0, line))
        value: Value | None = Value(Head.IMPORT, number)
        for one in names[size + 1 :]:
            value = self.flow.attribute(value, one, scope, line)
        return value

    # Types

    def kind(self, node: Node | None, scope: Scope) -> Value | None:
        """The value of a type: what an object of it is."""
        if node is None:
            return None
        match node.type:
            case "type_identifier" | "identifier":
                return self.type_name(self.reading.text(node), scope)
            case "scoped_type_identifier":
                names = [word.strip() for word in self.reading.text(node).split(".")]
                if names[0][:1].islower():
                    return self.packaged(names, scope, self.line(node))
                value = self.type_name(names[0], scope)
                for name in names[1:]:
                    value = self.flow.attribute(value, name, scope, self.line(node))
                return value
            case "generic_type":
                return self._generic(node, scope)
            case "array_type":
                return _around(ELEMENT, self.kind(node.child_by_field_name("element"), scope))
            case "annotated_type":
                return self.kind(node.named_children[-1], scope)
            case "catch_type" | "wildcard" | "type_bound":
                return self.kind(next(iter(node.named_children), None), scope)
            case "integral_type" | "floating_point_type" | "boolean_type" | "void_type":
                return OUTSIDE
            case _:
                return None

    def _generic(self, node: Node, scope: Scope) -> Value | None:
        base, arguments = node.named_children[0], node.named_children[-1]
        name = self.reading.text(base).rpartition(".")[2]
        given = arguments.named_children if arguments.type == "type_arguments" else []
        if given and name in HOLD_MANY | MAY_HOLD:
            value = self.type_name(name, scope) if base.type == "type_identifier" else None
            if value is None or value.head is not Head.LOCAL:
                return _around(ELEMENT if name in HOLD_MANY else MAYBE, self.kind(given[-1], scope))
        return self.kind(base, scope)

    # Expressions

    def value(self, node: Node | None, scope: Scope) -> Value | None:
        """What an expression gives."""
        if node is None:
            return None
        match node.type:
            case "identifier":
                return self.name(self.reading.text(node), scope, self.line(node))
            case "this":
                found, value = self.flow.bound("this")
                around = self.classes(scope)
                return value if found else Value(Head.LOCAL, around[0]) if around else None
            case "method_invocation" | "object_creation_expression":
                return self.flow.once(node, lambda one: self._call(one, scope))
            case "field_access":
                return self._field(node, scope)
            case "parenthesized_expression":
                return self.value(next(iter(node.named_children), None), scope)
            case "cast_expression":
                return self.kind(node.child_by_field_name("type"), scope)
            case "array_access":
                return self.flow.inside(self.value(node.child_by_field_name("array"), scope), ELEMENT)
            case "ternary_expression":
                first = self.value(node.child_by_field_name("consequence"), scope)
                return first or self.value(node.child_by_field_name("alternative"), scope)
            case "assignment_expression":
                return self.value(node.child_by_field_name("right"), scope)
            case (
                "string_literal"
                | "decimal_integer_literal"
                | "class_literal"
                | "true"
                | "false"
                | "null_literal"
            ):
                return OUTSIDE
            case "binary_expression" | "unary_expression" | "character_literal" | "instanceof_expression":
                return OUTSIDE
            case _:
                return None

    def _field(self, node: Node, scope: Scope) -> Value | None:
        holder, field = node.child_by_field_name("object"), node.child_by_field_name("field")
        if holder is None or field is None:
            return None
        if field.type == "this":  # Outer.this
            return self.type_name(self.reading.text(holder), scope)
        words = [word.strip() for word in self.reading.text(node).split(".")]
        is_named = (
            words[0].isidentifier() and words[0].islower() and any(word[:1].isupper() for word in words)
        )
        if is_named and not self._is_variable(words[0], scope):
            return self.packaged(words, scope, self.line(node))
        value = self.value(holder, scope)
        return self.flow.attribute(
            value, self.reading.text(field), scope, self.reading.line(field.start_byte)
        )

    def _is_variable(self, word: str, scope: Scope) -> bool:
        return (
            word == "this"
            or self.flow.bound(word)[0]
            or any((one, word) in self.flow.around for one in self.classes(scope))
        )

    def _call(self, node: Node, scope: Scope) -> Value | None:
        arguments = node.child_by_field_name("arguments")
        given = (
            len([one for one in arguments.named_children if "comment" not in one.type])
            if arguments is not None
            else -1
        )
        if node.type == "object_creation_expression":
            kind = self.kind(node.child_by_field_name("type"), scope)
            if kind is not None and not kind.around:
                self.flow.call(kind, scope, self.line(node), given)
            return kind
        name_node, holder = node.child_by_field_name("name"), node.child_by_field_name("object")
        if name_node is None:
            return None
        name, line = self.reading.text(name_node), self.reading.line(name_node.start_byte)
        is_super = any(one.type == "super" for one in node.children)
        if is_super:
            around = self.classes(scope)
            value = Value(Head.SUPER, around[0], (name,)) if around else None
            return self.flow.call(value, scope, line, given)
        if holder is None:
            return self._bare_call(name, node, scope, line, given)
        value = self.value(holder, scope)
        known, inner = _adapted(value, name, self.flow)
        if known:
            return inner
        return self.flow.call(self.flow.attribute(value, name, scope, line), scope, line, given)

    def _bare_call(self, name: str, node: Node, scope: Scope, line: int, given: int) -> Value | None:
        around = self.classes(scope)
        declaring = next((one for one in around if name in self.methods.get(one, ())), None)
        for start, stop, names, base in reversed(self.anonymous):
            if start <= node.start_byte < stop:
                if name in names:
                    return names[name]
                if declaring is None and base is not None:
                    return self.flow.call(self.flow.attribute(base, name, scope, line), scope, line, given)
        if declaring is None and name in self.shown:
            return self.flow.call(self.shown[name], scope, line, given)
        if declaring is None and self.stars:
            return self.flow.call(self.flow.attribute(self.stars[0], name, scope, line), scope, line, given)
        if not around:
            return None
        hint = self.flow.around.get((declaring, f"{name}()"), "") if declaring is not None else ""
        return self.flow.call(Value(Head.IMPLICIT, around[0], (name,)), scope, line, given, hint)

    def bind_lambda(self, node: Node, scope: Scope) -> None:
        """Bind the parameters of a lambda: as their types say, or as the method does that it is given to."""
        parameters = node.child_by_field_name("parameters")
        if parameters is None:
            return
        given = self._given(node, scope)
        if parameters.type == "identifier":
            self.flow.bind(self.reading.text(parameters), given)
            return
        for one in parameters.named_children:
            if one.type == "identifier":
                self.flow.bind(self.reading.text(one), given)
            else:
                name = one.child_by_field_name("name")
                if name is not None:
                    self.flow.bind(self.reading.text(name), self.kind(one.child_by_field_name("type"), scope))

    def _given(self, node: Node, scope: Scope) -> Value | None:
        call = node.parent.parent if node.parent is not None else None
        name = (
            call.child_by_field_name("name")
            if call is not None and call.type == "method_invocation"
            else None
        )
        if call is None or name is None or self.reading.text(name) not in INNER:
            return None
        value = self.value(call.child_by_field_name("object"), scope)
        if value is None or not value.around.startswith((MAYBE, ELEMENT)):
            return None
        return self.flow.inside(value, value.around[: 1 if value.around.startswith(MAYBE) else 2])


def _adapted(value: Value | None, name: str, flow: Flow) -> tuple[bool, Value | None]:
    """What a method of the standard library's containers gives; whether it is one."""
    if value is None or not value.around:
        return False, None
    if value.around.startswith(ELEMENT):
        if name in PICKS:
            return True, flow.inside(value, ELEMENT)
        return True, value if name in STAYS else None
    return True, flow.inside(value, MAYBE) if name in _TAKES else None


def _around(around: str, value: Value | None) -> Value | None:
    return value._replace(around=around + value.around) if value is not None else None
