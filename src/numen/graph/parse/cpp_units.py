"""How C++ names units: namespaces, and files that are included."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from numen.graph.parse.facts import Alias
from numen.graph.parse.namespaces import Namespaces

OPENED = "cpp#"
"""Leads the name of a namespace that macros open: files do not show that they are in it."""


class CppUnits(Namespaces):
    """The namespaces of one tree, and the files that an include may mean.

    What is in a namespace that macros open is found in the one around it, under its name too.
    """

    family = "cpp"
    separator = "::"

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]]) -> None:
        super().__init__(paths, aliases)
        self._opened = sorted({a.name.removeprefix(OPENED) for _, a in aliases if a.name.startswith(OPENED)})
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def find(self, path: str, module: str) -> str | None:
        """The namespace, or the file, that `module` names in the file at `path`."""
        if not module.startswith("<") and "." not in module:
            return super().find(path, module)
        return self._included(path, module)

    def children(self) -> Iterable[tuple[str, str, str]]:
        """Each namespace inside another, and each one's surroundings."""
        for above, name, unit in super().children():
            if name not in self._opened:
                yield above, name, unit
        for name in self._opened:
            yield "cpp:", name, "cpp:"

    def _included(self, path: str, module: str) -> str | None:
        words = posixpath.normpath(module.strip("<>"))
        if not module.startswith("<"):
            beside = self.file(path, words)
            if beside is not None:
                return beside
        words = words.lstrip("./")
        found = [
            one for one in self._by_name.get(words.rpartition("/")[2], ()) if f"/{one}".endswith(f"/{words}")
        ]
        return found[0] if len(found) == 1 else None
