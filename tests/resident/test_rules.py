"""The laws of a conversation, as properties."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from numen.resident import claims, rules
from numen.resident.types import (
    Breach,
    Called,
    CallState,
    Cursor,
    Limits,
    Line,
    Message,
    ReadBack,
    Role,
    Spent,
    TurnState,
)
from tests.mind.rooms import START


def called(
    name: str = "lab__restart",
    args: dict[str, object] | None = None,
    state: CallState = CallState.EXECUTED,
    *,
    step: int = 1,
    place: int = 0,
    result: str | None = "done",
    reads: bool = False,
    ref: str = "c1",
) -> Called:
    return Called(
        f"call_{step}_{place}", "turn_1", step, place, ref, name, args or {}, state, reads, result=result
    )  # pyright: ignore[reportArgumentType]


class Receipts(RuleBasedStateMachine):
    """A call that is moved and killed at will; what it did in the world is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.state = CallState.WANTED
        self.ran = 0
        self.past = [self.state]

    def move(self, after: CallState) -> None:
        assert after in rules.CALL_MOVES[self.state]
        self.state = after
        self.past.append(after)

    @precondition(lambda self: self.state is CallState.WANTED)
    @rule(asked=st.booleans())
    def judge(self, asked: bool) -> None:
        self.move(CallState.ASKED if asked else CallState.CLAIMED)
        self.ran += not asked  # the tool is run right after the claim

    @precondition(lambda self: self.state is CallState.ASKED)
    @rule(yes=st.booleans())
    def answer(self, yes: bool) -> None:
        self.move(CallState.CLAIMED if yes else CallState.DENIED)
        self.ran += yes

    @precondition(lambda self: self.state is CallState.CLAIMED)
    @rule(after=st.sampled_from([CallState.EXECUTED, CallState.FAILED, CallState.UNCERTAIN]))
    def ends(self, after: CallState) -> None:
        self.move(after)

    @precondition(lambda self: self.state is CallState.EXECUTED)
    @rule(shown=st.sampled_from([CallState.VERIFIED, CallState.CONTRADICTED, CallState.UNCERTAIN]))
    def look(self, shown: CallState) -> None:
        self.move(shown)

    @rule()
    def is_killed_and_goes_on(self) -> None:
        if self.state is CallState.CLAIMED:
            self.move(CallState.UNCERTAIN)

    @invariant()
    def it_is_claimed_once_and_run_once(self) -> None:
        assert self.past.count(CallState.CLAIMED) <= 1
        assert self.ran <= 1
        assert self.state in rules.OPEN_CALLS or self.ran or self.state is CallState.DENIED


TestReceipts = Receipts.TestCase


@pytest.mark.promise("resident.receipts")
@given(st.lists(st.sampled_from(CallState), max_size=8))
def test_no_path_leads_back_to_a_call_that_was_claimed(path: list[CallState]) -> None:
    state, claimed = CallState.WANTED, 0
    for after in path:
        if after not in rules.CALL_MOVES[state]:
            continue
        claimed += after is CallState.CLAIMED
        state = after
    assert claimed <= 1


@given(st.lists(st.sampled_from(TurnState), max_size=30))
def test_a_turn_that_is_over_never_moves_and_every_other_can_end(path: list[TurnState]) -> None:
    state = TurnState.QUEUED
    for after in path:
        if after in rules.TURN_MOVES[state]:
            assert state not in rules.ENDED
            state = after
    assert state in rules.ENDED or TurnState.STOPPED in rules.TURN_MOVES[state]


@pytest.mark.promise("resident.budget")
@given(
    st.builds(Spent, st.integers(0, 40), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**7)),
    st.integers(0, 3),
)
def test_what_is_left_never_breaks_a_limit_and_a_breach_names_the_one_that_is_reached(
    spent: Spent, extensions: int
) -> None:
    limits = Limits(steps=15, tokens=1000, money=500, seconds=60)
    found = rules.breach(spent, limits, extensions)
    if found is None:
        assert spent.tokens + rules.left(spent, limits, extensions, 10**9) <= 1000 * (1 + extensions)
        assert spent.steps < 15 * (1 + extensions)
    else:
        assert isinstance(found, Breach)
        assert found.used >= found.limit
        assert rules.breach(spent, limits, 10**9) is None


@pytest.mark.promise("resident.spill")
@given(st.text(max_size=300), st.integers(0, 200))
def test_a_long_result_is_read_whole_page_by_page(seed: str, times: int) -> None:
    text = seed * times
    assert len(rules.shown(text, "call_TEST_1")) <= rules.LONGEST_RESULT
    assert (rules.shown(text, "x") == text) is (len(text) <= rules.LONGEST_RESULT)
    read, offset = "", 0
    while True:
        part = rules.page(text, offset)
        head, _, body = part.partition("\n")
        assert len(part) <= rules.LONGEST_RESULT
        read += body
        if "next offset" not in head:
            break
        offset = int(head.rpartition("next offset ")[2].rstrip("]"))
    assert read == text


def lines(sizes: list[tuple[int, int]]) -> list[Line]:
    made: list[Line] = []
    for number, (said, result) in enumerate(sizes):
        turn = f"t{number}"
        made.append(Line("user", "u" * said, turn=turn))
        one = called(ref=f"r{number}")
        made.append(Line("assistant", "", (one,), turn=turn))
        made.append(Line("tool", "x" * result, ref=one.ref, turn=turn))
    return made


@pytest.mark.promise("resident.compaction")
@given(
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 4000)), min_size=1, max_size=8),
    st.integers(1, 3000),
)
def test_a_cut_keeps_the_newest_turns_whole_says_what_is_gone_and_parts_no_call_from_its_result(
    sizes: list[tuple[int, int]], window: int
) -> None:
    whole = lines(sizes)
    current = whole[-1].turn
    kept, gone = rules.cut(whole, window, current)
    wanted = {one.ref for line in kept for one in line.calls}
    assert wanted == {line.ref for line in kept if line.ref is not None}
    assert [one for one in kept if one.turn == current] == [one for one in whole if one.turn == current]
    turns = list(dict.fromkeys(one.turn for one in kept if one.turn))
    assert turns == list(dict.fromkeys(one.turn for one in whole))[-len(turns) :]
    assert (gone > 0) is (len([one for one in kept if one.turn]) < len(whole))
    if gone:
        assert str(gone) in kept[0].text
    if turns != [current]:
        assert sum(map(rules.size, kept)) <= window + rules.size(kept[0])


def test_what_a_person_says_during_a_turn_comes_after_the_results_of_the_step_at_work() -> None:
    def said(seq: int, role: Role, text: str, step: int = 0, base: int | None = None) -> Message:
        return Message(f"m{seq}", seq, "s", "turn_1", step, role, text, START, seq if base is None else base)

    messages = [
        said(1, Role.USER, "restart it"),
        said(4, Role.ASSISTANT, "", step=1, base=2),
        said(3, Role.USER, "and be quick"),
    ]
    folded = rules.folded(messages, [called(step=1, place=1, ref="b"), called(step=1, place=0, ref="a")])
    assert [(one.role, one.ref or one.text) for one in folded] == [
        ("user", "restart it"),
        ("assistant", ""),
        ("tool", "a"),
        ("tool", "b"),
        ("user", "and be quick"),
    ]


def test_a_model_that_repeats_a_call_with_the_same_result_is_noticed_and_one_that_polls_is_not() -> None:
    same = [called(step=n, args={"a": 1}) for n in range(3)]
    assert rules.repeats(same, "lab__restart", {"a": 1}) == 3
    assert rules.repeats(same, "lab__restart", {"a": 2}) == 0
    polled = [called(step=n, args={"a": 1}, result=f"{n} of 3") for n in range(3)]
    assert rules.repeats(polled, "lab__restart", {"a": 1}) == 1
    assert rules.repeats([*same, called("lab__list")], "lab__restart", {"a": 1}) == 0


@pytest.mark.promise("resident.read-back")
def test_a_look_afterwards_fills_in_the_calls_arguments_and_reads_what_it_must_show() -> None:
    back = ReadBack(
        "inspect", {"service": "$service"}, {"/service/state": "running", "/service/id": "$service"}
    )
    assert rules.filled(back, {"service": "wiki"}) == {"service": "wiki"}
    state = {"service": {"state": "running", "id": "wiki"}}
    assert rules.is_shown(back, {"service": "wiki"}, json.dumps(state)) is True
    assert rules.is_shown(back, {"service": "dns"}, json.dumps(state)) is False
    assert rules.is_shown(back, {"service": "wiki"}, "no JSON") is None
    assert rules.is_shown(back, {"service": "wiki"}, "[]") is False


@given(st.integers(0, 2**50), st.integers(0, 10**6))
def test_a_cursor_is_read_as_it_is_written(seq: int, n: int) -> None:
    assert rules.read_cursor(str(Cursor(seq, n))) == Cursor(seq, n)


@pytest.mark.parametrize("text", ["", "x", "1.", "1.x", "-1", "1.-1", "٣"])
def test_what_is_no_cursor_is_none(text: str) -> None:
    assert rules.read_cursor(text) is None


@given(st.integers(0, 200))
def test_waits_double_and_stay_under_a_minute(failures: int) -> None:
    assert 0 <= rules.wait_before(failures) <= rules.wait_before(failures + 1) <= 60


@pytest.mark.promise("resident.lint")
@pytest.mark.parametrize(
    "answer",
    [
        "I restarted the wiki.",
        "The wiki has been restarted.",
        "Done: wiki restarted.",
        "All good now. I've just deleted the old backups.",
        "Successfully sent the message to Ana.",
        "The proxy was successfully updated.",
    ],
)
def test_a_claim_of_a_deed_without_a_receipt_is_marked(answer: str) -> None:
    found = claims.unproven(answer, [])
    assert len(found) == 1
    assert found[0] in claims.marks(found)
    for state in (CallState.FAILED, CallState.DENIED, CallState.UNCERTAIN, CallState.CONTRADICTED):
        assert claims.unproven(answer, [called("lab__delete_restart_send_update", state=state)]) == found
    assert claims.unproven(answer, [called("lab__delete_restart_send_update", reads=True)]) == found


@pytest.mark.promise("resident.lint")
@pytest.mark.parametrize(
    "answer",
    [
        "I have not restarted it.",
        "I couldn't delete the backups.",
        "Shall I restart it? It was not restarted.",
        "Once it has been restarted, look again.",
        "The wiki is degraded; three services depend on it.",
        "I checked the health summary and looked at the logs.",
        "It would have been deleted.",
        "You can restart it with one call.",
    ],
)
def test_what_claims_no_deed_is_left_alone(answer: str) -> None:
    assert claims.unproven(answer, []) == []


@pytest.mark.promise("resident.lint")
def test_a_receipt_bears_the_claim_that_it_is_about_and_no_other() -> None:
    done = called("lab__request_execution", {"service": "wiki", "action": "restart"}, CallState.VERIFIED)
    assert claims.unproven("I restarted the wiki.", [done]) == []
    assert claims.unproven("The wiki has been restarted.", [done]) == []
    assert claims.unproven("I deleted the backups.", [done]) == ["I deleted the backups."]
