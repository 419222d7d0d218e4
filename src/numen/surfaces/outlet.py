"""The last stage of every answer over HTTP: what has passed no threshold yet passes it here."""

from __future__ import annotations

from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numen.kernel import NumenError
from numen.surfaces.desk import Desk
from numen.surfaces.errors import Defect, body
from numen.surfaces.threshold import Threshold

SAID_ELSEWHERE = frozenset({"set-cookie", "content-security-policy"})
"""Headers with words that are ours alone."""


def passed(request: HTTPConnection) -> None:
    """Say that the answer to this request is clean already, or that its words are ours alone.

    An answer that flows must say so, and be cleaned as it flows: any other is held until it is whole.
    """
    request.state.passed = True


class Outlet:
    """Lets the answers of `app` out clean; the very same bytes where no value is in them.

    Where the threshold fails, the answer does not go out: 500, in words that hold nothing of it.
    """

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan, which passes unseen."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = cast("dict[str, object]", scope.setdefault("state", {}))
        held: list[Message] = []

        async def out(message: Message) -> None:
            if state.get("passed"):
                await send(message)
                return
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                for part in await self._desk.soon(lambda: _clean(self._desk.threshold, held)):
                    await send(part)

        await self._app(scope, receive, out)


def _clean(threshold: Threshold, held: list[Message]) -> list[Message]:
    """A whole answer, without values."""
    start = held[0]
    data = b"".join(cast("bytes", part.get("body", b"")) for part in held[1:])
    headers = MutableHeaders(raw=list(cast("list[tuple[bytes, bytes]]", start.get("headers", []))))
    try:
        clean = threshold.body(data) if data else data
        for name, value in list(headers.items()):
            if name not in SAID_ELSEWHERE and threshold.clean(value) != value:
                del headers[name]
    except Exception as error:  # noqa: BLE001 - the edge: whatever fails here, no value gets out for it
        clean, headers = body(_fault(error)), MutableHeaders(raw=[(b"content-type", b"application/json")])
        start = {**start, "status": Defect.http_status}
    if clean is not data:
        headers["content-length"] = str(len(clean))
    return [{**start, "headers": headers.raw}, {"type": "http.response.body", "body": clean}]


def _fault(error: Exception) -> NumenError:
    return Defect(
        f"The answer could not be looked through for secrets: {type(error).__name__}.",
        not_done="It was not sent.",
        next_step="Please report this line and what you asked for.",
    )
