"""What the store says about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from numen.kernel import Unavailable

SCHEMA = "0012"
"""The revision that this Numen reads and writes: the head of `migrations/versions` (a test compares them)."""

DATABASE = "numen.db"
"""Name of the SQLite file in `NUMEN_HOME`."""


class StoreTooNew(Unavailable):
    """The store was written by a newer Numen; nothing in it was touched."""

    code = "store_too_new"


class WrongFile(Unavailable):
    """The place holds something that is not a Numen store, or a damaged one; it was left as it is."""

    code = "wrong_file"


class Dialect(StrEnum):
    """The two kinds of database that can hold a store."""

    SQLITE = "sqlite"
    POSTGRES = "postgresql"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is: `file` for SQLite, None for PostgreSQL. `shown` is the URL without its password."""

    dialect: Dialect
    url: str
    shown: str
    file: Path | None


class Revision(StrEnum):
    """How the schema found in a store stands to the one of this Numen."""

    ABSENT = "absent"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something was committed. `topics` are the streams it touched; None means any may have been.

    A commit of another process has no known topics on SQLite, and neither has one after a lost connection.
    """

    topics: frozenset[str] | None


Wake = Callable[[Notice], None]
"""Called on any thread after a commit: it returns at once, never raises and never touches the store."""


class Watch(Protocol):
    """A running subscription to commits."""

    def close(self) -> None:
        """Stop being called; may be called twice."""
        ...
