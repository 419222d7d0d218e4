"""Delegations from beginning to end, with backends that need no model."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import pytest

from numen.delegate import Caps
from numen.kernel import Conflict, Forbidden, Json
from numen.ledger import Kind
from numen.store import Store
from tests.delegate.rooms import Yard, opened, yard

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SEED_KEYS = (
    "status degraded_reason intent_id duration_ms response_chars est_prompt_tokens est_response_tokens model "
    "hermes_profile wrote_to ledger_entry".split()
)


def alive(marker: str) -> list[str]:
    """Processes whose environment holds `marker`."""
    found: list[str] = []
    for one in Path("/proc").iterdir():
        if one.name.isdecimal() and one.name != str(os.getpid()):
            try:
                if marker.encode() in (one / "environ").read_bytes():
                    found.append(one.name)
            except OSError:
                continue
    return found


@pytest.mark.promise("delegate.envelope")
def test_an_answer_comes_in_the_seeds_envelope_and_is_recorded_everywhere(
    store: Store, tmp_path: Path
) -> None:
    here = yard(store, tmp_path)
    (here.project / "a.md").write_text("Apples are red.\n")
    done = here.run(target_paths=["a.md", "absent.md"], tags=["fruit"])
    told = done.envelope
    assert done.exit == 0
    assert told.keys() >= set(SEED_KEYS)
    assert (told["status"], told["degraded_reason"], told["wrote_to"]) == ("ok", None, None)
    assert told["ledger_entry"] == ".agents/state/autobot-cost-ledger.jsonl#L1"
    assert str(told["response"]).startswith("# Done\n\nSum it up.")
    assert told["missing_targets"] == [{"path": "absent.md", "why": "missing"}]
    usage = told["usage"]
    assert isinstance(usage, dict)
    assert told["cost_usd"] == (usage["input"] + usage["output"]) / 1_000_000
    (line,) = here.lines()
    assert (line["run_id"], line["tags"], line["status"]) == (told["run_id"], ["fruit"], "ok")
    assert here.house.count(Kind.DELEGATION_RESERVED) == here.house.count(Kind.DELEGATION_SETTLED) == 1
    assert here.house.ledger.verify(here.house.me).ok
    row = here.delegate.report(here.house.me, ["tag", "model"])["rows"]
    assert isinstance(row, list)
    assert (row[0]["tag"], row[0]["model"], row[0]["delegations"]) == ("fruit", "text", 1)


@pytest.mark.promise("delegate.exit-codes")
@pytest.mark.parametrize(
    ("asked", "reason", "code"),
    [
        ({"model": "empty"}, "empty_response", 1),
        ({"model": "fail-3"}, "hermes_exit_3", 1),
        ({"model": "absent"}, "hermes_not_installed", 1),
        ({"model": "garbled", "expected_output": "json"}, "output_validation_failed:no_json", 1),
        ({"model": "flood"}, "output_validation_failed:too_large", 1),
        ({"write_to": "/etc/x"}, "write_refused:outside_roots", 1),
        ({"target_paths": ["no", "../no"]}, "material_refused:missing", 1),
        ({"timeout_seconds": "abc"}, "invalid_intent: payload.timeout_seconds", 2),
        ({"project_root": "/nowhere/at/all"}, "invalid_intent: project_root", 2),
        ({"budget_usd": 0.000001}, "budget_refused:call", 3),
        ({"model": "unpriced", "budget_usd": 1}, "budget_refused:price_unknown", 3),
    ],
)
def test_each_failure_has_its_reason_its_exit_code_and_its_record(
    here: Yard, asked: dict[str, Json], reason: str, code: int
) -> None:
    done = here.run(**asked)
    assert (done.envelope["status"], done.exit) == ("degraded", code)
    assert str(done.envelope["degraded_reason"]).startswith(reason)
    assert here.house.count(Kind.DELEGATION_SETTLED) == 1
    assert len(here.lines()) == (0 if "project_root" in asked else 1)


@pytest.mark.promise("delegate.repair")
def test_an_answer_of_the_wrong_form_is_asked_for_once_more_at_its_cost(here: Yard) -> None:
    schema = {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}
    done = here.run(model="once", expected_output="json", output_schema=schema)
    assert (done.exit, done.envelope["response"]) == (0, '{"ok":true}')
    attempts = done.envelope["attempts"]
    assert isinstance(attempts, list)
    assert [(one["kind"], one["exit"]) for one in attempts] == [("call", 0), ("repair", 0)]
    never = here.run(model="json", expected_output="json", output_schema={"type": "array"})
    assert str(never.envelope["degraded_reason"]).startswith("output_validation_failed:schema")
    outside = {"$ref": "http://127.0.0.1:9/x.json"}
    fetched = here.run(model="json", expected_output="json", output_schema=outside)
    assert str(fetched.envelope["degraded_reason"]).startswith("output_validation_failed:schema")


@pytest.mark.promise("delegate.no-bypass")
def test_another_is_asked_only_where_the_intent_names_it_and_only_for_want_of_the_first(here: Yard) -> None:
    assert here.run(model="busy").envelope["degraded_reason"] == "hermes_exit_75"
    done = here.run(model="busy", fallback=[{"model": "absent"}, {"model": "text"}])
    attempts = done.envelope["attempts"]
    assert isinstance(attempts, list)
    assert [(one["model"], one["reason"]) for one in attempts] == [
        ("busy", "hermes_exit_75"),
        ("absent", "hermes_not_installed"),
        ("text", None),
    ]
    assert done.envelope["model"] == "text"
    wrong = here.run(model="empty", fallback=[{"model": "text"}])
    assert wrong.envelope["degraded_reason"] == "empty_response", "a bad answer is not a want of capacity"


@pytest.mark.promise("delegate.tree-ends")
def test_a_process_that_left_its_session_does_not_survive_the_deadline(here: Yard) -> None:
    done = here.run(model="hang-fork", timeout_seconds=1)
    assert done.envelope["degraded_reason"] == "hermes_timeout_1s"
    run = str(done.envelope["run_id"])
    assert not alive(run)
    part = here.project / str(done.envelope["artifacts"]) / "attempt-1.out"
    assert part.read_text() == "A part of an answer"


@pytest.mark.promise("delegate.tree-ends")
def test_what_says_nothing_for_too_long_is_ended_and_what_is_cancelled_too(here: Yard) -> None:
    done = here.run(model="hang", idle_seconds=1)
    assert done.envelope["degraded_reason"] == "hermes_timeout_300s"
    told: list[object] = []
    asked = json.dumps(here.ask(model="hang")).encode()
    thread = threading.Thread(
        target=lambda: told.append(here.delegate.run(here.house.me, asked).envelope["degraded_reason"])
    )
    thread.start()
    while not (rows := [one for one in here.delegate.runs(here.house.me) if one["state"] == "running"]):
        pass
    here.delegate.cancel(here.house.me, str(rows[0]["run_id"]))
    thread.join()
    assert told == ["cancelled"]


@pytest.mark.promise("delegate.no-nesting")
@pytest.mark.parametrize("mark", ["HERMES_AUTOBOT_DELEGATED", "NUMEN_DELEGATION"])
def test_a_delegated_process_cannot_delegate(tmp_path: Path, mark: str) -> None:
    with opened(tmp_path, environ={**os.environ, mark: "1"}) as here:
        done = here.run()
        assert done.envelope["degraded_reason"] == "nested_delegation_forbidden"
        assert (done.exit, len(here.lines())) == (1, 1)
        assert here.house.count(Kind.DELEGATION_RESERVED) == 0


@pytest.mark.promise("delegate.environment")
def test_a_backend_sees_the_mark_and_nothing_of_ours_that_is_not_on_the_list(tmp_path: Path) -> None:
    names = "import os; print(sorted(os.environ)); print(os.read(0, 9) != b'')"
    secret = {**os.environ, "AWS_SECRET_ACCESS_KEY": "x", "NUMEN_KEY": "x", "LC_ALL": "C.UTF-8"}
    with opened(tmp_path, environ=secret, command=(sys.executable, "-c", names)) as here:
        done = here.run(backend="command")
        names_seen, prompt_came = str(done.envelope["response"]).splitlines()
    assert "'HERMES_AUTOBOT_DELEGATED'" in names_seen
    assert "'NUMEN_DELEGATION'" in names_seen
    assert "SECRET" not in names_seen
    assert "NUMEN_KEY" not in names_seen
    assert prompt_came == "True"


@pytest.mark.promise("delegate.lock")
def test_the_same_intent_runs_once_at_a_time_and_another_beside_it(here: Yard) -> None:
    asked = json.dumps(here.ask(model="hang", timeout_seconds=30)).encode()
    thread = threading.Thread(target=here.delegate.run, args=(here.house.me, asked))
    thread.start()
    while not (rows := [one for one in here.delegate.runs(here.house.me) if one["state"] == "running"]):
        pass
    same = here.run(model="hang", timeout_seconds=30)
    assert (same.envelope["degraded_reason"], same.exit) == ("lock_held", 4)
    assert here.run().exit == 0
    here.delegate.cancel(here.house.me, str(rows[0]["run_id"]))
    thread.join()
    assert len(here.lines()) == 3


@pytest.mark.promise("delegate.request-once")
def test_a_request_that_comes_again_is_answered_and_not_done_again(here: Yard) -> None:
    first = here.run(request_id="r-1")
    again = here.run(request_id="r-1")
    assert (again.envelope["run_id"], again.envelope["reused"]) == (first.envelope["run_id"],) * 2
    assert len(here.lines()) == 1
    other = here.run(request_id="r-1", max_chars=5)
    assert (str(other.envelope["degraded_reason"])[:9], other.exit) == ("duplicate", 4)
    reused = here.run(reuse=60)
    assert reused.envelope["reused"] == first.envelope["run_id"]
    assert reused.envelope["cost_usd"] == 0


@pytest.mark.promise("delegate.nothing-paid-is-lost")
def test_an_answer_that_cannot_be_written_is_written_later(here: Yard) -> None:
    """The folder is closed after the check, by the backend: what a full disk or a lost mount looks like."""
    out = here.project / "out"
    out.mkdir()
    script = here.project / "break"
    script.write_text("")
    with opened(
        here.project.parent / "two",
        command=("sh", "-c", f"cat >/dev/null; mv {out} {out}.away; touch {out}; echo paid"),
    ) as two:
        asked = two.ask(backend="command", write_to="out/x.md", project_root=str(here.project))
        done = two.delegate.run(two.house.me, json.dumps(asked).encode())
        assert str(done.envelope["degraded_reason"]).startswith("write_refused:")
        assert done.envelope["response"] == "paid"
        run = str(done.envelope["run_id"])
        out.unlink()
        (here.project / "out.away").rename(out)
        again = two.delegate.reapply(two.house.me, run)
        assert (again.exit, (out / "x.md").read_text()) == (0, "paid\n")
        assert two.delegate.reapply(two.house.me, run).exit == 0
        assert two.delegate.result(two.house.me, run).envelope["status"] == "ok"
    assert len(here.lines()) == 1


@pytest.mark.promise("delegate.plan")
def test_a_plan_shows_what_would_be_sent_and_leaves_no_trace(here: Yard) -> None:
    (here.project / "a.md").write_text("token: ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n")
    told = here.delegate.plan(here.house.me, json.dumps(here.ask(target_paths=["a.md"])).encode())
    assert told["redactions"] == 1
    assert isinstance(told["cost_usd"], float)
    assert isinstance(told["est_prompt_tokens"], int)
    assert not (here.project / ".agents").exists()
    assert here.delegate.runs(here.house.me) == []


def test_only_the_owner_delegates_and_looks(here: Yard) -> None:
    asked = json.dumps(here.ask()).encode()
    for call in (
        lambda: here.delegate.run(here.house.stranger, asked),
        lambda: here.delegate.plan(here.house.stranger, asked),
        lambda: here.delegate.runs(here.house.stranger),
        lambda: here.delegate.report(here.house.stranger, ["tag"]),
    ):
        with pytest.raises(Forbidden):
            call()


@pytest.mark.promise("delegate.budgets")
def test_days_tags_trees_calls_and_tokens_are_counted_and_what_was_not_used_is_given_back(
    tmp_path: Path,
) -> None:
    caps = Caps(tag_micros={"tight": 9_000}, tree_micros=9_000, day_calls=4)
    with opened(tmp_path, caps=caps) as here:
        assert here.run(tags=["tight"]).exit == 0, "4,096 tokens of answer were reserved and given back"
        assert here.run(tags=["tight"], intent="Again.").exit == 0
        assert here.run(tree="oak", intent="Once more.").exit == 0
        big = here.run(tree="oak", max_output_tokens=9_500)
        assert (big.envelope["degraded_reason"], big.exit) == ("budget_refused:tree:oak", 3)
        assert here.run(intent="Fourth.").exit == 0
        assert here.run(intent="Fifth.").envelope["degraded_reason"] == "budget_refused:calls"


def test_a_result_is_there_only_after_the_end(here: Yard) -> None:
    thread = threading.Thread(target=here.run, kwargs={"model": "hang", "timeout_seconds": 30})
    thread.start()
    while not (rows := [one for one in here.delegate.runs(here.house.me) if one["state"] == "running"]):
        pass
    run = str(rows[0]["run_id"])
    with pytest.raises(Conflict):
        here.delegate.result(here.house.me, run)
    here.delegate.cancel(here.house.me, run)
    thread.join()
    assert here.delegate.result(here.house.me, run).envelope["degraded_reason"] == "cancelled"
