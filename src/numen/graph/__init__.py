"""What is this code: the index of each working tree, searched and ranked."""

from numen.graph.search import Search
from numen.graph.service import Graph, Progress
from numen.graph.snapshot import Snapshot
from numen.graph.types import (
    BrainId,
    Certainty,
    Edge,
    EdgeKind,
    FileClass,
    FileEntry,
    Freshness,
    Hit,
    IndexCondition,
    IndexState,
    IngestReport,
    Node,
    NodeKind,
    Ranking,
    TreeDrift,
)

__all__ = [
    "BrainId",
    "Certainty",
    "Edge",
    "EdgeKind",
    "FileClass",
    "FileEntry",
    "Freshness",
    "Graph",
    "Hit",
    "IndexCondition",
    "IndexState",
    "IngestReport",
    "Node",
    "NodeKind",
    "Progress",
    "Ranking",
    "Search",
    "Snapshot",
    "TreeDrift",
]
