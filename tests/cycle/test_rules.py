"""The laws of the cycle, as properties of pure rules."""

from __future__ import annotations

import ast
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.cycle import lenses, rules, voting
from numen.cycle.rules import Checked
from numen.cycle.types import (
    Arm,
    Chain,
    Curve,
    Deed,
    Depth,
    Energy,
    Intent,
    Label,
    Plan,
    Said,
    Step,
    Tank,
    Why,
)
from numen.kernel import RoomKey

START = datetime(2026, 3, 2, tzinfo=UTC)
TANKS = st.builds(Tank, st.integers(1, 10**7), st.integers(1, 10**7))
WAITS = st.integers(0, 10**10).map(lambda micros: timedelta(microseconds=micros))


@pytest.mark.promise("cycle.forward-only")
def test_506_of_529_jumps_are_refused() -> None:
    allowed = [pair for pair in product(Step, Step) if rules.may_move(*pair)]
    assert len(allowed) == 23
    assert len(list(product(Step, Step))) - len(allowed) == 506
    assert (Step.CONTRAST, Step.INPUT) in allowed


@pytest.mark.promise("cycle.order-is-static")
@given(st.integers(0, 3))
def test_more_pairs_only_add_steps_and_never_move_one(pairs: int) -> None:
    fewer = {step for step in Step if rules.runs(step, pairs)}
    more = {step for step in Step if rules.runs(step, pairs + 1)}
    assert fewer < more
    assert {Step.INPUT, Step.ENRICH, Step.FIRST_THOUGHT, Step.FINAL, Step.CONTRAST} <= fewer


@pytest.mark.promise("energy.monotone")
@given(
    st.integers(0, 10**6), st.integers(0, 10**6), st.lists(st.integers(1, 10**5), max_size=4), st.booleans()
)
def test_less_energy_never_means_more_passes(low: int, more: int, costs: list[int], asked: bool) -> None:
    depths = tuple(Depth(Arm.PAIRS, size, cost) for size, cost in enumerate(sorted(costs), 1))
    curve = Curve("m", "d", {voting.OPEN: depths})
    wanted = 4 if asked else None
    here, there = (
        rules.plan(level, 100, curve, voting.OPEN, model=True, asked=wanted) for level in (low, low + more)
    )
    assert rules.passes(here) <= rules.passes(there)
    assert here.tokens <= low


@pytest.mark.promise("cycle.no-fit-one-pass")
@given(st.integers(100, 10**9), st.sampled_from([voting.OPEN, voting.NUMBER, voting.CHOICE]))
def test_without_a_fit_a_turn_is_one_pass_however_much_energy_there_is(level: int, kind: str) -> None:
    assert rules.plan(level, 100, None, kind, model=True) == Plan(Arm.SINGLE, 1, 100, Why.NO_FIT)


@pytest.mark.promise("energy.recovery")
@given(TANKS, st.integers(-(10**7), 10**7), st.integers(0, 10**8))
def test_every_price_is_reached_in_finite_time(tank: Tank, level: int, price: int) -> None:
    energy = Energy(min(level, tank.capacity), START)
    wait = rules.unlocks_in(energy, tank, price, START)
    later = rules.refilled(energy, tank, START + wait + timedelta(microseconds=1))
    assert later.level >= min(price, tank.capacity)


@pytest.mark.promise("energy.conservation")
@given(TANKS, st.data())
def test_what_comes_back_is_what_was_not_spent_and_never_more_than_the_tank_holds(
    tank: Tank, data: st.DataObject
) -> None:
    level = data.draw(st.integers(0, tank.capacity))
    amount = data.draw(st.integers(0, level))
    spent = data.draw(st.integers(0, 2 * amount))
    held = rules.reserve(Energy(level, START), tank, amount, START)
    assert held is not None
    left = rules.settle(held, tank, amount, spent, START)
    assert left.level == level - spent


@pytest.mark.promise("energy.conservation")
@given(TANKS, st.integers(0, 10**7), st.lists(WAITS, max_size=6))
def test_looking_often_gives_no_more_and_no_less_than_looking_once(
    tank: Tank, level: int, waits: list[timedelta]
) -> None:
    energy, now = Energy(min(level, tank.capacity), START), START
    for wait in waits:
        now += wait
        energy = rules.refilled(energy, tank, now)
    once = rules.refilled(Energy(min(level, tank.capacity), START), tank, now)
    assert abs(energy.level - once.level) <= 1
    assert energy.level <= tank.capacity


@pytest.mark.promise("energy.parallel")
@given(TANKS, st.data())
def test_what_is_reserved_side_by_side_is_never_more_than_there_is(tank: Tank, data: st.DataObject) -> None:
    level = data.draw(st.integers(0, tank.capacity))
    energy, granted = Energy(level, START), 0
    for amount in data.draw(st.lists(st.integers(0, tank.capacity), max_size=8)):
        left = rules.reserve(energy, tank, amount, START)
        if left is not None:
            energy, granted = left, granted + amount
    assert granted <= level
    assert energy.level == level - granted


@given(TANKS, st.integers(0, 10**6), WAITS)
def test_a_clock_that_goes_back_takes_nothing(tank: Tank, level: int, back: timedelta) -> None:
    energy = Energy(min(level, tank.capacity), START)
    assert rules.refilled(energy, tank, START - back) == energy


LABELS = st.frozensets(st.sampled_from(Label), min_size=1)
SAID = st.builds(Said, st.text(max_size=5), LABELS)


@pytest.mark.promise("cycle.labels-join")
@given(st.lists(SAID, min_size=1, max_size=5))
def test_words_made_of_others_come_from_all_of_them(parts: list[Said]) -> None:
    made = Said("x", rules.join(parts))
    assert all(part.labels <= made.labels for part in parts)
    assert rules.may_instruct(made) == all(rules.may_instruct(part) for part in parts)


@given(st.lists(st.sampled_from(Deed), max_size=4), st.sampled_from(Deed), LABELS)
def test_after_a_secret_nothing_leaves_and_foreign_words_only_read_unasked(
    done: list[Deed], deed: Deed, labels: frozenset[Label]
) -> None:
    said = rules.chain(done, deed, labels)
    if deed in {Deed.FETCH, Deed.WRITE, Deed.EXEC} and Deed.READ_SECRET in done:
        assert said is Chain.STOP
    elif labels & {Label.WEB, Label.TOOL, Label.MODEL, Label.MEMORY} and deed is not Deed.READ:
        assert said is Chain.ASK
    if deed is Deed.READ:
        assert said is Chain.GO


def test_a_tool_that_was_not_packed_or_is_locked_is_refused_with_why() -> None:
    shown = {"recall": "", "remember": "locked: 5 s"}
    assert rules.refusal(Intent("recall", {}), shown) == ""
    assert rules.refusal(Intent("remember", {}), shown) == "locked: 5 s"
    assert "`terminal`" in rules.refusal(Intent("terminal", {}), shown)


CHECKED = st.integers(0, 9).flatmap(lambda of: st.builds(Checked, st.integers(0, of), st.just(of)))


@pytest.mark.promise("cycle.keep-best")
@given(CHECKED, st.sampled_from([None, True, False]), st.data())
def test_a_later_answer_stays_only_if_something_favours_it(
    earlier: Checked, preferred: bool | None, data: st.DataObject
) -> None:
    later = Checked(data.draw(st.integers(0, earlier.of)), earlier.of)
    kept = rules.keeps(earlier, later, preferred)
    if later.met < earlier.met:
        assert not kept
    elif later.met == earlier.met:
        assert kept == (preferred is True)
    else:
        assert kept


@given(st.lists(st.sampled_from(["", "1", "2", "3"]), max_size=7))
def test_a_vote_is_won_by_what_most_said_and_no_answer_counts_for_nothing(answers: list[str]) -> None:
    won = rules.voted(answers)
    said = [one for one in answers if one]
    assert (won is None) == (not said)
    assert won is None or all(answers.count(won) >= answers.count(one) for one in said)


@pytest.mark.promise("cycle.lenses")
@given(st.text(max_size=20), st.integers(0, 10**6))
def test_ten_lenses_are_dealt_in_twos_and_four_none_twice_and_the_same_each_time(
    room: str, epoch: int
) -> None:
    key = RoomKey(room, "c", "s").digest()
    dealt = lenses.deal(key, epoch)
    assert [len(names) for names in dealt.values()] == [2, 2, 2, 4]
    flat = [name for names in dealt.values() for name in names]
    assert len(set(flat)) == 10
    assert set(flat) <= set(lenses.POOL)
    assert dealt == lenses.deal(key, epoch)
    assert dealt != lenses.deal(key, epoch + 1)


def test_the_deck_has_56_short_questions_and_none_bids_to_look_away() -> None:
    assert len(lenses.DECK) == 56
    assert len(set(lenses.DECK.values())) == 56
    for question in lenses.DECK.values():
        assert question.endswith("?")
        assert len(question) <= 80
        assert not {"ignore", "forget", "disregard", "pretend"} & set(question.casefold().split())


def test_the_rules_hold_no_number_but_0_and_1() -> None:
    tree = ast.parse(Path(rules.__file__).read_text(encoding="utf-8"))
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    numbers = [one for one in found if isinstance(one, int | float) and not isinstance(one, bool)]
    assert set(numbers) <= {0, 1}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Ada has 3 apples and buys 4. How many apples has she?", voting.NUMBER),
        ("Which is right?\nA) one\nB) two", voting.CHOICE),
        ("Is it raining? Answer yes or no.", voting.CHOICE),
        ("How many people love music?", voting.OPEN),
        ("Write to Ada about the house.", voting.OPEN),
    ],
)
def test_the_class_of_a_question_is_told_by_its_form(question: str, kind: str) -> None:
    assert voting.kind_of(question) == kind


def test_two_answers_are_the_same_by_their_last_figure_or_choice() -> None:
    assert voting.normal(voting.NUMBER, "3 + 4 makes 7.0 apples") == "7"
    assert voting.normal(voting.NUMBER, "It is 1,200.") == "1200"
    assert voting.normal(voting.CHOICE, "The answer is B, a good one.") == "b"
    assert voting.normal(voting.NUMBER, "no idea") == ""
