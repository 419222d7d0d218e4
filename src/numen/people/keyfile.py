"""The file that holds the key of this machine, for its owner's eyes only whatever the umask (decision 17)."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from numen.kernel import Conflict, Unavailable
from numen.people.rules import is_secret
from numen.store.files import make_directory

NAME = "api.key"
"""Name of the file in `NUMEN_HOME`."""

_MODE = 0o600


def read(home: Path) -> str | None:
    """The secret in the file, None where there is no file.

    Raises `Conflict` if the file holds something else than a key, `Unavailable` if it cannot be read.
    """
    path = home / NAME
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unavailable(path, "read", error) from error
    secret = lines[0].strip() if lines else ""
    if not is_secret(secret):
        raise Conflict(
            f"{path} does not hold a key.",
            not_done="The file was left as it is, and no key was made.",
            next_step="Move it away and run numen init again.",
        )
    return secret


def write(home: Path, secret: str) -> None:
    """Put `secret` in the file, whole or not at all, over one that was there. Raises `Unavailable`."""
    try:
        if not home.exists():
            make_directory(home)
        write_private(home / NAME, secret + "\n")
    except OSError as error:
        raise _unavailable(home / NAME, "written", error) from error


def write_private(path: Path, text: str) -> None:
    """Make `path` hold `text`, whole or not at all, and its owner's alone. Raises `OSError`."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), _MODE)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def close_to_others(home: Path) -> None:
    """Take the right to read the file from everyone but its owner. Raises `Unavailable`."""
    path = home / NAME
    try:
        if path.stat().st_mode & 0o177:
            path.chmod(_MODE)
    except OSError as error:
        raise _unavailable(path, "closed to others", error) from error


def _unavailable(path: Path, verb: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{path} could not be {verb}: {error.strerror}.",
        not_done="The key of this machine was not set up.",
        next_step="Check that the directory is yours and has space.",
    )
