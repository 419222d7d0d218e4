"""Merging: the rows of files that stayed and of files that were read, in path order, numbers following."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from numen.graph.batch import ARMS, NODE_ARMS, Batch
from numen.graph.columns import I32, I64, Rows
from numen.graph.postings import Postings
from numen.graph.rows import AliasRows, FileRows, ImportRows, NodeRows, ReferenceRows
from numen.graph.snapshot import Snapshot
from numen.graph.walk import Found

SMALL = 20
"""A batch this many times smaller than the tree is put into the arms row by row."""

RowsT = TypeVar("RowsT", bound=Rows)
Run = tuple[bool, int, int]
"""Files `start` to `stop` of what was kept (False: of the snapshot, True: of what was read)."""


@dataclass(frozen=True, slots=True)
class Change:
    """How the tree differs from a snapshot.

    `kept` are (file as found, its number in the snapshot), `stale` must be read; both in path order.
    `removed` counts the snapshot's files that are gone. `restamped` says that a kept file must be noted
    anew: its times moved, or were too young to be trusted, and its bytes are the same.
    """

    kept: list[tuple[Found, int]]
    stale: list[Found]
    removed: int
    restamped: bool


def merged(previous: Snapshot | None, change: Change, fresh: Sequence[Batch]) -> Batch:
    """All rows of the tree: kept ones from `previous`, the others from `fresh`, which follows `change.stale`.

    There is a snapshot or at least one batch, be it empty.
    """
    order = sorted(
        [(found.path, False, old) for found, old in change.kept]
        + [(found.path, True, new) for new, found in enumerate(change.stale)]
    )
    runs = _runs(order)
    old_files = len(previous.files) if previous is not None else 0
    place = {
        False: _place(order, fresh=False, size=old_files),
        True: _place(order, fresh=True, size=len(change.stale)),
    }
    kept = _tables(previous) if previous is not None else None
    files = _spliced(FileRows, "files", runs, kept, fresh)
    nodes = _spliced(NodeRows, "nodes", runs, kept, fresh)
    return Batch(
        files=_restamped(files, change),
        nodes=nodes,
        imports=_spliced(ImportRows, "imports", runs, kept, fresh),
        references=_spliced(ReferenceRows, "references", runs, kept, fresh),
        aliases=_spliced(AliasRows, "aliases", runs, kept, fresh),
        arms={arm: _arm(arm, previous, fresh, place, nodes) for arm in ARMS},
    )


def _tables(snapshot: Snapshot) -> dict[str, Rows]:
    return {
        "files": snapshot.files.rows,
        "nodes": snapshot.nodes.rows,
        "imports": snapshot.tables.imports,
        "references": snapshot.tables.references,
        "aliases": snapshot.aliases,
    }


def _runs(order: Sequence[tuple[str, bool, int]]) -> list[Run]:
    runs: list[Run] = []
    for _, is_fresh, number in order:
        if runs and runs[-1][0] == is_fresh and runs[-1][2] == number:
            runs[-1] = (is_fresh, runs[-1][1], number + 1)
        else:
            runs.append((is_fresh, number, number + 1))
    return runs


def _place(order: Sequence[tuple[str, bool, int]], *, fresh: bool, size: int) -> I32:
    """For each file of one origin its new number, -1 if it is gone."""
    place = np.full(size, -1, dtype=np.int32)
    for new, (_, is_fresh, number) in enumerate(order):
        if is_fresh == fresh:
            place[number] = new
    return place


def _spliced(
    kind: type[RowsT], name: str, runs: Sequence[Run], kept: dict[str, Rows] | None, fresh: Sequence[Batch]
) -> RowsT:
    read = [table for batch in fresh if isinstance(table := batch.tables()[name], kind)]
    new = kind.joined(read) if read else None
    old = kept[name] if kept is not None else None
    pieces: list[RowsT] = []
    for is_fresh, start, stop in runs:
        table = new if is_fresh else old
        assert isinstance(table, kind)
        pieces.append(table.part(start, stop))
    if not pieces:
        table = new if new is not None else old
        assert isinstance(table, kind)
        pieces.append(table.part(0, 0))
    return kind.joined(pieces)


def _restamped(files: FileRows, change: Change) -> FileRows:
    """`files` with the sizes and times that were found now."""
    found = sorted([one for one, _ in change.kept] + change.stale, key=lambda one: one.path)
    return replace(
        files,
        size=np.array([one.size for one in found], dtype=np.int64),
        mtime_ns=np.array([one.mtime_ns for one in found], dtype=np.int64),
        ctime_ns=np.array([one.ctime_ns for one in found], dtype=np.int64),
    )


def _arm(
    arm: str, previous: Snapshot | None, fresh: Sequence[Batch], place: dict[bool, I32], nodes: NodeRows
) -> Postings:
    by_node = arm in NODE_ARMS
    parts: list[tuple[Postings, I32]] = []
    if previous is not None:
        where = _nodes_placed(previous.nodes.rows, place[False], nodes.ends) if by_node else place[False]
        parts.append((previous.arms[arm], where))
    first = 0
    for batch in fresh:
        files = place[True][first : first + batch.files.files]
        first += batch.files.files
        where = _nodes_placed(batch.nodes, files, nodes.ends) if by_node else files
        parts.append((batch.arms[arm], where))
    documents = len(nodes) if by_node else nodes.files
    if previous is not None and len(fresh) == 1 and len(fresh[0].files) * SMALL <= documents:
        (old, where), (new, placed) = parts
        return old.replaced(where, new, placed, documents)
    return Postings.merged(parts, documents) if parts else Postings.empty()


def _nodes_placed(rows: NodeRows, files: I32, ends: I64) -> I32:
    """For each node its new number, from the new numbers of the files; -1 if its file is gone."""
    file = rows.file_of_row()
    new = files[file]
    inside = np.arange(len(rows), dtype=np.int64) - rows.ends[file]
    return np.where(new < 0, -1, ends[np.maximum(new, 0)] + inside).astype(np.int32)
