"""What one file says by itself, before anything is linked: definitions, imports, references.

A language family reads bytes into `Facts` and knows how an import's words name a unit. A *unit* is what
an import points at: a file for Python and JavaScript, a package or a namespace elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import NamedTuple, Protocol

from numen.graph.types import NodeKind

SIGNATURE_LIMIT = 240
"""Characters of a signature that are kept."""

MANY = 120
"""Arguments that stand for any number of them."""

PATH_LIMIT = 3
"""Attributes of a reference that are followed: `a.b.c.d` has the head `a` and three attributes."""


class Trait(IntFlag):
    """What else is known of a definition."""

    NONE = 0
    MEMBER = 1
    """It is reached through its parent, not by its bare name."""
    OVERLOAD = 2
    """A declaration that another definition of the same name carries out."""
    LOCAL = 4
    """It lives inside a function and cannot be seen from outside."""
    SHARED = 8
    """Others of this name in this place are the same thing: parts of one class, overloads of one name."""
    PRIVATE = 16
    """Only its own file can name it."""
    ALTERNATIVE = 32
    """What the usual build leaves out: it counts only where nothing else has its name."""


CLASS_SIDE = "~"
"""Leads the name under which something is sought on a class itself, where its objects have others."""


class Definition(NamedTuple):
    """One definition. Lines are 1-based and inclusive; `lead` is where its comment or decorator begins.

    `parent` is the number of the definition that holds it; number 0 is the file itself. `sought` is the name
    it is looked up by where that is not `name`, `home` the unit it is found in where that is not the file's.
    A function takes `least` to `most` arguments; -1 is not known, `MANY` no bound.
    """

    kind: NodeKind
    name: str
    qualified: str
    signature: str
    start: int
    end: int
    lead: int
    parent: int
    trait: int = 0
    sought: str = ""
    home: str = ""
    least: int = -1
    most: int = -1


class ImportForm(IntEnum):
    """What an import binds."""

    NAME = 0
    """`local` is `name` of the module."""
    MODULE = 1
    """`local` is the module itself."""
    STAR = 2
    """Every name of the module, under its own name; `local` is empty."""
    PACKAGE = 3
    """`local` is the first package of a dotted module (Python's `import a.b`)."""
    DECLARED = 4
    """`local` is a definition of that name which stands elsewhere in the family: C's prototypes."""


class Import(NamedTuple):
    """One bound name. `scope` is the definition that it is bound in; 0 means that other files see it.

    An empty `module` means the file itself (an export under another name).
    """

    module: str
    name: str
    local: str
    form: ImportForm
    scope: int
    line: int


class RefKind(IntEnum):
    """What a reference does with what it names. From `MEMBER` on they make no edge: they say what is what."""

    CALLS = 0
    INHERITS = 1
    REFERENCES = 2
    MEMBER = 3
    """The source is a member of the class that is named."""
    RETURNS = 4
    """The source, a function, gives an object of the class that is named."""
    HOLDS = 5
    """Objects of the source, a class, hold under the last name of `path` an object of the class before it.

    That name may end in `[]` (what is in it), `?` (what it may hold) or `()` (what it gives when called), or
    be no more than that; then the source may be a function, of whose result it is said. `#1` is the second
    thing that a function gives. A source of 0 holds the variables of the unit.
    """
    VALUES = 6
    """A value is named, of whose class a later reference asks something."""
    EXTENDS = 7
    """The source, a class, itself answers to what objects of the named class do (Ruby's `extend`)."""


class Head(IntEnum):
    """What the first word of a reference is."""

    LOCAL = 0
    """Definition `at` of this file."""
    IMPORT = 1
    """Import `at` of this file."""
    SELF = 2
    """The object of class `at` of this file, or of the class that definition `at` is a member of."""
    SUPER = 3
    """The same object, seen from its base classes."""
    FREE = 4
    """A bare name, the first of `path`, that the file does not bind."""
    UNKNOWN = 5
    """An object of unknown type; `path` is the one attribute that is asked of it."""
    IMPLICIT = 6
    """A bare name: a member of the class around definition `at`, of one around that, or else as `FREE`."""
    RESULT = 7
    """What reference `at` of this file, an earlier one, gives: what a call returns, what a value is."""
    OUTSIDE = 8
    """Something that is known not to be of this tree."""


class Reference(NamedTuple):
    """One use of a name, by definition `source`. `path` are the attributes after the head.

    `inferred` marks a head whose type was read from an assignment or annotation. `given` is how many
    arguments a call passes, -1 if that is not known.
    """

    source: int
    kind: RefKind
    head: Head
    at: int
    path: tuple[str, ...]
    line: int
    inferred: bool = False
    given: int = -1


class Alias(NamedTuple):
    """A file's word on where modules are: `name` (which may end in `*`) is found at the path `target`.

    It holds below the manifest's folder, or `everywhere` when it is the name of a package. A unit that files
    make up together, such as a namespace, is declared by each of them, `everywhere`, without a target.
    """

    name: str
    target: str
    everywhere: bool = False


@dataclass(slots=True)
class Facts:
    """All that one file says. `definitions[0]` is the file; the rest are sorted by (start, -end).

    `unit` is what others import to reach its names; empty means that the file itself is the unit.
    """

    definitions: list[Definition]
    imports: list[Import] = field(default_factory=list[Import])
    references: list[Reference] = field(default_factory=list[Reference])
    aliases: list[Alias] = field(default_factory=list[Alias])
    unit: str = ""
    problem: str | None = None


AROUND = ".."
"""Under this name a unit has the unit around it, where names are sought that it has not itself."""


class Units(Protocol):
    """How the words of an import name a unit, for one family in one tree."""

    def find(self, path: str, module: str) -> str | None:
        """The unit that `module` names in the file at `path`; None if it is not of this tree or not sure."""
        ...

    def children(self) -> Iterable[tuple[str, str, str]]:
        """(unit, name, unit) where the second is an attribute of the first without any import there.

        The name `AROUND` says that bare names of the first are sought in the second too.
        """
        ...


def file_definition(path: str, lines: int) -> Definition:
    """The definition that stands for the file itself."""
    return Definition(NodeKind.FILE, path.rpartition("/")[2], "", "", 1, max(1, lines), 1, -1)


_NUMBERED = frozenset((Head.LOCAL, Head.SELF, Head.SUPER, Head.IMPLICIT))


def ordered(facts: Facts) -> Facts:
    """`facts` with definitions sorted and numbers following, and clashing names told apart by `#2`, `#3`."""
    old = facts.definitions
    order = [0, *sorted(range(1, len(old)), key=lambda i: (old[i].start, -old[i].end, i))]
    seen: dict[str, int] = {}
    renumbered = [0] * len(old)
    for new, i in enumerate(order):
        renumbered[i] = new
    definitions: list[Definition] = []
    for i in order:
        one = old[i]
        if i:
            count = seen[one.qualified] = seen.get(one.qualified, 0) + 1
            qualified = one.qualified if count == 1 else f"{one.qualified}#{count}"
            above = one.parent
            while renumbered[above] >= renumbered[i]:  # a broken file: it reaches out of what holds it
                above = old[above].parent
            one = one._replace(parent=renumbered[above], qualified=qualified)
        definitions.append(one)
    if order != list(range(len(old))):
        facts.imports = [one._replace(scope=renumbered[one.scope]) for one in facts.imports]
        facts.references = [_followed(one, renumbered) for one in facts.references]
    facts.definitions = definitions
    return facts


def _followed(one: Reference, renumbered: Sequence[int]) -> Reference:
    at = renumbered[one.at] if one.head in _NUMBERED else one.at
    return one._replace(source=renumbered[one.source], at=at)
