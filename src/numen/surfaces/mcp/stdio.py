"""`numen mcp`: the MCP server on stdin and stdout, for any host that starts it."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import unquote, urlsplit

import anyio
import mcp_types as wire
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream
from cyclopts import Parameter
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from numen.app import build, load
from numen.kernel import NumenError
from numen.settings import load as load_settings
from numen.surfaces.desk import Desk
from numen.surfaces.mcp.server import Context, make_server
from numen.surfaces.screen import adopt
from numen.surfaces.verbs import Caller

if TYPE_CHECKING:
    from numen.people.types import Door

ROOTS_SECONDS = 2.0
"""How long a client may take to say its roots before its call goes on without them (ours)."""

UNNAMED = "mcp"
"""The agent id of a client that does not say its name."""


def mcp(
    *,
    as_: Annotated[
        Literal["owner"] | None, Parameter(name="--as", help="Speak for the owner; otherwise a stranger.")
    ] = None,
    repo: Annotated[Path | None, Parameter(help="The repository meant when none is named.")] = None,
    read_only: Annotated[bool, Parameter(help="Refuse every verb that writes.")] = False,
) -> None:
    """Serve MCP on stdin and stdout: the verbs as tools, until stdin closes.

    Without `--as owner` the caller is a stranger, or the holder of the key in NUMEN_KEY.
    """
    app = build(load_settings())
    try:
        desk = Desk(app, read_only=read_only, lasting=True)
        adopt(desk.threshold)
        client = Client(as_ == "owner", repo)
        try:
            anyio.run(_serve, desk, client)
        finally:
            client.leave(desk)
    finally:
        app.close()


async def _serve(desk: Desk, client: Client) -> None:
    server = make_server(desk, client.caller)
    server.add_notification_handler(
        "notifications/roots/list_changed", wire.NotificationParams, client.roots_changed
    )
    async with anyio.create_task_group() as tasks:
        server.middleware.append(_Warming(tasks, desk))
        async with stdio_server() as (messages, answers), _readable(messages, answers.send) as read:
            await server.run(read, answers, server.create_initialization_options())


class _Warming:
    """Opens the services behind the first answer: the hello does not wait for them, nor the first call."""

    def __init__(self, tasks: TaskGroup, desk: Desk) -> None:
        self._tasks = tasks
        self._desk = desk
        self._begun = False

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if not self._begun:
            self._begun = True
            self._tasks.start_soon(anyio.to_thread.run_sync, self._open)
        return result

    def _open(self) -> None:
        with suppress(NumenError):  # whoever calls is told then
            self._desk.app.warm()
            self._desk.threshold.warm()


class Client:
    """The one client of this process: who it may be, and where it stands as far as it says."""

    def __init__(self, as_owner: bool, repo: Path | None) -> None:
        self._as_owner = as_owner
        self._session = secrets.token_hex(8)
        self._door: Door | None = None
        self._repo = None if repo is None else Path(os.path.realpath(repo))
        self._here = Path(os.path.realpath(os.getcwd()))
        self._standing = self._here if _in_repository(self._here) else None
        self._root: Path | None = None
        self._asked = False

    async def caller(self, context: Context) -> Caller:
        """The caller of this request; asks the client for its roots once, where it offers them."""
        if not self._asked:
            self._asked = True
            self._root = await _first_root(context)
        if self._door is None:
            self._door = await anyio.to_thread.run_sync(self._made_door)
        info = context.session.client_params
        name = (info.client_info.name if info else "") or UNNAMED
        bound = self._repo or self._standing or self._root or self._here
        return Caller(self._door, name, bound, self._root or self._standing, session=self._session)

    def leave(self, desk: Desk) -> None:
        """Let others see at once that this hand is gone, and not only when two minutes have passed."""
        if self._door is None or desk.read_only:
            return
        with suppress(NumenError):  # the presence then ends by itself
            scope = desk.app.people.resolve(self._door)
            desk.app.presences.leave(scope, self._session)

    def _made_door(self) -> Door:
        """Made at the first call: its import is dear, and the hello is not to wait for it."""
        make = load("people").Stdio
        return make(os.getuid(), self._session, self._as_owner, os.environ.get("NUMEN_KEY"))

    async def roots_changed(self, context: Context, params: wire.NotificationParams | None) -> None:
        """Ask again at the next call."""
        del context, params
        self._asked = False


async def _first_root(context: Context) -> Path | None:
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return None
    try:
        answer = await context.session.send_request(
            wire.ListRootsRequest(), wire.ListRootsResult, request_read_timeout_seconds=ROOTS_SECONDS
        )
    except (MCPError, ValidationError):
        return None
    for root in answer.roots:
        parts = urlsplit(str(root.uri))
        if parts.scheme == "file" and parts.path:
            return Path(os.path.realpath(unquote(parts.path)))
    return None


def _in_repository(place: Path) -> bool:
    return any((folder / ".git").exists() for folder in (place, *place.parents))


@asynccontextmanager
async def _readable(
    messages: AsyncIterable[SessionMessage | Exception], answer: Callable[[SessionMessage], Awaitable[None]]
) -> AsyncGenerator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """`messages` without the lines that could not be read; each of those is answered as a parse error."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)

    async def pass_on() -> None:
        async with sender:
            async for message in messages:
                if isinstance(message, Exception):
                    await answer(SessionMessage(_unreadable(message)))
                else:
                    await sender.send(message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on)
        yield receiver
        tasks.cancel_scope.cancel()


def _unreadable(fault: Exception) -> wire.JSONRPCError:
    """JSON-RPC 2.0, section 5.1: text that is no JSON and JSON that is no message have codes of their own."""
    is_json = isinstance(fault, ValidationError) and fault.errors()[0]["type"] != "json_invalid"
    code = wire.INVALID_REQUEST if is_json else wire.PARSE_ERROR
    error = wire.ErrorData(code=code, message="The line is not a JSON-RPC message.")
    return wire.JSONRPCError(jsonrpc="2.0", id=None, error=error)
