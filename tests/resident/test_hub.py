"""The hub with real servers, on stdio and over HTTP: each by its name, each failing alone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest

from numen.kernel import InvalidInput, Json
from numen.people import NotOwner
from numen.resident import Input, InputState, ServerSpec, Tool, spec_of
from numen.resident.hub import Hub, looked_at, tool_name
from tests.mind.rooms import START
from tests.resident.rooms import ROOT, house

LAB = (sys.executable, "-m", "tests.resident.lab")


def stdio(name: str, *more: str, timeout: float = 20.0) -> ServerSpec:
    return ServerSpec(name, (*LAB, *more), cwd=str(ROOT), timeout=timeout)


async def nobody(message: str, schema: Mapping[str, Json]) -> Input:
    raise AssertionError(message)


async def quiet(_server: str, _tools: tuple[Tool, ...]) -> None:
    return None


@contextlib.asynccontextmanager
async def hub(*specs: ServerSpec) -> AsyncIterator[Hub]:
    made = Hub(quiet)
    await made.open(specs)
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture(scope="module")
def over_http() -> Iterator[str]:
    """The URL of a server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*LAB, "--http", str(port)], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("resident.hub")
def test_servers_stand_side_by_side_and_one_that_dies_fails_its_own_calls_only(over_http: str) -> None:
    async def play() -> None:
        gone = ServerSpec("gone", ("/no/such/program",))
        async with hub(stdio("one", timeout=5), ServerSpec("two", url=over_http), gone) as it:
            tools = {one.name: one for one in await it.tools()}
            assert {"one__add", "two__add", "one__die", "two__wipe"} <= tools.keys()
            assert not any(name.startswith("gone") for name in tools)
            assert it.standing()["gone"]
            assert tools["one__add"].hints["readOnlyHint"] is True
            assert tools["one__add"].schema["required"] == ["a", "b"]
            for name in ("one__add", "two__add"):
                given = await it.call(tools[name], {"a": 1, "b": 2}, nobody)
                assert (given.text, given.ok) == ("3", True)
            failed = await it.call(tools["two__fail"], {}, nobody)
            assert (failed.ok, failed.certain) == (False, True)
            dead = await it.call(tools["one__die"], {}, nobody)
            assert (dead.ok, dead.certain) == (False, False)
            assert (await it.call(tools["two__add"], {"a": 2, "b": 2}, nobody)).text == "4"
            async with asyncio.timeout(30):
                while not (await it.call(tools["one__add"], {"a": 1, "b": 1}, nobody)).ok:
                    await asyncio.sleep(0.05)
            assert any("one is not there" in line for line in it.news())

    asyncio.run(play())


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("resident.elicitation", "resident.hub")
def test_a_server_asks_a_person_while_its_call_runs_and_one_that_hangs_is_given_up(over_http: str) -> None:
    asked: list[str] = []

    async def person(message: str, schema: Mapping[str, Json]) -> Input:
        asked.append(message)
        assert "sure" in str(schema)
        return Input("i", "s", "t", "c", InputState.ACCEPT, START, {"sure": True})

    async def play() -> None:
        async with hub(stdio("one", timeout=1.0), ServerSpec("two", url=over_http, timeout=10)) as it:
            tools = {one.name: one for one in await it.tools()}
            for name in ("one", "two"):
                given = await it.call(tools[f"{name}__wipe"], {"what": "it"}, person)
                assert given.text == "it wiped"
            hung = await it.call(tools["one__hang"], {}, nobody)
            assert (hung.ok, hung.certain) == (False, False)
            assert "did not answer" in hung.text

    asyncio.run(play())
    assert asked == ["Wipe it?", "Wipe it?"]


@pytest.mark.promise("resident.hub")
def test_tools_that_vanish_come_and_change_are_told_once(tmp_path: Path) -> None:
    def tool(name: str, words: str = "") -> Tool:
        return Tool(f"lab__{name}", "lab", name, words, {})

    with house(tmp_path, tmp_path) as it:
        servers = it.resident.servers
        assert servers.seen("lab", [tool("a"), tool("b"), tool("c")]) is None
        drift = servers.seen("lab", [tool("a"), tool("c", "another"), tool("d")])
        assert drift is not None
        assert drift.words == "lab: 1 tool vanished (b); 1 tool came (d); 1 tool changed (c)."
        assert servers.seen("lab", [tool("a"), tool("c", "another"), tool("d")]) is None


@pytest.mark.promise("resident.hub")
def test_only_the_owner_connects_servers_and_no_value_of_a_variable_is_kept(tmp_path: Path) -> None:
    with house(tmp_path, tmp_path) as it:
        servers = it.resident.servers
        with pytest.raises(NotOwner):
            servers.add(it.stranger, "lab", {"command": "x"})
        servers.add(it.me, "lab", {"command": "x", "args": ["-y"], "env": ["LAB_TOKEN"]})
        servers.add(it.me, "web", {"url": "https://x.test/mcp", "headers": {"Authorization": "LAB_AUTH"}})
        assert [one.name for one in servers.list()] == ["lab", "web"]
        assert [spec_of(one.name, one.as_json()) for one in servers.list()] == list(servers.list())
        servers.remove(it.me, "lab")
        assert [one.name for one in servers.list()] == ["web"]


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("Lab", {"command": "x"}),
        ("a__b", {"command": "x"}),
        ("lab", {}),
        ("lab", {"command": "x", "url": "http://x"}),
        ("lab", {"url": "file:///x"}),
        ("lab", {"command": "x", "env": ["TOKEN=abc"]}),
        ("lab", {"url": "http://x", "headers": {"Authorization": "Bearer abc"}}),
        ("lab", {"command": "x", "timeout": 0}),
        ("lab", {"command": "x", "tiemout": 3}),
    ],
)
def test_a_server_that_cannot_be_reached_so_is_refused_with_the_reason(
    name: str, spec: dict[str, Json]
) -> None:
    with pytest.raises(InvalidInput):
        spec_of(name, spec)


def test_a_long_or_odd_name_of_a_tool_becomes_one_that_every_provider_takes() -> None:
    assert tool_name("lab", "add") == "lab__add"
    odd = {tool_name("lab", name) for name in ("a.b", "a/b", "x" * 80, "x" * 81)}
    assert len(odd) == 4
    assert all(len(name) <= 64 for name in odd)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_one_look_at_servers_tells_their_tools_or_why_they_are_not_there() -> None:
    found = asyncio.run(looked_at((stdio("one", "--without", "die"), ServerSpec("gone", ("/no/such",)))))
    assert isinstance(found["gone"], str)
    names = [one.tool for one in found["one"] if isinstance(one, Tool)]
    assert "add" in names
    assert "die" not in names


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("resident.homelab")
def test_the_homelab_plays_through_on_the_durable_engine_with_real_servers_and_receipts(
    tmp_path: Path,
) -> None:
    played = subprocess.run(
        [sys.executable, "examples/homelab/demo.py", "--auto", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    told = played.stdout
    assert played.returncode == 0, told + played.stderr
    order = ["get_health_summary", "get_blast_radius", "request_execution", "  ask ", "receipt verified"]
    places = [told.index(word) for word in order]
    assert places == sorted(places)
    assert "I restarted cache, and a look afterwards shows it." in told
    assert "no receipt" not in told
    assert "is sound" in told
