"""Whether the tree is still what was indexed: one file, or all of them."""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from numen.graph.brain import locate
from numen.graph.columns import integers
from numen.graph.ingest import RACY_NS, is_racy
from numen.graph.snapshot import Snapshot
from numen.graph.types import BrainId, Freshness, TreeDrift
from numen.graph.walk import Found, Known, Tree, same_names, walk
from numen.graph.watch import Watch, watched

REBASED_S = 600.0
"""Seconds after which a watched tree is looked through all the same: writes to mapped memory go untold."""

MOST_TOUCHED = 512
"""Touched paths from which on looking through the whole tree costs no more."""

LOOK_AGAIN_S = 2.0
"""Seconds between two looks at a tree that cannot be watched."""

SETTLED_S = 0.05
"""Seconds given to whoever writes many files at once, before the tree is looked at."""

_GIT = ".git/"

MOST_WATCHED = 8
"""Trees that one process watches; the one that was asked about longest ago is let go."""


class Watches:
    """The trees that this process was asked about: from the second question on watching pays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, _Watched] = {}
        self._serials = itertools.count()

    def drift(self, snapshot: Snapshot, now: float) -> TreeDrift:
        """As `drift`, at `now` (seconds of a monotonic clock)."""
        touched = self.touched(snapshot, now)
        if touched is not None and (told := _told(snapshot, touched)) is not None:
            return told
        again = self._begun(snapshot, now)
        result = drift(snapshot)
        if again is not None and not result.added and not result.removed:
            again.suspect = frozenset(result.changed)
            again.ready = same_names(snapshot.brain.root, snapshot.known(RACY_NS))
        return result

    def touched(self, snapshot: Snapshot, now: float) -> frozenset[str] | None:
        """The paths that alone may differ from `snapshot`; None when they are not known."""
        with self._lock:
            known = self._known.get(snapshot.brain.id)
        if known is None or not known.ready or known.watch is None or known.generation != snapshot.generation:
            return None
        if now - known.began > REBASED_S:
            return None
        touched = known.watch.touched()
        if touched is None or len(touched) + len(known.suspect) > MOST_TOUCHED:
            return None
        return touched | known.suspect

    def stillness(self, brain: BrainId, now: float) -> tuple[int, int] | None:
        """A value that is the same only while nothing below the root was touched, git's own records included.

        None when that is not known: the tree is not watched, or holds trees of its own.
        """
        with self._lock:
            known = self._known.get(brain.id)
        if known is None or not known.ready or known.watch is None or now - known.began > REBASED_S:
            return None
        if not known.alone or (told := known.watch.told()) is None:
            return None
        return known.serial, told

    def renewed(self, snapshot: Snapshot, seen: frozenset[str]) -> None:
        """The tree was ingested: `seen` were looked at, so that `snapshot` is what the watch goes on from."""
        with self._lock:
            known = self._known.get(snapshot.brain.id)
        if known is not None and known.watch is not None:
            known.watch.forget(seen)
            known.suspect = frozenset()
            known.generation = snapshot.generation

    def _begun(self, snapshot: Snapshot, now: float) -> _Watched | None:
        """A new watch that is not to be believed yet, from the second question about a generation on."""
        brain = snapshot.brain.id
        with self._lock:
            before = self._known.pop(brain, None)
            if before is not None and before.watch is not None:
                before.watch.close()
            asked = before is not None and before.generation == snapshot.generation
            known = snapshot.known(RACY_NS)
            stands = asked and same_names(snapshot.brain.root, known)
            watch = watched(snapshot.brain.root, _folders(snapshot, known)) if stands else None
            begun = _Watched(snapshot.generation, now, watch, next(self._serials), _is_alone(snapshot))
            self._known[brain] = begun
            while len(self._known) > MOST_WATCHED:
                oldest = self._known.pop(next(iter(self._known)))
                if oldest.watch is not None:
                    oldest.watch.close()
        return begun if watch is not None else None


def await_change(snapshot: Snapshot) -> None:
    """Return once the tree may differ from `snapshot`, soon after the burst of writes in which it came to."""
    watch = watched(snapshot.brain.root, _folders(snapshot, snapshot.known(RACY_NS)))
    try:
        moment = threading.Event()
        while not _differs(drift(snapshot)):
            if watch is None:
                moment.wait(LOOK_AGAIN_S)
                continue
            watch.wait()
            if watch.touched() is None:
                return
            moment.wait(SETTLED_S)
    finally:
        if watch is not None:
            watch.close()


def _is_alone(snapshot: Snapshot) -> bool:
    """Whether all that git knows of the tree lies below its root."""
    return (snapshot.brain.root / ".git").is_dir() and not snapshot.passed.get("submodule")


def _differs(tree: TreeDrift) -> bool:
    return bool(tree.changed or tree.added or tree.removed or tree.head_moved)


@dataclass(slots=True)
class _Watched:
    """One tree: which generation its watch goes on from, and what was found to differ when it began."""

    generation: int
    began: float
    watch: Watch | None
    serial: int
    alone: bool
    suspect: frozenset[str] = frozenset()
    ready: bool = False


def touched_tree(snapshot: Snapshot, touched: frozenset[str]) -> Tree | None:
    """What a walk would find when nothing but `touched` may have moved; None when names came or went."""
    if snapshot.brain.is_git and not (snapshot.brain.root / ".git").is_dir():
        return None  # what git tracks is written where nobody watches
    rows = snapshot.files.rows
    looked: dict[int, Found] = {}
    for path in touched:
        if path.startswith(_GIT) or path.rpartition("/")[2] == ".gitignore":
            return None  # which names count may have changed
        index = snapshot.files.index(path)
        try:
            seen = os.lstat(snapshot.brain.root / path)
        except OSError:
            if index is None:  # it came and went
                continue
            return None
        if index is None or not stat.S_ISREG(seen.st_mode):
            return None
        looked[index] = Found(path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
    stamps = zip(
        snapshot.files.paths,
        integers(rows.size),
        integers(rows.mtime_ns),
        integers(rows.ctime_ns),
        strict=True,
    )
    files = [Found(*stamp) for stamp in stamps]
    for index, found in looked.items():
        files[index] = found
    return Tree(tuple(files), tuple(snapshot.known(RACY_NS).folders), dict(snapshot.passed))


def _folders(snapshot: Snapshot, known: Known) -> list[str]:
    """What to watch: the folders of the tree, and where git keeps what it tracks and leaves out."""
    folders = [folder for folder, _ in known.folders]
    if snapshot.brain.is_git:
        folders += [name for name in (".git", ".git/info") if (snapshot.brain.root / name).is_dir()]
    return folders


def _told(snapshot: Snapshot, touched: frozenset[str]) -> TreeDrift | None:
    """The drift when nothing but `touched` may have moved; None when a name came that has to be listed."""
    changed: list[str] = []
    removed: list[str] = []
    for path in sorted(touched):
        if path.startswith(_GIT):  # where HEAD is, is asked anyhow
            continue
        if snapshot.files.index(path) is None:
            if os.path.lexists(snapshot.brain.root / path):
                return None
            continue
        state = freshness(snapshot, path)
        if state is Freshness.MISSING:
            removed.append(path)
        elif state is not Freshness.FRESH:
            changed.append(path)
    brain = locate(snapshot.brain.root)
    return TreeDrift(tuple(changed), (), tuple(removed), brain.commit != snapshot.brain.commit)


def freshness(snapshot: Snapshot, path: str) -> Freshness:
    """Whether the file at `path` is what was indexed: by its size and times, and by its bytes if they moved.

    `unknown` when the index has no such file, when it may not be read, or when it was too large to be read
    and its times moved.
    """
    index = snapshot.files.index(path)
    if index is None:
        return Freshness.UNKNOWN
    rows = snapshot.files.rows
    where = snapshot.brain.root / path
    try:
        seen = os.lstat(where)
        if seen.st_size != int(rows.size[index]):
            return Freshness.CHANGED
        same = seen.st_mtime_ns == int(rows.mtime_ns[index]) and seen.st_ctime_ns == int(rows.ctime_ns[index])
        if same and not is_racy(seen.st_ctime_ns, snapshot.seen_ns):
            return Freshness.FRESH
        digest = rows.digest[index].tobytes()
        if not any(digest):
            return Freshness.FRESH if same else Freshness.UNKNOWN
        with open(where, "rb") as file:
            now = hashlib.file_digest(file, "sha256").digest()
    except (FileNotFoundError, NotADirectoryError):
        return Freshness.MISSING
    except OSError:
        return Freshness.UNKNOWN
    return Freshness.FRESH if now == digest else Freshness.CHANGED


def drift(snapshot: Snapshot) -> TreeDrift:
    """How the whole tree differs from the index: every file is looked at, none is opened unless in doubt.

    The tree is listed anew only where a folder's own time says that names in it came or went.
    """
    brain = locate(snapshot.brain.root)
    head_moved = brain.commit != snapshot.brain.commit
    paths = snapshot.files.paths
    rows = snapshot.files.rows
    stamps = list(zip(integers(rows.size), integers(rows.mtime_ns), integers(rows.ctime_ns), strict=True))
    horizon = snapshot.seen_ns - RACY_NS
    if same_names(brain.root, snapshot.known(RACY_NS)):
        moved, removed = _looked_at(snapshot, stamps, horizon)
        return TreeDrift(tuple(moved), (), tuple(removed), head_moved)
    known = dict(zip(paths, stamps, strict=True))
    added: list[str] = []
    changed: list[str] = []
    for found in walk(brain.root, brain.is_git).files:
        stamp = known.pop(found.path, None)
        if stamp is None:
            added.append(found.path)
        elif (stamp != found[1:] or found.ctime_ns > horizon) and _is_changed(snapshot, found.path):
            changed.append(found.path)
    return TreeDrift(tuple(changed), tuple(added), tuple(known), head_moved)


def _looked_at(
    snapshot: Snapshot, stamps: Sequence[tuple[int, int, int]], horizon: int
) -> tuple[list[str], list[str]]:
    changed: list[str] = []
    removed: list[str] = []
    base = f"{snapshot.brain.root}/"
    look = os.lstat
    for path, stamp in zip(snapshot.files.paths, stamps, strict=True):
        try:
            seen = look(base + path)
        except OSError:
            removed.append(path)
            continue
        ctime_ns = seen.st_ctime_ns
        same = ctime_ns <= horizon and stamp == (seen.st_size, seen.st_mtime_ns, ctime_ns)
        if not same and _is_changed(snapshot, path):
            changed.append(path)
    return changed, removed


def _is_changed(snapshot: Snapshot, path: str) -> bool:
    return freshness(snapshot, path) is not Freshness.FRESH
