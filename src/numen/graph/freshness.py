"""Whether the tree is still what was indexed: one file, or all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

from numen.graph.brain import locate
from numen.graph.columns import integers
from numen.graph.ingest import RACY_NS, is_racy
from numen.graph.snapshot import Snapshot
from numen.graph.types import Freshness, TreeDrift
from numen.graph.walk import same_names, walk


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
