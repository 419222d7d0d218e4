"""A snapshot made ready to be asked: arms with their norms, nodes by file, history bound to files."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numen.graph.bm25 import Arm, B
from numen.graph.columns import F32, I32, I64
from numen.graph.history import WIDEST_PAIRING, History
from numen.graph.rows import CLASSES, KINDS, key_of
from numen.graph.snapshot import Snapshot
from numen.graph.types import FileClass, NodeKind

BOOLS = NDArray[np.bool_]
ENOUGH = 300
"""Commits from which the absence of a word from all messages means something."""

LONG = 400
"""Lines from which a longer definition is not more likely to be meant."""
_ARMS = {"file": B, "chunk": B, "name": B, "pair": B, "path": 0.3}
FILE = KINDS.index(NodeKind.FILE)


class Corpus:
    """What ranking needs to know of one snapshot, computed once a generation and never changed by a query."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.arms = {name: Arm(snapshot.arms[name], b) for name, b in _ARMS.items()}
        self.past = Past(snapshot.history, snapshot.files.paths) if snapshot.history else None

    @cached_property
    def classes(self) -> NDArray[np.uint8]:
        """The `FileClass` of each file, by its place in the enum."""
        return self.snapshot.files.classes

    @cached_property
    def file_of_node(self) -> I32:
        """For each node, its file."""
        return self.snapshot.nodes.file

    @cached_property
    def lines(self) -> F32:
        """For each node, how long it is: log(1 + lines) over that of `LONG` lines, at most 1."""
        nodes = self.snapshot.nodes
        lengths = nodes.end - nodes.start + 2
        return np.minimum(np.log(lengths) / np.log(LONG), 1).astype(np.float32)

    @cached_property
    def containers(self) -> BOOLS:
        """For each node, whether it holds others."""
        parents = self.snapshot.nodes.parent
        holds = np.zeros(len(parents), dtype=bool)
        holds[parents[parents >= 0]] = True
        return holds

    @cached_property
    def is_file(self) -> BOOLS:
        """For each node, whether it stands for a whole file."""
        return self.snapshot.nodes.kind == FILE

    @cached_property
    def eligible(self) -> BOOLS:
        """For each node, whether it can be a hit: every definition and section, and files that hold none."""
        return (self.snapshot.nodes.kind != FILE) | ~self.containers

    def under(self, prefix: str) -> BOOLS:
        """For each file, whether it is `prefix` or lies under it."""
        prefix = prefix.strip("/")
        folder = f"{prefix}/"
        paths = self.snapshot.files.paths
        return np.array([path == prefix or path.startswith(folder) for path in paths], dtype=bool)

    def of_class(self, *classes: FileClass) -> BOOLS:
        """For each file, whether it is of one of `classes`."""
        return np.isin(self.classes, [CLASSES.index(one) for one in classes])

    def spoken(self, nodes: I64) -> Spoken:
        """Some nodes, given in order, by the files they are in."""
        return Spoken(nodes, self.file_of_node[nodes], len(self.classes))

    def files_ending(self, path: str) -> list[int]:
        """The files whose path is `path` or ends with it at a folder's border, in path order."""
        exact = self.snapshot.files.index(path)
        if exact is not None:
            return [exact]
        tail = f"/{path}"
        return [
            file for file in self._by_base.get(path.rpartition("/")[2], ()) if self._path(file).endswith(tail)
        ]

    def node_of_file(self, file: int) -> int:
        """The node that stands for the whole file."""
        return int(self.snapshot.nodes.first[file])

    def node_at(self, file: int, line: int) -> int:
        """The innermost node of `file` that holds `line`; -1 where there is none."""
        nodes = self.snapshot.nodes
        mine = np.flatnonzero(self.file_of_node == file)
        inside = mine[(nodes.start[mine] <= line) & (line <= nodes.end[mine])]
        return int(inside[-1]) if len(inside) else -1

    def inside(self, node: int) -> I32:
        """`node` and every node it holds, itself first. Nodes stand in the order (path, start, -end)."""
        parents = self.snapshot.nodes.parent
        held = {node}
        last = node
        while last + 1 < len(parents) and int(parents[last + 1]) in held:
            last += 1
            held.add(last)
        return np.arange(node, last + 1, dtype=np.int32)

    def adjacency(self, direction: str) -> tuple[I64, I64, I32]:
        """Edges by node: where a node's rows begin, the rows, and for each edge the node at its other end."""
        edges = self.snapshot.edges
        if direction == "dependents":
            return edges.in_starts, edges.in_order.astype(np.int64, copy=False), edges.source
        return edges.out_starts, np.arange(len(edges), dtype=np.int64), edges.target

    def unsettled(self, name: str) -> int:
        """How many uses of `name` could not be tied to one definition."""
        return int(np.count_nonzero(self.snapshot.ambiguous.name_key == np.uint64(key_of(name))))

    def _path(self, file: int) -> str:
        return self.snapshot.files.paths[file]

    @cached_property
    def _by_base(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for file, path in enumerate(self.snapshot.files.paths):
            found.setdefault(path.rpartition("/")[2], []).append(file)
        return found


class Spoken:
    """Nodes that a query speaks of, grouped by file. Values are one a node, in the nodes' order."""

    def __init__(self, nodes: I64, owners: I32, files: int) -> None:
        self.nodes = nodes
        self.owners = owners
        self._files = files
        fresh = np.ones(len(owners), dtype=bool)
        fresh[1:] = owners[1:] != owners[:-1]
        self._starts = np.flatnonzero(fresh)
        self._group = np.cumsum(fresh) - 1

    @property
    def files(self) -> I32:
        """The files that hold any of the nodes, each once."""
        return self.owners[self._starts]

    def best(self, values: F32) -> F32:
        """For each file of the tree the best of its nodes' values, 0 where it has none."""
        return self._spread(self._best(values))

    def halving(self, values: F32, rounds: int = 4) -> F32:
        """For each file its best node's value, half the second's, a quarter of the third's, and so on."""
        total = np.zeros(len(self._starts), dtype=np.float32)
        left = values.copy()
        weight = np.float32(1)
        for _ in range(rounds):
            best = self._best(left)
            total += weight * best
            left[self.first(left)] = 0
            weight /= 2
        return self._spread(total)

    def first(self, values: F32) -> I64:
        """For each file that holds any, the place of its first node with the file's best value."""
        at = np.flatnonzero(values == self._best(values)[self._group])
        group = self._group[at]
        fresh = np.ones(len(at), dtype=bool)
        fresh[1:] = group[1:] != group[:-1]
        return at[fresh]

    def share(self, values: F32) -> F32:
        """Each node's value over the best of its file."""
        return values / self._best(values)[self._group]

    def _best(self, values: F32) -> F32:
        return np.maximum.reduceat(values, self._starts) if len(values) else values

    def _spread(self, values: F32) -> F32:
        spread = np.zeros(self._files, dtype=np.float32)
        spread[self.files] = values
        return spread


class Past:
    """The history bound to the files of one snapshot."""

    def __init__(self, history: History, files: list[str]) -> None:
        self.history = history
        self.messages = Arm(history.messages)
        self._together: dict[int, tuple[I32, F32]] = {}
        bound = history.bind(files)
        place = bound[history.touched]
        alive = place >= 0
        self._files = place[alive]
        self._commits = history.commits[alive]
        self._starts = np.searchsorted(self._commits, np.arange(len(history.widths) + 1))
        self.changes = np.bincount(self._files, minlength=len(files)).astype(np.float32)

    @property
    def tells(self) -> bool:
        """Whether there are enough commits to say what this project never speaks of."""
        return len(self.history.widths) >= ENOUGH

    def votes(self, scores: F32, commits: I32) -> tuple[F32, F32]:
        """For each file: the best vote of the `commits`, and their sum with the file's popularity taken out.

        A commit's vote is its score over the root of the number of files it changed; a sum is divided by
        the root of the file's commits and 3 more.
        """
        weights = scores[commits] / np.sqrt(np.maximum(self.history.widths[commits], 1))
        sizes = self._starts[commits + 1] - self._starts[commits]
        rows = np.repeat(self._starts[commits], sizes) + _counting(sizes)
        files, votes = self._files[rows], np.repeat(weights, sizes).astype(np.float32)
        best = np.zeros(len(self.changes), dtype=np.float32)
        np.maximum.at(best, files, votes)
        total = np.bincount(files, weights=votes, minlength=len(self.changes)).astype(np.float32)
        return best, (total / np.sqrt(self.changes + 3)).astype(np.float32)

    def changed_with(self, file: int) -> tuple[I32, F32]:
        """The files that changed in one commit with `file`, and how much of their lives they share."""
        if file not in self._together:
            self._together[file] = self._changed_with(file)
        return self._together[file]

    def _changed_with(self, file: int) -> tuple[I32, F32]:
        commits = self._by_file[1][self._by_file[0][file] : self._by_file[0][file + 1]]
        commits = commits[self.history.widths[commits] <= WIDEST_PAIRING]
        if not len(commits):
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        sizes = self._starts[commits + 1] - self._starts[commits]
        rows = np.repeat(self._starts[commits], sizes) + _counting(sizes)
        others, counts = np.unique(self._files[rows], return_counts=True)
        shares = counts / np.sqrt(len(commits) * self.changes[others])
        keep = others != file
        return others[keep].astype(np.int32), shares[keep].astype(np.float32)

    def loudest(self, file: int, scores: F32) -> int:
        """Of the commits that changed `file`, the one whose vote is loudest; the newest of equals."""
        commits = self._by_file[1][self._by_file[0][file] : self._by_file[0][file + 1]]
        votes = scores[commits] / np.sqrt(np.maximum(self.history.widths[commits], 1))
        return int(commits[np.argmax(votes)])

    @cached_property
    def _by_file(self) -> tuple[I64, I32]:
        order = np.argsort(self._files, kind="stable")
        starts = np.searchsorted(self._files[order], np.arange(len(self.changes) + 1))
        return starts.astype(np.int64), self._commits[order]


def _counting(sizes: I64) -> I64:
    """0, 1, .. `sizes[i]` - 1 for every i, end to end."""
    return np.arange(int(sizes.sum()), dtype=np.int64) - np.repeat(np.cumsum(sizes) - sizes, sizes)
