"""Stdio, HTTP, the mounted MCP and the command line say the same bytes, and a read writes nothing."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from numen.kernel import canonical_bytes
from numen.surfaces.verbs import VERBS
from tests.surfaces.processes import Lines, Server, fixed, make_repository, numen, serving, speaking

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

ASKED = [
    ("north", ["where are apples added to a basket?"], {"task": "where are apples added to a basket?"}),
    ("north", ["zebra", "--top-k", "3"], {"task": "zebra", "top_k": 3}),
    (
        "north",
        ["apples", "--ascii", "--within", "orchard"],
        {"task": "apples", "ascii": True, "scope": "orchard"},
    ),
    ("north", ["größe café 木", "--budget-tokens", "0"], {"task": "größe café 木", "budget_tokens": 0}),
    ("seek", ["add apple", "-k", "3"], {"query": "add apple", "k": 3}),
    ("seek", ["basket", "--budget-tokens", "120"], {"query": "basket", "budget_tokens": 120}),
    ("impact", ["add_apple"], {"symbol": "add_apple"}),
    ("impact", ["nothing_of_this_name"], {"symbol": "nothing_of_this_name"}),
    ("cockpit", [], {}),
    ("cockpit", ["--select", "4"], {"select": "4"}),
    ("cockpit", ["--select", "5.1"], {"select": "5.1"}),
    ("trust", ["orchard", "--limit", "2"], {"scope": "orchard", "limit": 2}),
    ("drift", ["--since", "HEAD"], {"since": "HEAD"}),
    ("presence", [], {}),
    ("map", ["show"], {"action": "show"}),
    ("recall", ["where are apples kept?"], {"query": "where are apples kept?"}),
]
MCP = {verb.name for verb in VERBS if verb.mcp}
REFUSED = [
    ("north", [" "], {"task": " "}),
    ("seek", ["x", "-k", "99"], {"query": "x", "k": 99}),
    ("impact", ["basket", "--repo", "/nowhere/at/all"], {"symbol": "basket", "repo": "/nowhere/at/all"}),
]


@dataclass(frozen=True, slots=True)
class Doors:
    """The four doors to one home, with one repository bound, under one fixed clock."""

    home: Path
    place: Path
    server: Server
    lines: Lines


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    place = make_repository(tmp_path_factory.mktemp("repository"))
    home = tmp_path_factory.mktemp("home")
    env = fixed(home)
    assert numen(home, "ingest", cwd=place, env=env).returncode == 0
    with serving(home, place, env=env) as server, speaking(home, place, "--as", "owner", env=env) as lines:
        lines.hello()
        yield Doors(home, place, server, lines)


def mounted(server: Server, tool: str, arguments: dict[str, object]) -> dict[str, object]:
    """A tool call over streamable HTTP, by hand."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }
    reply = server.request(
        "POST",
        "/mcp",
        json.dumps(message).encode(),
        key=server.key,
        Content_Type="application/json",
        Accept="application/json, text/event-stream",
        MCP_Protocol_Version="2025-06-18",
    )
    assert reply.status == 200, reply.body
    return reply.json.get("result") or reply.json["error"]


@pytest.mark.promise("surfaces.same-bytes")
@pytest.mark.parametrize(("verb", "words", "arguments"), ASKED)
def test_every_door_gives_the_same_bytes(
    doors: Doors, verb: str, words: list[str], arguments: dict[str, object]
) -> None:
    over_http = doors.server.ask(verb, **arguments)
    assert over_http.status == 200, over_http.body
    at_the_terminal = numen(doors.home, verb, *words, "--json", cwd=doors.place, env=fixed(doors.home))
    assert at_the_terminal.returncode == 0, at_the_terminal.stderr
    assert at_the_terminal.stdout == over_http.body + b"\n"
    results = (doors.lines.call(verb, **arguments), mounted(doors.server, verb, arguments))
    for result in results:
        if verb not in MCP:
            assert result["code"] == -32602
            continue
        assert len(result["content"]) == 1
        assert result["content"][0]["text"].encode() == over_http.body
        assert not result.get("isError")
        assert "structuredContent" not in result
    assert canonical_bytes(over_http.json) == over_http.body


@pytest.mark.promise("surfaces.same-errors")
@pytest.mark.parametrize(("verb", "words", "arguments"), REFUSED)
def test_every_door_refuses_with_the_same_body(
    doors: Doors, verb: str, words: list[str], arguments: dict[str, object]
) -> None:
    over_http = doors.server.ask(verb, **arguments)
    assert over_http.status >= 400
    at_the_terminal = numen(doors.home, verb, *words, "--json", cwd=doors.place, env=fixed(doors.home))
    assert at_the_terminal.returncode != 0
    assert at_the_terminal.stdout == over_http.body + b"\n"
    for result in (doors.lines.call(verb, **arguments), mounted(doors.server, verb, arguments)):
        if result.get("code") == -32602:
            assert {"detail": result["data"]} == over_http.json
        else:
            assert result["isError"] is True
            assert result["content"][0]["text"].encode() == over_http.body


def test_the_moment_is_the_fixed_clocks(doors: Doors) -> None:
    assert doors.server.ask("north", task="x").json["at"] == "2026-01-02T03:04:05.000Z"


def footprint(*folders: Path) -> dict[str, tuple[int, str]]:
    """Every file with its time of change and its digest; SQLite's shared memory is no content."""
    found: dict[str, tuple[int, str]] = {}
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.name.endswith("-shm"):
                found[str(file)] = (
                    os.stat(file).st_mtime_ns,
                    hashlib.sha256(file.read_bytes()).hexdigest(),
                )
    return found


@pytest.mark.promise("surfaces.read-only-writes-nothing")
@pytest.mark.parametrize("verb", [verb.name for verb in VERBS if verb.read_only])
def test_a_verb_on_the_read_only_list_writes_nothing_at_any_door(doors: Doors, verb: str) -> None:
    asked = [(words, arguments) for name, words, arguments in ASKED if name == verb]
    assert asked, "every read-only verb is asked something here"
    doors.lines.call("north", task="apples")  # whose presence is then written once in 30 s (decision 22)
    before = footprint(doors.home, doors.place)
    for _, arguments in asked:
        doors.server.ask(verb, **arguments)
        doors.lines.call(verb, **arguments)
        mounted(doors.server, verb, arguments)
    numen(doors.home, verb, *asked[0][0], "--json", cwd=doors.place, env=fixed(doors.home))
    assert footprint(doors.home, doors.place) == before


def test_a_verb_that_is_not_on_the_list_does_write(doors: Doors) -> None:
    """The footprint is one that notices: an ingest leaves a trace in it."""
    before = footprint(doors.home)
    assert doors.server.ask("ingest").status == 200
    assert footprint(doors.home) != before


@pytest.mark.promise("mcp.read-only")
def test_a_read_only_server_refuses_to_write_over_http_too(doors: Doors) -> None:
    with serving(doors.home, doors.place, "--read-only", env=fixed(doors.home)) as server:
        refused = server.ask("ingest")
        assert (refused.status, refused.json["detail"]["code"]) == (403, "forbidden")
        assert server.ask("north", task="apples").status == 200


@pytest.mark.promise("http.idle-writes-nothing")
def test_a_server_with_nothing_to_do_writes_nothing(doors: Doors) -> None:
    counters = Path(f"/proc/{doors.server.process.pid}/io")

    def written() -> int:
        rows = dict(line.split(": ") for line in counters.read_text().splitlines())
        return int(rows["write_bytes"])

    before = written()
    with pytest.raises(TimeoutExpired):
        doors.server.process.wait(2)
    assert written() == before
