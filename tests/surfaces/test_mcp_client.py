"""The official client, in both generations of the protocol, over stdio and over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import mcp_types as wire
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.surfaces.processes import NUMEN, Server, environment, make_repository, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60), pytest.mark.anyio]

GENERATIONS = [("legacy", "2025"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
QUESTION = "where are apples added to a basket?"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, place: Path) -> Path:
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "ingest", cwd=place).returncode == 0
    return home


@pytest.fixture(scope="module")
def server(home: Path, place: Path) -> Iterator[Server]:
    with serving(home, place) as server:
        yield server


def stdio(home: Path, place: Path, *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=NUMEN[0], args=["mcp", *arguments], env=environment(home), cwd=str(place)
    )


@asynccontextmanager
async def over_http(server: Server, mode: str, key: str | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key or server.key}"}
    url = f"http://127.0.0.1:{server.port}/mcp"
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as plain,
        Client(streamable_http_client(url, http_client=plain), mode=mode) as client,
    ):
        yield client


def packet(result: wire.CallToolResult) -> dict[str, object]:
    assert not result.is_error, result
    assert result.structured_content is None
    [content] = result.content
    assert isinstance(content, wire.TextContent)
    return json.loads(content.text)


async def orients(client: Client, version: str) -> None:
    """List, ask, be refused, be wrong: what any host does."""
    assert client.protocol_version.startswith(version)
    listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == [
        "north",
        "seek",
        "impact",
        "cockpit",
        "mission",
        "ingest",
        "remember",
        "recall",
        "forget",
        "turn",
        "delegate",
        "asks",
    ]
    seen = packet(await client.call_tool("north", {"task": QUESTION}))
    assert seen["schema"] == "numen-north-v1"
    assert seen["context"]["focus"][0]["id"] == "orchard/basket.py::Basket.add_apple"
    with pytest.raises(MCPError) as caught:
        await client.call_tool("north", {"tsak": QUESTION})
    assert caught.value.code == -32602
    assert "Did you mean `task`?" in caught.value.message


@pytest.mark.promise("mcp.both-generations")
@pytest.mark.parametrize(("mode", "version"), GENERATIONS)
async def test_the_official_client_orients_itself_over_stdio(
    home: Path, place: Path, mode: str, version: str
) -> None:
    async with Client(stdio(home, place), mode=mode) as client:
        await orients(client, version)


@pytest.mark.promise("mcp.both-generations")
@pytest.mark.parametrize(("mode", "version"), GENERATIONS)
async def test_the_official_client_orients_itself_over_http(server: Server, mode: str, version: str) -> None:
    async with over_http(server, mode) as client:
        await orients(client, version)


async def test_a_restart_of_the_server_loses_no_session(home: Path, place: Path) -> None:
    with serving(home, place) as first:
        port = first.port
        async with over_http(first, "legacy") as client:
            await client.list_tools()
            first.process.terminate()
            first.process.wait(10)
            with serving(home, place, port=port) as again:
                assert again.port == port
                assert (await client.list_tools()).tools


@pytest.mark.promise("mcp.caller-root")
async def test_the_clients_own_root_is_where_the_caller_stands(
    home: Path, place: Path, tmp_path: Path
) -> None:
    """A host that works elsewhere than the repository that was bound is told so at once."""
    other = make_repository(tmp_path / "other")

    async def roots(_: object) -> wire.ListRootsResult:
        return wire.ListRootsResult(roots=[wire.Root(uri=other.as_uri())])

    bound = stdio(home, place, "--repo", str(place))
    async with Client(bound, mode="legacy", list_roots_callback=roots) as client:
        seen = packet(await client.call_tool("north", {"task": QUESTION}))
    assert seen["verdict"]["state"] == "wrong_repo"
    assert seen["reception"]["yours"] == str(other)


@pytest.mark.promise("mcp.caller-root")
async def test_a_client_whose_root_is_the_bound_repository_is_where_it_should_be(
    home: Path, place: Path
) -> None:
    async def roots(_: object) -> wire.ListRootsResult:
        return wire.ListRootsResult(roots=[wire.Root(uri=place.as_uri())])

    async with Client(stdio(home, place), mode="legacy", list_roots_callback=roots) as client:
        seen = packet(await client.call_tool("north", {"task": QUESTION}))
    assert "reception" not in seen


async def test_a_client_that_cannot_say_its_roots_is_answered_all_the_same(home: Path, place: Path) -> None:
    async def roots(_: object) -> wire.ErrorData:
        return wire.ErrorData(code=-32603, message="no roots today")

    async with Client(stdio(home, place), mode="legacy", list_roots_callback=roots) as client:
        assert packet(await client.call_tool("north", {"task": QUESTION}))["schema"] == "numen-north-v1"


async def test_a_server_started_outside_of_any_repository_is_bound_to_the_clients_root(
    home: Path, place: Path, tmp_path: Path
) -> None:
    async def roots(_: object) -> wire.ListRootsResult:
        return wire.ListRootsResult(roots=[wire.Root(uri=place.as_uri())])

    async with Client(stdio(home, tmp_path), mode="legacy", list_roots_callback=roots) as client:
        seen = packet(await client.call_tool("north", {"task": QUESTION}))
    assert seen["brain"]["root"] == str(place)


@pytest.mark.promise("mcp.stranger-by-default")
async def test_a_stranger_builds_the_index_of_the_bound_repository_and_of_no_other(
    tmp_path: Path, place: Path
) -> None:
    home, other = tmp_path / "home", make_repository(tmp_path / "other")
    home.mkdir()
    async with Client(stdio(home, place)) as client:
        cold = packet(await client.call_tool("north", {"task": QUESTION}))
        assert cold["needs"] == "needs_ingest"
        repair = cold["recovery"]
        built = packet(await client.call_tool(repair["tool"], repair["args"]))
        assert built["files"] == 5
        assert packet(await client.call_tool("north", {"task": QUESTION}))["verdict"]["state"] == "full_trust"
        refused = await client.call_tool("ingest", {"path": str(other)})
        assert refused.is_error


@pytest.mark.promise("mcp.stranger-by-default")
async def test_the_owner_on_stdio_names_any_repository(home: Path, place: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    async with Client(stdio(home, place, "--as", "owner")) as client:
        seen = packet(await client.call_tool("north", {"task": QUESTION, "repo": str(other)}))
    assert seen["brain"]["root"] == str(other)


async def test_many_calls_at_once_are_all_answered_and_each_its_own(server: Server) -> None:
    words = [f"apple {number}" for number in range(40)]
    found: dict[str, object] = {}

    async with over_http(server, "auto") as client, anyio.create_task_group() as tasks:

        async def ask(task: str) -> None:
            found[task] = packet(await client.call_tool("north", {"task": task}))["task"]

        for task in words:
            tasks.start_soon(ask, task)
    assert found == {task: task for task in words}
