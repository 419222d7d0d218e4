"""How specifiers of JavaScript and TypeScript name files: relative, by `tsconfig` paths, by workspaces."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import cast

from numen.graph.parse.facts import Alias, Facts, file_definition

MANIFESTS = frozenset(("package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json"))

_TAILS = ("ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs", "json", "vue", "svelte")
_WRITTEN = {"js": ("ts", "tsx", "d.ts"), "jsx": ("tsx",), "mjs": ("mts",), "cjs": ("cts",)}
_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_BUILT = re.compile(r"(^|/)(?:dist|lib|build|out|es|esm|cjs)/")


class EcmascriptUnits:
    """The modules of one tree."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]]) -> None:
        self._files = frozenset(paths)
        self._packages: dict[str, list[str]] = {}
        self._mapped: dict[str, list[tuple[str, str]]] = {}
        for folder, alias in aliases:
            target = _normal(f"{folder}/{alias.target}" if folder else alias.target)
            if alias.everywhere:
                self._packages.setdefault(alias.name, []).append(target)
            else:
                self._mapped.setdefault(folder, []).append((alias.name, target))

    def find(self, path: str, module: str) -> str | None:
        """The file that the specifier `module` names in the file at `path`."""
        module = module.partition("?")[0]
        folder = path.rpartition("/")[0]
        if module.startswith(("./", "../")) or module in (".", ".."):
            where = _normal(f"{folder}/{module}" if folder else module)
            return self._at(where) if not where.startswith("..") else None
        mapped = self._by_map(folder, module)
        return mapped if mapped is not None else self._by_package(module)

    def children(self) -> Iterable[tuple[str, str, str]]:
        """A module has no other inside it."""
        return ()

    def _by_map(self, folder: str, module: str) -> str | None:
        """By the nearest manifest above that maps it."""
        while True:
            for name, target in self._mapped.get(folder, ()):
                found = None
                if name == module:
                    found = self._at(target)
                elif name.endswith("*") and module.startswith(name[:-1]):
                    found = self._at(_normal(target.replace("*", module[len(name) - 1 :], 1)))
                if found is not None:
                    return found
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def _by_package(self, module: str) -> str | None:
        parts = module.split("/")
        size = 2 if module.startswith("@") else 1
        name, below = "/".join(parts[:size]), "/".join(parts[size:])
        exact = f"{name}/{below}" if below else name
        for target in self._packages.get(exact, ()):
            found = self._entry(target)
            if found is not None:
                return found
        if below and name in self._packages:
            home = self._packages[name][-1]
            for where in (f"{home}/{below}", f"{home}/src/{below}"):
                found = self._at(where)
                if found is not None:
                    return found
        return None

    def _entry(self, target: str) -> str | None:
        """The file behind a package's entry; what a build would make is looked for where it is made from."""
        found = self._at(target)
        if found is None and _BUILT.search(target):
            stem = re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", target)
            for source in (r"\1src/", r"\1"):
                found = found or self._at(_BUILT.sub(source, stem, count=1))
        if found is None:
            found = self._at(f"{target}/src/index") if "." not in target.rpartition("/")[2] else None
        return found

    def _at(self, where: str) -> str | None:
        """`where` itself, with an extension, as its source, or as a folder with an index."""
        if where in self._files:
            return where
        stem, _, tail = where.rpartition(".")
        for other in _WRITTEN.get(tail, ()):
            if f"{stem}.{other}" in self._files:
                return f"{stem}.{other}"
        for base in (where, f"{where}/index" if where else "index"):
            for tail in _TAILS:
                if f"{base}.{tail}" in self._files:
                    return f"{base}.{tail}"
        return None


def manifest(path: str, source: bytes) -> Facts:
    """The aliases of a `package.json` or `tsconfig.json`."""
    lines = source.count(b"\n") + (not source.endswith(b"\n"))
    facts = Facts([file_definition(path, lines)])
    text = _STRING_OR_COMMENT.sub(lambda found: found.group(1) or "", source.decode("utf-8", "replace"))
    try:
        said = json.loads(_TRAILING_COMMA.sub(r"\1", text))
    except (ValueError, RecursionError):
        facts.problem = "is not JSON that can be read; the module names it may declare are not known"
        return facts
    if isinstance(said, dict):
        read = _package if path.rpartition("/")[2] == "package.json" else _paths
        facts.aliases = list(read(cast("dict[str, object]", said)))
    return facts


def _package(said: dict[str, object]) -> Iterable[Alias]:
    name = said.get("name")
    if isinstance(name, str) and name:
        exports = said.get("exports")
        for entry in _entries(exports, "."):
            yield Alias(name, entry, everywhere=True)
        for field in ("source", "module", "main", "types"):
            entry = said.get(field)
            if isinstance(entry, str):
                yield Alias(name, entry, everywhere=True)
        if isinstance(exports, dict):
            for key in cast("dict[str, object]", exports):
                if key.startswith("./") and "*" not in key:
                    for entry in _entries(cast("dict[str, object]", exports)[key], "."):
                        yield Alias(f"{name}/{key[2:]}", entry, everywhere=True)
        yield Alias(name, ".", everywhere=True)
    inner = said.get("imports")
    if isinstance(inner, dict):
        for key, value in cast("dict[str, object]", inner).items():
            for entry in _entries(value, "."):
                yield Alias(key, entry)


def _entries(value: object, key: str) -> Iterable[str]:
    """Every path that an `exports` value may lead to, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        inner = cast("dict[str, object]", value)
        chosen = [inner[key]] if key in inner else [v for k, v in inner.items() if not k.startswith(".")]
        for one in chosen:
            yield from _entries(one, key)


def _paths(said: dict[str, object]) -> Iterable[Alias]:
    options = said.get("compilerOptions")
    if not isinstance(options, dict):
        return
    options = cast("dict[str, object]", options)
    base = options.get("baseUrl")
    paths = options.get("paths")
    if isinstance(paths, dict):
        for name, targets in cast("dict[str, object]", paths).items():
            for target in cast("list[object]", targets) if isinstance(targets, list) else []:
                if isinstance(target, str):
                    yield Alias(name, posixpath.join(base, target) if isinstance(base, str) else target)
    if isinstance(base, str):
        yield Alias("*", posixpath.join(base, "*"))


def _normal(path: str) -> str:
    found = posixpath.normpath(path)
    return "" if found == "." else found
