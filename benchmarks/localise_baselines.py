"""What Numen's ranking must beat: plain rankings over the same words, in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.bm25 import Asked, top
from numen.graph.columns import F32
from numen.graph.corpus import Corpus
from numen.graph.query import read_query
from numen.graph.types import FileClass

DEEP = 50
"""How far down a list an answer is looked for."""

FUSION = 20
"""The constant of reciprocal rank fusion, as in the study whose baseline this is."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Paths of files and ids of symbols, best first."""

    files: list[str]
    symbols: list[str]


NAMES = ("words", "bm25 files", "bm25 definitions", "fused", "longest first")


class Baselines:
    """Plain rankings of one corpus. Only production files and their definitions are candidates."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._source = corpus.of_class(FileClass.SOURCE)
        self._nodes = self._source[corpus.file_of_node] & corpus.eligible

    def ask(self, text: str) -> dict[str, Answer]:
        """The answer of each baseline."""
        corpus, query = self._corpus, read_query(text)
        files, chunks, names = (corpus.arms[arm].ask(query.keys) for arm in ("file", "chunk", "name"))
        by_file, by_chunk = files.scores(), chunks.scores()
        by_name = names.scores()
        whole = corpus.spoken(np.arange(len(by_chunk)))
        best_chunk, best_name = whole.best(by_chunk), whole.best(by_name)
        fused = _fused([(by_file, 1.0), (best_chunk, 1.0), (best_name, 0.5)])
        fused_nodes = _fused([(by_chunk, 1.0), (by_name, 0.5)])
        lengths = corpus.snapshot.files.rows.lines.astype(np.float32)
        node_lengths = (corpus.lines + 0).astype(np.float32)
        return {
            "words": self._answer(_words(files), _words(chunks)),
            "bm25 files": self._answer(by_file, by_file[corpus.file_of_node] * (by_chunk > 0)),
            "bm25 definitions": self._answer(best_chunk, by_chunk),
            "fused": self._answer(fused, fused_nodes),
            "longest first": self._answer(lengths, node_lengths),
        }

    def _answer(self, files: F32, nodes: F32) -> Answer:
        snapshot = self._corpus.snapshot
        best = top(np.where(self._source, files, np.float32(0)), DEEP).tolist()
        nearest = top(np.where(self._nodes, nodes, np.float32(0)), DEEP).tolist()
        return Answer(
            [snapshot.files.paths[file] for file in best], [snapshot.nodes.id(node) for node in nearest]
        )


def _words(asked: Asked) -> F32:
    """How many of the query's words a document holds, as a search that counts matches would order them."""
    return asked.met(np.ones(len(asked.idf), dtype=np.float32))


def _fused(voices: Sequence[tuple[F32, float]]) -> F32:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009): what is not found adds nothing."""
    total = np.zeros(len(voices[0][0]), dtype=np.float32)
    for scores, weight in voices:
        order = np.argsort(-scores, kind="stable")
        rank = np.empty(len(scores), dtype=np.float32)
        rank[order] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, weight / (FUSION + rank), 0).astype(np.float32)
    return total
