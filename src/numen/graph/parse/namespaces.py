"""How languages with namespaces name units: a namespace is a unit that many files make up together."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import ClassVar

from numen.graph.parse.facts import AROUND, Alias


class Namespaces:
    """The namespaces of one tree, as its files declare them. A unit is called `family:A.B`.

    Bare names of a namespace are sought in the ones around it too.
    """

    family: ClassVar[str] = ""
    separator: ClassVar[str] = "."

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]]) -> None:
        self._files = frozenset(paths)
        self.units = {f"{self.family}:"}
        for _, alias in aliases:
            if alias.name.startswith(f"{self.family}:"):
                self.units.update(self._chain(alias.name))

    def find(self, path: str, module: str) -> str | None:
        """The namespace that `module` names, None if this tree has none of that name."""
        unit = f"{self.family}:{module}"
        return unit if unit in self.units else None

    def file(self, path: str, words: str) -> str | None:
        """The file that `words`, a path as it is written in the file at `path`, names."""
        folder = path.rpartition("/")[0]
        for base in (folder, ""):
            found = posixpath.normpath(f"{base}/{words}" if base else words)
            if found in self._files:
                return found
        return None

    def children(self) -> Iterable[tuple[str, str, str]]:
        """Each namespace inside another, and each one's surroundings."""
        for unit in sorted(self.units):
            above, name = self._above(unit)
            if name:
                yield above, name, unit
                yield unit, AROUND, above

    def _above(self, unit: str) -> tuple[str, str]:
        inner = unit[len(self.family) + 1 :]
        above, _, name = inner.rpartition(self.separator)
        return f"{self.family}:{above}", name

    def _chain(self, unit: str) -> Iterable[str]:
        while unit != f"{self.family}:":
            yield unit
            unit = self._above(unit)[0]
