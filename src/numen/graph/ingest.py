"""One ingest: what changed is read, everything else is kept, and the result is what a full one would give."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from numen.graph.batch import Batch
from numen.graph.columns import I32, Texts, integers
from numen.graph.edges import drawn
from numen.graph.history import History, read_history
from numen.graph.link import Linking, Tables, linked, relinked
from numen.graph.merge import Change, merged
from numen.graph.rows import FileRows, same_aliases
from numen.graph.snapshot import Folders, Snapshot
from numen.graph.standing import standing
from numen.graph.types import BrainId
from numen.graph.walk import Found, Tree, stamped, walk
from numen.graph.wiring import rewired, wired
from numen.graph.worker import batches

MOST_CHANGED = 64
"""Changed files from which on the whole tree is linked anew, which then costs no more."""

RACY_NS = 50_000_000
"""A file that changed this shortly before it was looked at may change again within one tick of its clock."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an ingest came to. `snapshot` is the one before when nothing changed."""

    snapshot: Snapshot
    parsed: int
    removed: int


def ingested(
    brain: BrainId,
    previous: Snapshot | None,
    generation: int,
    seen_ns: int,
    workers: int,
    progress: Callable[[int, int], None],
    tree: Tree | None = None,
) -> Outcome:
    """The index of the tree as it is now. `previous` is only a shortcut: the result is the same without.

    `progress` is told (files done, files to do). `tree` is what a walk would find, if that is known.
    """
    reader = _HistoryReader(brain, previous)
    tree = tree or walk(brain.root, brain.is_git, previous.known(RACY_NS) if previous is not None else None)
    change = _change(brain.root, previous, tree)
    nothing = not change.stale and not change.removed and not change.restamped
    if previous is not None and nothing and tree.passed == previous.passed and reader.kept:
        return Outcome(previous, 0, 0)
    total = len(change.stale)
    fresh = batches(brain.root, change.stale, workers, lambda done: progress(done, total))
    rows = merged(previous, change, fresh)
    same = previous is not None and not change.removed and len(rows.files) == len(previous.files)
    tables, linking = _linked(rows, previous if same else None)
    history = reader.result()
    pairs = previous.pairs if previous is not None and reader.kept else _pairs(history)
    return Outcome(
        Snapshot(
            brain=brain,
            generation=generation,
            files=rows.files,
            nodes=rows.nodes,
            imports=rows.imports,
            references=rows.references,
            aliases=rows.aliases,
            wiring=tables.wiring,
            links=linking.links,
            edges=drawn(tables, linking, _bound(history, pairs, rows.files)),
            arms=rows.arms,
            history=history,
            pairs=pairs,
            folders=_folders(brain.root, tree, change),
            seen_ns=seen_ns,
            passed=tree.passed,
        ),
        total,
        change.removed,
    )


def _linked(rows: Batch, previous: Snapshot | None) -> tuple[Tables, Linking]:
    """The linking of the tree; `previous` is a snapshot of the same paths, of which some may still stand."""
    files, nodes, imports, references = rows.files, rows.nodes, rows.imports, rows.references
    if previous is not None and same_aliases(previous.aliases, rows.aliases):
        before = previous.tables
        changed = integers(np.flatnonzero((before.files.digest != files.digest).any(axis=1)))
        if len(changed) <= MOST_CHANGED:
            wiring = rewired(files, imports, rows.aliases, changed, before.imports, before.wiring)
            tables = Tables(files, nodes, imports, references, wiring)
            kept = standing(before, previous.links, tables, changed)
            linking = relinked(tables, kept.links, kept.doubtful) if kept is not None else None
            if linking is not None:
                return tables, linking
    tables = Tables(files, nodes, imports, references, wired(files, imports, rows.aliases))
    return tables, linked(tables)


def _pairs(history: History | None) -> I32:
    """The files of the history that change together, as two rows of its numbers."""
    if history is None:
        return np.zeros((2, 0), dtype=np.int32)
    number = {path: i for i, path in enumerate(history.paths)}
    pairs = [(number[one], number[other]) for one, other, _, _ in history.co_changes()]
    return np.array(pairs, dtype=np.int32).reshape(len(pairs), 2).T.copy()


def _bound(history: History | None, pairs: I32, files: FileRows) -> tuple[I32, I32]:
    """`pairs` as files of the tree, those left out that are not in it."""
    if history is None or not pairs.size:
        return pairs[0], pairs[1]
    one, other = history.bind(list(files.path))[pairs]
    both = (one >= 0) & (other >= 0)
    return one[both], other[both]


def is_racy(ctime_ns: int, seen_ns: int) -> bool:
    """Whether a file changed so shortly before it was looked at that equal times prove nothing."""
    return ctime_ns > seen_ns - RACY_NS


class _HistoryReader:
    """Reads the history beside everything else, when HEAD is not where it was."""

    def __init__(self, brain: BrainId, previous: Snapshot | None) -> None:
        known = previous.history if previous is not None else None
        head = known.head if known is not None else None
        self.kept = brain.commit == head
        self._history = known if self.kept else None
        self._error: Exception | None = None
        self._thread: threading.Thread | None = None
        if not self.kept and brain.is_git:
            self._thread = threading.Thread(target=self._read, args=(brain.root,), daemon=True)
            self._thread.start()

    def _read(self, root: Path) -> None:
        try:
            self._history = read_history(root)
        except Exception as error:  # noqa: BLE001  raised again in the thread that waits
            self._error = error

    def result(self) -> History | None:
        """The history, once it is read."""
        if self._thread is not None:
            self._thread.join()
        if self._error is not None:
            raise self._error
        return self._history


def _change(root: Path, previous: Snapshot | None, tree: Tree) -> Change:
    if previous is None:
        return Change([], list(tree.files), 0, restamped=False)
    rows = previous.files.rows
    paths = previous.files.paths
    same_names = [found.path for found in tree.files] == paths
    number = {} if same_names else {path: i for i, path in enumerate(paths)}
    stamps = list(zip(integers(rows.size), integers(rows.mtime_ns), integers(rows.ctime_ns), strict=True))
    horizon = previous.seen_ns - RACY_NS
    kept: list[tuple[Found, int]] = []
    stale: list[Found] = []
    restamped = False
    for position, found in enumerate(tree.files):
        i = position if same_names else number.get(found.path)
        if i is None:
            stale.append(found)
        elif stamps[i] == found[1:] and found.ctime_ns <= horizon:
            kept.append((found, i))
        elif stamps[i][0] == found.size and _same_bytes(root, found.path, rows.digest[i].tobytes()):
            kept.append((found, i))
            restamped = True
        else:
            stale.append(found)
    known = len(paths) if same_names else len(kept) + sum(found.path in number for found in stale)
    return Change(kept, stale, len(paths) - known, restamped)


def _folders(root: Path, tree: Tree, change: Change) -> Folders:
    """The folders of the tree; where a file was saved, its folder is looked at again."""
    times = dict(tree.folders)
    times.update(stamped(root, {found.path.rpartition("/")[0] for found in change.stale}))
    return Folders(Texts.of(list(times)), np.array(list(times.values()), dtype=np.int64))


def _same_bytes(root: Path, path: str, digest: bytes) -> bool:
    if not any(digest):  # it was not read then, and need not be read now
        return False
    try:
        with open(root / path, "rb") as file:
            return hashlib.file_digest(file, "sha256").digest() == digest
    except OSError:
        return False
