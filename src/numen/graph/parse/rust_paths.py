"""What paths, types and macros of Rust stand for."""

from __future__ import annotations

from tree_sitter import Node

from numen.graph.parse.facts import Head, Import, ImportForm
from numen.graph.parse.flow import ELEMENT, MAYBE, OUTSIDE, Flow, Value
from numen.graph.parse.reading import Reading, Scope
from numen.graph.parse.rust_names import HOLD_MANY, MACROS, MAY_HOLD, PRIMITIVES, STANDARD, TRANSPARENT
from numen.graph.parse.rust_units import MACRO
from numen.graph.types import NodeKind


class RustPaths:
    """What is named in one file."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.flow = Flow(reading, PRIMITIVES)
        self.macros: dict[str, int] = {}
        """Macros of this file, by name."""
        self.modules: dict[str, int] = {}
        """The modules that this file declares, by name, as imports."""
        self.variants: dict[str, int] = {}
        """The enums of this file by the names of their variants, -1 for a name that several have."""
        self.beside: list[dict[str, int]] = [{}]
        """Methods of types that are not of this tree, those of one `impl` together."""
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
            value = self._begun(first, scope) if rest else self.look(first, scope)
        for name in rest:
            value = self._of(value, name, scope, line)
        return value

    def _begun(self, name: str, scope: Scope) -> Value | None:
        """What the first name of a longer path stands for: rather a module than a function."""
        if name in self.modules and not self.flow.bound(name)[0]:
            return Value(Head.IMPORT, self.modules[name])
        value = self.look(name, scope)
        if value == Value(Head.FREE, 0, (name,)) and name.islower():
            return self._module(name) if name not in STANDARD else OUTSIDE
        return value

    def look(self, name: str, scope: Scope) -> Value | None:
        """What a bare name stands for; what is imported from the standard library is outside."""
        value = self.flow.look(name, scope)
        if value is not None and value.head is Head.IMPORT:
            module = self.reading.facts.imports[value.at].module
            return OUTSIDE if module.partition("::")[0] in STANDARD else value
        return value

    def _of(self, value: Value | None, name: str, scope: Scope, line: int) -> Value:
        """The attribute `name` of `value`: of a type that is not of this tree, a method beside."""
        if value is not None and value.head is Head.OUTSIDE and name in self.beside[value.at]:
            return Value(Head.LOCAL, self.beside[value.at][name])
        return self.flow.attribute(value, name, scope, line)

    def _of_module(self, names: list[str], scope: Scope) -> tuple[Value | None, list[str]]:
        """A path that begins in a module of this crate: the module, and what is left of the path."""
        depth = self._depth(scope)
        lead = 0
        while lead < len(names) - 1 and names[lead] in ("crate", "self", "super", "$crate"):
            lead += 1
        ups = names[:lead].count("super")
        if names[0] not in ("crate", "$crate") and ups <= depth:  # a module of this file
            rest = names[lead:]
            return self.look(rest[0], scope), rest[1:]
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
                return self.look(self.reading.text(node), scope)
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
                return within(ELEMENT, self.kind(node.child_by_field_name("element"), scope))
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
            return within(MAYBE, self.kind(inner, scope))
        if name in HOLD_MANY:
            return within(ELEMENT, self.kind(inner, scope))
        return self.kind(base, scope)

    def parts(self, node: Node | None, scope: Scope) -> list[tuple[str, Value | None]]:
        """The parts of a type that is a tuple, or holds tuples, by what must be taken off to have them."""
        if node is None:
            return []
        if node.type == "tuple_type":
            found = [(f"#{i}", self.kind(one, scope)) for i, one in enumerate(node.named_children)]
            return [(label, value) for label, value in found if value is not None]
        if node.type != "generic_type":
            return []
        base, arguments = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
        name = self.reading.text(base).rpartition("::")[2] if base is not None else ""
        around = MAYBE if name in MAY_HOLD else ELEMENT if name in HOLD_MANY else ""
        if arguments is None or not arguments.named_children or not (around or name in TRANSPARENT):
            return []
        return [(around + label, value) for label, value in self.parts(arguments.named_children[0], scope)]

    def _is_own(self, name: str, scope: Scope) -> bool:
        value = self.flow.look(name, scope)
        if value is None or value.head is not Head.LOCAL or name == "Result":
            return False
        return self.reading.facts.definitions[value.at].kind is not NodeKind.TYPE

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
                value = self._of(value, name, scope, line)
            return value
        if at is not None:
            names.append(self.reading.text(at))
        return self.path(names[::-1], scope, line)

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


def within(around: str, value: Value | None) -> Value | None:
    """`value` with something more around it."""
    return value._replace(around=around + value.around) if value is not None else None
