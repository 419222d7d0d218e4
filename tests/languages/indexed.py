"""A small tree of one language, ingested by the real thing, and what came of it in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from numen.graph import Snapshot
from numen.graph.types import EdgeKind, Node
from tests.graph.trees import Tree


class Indexed:
    """The index of a tree: its nodes by id, its edges as pairs of ids."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.snapshot: Snapshot = Tree(folder, files).snapshot()
        nodes = self.snapshot.nodes
        self.nodes: dict[str, Node] = {node.id: node for node in map(nodes.node, range(len(nodes)))}

    def kinds(self) -> dict[str, str]:
        """The kind of every definition, by its id without the path."""
        return {
            node.id.partition("::")[2]: node.kind.value for node in self.nodes.values() if "::" in node.id
        }

    def span(self, node: str) -> tuple[int, int]:
        """The first and last line of a definition."""
        return self.nodes[node].start, self.nodes[node].end

    def edges(self, kind: EdgeKind, *, sure: bool = True) -> set[tuple[str, str]]:
        """The edges of one kind; only exact and import-resolved ones if `sure`."""
        found = self.snapshot.edges_of(kind)
        return {(edge.source, edge.target) for edge in found if not sure or edge.certainty <= 1}

    def calls(self, source: str) -> set[str]:
        """What the definition `source` surely calls."""
        return {target for one, target in self.edges(EdgeKind.CALLS) if one == source}

    def problems(self) -> dict[str, str]:
        """The files that could not be read in full."""
        files = self.snapshot.files
        entries = map(files.entry, range(len(files)))
        return {entry.path: entry.problem for entry in entries if entry.problem is not None}
