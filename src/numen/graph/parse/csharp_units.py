"""How C# names units: namespaces, and what a project uses in all of its files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from numen.graph.parse.facts import Alias, Facts, Import, ImportForm, file_definition
from numen.graph.parse.namespaces import Namespaces

PROJECT = "*"
"""What a file names to have all that its project, and those around it, use everywhere."""

_USING = re.compile(rb"<Using\s[^>]*?\bInclude\s*=\s*\"([\w.]+)\"[^>]*>", re.IGNORECASE)
_LEADS = "csharp*"


def declares(path: str) -> Alias:
    """The word of a file that it uses something in all files at and below its folder."""
    return Alias(f"{_LEADS}{path.rpartition('/')[2]}", "", everywhere=True)


def project(path: str, source: bytes) -> Facts:
    """The namespaces that a project file uses in all files of the project."""
    lines = source.count(b"\n") + (not source.endswith(b"\n"))
    facts = Facts([file_definition(path, lines)])
    for found in _USING.finditer(source):
        if b"static" in found.group(0).lower():
            continue
        line = source.count(b"\n", 0, found.start()) + 1
        facts.imports.append(Import(found.group(1).decode(), "", "", ImportForm.STAR, 0, line))
    if facts.imports:
        facts.aliases = [declares(path)]
        facts.imports.append(Import(PROJECT, "", "", ImportForm.STAR, 0, 1))
    return facts


class CsharpUnits(Namespaces):
    """The namespaces of one tree, and the files that say what projects use."""

    family = "csharp"
    separator = "."

    def __init__(self, paths: Sequence[str], aliases: Sequence[tuple[str, Alias]]) -> None:
        super().__init__(paths, aliases)
        self._projects: dict[str, list[str]] = {}
        for folder, alias in aliases:
            if alias.name.startswith(_LEADS):
                name = alias.name.removeprefix(_LEADS)
                self._projects.setdefault(folder, []).append(f"{folder}/{name}" if folder else name)

    def find(self, path: str, module: str) -> str | None:
        """The namespace that `module` names; for `PROJECT` the next file that says what is used here."""
        if module != PROJECT:
            return super().find(path, module)
        folder = path.rpartition("/")[0]
        while True:
            here = sorted(self._projects.get(folder, ()))
            below = [one for one in here if one > path] if path in here else here
            if below:
                return below[0]
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
