"""How Java's imports name packages: each file declares the one that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numen.graph.parse.facts import Alias

PACKAGE = "java:"
"""What the name of a package begins with, as a unit and as an alias."""


class JavaUnits:
    """The packages of one tree."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]] = ()) -> None:
        self._packages = {alias.name for _, alias in aliases if alias.name.startswith(PACKAGE)}

    def find(self, path: str, module: str) -> str | None:
        """The package of that name, if some file is in it."""
        name = PACKAGE + module
        return name if name in self._packages else None

    def children(self) -> Iterable[tuple[str, str, str]]:
        """A package is always named in full."""
        return ()
