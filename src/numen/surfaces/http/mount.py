"""A part of the server that is built at its first request, because importing it is dear."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus
from anyio.to_thread import run_sync
from starlette.types import Receive, Scope, Send


class Part(Protocol):
    """An ASGI app that works while its `run` context is open."""

    def run(self) -> AbstractAsyncContextManager[None]:
        """Open for as long as the server lives."""
        ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        ...


class Mount:
    """Answers with the part that `make` builds; built once, in a worker thread, when first asked for."""

    def __init__(self, make: Callable[[], Part]) -> None:
        self._make = make
        self._part: Part | None = None
        self._lock = anyio.Lock()
        self._tasks: TaskGroup | None = None

    def open(self, tasks: TaskGroup) -> None:
        """The server lives: parts may be started in `tasks`."""
        self._tasks = tasks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, after the part has been built."""
        async with self._lock:
            if self._part is None:
                self._part = await self._started()
        await self._part(scope, receive, send)

    async def _started(self) -> Part:
        assert self._tasks is not None, "a request cannot come before the server lives"
        part = await run_sync(self._make)
        await self._tasks.start(_hold, part)
        return part


async def _hold(part: Part, *, task_status: TaskStatus[None]) -> None:
    async with part.run():
        task_status.started()
        await anyio.sleep_forever()
