"""What expressions and types of Go stand for."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.flow import ELEMENT, OUTSIDE, Flow, Value
from numen.graph.parse.golang_names import BUILTINS
from numen.graph.parse.reading import Reading, Scope


class GoValues:
    """The values of one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.flow = Flow(reading, BUILTINS)

    def value(self, node: Node, scope: Scope) -> Value | None:
        """What an expression gives."""
        flow = self.flow
        match node.type:
            case "identifier":
                return flow.look(self.reading.text(node), scope)
            case "selector_expression":
                field, operand = node.child_by_field_name("field"), node.child_by_field_name("operand")
                if field is None or operand is None:
                    return None
                value = self.value(operand, scope)
                line = self.reading.line(field.start_byte)
                return flow.attribute(value, self.reading.text(field), scope, line)
            case "call_expression":
                return flow.once(node, lambda one: self._call(one, scope))
            case "composite_literal":
                return flow.once(node, lambda one: self._made(one, scope))
            case "parenthesized_expression" | "unary_expression" | "slice_expression":
                inner = node.child_by_field_name("operand") or next(iter(node.named_children), None)
                value = self.value(inner, scope) if inner is not None else None
                taken = node.type == "unary_expression" and node.children[0].type == "<-"
                return flow.inside(value, ELEMENT) if taken else value
            case "index_expression":
                operand = node.child_by_field_name("operand")
                return flow.inside(self.value(operand, scope), ELEMENT) if operand is not None else None
            case "type_conversion_expression":
                return flow.once(node, lambda one: self._converted(one, scope))
            case "type_assertion_expression":
                return self.kind(node.child_by_field_name("type"), scope)
            case "func_literal":
                result = node.child_by_field_name("result")
                value = self.kind(result, scope)
                return value._replace(around=f"(){value.around}") if value is not None else None
            case "interpreted_string_literal" | "raw_string_literal" | "int_literal" | "float_literal":
                return OUTSIDE
            case "rune_literal" | "true" | "false" | "nil" | "binary_expression":
                return OUTSIDE
            case _:
                return None

    def _made(self, node: Node, scope: Scope) -> Value | None:
        value = self.kind(node.child_by_field_name("type"), scope)
        self.flow.refer(value, scope, self.reading.line(node.start_byte))
        return value

    def _converted(self, node: Node, scope: Scope) -> Value | None:
        """`T(x)`; `f[T](x)` looks the same and may be a call."""
        kind = node.child_by_field_name("type")
        value = self.kind(kind, scope)
        if kind is None or kind.type != "generic_type":
            return value
        return self.flow.call(value, scope, self.reading.line(node.start_byte), 1)

    def _call(self, node: Node, scope: Scope) -> Value | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        if function.type == "index_expression":  # a generic function with its types, or an element
            operand = function.child_by_field_name("operand")
            inner = self.value(operand, scope) if operand is not None else None
            if operand is not None and inner is not None and not inner.inferred and not inner.around:
                function = operand
        given = arguments.named_children
        size = function.end_byte - function.start_byte
        word = self.reading.text(function) if size <= len("sync.OnceValue") else ""
        if word in ("new", "make") and given:
            return self.kind(given[0], scope)
        if word in ("append", "sync.OnceValue") and given:  # they give what they are given
            return self.value(given[0], scope)
        value = self.value(function, scope)
        if function.type == "parenthesized_expression" and function.named_children[0].type != "func_literal":
            return value
        if function.type in ("slice_type", "array_type", "map_type"):
            return self.kind(function, scope)
        return self.flow.call(value, scope, self.reading.line(function.end_byte - 1), len(given))

    def kind(self, node: Node | None, scope: Scope) -> Value | None:
        """The value of a type: what an object of it is."""
        if node is None:
            return None
        match node.type:
            case "type_identifier" | "identifier":
                return self.flow.look(self.reading.text(node), scope)
            case "qualified_type" | "selector_expression":
                package, name = node.named_children[0], node.named_children[-1]
                value = self.flow.look(self.reading.text(package), scope)
                line = self.reading.line(node.start_byte)
                return self.flow.attribute(value, self.reading.text(name), scope, line)
            case "pointer_type" | "parenthesized_type" | "generic_type" | "type_elem" | "negated_type":
                return self.kind(next(iter(node.named_children), None), scope)
            case "slice_type" | "array_type" | "implicit_length_array_type" | "map_type" | "channel_type":
                inner = node.child_by_field_name("element") or node.child_by_field_name("value")
                value = self.kind(inner, scope)
                return value._replace(around=ELEMENT + value.around) if value is not None else None
            case "function_type":
                result = node.child_by_field_name("result")
                if result is not None and result.type == "parameter_list":
                    result = (
                        result.named_children[0].child_by_field_name("type")
                        if result.named_children
                        else None
                    )
                value = self.kind(result, scope)
                return value._replace(around=f"(){value.around}") if value is not None else OUTSIDE
            case "parameter_list":
                first = node.named_children[0] if node.named_children else None
                return self.kind(first.child_by_field_name("type"), scope) if first is not None else None
            case _:
                return None
