"""What every request passes before anything reads it: host, origin, size, key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numen.kernel import Forbidden, NumenError, Unauthorized
from numen.surfaces.errors import Misdirected, TooLarge, body, foreseen, http_status
from numen.surfaces.verbs import Caller

Admit: TypeAlias = "Callable[[str], Awaitable[Caller]]"
"""Who holds this bearer key; raises `Unauthorized` for nobody."""

Proxied: TypeAlias = "Callable[[Scope, Headers], Awaitable[Caller | None]]"
"""Whom a proxy let in, None where a key is needed; raises for what may not be let in at all."""

OPEN_PATHS = frozenset({"/", "/map", "/open", "/healthz", "/readyz"})
"""What answers without a key: health, and the page, which has its cookie."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names under which this machine knows itself."""


class Guard:
    """Lets a request through to `app` with its caller in `scope["state"]["caller"]`, or answers it.

    421 for a Host that is not ours and 403 for a foreign Origin: a page on another site whose name was
    rebound to this address gets nowhere. 413 for a body over `body_limit` bytes, counted as it arrives.
    401 for a missing or unknown key. A proxy's word (`proxied`) is judged before all paths, open ones too.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        admit: Admit,
        hosts: Iterable[str],
        body_limit: int,
        proxied: Proxied | None = None,
    ) -> None:
        self._app = app
        self._admit = admit
        self._proxied = proxied
        self._hosts = frozenset(hosts) | frozenset(LOOPBACK)
        self._limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the lifespan, which passes unseen."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._check(scope)
            await self._app(scope, self._counted(receive), watched)
        except Exception as error:
            if started:
                raise
            await refusal(foreseen(error))(scope, receive, send)

    async def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit:
            raise self._too_large()
        state = scope.setdefault("state", {})
        named = None if self._proxied is None else await self._proxied(scope, headers)
        if named is not None:
            state["proxied"], state["caller"] = named.name, named
        elif scope["path"] not in OPEN_PATHS:
            state["caller"] = await self._admit(_bearer(headers))

    def _check_host(self, headers: Headers) -> None:
        if _host(headers.get("host", "")) not in self._hosts:
            raise Misdirected("This server does not answer to that Host.", not_done="Nothing was read.")
        origin = headers.get("origin")
        if origin is not None and origin not in {
            f"{scheme}://{headers['host']}" for scheme in ("http", "https")
        }:
            raise Forbidden(
                "A page of another origin may not call this server.", not_done="Nothing was read."
            )

    def _counted(self, receive: Receive) -> Receive:
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._limit:
                raise self._too_large()
            return message

        return counted

    def _too_large(self) -> TooLarge:
        return TooLarge(f"The body is larger than {self._limit} bytes.", not_done="It was not read.")


def refusal(error: NumenError) -> Response:
    """The error as a response; a 401 says what it wants."""
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorized) else {}
    return Response(body(error), http_status(error), headers, "application/json")


def _bearer(headers: Headers) -> str:
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _host(value: str) -> str:
    """The Host header without its port."""
    name, colon, port = value.rpartition(":")
    return name if colon and port.isdigit() else value
