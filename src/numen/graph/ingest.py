"""One ingest: what changed is read, everything else is kept, and the result is what a full one would give."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from numen.graph.history import History, read_history
from numen.graph.link import linked
from numen.graph.merge import Change, merged
from numen.graph.snapshot import Snapshot
from numen.graph.terms import Lexicon
from numen.graph.types import BrainId
from numen.graph.walk import Found, Tree, walk
from numen.graph.worker import batches

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
    lexicon: Lexicon,
    workers: int,
    progress: Callable[[int, int], None],
) -> Outcome:
    """The index of the tree as it is now. `previous` is only a shortcut: the result is the same without.

    `progress` is told (files done, files to do).
    """
    reader = _HistoryReader(brain, previous)
    tree = walk(brain.root, brain.is_git)
    change = _change(brain.root, previous, tree)
    nothing = not change.stale and not change.removed and not change.restamped
    if previous is not None and nothing and tree.passed == previous.passed and reader.kept:
        return Outcome(previous, 0, 0)
    total = len(change.stale)
    fresh = batches(brain.root, change.stale, lexicon, workers, lambda done: progress(done, total))
    together = merged(previous, change, fresh)
    history = reader.result()
    links = linked(together.files, together.nodes, together.imports, together.references, together.aliases)
    snapshot = Snapshot(
        brain=brain,
        generation=generation,
        files=together.files,
        nodes=together.nodes,
        imports=together.imports,
        references=together.references,
        aliases=together.aliases,
        links=links,
        arms=together.arms,
        history=history,
        seen_ns=seen_ns,
        passed=tree.passed,
    )
    return Outcome(snapshot, total, change.removed)


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
    number = {path: i for i, path in enumerate(previous.files.paths)}
    stamps = list(zip(rows.size.tolist(), rows.mtime_ns.tolist(), rows.ctime_ns.tolist(), strict=True))
    horizon = previous.seen_ns - RACY_NS
    kept: list[tuple[Found, int]] = []
    stale: list[Found] = []
    restamped = False
    for found in tree.files:
        i = number.get(found.path)
        if i is None:
            stale.append(found)
            continue
        same = stamps[i] == (found.size, found.mtime_ns, found.ctime_ns)
        if same and found.ctime_ns <= horizon:
            kept.append((found, i))
        elif found.size == stamps[i][0] and _same_bytes(root, found.path, rows.digest[i].tobytes()):
            kept.append((found, i))
            restamped = True
        else:
            stale.append(found)
    known = len(kept) + sum(found.path in number for found in stale)
    return Change(kept, stale, len(number) - known, restamped)


def _same_bytes(root: Path, path: str, digest: bytes) -> bool:
    if not any(digest):  # it was not read then, and need not be read now
        return False
    try:
        with open(root / path, "rb") as file:
            return hashlib.file_digest(file, "sha256").digest() == digest
    except OSError:
        return False
