"""The file that holds the key of this machine, for its owner's eyes only whatever the umask (decision 17)."""

from __future__ import annotations

from pathlib import Path

from numen.kernel import Conflict, Unavailable
from numen.people.rules import is_secret
from numen.store.files import make_directory, write_private

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
