"""A turn over HTTP as it goes: one event a step, then the answer or the error, as server-sent events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import anyio
from anyio import from_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from numen.kernel import canonical_bytes
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen
from numen.surfaces.verbs import Caller

MEDIA_TYPE = "text/event-stream"


class Steps(Response):
    """The answer of a verb that has steps. A client that leaves ends it."""

    media_type = MEDIA_TYPE

    def __init__(self, desk: Desk, verb: str, given: Mapping[str, object], caller: Caller) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._desk = desk
        self._verb = verb
        self._given = given
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What is sent was cleaned: the answer by the desk, and of a step only its name is told."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_gone, receive, tasks.cancel_scope)
            await self._run(send)
            tasks.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b""})

    async def _run(self, send: Send) -> None:
        def step(done: int, total: int, name: str) -> None:
            from_thread.check_cancelled()
            from_thread.run(_event, send, "step", canonical_bytes({"n": done, "of": total, "step": name}))

        try:
            caller = replace(self._caller, step=step)
            said = await self._desk.answer_soon(self._verb, self._given, caller)
            await _event(send, "turn", said)
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            detail = await self._desk.soon(partial(self._desk.threshold.detail, foreseen(error)))
            await _event(send, "error", canonical_bytes(detail))


async def _event(send: Send, name: str, data: bytes) -> None:
    body = b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive, work: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    work.cancel()
