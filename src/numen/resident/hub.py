"""The tools of many MCP servers as one set: each by its server's name, each failing alone.

A server lives in a task of its own, which connects, lists, and connects again after a time that doubles when
it is lost. A call goes through whatever connection stands; where none does, only that call fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol, cast

import httpx2
import mcp_types as wire
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from numen import __version__
from numen.kernel import Json, canonical_text
from numen.resident import rules
from numen.resident.servers import Drift, ServerSpec
from numen.resident.types import Given, Input, InputState, ReadBack, Tool

READ_BACK = "numen/read_back"
"""Under which name a tool's `_meta` declares a look afterwards: `tool`, `args`, `expect` (`ReadBack`)."""

LONGEST_NAME = 64
"""Characters of a tool's name that every provider takes (OpenAI API reference, tools)."""

FIRST_TOOLS = 10.0
"""Seconds that a first question waits for servers that are only connecting (ours)."""

Asker = Callable[[str, Mapping[str, Json]], Awaitable[Input]]
"""Asks a person for what a running tool wants (an elicitation), and waits for the answer."""

Seen = Callable[[str, tuple[Tool, ...]], Awaitable[Drift | None]]

_NOTHING: Mapping[str, Json] = {}
_UNFIT = re.compile(r"[^a-zA-Z0-9_-]")
_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


class Tools(Protocol):
    """A set of tools that can be called."""

    async def tools(self) -> tuple[Tool, ...]:
        """What can be called now."""
        ...

    async def call(self, tool: Tool, args: Mapping[str, Json], ask: Asker) -> Given:
        """Call one. What fails is told in what is given; nothing is raised but a cancellation."""
        ...

    def news(self) -> list[str]:
        """What is different about servers since it was asked last, in sentences."""
        ...


@dataclass(eq=False)
class Link:
    """One server. `problem` says why it is not connected."""

    spec: ServerSpec
    seen: Seen
    tell: Callable[[str], None]
    client: Client | None = None
    tools: tuple[Tool, ...] = ()
    problem: str = "It is only connecting."
    failures: int = 0
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    askers: list[Asker] = field(default_factory=list[Asker])

    async def live(self) -> None:
        """Be connected, for as long as this is not cancelled."""
        while True:
            try:
                await self._connected()
            except Exception as error:  # noqa: BLE001 - the edge: a foreign server's fault is its own
                self._fell(_why(error))
            self.tried.set()
            await asyncio.sleep(rules.wait_before(self.failures))

    async def call(self, tool: Tool, args: Mapping[str, Json], ask: Asker) -> Given:
        """Call a tool of this server; one that does not answer in time, or dies, leaves it uncertain."""
        if self.client is None:
            return Given(f"The server {self.spec.name} is not connected: {self.problem}", ok=False)
        limit = asyncio.timeout(self.spec.timeout)

        async def patiently(message: str, schema: Mapping[str, Json]) -> Input:
            limit.reschedule(None)  # a person takes the time that they take
            try:
                return await ask(message, schema)
            finally:
                limit.reschedule(asyncio.get_running_loop().time() + self.spec.timeout)

        token = _asker.set(patiently)
        self.askers.append(patiently)
        try:
            async with limit:
                return _given(await self.client.call_tool(tool.tool, dict(args)))
        except TimeoutError:
            why = f"{self.spec.name} did not answer within {self.spec.timeout:g} s."
            return Given(why, ok=False, certain=False)
        except MCPError as error:
            if error.code in {wire.CONNECTION_CLOSED, wire.REQUEST_TIMEOUT}:
                self.lost.set()
                return Given(f"{self.spec.name} was lost: {error.message}", ok=False, certain=False)
            return Given(f"{self.spec.name} refused the call: {error.message}", ok=False)
        except Exception as error:  # noqa: BLE001 - the edge: a foreign server's fault is its own
            self.lost.set()
            return Given(f"{self.spec.name} was lost: {_why(error)}", ok=False, certain=False)
        finally:
            self.askers.remove(patiently)
            _asker.reset(token)

    async def elicited(self, _context: object, params: wire.ElicitRequestParams) -> wire.ElicitResult:
        """What a person answers to a tool that asks while it runs."""
        ask = _asker.get() or (self.askers[-1] if self.askers else None)
        if ask is None or not isinstance(params, wire.ElicitRequestFormParams):
            return wire.ElicitResult(action="decline")
        schema = cast("Mapping[str, Json]", params.model_dump(by_alias=True, mode="json")["requestedSchema"])
        answer = await ask(params.message, schema)
        if answer.state is not InputState.ACCEPT:
            return wire.ElicitResult(action="cancel" if answer.state is InputState.CANCEL else "decline")
        return wire.ElicitResult.model_validate({"action": "accept", "content": dict(answer.answer or {})})

    async def _connected(self) -> None:
        self.lost.clear()
        async with _client(self.spec, self.elicited) as client:
            found = await _listed(client)
            self.tools = tuple(_tool(self.spec.name, one) for one in found)
            drift = await self.seen(self.spec.name, self.tools)
            if drift is not None:
                self.tell(drift.words)
            self.client, self.failures = client, 0
            self.tried.set()
            await self.lost.wait()
        self._fell("The connection was lost.")

    def _fell(self, why: str) -> None:
        if self.failures == 0:
            self.tell(f"The server {self.spec.name} is not there: {why}")
        self.client, self.problem = None, why
        self.failures += 1


class Hub:
    """Every server of a store, in the event loop in which it is opened."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._links: dict[str, tuple[Link, asyncio.Task[None]]] = {}
        self._opening = asyncio.Lock()
        self._news: list[str] = []

    async def open(self, specs: tuple[ServerSpec, ...]) -> None:
        """Be connected to exactly these servers; those that are there already stay as they are."""
        wanted = {one.name: one for one in specs}
        async with self._opening:
            for name, (link, task) in list(self._links.items()):
                if wanted.get(name) != link.spec:
                    del self._links[name]
                    await _ended(task)
            for name in wanted.keys() - self._links.keys():
                link = Link(wanted[name], self._seen, self._news.append)
                self._links[name] = link, asyncio.create_task(link.live(), name=f"mcp {name}")

    async def close(self) -> None:
        """Let every server go."""
        await self.open(())

    async def tools(self) -> tuple[Tool, ...]:
        """The tools of the servers that are connected; those that are only connecting are waited for once."""
        links = [link for link, _ in self._links.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_TOOLS):
                for link in links:
                    await link.tried.wait()
        return tuple(tool for link in links if link.client is not None for tool in link.tools)

    async def call(self, tool: Tool, args: Mapping[str, Json], ask: Asker) -> Given:
        """Call a tool at its server."""
        link = self._links.get(tool.server)
        if link is None:
            return Given(f"There is no server {tool.server} any more.", ok=False)
        return await link[0].call(tool, args, ask)

    def news(self) -> list[str]:
        """What is different about servers since it was asked last."""
        told, self._news[:] = list(self._news), []
        return told

    def standing(self) -> dict[str, str]:
        """Of each server, why it is not connected; empty where it is."""
        return {name: "" if link.client else link.problem for name, (link, _) in self._links.items()}


async def looked_at(specs: tuple[ServerSpec, ...]) -> dict[str, tuple[Tool, ...] | str]:
    """Of each server its tools, or why it is not there. For one look; nothing is kept."""

    async def seen(_server: str, _tools: tuple[Tool, ...]) -> None:
        return None

    hub = Hub(seen)
    await hub.open(specs)
    try:
        tools = await hub.tools()
        return {
            name: why or tuple(one for one in tools if one.server == name)
            for name, why in hub.standing().items()
        }
    finally:
        await hub.close()


@contextlib.asynccontextmanager
async def _client(
    spec: ServerSpec, elicited: Callable[..., Awaitable[wire.ElicitResult]]
) -> AsyncGenerator[Client]:
    """A connection to a server, either protocol generation, as long as the `with` lasts."""
    about = wire.Implementation(name="numen", version=__version__)
    async with contextlib.AsyncExitStack() as stack:
        if spec.url is None:
            env = {name: os.environ[name] for name in spec.env if name in os.environ}
            command, *args = spec.command
            reached = StdioServerParameters(command=command, args=args, env=env, cwd=spec.cwd)
        else:
            headers = {header: os.environ.get(name, "") for header, name in spec.headers.items()}
            web = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(30, read=None))
            reached = streamable_http_client(spec.url, http_client=await stack.enter_async_context(web))
        client = Client(reached, client_info=about, elicitation_callback=elicited)  # pyright: ignore[reportArgumentType]
        yield await stack.enter_async_context(client)


async def _listed(client: Client) -> list[wire.Tool]:
    found: list[wire.Tool] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if not cursor:
            return found


def _tool(server: str, told: wire.Tool) -> Tool:
    hints = {} if told.annotations is None else told.annotations.model_dump(by_alias=True)
    back = (told.meta or {}).get(READ_BACK)
    return Tool(
        tool_name(server, told.name),
        server,
        told.name,
        told.description or "",
        cast("Mapping[str, Json]", told.input_schema),
        {name: value for name, value in hints.items() if isinstance(value, bool)},
        _read_back(cast("Json", back)),
    )


def tool_name(server: str, tool: str) -> str:
    """The name by which a model calls a server's tool; a long one ends in a digest of the whole."""
    name = f"{server}__{_UNFIT.sub('_', tool)}"
    if len(name) <= LONGEST_NAME and _UNFIT.search(tool) is None:
        return name
    return f"{name[: LONGEST_NAME - 9]}_{sha256(tool.encode()).hexdigest()[:8]}"


def _read_back(told: Json) -> ReadBack | None:
    if not isinstance(told, Mapping):
        return None
    tool, args, expect = told.get("tool"), told.get("args", _NOTHING), told.get("expect")
    if isinstance(tool, str) and isinstance(args, Mapping) and isinstance(expect, Mapping) and expect:
        return ReadBack(tool, args, expect)
    return None


def _given(result: wire.CallToolResult) -> Given:
    parts: list[str] = []
    for block in result.content:
        if isinstance(block, wire.TextContent):
            parts.append(block.text)
        elif isinstance(block, wire.ResourceLink):
            parts.append(f"[{block.name}: {block.uri}]")
        elif isinstance(block, wire.EmbeddedResource):
            text = getattr(block.resource, "text", None)
            parts.append(text if isinstance(text, str) else f"[{block.resource.uri}: not text]")
        else:
            parts.append(f"[{block.type} {block.mime_type}, {len(block.data) * 3 // 4} bytes]")
    if not parts and result.structured_content is not None:
        parts.append(canonical_text(cast("Json", json.loads(json.dumps(result.structured_content)))))
    return Given("\n".join(parts), ok=not result.is_error)


def _why(error: BaseException) -> str:
    """The first plain reason in a group of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
