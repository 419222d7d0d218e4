"""What moved in a tree: symbols, who depends on them, and memories whose evidence moved. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph import EdgeKind, NodeKind, Snapshot
from numen.graph.rows import EDGE_NUMBER, KIND_NUMBER
from numen.kernel import Json
from numen.north.memories import MemoryRow

_DEPENDS = [
    EDGE_NUMBER[kind]
    for kind in (EdgeKind.CALLS, EdgeKind.IMPORTS, EdgeKind.INHERITS, EdgeKind.REFERENCES, EdgeKind.TESTS)
]


@dataclass(frozen=True, slots=True)
class Moved:
    """One symbol that changed. `dependents` are the ids of those that use it directly, sorted.

    `is_exact`: the file is what was indexed, so its lines are today's; else they are the index's.
    """

    id: str
    kind: str
    path: str
    start: int
    end: int
    dependents: tuple[str, ...]
    is_exact: bool

    def as_json(self, most: int = 3) -> dict[str, Json]:
        """The wire form, with the first `most` dependents named."""
        return {
            "id": self.id,
            "kind": self.kind,
            "lines": f"{self.start}-{self.end}",
            "exact": self.is_exact,
            "dependents": len(self.dependents),
            "first_dependents": list(self.dependents[:most]),
        }


@dataclass(frozen=True, slots=True)
class Drift:
    """What moved since `since` (a commit's name; None outside of git, where it is since ingest).

    `memories` are claims whose evidence moved or is gone.
    """

    since: str | None
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    symbols: tuple[Moved, ...]
    memories: tuple[MemoryRow, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed or self.memories)


def moved(snapshot: Snapshot, path: str, spans: Sequence[tuple[int, int]], *, is_exact: bool) -> list[Moved]:
    """The innermost definitions of `path` that `spans` touch; the file itself where they touch none."""
    file = snapshot.files.index(path)
    if file is None:
        return []
    rows = snapshot.nodes.rows
    first, last = int(rows.ends[file]), int(rows.ends[file + 1])
    found: set[int] = set()
    for start, end in spans:
        touched = [
            node
            for node in range(first + 1, last)
            if int(snapshot.nodes.start[node]) <= end and int(snapshot.nodes.end[node]) >= start
        ]
        holding = {int(snapshot.nodes.parent[node]) for node in touched}
        found.update(node for node in touched if node not in holding)
        if not touched:
            found.add(first)
    if not spans:
        found.add(first)
    if len(found) > 1:  # that the file changed is told by what changed in it
        found -= {node for node in found if int(snapshot.nodes.kind[node]) == KIND_NUMBER[NodeKind.FILE]}
    return [_moved(snapshot, node, is_exact=is_exact) for node in sorted(found)]


def _moved(snapshot: Snapshot, index: int, *, is_exact: bool) -> Moved:
    node, edges = snapshot.nodes.node(index), snapshot.edges
    rows = edges.into(index)
    users = np.unique(edges.source[rows[np.isin(edges.kind[rows], _DEPENDS)]]).tolist()
    names = tuple(sorted(snapshot.nodes.id(user) for user in users if user != index))
    return Moved(node.id, str(node.kind), node.path, node.start, node.end, names, is_exact)
