"""Whether the tree is still what was indexed: one file, or all of them."""

from __future__ import annotations

import hashlib
import os

from numen.graph.brain import locate
from numen.graph.ingest import is_racy
from numen.graph.snapshot import Snapshot
from numen.graph.types import Freshness, TreeDrift
from numen.graph.walk import walk


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
    """How the whole tree differs from the index: every file is looked at, none is opened unless in doubt."""
    brain = locate(snapshot.brain.root)
    tree = walk(brain.root, brain.is_git)
    rows = snapshot.files.rows
    stamps = zip(rows.size.tolist(), rows.mtime_ns.tolist(), rows.ctime_ns.tolist(), strict=True)
    known = dict(zip(snapshot.files.paths, stamps, strict=True))
    changed: list[str] = []
    added: list[str] = []
    for found in tree.files:
        stamp = known.pop(found.path, None)
        if stamp is None:
            added.append(found.path)
            continue
        same = stamp == (found.size, found.mtime_ns, found.ctime_ns)
        doubtful = not same or is_racy(found.ctime_ns, snapshot.seen_ns)
        if doubtful and freshness(snapshot, found.path) is not Freshness.FRESH:
            changed.append(found.path)
    return TreeDrift(tuple(changed), tuple(added), tuple(known), brain.commit != snapshot.brain.commit)
