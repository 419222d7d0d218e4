"""Who runs turns: a job of the durable engine, with every tool server in the engine's event loop.

A turn's state is in the store alone. So the body of its workflow is only: run it from where it stands. A
turn that waits for a person ends its run, and is wanted again once it is answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from numen.resident.hub import Hub
from numen.resident.loop import Loop
from numen.resident.servers import Drift, Servers
from numen.resident.turns import Turns
from numen.resident.types import Tool
from numen.work import Run


class Runner:
    """Runs turns side by side in the engine's loop. `make` gives the loop of turns over a hub of tools."""

    def __init__(self, turns: Turns, servers: Servers, make: Callable[[Hub], Loop]) -> None:
        self._turns = turns
        self._servers = servers
        self._make = make
        self._made: tuple[asyncio.AbstractEventLoop, Hub, Loop] | None = None

    async def run(self, run: Run) -> None:
        """Run one turn until it is over or waits for a person."""
        loop = await self._here()
        await loop.run(run.id)

    async def _here(self) -> Loop:
        """The loop of this event loop, its servers as the store names them now."""
        here = asyncio.get_running_loop()
        if self._made is None or self._made[0] is not here:

            async def seen(server: str, tools: tuple[Tool, ...]) -> Drift | None:
                return await asyncio.to_thread(self._servers.seen, server, tools)

            hub = Hub(seen)
            self._made = (here, hub, self._make(hub))
        _, hub, loop = self._made
        await hub.open(await asyncio.to_thread(self._servers.list))
        return loop
