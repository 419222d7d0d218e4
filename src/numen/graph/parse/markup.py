"""Markdown and reStructuredText: headings are sections, nested by their level."""

from __future__ import annotations

import re

from numen.graph.parse.facts import SIGNATURE_LIMIT, Definition, Facts, file_definition, ordered
from numen.graph.types import NodeKind

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*$")


def markdown(path: str, source: bytes, is_test: bool) -> Facts:  # noqa: ARG001
    """The sections of a Markdown file: ATX and setext headings outside fenced code."""
    lines = source.decode("utf-8", "replace").split("\n")
    headings: list[tuple[int, int, str]] = []
    fence = ""
    for i, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark is not None:
            run = mark.group(1)
            if not fence:
                fence = run
            elif run[0] == fence[0] and len(run) >= len(fence) and line.strip() == run:
                fence = ""
            continue
        if fence:
            continue
        found = _ATX.match(line)
        if found is not None and found.group(2):
            headings.append((i + 1, len(found.group(1)), found.group(2)))
            continue
        under = _SETEXT.match(line)
        above = lines[i - 1].strip() if i else ""
        if under is not None and above and not above.startswith(("#", ">", "|", "-", "*", "<")):
            headings.append((i, 1 if under.group(1)[0] == "=" else 2, above))
    return _sections(path, len(lines) - (lines[-1] == ""), headings)


def rst(path: str, source: bytes, is_test: bool) -> Facts:  # noqa: ARG001
    """The sections of a reStructuredText file; levels go by the order in which adornments appear."""
    lines = source.decode("utf-8", "replace").split("\n")
    headings: list[tuple[int, int, str]] = []
    styles: list[str] = []
    for i in range(1, len(lines)):
        title, under = lines[i - 1].rstrip(), lines[i].rstrip()
        if (
            not title
            or not _ADORNMENT.match(under)
            or _ADORNMENT.match(title)
            or len(under) < len(title.strip())
        ):
            continue
        over = i >= 2 and lines[i - 2].rstrip() == under
        if title[0] == " " and not over:
            continue
        if i >= 2 and lines[i - 2].strip() and not over:
            continue
        style = under[0] * (2 if over else 1)
        if style not in styles:
            styles.append(style)
        headings.append((i, styles.index(style) + 1, title.strip()))
    return _sections(path, len(lines) - (lines[-1] == ""), headings)


def _sections(path: str, lines: int, headings: list[tuple[int, int, str]]) -> Facts:
    facts = Facts([file_definition(path, lines)])
    open_sections: list[tuple[int, int]] = [(0, 0)]
    for i, (line, level, title) in enumerate(headings):
        while open_sections[-1][0] >= level:
            open_sections.pop()
        parent = open_sections[-1][1]
        end = next((after - 1 for after, other, _ in headings[i + 1 :] if other <= level), max(1, lines))
        prefix = facts.definitions[parent].qualified
        name = " ".join(title.split())[:SIGNATURE_LIMIT]
        qualified = f"{prefix} > {name}" if prefix else name
        facts.definitions.append(
            Definition(NodeKind.SECTION, name, qualified, name, line, max(line, end), line, parent)
        )
        open_sections.append((level, len(facts.definitions) - 1))
    return ordered(facts)
