"""One pass, one scored list: what every answer about a task is cut from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from numen.graph.bm25 import top
from numen.graph.columns import F32
from numen.graph.corpus import CLASSES, Corpus
from numen.graph.features import Voices, listen
from numen.graph.fit import Fit
from numen.graph.query import Query, read_query
from numen.graph.reasons import file_reasons, node_reasons
from numen.graph.signals import match_of, signals_of
from numen.graph.types import Hit, Ranking


@dataclass(frozen=True, slots=True)
class Scores:
    """The scored list in full: one number a file and one a node, 0 to 1, 0 for what does not match."""

    files: F32
    nodes: F32


def rank(corpus: Corpus, text: str, fit: Fit, *, top_k: int, within: str | None = None) -> Ranking:
    """The `top_k` nodes and files of `corpus` that answer `text` best, and how good a match that is.

    `within` keeps what lies under that path. Equal state and equal text give equal answers; ties break by
    id. Nothing is remembered of the call.
    """
    query = read_query(text)
    voices = listen(corpus, query)
    scores = weighed(corpus, voices, fit, within)
    signals = signals_of(corpus, query, scores.files)
    nodes = top(scores.nodes, top_k).tolist()
    files = top(scores.files, top_k).tolist()
    found = [_node_hit(corpus, query, voices, scores, node) for node in nodes]
    wholes = [hit for file in files if (hit := _file_hit(corpus, query, voices, scores, file))]
    return Ranking(
        query=text,
        hits=tuple(sorted(found, key=_order)),
        files=tuple(sorted(wholes, key=_order)),
        match=match_of(signals, fit) if nodes or files else "none",
        signals=signals,
        searched=len(scores.files),
    )


def weighed(corpus: Corpus, voices: Voices, fit: Fit, within: str | None = None) -> Scores:
    """Every file's and node's score: the weighted sum of its features, over the sum that could be reached."""
    owners = corpus.file_of_node
    standing = _standing(corpus, voices, fit)
    if within:
        standing = np.where(corpus.under(within), standing, np.float32(0))
    heard = bool(voices.files["literal"].any() or voices.nodes["literal"].any())
    files = _sum(voices.files, fit.files, heard)
    if files.max(initial=0) > 0:
        scaled = files / np.float32(files[voices.candidates].max(initial=0) or files.max())
    else:
        scaled = files
    features = voices.nodes | {
        "file": np.minimum(scaled, np.float32(1))[owners],
        "lines": corpus.lines,
        "container": corpus.containers.astype(np.float32),
    }
    spoken = (voices.nodes["chunk"] > 0) | (voices.nodes["literal"] > 0)
    nodes = np.where(spoken & corpus.eligible, _sum(features, fit.nodes, heard), np.float32(0))
    return Scores(files * standing, np.maximum(nodes, 0) * standing[owners])


def _sum(features: Mapping[str, F32], weights: Mapping[str, float], heard: bool) -> F32:
    used = {name: weight for name, weight in weights.items() if heard or name != "literal"}
    reach = sum(weight for weight in used.values() if weight > 0)
    total = sum((features[name] * np.float32(weight / reach) for name, weight in used.items()))
    return np.asarray(total, dtype=np.float32)


def _standing(corpus: Corpus, voices: Voices, fit: Fit) -> F32:
    """How much each file's class weighs; what the task speaks of weighs as production code does."""
    weights = np.array([fit.classes[one.value] for one in CLASSES], dtype=np.float32)[corpus.classes]
    return np.where(voices.candidates, np.float32(1), weights)


def _node_hit(corpus: Corpus, query: Query, voices: Voices, scores: Scores, node: int) -> Hit:
    file = int(corpus.file_of_node[node])
    return Hit(
        node=corpus.snapshot.nodes.node(node),
        file_class=CLASSES[int(corpus.classes[file])],
        score=_rounded(float(scores.nodes[node])),
        why=node_reasons(corpus, query, voices, node),
    )


def _file_hit(corpus: Corpus, query: Query, voices: Voices, scores: Scores, file: int) -> Hit | None:
    node = corpus.node_of_file(file)
    if node < 0:
        return None
    return Hit(
        node=corpus.snapshot.nodes.node(node),
        file_class=CLASSES[int(corpus.classes[file])],
        score=_rounded(float(scores.files[file])),
        why=file_reasons(corpus, query, voices, file),
    )


def _rounded(score: float) -> float:
    return round(min(1.0, score), 4)


def _order(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.node.id
