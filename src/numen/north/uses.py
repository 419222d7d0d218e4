"""Which files of code need which, drawn from the edges of an index. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph import Certainty, EdgeKind, FileClass, Snapshot
from numen.graph.rows import CLASS_NUMBER, EDGE_NUMBER

_NEEDS = [
    EDGE_NUMBER[kind] for kind in (EdgeKind.IMPORTS, EdgeKind.CALLS, EdgeKind.INHERITS, EdgeKind.REFERENCES)
]
_BINDS = [*_NEEDS, EDGE_NUMBER[EdgeKind.CO_CHANGES]]


@dataclass(frozen=True, slots=True)
class Uses:
    """The files of code of a tree, sorted, and how they hang together.

    `ties` are pairs of places in `files`, whichever needs the other, with how many references there are;
    `needs` are (user, used), as far as the reference is sure: exact, or resolved by an import.
    """

    files: Sequence[str]
    ties: Sequence[tuple[int, int, int]]
    needs: Sequence[tuple[int, int]]

    def named(self) -> list[tuple[str, str]]:
        """`needs` as paths."""
        return [(self.files[a], self.files[b]) for a, b in self.needs]


def uses_of(snapshot: Snapshot) -> Uses:
    """What the index of a tree tells; files whose names hold a glob's signs are left out."""
    is_code = snapshot.files.classes == CLASS_NUMBER[FileClass.SOURCE]
    plain = np.array(["*" not in path and "?" not in path for path in snapshot.files.paths], dtype=bool)
    chosen = np.flatnonzero(is_code & plain)
    place = np.full(len(snapshot.files), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    edges, file = snapshot.edges, snapshot.nodes.file
    a, b = place[file[edges.source]], place[file[edges.target]]
    inside = (a >= 0) & (b >= 0) & (a != b)
    bound = inside & np.isin(edges.kind, _BINDS)
    sure = inside & np.isin(edges.kind, _NEEDS) & (edges.certainty <= Certainty.IMPORT_RESOLVED)
    size = max(len(chosen), 1)
    low, high = np.minimum(a[bound], b[bound]), np.maximum(a[bound], b[bound])
    pairs, counts = np.unique(low * size + high, return_counts=True)
    needs = np.unique(a[sure] * size + b[sure])
    return Uses(
        [snapshot.files.paths[number] for number in chosen.tolist()],
        list(zip((pairs // size).tolist(), (pairs % size).tolist(), counts.tolist(), strict=True)),
        list(zip((needs // size).tolist(), (needs % size).tolist(), strict=True)),
    )
