"""The meanings of all rows that one caller may see, against that of a question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numen.memory import meaning, ranking
from numen.memory import search_tables as tables
from numen.memory.finding import Meaning
from numen.memory.languages import FUNCTION_WORDS
from numen.memory.ranking import Nearness

BY_MEANING = 50
"""Rows that are proposed for weighing by their own meaning, and as many by that with their neighbours."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The whole meanings of all rows that one caller may see, by place, and those with their neighbours."""

    n: NDArray[np.int64]
    place: NDArray[np.int64]
    own: NDArray[np.float32]
    window: NDArray[np.float32]


class Wholes:
    """A shelf against the meaning of a question."""

    def __init__(self, shelf: Shelf, asked: Meaning) -> None:
        self.n, self.place = shelf.n, shelf.place
        self._asked = asked
        self._own = (shelf.own @ asked.whole).astype(np.float64)
        self._window = (shelf.window @ asked.whole).astype(np.float64)

    def proposals(self) -> NDArray[np.int64]:
        """The places of the nearest rows, by themselves and with their neighbours."""
        nearest = [np.argsort(-values, kind="stable")[:BY_MEANING] for values in (self._own, self._window)]
        return self.place[np.concatenate(nearest)]

    def nearness(self, rows: tables.Near, parts: dict[int, bytes], names: Collection[str]) -> Nearness | None:
        """How near `rows` are to the question; nothing where none of them has a meaning yet."""
        there = [i for i, n in enumerate(rows.n.tolist()) if parts.get(n)]
        if not there:
            return None
        order = np.argsort(self.n)
        index = order[np.minimum(np.searchsorted(self.n, rows.n, sorter=order), len(order) - 1)]
        known = self.n[index] == rows.n
        asked = meaning.telling(self._asked, FUNCTION_WORDS["english"] | frozenset(names))
        each = [parts[int(n)] for n in rows.n[there]]
        nearest = np.full((len(rows.n), len(asked)), np.nan)
        sizes = np.array([len(data) // meaning.DIMENSIONS for data in each])
        nearest[there] = ranking.nearest_parts(asked, meaning.unpacked(b"".join(each)), sizes)
        return Nearness(
            whole=np.where(known, self._own[index], np.nan),
            window=np.where(known, self._window[index], np.nan),
            parts=nearest,
            spread=float((self._own.max() - self._own.mean()) / max(float(self._own.std()), 1e-9)),
        )
