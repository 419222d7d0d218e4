"""How a store gets the schema of this Numen: in one transaction, by one process at a time."""

from __future__ import annotations

import threading
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from numen.store.db import WriteConnection
from numen.store.revision import is_current
from numen.store.types import SCHEMA, Dialect, Place

_ADVISORY_LOCK = 0x4E554D454E01
_ALEMBIC = threading.Lock()
"""Alembic keeps the migration that is running in a module variable, so one runs at a time in a process."""


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
