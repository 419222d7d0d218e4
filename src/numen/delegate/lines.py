"""A project's cost lines: one a delegation, appended at once under a lock (seed, invariant 4)."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from numen.delegate import rules
from numen.delegate.places import folder
from numen.kernel import Json, canonical_bytes

_TAIL = 64 * 1024
"""Bytes at the end in which the last line is looked for; a line is far shorter."""


@dataclass(frozen=True, slots=True)
class Line:
    """Where a line stands: its number from 1."""

    number: int

    def __str__(self) -> str:
        """As an envelope tells it (seed)."""
        return f"{rules.LEDGER}#L{self.number}"


def append(root: Path, record: Mapping[str, Json], *, once: str | None = None) -> Line:
    """Append `record` with its line number, as one write of one line.

    With `once`, a run's id, it is not appended again where a line of that run stands already; that reads the
    file, so it is for what may be repeated. Otherwise what it costs does not grow with the file. A last line
    that was cut off is ended first, so that it stays the only bad one. Raises `Refused` and `OSError`.
    """
    *way, name = Path(rules.LEDGER).parts
    with folder(root, way, make=True) as parent:
        descriptor = os.open(
            name, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=parent
        )
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.fchmod(descriptor, 0o600)
        if once is not None:
            found = _of_run(descriptor, once)
            if found is not None:
                return found
        number, ending = _next(descriptor)
        os.write(descriptor, ending + canonical_bytes({**record, "line": number}) + b"\n")
        os.fsync(descriptor)
        return Line(number)
    finally:
        os.close(descriptor)


def read(file: Path) -> Iterator[Mapping[str, Json] | None]:
    """Each line as values, None for one that is damaged. Raises `OSError`."""
    with file.open("rb") as opened:
        for line in opened:
            try:
                said = json.loads(line)
            except ValueError:
                said = None
            yield cast("Mapping[str, Json]", said) if isinstance(said, dict) else None


def _next(descriptor: int) -> tuple[int, bytes]:
    """The number of the next line, and what ends the one before it where that was cut off.

    The last line tells its own number; where it does not, the lines are counted.
    """
    size = os.fstat(descriptor).st_size
    if size == 0:
        return 1, b""
    tail = os.pread(descriptor, _TAIL, max(0, size - _TAIL))
    whole = tail.endswith(b"\n")
    last = (tail[:-1] if whole else tail).rpartition(b"\n")[2]
    try:
        said = cast("object", json.loads(last)) if whole else None
    except ValueError:
        said = None
    number = cast("dict[str, object]", said).get("line") if isinstance(said, dict) else None
    if isinstance(number, int) and not isinstance(number, bool) and number > 0:
        return number + 1, b""
    return _count(descriptor, size) + (1 if whole else 2), b"" if whole else b"\n"


def _count(descriptor: int, size: int) -> int:
    return sum(os.pread(descriptor, 1 << 20, at).count(b"\n") for at in range(0, size, 1 << 20))


def _of_run(descriptor: int, run: str) -> Line | None:
    wanted = canonical_bytes({"run_id": run})[1:-1]
    with open(os.dup(descriptor), "rb") as file:
        file.seek(0)
        for number, line in enumerate(file, 1):
            if wanted in line:
                return Line(number)
    return None
