"""Edges of a small tree, written so that a test can be read."""

from __future__ import annotations

from pathlib import Path

from numen.graph import Snapshot
from tests.graph.trees import Tree


def indexed(folder: Path, files: dict[str, str]) -> Snapshot:
    """The index of a tree that holds `files`."""
    return Tree(folder, files).snapshot()


def edges(snapshot: Snapshot, *kinds: str) -> set[str]:
    """`source > target (certainty)` of every edge of these kinds."""
    found = [snapshot.edge(i) for i in range(len(snapshot.edges))]
    return {
        f"{edge.source} > {edge.target} ({edge.certainty.label})"
        for edge in found
        if edge.kind.value in kinds
    }


def unsettled(snapshot: Snapshot) -> set[str]:
    """`source ? candidate, candidate` of every reference that stayed ambiguous."""
    lost = snapshot.ambiguous
    found: set[str] = set()
    for i in range(len(lost)):
        candidates = [
            snapshot.nodes.id(node) for node in snapshot.nodes.by_key(int(lost.name_key[i])).tolist()
        ]
        found.add(f"{snapshot.nodes.id(int(lost.source[i]))} ? {', '.join(candidates)}")
    return found


def outline(snapshot: Snapshot, path: str) -> list[str]:
    """`kind Qualified.name start-end` of every node of one file but the file itself."""
    nodes = [snapshot.nodes.node(i) for i in range(len(snapshot.nodes))]
    return [
        f"{node.kind.value} {node.id.partition('::')[2]} {node.start}-{node.end}"
        for node in nodes
        if node.path == path and node.parent is not None
    ]
