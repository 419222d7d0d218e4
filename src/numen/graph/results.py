"""Results: references to what other references give, and the order in which they can be settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64
from numen.graph.lookup import Bools
from numen.graph.parse.facts import Head
from numen.graph.rows import ReferenceRows

LONGEST = 256
"""Calls one on the result of another that are followed; what comes later in a chain stays unknown."""


@dataclass(frozen=True, slots=True)
class Results:
    """The references with the head `RESULT`, sorted; for each the one that it is a result of.

    `depth` says of every reference how many others must be settled before it, up to one more than `LONGEST`.
    """

    result: I64
    base: I64
    depth: I64

    @staticmethod
    def of(refs: ReferenceRows, file: I32) -> Results:
        """The results among `refs`, whose files are `file`."""
        result = np.flatnonzero(refs.head == Head.RESULT)
        base = refs.ends[file[result]] + refs.at[result]
        depth = np.zeros(len(refs), np.int64)
        go = np.arange(len(result))
        for step in range(1, LONGEST + 2):
            go = go[depth[base[go]] == step - 1]
            if not len(go):
                break
            depth[result[go]] = step
        return Results(result, base, depth)

    def base_of(self, rows: I64) -> I64:
        """What each of the results in `rows` is a result of."""
        return self.base[np.searchsorted(self.result, rows)]

    def within(self, asked: Bools) -> Bools:
        """Which references are results of those in `asked`, or results of these."""
        found = asked.copy()
        for _ in range(LONGEST + 1):
            go = found[self.base] & ~found[self.result]
            if not go.any():
                break
            found[self.result[go]] = True
        return found

    def leading_to(self, rows: I64) -> I64:
        """All that must be settled before the results in `rows`, in order."""
        wanted = np.zeros(len(self.depth), np.bool_)
        wanted[rows] = True
        for _ in range(LONGEST + 1):
            go = wanted[self.result] & ~wanted[self.base]
            if not go.any():
                break
            wanted[self.base[go]] = True
        wanted[rows] = False
        return np.flatnonzero(wanted)
