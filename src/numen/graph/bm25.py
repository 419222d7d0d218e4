"""BM25 over postings: how well each document of one arm answers a set of terms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numen.graph.columns import F32, I32, I64, ranges
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

    def ask(self, keys: Sequence[int]) -> Asked:
        """Where the distinct `keys` stand."""
        wanted = np.array(keys, dtype=np.uint64)
        have = self.postings.keys
        at = have.searchsorted(wanted)
        known = at < len(have)
        known[known] = have[at[known]] == wanted[known]
        starts = self.postings.indptr[at * known]
        stops = self.postings.indptr[at * known + 1] if len(have) else starts
        stops = np.where(known, stops, starts)
        return Asked(self, starts, stops)

    @cached_property
    def norms(self) -> F32:
        """For each document what its length adds to the divisor of a count."""
        lengths = self.postings.lengths
        mean = float(lengths.mean()) if len(lengths) else 0.0
        relative = lengths / mean if mean else np.ones_like(lengths)
        return (K1 * (1 - self._b + self._b * relative)).astype(np.float32)


class Asked:
    """The rows of an arm that hold the keys of one query."""

    def __init__(self, arm: Arm, starts: I64, stops: I64) -> None:
        documents = arm.postings.documents
        self._arm = arm
        self._sizes = stops - starts
        self._rows = ranges(starts, self._sizes)
        self.docs: I32 = arm.postings.docs[self._rows]
        self.idf: F32 = np.log1p((documents - self._sizes + 0.5) / (self._sizes + 0.5)).astype(np.float32)

    @property
    def known(self) -> NDArray[np.bool_]:
        """For each key, whether any document holds it."""
        return self._sizes > 0

    def scores(self) -> F32:
        """The BM25 score of each document; 0 where none of the keys stands."""
        counts = self._arm.postings.counts[self._rows].astype(np.float32)
        idf = np.repeat(self.idf, self._sizes)
        gains = idf * counts * np.float32(K1 + 1) / (counts + self._arm.norms[self.docs])
        return self._summed(gains)

    def met(self, weights: F32) -> F32:
        """For each document the sum of the `weights`, one a key, of the keys that it holds."""
        return self._summed(np.repeat(weights, self._sizes))

    def held(self, documents: Sequence[int]) -> dict[int, list[int]]:
        """For each of `documents` the places of the keys that it holds, the most telling first."""
        wanted = np.zeros(self._arm.postings.documents, dtype=bool)
        wanted[list(documents)] = True
        rows = np.flatnonzero(wanted[self.docs])
        places = np.cumsum(self._sizes).searchsorted(rows, side="right")
        found: dict[int, list[int]] = {document: [] for document in documents}
        for document, place in zip(self.docs[rows].tolist(), places.tolist(), strict=True):
            found[document].append(place)
        for held in found.values():
            held.sort(key=lambda place: (-float(self.idf[place]), place))
        return found

    def _summed(self, values: NDArray[np.floating]) -> F32:
        documents = self._arm.postings.documents
        return np.bincount(self.docs, weights=values, minlength=documents).astype(np.float32)


def top(scores: F32, count: int) -> I32:
    """The `count` best documents with a score above 0, best first, ties by number."""
    found = np.flatnonzero(scores > 0)
    if len(found) > 4 * count:  # a coarse cut that keeps every tie
        bar = np.partition(scores[found], -count)[-count]
        found = found[scores[found] >= bar]
    return found[np.argsort(-scores[found], kind="stable")][:count].astype(np.int32)
