"""Postings: for each term, the documents that hold it and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import F32, I32, I64, U16, U64, Arrays, Column, ranges


@dataclass(frozen=True, slots=True)
class Postings:
    """Documents by 64-bit term key.

    `keys` are sorted and unique; the rows of `keys[i]` are `indptr[i]` to `indptr[i + 1]` of `docs` and
    `counts`, documents rising. `lengths[d]` is the sum of the counts of document d. Counts stop at 65,535.
    """

    keys: U64
    indptr: I64
    docs: I32
    counts: U16
    lengths: F32

    @property
    def documents(self) -> int:
        """How many documents there are, empty ones included."""
        return len(self.lengths)

    def lookup(self, key: int) -> tuple[I32, U16]:
        """The documents that hold `key` and how often; empty arrays when none does."""
        first, last = self._span(key)
        return self.docs[first:last], self.counts[first:last]

    def df(self, key: int) -> int:
        """How many documents hold `key`."""
        first, last = self._span(key)
        return last - first

    def _span(self, key: int) -> tuple[int, int]:
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return 0, 0
        return int(self.indptr[at]), int(self.indptr[at + 1])

    @staticmethod
    def of(docs: I32, keys: U64, counts: I32, documents: int) -> Postings:
        """Postings of rows (document, key, count), sorted by document, no pair twice."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        fresh = _heads(keys)
        counted = np.minimum(counts, 65_535).astype(np.uint16)
        lengths = np.bincount(docs, weights=counted, minlength=documents).astype(np.float32)
        return Postings(
            keys=keys[fresh],
            indptr=np.append(fresh, len(keys)).astype(np.int64),
            docs=docs[order],
            counts=counted[order],
            lengths=lengths,
        )

    @staticmethod
    def empty() -> Postings:
        """Postings of no documents."""
        return Postings.of(np.zeros(0, np.int32), np.zeros(0, np.uint64), np.zeros(0, np.int32), 0)

    @staticmethod
    def merged(parts: Sequence[tuple[Postings, I32]], documents: int) -> Postings:
        """One Postings of several, document d of a part becoming `renumbered[d]`, or nothing if that is -1.

        Inside a part documents keep their order. No two parts may keep the same new document.
        """
        kept = [_renumbered(part, renumbered) for part, renumbered in parts]
        keys = np.concatenate([part.keys for part in kept])
        sizes = np.concatenate([np.diff(part.indptr) for part in kept])
        starts: list[I64] = []
        at = 0
        for part in kept:
            starts.append(part.indptr[:-1] + at)
            at += len(part.docs)
        order = np.argsort(keys, kind="stable")
        rows = ranges(np.concatenate(starts)[order], sizes[order])
        docs = np.concatenate([part.docs for part in kept])[rows]
        counts = np.concatenate([part.counts for part in kept])[rows]
        first = _heads(keys[order])
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[order])))
        indptr = np.append(before[first], before[-1]).astype(np.int64)
        docs, counts = _ordered(indptr, docs, counts)
        return Postings(keys[order][first], indptr, docs, counts, _lengths(parts, documents))

    def replaced(self, renumbered: I32, fresh: Postings, placed: I32, documents: int) -> Postings:
        """`merged` of this with something small, without sorting this again."""
        small = _renumbered(fresh, placed)
        docs = renumbered[self.docs]
        gone = np.flatnonzero(docs < 0)
        at = self._places(small, np.maximum.accumulate(renumbered)) if len(small.docs) else small.docs
        at = at - np.searchsorted(gone, at)
        key_of_gone = np.searchsorted(self.indptr, gone, side="right") - 1
        key = np.searchsorted(self.keys, small.keys)
        known = key < len(self.keys)
        known[known] = self.keys[key[known]] == small.keys[known]
        sizes = np.diff(self.indptr) - np.bincount(key_of_gone, minlength=len(self.keys))
        added = np.diff(small.indptr)
        sizes[key[known]] += added[known]
        keys = np.insert(self.keys, key[~known], small.keys[~known])
        sizes = np.insert(sizes, key[~known], added[~known])
        if not sizes.all():
            keys, sizes = keys[sizes > 0], sizes[sizes > 0]
        return Postings(
            keys=keys,
            indptr=np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes))),
            docs=np.insert(np.delete(docs, gone), at, small.docs),
            counts=np.insert(np.delete(self.counts, gone), at, small.counts),
            lengths=_lengths([(self, renumbered), (fresh, placed)], documents),
        )

    def _places(self, small: Postings, order: I32) -> I64:
        """Before which row each row of `small` goes; `order` numbers old documents and never falls."""
        key = np.searchsorted(self.keys, small.keys)
        known = key < len(self.keys)
        known[known] = self.keys[key[known]] == small.keys[known]
        sizes = np.diff(small.indptr)
        low = np.repeat(self.indptr[key], sizes)
        high = np.repeat(
            np.where(known, self.indptr[np.minimum(key + 1, len(self.keys))], self.indptr[key]), sizes
        )
        while True:
            open_rows = np.flatnonzero(low < high)
            if not len(open_rows):
                return low
            middle = (low[open_rows] + high[open_rows]) // 2
            before = order[self.docs[middle]] < small.docs[open_rows]
            low[open_rows[before]] = middle[before] + 1
            high[open_rows[~before]] = middle[~before]

    def arrays(self) -> dict[str, Column]:
        """Every column by name."""
        return {
            "keys": self.keys,
            "indptr": self.indptr,
            "docs": self.docs,
            "counts": self.counts,
            "lengths": self.lengths,
        }

    @staticmethod
    def from_arrays(arrays: Arrays) -> Postings:
        """The postings that `arrays` was made of. Raises KeyError if a column is missing."""
        return Postings(**{name: arrays[name] for name in ("keys", "indptr", "docs", "counts", "lengths")})  # pyright: ignore[reportArgumentType]


def _renumbered(part: Postings, renumbered: I32) -> Postings:
    """`part` with new document numbers, rows of dropped documents gone; `lengths` are left as they were."""
    docs = renumbered[part.docs]
    keep = docs >= 0
    if keep.all():
        return Postings(part.keys, part.indptr, docs, part.counts, part.lengths)
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(keep, dtype=np.int64)))
    indptr = before[part.indptr]
    alive = np.diff(indptr) > 0
    ends = np.append(indptr[:-1][alive], indptr[-1])
    return Postings(part.keys[alive], ends, docs[keep], part.counts[keep], part.lengths)


def _heads(keys: U64) -> I64:
    """Where each run of equal keys begins."""
    if not len(keys):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))


def _lengths(parts: Sequence[tuple[Postings, I32]], documents: int) -> F32:
    lengths = np.zeros(documents, np.float32)
    for part, renumbered in parts:
        lengths[renumbered[renumbered >= 0]] = part.lengths[renumbered >= 0]
    return lengths


def _ordered(indptr: I64, docs: I32, counts: U16) -> tuple[I32, U16]:
    """The rows with documents rising inside each key."""
    falls = np.diff(docs) < 0
    falls[indptr[1:-1] - 1] = False
    if not falls.any():
        return docs, counts
    key_of_fall = np.unique(np.searchsorted(indptr, np.flatnonzero(falls), side="right") - 1)
    docs, counts = docs.copy(), counts.copy()
    rows = ranges(indptr[key_of_fall], np.diff(indptr)[key_of_fall])
    owner = np.repeat(key_of_fall, np.diff(indptr)[key_of_fall])
    order = rows[np.argsort(owner << 32 | docs[rows], kind="stable")]
    docs[rows], counts[rows] = docs[order], counts[order]
    return docs, counts
