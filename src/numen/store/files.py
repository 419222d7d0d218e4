"""The SQLite file and its directory: only their owner may read them, whatever the umask."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_FILE_MODE = 0o600
_DIRECTORY_MODE = 0o700
_OTHERS = 0o077


def prepare(file: Path) -> None:
    """Make the directory (0700) and an empty file (0600) where they are missing.

    A directory that was there keeps its mode, for it may hold other things. Raises `OSError`.
    """
    if not file.parent.exists():
        make_directory(file.parent)
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
    except FileExistsError:
        descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    else:
        os.fchmod(descriptor, _FILE_MODE)
    os.close(descriptor)


def close_to_others(file: Path) -> None:
    """Take the right to read a store from everyone but its owner. Raises `OSError`.

    SQLite gives `-wal` and `-shm` the mode that the database has when it makes them.
    """
    for path in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
        try:
            found = path.stat()
        except FileNotFoundError:
            continue
        if stat.S_IMODE(found.st_mode) & _OTHERS and found.st_uid == os.geteuid():
            path.chmod(_FILE_MODE)


def make_directory(path: Path) -> None:
    """Make `path` with mode 0700, and what is missing above it. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=_DIRECTORY_MODE)
    except FileExistsError:
        return
    path.chmod(_DIRECTORY_MODE)


def write_private(path: Path, text: str) -> None:
    """Make `path` hold `text`, whole or not at all, and its owner's alone. Raises `OSError`."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE_MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), _FILE_MODE)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def alone(directory: Path) -> Generator[None]:
    """Hold `directory` against every other process that asks the same way. Raises `OSError`."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
