"""The laws of the mind, as properties of pure functions."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.mind import Concern, Drive, IntentionKind, Judgement, Proposal, Quiet, State, rules
from numen.mind.types import Signal

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
EVEN = dict.fromkeys(Drive, 1.0)
moments = st.integers(0, 10 * 365 * 86_400).map(
    lambda s: datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=s)
)
clocks = st.times().map(lambda one: one.replace(microsecond=0))
quiets = st.builds(Quiet, clocks, clocks)
zones = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])


def signal(key: str, weight: float = 0.8, drive: Drive = Drive.DUTY, stage: str = "due") -> Signal:
    return Signal(drive, key, stage, weight, (), Proposal(IntentionKind.MESSAGE, key, key))


def concern(key: str, *, salience: float = 0.8, felt_at: datetime = NOW, stage: str = "due") -> Concern:
    return Concern(f"concern_{key}", Drive.DUTY, key, stage, key, salience, felt_at, felt_at, ())


signals = st.lists(
    st.builds(
        signal, st.text("abcdefgh", min_size=1, max_size=2), st.floats(0.0, 1.0), st.sampled_from(Drive)
    ),
    max_size=60,
)


@pytest.mark.promise("mind.machine")
@given(st.sampled_from(IntentionKind), st.sampled_from(State))
def test_what_has_ended_moves_no_more_and_nothing_becomes_what_it_is(
    kind: IntentionKind, state: State
) -> None:
    assert not rules.may_move(kind, state, state)
    ended = state in {State.SENT, State.DONE, State.FAILED, State.UNCERTAIN, State.EXPIRED, State.CANCELLED}
    if ended:
        assert not any(rules.may_move(kind, state, after) for after in State)


@pytest.mark.promise("mind.machine")
@given(st.sampled_from(IntentionKind))
def test_nothing_is_carried_out_that_was_not_approved(kind: IntentionKind) -> None:
    carried = {State.DISPATCHED, State.SENDING, State.DONE, State.SENT}
    for before in (State.PROPOSED, State.ASKED):
        assert not any(rules.may_move(kind, before, after) for after in carried)
    assert not rules.may_move(kind, State.DROPPED, State.APPROVED)


@pytest.mark.promise("mind.decay")
@given(st.floats(0.0, 1.0), moments, st.timedeltas(timedelta(0), timedelta(days=365)))
def test_a_concern_is_half_as_salient_after_twelve_hours_and_never_more(
    salience: float, since: datetime, passed: timedelta
) -> None:
    left = rules.felt(salience, since, since + passed)
    assert 0.0 <= left <= salience
    assert rules.felt(salience, since, since + passed + rules.HALF_LIFE) == pytest.approx(left / 2)
    assert rules.felt(salience, since, since - passed) == salience, "a clock that goes back changes nothing"


@pytest.mark.promise("mind.quiet-hours")
@given(quiets, zones, moments)
def test_quiet_hours_hold_exactly_inside_and_end_at_their_end(quiet: Quiet, zone: str, now: datetime) -> None:
    until = rules.quiet_until(quiet, zone, now)
    clock = now.astimezone(ZoneInfo(zone)).time()
    if quiet.start < quiet.end:
        inside = quiet.start <= clock < quiet.end
    else:
        inside = quiet.start != quiet.end and (clock >= quiet.start or clock < quiet.end)
    assert (until is not None) is inside
    if until is not None:
        assert now - timedelta(hours=1) < until <= now + timedelta(hours=25)
        if zone in {"UTC", "Asia/Kolkata"}:  # elsewhere the end may fall into an hour that is skipped
            assert until.astimezone(ZoneInfo(zone)).time() == quiet.end


@pytest.mark.promise("mind.quiet-hours")
def test_quiet_hours_are_read_as_they_are_written() -> None:
    assert rules.read_quiet("22:00-08:00") == Quiet(time(22), time(8))
    assert rules.read_quiet(None) is None
    night = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
    assert rules.quiet_until(Quiet(time(22), time(8)), "UTC", night) == datetime(2026, 3, 3, 8, tzinfo=UTC)
    with pytest.raises(ValueError, match="22:00-08:00"):
        rules.read_quiet("at night")


@pytest.mark.promise("mind.capacity")
@given(signals, st.lists(st.text("abcdefgh", min_size=1, max_size=2), unique=True, max_size=24))
def test_at_most_24_concerns_stay_open_and_each_key_is_one(seen: list[Signal], before: list[str]) -> None:
    known = [concern(key) for key in before]
    plan = rules.plan(seen, known, (), EVEN, NOW)
    gone = {one.key for one in (*plan.resolved, *plan.crowded)}
    open_after = ({one.key for one in known} - gone) | {one.key for one in plan.raised}
    assert len(open_after) <= rules.CAPACITY
    assert open_after <= {one.key for one in seen}, "what no drive sees any more is resolved"
    assert len({one.key for one in plan.raised}) == len(plan.raised)
    assert len(plan.chosen) <= rules.MOST_FORMED


@pytest.mark.promise("mind.dedup")
@given(signals)
def test_the_same_look_twice_raises_nothing_new_and_says_nothing_twice(seen: list[Signal]) -> None:
    first = rules.plan(seen, (), (), EVEN, NOW)
    known = [
        Concern(f"concern_{one.key}", one.drive, one.key, one.stage, one.key, one.weight, NOW, NOW, ())
        for one in first.raised
    ]
    said = {rules.told(one) for one in first.chosen}
    second = rules.plan(seen, known, said, EVEN, NOW)
    assert not second.raised
    assert not second.resolved
    assert not {rules.told(one) for one in second.chosen} & said


@pytest.mark.promise("mind.dedup")
def test_a_resolved_concern_rests_for_seven_days_and_another_stage_speaks_at_once() -> None:
    rested = Concern(
        "c", Drive.DUTY, "k", "due", "k", 0.8, NOW, NOW, (), resolved_at=NOW
    )  # fmt: skip
    later = NOW + rules.REST - timedelta(minutes=1)
    assert not rules.plan([signal("k")], [rested], (), EVEN, later).changes
    assert rules.plan([signal("k")], [rested], (), EVEN, NOW + rules.REST).raised
    open_one = concern("k")
    plan = rules.plan([signal("k", stage="late")], [open_one], {"k|due"}, EVEN, NOW)
    assert [one.stage for one in plan.chosen] == ["late"]


@pytest.mark.promise("mind.drive-weights")
@given(signals, st.sampled_from(Drive))
def test_a_drive_that_is_off_raises_nothing_and_what_it_had_raised_is_resolved(
    seen: list[Signal], off: Drive
) -> None:
    had = [Concern("c", off, "zz", "due", "zz", 0.8, NOW, NOW, ())]
    plan = rules.plan([*seen, signal("zz", drive=off)], had, (), EVEN | {off: 0.0}, NOW)
    assert not any(one.drive is off for one in (*plan.raised, *plan.chosen))
    assert [one.key for one in plan.resolved] == ["zz"]


@pytest.mark.promise("mind.outcomes-scored")
@given(st.lists(st.tuples(st.sampled_from(Drive), st.sampled_from(Judgement)), max_size=30))
def test_what_the_owner_does_not_want_is_listened_to_less_and_never_more_than_wholly(
    said: list[tuple[Drive, Judgement]],
) -> None:
    for drive in Drive:
        factor = rules.factor(said, drive)
        assert 0.0 < factor <= 1.0
        assert rules.factor([*said, (drive, Judgement.WRONG)], drive) < factor
        assert rules.factor([*said, (drive, Judgement.USEFUL)], drive) >= factor


@pytest.mark.promise("mind.heartbeat")
@given(moments, st.timedeltas(timedelta(0), timedelta(days=3)))
def test_a_body_that_falls_silent_stops_the_forming_until_it_is_gone_for_good(
    pull: datetime, passed: timedelta
) -> None:
    now = pull + passed
    awake = rules.is_awake(pull, now)
    assert awake is (passed <= rules.AWAKE or passed > rules.ALONE)
    assert rules.is_awake(pull, now, forced=True)
    assert rules.is_own_body(pull, now) is (passed > rules.ALONE)
    assert rules.is_awake(None, now)
    assert rules.is_own_body(None, now)
