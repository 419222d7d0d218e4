"""How the commits of other processes are noticed: SQLite's data version four times a second, or LISTEN."""

from __future__ import annotations

import json
import os
import secrets
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Protocol, cast

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from numen.store.db import Engines, WriteConnection
from numen.store.types import Dialect, Notice

POLL_SECONDS = 0.25
"""Between two looks at SQLite's data version (decision 4: 4 Hz cost 0.07 % of a core)."""

CHANNEL = "numen_commits"
"""The PostgreSQL channel on which a commit is told."""

_LISTEN_SECONDS = 0.5
_RETRY_SECONDS = 1.0
_TOPICS_BYTES = 7000
"""PostgreSQL refuses a notice of 8,000 bytes; more topics than fit are told as "any"."""


def watcher(engines: Engines, process: str) -> Callable[[Callable[[Notice], None]], _Watcher]:
    """A maker of the watcher that fits the database. `process` names this process among the others."""

    def make(publish: Callable[[Notice], None]) -> _Watcher:
        if engines.dialect is Dialect.SQLITE:
            return _DataVersion(engines, publish)
        return _Listener(engines, process, publish)

    return make


def process_name() -> str:
    """A name that no other process has."""
    return f"{os.getpid()}-{secrets.token_hex(8)}"


def tell(connection: WriteConnection, process: str, topics: Iterable[str]) -> None:
    """Have PostgreSQL tell the other processes when this transaction commits."""
    text = json.dumps([process, sorted(topics)])
    if len(text.encode()) > _TOPICS_BYTES:
        text = json.dumps([process, None])
    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, text)))


class _Watcher(ABC):
    def __init__(self, engines: Engines, publish: Callable[[Notice], None]) -> None:
        self._engines = engines
        self._publish = publish
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="numen-commits", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _errors(self) -> tuple[type[BaseException], ...]:
        return (SQLAlchemyError, self._engines.reader.dialect.loaded_dbapi.Error, OSError)

    @abstractmethod
    def _run(self) -> None: ...


class _DataVersion(_Watcher):
    """Sees this process's commits too: a needless wake four times a second at most.

    The first look wakes everyone: whoever subscribed before it may have missed a commit in between.
    """

    def _run(self) -> None:
        seen: int | None = None
        pooled = self._engines.reader.raw_connection()
        try:
            while True:
                row = pooled.cursor().execute("PRAGMA data_version").fetchone()
                version = cast("int", row[0])
                if version != seen:
                    self._publish(Notice(None))
                seen = version
                if self._stopping.wait(POLL_SECONDS):
                    return
        finally:
            pooled.close()


class _Told(Protocol):
    @property
    def payload(self) -> str: ...


class _Driver(Protocol):
    autocommit: bool

    def execute(self, query: str) -> object: ...

    def notifies(self, *, timeout: float) -> Iterable[_Told]: ...


class _Listener(_Watcher):
    """Listens, and says that anything may have happened before it did: at first, and after a lost server."""

    def __init__(self, engines: Engines, process: str, publish: Callable[[Notice], None]) -> None:
        super().__init__(engines, publish)
        self._process = process

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except self._errors():
                self._stopping.wait(_RETRY_SECONDS)

    def _listen(self) -> None:
        pooled = self._engines.writer.raw_connection()
        try:
            driver = cast("_Driver", pooled.driver_connection)
            driver.autocommit = True
            driver.execute(f"LISTEN {CHANNEL}")
            self._publish(Notice(None))
            while not self._stopping.is_set():
                for told in driver.notifies(timeout=_LISTEN_SECONDS):
                    self._pass_on(told.payload)
        finally:
            pooled.invalidate()

    def _pass_on(self, payload: str) -> None:
        process, topics = _read(payload)
        if process != self._process:
            self._publish(Notice(topics))


def _read(payload: str) -> tuple[str | None, frozenset[str] | None]:
    try:
        process, topics = cast("tuple[str, list[str] | None]", json.loads(payload))
    except (ValueError, TypeError):
        return None, None
    return process, None if topics is None else frozenset(map(str, topics))
