"""How a store gets the schema of this Numen: in one transaction, by one process at a time."""

from __future__ import annotations

import threading
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from numen.store.db import WriteConnection
from numen.store.types import SCHEMA, Dialect, Place, Revision, StoreTooNew, WrongFile

VERSION_TABLE = "numen_schema"
"""The table that holds the revision; its own name, so a shared database's `alembic_version` is never read."""

_ADVISORY_LOCK = 0x4E554D454E01
_ALEMBIC = threading.Lock()
"""Alembic keeps the migration that is running in a module variable, so one runs at a time in a process."""

_version = sa.table(VERSION_TABLE, sa.column("version_num", sa.Text))


def revision_of(found: str | None) -> Revision:
    """How the revision `found` in a store stands to `SCHEMA`; whatever is not known here is newer."""
    if found is None:
        return Revision.ABSENT
    if found == SCHEMA:
        return Revision.CURRENT
    older = len(found) == len(SCHEMA) and found.isascii() and found.isdigit() and found < SCHEMA
    return Revision.OLDER if older else Revision.NEWER


def found_revision(connection: sa.Connection) -> str | None:
    """The revision that the store has, None if it has none."""
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.scalar(sa.select(_version.c.version_num))


def is_current(connection: sa.Connection, place: Place) -> bool:
    """Whether the store has the schema of this Numen.

    Raises `StoreTooNew` for a later one, and `WrongFile` for an SQLite file of another program.
    """
    match revision_of(found_revision(connection)):
        case Revision.CURRENT:
            return True
        case Revision.OLDER:
            return False
        case Revision.NEWER:
            raise StoreTooNew(
                f"The store was written by a newer Numen: {place.shown}.",
                not_done="Nothing in it was read or changed.",
                next_step="Upgrade this Numen, or restore a backup that was made with it.",
            )
        case Revision.ABSENT:
            if place.dialect is Dialect.SQLITE and sa.inspect(connection).get_table_names():
                raise WrongFile(
                    f"The file holds another program's data: {place.shown}.",
                    not_done="Nothing in it was changed.",
                    next_step="Move it away, or set NUMEN_HOME to another directory.",
                )
            return False


def upgrade(connection: WriteConnection, place: Place) -> None:
    """Raise the store to `SCHEMA` in the caller's transaction, unless another process just did."""
    if place.dialect is Dialect.POSTGRES:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
    if is_current(connection, place):
        return
    with _ALEMBIC:
        command.upgrade(scripts(connection), SCHEMA)


def scripts(connection: sa.Connection) -> Config:
    """Alembic's configuration: the migrations in this package, run on `connection`."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
