"""How Python's imports name files: packages, relative imports, `src` layouts, scripts beside each other."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from numen.graph.parse.facts import Alias

_STANDARD = sys.stdlib_module_names
_MANIFESTS = frozenset(("pyproject.toml", "setup.py", "setup.cfg"))


class PythonUnits:
    """The modules of one tree. A package is its `__init__.py`, or its folder where it has none."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]] = ()) -> None:
        self._modules: dict[str, str] = {}
        self._packages: set[str] = set()
        self._folders: set[str] = set()
        projects = {"", "src", "lib", "python"}
        for path in paths:
            stem, _, tail = path.rpartition(".")
            folder, _, name = stem.rpartition("/")
            if f"{name}.{tail}" in _MANIFESTS:
                projects |= {folder, _under(folder, "src"), _under(folder, "lib")}
            if tail not in ("py", "pyi"):
                continue
            self._folders.update(_folders(path))
            if name == "__init__":
                self._packages.add(folder)
                stem = folder
            if stem not in self._modules or tail == "py":  # a stub stands in only where there is no source
                self._modules[stem] = path
        self._homes: dict[str, list[str]] = {}
        for stem in sorted({*self._modules, *self._folders}):
            folder, _, name = stem.rpartition("/")
            if folder in projects and folder not in self._packages:
                self._homes.setdefault(name, []).append(folder)

    def find(self, path: str, module: str) -> str | None:
        """The file that `module` names in the file at `path`, or the folder of a package without a file."""
        folder = path.rpartition("/")[0]
        if module.startswith("."):
            rest = module.lstrip(".")
            for _ in range(len(module) - len(rest) - 1):
                if not folder:
                    return None
                folder = folder.rpartition("/")[0]
            return self._at(_under(folder, rest.replace(".", "/")))
        first = module.partition(".")[0]
        if first in _STANDARD:
            return None
        below = module.replace(".", "/")
        found = self._at(_under(self._root(folder), below))
        if found is not None:
            return found
        homes = self._homes.get(first, [])
        units = {unit for home in homes if (unit := self._at(_under(home, below))) is not None}
        return units.pop() if len(units) == 1 else None

    def children(self) -> Iterable[tuple[str, str, str]]:
        """A package's modules: `import a` then `a.b`, and `from a import b`."""
        for stem, path in self._modules.items():
            folder, _, name = stem.rpartition("/")
            above = self._at(folder) if folder else None
            if above is not None and above != path:
                yield above, name, path
        for folder in self._folders - self._packages:
            above = self._at(folder.rpartition("/")[0])
            if above is not None and folder not in self._modules:
                yield above, folder.rpartition("/")[2], f"{folder}/"

    def _at(self, stem: str) -> str | None:
        found = self._modules.get(stem)
        if found is None and stem and stem in self._folders:
            return f"{stem}/"
        return found

    def _root(self, folder: str) -> str:
        """The nearest folder at or above `folder` that is no package: what Python would search from."""
        while folder in self._packages:
            folder = folder.rpartition("/")[0]
        return folder


def _under(folder: str, path: str) -> str:
    return f"{folder}/{path}".strip("/") if folder else path


def _folders(path: str) -> Iterable[str]:
    at = path.rfind("/")
    while at > 0:
        yield path[:at]
        at = path.rfind("/", 0, at)
