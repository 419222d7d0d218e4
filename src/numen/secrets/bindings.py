"""How a program gets a value without its command line ever holding it: two variables and a private file.

A file belongs to whoever holds the lock on it. The program of a call inherits that lock, and so do those that
it starts and hands its descriptors on to: when the last of them ends, even by kill -9, the kernel lets the
lock go, and the next sweep finds a file that is nobody's.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from numen.kernel import Clock
from numen.secrets.rules import variable
from numen.store.files import make_directory

FOLDER = "private"
"""Name of the directory in `NUMEN_HOME` that holds the files."""

CALL_LIFE = timedelta(hours=1)
"""How long the file of a call is kept at most (secrets contract, Resolve)."""

REVEAL_LIFE = timedelta(minutes=30)
"""How long the file of a revealed value is kept at most (secrets contract, Owner tools)."""

LONGEST_VARIABLE = 100_000
"""Bytes of a value that is also set as a variable; Linux refuses 128 KiB (execve(2), MAX_ARG_STRLEN)."""

_FOR_CALL = ".value"
_FOR_OWNER = ".revealed"
_LIVES = {_FOR_CALL: CALL_LIFE, _FOR_OWNER: REVEAL_LIFE}
_UNDONE = ".part"
_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Bound:
    """What the program of a call is started with: variables, and descriptors that it must inherit."""

    variables: Mapping[str, str] = field(repr=False)
    descriptors: tuple[int, ...]


class Bindings:
    """Private files (0600, in a 0700 directory of `home`) that hold one value each, for as long as needed."""

    def __init__(self, home: Path, clock: Clock) -> None:
        self._folder = home / FOLDER
        self._clock = clock

    @contextmanager
    def bound(self, values: Mapping[str, str]) -> Generator[Bound]:
        """For the program of one call: `$NUMEN_SECRET_<id>` and `$NUMEN_SECRET_<id>_FILE` for each reference.

        At the end each file goes, unless a program that the call left behind still holds it; after
        `CALL_LIFE` it goes in any case. A value with NUL, or too long for a variable, has only its file.
        Raises `OSError`.
        """
        self.sweep()
        variables: dict[str, str] = {}
        with ExitStack() as stack:
            descriptors: list[int] = []
            for ref, value in values.items():
                data = value.encode("utf-8", "surrogatepass")
                path, descriptor = stack.enter_context(self._file(ref, data, _FOR_CALL))
                descriptors.append(descriptor)
                name = variable(ref)
                variables[f"{name}_FILE"] = str(path)
                if b"\0" not in data and len(data) <= LONGEST_VARIABLE:
                    variables[name] = os.fsdecode(data)
            yield Bound(variables, tuple(descriptors))

    @contextmanager
    def revealed(self, ref: str, value: str) -> Generator[Path]:
        """A file from which the owner reads a value; it goes at the end, or after `REVEAL_LIFE`."""
        self.sweep()
        with self._file(ref, value.encode("utf-8", "surrogatepass"), _FOR_OWNER) as (path, _):
            yield path

    def sweep(self) -> int:
        """Remove the files that nobody holds any more, or that are too old; how many those were."""
        removed = 0
        now = self._clock.now()
        try:
            found = sorted(self._folder.iterdir())
        except FileNotFoundError:
            return 0
        for path in found:
            life = _LIVES.get(path.suffix, CALL_LIFE)
            if (path.suffix in _LIVES and not _is_held(path)) or _is_older(path, now, life):
                path.unlink(missing_ok=True)
                removed += 1
        return removed

    @contextmanager
    def _file(self, ref: str, data: bytes, suffix: str) -> Generator[tuple[Path, int]]:
        """A file that holds `data`, and the descriptor that holds its lock."""
        if not self._folder.exists():
            make_directory(self._folder)
        name = f"{ref}-{secrets.token_hex(8)}"
        part, path = self._folder / (name + _UNDONE), self._folder / (name + suffix)
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
        timer = threading.Timer(_LIVES[suffix].total_seconds(), lambda: path.unlink(missing_ok=True))
        timer.daemon = True
        try:
            os.fchmod(descriptor, _MODE)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(data)
            now = self._clock.now().timestamp()
            os.utime(descriptor, (now, now))
            part.rename(path)
            timer.start()
            yield path, descriptor
        finally:
            timer.cancel()
            os.close(descriptor)
            part.unlink(missing_ok=True)
            if not _is_held(path):
                path.unlink(missing_ok=True)


def _is_held(path: Path) -> bool:
    """Whether some process holds the lock of the file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _is_older(path: Path, now: datetime, life: timedelta) -> bool:
    with suppress(FileNotFoundError):
        return now.timestamp() - path.stat().st_mtime > life.total_seconds()
    return False
