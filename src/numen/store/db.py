"""How a connection to SQLite or PostgreSQL is made, so that a commit lasts and a read never waits.

SQLite has two engines (decision 4): one writer that begins with the write lock in hand, because a transaction
that reads first and then asks for the lock fails under a second writer whatever the busy timeout; and
readers that can only query and never take it. PostgreSQL has one pool with two isolation levels.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NewType

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine.interfaces import Dialect as SqlDialect
from sqlalchemy.pool import ConnectionPoolEntry

from numen.store.types import Dialect, Place

ReadConnection = NewType("ReadConnection", sa.Connection)
"""A connection inside a read transaction: it sees one moment of the store and can change nothing."""

WriteConnection = NewType("WriteConnection", ReadConnection)
"""A connection inside the one write transaction of a use case."""

BUSY_SECONDS = 15.0
"""How long a write waits for another process's before it gives up; a use case takes milliseconds."""

_TRY_MS = 1
"""Milliseconds of one try for the write lock (ours): the least that SQLite waits."""

_READERS = 4
_MORE_READERS = 60

_PAGE = 2048
"""Bytes of a page of a new file. What is written is whole pages, and keeping a turn touches about twenty of
them, most by one row: with pages of 4096 that is 104 KiB a turn, over the 64 that it may be
(`python -m benchmarks.sidecar`).
"""

_CHECKPOINT = 4000
"""Pages of the write-ahead log before they are brought into the file: 8 MB.

A page that many turns change is then written there once for all of them: 76 KiB a turn, where the 1000 pages
that SQLite takes by itself come to 100 (bytes of the process over 1,200 turns).
"""

metadata = sa.MetaData()
"""Every table of Numen, each defined in the `tables.py` of its domain."""


class Words(sa.TypeDecorator[str]):
    """Text exactly as it came, kept as UTF-8 bytes.

    A person's words may hold NUL, which PostgreSQL text refuses, or a lone surrogate, which UTF-8 refuses;
    neither may be lost (surrogates are kept in their three-byte form).
    """

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: SqlDialect) -> bytes | None:
        """The bytes to keep."""
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: bytes | None, dialect: SqlDialect) -> str | None:
        """The text that was given; the bytes of a damaged row come back with marks in their place."""
        if value is None:
            return None
        try:
            return bytes(value).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return bytes(value).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Engines:
    """The way in for writing and the way in for reading."""

    dialect: Dialect
    writer: sa.Engine
    reader: sa.Engine

    def dispose(self) -> None:
        """Close every connection that is not in use."""
        self.reader.dispose()
        self.writer.dispose()


def connect(place: Place) -> Engines:
    """Engines for `place`. Nothing is opened yet."""
    match place.dialect:
        case Dialect.SQLITE:
            return _sqlite(place)
        case Dialect.POSTGRES:
            return _postgres(place)


def insert_new(connection: WriteConnection, table: sa.Table, values: Mapping[str, Any]) -> bool:
    """Insert a row unless one with the same key is there; tells whether it was inserted."""
    make = postgres_insert if connection.dialect.name == Dialect.POSTGRES else sqlite_insert
    query = make(table).values(**values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(query).first() is not None


def _sqlite(place: Place) -> Engines:
    arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    writer = sa.create_engine(place.url, pool_size=1, max_overflow=0, connect_args=arguments)
    reader = sa.create_engine(
        place.url, pool_size=_READERS, max_overflow=_MORE_READERS, connect_args=arguments
    )
    event.listen(writer, "connect", _prepare_writer)
    event.listen(reader, "connect", _prepare_reader)
    event.listen(writer, "begin", _begin_immediate)
    event.listen(reader, "begin", _begin_deferred)
    return Engines(place.dialect, writer, reader)


def _prepare_writer(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    for pragma in (
        f"page_size={_PAGE}",
        "synchronous=FULL",
        f"wal_autocheckpoint={_CHECKPOINT}",
        "foreign_keys=ON",
        "secure_delete=ON",
        "trusted_schema=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_reader(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    for pragma in ("query_only=ON", "trusted_schema=OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: sa.Connection) -> None:
    """Take the write lock, asking for it every millisecond.

    SQLite's own waiting sleeps longer the longer it has waited, up to 100 ms, so that of two processes that
    write the one that has just written comes first again and again. One at a time asks (`Store.transaction`).
    """
    driver = _driver(connection)
    driver.execute(f"PRAGMA busy_timeout={_TRY_MS}")
    try:
        for _ in range(int(BUSY_SECONDS * 1000 / _TRY_MS)):
            try:
                driver.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    break
            else:
                return
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        driver.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")


def _begin_deferred(connection: sa.Connection) -> None:
    """Begin to read, by the driver itself: a turn does so six times, and SQLAlchemy adds 25 microseconds."""
    _driver(connection).execute("BEGIN")


def _driver(connection: sa.Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _postgres(place: Place) -> Engines:
    settings = f"-c timezone=UTC -c synchronous_commit=on -c lock_timeout={int(BUSY_SECONDS * 1000)}"
    engine = sa.create_engine(
        place.url,
        pool_size=_READERS,
        max_overflow=_MORE_READERS,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, "options": settings, "client_encoding": "utf8"},
        isolation_level="READ COMMITTED",
    )
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return Engines(place.dialect, engine, reader)
