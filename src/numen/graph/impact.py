"""Who is affected when a symbol changes: the closure over edges, with how sure each step is and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.answers import ImpactAnswer, Reached
from numen.graph.columns import I32, I64, U8, ranges
from numen.graph.corpus import BOOLS, Corpus
from numen.graph.naming import candidates, named, nearest
from numen.graph.rows import EDGES, KINDS
from numen.graph.types import Certainty, EdgeKind, FileClass, NodeKind
from numen.kernel import InvalidInput

DIRECTIONS = ("dependents", "dependencies")
DEEPEST = 10
MOST_CANDIDATES = 20

SHARED = 0.2
"""Share of two files' commits from which they are said to change together."""
MOST_SHARED = 3

_STILL = [EDGES.index(EdgeKind.CONTAINS), EDGES.index(EdgeKind.CO_CHANGES)]
"""Kinds along which a change does not travel."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """Nodes reached at one hop: for each the edge that led there and the least certainty of its way."""

    nodes: I32
    via: I32
    kind: U8
    edge: U8
    worst: U8


def impact(corpus: Corpus, symbol: str, *, direction: str = "dependents", depth: int = 3) -> ImpactAnswer:
    """What depends on `symbol` (or, with `dependencies`, what it depends on), up to `depth` steps away.

    A class or a file stands for itself and all it holds. A name that means several things is answered
    with the candidates and followed nowhere; an unknown one with the nearest names. Raises `InvalidInput`
    for another direction, a depth outside 1 to 10, or an empty symbol.
    """
    _check(symbol, direction, depth)
    nodes = corpus.snapshot.nodes
    found = named(corpus, symbol)
    if len(found) != 1:
        state = "ambiguous" if found else "unknown"
        names = candidates(corpus, found)[:MOST_CANDIDATES] if found else nearest(corpus, symbol)
        return ImpactAnswer(symbol, state, direction, depth, candidates=tuple(names))
    target = found[0]
    reached: list[Reached] = []
    for hop, steps in enumerate(_closure(corpus, target, direction, depth), start=1):
        reached += _reached(corpus, steps, hop)
    return ImpactAnswer(
        symbol=symbol,
        state="found",
        direction=direction,
        depth=depth,
        targets=(nodes.id(target),),
        reached=tuple(sorted(reached, key=_order)),
        changed_with=_changed_with(corpus, int(corpus.file_of_node[target])),
        uncertain=corpus.unsettled(nodes.name(target)) if direction == "dependents" else 0,
    )


def _check(symbol: str, direction: str, depth: int) -> None:
    if not symbol.strip():
        raise InvalidInput(
            "The symbol is empty.",
            not_done="Nothing was looked up.",
            next_step="Give a node's id, a path, a qualified name or a name.",
        )
    if direction not in DIRECTIONS:
        raise InvalidInput(
            f"There is no direction {direction!r}.",
            not_done="Nothing was looked up.",
            next_step="Ask for dependents or dependencies.",
        )
    if not 1 <= depth <= DEEPEST:
        raise InvalidInput(
            f"A depth of {depth} is outside 1 to {DEEPEST}.",
            not_done="Nothing was looked up.",
            next_step="Three steps show most of what matters.",
        )


def _closure(corpus: Corpus, target: int, direction: str, depth: int) -> list[_Steps]:
    """Level by level; a node is reached once, by the surest of the shortest ways."""
    seen = np.zeros(len(corpus.file_of_node), dtype=bool)
    frontier = corpus.inside(target)
    seen[frontier] = True
    worst = np.zeros(len(seen), dtype=np.uint8)
    levels: list[_Steps] = []
    for _ in range(depth):
        steps = _next(corpus, frontier, direction, seen, worst)
        if not len(steps.nodes):
            break
        levels.append(steps)
        seen[steps.nodes] = True
        worst[steps.nodes] = steps.worst
        frontier = steps.nodes
    return levels


def _next(corpus: Corpus, frontier: I32, direction: str, seen: BOOLS, worst: U8) -> _Steps:
    starts, rows, others = corpus.adjacency(direction)
    sizes = (starts[frontier + 1] - starts[frontier]).astype(np.int64)
    at: I64 = rows[ranges(starts[frontier], sizes)]
    via = np.repeat(frontier, sizes)
    edges = corpus.snapshot.edges
    kind, edge = edges.kind[at], edges.certainty[at]
    new = others[at]
    keep = ~seen[new] & ~np.isin(kind, _STILL)
    new, via, kind, edge = new[keep], via[keep], kind[keep], edge[keep]
    least = np.maximum(worst[via], edge)
    order = np.lexsort((kind, via, edge, least, new))
    new = new[order]
    first = order[np.concatenate(([True], new[1:] != new[:-1]))] if len(new) else order
    nodes = new[np.concatenate(([True], new[1:] != new[:-1]))] if len(new) else new
    return _Steps(nodes, via[first], kind[first], edge[first], least[first])


def _reached(corpus: Corpus, steps: _Steps, hop: int) -> list[Reached]:
    nodes = corpus.snapshot.nodes
    tests = corpus.of_class(FileClass.TEST)
    test_kind = KINDS.index(NodeKind.TEST)
    rows: list[Reached] = []
    for i, node in enumerate(steps.nodes.tolist()):
        rows.append(
            Reached(
                node=nodes.node(node),
                hop=hop,
                kind=EDGES[int(steps.kind[i])],
                via=nodes.id(int(steps.via[i])),
                edge=Certainty(int(steps.edge[i])),
                certainty=Certainty(int(steps.worst[i])),
                is_test=bool(tests[corpus.file_of_node[node]]) or int(nodes.kind[node]) == test_kind,
            )
        )
    return rows


def _order(one: Reached) -> tuple[bool, int, int, str]:
    return not one.is_test, one.hop, int(one.certainty), one.node.id


def _changed_with(corpus: Corpus, file: int) -> tuple[tuple[str, float], ...]:
    """The files that most share this one's commits, with the share."""
    if corpus.past is None:
        return ()
    others, shares = corpus.past.changed_with(file)
    near = np.flatnonzero(shares >= SHARED)
    near = near[np.argsort(-shares[near], kind="stable")][:MOST_SHARED]
    return tuple((corpus.snapshot.files.paths[int(others[i])], round(float(shares[i]), 2)) for i in near)
