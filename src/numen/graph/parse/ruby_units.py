"""How Ruby's `require` names files: along load paths, or relative to the file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from numen.graph.parse.facts import Alias


class RubyUnits:
    """The files of one tree. Constants are found wherever they are defined, whatever was required."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]]) -> None:
        self._files = frozenset(paths)
        self._homes: dict[str, list[str]] = {}
        for path in paths:
            at = path.find("lib/")
            while at >= 0:
                if at == 0 or path[at - 1] == "/":
                    self._homes.setdefault(path[at + 4 :], []).append(path)
                at = path.find("lib/", at + 1)

    def find(self, path: str, module: str) -> str | None:
        """The file that `require "module"` names in the file at `path`; None if it is not of this tree."""
        words = module if module.endswith(".rb") else f"{module}.rb"
        folder = path.rpartition("/")[0]
        if words.startswith("./"):
            found = posixpath.normpath(f"{folder}/{words}" if folder else words)
            return found if found in self._files else None
        near = [home for home in self._homes.get(words, ()) if path.startswith(home[: -len(words) - 4])]
        if near:
            return max(near, key=len)
        homes = self._homes.get(words, [])
        if len(homes) == 1:
            return homes[0]
        for base in ("test", "spec", folder):
            if f"{base}/{words}" in self._files:
                return f"{base}/{words}"
        return None

    def children(self) -> Iterable[tuple[str, str, str]]:
        """There is one unit, of all files."""
        return ()
