"""The gate at a real server and in a real terminal."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.processes import NUMEN, Reply, Server, environment, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(90)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    with serving(home, home) as running:
        yield running


def post(server: Server, path: str, /, **body: object) -> Reply:
    return server.request("POST", path, json.dumps(body).encode(), key=server.key)


def guard(server: Server, tool: str, run: str = "mind", **more: Any) -> Any:
    answer = post(
        server,
        "/v1/mind/guard",
        **{"tool": tool, "args": {}, "session": "s", "run": run, "task_id": "t", **more},
    )
    assert answer.status == 200, answer.body
    assert isinstance(answer.json["allow"], bool)
    return answer.json


@pytest.mark.promise("gate.wire")
def test_the_guard_always_says_whether_and_a_yes_lets_the_call_through_once(server: Server) -> None:
    command = {"command": "touch once"}
    asked = guard(server, "terminal", args=command)
    assert (asked["allow"], asked["ask"], asked["action"]) == (False, True, "ask")
    listed = server.request("GET", "/asks", key=server.key).json["asks"]
    assert asked["code"] in {one["code"] for one in listed}
    assert post(server, f"/asks/{asked['code']}", answer="yes").json["state"] == "yes"
    assert post(server, f"/asks/{asked['code']}", answer="no").status == 409
    assert post(server, "/asks/ZZ2", answer="no").status == 404
    assert guard(server, "terminal", args=command)["allow"]
    assert not guard(server, "terminal", args=command)["allow"]
    assert guard(server, "terminal", args={"command": "ls"})["allow"]
    assert guard(server, "send_message", effect={"cls": "internal", "digest": "d"}, args={})["allow"] is False


@pytest.mark.promise("gate.wire")
def test_a_guest_is_refused_for_good_and_own_words_are_told_where_they_go(server: Server) -> None:
    refused = guard(
        server, "terminal", "guest", args={"command": "touch x"}, contact_id="contact_x", owner=False
    )
    assert (refused["allow"], refused["retry"], refused.get("ask")) == (False, False, None)
    assert guard(server, "terminal", "guest", args={"command": "ls"})["allow"]


@pytest.mark.promise("gate.wire")
def test_off_blocks_and_on_lets_again(server: Server) -> None:
    assert post(server, "/v1/mind/off").status in {200, 422}
    answer = server.request("POST", "/v1/mind/off", b"", key=server.key)
    assert answer.json == {"enabled": False}
    assert guard(server, "remember")["rule"] == "off"
    assert server.request("POST", "/v1/mind/on", b"", key=server.key).json == {"enabled": True}
    assert guard(server, "remember")["allow"]


@pytest.mark.promise("gate.wire")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"tool": 3}',
        b'{"tool": "x", "args": []}',
        b'{"tool": "x", "run": "root"}',
        b"\xff",
        b'{"tool": "x", "recipients": [1]}',
    ],
)
def test_a_question_that_cannot_be_read_is_refused_and_so_blocks(server: Server, body: bytes) -> None:
    answer = server.request("POST", "/v1/mind/guard", body, key=server.key)
    assert answer.status == 422
    assert set(answer.json["detail"]) >= {"code", "message"}


@pytest.mark.promise("gate.wire")
def test_an_answer_in_a_chat_needs_the_owners_words_and_the_owner(server: Server) -> None:
    code = guard(server, "terminal", args={"command": "rm x"})["code"]
    assert post(server, "/v1/mind/decide", code=code, answer="yes", message="approve all").status == 404
    assert (
        post(
            server, "/v1/mind/decide", code=code, answer="yes", message=f"yes {code}", contact_id="contact_2"
        ).status
        == 403
    )
    answered = post(server, "/v1/mind/decide", code=code, answer="no", message=f"no {code}", session_id="s")
    assert (answered.json["ok"], answered.json["status"]) == (True, "no")
    issued = server.request("GET", "/asks", key="numen_" + "x" * 43)
    assert issued.status == 401


def numen(home: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NUMEN, *arguments], env=environment(home), input=text, capture_output=True, text=True, check=False
    )


@pytest.mark.promise("gate.terminal")
def test_a_terminal_explains_answers_grants_and_switches(tmp_path: Path) -> None:
    home = tmp_path / "home"
    lines = [
        {"tool": "terminal", "args": {"command": "ls"}},
        {"tool": "terminal", "args": {"command": "rm x"}},
    ]
    said = numen(
        home, "gate", "explain", "--jsonl", text="".join(json.dumps(one) + "\n" for one in lines) + "x\n"
    )
    assert said.returncode == 2
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    assert [(one["class"], one["verdict"]) for one in rows[:2]] == [
        ("read", "allow"),
        ("irreversible", "ask"),
    ]
    assert "error" in rows[2]
    assert "Nothing waits" in numen(home, "asks").stdout
    assert numen(home, "yes", "ZZ2").returncode == 1
    given = numen(
        home, "grants", "--json", "--give", json.dumps({"class": "external", "tools": ["terminal"]})
    )
    assert json.loads(given.stdout)["grants"][0]["problem"] is None
    assert numen(home, "mind", "off").stdout == "off\n"
    off = json.loads(numen(home, "gate", "explain", "--tool", "remember", "--json").stdout)
    assert (off["verdict"], off["rule"]) == ("deny", "off")
    assert numen(home, "mind", "on").stdout == "on\n"
    heard = numen(home, "people", "optout", "--jsonl", text='{"text": "STOP"}\n{"text": "stop by at 5"}\n')
    assert [json.loads(line)["optout"] for line in heard.stdout.splitlines()] == [True, False]
