"""What flows through the names of a typed language: what variables, fields and results are said to be.

A reader meets a file's nodes in the order in which they begin and keeps here what each name stands for at
that place. Nothing is followed into another file: a value is a name and the attributes that are asked of it,
and the linker finds out what those are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tree_sitter import Node

from numen.graph.parse.facts import PATH_LIMIT, Head, ImportForm, Reference, RefKind, Trait
from numen.graph.parse.reading import Reading, Scope
from numen.graph.types import NodeKind

ELEMENT, MAYBE, RESULT = "[]", "?", "()"
"""What is taken off a value: an element of what holds it, what may hold it, what it gives when called."""


class Value(NamedTuple):
    """Something that a name or an expression stands for: a head and the attributes that follow it.

    `around` is what must be taken off first, outermost first.
    """

    head: Head
    at: int = 0
    path: tuple[str, ...] = ()
    around: str = ""
    inferred: bool = False


OUTSIDE = Value(Head.OUTSIDE)
"""Something that is known not to be of this tree."""


class Flow:
    """The names of one file and their values, while it is read from top to bottom."""

    def __init__(self, reading: Reading, builtins: frozenset[str]) -> None:
        self.reading = reading
        self._builtins = builtins
        self._frames: list[tuple[int, dict[str, Value | None]]] = [(len(reading.source) + 1, {})]
        self._known: dict[int, Value | None] = {}
        self._seen: dict[tuple[int, RefKind, Value, int], int] = {}
        self._inner: dict[tuple[int, str], int] = {}
        self.meant: dict[tuple[int, str], Callable[[], Value | None]] = {}
        """What names in scopes stand for that are only other names for something of this file."""
        self.around: dict[tuple[int, str], str] = {}
        """What is around fields of classes, around what methods give (`name()`) and functions (`()`)."""

    # Names

    def restart(self) -> None:
        """Forget all blocks: the file is read once more from its top."""
        self._frames = self._frames[:1]

    def reach(self, byte: int) -> None:
        """Forget the names of every block that ended before `byte`."""
        while self._frames[-1][0] <= byte:
            self._frames.pop()

    def block(self, end: int) -> None:
        """Begin a block that ends at `end`."""
        self._frames.append((end, {}))

    def bind(self, name: str, value: Value | None, *, is_exact: bool = False) -> None:
        """From here on `name` stands for `value` in the innermost block; None: for something unknown.

        It is exact for the object of a method, whose class is not said but given.
        """
        if value is not None and not is_exact:
            value = value._replace(inferred=True)
        self._frames[-1][1][name] = value

    def bound(self, name: str) -> tuple[bool, Value | None]:
        """Whether a block binds `name`, and to what."""
        for _, names in reversed(self._frames):
            if name in names:
                return True, names[name]
        return False, None

    def look(self, name: str, scope: Scope) -> Value | None:
        """What `name` stands for in `scope`: in blocks, as a definition or import, or in the unit."""
        found, value = self.bound(name)
        if found:
            return value
        at: Scope | None = scope
        while at is not None:
            if (at.number, name) in self.meant:
                return self.meant[at.number, name]()
            if (name in at.imports or name in at.definitions) and not self._is_object(at):
                return self._defined(at, name)
            at = at.parent
        if name in self._builtins:
            return OUTSIDE
        around = self.around.get((0, name), "")
        return Value(Head.FREE, 0, (name + around,), around)

    def _defined(self, at: Scope, name: str) -> Value | None:
        """What `name` is that scope `at` defines or imports; None if that depends on more than its name."""
        imports, found = at.imports.get(name, []), at.definitions.get(name, [])
        if len(found) > 1:
            definitions = self.reading.facts.definitions
            for hidden in (Trait.OVERLOAD, Trait.ALTERNATIVE):
                found = [i for i in found if not definitions[i].trait & hidden] or found
        if len(found) == 1 and not imports:
            return Value(Head.LOCAL, found[0])
        if len(imports) == 1 and not found:
            return Value(Head.IMPORT, imports[0])
        return Value(Head.FREE, 0, (name,)) if at.number == 0 else None

    def _is_object(self, at: Scope) -> bool:
        """Whether what is in `at` is reached through an object; the names in a module are not."""
        return at.is_class and self.reading.facts.definitions[at.definition].kind is not NodeKind.TYPE

    # Values

    def once(self, node: Node, made: Callable[[Node], Value | None]) -> Value | None:
        """What `made` gives for `node`, asked only once.

        A chain of calls is made from its first on: it may be longer than calls can be deep.
        """
        pending: list[Node] = []
        at = node
        while at.id not in self._known:
            if at.type == node.type:
                pending.append(at)
            first = at.child(0) if at.child_count else None
            if first is None:
                break
            at = first
        for one in reversed(pending):
            self._known[one.id] = None
            self._known[one.id] = made(one)
        return self._known[node.id]

    def attribute(self, value: Value | None, name: str, scope: Scope, line: int) -> Value:
        """The attribute `name` of `value`."""
        if value is None or value.around:
            return Value(Head.UNKNOWN, 0, (name,))
        if value.head is Head.OUTSIDE:
            return value
        if value.head is Head.UNKNOWN or len(value.path) >= PATH_LIMIT:
            if value.head is Head.UNKNOWN:
                return Value(Head.UNKNOWN, 0, (name,))
            value = Value(Head.RESULT, self.add(scope.definition, RefKind.VALUES, value, line))
        around = self.around.get((value.at, name), "") if value.head is Head.LOCAL and not value.path else ""
        return value._replace(path=(*value.path, name + around), around=around)

    def inside(self, value: Value | None, around: str) -> Value | None:
        """What is in `value`: `around` is what is taken off it, or `#1` for a second result."""
        if value is None or value.head is Head.OUTSIDE:
            return value
        if value.head is Head.UNKNOWN:
            return None
        if value.around:
            if not value.around.startswith(around):
                return None
            return value._replace(around=value.around.removeprefix(around))
        if value.path:
            return value._replace(path=(*value.path[:-1], value.path[-1] + around), inferred=True)
        if value.head is Head.IMPORT and self.reading.facts.imports[value.at].form is ImportForm.NAME:
            return Value(Head.IMPORT, self._imported(value.at, around), inferred=True)
        return value._replace(path=(around,), inferred=True)

    def _imported(self, number: int, around: str) -> int:
        """The import of what is in the variable that import `number` names."""
        found = self._inner.get((number, around))
        if found is None:
            imports = self.reading.facts.imports
            found = self._inner[number, around] = len(imports)
            imports.append(imports[number]._replace(name=imports[number].name + around, local=""))
        return found

    def call(
        self, value: Value | None, scope: Scope, line: int, given: int = -1, around: str = ""
    ) -> Value | None:
        """Call `value`; gives what that returns, with what is said to be `around` it."""
        if value is None or value.head is Head.OUTSIDE:
            return value
        if value.around:
            return self.inside(value, RESULT)
        number = self.add(scope.definition, RefKind.CALLS, value, line, given)
        if value.head is Head.UNKNOWN:
            return None
        if value.head is Head.LOCAL and len(value.path) <= 1:
            around = self.around.get((value.at, f"{''.join(value.path)}()"), "")
        return Value(Head.RESULT, number, (around,) if around else (), around, inferred=True)

    # What is said

    def say(self, source: int, label: str, value: Value | None, line: int) -> None:
        """Say that definition `source` holds a `value` as `label`; an empty label is what it gives."""
        if value is None or value.head is Head.UNKNOWN:
            return
        self.around[source, label or RESULT] = value.around
        label += value.around
        value = value._replace(around="")
        if not label:
            self.add(source, RefKind.RETURNS, value, line)
        elif len(value.path) < PATH_LIMIT:
            self.add(source, RefKind.HOLDS, value._replace(path=(*value.path, label)), line)

    def own(self, source: int, value: Value | None, line: int) -> None:
        """Say that definition `source` is a member of the class `value`."""
        if value is not None and not value.around and value.head is not Head.OUTSIDE:
            self.add(source, RefKind.MEMBER, value, line)

    def inherit(self, source: int, value: Value | None, line: int) -> None:
        """Say that definition `source` has the class `value` as a base."""
        if value is not None and not value.around:
            self.add(source, RefKind.INHERITS, value, line)

    def refer(self, value: Value | None, scope: Scope, line: int) -> None:
        """Say that what is read here mentions `value`."""
        if value is not None and value.head not in (Head.OUTSIDE, Head.UNKNOWN):
            self.add(scope.definition, RefKind.REFERENCES, value._replace(around=""), line)

    def add(self, source: int, kind: RefKind, value: Value, line: int, given: int = -1) -> int:
        """Add a reference by definition `source`, once, and give its number."""
        key = (source, kind, value, given)
        number = self._seen.get(key)
        if number is None:
            references = self.reading.facts.references
            number = self._seen[key] = len(references)
            references.append(
                Reference(source, kind, value.head, value.at, value.path, line, value.inferred, given)
            )
        return number
