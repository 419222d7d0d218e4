"""How Rust's paths name modules: crates that `Cargo.toml` files declare, and the files below their roots."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from typing import cast

from numen.graph.parse.facts import Alias, Facts, file_definition

MANIFESTS = frozenset(("Cargo.toml",))

CRATE, MACRO, SHOWN = "rust:crate:", "rust:macro:", "rust:shown:"
"""What the aliases of this family begin with: a crate's root, a macro's file, a module under another name."""

_ROOTS = ("lib.rs", "main.rs")
_ALONE = ("src/bin", "tests", "examples", "benches")


class RustUnits:
    """The modules of one tree: each is a file."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]] = ()) -> None:
        self._files = {path for path in paths if path.endswith(".rs")}
        self._crates: dict[str, str] = {}
        self._shown: dict[tuple[str, str], str] = {}
        self._macros: dict[str, list[str]] = {}
        roots: set[str] = set()
        for folder, alias in aliases:
            if alias.name.startswith(CRATE):
                root = _join(folder, alias.target)
                if root in self._files:
                    roots.add(root)
                    self._crates.setdefault(alias.name.removeprefix(CRATE), root)
            elif alias.name.startswith(MACRO):
                self._macros.setdefault(alias.name.removeprefix(MACRO), []).append(alias.target)
            elif alias.name.startswith(SHOWN):
                path, _, name = alias.name.removeprefix(SHOWN).rpartition(":")
                self._shown.setdefault((path, name), alias.target)
        self._roots: dict[str, str] = {}
        for root in sorted(roots | {path for path in self._files if path.endswith(_ROOTS)}, reverse=True):
            folder, _, name = root.rpartition("/")
            known = self._roots.get(folder)
            if known is None or name == "lib.rs" or (root in roots and not known.endswith("lib.rs")):
                self._roots[folder] = root

    def find(self, path: str, module: str) -> str | None:
        """The file of the module that `module` names in the file at `path`."""
        if module.startswith(MACRO):
            return self._macro(path, module.removeprefix(MACRO))
        return self._find(path, module, 0)

    def children(self) -> Iterable[tuple[str, str, str]]:
        """The modules inside of modules."""
        for path in sorted(self._files):
            folder, _, name = path.rpartition("/")
            if name == "mod.rs":
                folder, _, name = folder.rpartition("/")
            above = self._file_of(folder)
            stem = name.removesuffix(".rs")
            if above is not None and above != path and stem not in ("lib", "main"):
                yield above, stem, path

    def _find(self, path: str, module: str, depth: int) -> str | None:
        first, *rest = module.split("::")
        at: str | None
        if first == "crate":
            at = self._root(path)
        elif first == "self":
            at = path
        elif first == "super":
            at = self._above(path)
        else:
            at = self._below(path, first, depth) or self._crates.get(first)
        for name in rest:
            if at is None:
                return None
            at = self._above(at) if name == "super" else self._below(at, name, depth)
        return at

    def _below(self, path: str, name: str, depth: int) -> str | None:
        """The module `name` of the module at `path`, or what that shows under this name."""
        folder = self._folder_of(path)
        for where in (f"{folder}/{name}.rs", f"{folder}/{name}/mod.rs"):
            if where.lstrip("/") in self._files:
                return where.lstrip("/")
        shown = self._shown.get((path, name))
        return self._find(path, shown, depth + 1) if shown is not None and depth < 4 else None

    def _folder_of(self, path: str) -> str:
        """The folder in which the modules of the module at `path` are."""
        folder, _, name = path.rpartition("/")
        if name == "mod.rs" or path == self._roots.get(folder) or self._is_alone(path) or name in _ROOTS:
            return folder
        return path.removesuffix(".rs")

    def _file_of(self, folder: str) -> str | None:
        """The module whose modules are in `folder`."""
        if folder in self._roots:
            return self._roots[folder]
        for where in (f"{folder}/mod.rs", f"{folder}.rs"):
            if where in self._files:
                return where
        return None

    def _above(self, path: str) -> str | None:
        folder, _, name = path.rpartition("/")
        if name == "mod.rs":
            folder = folder.rpartition("/")[0]
        return self._file_of(folder)

    def _root(self, path: str) -> str | None:
        """The root of the crate that the file at `path` belongs to."""
        if self._is_alone(path):
            return path
        folder = path.rpartition("/")[0]
        while folder not in self._roots:
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return self._roots[folder]

    def _is_alone(self, path: str) -> bool:
        """Whether the file is a crate of its own: a test, an example, a second program."""
        folder = path.rpartition("/")[0]
        return folder in _ALONE or folder.endswith(tuple(f"/{name}" for name in _ALONE))

    def _macro(self, path: str, name: str) -> str | None:
        """The file of the same crate that defines a macro."""
        root = self._root(path)
        return next((one for one in sorted(self._macros.get(name, ())) if self._root(one) == root), None)


def manifest(path: str, source: bytes) -> Facts:
    """The crates that a `Cargo.toml` declares."""
    facts = Facts([file_definition(path, source.count(b"\n") + (not source.endswith(b"\n")))])
    try:
        said = cast("dict[str, object]", tomllib.loads(source.decode("utf-8", "replace")))
    except tomllib.TOMLDecodeError:
        facts.problem = "is not TOML that can be read; the crates it may declare are not known"
        return facts
    package = _table(said.get("package"))
    name = package.get("name")
    library = _table(said.get("lib"))
    shown = library.get("name", name)
    if isinstance(shown, str):
        where = library.get("path", "src/lib.rs")
        facts.aliases.append(_crate(shown, where if isinstance(where, str) else "src/lib.rs"))
    programs = said.get("bin")
    for one in cast("list[object]", programs) if isinstance(programs, list) else []:
        where, called = _table(one).get("path"), _table(one).get("name")
        if isinstance(where, str):
            facts.aliases.append(_crate(f"{called}#bin", where))
    return facts


def _crate(name: str, target: str) -> Alias:
    return Alias(CRATE + name.replace("-", "_"), target, everywhere=True)


def _table(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _join(folder: str, path: str) -> str:
    parts = [part for part in f"{folder}/{path}".split("/") if part and part != "."]
    return "/".join(parts)
