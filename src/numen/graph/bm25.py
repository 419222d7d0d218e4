"""BM25 over postings: how well each document of one arm answers a set of terms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numen.graph.columns import F32, I32
from numen.graph.postings import Postings

K1 = 1.2
B = 0.75
"""Robertson and Zaragoza's usual values (The Probabilistic Relevance Framework, 2009, section 3.5).

On the fitting repositories k1 of .6 to 2 and b of .3 to 1 made no difference that could be told from chance.
"""


class Arm:
    """One arm of the index, ready to be asked: postings with their length norms."""

    def __init__(self, postings: Postings, b: float = B) -> None:
        self.postings = postings
        self._b = b

    def scores(self, keys: Sequence[int]) -> F32:
        """The BM25 score of each document for the distinct `keys`; 0 where none of them stands."""
        documents = self.postings.documents
        rows = [(self._idf(len(docs)), docs, counts) for docs, counts in map(self.postings.lookup, keys)]
        rows = [row for row in rows if len(row[1])]
        if not rows:
            return np.zeros(documents, dtype=np.float32)
        docs = np.concatenate([row[1] for row in rows])
        counts = np.concatenate([row[2] for row in rows]).astype(np.float32)
        idf = np.repeat(np.array([row[0] for row in rows], np.float32), [len(row[1]) for row in rows])
        gains = idf * counts * np.float32(K1 + 1) / (counts + self._norms[docs])
        return np.bincount(docs, weights=gains, minlength=documents).astype(np.float32)

    def idf(self, keys: Sequence[int]) -> NDArray[np.float64]:
        """How telling each key is: high for rare ones, highest for those that stand nowhere."""
        return np.array([self._idf(self.postings.df(key)) for key in keys], dtype=np.float64)

    def coverage(self, keys: Sequence[int]) -> F32:
        """For each document the share of the query's IDF that it holds, 0 to 1."""
        documents = self.postings.documents
        weights = self.idf(keys)
        covered = np.zeros(documents, dtype=np.float64)
        for key, weight in zip(keys, weights.tolist(), strict=True):
            covered[self.postings.lookup(key)[0]] += weight
        total = float(weights.sum())
        return (covered / total if total else covered).astype(np.float32)

    def holding(self, key: int, document: int) -> bool:
        """Whether `document` holds `key`."""
        docs = self.postings.lookup(key)[0]
        at = int(np.searchsorted(docs, document))
        return at < len(docs) and int(docs[at]) == document

    def _idf(self, df: int) -> float:
        return float(np.log1p((self.postings.documents - df + 0.5) / (df + 0.5)))

    @cached_property
    def _norms(self) -> F32:
        lengths = self.postings.lengths
        mean = float(lengths.mean()) if len(lengths) else 0.0
        relative = lengths / mean if mean else np.ones_like(lengths)
        return (K1 * (1 - self._b + self._b * relative)).astype(np.float32)


def top(scores: F32, count: int) -> I32:
    """The `count` best documents with a score above 0, best first, ties by number."""
    found = np.flatnonzero(scores > 0)
    if len(found) > 4 * count:  # a coarse cut that keeps every tie
        bar = np.partition(scores[found], -count)[-count]
        found = found[scores[found] >= bar]
    return found[np.argsort(-scores[found], kind="stable")][:count].astype(np.int32)
