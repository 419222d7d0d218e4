"""What speaks for a file or a definition: each voice divided by its loudest, so that they can be added.

Max-scaled sums, the eight file features and the symbol features are those that a study over seven
repositories found to matter; weights are data (`fits/localise.json`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from numen.graph.bm25 import Asked, top
from numen.graph.columns import F32
from numen.graph.corpus import BOOLS, Corpus
from numen.graph.naming import named
from numen.graph.query import Query
from numen.graph.types import FileClass

BEST_COMMITS = 60
BEST_BRIDGES = 20

FILE_FEATURES = (
    "file",
    "chunk",
    "name",
    "past_best",
    "past_sum",
    "pair",
    "path",
    "bridge",
    "area",
    "literal",
)
NODE_FEATURES = ("chunk", "name", "lines", "container", "literal")


@dataclass(frozen=True, slots=True)
class Voices:
    """Every feature of every file and node for one query, 0 to 1 among the candidates.

    `candidates` are the files that compete at full weight: production code where there is any. `spoken` are
    the tests or documents of which the task speaks. `commits` are the scores of past messages; `asked` is
    where the keys stand, by arm; `past` is among them where history is long enough to tell what is absent.
    """

    candidates: BOOLS
    spoken: BOOLS
    files: dict[str, F32]
    nodes: dict[str, F32]
    commits: F32
    asked: Mapping[str, Asked]


def listen(corpus: Corpus, query: Query, within: str | None = None) -> Voices:
    """Ask every arm once; `within` keeps the candidates under one path."""
    candidates = _candidates(corpus, within)
    asked = {
        name: arm.ask(query.pairs if name == "pair" else query.keys) for name, arm in corpus.arms.items()
    }
    chunk, name, text = (asked[arm].scores() for arm in ("chunk", "name", "file"))
    told, called = (corpus.spoken(np.flatnonzero(scores)) for scores in (chunk, name))
    files = {
        "file": text,
        "chunk": told.halving(chunk[told.nodes]),
        "name": called.best(name[called.nodes]),
        "pair": asked["pair"].scores(),
        "path": asked["path"].scores(),
        "area": corpus.arms["path"].ask(query.area).scores(),
        "bridge": _bridged(corpus, text),
    }
    silent = np.zeros(len(candidates), dtype=np.float32)
    commits = np.zeros(0, dtype=np.float32)
    files["past_best"] = files["past_sum"] = silent
    if corpus.past is not None:
        messages = corpus.past.messages.ask(query.keys)
        commits = messages.scores()
        if corpus.past.tells:
            asked["past"] = messages
        files["past_best"], files["past_sum"] = corpus.past.votes(commits, top(commits, BEST_COMMITS))
    files = {feature: _scaled(scores, candidates) for feature, scores in files.items()}
    competing = candidates[corpus.file_of_node]
    nodes = {"chunk": _scaled(chunk, competing), "name": _scaled(name, competing)}
    files["literal"], nodes["literal"] = _literal(corpus, query)
    return Voices(candidates, _spoken(corpus, query), files, nodes, commits, asked)


def _candidates(corpus: Corpus, within: str | None) -> BOOLS:
    allowed = corpus.under(within) if within else np.ones(len(corpus.classes), dtype=bool)
    production = allowed & corpus.of_class(FileClass.SOURCE)
    return production if production.any() else allowed


def _spoken(corpus: Corpus, query: Query) -> BOOLS:
    classes = [FileClass.TEST] if query.of_tests else []
    classes += [FileClass.DOCUMENT] if query.of_documents else []
    return corpus.of_class(*classes)


def _scaled(scores: F32, candidates: BOOLS) -> F32:
    """`scores` over the best candidate's; what does not compete cannot be louder than the best that does."""
    loudest = float(scores[candidates].max(initial=0))
    if loudest <= 0:
        loudest = float(scores.max(initial=0))
    return np.minimum(scores / np.float32(loudest), np.float32(1)) if loudest > 0 else scores


def _bridged(corpus: Corpus, text: F32) -> F32:
    """The best tests and documents hand their score to the files they were changed with."""
    handed = np.zeros(len(text), dtype=np.float32)
    if corpus.past is None:
        return handed
    speakers = np.where(corpus.of_class(FileClass.TEST, FileClass.DOCUMENT), text, np.float32(0))
    for file in top(speakers, BEST_BRIDGES).tolist():
        others, shares = corpus.past.changed_with(file)
        handed[others] += shares * text[file]
    return handed


def _literal(corpus: Corpus, query: Query) -> tuple[F32, F32]:
    """What the task names outright: 1 for the only thing of that name, less where several share it."""
    files = np.zeros(len(corpus.classes), dtype=np.float32)
    nodes = np.zeros(len(corpus.file_of_node), dtype=np.float32)
    for path, line in query.paths:
        for file in (found := corpus.files_ending(path)):
            files[file] = max(files[file], np.float32(1 / len(found)))
            at = corpus.node_at(file, line) if line and len(found) == 1 else -1
            if at >= 0:
                nodes[at] = 1
    for name in query.names:
        found = named(corpus, name)
        for node in found:
            nodes[node] = max(nodes[node], np.float32(1 / len(found)))
            file = corpus.file_of_node[node]
            files[file] = max(files[file], np.float32(1 / len(found)))
    return files, nodes
