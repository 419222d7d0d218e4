"""Delegation at the command line, from the queue, and by the tool: real processes over one home."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.processes import NUMEN, environment, numen, speaking

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("delegating")
    (place / "project").mkdir()
    (place / "project/a.md").write_text("Apples are red.\n")
    return place


def intent(home: Path, **payload: Any) -> str:
    asked = {"intent": "Sum it up.", "project_root": str(home / "project"), "target_paths": ["a.md"]}
    return json.dumps({**asked, "payload": {"backend": "fake", "model": "text", **payload}})


@pytest.mark.promise("delegate.surfaces")
def test_the_command_line_gives_an_envelope_for_whatever_it_is_given(home: Path) -> None:
    (home / "intent.json").write_text(intent(home, write_to="out.md", append_with_separator="§"))
    done = numen(home, "delegate", "--intent-file", str(home / "intent.json"))
    told = json.loads(done.stdout)
    assert (done.returncode, told["status"]) == (0, "ok")
    assert (home / "project/out.md").read_text().startswith("# Done")
    (home / "bad.json").write_bytes(b"\xff\xfe\x00")
    for file in ("bad.json", "project", "absent.json"):
        done = numen(home, "delegate", "--intent-file", str(home / file))
        told = json.loads(done.stdout)
        assert (done.returncode, told["status"]) == (2, "degraded"), file
        assert told["degraded_reason"].startswith("invalid_intent: "), file
        assert b"Traceback" not in done.stderr
    nested = environment(home, HERMES_AUTOBOT_DELEGATED="1")
    done = numen(home, "delegate", "--intent", intent(home), env=nested)
    assert json.loads(done.stdout)["degraded_reason"] == "nested_delegation_forbidden"
    assert numen(home, "delegate", "enqueue", "--intent", intent(home), env=nested).returncode == 1
    assert numen(home, "delegate", "drain", env=nested).returncode == 1
    report = json.loads(numen(home, "ledger", "report", "--by", "model", "--json").stdout)
    assert report["total"]["ok"] == 1


@pytest.mark.crash
@pytest.mark.promise("delegate.queue", "delegate.queue-crash")
def test_a_queue_survives_the_end_of_its_process_with_nothing_stuck_or_doubled(home: Path) -> None:
    before = json.loads(numen(home, "delegate", "status", "--json").stdout)["delegations"]
    (home / "many.jsonl").write_text(
        "\n".join(intent(home, model=f"text-{n}", write_to=f"q{n}.md", priority=n) for n in range(3))
        + "\n" + intent(home, model="fail-2", max_chars=7) + "\n"
    )  # fmt: skip
    assert (
        numen(home, "delegate", "enqueue", "--jsonl", "--intent-file", str(home / "many.jsonl")).returncode
        == 0
    )
    first = subprocess.Popen([*NUMEN, "delegate", "drain"], cwd=home, env=environment(home))
    until = time.monotonic() + 60
    while not list((home / "project").glob("q*.md")) and time.monotonic() < until:
        assert first.poll() is None
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    numen(home, "delegate", "drain")
    rows = json.loads(numen(home, "delegate", "status", "--json").stdout)["delegations"]
    fresh = rows[: len(rows) - len(before)]
    assert len(fresh) == 4
    texts = [one for one in fresh if one["model"].startswith("text-")]
    assert [one["status"] for one in texts] == ["ok"] * 3
    (busy,) = [one for one in fresh if one["model"] == "fail-2"]
    assert (busy["state"], busy["tries"]) == ("queued", 2), "put off, to be tried again later"
    file = home / "project/.agents/state/autobot-cost-ledger.jsonl"
    lines = [json.loads(one) for one in file.read_text().splitlines()]
    assert len({one["run_id"] for one in lines}) == len(lines)
    cancelled = numen(home, "delegate", "cancel", busy["run_id"], "--json")
    assert json.loads(cancelled.stdout)["degraded_reason"] == "cancelled"
    listed = numen(home, "delegate", "queue", "--json")
    assert (listed.returncode, len(json.loads(listed.stdout)["given_up"])) == (1, 1)
    again = json.loads(numen(home, "delegate", "requeue", busy["run_id"], "--json").stdout)
    numen(home, "delegate", "cancel", again["run_id"])


@pytest.mark.promise("delegate.surfaces")
def test_the_tool_starts_a_delegation_and_gives_its_result(home: Path) -> None:
    with speaking(home, home / "project", "--as", "owner") as lines:
        lines.hello()
        given = json.loads(intent(home, model="json", expected_output="json"))
        plan = lines.call("delegate", action="plan", intent=given)
        assert json.loads(plan["content"][0]["text"])["redactions"] == 0
        started = json.loads(lines.call("delegate", action="start", intent=given)["content"][0]["text"])
        status = started
        until = time.monotonic() + 60
        while status["state"] != "settled" and time.monotonic() < until:
            told = lines.call("delegate", action="status", run=started["run_id"])
            status = json.loads(told["content"][0]["text"])
        result = lines.call("delegate", action="result", run=started["run_id"])
        assert json.loads(json.loads(result["content"][0]["text"])["response"])["ok"] is True
