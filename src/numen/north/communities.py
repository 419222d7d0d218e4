"""Which files of a tree belong together: Louvain communities over what files use and where they lie.

Pure and without chance: the same tree gives the same communities. A file is bound to its folder as
strongly as to everything it uses, so a community can be told by folders; a folder is bound to the one above.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log2

MOST = 24
"""Communities that a map proposes at most: what a person can look over (ours)."""

_LEVELS = 12
_PASSES = 20
_LEAST_GAIN = 1e-9

Weights = list[dict[int, float]]
"""A graph without directions: for each node its neighbours and how strong the tie is."""


def communities(
    files: Sequence[str], ties: Iterable[tuple[int, int, int]], most: int = MOST
) -> list[list[int]]:
    """`files` (sorted paths) in at most `most` groups, each a list of places in `files`; largest first.

    `ties` are (file, file, how many references between them). Every file is in exactly one group.
    """
    if not files:
        return []
    graph = _graph(files, ties)
    group = _louvain(graph)[: len(files)]
    found: dict[int, list[int]] = defaultdict(list)
    for file, label in enumerate(group):
        found[label].append(file)
    merged = _merged(list(found.values()), graph, files, most)
    return sorted(merged, key=lambda members: (-len(members), members[0]))


def globs(members: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The fewest globs that match each of `members` and none of `others`: whole folders where they can be.

    `dir/**` where nothing of `others` lies below a directory, `dir/*` where none lies directly in it.
    """
    below: Counter[str] = Counter()
    direct: Counter[str] = Counter()
    for path in others:
        folder = posixpath.dirname(path)
        direct[folder] += 1
        for above in _above(folder):
            below[above] += 1
    found: set[str] = set()
    for path in members:
        folder = posixpath.dirname(path)
        whole = next((above for above in reversed(_above(folder)) if not below[above]), None)
        if whole is not None:
            found.add(posixpath.join(whole, "**"))
        elif not direct[folder]:
            found.add(posixpath.join(folder, "*"))
        else:
            found.add(path)
    return tuple(sorted(found))


def home(members: Sequence[str]) -> str:
    """The deepest directory in which at least half of `members` lie; empty for the root."""
    counts: Counter[str] = Counter(above for path in members for above in _above(posixpath.dirname(path)))
    half = [folder for folder, count in counts.items() if 2 * count >= len(members)]
    return max(half, key=lambda folder: (folder.count("/") + bool(folder), counts[folder], folder))


def _above(folder: str) -> list[str]:
    """`folder` and all above it, the deepest first, the root (empty) last."""
    found = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        found.append(folder)
    return found


def _graph(files: Sequence[str], ties: Iterable[tuple[int, int, int]]) -> Weights:
    """Files, then folders. Ties grow as the logarithm of the references: one that all use draws not all."""
    names = sorted({above for path in files for above in _above(posixpath.dirname(path))})
    place = {name: len(files) + number for number, name in enumerate(names)}
    graph: Weights = [{} for _ in range(len(files) + len(names))]
    strength = [0.0] * len(files)
    for a, b, count in ties:
        if a != b:
            weight = log2(1 + count)
            _tie(graph, a, b, weight)
            strength[a] += weight
            strength[b] += weight
    for file, path in enumerate(files):
        _tie(graph, file, place[posixpath.dirname(path)], max(1.0, strength[file]))
    for name in names:
        if name:
            _tie(graph, place[name], place[posixpath.dirname(name)], 1.0)
    return graph


def _tie(graph: Weights, a: int, b: int, weight: float) -> None:
    graph[a][b] = graph[a].get(b, 0.0) + weight
    graph[b][a] = graph[b].get(a, 0.0) + weight


def _louvain(graph: Weights) -> list[int]:
    """For each node the label of its community: nodes move while modularity grows, then communities
    become nodes, until nothing moves."""
    label = list(range(len(graph)))
    own = [0.0] * len(graph)
    for _ in range(_LEVELS):
        moved = _moved(graph, own)
        names = {old: new for new, old in enumerate(sorted(set(moved)))}
        label = [names[moved[one]] for one in label]
        if len(names) == len(graph):
            break
        graph, own = _folded(graph, own, [names[one] for one in moved])
    return label


def _moved(graph: Weights, own: Sequence[float]) -> list[int]:
    """One level: each node goes where it gains most, in order, until none gains; ties to the first."""
    degree = [sum(ties.values()) + 2 * own[node] for node, ties in enumerate(graph)]
    whole = sum(degree) or 1.0
    label, total = list(range(len(graph))), list(degree)
    for _ in range(_PASSES):
        is_still = True
        for node, ties in enumerate(graph):
            here = label[node]
            total[here] -= degree[node]
            into: dict[int, float] = {here: 0.0}
            for other, weight in ties.items():
                into[label[other]] = into.get(label[other], 0.0) + weight
            share = degree[node] / whole
            best, gain = here, into[here] - total[here] * share
            for there, weight in into.items():
                gained = weight - total[there] * share
                if gained > gain + _LEAST_GAIN or (gained > gain - _LEAST_GAIN and there < best):
                    best, gain = there, max(gain, gained)
            total[best] += degree[node]
            if best != here:
                label[node], is_still = best, False
        if is_still:
            break
    return label


def _folded(graph: Weights, own: Sequence[float], label: Sequence[int]) -> tuple[Weights, list[float]]:
    """The graph of communities: ties between them add up, those inside become their own."""
    size = max(label) + 1
    inside = [0.0] * size
    folded: Weights = [{} for _ in range(size)]
    for node, ties in enumerate(graph):
        a = label[node]
        inside[a] += own[node]
        for other, weight in ties.items():
            b = label[other]
            if a == b:
                inside[a] += weight / 2
            else:
                folded[a][b] = folded[a].get(b, 0.0) + weight
    return folded, inside


def _merged(groups: list[list[int]], graph: Weights, files: Sequence[str], most: int) -> list[list[int]]:
    """`groups`, the smallest joined to the one that it is tied to most until there are at most `most`."""
    alive: dict[int, list[int]] = dict(enumerate(groups))
    while len(alive) > most:
        small = min(alive, key=lambda one: (len(alive[one]), alive[one][0]))
        members = alive.pop(small)
        where = {file: one for one, rest in alive.items() for file in rest}
        drawn: dict[int, float] = defaultdict(float)
        for file in members:
            for other, weight in graph[file].items():
                if other in where:
                    drawn[where[other]] += weight
        best = max(drawn, key=lambda one: (drawn[one], -one)) if drawn else _nearest(members, alive, files)
        alive[best] = sorted([*alive[best], *members])
    return list(alive.values())


def _nearest(members: Sequence[int], alive: Mapping[int, list[int]], files: Sequence[str]) -> int:
    """The group with most files in the deepest directory that `members` share with any group."""
    for folder in _above(home([files[file] for file in members])):
        counts = {
            one: sum(files[file].startswith(f"{folder}/") or not folder for file in rest)
            for one, rest in alive.items()
        }
        best = max(counts, key=lambda one: (counts[one], -one))
        if counts[best]:
            return best
    return min(alive)
