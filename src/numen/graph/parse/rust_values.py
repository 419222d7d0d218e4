"""What expressions, types and patterns of Rust stand for."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import Head, Import, ImportForm
from numen.graph.parse.flow import ELEMENT, MAYBE, OUTSIDE, RESULT, Flow, Value
from numen.graph.parse.reading import Reading, Scope
from numen.graph.parse.rust_names import (
    HOLD_MANY,
    INNER,
    MACROS,
    MAY_HOLD,
    PICKS,
    PRIMITIVES,
    STAYS,
    STAYS_SURELY,
    TAKES,
    TRANSPARENT,
)
from numen.graph.parse.rust_units import MACRO
from numen.graph.types import NodeKind

_TAKES_SURELY = frozenset("unwrap expect unwrap_or_default unwrap_or_else unwrap_or".split())
_ITERATES = frozenset("iter iter_mut into_iter".split())


class RustValues:
    """The values of one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.flow = Flow(reading, PRIMITIVES)
        self.macros: dict[str, int] = {}
        """Macros of this file, by name."""
        self._modules: dict[str, int] = {}

    def line(self, node: Node) -> int:
        """The line on which `node` begins."""
        return self.reading.line(node.start_byte)

    # Paths

    def path(self, names: list[str], scope: Scope, line: int) -> Value | None:
        """What a path, split at `::`, stands for."""
        first, *rest = names
        if first in ("crate", "self", "super", "$crate"):
            value, rest = self._of_module(names, scope)
        else:
            value = self.flow.look(first, scope)
            if rest and value == Value(Head.FREE, 0, (first,)) and first.islower():
                value = self._module(first)
        for name in rest:
            value = self.flow.attribute(value, name, scope, line)
        return value

    def _of_module(self, names: list[str], scope: Scope) -> tuple[Value | None, list[str]]:
        """A path that begins in a module of this crate: the module, and what is left of the path."""
        depth = self._depth(scope)
        lead = 0
        while lead < len(names) - 1 and names[lead] in ("crate", "self", "super", "$crate"):
            lead += 1
        ups = names[:lead].count("super")
        if names[0] not in ("crate", "$crate") and ups <= depth:  # a module of this file
            rest = names[lead:]
            return self.flow.look(rest[0], scope), rest[1:]
        module = ["crate"] if names[0] in ("crate", "$crate") else ["super"] * (ups - depth)
        while lead < len(names) - 1 and names[lead][:1].islower():
            module.append(names[lead])
            lead += 1
        return self._module("::".join(module)), names[lead:]

    def _depth(self, scope: Scope) -> int:
        """How many modules of this file `scope` is in."""
        depth = 0
        at: Scope | None = scope
        definitions = self.reading.facts.definitions
        while at is not None and at.number:
            depth += at.is_class and definitions[at.definition].kind is NodeKind.TYPE
            at = at.parent
        return depth

    def _module(self, module: str) -> Value:
        number = self._modules.get(module)
        if number is None:
            number = self._modules[module] = len(self.reading.facts.imports)
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.MODULE, 0, 1))
        return Value(Head.IMPORT, number)

    def macro(self, names: list[str], scope: Scope, line: int) -> Value | None:
        """What the macro of a path stands for."""
        name = names[-1]
        if name in self.macros:
            return Value(Head.LOCAL, self.macros[name])
        if name in MACROS:
            return OUTSIDE
        if len(names) > 1 and names[0] not in ("crate", "$crate", "self", "super"):
            return OUTSIDE
        at: Scope | None = scope
        while at is not None and name not in at.imports:
            at = at.parent
        if at is not None and self.reading.facts.imports[at.imports[name][0]].module.split("::")[0] not in (
            "crate", "super", "self",
        ):  # fmt: skip
            return OUTSIDE
        module = MACRO + name
        number = self._modules.get(module)
        if number is None:
            number = self._modules[module] = len(self.reading.facts.imports)
            self.reading.facts.imports.append(Import(module, f"{name}!", "", ImportForm.NAME, 0, line))
        return Value(Head.IMPORT, number)

    # Types

    def kind(self, node: Node | None, scope: Scope) -> Value | None:
        """The value of a type: what an object of it is."""
        if node is None:
            return None
        match node.type:
            case "type_identifier" | "identifier":
                return self.flow.look(self.reading.text(node), scope)
            case "scoped_type_identifier" | "scoped_identifier":
                return self.scoped(node, scope)
            case "reference_type" | "pointer_type" | "bracketed_type" | "parenthesized_type":
                inner = node.child_by_field_name("type") or next(iter(node.named_children[::-1]), None)
                return self.kind(inner, scope)
            case "qualified_type":
                return self.kind(node.child_by_field_name("alias"), scope)
            case "dynamic_type" | "abstract_type":
                return self.kind(node.child_by_field_name("trait"), scope)
            case "bounded_type" | "removed_trait_bound" | "higher_ranked_trait_bound":
                return self.kind(next(iter(node.named_children), None), scope)
            case "generic_type":
                return self._generic(node, scope)
            case "array_type":
                return _around(ELEMENT, self.kind(node.child_by_field_name("element"), scope))
            case "primitive_type" | "unit_type" | "never_type":
                return OUTSIDE
            case _:
                return None

    def _generic(self, node: Node, scope: Scope) -> Value | None:
        base, arguments = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
        given = (
            [one for one in arguments.named_children if one.type != "lifetime"]
            if arguments is not None
            else []
        )
        name = self.reading.text(base).rpartition("::")[2] if base is not None else ""
        if (
            not given
            or not name
            or (base is not None and base.type == "type_identifier" and self._is_own(name, scope))
        ):
            return self.kind(base, scope)
        bound = next((one.child_by_field_name("type") for one in given if one.type == "type_binding"), None)
        inner = bound if bound is not None else given[-1] if name.endswith("Map") else given[0]
        if name in TRANSPARENT:
            return self.kind(inner, scope)
        if name in MAY_HOLD:
            return _around(MAYBE, self.kind(inner, scope))
        if name in HOLD_MANY:
            return _around(ELEMENT, self.kind(inner, scope))
        return self.kind(base, scope)

    def _is_own(self, name: str, scope: Scope) -> bool:
        value = self.flow.look(name, scope)
        if value is None or value.head is not Head.LOCAL or name == "Result":
            return False
        return self.reading.facts.definitions[value.at].kind is not NodeKind.TYPE

    # Expressions

    def scoped(self, node: Node, scope: Scope) -> Value | None:
        """What a path node stands for."""
        names: list[str] = []
        at: Node | None = node
        while at is not None and at.type in ("scoped_identifier", "scoped_type_identifier"):
            name = at.child_by_field_name("name")
            names.append(self.reading.text(name) if name is not None else "")
            at = at.child_by_field_name("path")
        line = self.line(node)
        if at is not None and at.type in ("bracketed_type", "generic_type", "generic_type_with_turbofish"):
            base = at.child_by_field_name("type") if at.type != "bracketed_type" else at
            value = self.kind(base, scope)
            for name in reversed(names):
                value = self.flow.attribute(value, name, scope, line)
            return value
        if at is not None:
            names.append(self.reading.text(at))
        return self.path(names[::-1], scope, line)

    def value(self, node: Node | None, scope: Scope) -> Value | None:
        """What an expression gives."""
        if node is None:
            return None
        flow = self.flow
        match node.type:
            case "identifier" | "self":
                return flow.look(self.reading.text(node), scope)
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
                return _around(RESULT, self.kind(node.child_by_field_name("return_type"), scope))
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

    def _of_type(self, value: Value | None) -> Value | None:
        """A variant of an enum is an object of the enum; what a constant is, is not known."""
        if value is None or not value.path:
            return value
        name = value.path[-1]
        if not name[:1].isupper():
            return value
        before = value.path[-2] if len(value.path) > 1 else ""
        if value.head is Head.LOCAL or before[:1].isupper():
            return None if name.isupper() and len(name) > 1 else value._replace(path=value.path[:-1])
        return value

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
            if (
                inner is None
                or value is None
                or inner.type != "tuple_struct_pattern"
                or value.type != "identifier"
            ):
                continue
            words = [self.reading.text(one) for one in inner.named_children]
            if words[0] in ("Ok", "Some") and words[1:] == [self.reading.text(value)]:
                return self.flow.inside(self.value(node.child_by_field_name("value"), scope), MAYBE)
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
            return True, _around(MAYBE, self.value(first, scope))
        kind, _, made = name.rpartition("::")
        kind = kind.rpartition("::")[2]
        if made in ("new", "clone", "from", "pin") and kind in TRANSPARENT:
            return True, self.value(first, scope)
        if made == "new" and kind in ("RefCell", "Mutex", "RwLock", "Cell"):
            return True, _around(MAYBE, self.value(first, scope))
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
        return self.flow.call(self.flow.attribute(value, name, scope, line), scope, line, given)

    def _adapted(self, value: Value | None, name: str) -> tuple[bool, Value | None]:
        """What a method of the standard library's wrappers gives; whether it is one."""
        if value is None or value.head in (Head.OUTSIDE, Head.UNKNOWN):
            if value is not None and value.head is Head.OUTSIDE:
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
        return False, None

    def _has(self, value: Value, name: str) -> bool:
        """Whether `value` is of a class of this file that is known to have a method `name`."""
        return value.head is Head.LOCAL and (value.at, f"{name}()") in self.flow.around

    # Patterns

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
                for i, child in enumerate(children):
                    is_value = node.type == "tuple_pattern" and len(children) == 2 and i == 1
                    self.bind(child, value if is_value else None, scope)
            case _:
                return

    def _bind_parts(self, node: Node, value: Value | None, scope: Scope) -> None:
        head, *parts = node.named_children
        name = self.reading.text(head).rpartition("::")[2]
        if name in ("Some", "Ok"):
            for part in parts:
                self.bind(part, self.flow.inside(value, MAYBE), scope)
            return
        kind = self._variant(head, scope) if name != "Err" else None
        for i, part in enumerate(parts):
            label = str(i) if kind is None or head.type == "identifier" else f"{name}#{i}"
            inner = self.flow.attribute(kind, label, scope, self.line(part)) if kind is not None else None
            self.bind(part, inner, scope)

    def _variant(self, node: Node | None, scope: Scope) -> Value | None:
        """The type that a pattern takes apart: a struct, or the enum of a variant."""
        return self._of_type(self.kind(node, scope)) if node is not None else None

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


def _around(around: str, value: Value | None) -> Value | None:
    return value._replace(around=around + value.around) if value is not None else None
