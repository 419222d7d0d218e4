"""How Go's imports name packages: folders below the modules that `go.mod` files declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from numen.graph.parse.facts import Alias, Facts, file_definition
from numen.graph.parse.golang_names import MACHINES, SYSTEMS

MANIFESTS = frozenset(("go.mod",))

_MODULE = re.compile(rb'^\s*module\s+"?([^\s"]+)', re.MULTILINE)
_CONSTRAINT = re.compile(rb"^//go:build ([^\n]+)\n", re.MULTILINE)
_TOKEN = re.compile(r"\(|\)|&&|\|\||!|[\w.]+")
LONGEST = 1000
"""Bytes of a constraint that is looked into."""

_USUAL = frozenset(("linux", "amd64", "unix", "gc", "cgo"))
_VERSION = re.compile(r"go1(?:\.\d+)?")


class GoUnits:
    """The packages of one tree, by the modules that are declared in it."""

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]] = ()) -> None:
        self._folders = {path.rpartition("/")[0] for path in paths if path.endswith(".go")}
        modules = [(alias.name, folder) for folder, alias in aliases if alias.target == "go.mod"]
        self._modules = sorted(modules, key=lambda one: (-len(one[0]), one))

    def find(self, path: str, module: str) -> str | None:
        """The package that `module` names: the folder below the longest module name that leads it."""
        for name, folder in self._modules:
            if module == name or module.startswith(f"{name}/"):
                below = module[len(name) + 1 :]
                where = "/".join(part for part in (folder, below) if part)
                return f"go:{where}" if where in self._folders else None
        return None

    def children(self) -> Iterable[tuple[str, str, str]]:
        """A package has no other inside it."""
        return ()


def unit_of(path: str, package: str) -> str:
    """The package that a file belongs to; tests that see it only from outside are another."""
    outside = ":test" if package.endswith("_test") and path.endswith("_test.go") else ""
    return f"go:{path.rpartition('/')[0]}{outside}"


def manifest(path: str, source: bytes) -> Facts:
    """The module that a `go.mod` declares."""
    facts = Facts([file_definition(path, source.count(b"\n") + (not source.endswith(b"\n")))])
    found = _MODULE.search(source)
    if found is not None:
        facts.aliases = [Alias(found.group(1).decode("utf-8", "replace"), "go.mod", everywhere=True)]
    return facts


def is_built(path: str, source: bytes) -> bool:
    """Whether the usual build on Linux takes the file: by the system in its name and its constraint."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    named = [part for part in parts[-2:] if part in SYSTEMS | MACHINES]
    if parts and parts[-1] not in SYSTEMS | MACHINES:
        named = []
    if any(part not in _USUAL for part in named):
        return False
    head = source[: max(0, source.find(b"\npackage "))] if b"\npackage " in source else b""
    found = _CONSTRAINT.search(head + b"\n")
    if found is None or len(found.group(1)) > LONGEST:
        return True
    return _holds(_TOKEN.findall(found.group(1).decode("utf-8", "replace")))


def _holds(tokens: list[str]) -> bool:
    """Whether a constraint holds: `||` of `&&` of tags, with `!` and parentheses."""
    rest = list(reversed(tokens))

    def either() -> bool:
        value = both()
        while rest and rest[-1] == "||":
            rest.pop()
            value = both() or value
        return value

    def both() -> bool:
        value = one()
        while rest and rest[-1] == "&&":
            rest.pop()
            value = one() and value
        return value

    def one() -> bool:
        if not rest:
            return True
        token = rest.pop()
        if token == "!":
            return not one()
        if token == "(":
            value = either()
            if rest and rest[-1] == ")":
                rest.pop()
            return value
        return token in _USUAL or _VERSION.fullmatch(token) is not None

    return either()
