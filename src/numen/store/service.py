"""The store: one transaction a use case, reads that never wait, and word of every commit."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa

from numen.kernel import (
    Clock,
    IdSource,
    NotFound,
    StateUnavailable,
    UlidSource,
    Unavailable,
    lazily,
    new_epoch,
    parse_id,
)
from numen.store import files, foreign, revision, tables
from numen.store.commits import CommitBus
from numen.store.db import Engines, ReadConnection, WriteConnection, connect
from numen.store.faults import explained, opening
from numen.store.place import place_of
from numen.store.types import Dialect, Notice, Place, Wake, Watch

if TYPE_CHECKING:
    from numen.store import migration
else:
    migration = lazily("numen.store.migration")
    """Alembic takes 0.2 s of a processor to load; a store that is as it should be does without."""

_MAKING = threading.RLock()
_MINE = threading.local()


class Store:
    """All durable state of Numen, in one database. Made by `Store.open`; safe to use from many threads.

    Not to be carried over a fork: open it in the child.
    """

    def __init__(self, place: Place, engines: Engines, clock: Clock, epoch: str) -> None:
        self.place = place
        self.epoch = epoch
        """The epoch in which this store mints ids (decision 3)."""
        self.ids: IdSource = UlidSource(clock, epoch)
        """Fresh ids of this store."""
        self._engines = engines
        self._writing = threading.Lock()
        self._mine = threading.local()
        self._topics: dict[sa.Connection, set[str]] = {}
        self._process = foreign.process_name()
        self._bus = CommitBus(foreign.watcher(engines, self._process))

    @classmethod
    def open(cls, place: str | Path, clock: Clock) -> Self:
        """The store at `place`: a directory (SQLite, `numen.db` in it) or a database URL.

        Makes it when it is not there and raises an older one to this Numen's schema; several processes may
        do so at once. Raises `InvalidInput` for a URL of another kind, `StoreTooNew`, `WrongFile`, and
        `Unavailable` when the place cannot be reached, read or written.
        """
        where = place_of(place)
        with opening(where), ExitStack() as undo:
            if where.file is not None:
                files.prepare(where.file)
            engines = connect(where)
            undo.callback(engines.dispose)
            epoch = _ready(where, engines, clock)
            if where.file is not None:
                files.close_to_others(where.file)
            undo.pop_all()
        return cls(where, engines, clock, epoch)

    @property
    def dialect(self) -> Dialect:
        """Which kind of database holds the store."""
        return self.place.dialect

    @contextmanager
    def transaction(self) -> Generator[WriteConnection]:
        """The one write transaction of a use case: committed at the end, rolled back on any error.

        On SQLite it holds the write lock from its start, so it must be short and must not wait for anything.
        On PostgreSQL others may commit between two of its statements: decide by compare-and-set.
        Whoever watches the store is told after the commit. Raises `Unavailable` and its kin.
        """
        self._refuse_nesting()
        with ExitStack() as stack:
            self._mine.writing = True
            stack.callback(setattr, self._mine, "writing", False)
            if self.dialect is Dialect.SQLITE:
                stack.enter_context(self._writing)
            with explained(self.place), ExitStack() as begun:
                with self._turn():
                    plain = begun.enter_context(self._engines.writer.begin())
                connection = WriteConnection(ReadConnection(plain))
                topics = self._topics[plain] = set[str]()
                stack.callback(self._topics.pop, plain, None)
                yield connection
                if self.dialect is Dialect.POSTGRES:
                    foreign.tell(connection, self._process, topics)
        self._bus.publish(Notice(frozenset(topics)))

    @contextmanager
    def reading(self) -> Generator[ReadConnection]:
        """One moment of the store, to be read and left soon: it takes no lock and waits for no writer."""
        with explained(self.place), self._engines.reader.connect() as plain, plain.begin():
            yield ReadConnection(plain)

    def touches(self, connection: WriteConnection, topics: Iterable[str]) -> None:
        """Say that this transaction touches `topics`, so that only those who watch them are woken."""
        self._topics[connection].update(topics)

    def watch(self, wake: Wake, topics: Iterable[str] | None = None) -> Watch:
        """Call `wake` after each commit, here or in another process, that may have touched `topics`.

        None means every commit. A commit here is told at once; another process's within 0.25 s on SQLite.
        `wake` runs on the committing thread or a watcher's: it must only set a flag.
        """
        return self._bus.watch(wake, None if topics is None else frozenset(topics))

    def absence(self, identifier: str, what: str) -> NotFound | StateUnavailable:
        """The error for an `identifier` without a row: no such thing, or not known here (decision 3).

        A store that is new or was restored has lost what was minted in other epochs, so only the current
        epoch allows to say that a thing does not exist. `what` names it: "ask", "turn".
        """
        parsed = parse_id(identifier)
        if parsed is None or parsed.epoch == self.epoch:
            return NotFound(f"There is no such {what}.", next_step="Check the id.")
        return StateUnavailable(
            f"This {what} is of a time that this store does not know: it is new, or was restored.",
            next_step="Ask again when the store it was made in is back.",
        )

    def scrub(self) -> None:
        """Make words that were forgotten leave the write-ahead log too; does nothing on PostgreSQL.

        A reader that is still at work may delay it: the log is then emptied by a later one.
        """
        self._refuse_nesting()
        if self.dialect is Dialect.SQLITE:
            with self._writing, explained(self.place), self._engines.writer.connect() as connection:
                driver = connection.connection
                driver.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Stop watching and let every connection go."""
        self._bus.close()
        self._engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _turn(self) -> Generator[None]:
        """The turn of this process to begin: those that wait come in the order in which they came.

        Without it whoever has just written writes again, and another process waits for seconds.
        """
        with nullcontext() if self.place.file is None else files.alone(self.place.file.parent):
            yield

    def _refuse_nesting(self) -> None:
        if getattr(self._mine, "writing", False):
            raise RuntimeError("a use case is one transaction: pass the connection on")


def _ready(place: Place, engines: Engines, clock: Clock) -> str:
    """Bring the schema up to date, and tell the epoch."""
    with engines.reader.connect() as connection:
        if revision.is_current(connection, place):
            epoch = tables.current_epoch(ReadConnection(connection))
            if epoch is not None:
                return epoch
    with _MAKING, ExitStack() as stack:
        if getattr(_MINE, "is_making", False):  # by way of a warning, say, that is looked through for secrets
            raise Unavailable(
                "A store is being made by the thread that asks for it.",
                not_done="It was not opened a second time.",
                next_step="Ask again when it is made.",
            )
        _MINE.is_making = True
        stack.callback(setattr, _MINE, "is_making", False)
        if place.file is not None:
            stack.enter_context(files.alone(place.file.parent))
            _use_write_ahead_log(engines)
        connection = WriteConnection(ReadConnection(stack.enter_context(engines.writer.begin())))
        migration.upgrade(connection, place)
        epoch = tables.current_epoch(connection)
        if epoch is None:
            epoch = new_epoch()
            tables.begin_epoch(connection, epoch, clock.now())
        return epoch


def _use_write_ahead_log(engines: Engines) -> None:
    pooled = engines.writer.raw_connection()
    try:
        pooled.cursor().execute("PRAGMA journal_mode=WAL")
    finally:
        pooled.close()
