"""Who runs turns in this process: one event loop in a thread of its own, with every tool server in it.

A turn's state is in the store alone, so it does not matter who runs it: `run` may be the body of a durable
workflow as well, and another process may take a turn over when this one is gone.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from numen.resident.hub import Hub
from numen.resident.loop import Loop
from numen.resident.means import stream_of
from numen.resident.servers import Drift, Servers
from numen.resident.turns import Superseded, Turns
from numen.resident.types import Tool, TurnState

T = TypeVar("T")

log = logging.getLogger("numen.resident")

WORKERS = 8
"""Threads for the store's calls of all turns of this process (ours: SQLite has one writer)."""

SWEEP_SECONDS = 30.0
"""How often turns at rest are looked at without being told of an answer: for what ran out (ours)."""

ASKS = "asks"
"""What is touched when an ask is answered (the gate's topic)."""


class Runner:
    """Runs turns side by side. Nothing is started before the first turn, or the first look at the tools."""

    def __init__(self, turns: Turns, servers: Servers, make: Callable[[Hub], Loop]) -> None:
        self._turns = turns
        self._servers = servers
        self._make = make
        self._lock = threading.Lock()
        self._here: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._running: dict[str, asyncio.Task[TurnState]] = {}
        self._again: set[str] = set()

    def begin(self, turn: str) -> None:
        """See to it that the turn is run from where it stands; returns at once."""
        here = self._started()
        here.call_soon_threadsafe(self._begin, turn)

    def run(self, turn: str) -> TurnState:
        """Run a turn until it is over or waits for a person; where it stands then. It blocks."""
        return self._wait(lambda: self._loop.run(turn))

    def recover(self) -> int:
        """Take up every turn that is not over; how many. For the one process that owns the engine."""
        left = self._turns.open()
        for one in left:
            self.begin(one.id)
        return len(left)

    def tools(self) -> tuple[Tool, ...]:
        """The tools of all servers that are connected now."""

        async def listed() -> tuple[Tool, ...]:
            return await self._hub.tools()

        return self._wait(listed)

    def standing(self) -> dict[str, str]:
        """Of each server, why it is not connected; empty where it is."""

        async def told() -> dict[str, str]:
            await self._hub.tools()
            return self._hub.standing()

        return self._wait(told)

    def close(self) -> None:
        """Stop running. What was at work stays as it is in the store, to be taken up again."""
        with self._lock:
            here, self._here = self._here, None
        if here is not None and self._thread is not None:
            here.call_soon_threadsafe(self._closing.set)
            self._thread.join()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._here is None:
                ready = threading.Event()
                here = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._live, args=(here, ready), name="resident", daemon=True
                )
                self._thread.start()
                ready.wait()
                self._here = here
            return self._here

    def _live(self, here: asyncio.AbstractEventLoop, ready: threading.Event) -> None:
        asyncio.set_event_loop(here)
        here.set_default_executor(ThreadPoolExecutor(WORKERS, thread_name_prefix="resident"))
        try:
            here.run_until_complete(self._serve(ready))
        finally:
            here.run_until_complete(here.shutdown_default_executor())
            here.close()

    async def _serve(self, ready: threading.Event) -> None:
        here = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._answered, self._rewired = asyncio.Event(), asyncio.Event()

        async def seen(server: str, tools: tuple[Tool, ...]) -> Drift | None:
            return await asyncio.to_thread(self._servers.seen, server, tools)

        self._hub = Hub(seen)
        self._loop = self._make(self._hub)
        watches = [
            self._turns.watch(ASKS, lambda: here.call_soon_threadsafe(self._answered.set)),
            self._turns.watch(stream_of("servers"), lambda: here.call_soon_threadsafe(self._rewired.set)),
        ]
        await self._hub.open(await asyncio.to_thread(self._servers.list))
        ready.set()
        minding = [asyncio.create_task(self._resume()), asyncio.create_task(self._rewire())]
        await self._closing.wait()
        for watch in watches:
            watch.close()
        left: list[asyncio.Task[None] | asyncio.Task[TurnState]] = [*minding, *self._running.values()]
        for task in left:
            task.cancel()
        await asyncio.wait(left)
        await self._hub.close()

    async def _resume(self) -> None:
        """Take up turns whose question was answered, or ran out."""
        while True:
            try:
                async with asyncio.timeout(SWEEP_SECONDS):
                    await self._answered.wait()
            except TimeoutError:
                pass
            self._answered.clear()
            for turn in await asyncio.to_thread(self._turns.ready):
                self._begin(turn)

    async def _rewire(self) -> None:
        while True:
            await self._rewired.wait()
            self._rewired.clear()
            await self._hub.open(await asyncio.to_thread(self._servers.list))

    def _begin(self, turn: str) -> None:
        if turn in self._running:
            self._again.add(turn)
            return
        task = asyncio.get_running_loop().create_task(self._loop.run(turn), name=turn)
        self._running[turn] = task
        task.add_done_callback(lambda ended: self._left(turn, ended))

    def _left(self, turn: str, task: asyncio.Task[TurnState]) -> None:
        del self._running[turn]
        fault = None if task.cancelled() else task.exception()
        if isinstance(fault, Superseded):
            log.info("turn %s is run by somebody else", turn)
        elif fault is not None:
            log.error("turn %s broke off", turn, exc_info=fault)
        if turn in self._again and not task.cancelled():
            self._again.discard(turn)
            self._begin(turn)

    def _wait(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        here = self._started()
        return asyncio.run_coroutine_threadsafe(work(), here).result()
