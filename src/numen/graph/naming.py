"""Which nodes a name means: an id, a path, a qualified name or a bare one. Several answers are all given."""

from __future__ import annotations

import re

from numen.graph.corpus import FILE, Corpus

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
    """Nodes whose qualified name, led by their module's path, ends with `parts`."""
    if not parts:
        return []
    nodes = corpus.snapshot.nodes
    found: list[int] = []
    for node in (int(one) for one in nodes.by_name(parts[-1])):
        if int(nodes.kind[node]) == FILE:
            continue
        identity = nodes.id(node)
        path = identity.partition("::")[0].rpartition(".")[0] or identity.partition("::")[0]
        whole = [*path.split("/"), *qualified_name(identity).split(".")]
        if path.endswith(("/__init__", "/index", "/mod")):  # a package is called by its folder
            package = [*path.split("/")[:-1], *qualified_name(identity).split(".")]
            if package[-len(parts) :] == parts:
                found.append(node)
                continue
        if whole[-len(parts) :] == parts:
            found.append(node)
    return sorted(found)


def nearest(corpus: Corpus, text: str, count: int = 5) -> list[str]:
    """The ids of the nodes whose names share most letter pairs with `text`, nearest first, ties by id."""
    parts = _parts(text)
    wanted = _letters(parts[-1] if parts else text)
    nodes = corpus.snapshot.nodes
    liked: dict[str, float] = {}
    for name in set(nodes.rows.name):
        have = _letters(name)
        shared = 2 * len(wanted & have) / (len(wanted) + len(have))
        if shared >= LIKE:
            liked[name] = shared
    best = sorted(liked, key=lambda name: (-liked[name], name))[:count]
    found = [(-liked[name], nodes.id(int(node))) for name in best for node in nodes.by_name(name)]
    return [identity for _, identity in sorted(found) if "::" in identity][:count]


LIKE = 0.4
"""Dice coefficient over letter pairs under which two names are not alike."""


def _letters(name: str) -> set[str]:
    folded = f"^{name.casefold().replace('_', '')}$"
    return {folded[i : i + 2] for i in range(len(folded) - 1)}
