"""The front answers before what is behind it is there, and never serves half of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from starlette.types import Message, Receive, Scope, Send

from numen.surfaces.front import Front, Served


async def asked(front: Front, path: str) -> int:
    """The status that a request gets."""
    said: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        said.append(message)

    await front({"type": "http", "path": path, "method": "GET", "headers": []}, receive, send)
    return int(said[0]["status"])


def lived(make: Callable[[], Served], body: Callable[[Front], Awaitable[None]]) -> None:
    """Run `body` while a server with this front lives."""

    async def run() -> None:
        front = Front(make)
        inbox: asyncio.Queue[Message] = asyncio.Queue()
        outbox: asyncio.Queue[Message] = asyncio.Queue()
        life = asyncio.create_task(front({"type": "lifespan"}, inbox.get, outbox.put))
        await inbox.put({"type": "lifespan.startup"})
        assert (await outbox.get())["type"] == "lifespan.startup.complete"
        await body(front)
        await inbox.put({"type": "lifespan.shutdown"})
        await life

    asyncio.run(run())


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    """A served app that answers 204 to everything."""
    if scope["type"] == "lifespan":
        for what in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{what}"
            await send({"type": f"lifespan.{what}.complete"})
        return
    await send({"type": "http.response.start", "status": 204, "headers": []})


@pytest.mark.promise("up.answers-at-once")
def test_health_is_answered_while_the_rest_is_built_and_everything_else_waits_for_it() -> None:
    built = threading.Event()

    def make() -> Served:
        assert built.wait(4)
        return behind

    async def body(front: Front) -> None:
        assert await asked(front, "/healthz") == 200
        waiting = asyncio.create_task(asked(front, "/v1/north"))
        assert await asked(front, "/healthz") == 200
        assert not waiting.done()
        built.set()
        assert await waiting == 204
        assert await asked(front, "/healthz") == 204

    lived(make, body)


@pytest.mark.promise("up.answers-at-once")
def test_a_server_that_cannot_be_built_says_so_and_serves_nothing() -> None:
    def make() -> Served:
        raise ImportError("a part is missing")

    async def body(front: Front) -> None:
        assert await asked(front, "/v1/north") == 503
        assert await asked(front, "/healthz") == 503

    with pytest.raises(ImportError, match="a part is missing"):
        lived(make, body)
