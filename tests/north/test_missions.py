"""Missions: letters are only added, the head moves by compare-and-set, and the bell rings for heads alone."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import Forbidden, InvalidInput, NotFound, Via, canonical_text
from numen.ledger import Kind
from numen.north import tables
from numen.north.letters import (
    CLOSED,
    MOVES,
    Gate,
    Letter,
    Mission,
    NewLetter,
    Phase,
    StaleHead,
    check_move,
    checked,
    mission_id,
)
from tests.north.rooms import AGENT, KEY, MOMENT, OTHER_KEY, OWNER, STRANGER, House

BRAIN = "0123456789abcdef"
GREEN = Gate("make test", 0, "a" * 40)


def first(house: House, name: str = "fix-port") -> Mission:
    return house.missions.post(OWNER, BRAIN, NewLetter(name, Phase.JUDGING, "Is it worth it?", "ada"))


def waiting(house: House, name: str = "fix-port") -> Mission:
    head = first(house, name).head
    return house.missions.post(OWNER, BRAIN, NewLetter(name, Phase.MERGE_WAIT, head=head, gate=GREEN))


def bell(house: House) -> int:
    with house.store.reading() as connection:
        return house.missions.waiting(OWNER, connection, BRAIN)


@pytest.mark.promise("missions.heads")
def test_a_mission_goes_from_judging_to_landed_letter_by_letter(house: House) -> None:
    stands = first(house)
    for phase in (Phase.EXECUTING, Phase.GATE, Phase.REVIEW):
        stands = house.missions.post(OWNER, BRAIN, NewLetter("fix-port", phase, head=stands.head))
        assert bell(house) == 0
    wait = NewLetter("fix-port", Phase.MERGE_WAIT, head=stands.head, gate=GREEN)
    stands = house.missions.post(OWNER, BRAIN, wait)
    assert bell(house) == 1
    land = NewLetter("fix-port", Phase.LANDED, head=stands.head, receipt="merged as 1a2b3c4")
    stands = house.missions.post(OWNER, BRAIN, land)
    assert (stands.phase, stands.n, bell(house)) == (Phase.LANDED, 6, 0)
    _, letters = house.missions.letters(OWNER, BRAIN, "fix-port")
    assert [letter.n for letter in letters] == [6, 5, 4, 3, 2, 1]
    assert [letter.phase for letter in letters][::-1] == [
        Phase.JUDGING,
        Phase.EXECUTING,
        Phase.GATE,
        Phase.REVIEW,
        Phase.MERGE_WAIT,
        Phase.LANDED,
    ]
    assert letters[1].gate == GREEN
    kinds = [entry.kind for entry in house.ledger.tail(OWNER)]
    assert kinds.count(Kind.MISSION_POSTED) == 6
    assert house.ledger.verify(OWNER).ok


@pytest.mark.promise("missions.heads")
def test_a_letter_after_a_stale_head_is_refused_and_leaves_no_trace(house: House) -> None:
    old = first(house)
    house.missions.post(OWNER, BRAIN, NewLetter("fix-port", Phase.EXECUTING, head=old.head))
    for head in (old.head, None, "letter_TEST_nobody"):
        with pytest.raises(StaleHead) as caught:
            house.missions.post(OWNER, BRAIN, NewLetter("fix-port", Phase.FAILED, head=head))
        assert caught.value.code == "stale_head"
    stands, letters = house.missions.letters(OWNER, BRAIN, "fix-port")
    assert (stands.phase, stands.n, len(letters)) == (Phase.EXECUTING, 2, 2)
    with pytest.raises(NotFound):
        house.missions.post(OWNER, BRAIN, NewLetter("another", Phase.EXECUTING, head=old.head))


@pytest.mark.promise("missions.heads")
def test_of_landings_at_once_exactly_one_is_the_landing(house: House) -> None:
    head = waiting(house).head
    gate, outcomes = threading.Barrier(6), list[str]()

    def land(number: int) -> None:
        letter = NewLetter("fix-port", Phase.LANDED, head=head, receipt=f"commit {number}")
        gate.wait()
        try:
            house.missions.post(OWNER, BRAIN, letter)
            outcomes.append("landed")
        except StaleHead:
            outcomes.append("stale")

    hands = [threading.Thread(target=land, args=(number,)) for number in range(6)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert sorted(outcomes) == ["landed"] + ["stale"] * 5
    stands, letters = house.missions.letters(OWNER, BRAIN, "fix-port")
    assert (stands.n, len(letters), letters[0].id) == (3, 3, stands.head)


@pytest.mark.promise("missions.heads")
def test_of_two_that_open_one_mission_the_second_is_told(house: House) -> None:
    first(house)
    with pytest.raises(StaleHead):
        first(house)


@pytest.mark.promise("missions.phases")
@given(st.none() | st.sampled_from(Phase), st.sampled_from(Phase))
def test_a_phase_follows_only_where_the_table_says_so(before: Phase | None, after: Phase) -> None:
    if after in MOVES[before]:
        check_move(before, after)
    else:
        with pytest.raises(InvalidInput):
            check_move(before, after)


@pytest.mark.promise("missions.phases")
def test_only_what_waited_lands_and_only_what_waited_or_landed_is_archived() -> None:
    assert {before for before, may in MOVES.items() if Phase.LANDED in may} == {Phase.MERGE_WAIT}
    assert {before for before, may in MOVES.items() if Phase.ARCHIVED in may} == {
        Phase.MERGE_WAIT,
        Phase.LANDED,
    }
    assert all(MOVES[phase] <= CLOSED for phase in CLOSED)


@pytest.mark.promise("missions.phases")
@pytest.mark.parametrize(
    "letter",
    [
        NewLetter("m", Phase.MERGE_WAIT),
        NewLetter("m", Phase.MERGE_WAIT, gate=replace(GREEN, exit_status=1)),
        NewLetter("m", Phase.MERGE_WAIT, gate=replace(GREEN, artifact_hash="main")),
        NewLetter("m", Phase.MERGE_WAIT, gate=replace(GREEN, command=" ")),
        NewLetter("m", Phase.LANDED),
        NewLetter("m", Phase.LANDED, receipt="  "),
        NewLetter("m", Phase.JUDGING, text="x" * 4001),
    ],
)
def test_a_letter_that_says_too_little_or_too_much_is_refused(letter: NewLetter) -> None:
    with pytest.raises(InvalidInput) as caught:
        checked(letter)
    assert caught.value.not_done == "No letter was posted."


@pytest.mark.promise("missions.phases")
@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "a.b", "", "-a", "a b", "ä", "a" * 65, "a\0"])
def test_a_path_is_no_name_of_a_mission(house: House, name: str) -> None:
    with pytest.raises(InvalidInput):
        mission_id(name)
    with pytest.raises(InvalidInput):
        first(house, name)
    with pytest.raises(InvalidInput):
        house.missions.letters(OWNER, BRAIN, name)
    assert house.missions.missions(OWNER, BRAIN) == ()


@pytest.mark.promise("missions.bell")
def test_only_the_head_rings_and_only_in_its_own_brain(house: House) -> None:
    one = waiting(house, "one")
    waiting(house, "two")
    assert bell(house) == 2
    house.missions.post(OWNER, BRAIN, NewLetter("one", Phase.FAILED, head=one.head))
    assert bell(house) == 1
    with house.store.reading() as connection:
        assert house.missions.waiting(OWNER, connection, "fedcba9876543210") == 0


@pytest.mark.promise("missions.whose")
def test_a_caller_who_is_not_the_owner_sees_and_moves_only_their_own_missions(house: House) -> None:
    waiting(house, "owners")
    mine = house.missions.post(KEY, BRAIN, NewLetter("mine", Phase.EXECUTING))
    assert [one.id for one in house.missions.missions(KEY, BRAIN)] == ["mine"]
    assert house.missions.missions(OTHER_KEY, BRAIN) == ()
    assert {one.id for one in house.missions.missions(OWNER, BRAIN)} == {"owners", "mine"}
    with house.store.reading() as connection:
        assert house.missions.waiting(KEY, connection, BRAIN) == 0
    for scope in (OTHER_KEY, STRANGER):
        with pytest.raises(NotFound):
            house.missions.letters(scope, BRAIN, "mine")
    with pytest.raises(NotFound):
        house.missions.post(OTHER_KEY, BRAIN, NewLetter("mine", Phase.FAILED, head=mine.head))


@pytest.mark.promise("missions.whose")
def test_a_stranger_posts_nothing_and_no_key_lands(house: House) -> None:
    with pytest.raises(Forbidden):
        house.missions.post(STRANGER, BRAIN, NewLetter("mine", Phase.JUDGING))
    mine = house.missions.post(KEY, BRAIN, NewLetter("mine", Phase.EXECUTING))
    mine = house.missions.post(KEY, BRAIN, NewLetter("mine", Phase.MERGE_WAIT, head=mine.head, gate=GREEN))
    land = NewLetter("mine", Phase.LANDED, head=mine.head, receipt="1a2b3c4")
    with pytest.raises(Forbidden):
        house.missions.post(KEY, BRAIN, land)
    with pytest.raises(Forbidden):
        house.missions.post(replace(OWNER, via=Via.MIND), BRAIN, land)
    assert house.missions.post(AGENT, BRAIN, land).phase is Phase.LANDED


@pytest.mark.promise("missions.heads")
def test_letters_keep_their_order_under_a_clock_that_jumps(house: House) -> None:
    stands = first(house)
    for hours in (-48, 96, -1):
        house.clock.move(timedelta(hours=hours))
        stands = house.missions.post(OWNER, BRAIN, NewLetter("fix-port", Phase.EXECUTING, head=stands.head))
    _, letters = house.missions.letters(OWNER, BRAIN, "fix-port")
    assert [letter.n for letter in letters] == [4, 3, 2, 1]
    assert letters[0].id == stands.head
    assert [letter.at for letter in letters] != sorted((one.at for one in letters), reverse=True)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("missions.many-letters")
def test_ten_thousand_letters_are_read_in_pages_and_fit_the_cockpit(house: House) -> None:
    stands = first(house)
    ids = [house.store.ids.new("letter") for _ in range(2, 10_001)]
    rest = [
        Letter(one, "fix-port", n, Phase.REVIEW, "木" * 3999, "ada", None, None, MOMENT)
        for n, one in enumerate(ids, 2)
    ]
    with house.store.transaction() as connection:
        for letter in rest:
            tables.add_letter(connection, BRAIN, letter)
        assert tables.move_head(connection, BRAIN, stands, rest[-1])
    _, page = house.missions.letters(OWNER, BRAIN, "fix-port")
    assert [letter.n for letter in page] == list(range(10_000, 9_950, -1))
    _, before = house.missions.letters(OWNER, BRAIN, "fix-port", before=page[-1].n)
    assert before[0].n == 9_950
    with pytest.raises(InvalidInput):
        house.missions.letters(OWNER, BRAIN, "fix-port", limit=10_000)
    assert len(canonical_text([letter.as_json() for letter in page])) < 50 * 5_000
