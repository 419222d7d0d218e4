"""The verb `turn` at the real doors: raw JSON-RPC lines, HTTP with its steps, and the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.processes import Lines, Server, environment, numen, serving, speaking

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SCRIPT = {
    "schema": "numen-script-v1",
    "steps": [
        {"when": "breakdown", "fail": "server"},
        {"when": "slowly", "text": "word " * 60, "pause": 0.02},
        {"when": r"user\n(?P<said>[^\n]+)", "text": "You said: {{said}}"},
    ],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "init", "--yes", "--owner", "Ada").returncode == 0
    (home / "script.json").write_text(json.dumps(SCRIPT), encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def env(home: Path) -> dict[str, str]:
    return environment(home, NUMEN_MODEL=f"scripted:{home / 'script.json'}")


@pytest.fixture(scope="module")
def lines(home: Path, env: dict[str, str]) -> Iterator[Lines]:
    with speaking(home, home, "--as", "owner", env=env) as lines:
        lines.hello()
        yield lines


@pytest.fixture(scope="module")
def server(home: Path, env: dict[str, str]) -> Iterator[Server]:
    soul = {"NUMEN_CYCLE": json.dumps({"soul": str(home / "served" / "SOUL.md")})}
    with serving(home, home, env=env | soul) as server:
        yield server


def said(result: Any) -> Any:
    return json.loads(result["content"][0]["text"])


def room(**parts: str) -> dict[str, str]:
    return {"uid": "u", "channel": "c", "server": "cli"} | parts


@pytest.mark.promise("cycle.turn-over-mcp")
def test_a_host_lists_the_tool_and_gets_an_answer_on_raw_lines(lines: Lines) -> None:
    tools = {tool["name"]: tool for tool in lines.ask("tools/list")["result"]["tools"]}
    assert set(tools["turn"]["inputSchema"]["properties"]) >= {"input", "uid", "channel", "server"}
    answer = said(lines.call("turn", input="hello there", **room()))
    assert answer["content"] == "You said: hello there"
    assert (answer["room"], answer["calls"]) == ("named", 1)
    nameless = said(lines.call("turn", input="hello there"))
    assert nameless["room"] == "anonymous"
    assert any("No room was named" in note for note in nameless["notes"])


@pytest.mark.promise("cycle.turn-over-mcp")
def test_a_client_that_asks_for_progress_hears_of_each_of_the_23_steps(lines: Lines) -> None:
    arguments = {"input": "hello", **room()}
    params = {"name": "turn", "arguments": arguments, "_meta": {"progressToken": "p"}}
    lines.send(json.dumps({"jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": params}).encode())
    heard: list[Any] = []
    while "id" not in (message := lines.receive()):
        heard.append(message["params"])
    assert message["id"] == 900
    assert [one["progress"] for one in heard] == list(range(1, 24))
    assert {one["total"] for one in heard} == {23}
    assert heard[0]["message"] == "input"


@pytest.mark.promise("cycle.bad-input")
@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"input": ""},
        {"input": 7},
        {"input": "x", "uid": 7},
        {"input": "x", "channel": ["c"]},
        {"input": "x", "server": {"a": 1}},
        {"input": "x", "uid": "u" * 1_000_000},
        {"input": "x" * 1_000_000},
        {"inptu": "x"},
    ],
    ids=["missing", "empty", "number", "uid", "channel", "server", "long-id", "long-input", "misspelt"],
)
def test_missing_oversized_and_wrongly_typed_arguments_are_invalid_params(
    lines: Lines, wrong: dict[str, object]
) -> None:
    assert lines.call("turn", **wrong)["code"] == -32602


def test_a_turn_that_fails_is_a_protocol_error_with_the_steps_name(lines: Lines) -> None:
    error = lines.call("turn", input="breakdown", **room(uid="broken"))
    assert error["code"] == -32000
    assert "first_thought" in error["message"]
    assert said(lines.call("turn", input="again", **room(uid="broken")))["content"] == "You said: again"


@pytest.mark.promise("cycle.cancelled")
def test_a_cancelled_turn_ends_is_counted_and_the_server_goes_on(lines: Lines, home: Path) -> None:
    params = {"name": "turn", "arguments": {"input": "slowly", **room(uid="slow")}}
    request = {
        "jsonrpc": "2.0",
        "id": 901,
        "method": "tools/call",
        "params": {**params, "_meta": {"progressToken": 1}},
    }
    lines.send(json.dumps(request).encode())
    while lines.receive()["params"]["progress"] < 3:
        pass
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 901}}
    lines.send(json.dumps(cancel).encode())
    lines.send(b'{"jsonrpc":"2.0","id":902,"method":"ping"}')
    while (message := lines.receive()).get("id") != 902:
        assert "result" not in message
    while True:  # the call of the model that was under way ends first
        shown = json.loads(numen(home, "cycle", "show", "--json").stdout)["turns"]
        trace = json.loads(numen(home, "cycle", "show", shown[0]["turn"], "--json").stdout)
        if trace["content"] is None and len(trace["steps"]) < 23 and trace["calls"]:
            break
    assert trace["steps"][-1]["step"] == "first_thought"


@pytest.mark.promise("rooms.no-shared-words")
def test_two_rooms_never_see_each_others_words(lines: Lines) -> None:
    separators = ["\x00", ":", "/", "\n", "\u202e"]
    for mark in separators:
        one = said(lines.call("turn", input="the wolf is here", **room(uid=f"a{mark}", channel="b")))
        two = said(lines.call("turn", input="the pony is here", **room(uid="a", channel=f"{mark}b")))
        assert "wolf" not in json.dumps(two)
        assert "pony" not in json.dumps(one)
        assert one["turn"] != two["turn"]


@pytest.mark.promise("cycle.steps-over-http")
def test_over_http_a_turn_comes_whole_or_step_by_step(server: Server) -> None:
    whole = server.ask("turn", input="hello", **room())
    assert whole.status == 200
    assert whole.json["content"] == "You said: hello"
    body = json.dumps({"input": "hello", "trace": True, **room()}).encode()
    reply = server.request("POST", "/v1/turn", body, key=server.key, Accept="text/event-stream")
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [part.split("\n") for part in reply.body.decode().strip().split("\n\n")]
    names = [event[0].removeprefix("event: ") for event in events]
    assert names == ["step"] * 23 + ["turn"]
    data = [json.loads(event[1].removeprefix("data: ")) for event in events]
    assert [one["n"] for one in data[:23]] == list(range(1, 24))
    assert [one["step"] for one in data[:23]] == [one["step"] for one in data[23]["trace"]]
    failed = json.dumps({"input": "breakdown", **room()}).encode()
    reply = server.request("POST", "/v1/turn", failed, key=server.key, Accept="text/event-stream")
    assert b"event: error" in reply.body
    assert b"first_thought" in reply.body
    assert server.request("POST", "/v1/turn", body, Accept="text/event-stream").status == 401


@pytest.mark.promise("cycle.speaker")
def test_a_key_that_does_not_speak_for_others_has_rooms_of_its_own(server: Server, home: Path) -> None:
    made = json.loads(numen(home, "credentials", "toaster", "--new", "--json").stdout)
    parts = room(uid="owner")
    own = server.ask("turn", input="hello", **parts).json
    other = server.ask("turn", key=made["secret"], input="hello", **parts).json
    assert own["content"] == other["content"]
    trace = [json.loads(numen(home, "cycle", "show", one["turn"], "--json").stdout) for one in (own, other)]
    assert trace[0]["turn"] != trace[1]["turn"]
    assert other["energy"]["left"] >= other["energy"]["capacity"] - other["tokens"]  # some has come back


@pytest.mark.promise("cycle.selftest")
def test_the_selftest_runs_each_organ_alone(home: Path) -> None:
    done = numen(home, "cycle", "selftest", "--json")
    assert done.returncode == 0
    organs = json.loads(done.stdout)["organs"]
    assert all(one["ok"] for one in organs)
    assert {"machine", "energy", "lenses", "pairs", "contrast", "replay"} <= {one["organ"] for one in organs}


@pytest.mark.promise("cycle.soul")
def test_the_soul_is_the_same_for_every_model_and_keeps_what_was_anothers(
    home: Path, env: dict[str, str]
) -> None:
    place = home / "elsewhere" / "SOUL.md"
    place.parent.mkdir()
    place.write_text("I was here before.\n", encoding="utf-8")
    here = {"NUMEN_CYCLE": json.dumps({"soul": str(place)})}
    first = numen(home, "cycle", "soul", "--json", env=env | here)
    said_ = json.loads(first.stdout)["soul"]
    backup = Path(said_.removeprefix("replaced "))
    assert backup.read_text(encoding="utf-8") == "I was here before.\n"
    written = place.read_bytes()
    assert b"What I always ask" in written
    before = place.stat().st_mtime_ns
    again = numen(home, "cycle", "soul", "--json", env=environment(home, NUMEN_MODEL="echo") | here)
    assert json.loads(again.stdout)["soul"] == "unchanged"
    assert (place.read_bytes(), place.stat().st_mtime_ns) == (written, before)


@pytest.mark.promise("cycle.soul")
def test_a_server_writes_the_soul_before_it_is_ready(server: Server) -> None:
    written = (server.home / "served" / "SOUL.md").read_text(encoding="utf-8")
    assert written.startswith("<!-- numen soul v1 ")
    assert "Which of these sentences could be shown to be false" in written


@pytest.mark.promise("cycle.fit")
def test_a_model_that_follows_a_script_is_not_fitted(home: Path, env: dict[str, str]) -> None:
    tasks = home / "tasks.jsonl"
    tasks.write_text('{"input": "How many are 3 and 4?", "answer": "7"}\n', encoding="utf-8")
    done = numen(home, "cycle", "fit", str(tasks), env=env)
    assert b"follows a script" in done.stdout
    assert not (home / "fits").exists()
    assert b"No model is configured" in numen(home, "cycle", "fit", str(tasks)).stderr
    tasks.write_text('{"input": "Why is it so?", "answer": "7"}\n', encoding="utf-8")
    assert numen(home, "cycle", "fit", str(tasks), env=env).returncode == 2


@pytest.mark.promise("cycle.replay")
def test_a_turn_is_replayed_from_the_command_line(home: Path, env: dict[str, str]) -> None:
    parts = ["--uid", "r", "--channel", "c", "--server", "s"]
    assert numen(home, "cycle", "keep", "on", *parts, env=env).returncode == 0
    turn = json.loads(numen(home, "turn", "hello", *parts, "--json", env=env).stdout)["turn"]
    first, second = (json.loads(numen(home, "cycle", "replay", turn, "--json").stdout) for _ in range(2))
    assert first["same"] is True
    assert first == second
    assert json.loads(numen(home, "cycle", "keep", "off", *parts, "--json").stdout)["erased"] == 1
    assert numen(home, "cycle", "replay", turn).returncode == 4


def test_a_person_sees_the_answer_and_each_step(home: Path, env: dict[str, str]) -> None:
    shown = numen(home, "turn", "hello there", "--trace", env=env).stdout.decode()
    assert shown.startswith("You said: hello there\n")
    assert "contrast" in shown
    assert "One pass" in shown
    assert "No model is configured" in numen(home, "turn", "hello there").stdout.decode()


@pytest.mark.promise("cycle.turn-over-mcp")
@pytest.mark.parametrize("meta", [{}, {"_meta": {"progressToken": "p"}}], ids=["silent", "progress"])
def test_a_host_gets_an_answer_over_streamable_http(server: Server, meta: dict[str, object]) -> None:
    params = {"name": "turn", "arguments": {"input": "hello", **room()}, **meta}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    reply = server.request(
        "POST",
        "/mcp",
        json.dumps(request).encode(),
        key=server.key,
        Accept="application/json, text/event-stream",
        Content_Type="application/json",
        MCP_Protocol_Version="2025-06-18",
    )
    assert reply.status == 200, reply.body
    assert said(reply.json["result"])["content"] == "You said: hello"
