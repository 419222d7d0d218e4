"""What the `use`s of a Rust file bind, and what they show to others."""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from numen.graph.parse.facts import Alias, Head, Import, ImportForm
from numen.graph.parse.flow import Value
from numen.graph.parse.reading import Scope
from numen.graph.parse.rust_paths import RustPaths
from numen.graph.parse.rust_units import SHOWN
from numen.graph.types import NodeKind


class RustUses:
    """The imports of one file."""

    def __init__(self, paths: RustPaths, path: str) -> None:
        self.reading = paths.reading
        self._paths = paths
        self._path = path

    def read(self, node: Node) -> None:
        """Bind what one `use` or `extern crate` names."""
        scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
        if node.type == "extern_crate_declaration":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            word = self.reading.text(name) if name is not None else ""
            local = self.reading.text(alias) if alias is not None else word
            self._bind(Import(word, "", local, ImportForm.MODULE, scope.definition, line), scope)
            self._show(local, [word])
            return
        argument = node.child_by_field_name("argument")
        is_shown = node.named_children[0].type == "visibility_modifier"
        if argument is not None:
            self._use(argument, [], scope, line, is_shown=is_shown)

    def _use(self, node: Node, lead: list[str], scope: Scope, line: int, *, is_shown: bool) -> None:
        """One tree of a `use`: each of its leaves binds a name."""
        match node.type:
            case "scoped_use_list":
                path = node.child_by_field_name("path")
                names = [*lead, *self.reading.text(path).split("::")] if path is not None else lead
                inner = node.child_by_field_name("list")
                if inner is not None:
                    self._use(inner, names, scope, line, is_shown=is_shown)
            case "use_list":
                for one in node.named_children:
                    self._use(one, lead, scope, line, is_shown=is_shown)
            case "use_wildcard":
                inner = self.reading.text(node).removesuffix("*").removesuffix("::")
                self._leaf(
                    [*lead, *(inner.split("::") if inner else [])], "*", scope, line, is_shown=is_shown
                )
            case "use_as_clause":
                path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
                if path is not None and alias is not None:
                    names = [*lead, *self.reading.text(path).split("::")]
                    self._leaf(names, self.reading.text(alias), scope, line, is_shown=is_shown)
            case _:
                names = [*lead, *self.reading.text(node).split("::")]
                self._leaf(names, "", scope, line, is_shown=is_shown)

    def _leaf(self, names: list[str], local: str, scope: Scope, line: int, *, is_shown: bool) -> None:
        names = [name.strip() for name in names if name.strip()]
        if len(names) > 1 and names[-1] == "self":
            names.pop()
        if not names:
            return
        outer, names = self._rooted(names, scope)
        if outer is not None:  # something of this file
            if names and local != "*":
                self._paths.flow.meant[scope.number, local or names[-1]] = partial(
                    self._paths.path, names, outer, line
                )
            return
        module = "::".join(names)
        if local == "*":
            self.reading.has_star = True
            self.reading.facts.imports.append(Import(module, "", "", ImportForm.STAR, scope.definition, line))
            return
        local = local or names[-1]
        if len(names) == 1:
            self._bind(Import(module, "", local, ImportForm.MODULE, scope.definition, line), scope)
            return
        above = "::".join(names[:-1])
        self._bind(Import(above, names[-1], local, ImportForm.NAME, scope.definition, line), scope)
        if scope.is_class:  # a module of this file shows it to others
            value = Value(Head.IMPORT, len(self.reading.facts.imports) - 1)
            self._paths.flow.say(scope.definition, local, value, line)
        if is_shown and scope.number == 0 and local[:1].islower():
            self._show(local, names)

    def _bind(self, one: Import, scope: Scope) -> None:
        if one.local != "_":
            self.reading.bind(one, scope)

    def _show(self, local: str, names: list[str]) -> None:
        """Others may go through this module by the name `local`, which may stand for a module."""
        name = f"{SHOWN}{self._path}:{local}"
        self.reading.facts.aliases.append(Alias(name, "::".join(names), everywhere=True))

    def _rooted(self, names: list[str], scope: Scope) -> tuple[Scope | None, list[str]]:
        """A path seen from the file, or the scope of this file that it begins in and what is left of it."""
        around = self._modules(scope)
        first = names[0]
        if first in ("self", "super") and around:
            ups = 0
            while names and names[0] in ("self", "super"):
                ups, names = ups + (names[0] == "super"), names[1:]
            if ups > len(around):
                return None, [*["super"] * (ups - len(around)), *names]
            return (around[ups] if ups < len(around) else self.reading.scopes[0]), names
        if len(names) > 1 and first in self.reading.scopes[0].definitions:
            return self.reading.scopes[0], names
        return None, names

    def _modules(self, scope: Scope) -> list[Scope]:
        """The modules of this file around `scope`, innermost first."""
        found: list[Scope] = []
        at: Scope | None = scope
        while at is not None and at.number:
            if at.is_class and self.reading.facts.definitions[at.definition].kind is NodeKind.TYPE:
                found.append(at)
            at = at.parent
        return found

    def declare(self, name: str, node: Node) -> None:
        """`mod name;`: a module in a file of its own."""
        scope, line = self.reading.inside(node.start_byte), self.reading.line(node.start_byte)
        if scope.number == 0:  # for others the tree of files says it, and a function may have its name
            self._paths.modules[name] = len(self.reading.facts.imports)
            self.reading.facts.imports.append(Import(f"self::{name}", "", "", ImportForm.MODULE, 0, line))
