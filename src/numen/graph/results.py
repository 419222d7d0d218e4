"""Results: references to what other references give, and the order in which they can be settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64
from numen.graph.lookup import Bools
from numen.graph.parse.facts import Head
from numen.graph.rows import ReferenceRows


@dataclass(frozen=True, slots=True)
class Results:
    """The references with the head `RESULT`, sorted; for each the one that it is a result of.

    `depth` says of every reference how many others must be settled before it.
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
        while len(go):
            go = go[depth[base[go]] + 1 > depth[result[go]]]
            depth[result[go]] = depth[base[go]] + 1
        return Results(result, base, depth)

    def base_of(self, rows: I64) -> I64:
        """What each of the results in `rows` is a result of."""
        return self.base[np.searchsorted(self.result, rows)]

    def within(self, asked: Bools) -> Bools:
        """Which references are results of those in `asked`, or results of these."""
        found = asked.copy()
        go = found[self.base] & ~found[self.result]
        while go.any():
            found[self.result[go]] = True
            go = found[self.base] & ~found[self.result]
        return found

    def leading_to(self, rows: I64) -> I64:
        """All that must be settled before the results in `rows`, in order."""
        wanted = np.zeros(len(self.depth), np.bool_)
        wanted[rows] = True
        go = wanted[self.result] & ~wanted[self.base]
        while go.any():
            wanted[self.base[go]] = True
            go = wanted[self.result] & ~wanted[self.base]
        wanted[rows] = False
        return np.flatnonzero(wanted)
