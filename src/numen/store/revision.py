"""How the schema of a store stands to this Numen's."""

from __future__ import annotations

import sqlalchemy as sa

from numen.store.types import SCHEMA, Dialect, Place, Revision, StoreTooNew, WrongFile

VERSION_TABLE = "numen_schema"
"""The table that holds the revision; its own name, so a shared database's `alembic_version` is never read."""

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
