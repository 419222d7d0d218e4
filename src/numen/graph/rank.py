"""One pass, one scored list: what every answer about a task is cut from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.bm25 import top
from numen.graph.columns import F32
from numen.graph.corpus import Corpus
from numen.graph.features import Voices, listen
from numen.graph.fit import Fit
from numen.graph.query import read_query
from numen.graph.reasons import file_reasons, node_reasons
from numen.graph.rows import CLASSES
from numen.graph.signals import match_of, odds_of, signals_of
from numen.graph.types import Hit, Ranking


@dataclass(frozen=True, slots=True)
class Scores:
    """The scored list in full: one number a file and one a node, 0 to 1, 0 for what does not match."""

    files: F32
    nodes: F32
    reach: float
    """What the weights of the features add up to: a score times `reach` is their plain sum."""


SILENT = np.float32(1e-6)
"""What a node is worth whose features cancel each other out: little, but it was spoken of."""


def rank(corpus: Corpus, text: str, fit: Fit, *, top_k: int, within: str | None = None) -> Ranking:
    """The `top_k` nodes and files of `corpus` that answer `text` best, and how good a match that is.

    `within` keeps what lies under that path. Equal state and equal text give equal answers; ties break by
    id. Nothing is remembered of the call.
    """
    query = read_query(text)
    voices = listen(corpus, query, within)
    scores = weighed(corpus, voices, fit, within)
    signals = signals_of(query, voices, scores.files) | odds_of(voices, scores.files, scores.reach, fit)
    nodes = top(scores.nodes, top_k).tolist()
    files = top(scores.files, top_k).tolist()
    found = _hits(corpus, scores.nodes, nodes, nodes, node_reasons(corpus, query, voices, nodes))
    wholes = [corpus.node_of_file(file) for file in files]
    whole = _hits(corpus, scores.files, files, wholes, file_reasons(corpus, query, voices, files))
    return Ranking(
        query=text,
        hits=tuple(sorted(found, key=_order)),
        files=tuple(sorted(whole, key=_order)),
        match=match_of(signals, fit, told="past" in voices.asked) if nodes else "none",
        signals=signals,
        searched=len(scores.files),
    )


def weighed(corpus: Corpus, voices: Voices, fit: Fit, within: str | None = None) -> Scores:
    """Every file's and node's score, so that the order of nodes is also an order of files.

    A file's score is the weighted sum of its features over the sum that could be reached, times what its
    class weighs. The best node of a file has the file's score, the others what they are worth beside it;
    where no node speaks, the file itself stands for it.
    """
    standing = _standing(corpus, voices, fit)
    if within:
        standing = np.where(corpus.under(within), standing, np.float32(0))
    file_weights, node_weights = (_heard(voices, weights) for weights in (fit.files, fit.nodes))
    files = np.minimum(_sum(voices.files, file_weights), np.float32(1)) * standing
    said = (voices.nodes["chunk"] > 0) | (voices.nodes["literal"] > 0)
    spoken = corpus.spoken(np.flatnonzero(said & corpus.eligible))
    at = spoken.nodes
    features = {name: scores[at] for name, scores in voices.nodes.items()}
    features |= {"lines": corpus.lines[at], "container": corpus.containers[at].astype(np.float32)}
    worth = np.maximum(_sum(features, node_weights), SILENT)
    share = spoken.share(worth) * np.float32(fit.second)
    share[spoken.first(worth)] = 1
    nodes = np.zeros(len(said), dtype=np.float32)
    nodes[corpus.snapshot.nodes.first] = files
    nodes[corpus.snapshot.nodes.first[spoken.files]] = 0
    nodes[at] = files[spoken.owners] * share
    return Scores(files, nodes, _reach(file_weights))


def _heard(voices: Voices, weights: Mapping[str, float]) -> dict[str, float]:
    """`weights` less those of what only some tasks say: a thing named outright, an area."""
    said = {
        "literal": bool(voices.files["literal"].any() or voices.nodes["literal"].any()),
        "area": bool(voices.files["area"].any()),
    }
    return {name: weight for name, weight in weights.items() if said.get(name, True)}


def _sum(features: Mapping[str, F32], weights: Mapping[str, float]) -> F32:
    reach = _reach(weights)
    total = sum(features[name] * np.float32(weight / reach) for name, weight in weights.items())
    return np.asarray(total, dtype=np.float32)


def _reach(weights: Mapping[str, float]) -> float:
    """The most that the features can add up to."""
    return sum(weight for weight in weights.values() if weight > 0)


def _standing(corpus: Corpus, voices: Voices, fit: Fit) -> F32:
    """How much each file's class weighs; what the task speaks of weighs almost as production code does."""
    weights = np.array([fit.classes[one.value] for one in CLASSES], dtype=np.float32)[corpus.classes]
    weights = np.where(voices.spoken, np.maximum(weights, np.float32(fit.spoken)), weights)
    return np.where(voices.candidates, np.float32(1), weights)


def _hits(
    corpus: Corpus,
    scores: F32,
    places: Sequence[int],
    nodes: Sequence[int],
    reasons: Sequence[tuple[str, ...]],
) -> list[Hit]:
    """A hit for each of `nodes`, whose score stands at the same place of `places`."""
    return [
        Hit(
            node=corpus.snapshot.nodes.node(node),
            file_class=CLASSES[int(corpus.classes[int(corpus.file_of_node[node])])],
            score=_rounded(float(scores[place])),
            why=why,
        )
        for place, node, why in zip(places, nodes, reasons, strict=True)
    ]


def _rounded(score: float) -> float:
    return round(min(1.0, score), 4)


def _order(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.node.id
