"""What expressions of Rust stand for."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import Head
from numen.graph.parse.flow import ELEMENT, MAYBE, OUTSIDE, RESULT, Value
from numen.graph.parse.reading import Scope
from numen.graph.parse.rust_names import PICKS, STAYS, STAYS_SURELY, TAKES, TRANSPARENT
from numen.graph.parse.rust_paths import RustPaths, within

_TAKES_SURELY = frozenset("unwrap expect unwrap_or_default unwrap_or_else unwrap_or".split())
_ITERATES = frozenset("iter iter_mut into_iter".split())


class RustValues(RustPaths):
    """The values in one file."""

    def value(self, node: Node | None, scope: Scope) -> Value | None:
        """What an expression gives."""
        if node is None:
            return None
        flow = self.flow
        match node.type:
            case "identifier" | "self":
                return self.look(self.reading.text(node), scope)
            case "scoped_identifier":
                return self._of_type(self.scoped(node, scope))
            case "field_expression":
                return self._field(node, scope)
            case "call_expression" | "macro_invocation":
                return flow.once(node, lambda one: self._call(one, scope))
            case "struct_expression":
                return self.made(node, scope)
            case (
                "reference_expression" | "await_expression" | "parenthesized_expression" | "unary_expression"
            ):
                inner = node.child_by_field_name("value") or next(iter(node.named_children), None)
                return self.value(inner, scope)
            case "try_expression":
                return flow.inside(self.value(next(iter(node.named_children), None), scope), MAYBE)
            case "index_expression":
                return flow.inside(self.value(node.named_children[0], scope), ELEMENT)
            case "type_cast_expression":
                return self.kind(node.child_by_field_name("type"), scope)
            case "match_expression":
                return self._matched(node, scope)
            case "closure_expression":
                return within(RESULT, self.kind(node.child_by_field_name("return_type"), scope))
            case (
                "string_literal"
                | "integer_literal"
                | "char_literal"
                | "boolean_literal"
                | "raw_string_literal"
            ):
                return OUTSIDE
            case "binary_expression" | "float_literal" | "range_expression":
                return OUTSIDE
            case _:
                return None

    def made(self, node: Node, scope: Scope) -> Value | None:
        """`Name { ... }`: an object of that type."""
        name = node.child_by_field_name("name")
        value = self._of_type(self.kind(name, scope))
        self.flow.refer(value, scope, self.line(node))
        return value

    def _field(self, node: Node, scope: Scope) -> Value | None:
        field = node.child_by_field_name("field")
        if field is None:
            return None
        value = self.value(node.child_by_field_name("value"), scope)
        return self.flow.attribute(
            value, self.reading.text(field), scope, self.reading.line(field.start_byte)
        )

    def _matched(self, node: Node, scope: Scope) -> Value | None:
        """`match x { Ok(v) => v, ... }` gives what `x` holds."""
        body = node.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            pattern, value = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
            inner = pattern.named_children[0] if pattern is not None and pattern.named_children else None
            if inner is None or value is None or inner.type != "tuple_struct_pattern":
                continue
            words = [self.reading.text(one) for one in inner.named_children]
            if value.type == "identifier" and words[1:] == [self.reading.text(value)] and words[0] != "Err":
                whole = self.value(node.child_by_field_name("value"), scope)
                return self._part(inner.named_children[0], 0, whole, scope)
        return None

    def _call(self, node: Node, scope: Scope) -> Value | None:
        line = self.line(node)
        if node.type == "macro_invocation":
            name = node.child_by_field_name("macro")
            names = self.reading.text(name).split("::") if name is not None else [""]
            self.flow.call(self.macro(names, scope, line), scope, line)
            return None
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is not None and function.type == "generic_function":
            function = function.child_by_field_name("function")
        if function is None:
            return None
        given = arguments.named_children if arguments is not None else []
        if function.type == "field_expression":
            return self._method(function, scope, len(given))
        if function.type in ("identifier", "scoped_identifier"):
            known, value = self._known_call(self.reading.text(function), given, scope)
            if known:
                return value
        if function.type == "scoped_identifier":
            value = self.scoped(function, scope)
            if value is not None and value.path and value.path[-1][:1].isupper():
                return self._of_type(value)
        else:
            value = self.value(function, scope)
            if function.type == "identifier" and self.reading.text(function)[:1].isupper():
                self.flow.refer(value, scope, line)
                return value
        return self.flow.call(value, scope, self.reading.line(function.end_byte - 1), len(given))

    def _known_call(self, name: str, given: list[Node], scope: Scope) -> tuple[bool, Value | None]:
        """Calls that only wrap what they are given."""
        first = given[0] if given else None
        if name in ("Some", "Ok"):
            return True, within(MAYBE, self.value(first, scope))
        kind, _, made = name.rpartition("::")
        kind = kind.rpartition("::")[2]
        if made in ("new", "clone", "from", "pin") and kind in TRANSPARENT:
            return True, self.value(first, scope)
        if made == "new" and kind in ("RefCell", "Mutex", "RwLock", "Cell"):
            return True, within(MAYBE, self.value(first, scope))
        return name in ("Err", "None", "drop"), None

    def _method(self, function: Node, scope: Scope, given: int) -> Value | None:
        field = function.child_by_field_name("field")
        if field is None:
            return None
        name, line = self.reading.text(field), self.reading.line(field.start_byte)
        value = self.value(function.child_by_field_name("value"), scope)
        known, inner = self._adapted(value, name)
        if known:
            return inner
        return self.flow.call(self._of(value, name, scope, line), scope, line, given)

    def _adapted(self, value: Value | None, name: str) -> tuple[bool, Value | None]:
        """What a method of the standard library's wrappers gives; whether it is one."""
        if value is None or value.head in (Head.OUTSIDE, Head.UNKNOWN):
            if value is not None and value.head is Head.OUTSIDE and name not in self.beside[value.at]:
                return True, OUTSIDE
            return False, None
        if value.around.startswith(MAYBE):
            if name in _ITERATES:
                return True, value._replace(around=ELEMENT + value.around.removeprefix(MAYBE))
            if name in STAYS:
                return True, value
            return True, self.flow.inside(value, MAYBE) if name in TAKES else None
        if value.around.startswith(ELEMENT):
            inner = value.around.removeprefix(ELEMENT)
            if name in PICKS:
                return True, value._replace(around=MAYBE + inner)
            if name in ("remove", "swap_remove", "unwrap_or_default"):
                return True, value._replace(around=inner)
            return True, value if name in STAYS else None
        if value.around:
            return True, None
        if name in _TAKES_SURELY and (value.path or value.head is Head.RESULT):
            return True, self.flow.inside(value, MAYBE)
        if name in STAYS_SURELY and not self._has(value, name):
            return True, value
        if name in _ITERATES and self._is_constant(value):
            inner = self.flow.inside(value, ELEMENT)
            return True, within(ELEMENT, inner)
        return False, None

    def _is_constant(self, value: Value) -> bool:
        """Whether `value` is a constant of another file, by its name: what is iterated over is no type."""
        if value.head is not Head.IMPORT or value.path:
            return False
        name = self.reading.facts.imports[value.at].name
        return name.isupper() and len(name) > 1

    def _has(self, value: Value, name: str) -> bool:
        """Whether `value` is of a class of this file that is known to have a method `name`."""
        return value.head is Head.LOCAL and (value.at, f"{name}()") in self.flow.around

    # Parts

    def _part(self, head: Node, number: int, value: Value | None, scope: Scope) -> Value | None:
        """Part `number` of `value`, which is a tuple, or a variant of the name `head`."""
        name = self.reading.text(head).rpartition("::")[2]
        if name in ("Some", "Ok"):
            return self.flow.inside(value, MAYBE)
        enum = self.variants.get(name, -1) if head.type == "identifier" else -1
        kind = Value(Head.LOCAL, enum) if enum >= 0 else self._variant(head, scope)
        if kind is None or name == "Err":
            return None
        label = str(number) if head.type == "identifier" and enum < 0 else f"{name}#{number}"
        return self.flow.attribute(kind, label, scope, self.line(head))

    def _variant(self, node: Node | None, scope: Scope) -> Value | None:
        """The type that a pattern takes apart: a struct, or the enum of a variant."""
        return self._of_type(self.kind(node, scope)) if node is not None else None
