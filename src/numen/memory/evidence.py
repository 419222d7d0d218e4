"""What claims rest on: lines of code that are looked at again whenever the claim is shown."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from numen.kernel import InvalidInput
from numen.memory.types import Evidence, EvidenceKind, Freshness

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of a file that is looked into, so that showing a claim stays quick (ours)."""

_CODE = re.compile(r"(?P<path>[^#\0]+)#L(?P<start>[1-9][0-9]{0,6})(?:-L(?P<end>[1-9][0-9]{0,6}))?")
_URL = re.compile(r"https?://\S+")

_WORST_FIRST = (Freshness.MISSING, Freshness.STALE, Freshness.UNKNOWN, Freshness.FRESH, Freshness.SAID)


def read(text: str, root: Path | None) -> Evidence:
    """Evidence as a caller writes it: `path#L3-L9` below `root`, a URL, or a turn's id.

    Raises `InvalidInput` for another form, for a path that leaves `root`, and where no root is known.
    """
    if _URL.fullmatch(text):
        return Evidence(EvidenceKind.URL, text)
    code = _CODE.fullmatch(text)
    if code is None:
        if "#" in text or "/" in text or not text.strip():
            raise _refused(f"This is no evidence: {text!r}.")
        return Evidence(EvidenceKind.TURN, text)
    if root is None:
        raise _refused("Lines of code are evidence in a repository only.")
    start, end = int(code["start"]), int(code["end"] or code["start"])
    if end < start:
        raise _refused("The last line comes before the first.")
    ref = f"{Path(os.path.normpath(code['path'])).as_posix()}#L{start}-L{end}"
    return Evidence(EvidenceKind.CODE, ref, str(root))


def attested(one: Evidence, now: datetime) -> Evidence:
    """`one` with what it says now: the digest of the lines, and when it was looked at.

    Raises `InvalidInput` for lines that are not there: a claim does not rest on nothing.
    """
    if one.kind is not EvidenceKind.CODE:
        return replace(one, at=one.at or now)
    found = _lines(one)
    if found is None:
        raise _refused(f"There is nothing at {one.ref}.")
    return replace(one, digest=_digest(found), at=now)


def freshness(resting: Sequence[Evidence]) -> Freshness:
    """Whether what a claim rests on still says what it said: as good as its worst part."""
    found = {_freshness(one) for one in resting}
    return next((one for one in _WORST_FIRST if one in found), Freshness.UNKNOWN)


def _freshness(one: Evidence) -> Freshness:
    if one.kind is EvidenceKind.TURN:
        return Freshness.SAID
    if one.kind is EvidenceKind.URL or not one.digest:
        return Freshness.UNKNOWN
    try:
        found = _lines(one)
    except InvalidInput:
        return Freshness.UNKNOWN
    if found is None:
        return Freshness.MISSING
    return Freshness.FRESH if _digest(found) == one.digest else Freshness.STALE


def _lines(one: Evidence) -> list[bytes] | None:
    """The cited lines as they stand on disk, None where the file or one of them is gone.

    Raises `InvalidInput` where that cannot be told: closed, too large, or outside of the root.
    """
    match = _CODE.fullmatch(one.ref)
    if match is None:
        return None
    root = os.path.realpath(one.root)
    place = os.path.realpath(os.path.join(root, match["path"]))
    if not Path(place).is_relative_to(root):
        raise _refused(f"{match['path']} lies outside of the repository.")
    try:
        if os.path.getsize(place) > LARGEST_FILE:
            raise _refused(f"{match['path']} is too large to be cited.")
        lines = Path(place).read_bytes().splitlines()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise _refused(f"{match['path']} cannot be read: {error.strerror}.") from error
    start, end = int(match["start"]), int(match["end"] or match["start"])
    return lines[start - 1 : end] if end <= len(lines) else None


def _digest(lines: Sequence[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def _refused(what: str) -> InvalidInput:
    return InvalidInput(
        what, not_done="Nothing was kept.", next_step="Cite path#L1-L9 in the repository, a URL, or a turn."
    )
