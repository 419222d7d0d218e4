"""The tools of every server, for whoever only wants to see them: connected to, asked, and left again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from numen.resident.hub import Hub
from numen.resident.servers import Drift, Servers
from numen.resident.types import Tool


async def _unsaid(_server: str, _tools: tuple[Tool, ...]) -> Drift | None:
    """Nobody: only a turn is told what is different."""
    return None


def listed(servers: Servers) -> tuple[Sequence[Tool], Mapping[str, str]]:
    """The tools that can be called now, and of each server that cannot be reached, why. It blocks."""

    async def look() -> tuple[Sequence[Tool], Mapping[str, str]]:
        hub = Hub(_unsaid)
        await hub.open(servers.list())
        try:
            return await hub.tools(), {name: why for name, why in hub.standing().items() if why}
        finally:
            await hub.close()

    return asyncio.run(look())
