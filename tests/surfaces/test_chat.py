"""A conversation over HTTP and in the terminal: it streams, goes on without its listener, and asks."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.processes import Server, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SCRIPT = {
    "schema": "numen-script-v1",
    "steps": [
        {
            "when": "degraded",
            "role": "user",
            "text": "I look at the house, and then at what needs it.",
            "calls": [{"name": "homelab__get_health_summary"}],
        },
        {"when": "restart the (?P<name>\\w+)", "role": "user", "calls": [
            {"name": "homelab__request_execution", "arguments": {"service": "{{name}}", "action": "restart"}}
        ]},
        {"when": "slowly", "text": "One word after the other, for a long while.", "pause": 0.2},
        {"when": "hang", "text": "I think", "hang": True},
        {"when": "(?s).*", "role": "tool", "text": "That is what I found out for you."},
        {"when": "hello", "text": "Hello, and welcome home."},
    ],
}  # fmt: skip

HOMELAB = Path(__file__).parents[2] / "examples" / "homelab" / "server.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One home with a scripted model and the homelab's tools, served."""
    home = tmp_path_factory.mktemp("home")
    (home / "script.json").write_text(json.dumps(SCRIPT))
    model = {"use": "scripted", "name": str(home / "script.json")}
    mind = {"trusted_servers": ["homelab"]}
    (home / "numen.yaml").write_text(json.dumps({"model": model, "mind": mind}))
    added = numen(home, "mcp", "add", "homelab", f"{sys.executable} {HOMELAB} {home / 'state.json'}")
    assert added.returncode == 0, added.stderr
    with serving(home, home) as served:
        yield served


OPEN: list[Stream] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """No stream outlives its test."""
    yield
    while OPEN:
        OPEN.pop().close()


class Stream:
    """An open stream of events."""

    def __init__(
        self, server: Server, method: str, path: str, body: Any = None, key: str | None = None, **headers: str
    ) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Authorization"] = f"Bearer {key or server.key}"
        self._line.request(method, path, None if body is None else json.dumps(body), sent)
        self.answer = self._line.getresponse()
        OPEN.append(self)

    def __iter__(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode().rstrip("\n") or fields:
            if isinstance(line, str):
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            if "data" in fields:
                yield fields.get("id", ""), fields["event"], json.loads(fields["data"])
            fields = {}

    def until(self, kind: str) -> list[tuple[str, str, dict[str, Any]]]:
        """The events up to the first of that type."""
        told = []
        for one in self:
            told.append(one)
            if one[1] == kind:
                return told
        raise AssertionError(f"no {kind} in {told}")

    def close(self) -> None:
        self.answer.close()
        self._line.close()


def chat(server: Server, message: str, **more: Any) -> Stream:
    return Stream(server, "POST", "/chat", {"message": message, **more})


def spoken(told: list[tuple[str, str, dict[str, Any]]]) -> str:
    return "".join(data["delta"] for _, kind, data in told if kind == "text")


@pytest.mark.promise("chat.stream")
def test_an_answer_streams_with_tools_and_receipts_and_ends_with_what_it_took(server: Server) -> None:
    stream = chat(server, "what is degraded?")
    told = stream.until("done")
    kinds = [kind for _, kind, _ in told]
    assert stream.answer.headers["content-type"].startswith("text/event-stream")
    assert stream.answer.headers["x-accel-buffering"] == "no"
    assert kinds[0] == "message"
    assert kinds.index("tool_use") < kinds.index("tool_result") < kinds.index("done")
    result = told[kinds.index("tool_result")][2]
    assert (result["ok"], result["receipt"]) == (True, "executed")
    assert "degraded" in result["result"]
    assert spoken(told) == "I look at the house, and then at what needs it.That is what I found out for you."
    done = told[-1][2]
    assert done["session_id"] == stream.answer.headers["numen-session"]
    assert (done["state"], done["usage"]["steps"]) == ("done", 2)
    assert all(place for place, _, _ in told)


@pytest.mark.promise("chat.replay")
def test_a_stream_can_be_taken_up_at_every_place_without_gap_or_double(server: Server) -> None:
    stream = chat(server, "slowly")
    first = next(iter(stream))
    path = f"/sessions/{stream.answer.headers['numen-session']}/events"
    live = Stream(server, "GET", path, Last_Event_ID=first[0])
    assert spoken(live.until("done")) == "One word after the other, for a long while."
    told = stream.until("done")
    for place, _, _ in told[:-1]:
        rest = Stream(server, "GET", f"{path}?after={place}")
        before = [
            one for one in told if one[0] == place or told.index(one) < [t[0] for t in told].index(place)
        ]
        assert spoken(before) + spoken(rest.until("done")) == spoken(told), place
        rest.close()
    live.close()


@pytest.mark.promise("chat.goes-on")
def test_a_turn_goes_on_when_its_listener_has_gone(server: Server) -> None:
    stream = chat(server, "slowly, please")
    next(iter(stream))
    session = stream.answer.headers["numen-session"]
    stream.close()
    told = Stream(server, "GET", f"/sessions/{session}/events").until("done")
    assert spoken(told) == "One word after the other, for a long while."


@pytest.mark.promise("chat.ask")
def test_a_change_is_asked_for_and_goes_on_after_an_answer_from_elsewhere(server: Server) -> None:
    stream = chat(server, "restart the cache")
    code = stream.until("ask")[-1][2]["code"]
    session = stream.answer.headers["numen-session"]
    waiting = server.request("GET", f"/sessions/{session}", key=server.key).json
    assert [one["code"] for one in waiting["asks"]] == [code]
    answered = numen(server.home, "yes", code)
    assert answered.returncode == 0, answered.stderr
    told = stream.until("done")
    receipts = [data["receipt"] for _, kind, data in told if kind == "tool_result"]
    assert receipts[-1] in {"executed", "verified"}
    assert told[-1][2]["ending"] == "answered"


@pytest.mark.promise("chat.stop")
def test_a_turn_that_hangs_is_stopped(server: Server) -> None:
    stream = chat(server, "hang")
    stream.until("text")
    session = stream.answer.headers["numen-session"]
    stopped = server.request("POST", f"/sessions/{session}/stop", b"{}", key=server.key)
    assert stopped.json == {"stopped": True}
    assert stream.until("done")[-1][2]["state"] == "stopped"


@pytest.mark.promise("chat.json")
def test_one_answer_as_json_and_the_same_key_gives_the_same_turn(server: Server) -> None:
    body = json.dumps({"message": "hello", "idempotency_key": "k-1"}).encode()
    first, again = (
        server.request("POST", "/chat", body, key=server.key, Accept="application/json").json
        for _ in range(2)
    )
    assert first["text"] == "Hello, and welcome home."
    assert (first["turn_id"], first["text"]) == (again["turn_id"], again["text"])
    assert (first["again"], again["again"]) == (False, True)
    other = json.dumps({"message": "another", "idempotency_key": "k-1"}).encode()
    assert server.request("POST", "/chat", other, key=server.key).status == 409


@pytest.mark.promise("chat.query")
def test_a_tool_is_called_without_a_model_and_words_are_sent_to_chat(server: Server) -> None:
    body = json.dumps({"tool": "homelab__get_health_summary"}).encode()
    called = server.request("POST", "/query", body, key=server.key).json
    assert called["tools"][0]["receipt"] == "executed"
    words = server.request("POST", "/query", b"{}", key=server.key)
    assert words.status == 422
    assert "belongs to /chat" in words.json["detail"]["message"]
    assert "homelab__get_health_summary" in words.json["detail"]["next_step"]


@pytest.mark.promise("chat.refusals")
def test_what_is_not_right_is_refused_and_another_persons_session_is_not_there(server: Server) -> None:
    session = chat(server, "hello").answer.headers["numen-session"]
    issued = numen(server.home, "credentials", "--create", "guest", "--json")
    key = json.loads(issued.stdout).get("secret") if issued.returncode == 0 else None
    for path in ("", "/events", "/export"):
        if key is not None:
            assert server.request("GET", f"/sessions/{session}{path}", key=key).status == 404
        assert server.request("GET", f"/sessions/{session}{path}").status == 401
        unknown = server.request("GET", f"/sessions/session_none{path}", key=server.key)
        assert unknown.status == 404, unknown.body
    for after in ("x", "-1", "1.2.3", "9" * 30):
        junk = server.request("GET", f"/sessions/{session}/events?after={after}", key=server.key)
        assert junk.status == 422
    for body in (b"", b"[]", b'{"message":""}', b'{"message":1}', b'{"message":"x","extra":1}', b"\xff"):
        assert server.request("POST", "/chat", body, key=server.key).status in {400, 422}
    assert (
        server.request("POST", "/chat", b'{"message":"x"}', key=server.key, Origin="https://a.example").status
        == 403
    )


@pytest.mark.promise("chat.sessions")
def test_sessions_are_found_named_forked_and_exported(server: Server) -> None:
    stream = chat(server, "hello to the marmalade")
    stream.until("done")
    session = stream.answer.headers["numen-session"]
    found = server.request("GET", "/sessions?q=marmalade", key=server.key).json["sessions"]
    assert [one["id"] for one in found] == [session]
    body = json.dumps({"title": "Breakfast", "pinned": True}).encode()
    changed = server.request("PATCH", f"/sessions/{session}", body, key=server.key).json
    assert (changed["title"], changed["pinned"]) == ("Breakfast", True)
    fork = server.request("POST", f"/sessions/{session}/fork", b"{}", key=server.key).json
    assert fork["parent"] == session
    exported = server.request("GET", f"/sessions/{fork['id']}/export", key=server.key).json
    assert [one["content"] for one in exported["messages"]] == [
        "hello to the marmalade",
        "Hello, and welcome home.",
    ]
    turn = stream.answer.headers["numen-turn"]
    told = server.request("GET", f"/activity?correlation_id={turn}", key=server.key).json["events"]
    assert {"turn.started", "model.called"} <= {one["kind"] for one in told}
    assert "marmalade" not in json.dumps(told)


@pytest.mark.promise("chat.terminal")
def test_the_terminal_talks_to_the_same_home_and_says_what_waits(server: Server) -> None:
    talked = numen(server.home, "chat", "what is degraded?")
    assert talked.returncode == 0, talked.stderr
    assert b"homelab__get_health_summary" in talked.stdout
    assert talked.stdout.rstrip().endswith(b"That is what I found out for you.")
    waits = numen(server.home, "chat", "restart the cache", "--json")
    said = json.loads(waits.stdout)
    assert (waits.returncode, said["state"], len(said["asks"])) == (3, "waiting", 1)
    numen(server.home, "no", said["asks"][0]["code"])
