"""Memory over real doors: the wire's routes, the same answer at each, and what a killed process has kept."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.processes import Reply, Server, environment, fixed, numen, serving, speaking

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose owner is set up."""
    place = tmp_path / "home"
    place.mkdir()
    assert numen(place, "init", "--yes", "--owner", "Pat", "--handle", "telegram:111").returncode == 0
    return place


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Server]:
    with serving(home, tmp_path) as running:
        yield running


def post(server: Server, path: str, method: str = "POST", **body: object) -> Reply:
    return server.request(method, path, json.dumps(body).encode(), key=server.key)


def sync(server: Server, text: str, turn_id: str | None, contact: str = "owner", **context: object) -> Reply:
    setting = {
        "session_id": "s",
        "contact_id": contact,
        "turn_id": turn_id,
        "channel_id": "cli",
        "metadata": None,
    }
    said: dict[str, Any] = {"role": "user", "content": text}
    return post(
        server,
        "/v1/host/turns/sync",
        identity={"host_id": "hermes"},
        context=setting | context,
        user_message=said,
    )


@pytest.mark.promise("memory.wire-turns")
def test_the_routes_of_a_turn_answer_as_the_wire_says(server: Server) -> None:
    said = "Remind me to call Ana about the lease tomorrow at 9"
    first = sync(server, said, "t-1")
    assert (first.status, first.json["accepted"], first.json["skipped_reason"]) == (200, True, None)
    assert sync(server, said, "t-1").json["replayed"] is True
    assert sync(server, "other words", "t-1").status == 409
    refused = sync(server, said, "t-2", channel_id="discord:5")
    assert (refused.status, refused.json["detail"]["code"]) == (403, "owner_not_granted")
    assert sync(server, said, "t-3", metadata={"occurred_at": "yesterday"}).status == 422
    found = post(
        server, "/v1/host/memory/search", person_id="owner", session_id="s", query="Ana lease", limit=5
    ).json
    assert (found["count"], found["source_refs"][0]["source_id"]) == (1, "t-1")
    ref = found["source_refs"][0]
    due = {"source_id": "t-1", "source_version": ref["source_version"], "claim_id": ref["claim_id"]}
    current = post(server, "/v1/host/memory/sources/deadline", contact_id="owner", **due).json
    assert (current["status"], current["value"]) == ("current", "call Ana about the lease")
    asking = {"session_id": "s", "contact_id": "owner"}
    words = {"role": "user", "content": "lease?"}
    told = post(
        server,
        "/v1/host/context/assemble",
        context=asking,
        incoming_message=words,
        inline_chars=9744,
        wait_ms=5000,
    )
    bodies = {one["title"]: one["body"] for one in told.json["sections"]}
    assert f"id={ref['claim_id']}" in bodies["Pending Commitments"]
    settled = post(
        server, f"/v1/host/commitments/{ref['claim_id']}", "PATCH", outcome="done", reason="called"
    )
    assert (settled.status, settled.json["state"]) == (200, "fulfilled")
    assert post(server, "/v1/host/commitments/nope", "PATCH", outcome="done").status == 404
    gone = post(server, "/v1/host/memory/sources/forget", contact_id="owner", source_ids=["t-1"]).json
    assert (gone["source_erased"], gone["turns"], isinstance(gone["watermark"], int)) == (True, 1, True)
    again = sync(server, said, "t-1").json
    assert (again["accepted"], again["skipped_reason"]) == (True, "source_erased")
    assert (
        post(server, "/v1/host/memory/sources/forget", contact_id="owner", source_ids=["nope"]).status == 409
    )
    clock = server.request("GET", "/v1/host/context/temporal?contact_id=owner", key=server.key).json
    assert clock["title"] == "Current Time"


def test_any_words_are_taken_over_the_wire(server: Server) -> None:
    contents = ("nul \0", "half \ud83d", "שלום", "👩‍👩‍👧‍👦", [{"type": "text", "text": "in blocks"}])
    for number, content in enumerate(contents):
        setting = {"session_id": "s", "contact_id": "owner", "turn_id": f"t-{number}", "channel_id": "cli"}
        said = {"role": "user", "content": content}
        answer = post(server, "/v1/host/turns/sync", context=setting, user_message=said)
        assert answer.json["source_recorded"] is True, content


def test_a_turn_over_the_servers_limit_is_refused_for_good_and_nothing_is_kept(server: Server) -> None:
    assert sync(server, "x" * 8_400_000, "t-1").status == 413
    assert sync(server, "small", "t-1").json["replayed"] is False


@pytest.mark.promise("memory.same-at-every-door")
def test_remember_recall_and_forget_give_the_same_at_every_door(home: Path, tmp_path: Path) -> None:
    env = fixed(home)
    assert numen(home, "remember", "Ana lives in the Lindenstraße.", env=env).returncode == 0
    assert numen(home, "remember", "There are two dentist appointments on Friday.", env=env).returncode == 0
    with (
        serving(home, tmp_path, env=env) as server,
        speaking(home, tmp_path, "--as", "owner", env=env) as lines,
    ):
        lines.hello()
        for question, quote in (
            ("Lindenstrasse", "Ana lives in the Lindenstraße."),
            ("appointment dentists", "There are two dentist appointments on Friday."),
        ):
            over_http = server.ask("recall", query=question).body
            on_stdio = lines.call("recall", query=question)["content"][0]["text"].encode()
            on_cli = numen(home, "recall", question, "--json", env=env).stdout.rstrip(b"\n")
            assert over_http == on_stdio == on_cli
            assert json.loads(over_http)["rows"][0]["quote"] == quote
        again = server.ask("remember", text="Ana lives in the LINDENSTRASSE").json
        assert again["outcome"] == "duplicate_of"
        gone = lines.call("forget", ids=[again["claim"]])["content"][0]["text"]
        assert json.loads(gone)["claims"] == 1
        assert server.ask("recall", query="Lindenstrasse").json["rows"] == []


WRITE = """
import sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.store import Store
from tests.memory.rooms import OWNER, house_over, turn
home, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Store.open(home, SystemClock()) as store, house_over(store, home) as house:
    for number in range(count):
        house.memory.keep(OWNER, turn(f"{name} {number}", f"{name}-{number}", session=name))
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()
"""


def writer(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that keeps turns, and says each that was acknowledged."""
    command = [sys.executable, "-c", WRITE, str(home), name, str(count)]
    return subprocess.Popen(
        command, env=environment(home), stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )


def kept(home: Path) -> list[str]:
    """The words of all turns, by the owner's own export."""
    out = home.parent / "kept.jsonl"
    assert numen(home, "memory", "export", str(out)).returncode == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    return [row["text"] for row in rows if row["kind"] == "turn"]


@pytest.mark.promise("memory.two-writers")
def test_two_processes_write_at_once_and_nothing_is_lost_or_doubled(home: Path) -> None:
    with writer(home, "a", 40) as first, writer(home, "b", 40) as second:
        first.communicate(timeout=50)
        second.communicate(timeout=50)
    assert (first.returncode, second.returncode) == (0, 0)
    assert sorted(kept(home)) == sorted(f"{name} {number}" for name in ("a", "b") for number in range(40))
    assert numen(home, "memory", "verify").returncode == 0
    assert numen(home, "ledger", "verify").returncode == 0


@pytest.mark.crash
@pytest.mark.promise("memory.kill-keeps-what-was-acknowledged")
@pytest.mark.parametrize("after", [1, 7, 23])
def test_a_killed_process_has_kept_what_it_acknowledged_and_nothing_twice(home: Path, after: int) -> None:
    with writer(home, "a", 5000) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline()) for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        said += [int(line) for line in process.stdout.read().split("\n")[:-1] if line]
    first = kept(home)
    assert len(first) == len(set(first)), "nothing twice"
    assert {f"a {number}" for number in said} <= set(first), "what was acknowledged is there"
    assert len(first) <= len(said) + 1, "of what was not, at most the one under way"
    with writer(home, "a", len(said) + 3) as again:
        again.communicate(timeout=50)
    assert again.returncode == 0
    assert sorted(kept(home)) == sorted({*first, *(f"a {n}" for n in range(len(said) + 3))})
    assert numen(home, "memory", "verify").returncode == 0
