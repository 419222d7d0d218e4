"""The off switch: a file in the home, which works with the database, the network and the model down."""

from __future__ import annotations

from pathlib import Path

NAME = "mind.off"


def is_off(home: Path) -> bool:
    """Whether the file is there, told by one look at each judgement; a home that cannot be read is off."""
    try:
        (home / NAME).lstat()
    except FileNotFoundError:
        return not home.is_dir()
    except OSError:
        return True
    return True


def turn_off(home: Path) -> None:
    """Put the file there. May be repeated. Raises `OSError` where the home cannot be written."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / NAME).touch(mode=0o600)


def turn_on(home: Path) -> None:
    """Take the file away. May be repeated. Raises `OSError` where the home cannot be written."""
    (home / NAME).unlink(missing_ok=True)
