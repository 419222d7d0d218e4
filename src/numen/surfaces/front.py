"""The front of the server: it answers that the process lives while what is behind it is still imported."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from anyio.to_thread import run_sync
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numen import __version__
from numen.kernel import canonical_bytes

Served: TypeAlias = ASGIApp
"""What is behind the front."""

HEALTH = {"status": "ok", "version": __version__}
"""What `/healthz` says."""

FAILED = Response(
    canonical_bytes(
        {"detail": {"code": "unavailable", "message": "Numen could not start; its log says why."}}
    ),
    503,
    media_type="application/json",
)


class Front:
    """An ASGI app before the one that `make` builds, in a worker thread, once the server runs.

    Until that is there `/healthz` is answered from here, and every other request waits. If `make` fails,
    that is logged, and every request is answered 503.
    """

    def __init__(self, make: Callable[[], Served]) -> None:
        self._make = make
        self._served: Served | None = None
        self._opened = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the life of the server."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        if not self._opened.is_set() and scope.get("path") == "/healthz":
            await Response(canonical_bytes(HEALTH), media_type="application/json")(scope, receive, send)
            return
        await self._opened.wait()
        await (self._served or FAILED)(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say that the server started, build what is served, and hand it the rest of the server's life."""
        started = await receive()
        await send({"type": "lifespan.startup.complete"})
        try:
            self._served = await run_sync(self._make)
        except BaseException:
            self._opened.set()
            raise
        first = [started]

        async def told() -> Message:
            return first.pop() if first else await receive()

        async def tell(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                self._opened.set()
            else:
                await send(message)

        await self._served(scope, told, tell)
