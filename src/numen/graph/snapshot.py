"""A snapshot: one generation of the index, read-only, shared by every reader that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from numen.graph.columns import I32, I64, U8, Arrays, Column, Texts, integers
from numen.graph.edges import Edges
from numen.graph.history import History
from numen.graph.link import LinkRows, Tables
from numen.graph.postings import Postings
from numen.graph.rows import (
    CLASSES,
    EDGES,
    KINDS,
    AliasRows,
    FileRows,
    ImportRows,
    NodeRows,
    ReferenceRows,
    key_of,
)
from numen.graph.types import BrainId, Certainty, Edge, EdgeKind, FileEntry, Node, NodeKind
from numen.graph.walk import Known
from numen.graph.wiring import Wiring


class FileTable:
    """The files of the tree, sorted by path."""

    def __init__(self, rows: FileRows) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return self.rows.files

    @cached_property
    def paths(self) -> list[str]:
        """Every path, sorted."""
        return list(self.rows.path)

    @property
    def classes(self) -> U8:
        """For each file the place of its class in `FileClass`."""
        return self.rows.file_class

    def entry(self, index: int) -> FileEntry:
        """File `index`."""
        rows = self.rows
        digest = rows.digest[index].tobytes()
        return FileEntry(
            path=self.paths[index],
            language=rows.language[index],
            file_class=CLASSES[int(rows.file_class[index])],
            size=int(rows.size[index]),
            mtime_ns=int(rows.mtime_ns[index]),
            digest=digest.hex() if any(digest) else "",
            lines=int(rows.lines[index]),
            problem=rows.problem[index] or None,
        )

    def index(self, path: str) -> int | None:
        """Where `path` is, None if the tree has no such file."""
        return self._position.get(path)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {path: i for i, path in enumerate(self.paths)}


class NodeTable:
    """The nodes, sorted by (path, start, -end): the first of each file is the file itself."""

    def __init__(self, rows: NodeRows, files: FileTable) -> None:
        self.rows = rows
        self._files = files

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def kind(self) -> U8:
        """For each node the place of its kind in `NodeKind`."""
        return self.rows.kind

    @property
    def start(self) -> I32:
        """For each node its first line."""
        return self.rows.start

    @property
    def end(self) -> I32:
        """For each node its last line."""
        return self.rows.end

    @property
    def first(self) -> I64:
        """For each file the node that is the file itself."""
        return self.rows.ends[:-1]

    @cached_property
    def file(self) -> I32:
        """For each node its file."""
        return self.rows.file_of_row()

    @cached_property
    def parent(self) -> I32:
        """For each node the node that holds it, -1 for a file."""
        inside = self.rows.parent
        return np.where(inside < 0, -1, inside + self.first[self.file]).astype(np.int32)

    def name(self, index: int) -> str:
        """The bare name of node `index`."""
        return self.rows.name[index]

    def id(self, index: int) -> str:
        """`path::Qualified.name`, `#2` on a clash; the path alone for a file."""
        path = self._files.paths[int(self.file[index])]
        qualified = self.rows.qualified[index]
        return f"{path}::{qualified}" if qualified else path

    def node(self, index: int) -> Node:
        """Node `index`."""
        parent = int(self.parent[index])
        return Node(
            id=self.id(index),
            kind=KINDS[int(self.kind[index])],
            path=self._files.paths[int(self.file[index])],
            name=self.name(index),
            start=int(self.start[index]),
            end=int(self.end[index]),
            signature=self.rows.signature[index],
            parent=self.id(parent) if parent >= 0 else None,
        )

    def index(self, node_id: str) -> int | None:
        """The node that `node_id` names, None if there is none."""
        file = self._files.index(node_id)
        if file is not None:
            return int(self.rows.ends[file])
        at = node_id.find("::")
        while at > 0:
            file = self._files.index(node_id[:at])
            if file is not None:
                qualified = node_id[at + 2 :]
                for row in range(int(self.rows.ends[file]) + 1, int(self.rows.ends[file + 1])):
                    if self.rows.qualified[row] == qualified:
                        return row
            at = node_id.find("::", at + 1)
        return None

    def by_name(self, name: str) -> I32:
        """Every node of this bare name, in order."""
        return self.by_key(key_of(name))

    def by_key(self, key: int) -> I32:
        """Every node whose name has this key, in order."""
        keys, order = self._named
        first, last = (
            np.searchsorted(keys, [np.uint64(key)]),
            np.searchsorted(keys, [np.uint64(key)], "right"),
        )
        return np.sort(order[int(first[0]) : int(last[0])])

    def kinds(self, *kinds: NodeKind) -> I32:
        """Every node of one of these kinds, in order."""
        return np.flatnonzero(np.isin(self.kind, [KINDS.index(kind) for kind in kinds])).astype(np.int32)

    @cached_property
    def _named(self) -> tuple[Column, I32]:
        order = np.argsort(self.rows.name_key, kind="stable").astype(np.int32)
        return self.rows.name_key[order], order


class EdgeTable:
    """The edges, sorted by (source, target, kind); `kind` and `certainty` count in their enums."""

    def __init__(self, edges: Edges, nodes: int) -> None:
        self.source = edges.source
        self.target = edges.target
        self.kind = edges.kind
        self.certainty = edges.certainty
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def out_starts(self) -> I64:
        """The edges that leave node n are `out_starts[n]` to `out_starts[n + 1]`."""
        return np.searchsorted(self.source, np.arange(self._nodes + 1)).astype(np.int64)

    @cached_property
    def in_order(self) -> I32:
        """The edges sorted by target, as positions in the table."""
        return np.argsort(self.target, kind="stable").astype(np.int32)

    @cached_property
    def in_starts(self) -> I64:
        """The edges that reach node n are `in_order[in_starts[n]:in_starts[n + 1]]`."""
        return np.searchsorted(self.target[self.in_order], np.arange(self._nodes + 1)).astype(np.int64)

    def out(self, node: int) -> I32:
        """The edges that leave `node`, as positions in the table."""
        return np.arange(self.out_starts[node], self.out_starts[node + 1], dtype=np.int32)

    def into(self, node: int) -> I32:
        """The edges that reach `node`, as positions in the table."""
        return self.in_order[self.in_starts[node] : self.in_starts[node + 1]]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """References that may mean several nodes, by (source node, name): they are no edges.

    `name_key` finds the candidates (`NodeTable.by_key`); `count` says how many there are.
    """

    source: I32
    name_key: Column
    kind: U8
    count: I32

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of the tree and when names in them last came or went; the root is the empty path."""

    path: Texts
    mtime_ns: I64


class Snapshot:
    """One generation of an index. Nothing in it changes."""

    def __init__(
        self,
        brain: BrainId,
        generation: int,
        files: FileRows,
        nodes: NodeRows,
        imports: ImportRows,
        references: ReferenceRows,
        aliases: AliasRows,
        wiring: Wiring,
        links: LinkRows,
        edges: Edges,
        arms: dict[str, Postings],
        history: History | None,
        pairs: I32,
        folders: Folders,
        seen_ns: int,
        passed: dict[str, int],
    ) -> None:
        self.brain = brain
        self.generation = generation
        self.files = FileTable(files)
        self.nodes = NodeTable(nodes, self.files)
        self.edges = EdgeTable(edges, len(nodes))
        self.ambiguous = Unsettled(
            edges.unsettled_source, edges.unsettled_name, edges.unsettled_kind, edges.unsettled_count
        )
        self.arms = arms
        self.history = history
        self.pairs = pairs
        """Files of the history that change together, as two rows of its numbers."""
        self.tables = Tables(files, nodes, imports, references, wiring)
        self.aliases, self.links, self.drawn = aliases, links, edges
        self.folders = folders
        self.seen_ns = seen_ns
        """When the tree was looked at, by the file system's clock: a younger file may have changed since."""
        self.passed = passed
        """Counts of what the walk passed over, by kind (`symlink`, `submodule`, `special`)."""

    def known(self, racy_ns: int) -> Known:
        """What a walk of the tree may start from; times younger than `racy_ns` before it prove nothing."""
        folders = zip(self.folders.path, integers(self.folders.mtime_ns), strict=True)
        return Known(self.files.paths, list(folders), self.passed, self.seen_ns - racy_ns)

    def edge(self, index: int) -> Edge:
        """Edge `index`."""
        edges = self.edges
        return Edge(
            self.nodes.id(int(edges.source[index])),
            self.nodes.id(int(edges.target[index])),
            EDGES[int(edges.kind[index])],
            Certainty(int(edges.certainty[index])),
        )

    def edges_of(self, kind: EdgeKind) -> Iterator[Edge]:
        """The edges of one kind, in order."""
        for i in np.flatnonzero(self.edges.kind == EDGES.index(kind)).tolist():
            yield self.edge(i)

    def arrays(self) -> dict[str, Column]:
        """Everything but the brain, as named arrays."""
        found: dict[str, Column] = {}
        tables = {
            "files": self.files.rows,
            "nodes": self.nodes.rows,
            "imports": self.tables.imports,
            "references": self.tables.references,
            "aliases": self.aliases,
            "links": self.links,
        }
        for name, rows in tables.items():
            found |= {f"{name}.{column}": array for column, array in rows.arrays().items()}
        folders = self.folders
        found |= {"folders.data": folders.path.data, "folders.ends": folders.path.ends}
        found["folders.mtime_ns"] = folders.mtime_ns
        found |= {f"wiring.{column}": array for column, array in self.tables.wiring.arrays().items()}
        found |= {f"edges.{column}": array for column, array in self.drawn.arrays().items()}
        found["pairs.files"] = self.pairs
        for arm, postings in self.arms.items():
            found |= {f"arm.{arm}.{column}": array for column, array in postings.arrays().items()}
        if self.history is not None:
            found |= {f"history.{column}": array for column, array in self.history.to_arrays().items()}
        return found

    @staticmethod
    def from_arrays(
        arrays: Arrays, brain: BrainId, generation: int, seen_ns: int, passed: dict[str, int]
    ) -> Snapshot:
        """The snapshot that `arrays` was made of. Raises KeyError if something is missing."""
        tree: dict[str, dict[str, Column]] = {}
        for name, array in arrays.items():
            group, _, column = name.partition(".")
            if group == "arm":
                arm, _, column = column.partition(".")
                group = f"arm.{arm}"
            tree.setdefault(group, {})[column] = array
        return Snapshot(
            brain=brain,
            generation=generation,
            files=FileRows.from_arrays(tree["files"]),
            nodes=NodeRows.from_arrays(tree["nodes"]),
            imports=ImportRows.from_arrays(tree["imports"]),
            references=ReferenceRows.from_arrays(tree["references"]),
            aliases=AliasRows.from_arrays(tree["aliases"]),
            wiring=Wiring.from_arrays(tree["wiring"]),
            links=LinkRows.from_arrays(tree["links"]),
            edges=Edges.from_arrays(tree["edges"]),
            arms={
                group[4:]: Postings.from_arrays(columns)
                for group, columns in tree.items()
                if group.startswith("arm.")
            },
            history=History.from_arrays(tree["history"]) if "history" in tree else None,
            pairs=tree["pairs"]["files"],  # pyright: ignore[reportArgumentType]
            folders=_folders(tree["folders"]),
            seen_ns=seen_ns,
            passed=passed,
        )


def _folders(arrays: Arrays) -> Folders:
    return Folders(
        Texts(arrays["data"], arrays["ends"]),  # pyright: ignore[reportArgumentType]
        arrays["mtime_ns"],  # pyright: ignore[reportArgumentType]
    )
