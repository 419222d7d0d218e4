"""The gate over a real store: judged, asked, answered, claimed once, settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from numen.gate import (
    Autonomy,
    Decision,
    EffectClass,
    Gate,
    Limits,
    Lineage,
    NotAllowed,
    Outcome,
    Policy,
    Rule,
    Run,
    Verdict,
    call_digest,
)
from numen.kernel import Conflict, FixedClock, Forbidden, InvalidInput, NotFound, Unavailable, Via
from numen.ledger import Kind
from numen.people import MayContact, NotOwner
from numen.store import Store
from tests.gate.rooms import START, TASK, House, house

HARMLESS = "touch a{}"


def yes(rooms: House, command: str, lineage: Lineage = TASK) -> str:
    """Ask about a command, and say yes; the code."""
    verdict = rooms.gate.judge(rooms.me, rooms.run(command), lineage)
    assert verdict.ask is not None
    rooms.asks.answer(rooms.me, verdict.ask.code, True)
    return verdict.ask.code


@pytest.mark.promise("gate.coalesced")
def test_25_harmless_calls_of_one_task_are_one_ask(gate_house: House) -> None:
    codes = {
        gate_house.gate.judge(gate_house.me, gate_house.run(HARMLESS.format(n)), TASK).ask.code  # pyright: ignore[reportOptionalMemberAccess]
        for n in range(25)
    }
    assert len(codes) == 1
    (ask,) = gate_house.asks.open(gate_house.me)
    assert len(ask.calls) == 25
    gate_house.asks.answer(gate_house.me, ask.code, True)
    for n in range(25):
        effect = gate_house.run(HARMLESS.format(n))
        gate_house.gate.claim(
            gate_house.me, gate_house.gate.judge(gate_house.me, effect, TASK), effect.digest
        )
    assert gate_house.asks.open(gate_house.me) == ()


@pytest.mark.promise("gate.floor-asks-apart")
def test_what_cannot_be_undone_is_asked_about_one_by_one_and_at_every_level(gate_house: House) -> None:
    gate_house.gate.set_level(gate_house.me, Autonomy.TRUSTED)
    for n in range(3):
        verdict = gate_house.gate.judge(gate_house.me, gate_house.run(f"rm a{n}"), TASK)
        assert (verdict.decision, verdict.rule) == (Decision.ASK, Rule.FLOOR)
    assert len(gate_house.asks.open(gate_house.me)) == 3


@pytest.mark.promise("gate.bound-to-the-call")
def test_a_yes_is_for_exactly_the_call_that_was_shown_and_for_once(gate_house: House) -> None:
    yes(gate_house, "touch a")
    other = gate_house.gate.judge(gate_house.me, gate_house.run("touch a; rm b"), TASK)
    assert other.decision is Decision.ASK
    elsewhere = gate_house.gate.judge(
        gate_house.me, gate_house.run("touch a"), Lineage("task_2", Run.MIND, "task_2")
    )
    assert elsewhere.decision is Decision.ASK
    effect = gate_house.run("touch a")
    verdict = gate_house.gate.judge(gate_house.me, effect, TASK)
    assert (verdict.decision, verdict.rule) == (Decision.ALLOW, Rule.NOD)
    with pytest.raises(NotAllowed):
        gate_house.gate.claim(gate_house.me, verdict, gate_house.run("touch b").digest)
    gate_house.gate.claim(gate_house.me, verdict, effect.digest)
    with pytest.raises(NotAllowed):
        gate_house.gate.claim(gate_house.me, verdict, effect.digest)
    assert gate_house.gate.judge(gate_house.me, effect, TASK).decision is Decision.ASK
    assert gate_house.count(Kind.TOOL_CLAIMED) == 1


@pytest.mark.promise("gate.first-answer-wins")
def test_the_first_answer_wins_and_a_late_one_is_told_so(gate_house: House) -> None:
    verdict = gate_house.gate.judge(gate_house.me, gate_house.run("touch a"), TASK)
    assert verdict.ask is not None
    gate_house.asks.answer(gate_house.me, verdict.ask.code.lower(), False)
    with pytest.raises(Conflict, match="answered no"):
        gate_house.asks.answer(gate_house.me, verdict.ask.code, True)
    assert gate_house.gate.judge(gate_house.me, gate_house.run("touch a"), TASK).decision is Decision.ASK


@pytest.mark.promise("gate.asks-expire")
def test_an_ask_and_an_unused_yes_run_out_after_72_hours(gate_house: House) -> None:
    code = yes(gate_house, "touch a")
    verdict = gate_house.gate.judge(gate_house.me, gate_house.run("rm b"), TASK)
    assert verdict.ask is not None
    gate_house.clock.move(timedelta(hours=72))
    assert gate_house.asks.open(gate_house.me) == ()
    with pytest.raises(Conflict, match="expired"):
        gate_house.asks.answer(gate_house.me, verdict.ask.code, True)
    assert gate_house.gate.judge(gate_house.me, gate_house.run("touch a"), TASK).decision is Decision.ASK
    assert gate_house.count(Kind.APPROVAL_EXPIRED) == 2
    assert code


@pytest.mark.promise("gate.asks-survive")
def test_an_ask_survives_a_restart_and_is_answered_after_it(tmp_path: Path) -> None:
    clock = FixedClock(START)
    with Store.open(tmp_path / "home", clock) as store:
        verdict = house(store, tmp_path / "home", clock=clock).gate.judge(
            house(store, tmp_path / "home", clock=clock).me,
            house(store, tmp_path / "home").run("touch a"),
            TASK,
        )
    with Store.open(tmp_path / "home", clock) as store:
        rooms = house(store, tmp_path / "home", clock=clock)
        assert verdict.ask is not None
        rooms.asks.answer(rooms.me, verdict.ask.code, True)
        assert rooms.gate.judge(rooms.me, rooms.run("touch a"), TASK).rule is Rule.NOD


@pytest.mark.promise("gate.seven-open")
def test_the_eighth_open_question_of_a_task_parks_it(gate_house: House) -> None:
    verdicts = [gate_house.gate.judge(gate_house.me, gate_house.run(f"rm a{n}"), TASK) for n in range(8)]
    assert [one.decision for one in verdicts[:7]] == [Decision.ASK] * 7
    assert (verdicts[7].decision, verdicts[7].rule, verdicts[7].retry) == (Decision.DENY, Rule.PARKED, True)


@pytest.mark.promise("gate.shown-whole")
def test_what_cannot_be_shown_whole_cannot_be_approved_and_secrets_do_not_show(gate_house: House) -> None:
    long = gate_house.gate.judge(
        gate_house.me, gate_house.effect("write_file", path="a", content="x" * 9000), TASK
    )
    assert long.decision is Decision.DENY
    hidden = gate_house.gate.judge(
        gate_house.me, gate_house.run("deploy --token=ghp_16C7e42F292c6912E7710c838347Ae178B4a \u202e"), TASK
    )
    assert hidden.ask is not None
    assert "ghp_16C7" not in hidden.ask.text
    assert "\\u202e" in hidden.ask.text


@pytest.mark.promise("gate.guests")
def test_a_guest_changes_nothing_and_answers_nothing(gate_house: House) -> None:
    guest = Lineage("s1", Run.GUEST)
    effect = gate_house.run("touch a")
    verdict = gate_house.gate.judge(gate_house.stranger, effect, guest)
    assert (verdict.decision, verdict.rule, verdict.retry, verdict.ask) == (
        Decision.DENY,
        Rule.GUEST,
        False,
        None,
    )
    assert gate_house.count(Kind.GATE_DENIED) == 1
    gate_house.gate.judge(gate_house.stranger, gate_house.run("touch b"), guest)
    assert gate_house.count(Kind.GATE_DENIED) == 1
    gate_house.clock.move(timedelta(hours=1))
    gate_house.gate.judge(gate_house.stranger, effect, guest)
    assert gate_house.count(Kind.GATE_DENIED) == 2
    assert gate_house.gate.judge(gate_house.stranger, gate_house.run("ls"), guest).decision is Decision.ALLOW
    own = gate_house.gate.judge(
        gate_house.stranger,
        gate_house.effect("send_message", target="telegram:222"),
        guest,
        chat="telegram:222",
    )
    assert own.rule is Rule.OWN_CHAT
    code = gate_house.gate.judge(gate_house.me, effect, TASK).ask.code  # pyright: ignore[reportOptionalMemberAccess]
    mind = replace(gate_house.me, via=Via.MIND)
    for scope in (gate_house.stranger, mind):
        with pytest.raises(NotOwner):
            gate_house.asks.answer(scope, code, True)
        with pytest.raises(NotOwner):
            gate_house.asks.open(scope)
        with pytest.raises(NotOwner):
            gate_house.grants.give(scope, {})


@pytest.mark.promise("gate.answers-in-chat")
def test_an_answer_in_a_chat_must_stand_in_the_owners_own_message(gate_house: House) -> None:
    verdict = gate_house.gate.judge(gate_house.me, gate_house.run("touch a"), TASK)
    assert verdict.ask is not None
    code = verdict.ask.code
    with pytest.raises(NotFound):
        gate_house.asks.answer(gate_house.me, code, True, message="the page says to approve it")
    with pytest.raises(NotFound) as wrong:
        gate_house.asks.answer(gate_house.me, "22Z" if code != "22Z" else "22Y", True, message=f"yes {code}")
    assert code in wrong.value.next_step
    with pytest.raises(InvalidInput):
        gate_house.asks.answer(gate_house.me, code, True, message=f"no {code}")
    with pytest.raises(NotFound):
        gate_house.asks.answer(gate_house.me, code, True, message=f"yes X{code}")
    assert gate_house.asks.answered_in(gate_house.me, "what is this?") is None
    answered = gate_house.asks.answered_in(gate_house.me, f"Yes, {code.lower()} please")
    assert answered is not None


@pytest.mark.promise("gate.may-contact")
def test_people_are_written_to_as_they_may_be(gate_house: House) -> None:
    lineage = Lineage("chat", Run.OWNER)
    never, ask, auto = (
        gate_house.contact(f"telegram:{n}", may)
        for n, may in enumerate((MayContact.NEVER, MayContact.ASK, MayContact.AUTO), 1)
    )
    judged = [
        gate_house.gate.judge(
            gate_house.me,
            gate_house.effect("send_message", (one.id,), target=one.display_name, message="hi"),
            lineage,
        ).decision
        for one in (never, ask, auto)
    ]
    assert judged == [Decision.DENY, Decision.ASK, Decision.ALLOW]
    owner = gate_house.effect("send_message", (gate_house.me.viewer,), message="hi")
    assert owner.cls is EffectClass.OWNER_MESSAGE
    assert gate_house.gate.judge(gate_house.me, owner, lineage).decision is Decision.ALLOW


@pytest.mark.promise("gate.bulk")
def test_a_fourth_person_in_a_day_is_bulk_and_asked_about(gate_house: House) -> None:
    lineage = Lineage("chat", Run.OWNER, asked_for=True)
    people = [gate_house.contact(f"telegram:{n}", MayContact.AUTO) for n in range(4)]
    rules = []
    for one in people:
        effect = gate_house.effect("send_message", (one.id,), message="hi")
        verdict = gate_house.gate.judge(gate_house.me, effect, lineage)
        rules.append(verdict.rule)
        if verdict.decision is Decision.ALLOW:
            gate_house.gate.claim(gate_house.me, verdict, effect.digest)
    assert rules == [Rule.LEVEL] * 3 + [Rule.FLOOR]


@pytest.mark.promise("gate.budgets")
def test_a_used_up_budget_defers_and_a_new_day_frees_it(store: Store, tmp_path: Path) -> None:
    rooms = house(
        store, tmp_path / "home", Policy(limits=Limits(owner_messages_per_day=1, contact_cooldown_hours=24))
    )
    lineage = Lineage("mind", Run.MIND)
    first, second = (rooms.effect("send_message", (rooms.me.viewer,), message=text) for text in ("a", "b"))
    verdicts = [rooms.gate.judge(rooms.me, one, lineage) for one in (first, second)]
    rooms.gate.claim(rooms.me, verdicts[0], first.digest)
    with pytest.raises(NotAllowed, match="owner_messages"):
        rooms.gate.claim(rooms.me, verdicts[1], second.digest)
    later = rooms.gate.judge(rooms.me, second, lineage)
    assert (later.decision, later.rule, later.retry) == (Decision.DENY, Rule.BUDGET, True)
    asked_for = rooms.gate.judge(rooms.me, second, replace(lineage, asked_for=True))
    assert asked_for.decision is Decision.ALLOW
    rooms.clock.move(timedelta(days=1))
    assert rooms.gate.judge(rooms.me, second, lineage).decision is Decision.ALLOW
    friend = rooms.contact("telegram:9", MayContact.AUTO)
    hello = rooms.effect("send_message", (friend.id,), message="hi")
    rooms.gate.claim(rooms.me, rooms.gate.judge(rooms.me, hello, lineage), hello.digest)
    assert rooms.gate.judge(rooms.me, hello, lineage).rule is Rule.BUDGET


@pytest.mark.promise("gate.breaker")
def test_three_failures_in_a_day_turn_acting_into_asking_for_72_hours(gate_house: House) -> None:
    gate_house.gate.set_level(gate_house.me, Autonomy.TRUSTED)
    for n in range(3):
        effect = gate_house.run(f"touch a{n}")
        verdict = gate_house.gate.judge(gate_house.me, effect, TASK)
        assert verdict.decision is Decision.ALLOW
        claim = gate_house.gate.claim(gate_house.me, verdict, effect.digest)
        gate_house.gate.settle(gate_house.me, claim, Outcome.FAILED)
    assert gate_house.gate.judge(gate_house.me, gate_house.run("touch b"), TASK).rule is Rule.BREAKER
    assert gate_house.gate.judge(gate_house.me, gate_house.run("curl x"), TASK).decision is Decision.ALLOW
    gate_house.clock.move(timedelta(hours=72))
    assert gate_house.gate.judge(gate_house.me, gate_house.run("touch b"), TASK).decision is Decision.ALLOW


@pytest.mark.promise("gate.taint")
def test_words_of_others_turn_acting_into_asking_and_never_change_the_class(gate_house: House) -> None:
    gate_house.gate.set_level(gate_house.me, Autonomy.TRUSTED)
    clean = gate_house.effect("terminal", command="touch a")
    tainted = gate_house.effect("terminal", taint=("web page",), command="touch a")
    assert tainted.cls is clean.cls
    assert gate_house.gate.judge(gate_house.me, clean, TASK).decision is Decision.ALLOW
    verdict = gate_house.gate.judge(gate_house.me, tainted, TASK)
    assert (verdict.decision, verdict.rule) == (Decision.ASK, Rule.TAINT)
    read = gate_house.effect("terminal", taint=("web page",), command="ls")
    assert gate_house.gate.judge(gate_house.me, read, TASK).decision is Decision.ALLOW


@pytest.mark.promise("gate.unbounded")
def test_what_only_the_running_shell_knows_is_asked_about_even_when_trusted(gate_house: House) -> None:
    gate_house.gate.set_level(gate_house.me, Autonomy.TRUSTED)
    for command in ('eval "$X"', "echo cm0K | base64 -d | sh", "$CMD", "ls ("):
        verdict = gate_house.gate.judge(gate_house.me, gate_house.run(command), TASK)
        assert verdict.decision is Decision.ASK, command


@pytest.mark.promise("gate.off")
def test_off_holds_by_the_file_alone_and_when_the_home_cannot_be_read(gate_house: House) -> None:
    effect = gate_house.effect("remember", text="x")
    assert gate_house.gate.judge(gate_house.me, effect, TASK).decision is Decision.ALLOW
    (gate_house.home / "mind.off").touch()
    assert gate_house.gate.judge(gate_house.me, effect, TASK).rule is Rule.OFF
    assert gate_house.gate.judge(gate_house.me, gate_house.run("ls"), TASK).decision is Decision.ALLOW
    gate_house.gate.turn_on(gate_house.me)
    assert gate_house.gate.judge(gate_house.me, effect, TASK).decision is Decision.ALLOW
    gate_house.gate.turn_off(gate_house.me)
    (gate_house.home / "mind.off").unlink()
    assert gate_house.gate.judge(gate_house.me, effect, TASK).rule is Rule.OFF
    gate_house.gate.turn_on(gate_house.me)
    gate_house.home.rename(gate_house.home.with_name("gone"))
    assert gate_house.gate.judge(gate_house.me, effect, TASK).rule is Rule.OFF
    with pytest.raises(Forbidden):
        gate_house.gate.turn_on(gate_house.stranger)


@pytest.mark.promise("gate.workspace")
def test_a_task_writes_inside_of_its_workspace_only(gate_house: House, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "out").symlink_to(tmp_path)
    lineage = replace(TASK, workspace=str(work))

    def judged(tool: str, **args: str) -> Rule:
        return gate_house.gate.judge(gate_house.me, gate_house.effect(tool, **args), lineage).rule

    assert judged("write_file", path="../x", content="") is Rule.WORKSPACE
    assert judged("write_file", path=str(tmp_path / "x"), content="") is Rule.WORKSPACE
    assert judged("write_file", path="out/x", content="") is Rule.WORKSPACE
    assert judged("patch", patch="*** Update File: a\n*** Move to: /etc/x\n") is Rule.WORKSPACE
    assert judged("write_file", path="x", content="") is not Rule.WORKSPACE


@pytest.mark.promise("gate.denied")
def test_a_deny_list_is_final(store: Store, tmp_path: Path) -> None:
    policy = Policy(denied_tools=frozenset({"computer_use"}), denied_text=("prod.example",))
    rooms = house(store, tmp_path / "home", policy)
    for effect in (rooms.effect("computer_use"), rooms.run("ssh PROD.example")):
        verdict = rooms.gate.judge(rooms.me, effect, TASK)
        assert (verdict.decision, verdict.rule, verdict.ask) == (Decision.DENY, Rule.DENIED, None)


@pytest.mark.promise("gate.grants")
def test_a_grant_allows_what_it_names_as_often_as_it_says(gate_house: House) -> None:
    grant = gate_house.grants.give(
        gate_house.me,
        {"class": "external", "tools": ["terminal"], "match": {"command": "git push"}, "per_day": 2},
    )
    assert grant.problem is None
    effect = gate_house.run("git push")
    for _ in range(2):
        verdict = gate_house.gate.judge(gate_house.me, effect, TASK)
        assert verdict.rule is Rule.GRANT
        gate_house.gate.claim(gate_house.me, verdict, effect.digest)
    assert gate_house.gate.judge(gate_house.me, effect, TASK).decision is Decision.ASK
    assert gate_house.gate.judge(gate_house.me, gate_house.run("git pull"), TASK).decision is Decision.ASK
    gate_house.clock.move(timedelta(days=1))
    verdict = gate_house.gate.judge(gate_house.me, effect, TASK)
    gate_house.grants.revoke(gate_house.me, grant.id)
    with pytest.raises(NotAllowed):
        gate_house.gate.claim(gate_house.me, verdict, effect.digest)
    assert gate_house.count(Kind.GRANT_USED) == 2


@pytest.mark.promise("gate.grants")
@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"class": "read", "tools": ["x"]},
        {"class": "external"},
        {"class": "money", "tools": ["pay"]},
        {"class": "external", "tools": "terminal"},
        {"class": "external", "tools": ["x"], "per_day": 0},
        {"class": "external", "tools": ["x"], "expires": "soon"},
        {"class": "external", "tools": ["x"], "forever": True},
        {"kind": "task", "class": "external"},
    ],
)
def test_a_malformed_grant_is_inert_and_says_why(gate_house: House, spec: dict[str, Any]) -> None:
    grant = gate_house.grants.give(gate_house.me, spec)
    assert grant.problem
    assert gate_house.gate.judge(gate_house.me, gate_house.run("curl x"), TASK).decision is Decision.ASK


@pytest.mark.promise("gate.settled")
def test_what_a_client_does_by_itself_is_handed_over_once_and_never_uncertain(gate_house: House) -> None:
    effect = gate_house.run("touch a")
    code = gate_house.gate.judge(gate_house.me, effect, TASK).ask.code  # pyright: ignore[reportOptionalMemberAccess]
    gate_house.asks.answer(gate_house.me, code, True)
    allowed = gate_house.gate.judge(gate_house.me, effect, TASK)
    gate_house.gate.hand_over(gate_house.me, allowed)
    with pytest.raises(NotAllowed):
        gate_house.gate.hand_over(gate_house.me, allowed)
    gate_house.clock.move(timedelta(minutes=10))
    assert gate_house.gate.sweep(gate_house.me) == 0


@pytest.mark.promise("gate.budgets")
def test_a_used_up_budget_defers_and_asks_once(gate_house: House) -> None:
    def said(text: str) -> Verdict:
        effect = gate_house.effect("send_message", (gate_house.me.viewer,), message=text)
        return gate_house.gate.judge(gate_house.me, effect, TASK)

    for n in range(3):
        gate_house.gate.hand_over(gate_house.me, said(str(n)))
    late = said("late")
    assert (late.decision, late.rule, late.retry) == (Decision.DENY, Rule.BUDGET, True)
    assert late.ask is not None
    gate_house.asks.answer(gate_house.me, late.ask.code, True)
    gate_house.gate.hand_over(gate_house.me, said("late"))
    later = said("later")
    assert later.ask is not None
    assert said("later").ask == later.ask
    gate_house.asks.answer(gate_house.me, later.ask.code, False)
    assert (said("later").decision, said("later").ask) == (Decision.DENY, None)


@pytest.mark.promise("gate.settled")
def test_a_claim_that_nobody_settles_is_uncertain_and_stays_so(gate_house: House) -> None:
    effect = gate_house.effect("remember", text="x")
    claim = gate_house.gate.claim(
        gate_house.me, gate_house.gate.judge(gate_house.me, effect, TASK), effect.digest
    )
    assert gate_house.gate.sweep(gate_house.me) == 0
    gate_house.clock.move(timedelta(minutes=10))
    assert gate_house.gate.sweep(gate_house.me) == 1
    gate_house.gate.settle(gate_house.me, claim, Outcome.UNCERTAIN)
    with pytest.raises(Conflict):
        gate_house.gate.settle(gate_house.me, claim, Outcome.DONE)


class Broken:
    """Anything whose every use fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Callable[..., object]:
        raise self._error

    def __call__(self, *_: object) -> object:
        raise self._error


@pytest.mark.promise("gate.error-is-deny")
@pytest.mark.parametrize("part", ["_store", "_ledger", "_directory", "_clock", "_home", "_policy", "_hide"])
@pytest.mark.parametrize(
    "error", [Unavailable("down"), OSError("full"), ValueError("odd"), RuntimeError("bug")]
)
def test_an_error_inside_of_the_gate_is_a_deny(gate_house: House, part: str, error: Exception) -> None:
    friend = gate_house.contact("telegram:5")
    effect = gate_house.effect("send_message", (friend.id,), message="hi")
    assert gate_house.gate.judge(gate_house.me, effect, Lineage("before")).decision is Decision.ASK
    assert isinstance(gate_house.gate, Gate)
    setattr(gate_house.gate, part, Broken(error))
    verdict = gate_house.gate.judge(gate_house.me, effect, TASK)
    assert (verdict.decision, verdict.rule) == (Decision.DENY, Rule.ERROR)
    assert verdict.effect.digest == call_digest(effect.call)
