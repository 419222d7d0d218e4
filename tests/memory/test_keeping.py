"""Turns are kept once, as they came, in whatever shape they come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.kernel import InvalidInput
from numen.ledger import Kind
from numen.memory import Exchange, Message, Origin, Role, TurnConflict
from numen.memory.context import Asking
from numen.memory.forgetting import What
from tests.memory.rooms import MOMENT, OWNER, House, everything_in, person, turn


@pytest.mark.promise("memory.a-turn-is-kept-once")
def test_the_same_turn_again_is_replayed_and_changes_nothing(house: House) -> None:
    first = house.memory.keep(OWNER, turn("The lease is up in May.", "t-1", answer="Noted."))
    again = house.memory.keep(OWNER, turn("The lease is up in May.", "t-1", answer="Noted."))
    assert (first.replayed, again.replayed) == (False, True)
    assert again.turns == first.turns
    assert house.portability.stats(OWNER)["turns"] == 2
    assert len(house.ledger.tail(OWNER, kinds=[Kind.TURN_KEPT])) == 1


@pytest.mark.promise("memory.a-turn-is-kept-once")
def test_the_same_id_with_other_words_is_a_conflict_and_the_first_words_stay(house: House) -> None:
    house.memory.keep(OWNER, turn("The lease is up in May.", "t-1"))
    with pytest.raises(TurnConflict):
        house.memory.keep(OWNER, turn("The lease is up in June.", "t-1"))
    assert TurnConflict.http_status == 409
    assert [row.quote for row in house.memory.recall(OWNER, "lease").rows] == ["The lease is up in May."]


def test_one_name_for_two_peoples_turns_names_two_turns(house: House) -> None:
    assert not house.memory.keep(person(1), turn("I saw the red door.", "t-1")).replayed
    assert not house.memory.keep(person(2), turn("I saw the blue door.", "t-1")).replayed


@pytest.mark.promise("memory.any-text-is-kept")
@pytest.mark.parametrize(
    "text",
    [
        "nul \0 in it",
        "half a pair \ud83d here",
        "שלום עולם",
        "👩‍👩‍👧‍👦 family",
        "👍",
        "\u202egnirts",
        "ﬁne ＷＩＤＥ",
        "a\r\nb\tc",
    ],
)
def test_any_text_comes_back_as_it_came(house: House, text: str) -> None:
    (kept,) = house.memory.keep(OWNER, turn(text, "t-1")).turns
    with house.store.reading() as connection:
        assert house.memory.texts(connection, [kept]) == {kept: text}
    assert house.memory.keep(OWNER, turn(text, "t-1")).replayed


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(), min_size=1, max_size=60).filter(lambda text: text.strip() != ""))
def test_whatever_is_said_is_kept_and_said_again_is_replayed(house: House, text: str) -> None:
    source = f"t-{hash(text)}"
    first = house.memory.keep(OWNER, turn(text, source))
    assert first.turns
    assert house.memory.keep(OWNER, turn(text, source)).turns == first.turns


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("memory.any-text-is-kept")
def test_a_turn_of_eight_megabytes_is_kept_whole(house: House) -> None:
    text = "word number one " * (8 * 1024 * 1024 // 16)
    (kept,) = house.memory.keep(OWNER, turn(text, "t-1")).turns
    with house.store.reading() as connection:
        assert len(next(iter(house.memory.texts(connection, [kept]).values()))) == 100_000
    assert any(len(getattr(one, "text", "")) == len(text) for one in house.portability.rows(OWNER))


def test_turns_out_of_order_and_from_the_future_keep_their_times(house: House) -> None:
    for source, at in (
        ("a", MOMENT + timedelta(days=900)),
        ("b", datetime(1971, 1, 1, tzinfo=UTC)),
        ("c", MOMENT),
    ):
        house.memory.keep(OWNER, Exchange("s", [Message(Role.USER, f"the heron {source}")], source, at))
    times = {row.quote: row.when for row in house.memory.recall(OWNER, "heron").rows}
    assert times == {
        "the heron a": MOMENT + timedelta(days=900),
        "the heron b": datetime(1971, 1, 1, tzinfo=UTC),
        "the heron c": MOMENT,
    }


@pytest.mark.parametrize("session", ["", "s" * 513])
def test_a_session_of_no_lawful_name_is_refused(house: House, session: str) -> None:
    with pytest.raises(InvalidInput):
        house.memory.keep(OWNER, turn("hello", "t-1", session=session))


@pytest.mark.promise("memory.sealed-before-it-is-kept")
def test_a_secret_that_was_said_is_in_no_row_of_the_store(house: House) -> None:
    house.memory.keep(OWNER, turn("my password is Tr0ub4dor&3x, keep it", "t-1"))
    assert b"Tr0ub4dor" not in everything_in(house.store)
    assert "[secret S-" in house.memory.recall(OWNER, "password").rows[0].quote


@pytest.mark.promise("memory.recalled-text-is-not-captured")
def test_words_that_were_recalled_into_a_prompt_are_not_kept_again(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests at Lake Weir.", "t-1"))
    told = house.context.assemble(OWNER, Asking("Where does the heron nest?"))
    body = next(one.body for one in told.sections if one.title == "Relevant memories")
    assert "Lake Weir" in body
    house.memory.keep(OWNER, turn(f"{body}\nWhere does the heron nest?", "t-2"))
    quotes = [row.quote for row in house.memory.recall(OWNER, "heron").rows]
    assert sorted(quotes) == ["The heron nests at Lake Weir.", "Where does the heron nest?"]
    assert not house.memory.keep(OWNER, turn(body, "t-3")).turns


def test_bookkeeping_is_kept_and_not_recalled(house: House) -> None:
    said = Message(Role.ASSISTANT, "ask K7F about the heron is open", Origin.SYSTEM)
    assert house.memory.keep(OWNER, Exchange("s", [said], "t-1")).turns
    assert house.memory.recall(OWNER, "heron").rows == ()


@pytest.mark.promise("memory.a-checkpoint-repeats-nothing")
def test_a_checkpoint_keeps_only_what_was_not_kept_and_not_forgotten(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests at Lake Weir.", "t-1"))
    house.memory.keep(OWNER, turn("The otter sleeps by the mill.", "t-2"))
    house.forgetting.forget(OWNER, What(("t-2",)))
    every = [
        Message(Role.USER, "The heron nests at Lake Weir."),
        Message(Role.USER, "The otter sleeps by the mill."),
        Message(Role.USER, "The badger digs."),
    ]
    kept = house.memory.keep(OWNER, Exchange("s", every, "checkpoint:1", checkpoint=True))
    assert len(kept.turns) == 1
    assert house.memory.recall(OWNER, "otter").rows == ()


@pytest.mark.promise("memory.reminder-without-a-model")
def test_a_reminder_that_was_said_is_a_commitment_of_its_turn(house: House) -> None:
    said = turn("Remind me to call the landlord about the lease tomorrow at 9", "t-1")
    receipt = house.memory.keep(OWNER, said)
    (owed,) = house.commitments.pending(OWNER)
    assert receipt.commitments == (owed.id,)
    assert (owed.what, owed.turn) == ("call the landlord about the lease", receipt.turns[0])
    assert owed.due_at == datetime(2026, 3, 11, 8, tzinfo=UTC)
    house.memory.keep(OWNER, turn("Remind me to call the landlord about the lease tomorrow at 9", "t-2"))
    assert len(house.commitments.pending(OWNER)) == 1
