"""The durable engine: it carries out the rows that jobs want, once each at a time, across crashes.

Exactly one process of an SQLite store has the engine, by a lock in the home; on PostgreSQL every process
that starts one shares the work (decisions 8 to 11). Workflows, queues and recovery are DBOS's; which rows
there are is the store's to say. How a room has rows carried out:

    engine = Engine(store, clock, home, lambda: Durable)
    engine.register(Job("turn", run, wanted, frozenset({"turns"}), failed))
    engine.start()            # once, after every job is registered; `False`: another process has the engine
    ...                       # commit a row that is wanted, touching "turns": it is carried out from here on
    engine.close()

`run` is a function (on a thread of its own) or a coroutine (on the engine's one event loop, which lives as
long as the engine). Nothing is launched, nor is DBOS loaded, before a row is wanted: `durable` gives it then.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import fcntl
import inspect
import os
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from numen.kernel import Clock, NumenError, Unavailable
from numen.store import Store, WriteConnection
from numen.store.files import close_to_others, make_directory, prepare
from numen.work import rules, tables
from numen.work.types import Durable, Job, MakeDurable, Run, Superseded

LOCK = "engine.lock"
"""Name of the file in `NUMEN_HOME` whose lock says which process has the engine."""

FILE = "work.db"
"""Name of the file in `NUMEN_HOME` in which DBOS keeps its workflows beside an SQLite store."""

TOPIC = "work"
"""What the store is touched with when a run has ended."""

ONLY = "numen"
"""The executor of an SQLite store: there is one at a time, so that what one left open the next takes up."""

AGAIN = 1.0
"""Seconds after which a sweep that failed is tried again (ours)."""

PATIENCE = 3.0
"""Seconds that closing waits for bodies to end (ours: a stopped tool is told within one)."""


class Engine:
    """Carries out rows. Safe to use from many threads. One a process (DBOS is one a process)."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        home: Path,
        durable: Callable[[], MakeDurable],
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._home = home
        self._tell = tell
        self._shared = store.place.file is None
        self._executor = store.ids.new("executor") if self._shared else ONLY
        self._jobs: dict[str, Job] = {}
        self._make = durable
        self._durable: Durable | None = None
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._broken: set[str] = set()
        self._heard: dict[str, rules.Heard] = {}
        self._open = ExitStack()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[concurrent.futures.Future[None]] = set()
        self._running = 0
        self._idle = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def executor(self) -> str:
        """Who runs here."""
        return self._executor

    @property
    def launched(self) -> bool:
        """Whether DBOS is at work: from the first wanted row on."""
        return self._durable is not None

    def register(self, job: Job) -> None:
        """Declare rows that are carried out. Before `start`."""
        self._jobs[job.name] = job

    def start(self, *, patient: bool = True) -> bool:
        """Carry out what is wanted from now on; False where another process does so already.

        `patient`: take its place as soon as it has gone. Raises `Unavailable` where the home cannot be
        written.
        """
        descriptor = None if self._shared else self._lock_file()
        held = descriptor is None or _locked(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if descriptor is not None and not held and not patient:
            os.close(descriptor)
            return False
        self._thread = threading.Thread(
            target=self._serve, args=(descriptor, held), name="numen-work", daemon=True
        )
        self._thread.start()
        return held

    def poke(self) -> None:
        """Look for wanted rows now; a commit that touches a job's topics does so by itself."""
        self._wake.set()

    def hold(self, connection: WriteConnection, run: Run) -> None:
        """Let this transaction stand only if `run` is the latest attempt. Raises `Superseded`."""
        if not tables.stands(connection, run.id, run.epoch):
            raise Superseded(
                "Another attempt at the same work began since.", not_done="What this one did was not kept."
            )

    def close(self) -> None:
        """End: bodies are told, what is not done stays wanted, and the next engine takes it up."""
        self._closing.set()
        self._wake.set()
        if self._durable is not None:
            for task in list(self._tasks):
                task.cancel()
            with self._idle:
                self._idle.wait_for(lambda: self._running == 0, PATIENCE)
        if self._thread is not None and self._durable is not None:
            self._thread.join(PATIENCE)
        self._open.close()

    def _serve(self, descriptor: int | None, held: bool) -> None:
        """The engine's thread: sweep after each commit that may matter."""
        if descriptor is not None:
            if not held:
                _locked(descriptor, fcntl.LOCK_EX)
            self._open.callback(os.close, descriptor)
        topics = frozenset({TOPIC}).union(*(job.topics for job in self._jobs.values()))
        watch = self._store.watch(lambda _: self._wake.set(), topics)
        self._open.callback(watch.close)
        pause: float | None = 0.0
        while not self._closing.is_set():
            self._wake.wait(pause)
            self._wake.clear()
            if self._closing.is_set():
                return
            try:
                self._sweep()
                pause = rules.BEAT if self._shared and self.launched else None
            except Exception as error:  # noqa: BLE001 - the edge: the next sweep tries again
                self._tell(f"What is wanted could not be looked through. {_said(error)}")
                pause = AGAIN

    def _sweep(self) -> None:
        if self._shared and self.launched:
            self._listen()
        for job in self._jobs.values():
            for identifier in job.wanted():
                if identifier not in self._broken:
                    self._begin(job, identifier)

    def _begin(self, job: Job, identifier: str) -> None:
        """Start the run of a wanted row, where none is open."""
        durable = self._launched_one()
        with self._store.transaction() as connection:
            n = tables.want(connection, job.name, identifier, self._executor)
        if n is not None:
            durable.start(job.name, identifier, n)

    def _launched_one(self) -> Durable:
        """DBOS, launched once, with what this executor had left open taken up."""
        if self._durable is not None:
            return self._durable
        bodies = {job.name: partial(self._attempt, job) for job in self._jobs.values()}
        queues = {job.name: job.at_once for job in self._jobs.values() if job.at_once is not None}
        url = self._store.place.url if self._shared else f"sqlite:///{self._home / FILE}"
        if not self._shared:
            prepare(self._home / FILE)
        durable = self._make()(url, self._executor, bodies, queues)
        self._open.callback(durable.close)
        self._loop = self._open.enter_context(_loop())
        durable.launch()
        if self._shared:
            with self._store.transaction() as connection:
                tables.beat(connection, self._executor)
        else:
            close_to_others(self._home / FILE)
        with self._store.reading() as connection:
            left = tables.open_of(connection, self._executor)
        for job, identifier, n in left:
            if job in self._jobs:
                durable.start(job, identifier, n)
        self._durable = durable
        return durable

    def _attempt(self, job: Job, identifier: str, n: int) -> str:
        """One attempt at a run; the word that DBOS keeps says how it ended."""
        with self._counted():
            with self._store.transaction() as connection:
                epoch = tables.take(connection, identifier, n, self._executor)
            if epoch is None:
                return "over"
            run = Run(job.name, identifier, n, epoch, self._closing)
            word = "done"
            try:
                made = job.run(run)
                if inspect.iscoroutine(made):
                    self._await(cast("Coroutine[Any, Any, None]", made))
            except Superseded:
                return "superseded"
            except (concurrent.futures.CancelledError, asyncio.CancelledError):
                word = "interrupted"
            except Exception as error:  # noqa: BLE001 - the edge: whatever leaves a body is told to its row
                word = "failed"
                self._failed(job, identifier, error)
            with self._store.transaction() as connection:
                tables.end(connection, identifier, epoch)
                self._store.touches(connection, (TOPIC,))
            return word

    def _await(self, body: Coroutine[Any, Any, None]) -> None:
        assert self._loop is not None
        task = asyncio.run_coroutine_threadsafe(body, self._loop)
        self._tasks.add(task)
        try:
            if self._closing.is_set():
                task.cancel()
            task.result()
        finally:
            self._tasks.discard(task)

    def _failed(self, job: Job, identifier: str, error: Exception) -> None:
        self._broken.add(identifier)
        try:
            job.failed(identifier, error)
        except Exception as second:  # noqa: BLE001 - the edge: the row stays as it is until the next start
            self._tell(f"{job.name} {identifier} could not be settled. {_said(second)}")
        self._tell(f"{job.name} {identifier} failed. {_said(error)}")

    @contextmanager
    def _counted(self) -> Generator[None]:
        with self._idle:
            self._running += 1
        try:
            yield
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()

    def _listen(self) -> None:
        """Say that we live, and take up the work of those who do not (decision 9)."""
        with self._store.transaction() as connection:
            tables.beat(connection, self._executor)
        with self._store.reading() as connection:
            beats = tables.beats(connection)
        others = {name: count for name, count in beats.items() if name != self._executor}
        heard, dead = rules.listen(self._heard, others, self._clock.monotonic())
        self._heard = dict(heard)
        for name in dead:
            with self._store.reading() as connection:
                left = tables.open_of(connection, name)
            for job, identifier, n in left:
                self._inherit(job, identifier, n, name)
            with self._store.transaction() as connection:
                tables.bury(connection, name)
            del self._heard[name]

    def _inherit(self, job: str, identifier: str, n: int, dead: str) -> None:
        with self._store.transaction() as connection:
            ours = tables.inherit(connection, identifier, n, dead, self._executor)
        if ours and job in self._jobs and self._durable is not None:
            self._durable.resume(job, identifier, n)

    def _lock_file(self) -> int:
        try:
            if not self._home.exists():
                make_directory(self._home)
            return os.open(self._home / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Unavailable(
                f"{self._home / LOCK} cannot be opened: {error.strerror}.",
                not_done="Nothing runs by itself.",
                next_step="Check that the directory is yours and has space.",
            ) from error


@contextmanager
def _loop() -> Generator[asyncio.AbstractEventLoop]:
    """An event loop on a thread of its own; what still runs on it at the end is cancelled."""
    ready: concurrent.futures.Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = (
        concurrent.futures.Future()
    )

    async def live() -> None:
        over = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), over))
        await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(live(),), name="numen-work-loop", daemon=True)
    thread.start()
    loop, over = ready.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(PATIENCE)


def _locked(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how)
    except BlockingIOError:
        return False
    return True


def _said(error: Exception) -> str:
    return error.sentences() if isinstance(error, NumenError) else f"{type(error).__name__}: {error}"
