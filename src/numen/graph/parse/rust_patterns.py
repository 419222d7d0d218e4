"""What names in patterns of Rust are bound to."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import Head
from numen.graph.parse.flow import ELEMENT, MAYBE, Value
from numen.graph.parse.reading import Scope
from numen.graph.parse.rust_names import INNER
from numen.graph.parse.rust_values import RustValues


class RustPatterns(RustValues):
    """The values in one file, and the names that patterns bind to them."""

    def bind(self, node: Node | None, value: Value | None, scope: Scope) -> None:
        """Bind the names in a pattern to the parts of `value`."""
        if node is None:
            return
        flow, children = self.flow, node.named_children
        match node.type:
            case "identifier" | "shorthand_field_identifier":
                name = self.reading.text(node)
                if not name[:1].isupper():
                    flow.bind(name, value)
            case "match_pattern" | "ref_pattern" | "mut_pattern" | "reference_pattern" | "captured_pattern":
                for child in children[:1] if node.type == "match_pattern" else children:
                    self.bind(child, value, scope)
            case "tuple_struct_pattern":
                self._bind_parts(node, value, scope)
            case "struct_pattern":
                kind = self._variant(node.child_by_field_name("type"), scope)
                for child in children:
                    if child.type == "field_pattern":
                        name, inner = child.child_by_field_name("name"), child.child_by_field_name("pattern")
                        word = self.reading.text(name) if name is not None else ""
                        part = (
                            flow.attribute(kind, word, scope, self.line(child)) if kind is not None else None
                        )
                        self.bind(inner if inner is not None else name, part, scope)
            case "or_pattern":
                for child in children:
                    self.bind(child, value, scope)
            case "tuple_pattern" | "slice_pattern":  # of a map or of what is counted: the value comes last
                is_result = value is not None and value.head is Head.RESULT and not value.around
                is_tuple = node.type == "tuple_pattern"
                for i, child in enumerate(children):
                    part = value if is_tuple and len(children) == 2 and i == 1 else None
                    part = self.flow.inside(value, f"#{i}") if is_result and is_tuple else part
                    self.bind(child, part, scope)
            case _:
                return

    def _bind_parts(self, node: Node, value: Value | None, scope: Scope) -> None:
        head, *parts = node.named_children
        for i, part in enumerate(parts):
            self.bind(part, self._part(head, i, value, scope), scope)

    def bind_closure(self, node: Node, scope: Scope) -> None:
        """Bind the parameters of a closure: as their types say, or as the method does that it is given to."""
        parameters = node.child_by_field_name("parameters")
        given = self._given(node, scope)
        for one in parameters.named_children if parameters is not None else ():
            if one.type == "parameter":
                self.bind(
                    one.child_by_field_name("pattern"),
                    self.kind(one.child_by_field_name("type"), scope),
                    scope,
                )
            else:
                self.bind(one, given, scope)

    def _given(self, node: Node, scope: Scope) -> Value | None:
        above = node.parent.parent if node.parent is not None else None
        function = above.child_by_field_name("function") if above is not None else None
        if function is None or function.type != "field_expression":
            return None
        field = function.child_by_field_name("field")
        if field is None or self.reading.text(field) not in INNER:
            return None
        value = self.value(function.child_by_field_name("value"), scope)
        if value is None or not value.around.startswith((MAYBE, ELEMENT)):
            return None
        return self.flow.inside(value, value.around[: 1 if value.around.startswith(MAYBE) else 2])
