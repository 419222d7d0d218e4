"""The SQLite file and its directory: only their owner may read them, whatever the umask."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_FILE_MODE = 0o600
_DIRECTORY_MODE = 0o700
_OTHERS = 0o077


def prepare(file: Path) -> None:
    """Make the directory (0700) and an empty file (0600) where they are missing.

    SQLite gives its `-wal` and `-shm` files the mode of the database. A directory that was there keeps its
    mode, for it may hold other things; a store file of ours that others could read is closed to them.
    Raises `OSError`.
    """
    if not file.parent.exists():
        make_directory(file.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    descriptor = os.open(file, flags, _FILE_MODE)
    try:
        found = os.fstat(descriptor)
        mode = stat.S_IMODE(found.st_mode)
        if mode & (_FILE_MODE | _OTHERS) != _FILE_MODE and found.st_uid == os.geteuid():
            os.fchmod(descriptor, _FILE_MODE)
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Make `path` with mode 0700, and what is missing above it. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=_DIRECTORY_MODE)
    except FileExistsError:
        return
    path.chmod(_DIRECTORY_MODE)


@contextmanager
def alone(directory: Path) -> Generator[None]:
    """Hold `directory` against every other process that asks the same way. Raises `OSError`."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
