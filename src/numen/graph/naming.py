"""Which nodes a name means: an id, a path, a qualified name or a bare one. Several answers are all given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from numen.graph.corpus import FILE, Corpus
from numen.graph.types import FileClass

_SEPARATOR = re.compile(r"::|[.#]|->")
_CLASH = re.compile(r"#\d+$")


def named(corpus: Corpus, text: str) -> tuple[int, ...]:
    """The nodes that `text` names, in order; empty when nothing has that name.

    The first reading that finds something wins: a node's id; a path or the end of one; a path's end and a
    qualified name (`sessions.py::Session.send`); a qualified name, with or without its module
    (`Session.send`, `requests.sessions.Session.send`); a bare name. Case counts.
    """
    nodes = corpus.snapshot.nodes
    text = text.strip().removesuffix("()")
    exact = nodes.index(text)
    if exact is not None:
        return (exact,)
    files = corpus.files_ending(text)
    if files:
        return tuple(corpus.node_of_file(file) for file in files)
    path, separator, inner = text.partition("::")
    if separator and corpus.files_ending(path):
        homes = set(corpus.files_ending(path))
        found = [
            node for node in _qualified(corpus, _parts(inner)) if int(corpus.file_of_node[node]) in homes
        ]
        return tuple(found)
    return tuple(_qualified(corpus, _parts(text)))


def qualified_name(identity: str) -> str:
    """The part of a node's id behind the path, without the number that tells clashes apart."""
    return _CLASH.sub("", identity.partition("::")[2])


def _parts(text: str) -> list[str]:
    return [part for part in _SEPARATOR.split(text) if part]


def _qualified(corpus: Corpus, parts: list[str]) -> list[int]:
    """Nodes that `parts` name: `parts` end the module's path and qualified name, or begin at a package above.

    The second reading is for what a package hands on under its own name (`django.db.models.Model`).
    """
    if not parts:
        return []
    nodes = corpus.snapshot.nodes
    exact: list[int] = []
    above: list[int] = []
    for node in (int(one) for one in nodes.by_name(parts[-1])):
        if int(nodes.kind[node]) == FILE:
            continue
        module, inner = _module(nodes.id(node))
        if [*module, *inner][-len(parts) :] == parts:
            exact.append(node)
        elif len(parts) > len(inner) and parts[-len(inner) :] == inner:
            package = parts[: -len(inner)]
            if any(module[i : i + len(package)] == package for i in range(len(module) - len(package))):
                above.append(node)
    return sorted(exact or above)


def _module(identity: str) -> tuple[list[str], list[str]]:
    """The parts of a node's module, a package called by its folder, and of its qualified name."""
    path = identity.partition("::")[0]
    stem = path.rpartition(".")[0] or path
    module = stem.split("/")
    if len(module) > 1 and module[-1] in ("__init__", "index", "mod"):
        module.pop()
    return module, qualified_name(identity).split(".")


def candidates(corpus: Corpus, found: Sequence[int]) -> list[str]:
    """The ids of `found`, those most likely meant first: production code, then what is nested least."""
    nodes = corpus.snapshot.nodes
    source = corpus.of_class(FileClass.SOURCE)

    def key(node: int) -> tuple[bool, int, str]:
        identity = nodes.id(node)
        return not source[corpus.file_of_node[node]], identity.count(".", identity.find("::")), identity

    return [nodes.id(node) for node in sorted(found, key=key)]


def nearest(corpus: Corpus, text: str, count: int = 5) -> list[str]:
    """The ids of the nodes whose names need the fewest edits to become the last part of `text`."""
    parts = _parts(text)
    wanted = (parts[-1] if parts else text).casefold()[:LONGEST]
    nodes = corpus.snapshot.nodes
    slips = max(2, len(wanted) // 3)
    letters = set(wanted)
    near: list[tuple[int, str]] = []
    for name in set(nodes.rows.name):
        folded = name.casefold()
        if abs(len(folded) - len(wanted)) <= slips and len(letters ^ set(folded)) <= 2 * slips:
            needed = edits(wanted, folded)
            if needed <= slips:
                near.append((needed, name))
    found: list[str] = []
    for _, name in sorted(near):
        found += candidates(corpus, [int(one) for one in nodes.by_name(name) if nodes.kind[one] != FILE])
        if len(found) >= count:
            break
    return found[:count]


LONGEST = 80
"""Letters of an unknown name that are compared."""


def edits(one: str, other: str) -> int:
    """Letters to put in, take out, change, or swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
