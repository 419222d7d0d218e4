"""Forgetting takes the words, all that was made of them, and keeps them away."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from numen.kernel import InvalidInput, SystemClock
from numen.ledger import Kind
from numen.memory import NewClaim, NothingMatches
from numen.memory.evidence import read
from numen.memory.forgetting import What
from numen.memory.views import Certainty, NewOpinion, Premise, PremiseKind
from numen.store import Store
from tests.memory.rooms import MOMENT, OWNER, House, everything_in, house_over, person, stranger, turn


@pytest.mark.promise("memory.forgetting-closes")
def test_forgetting_a_turn_takes_all_that_was_made_of_it(house: House) -> None:
    said = "My name is Zebedee. Remind me to feed the zorilla tomorrow at 9."
    receipt = house.memory.keep(OWNER, turn(said, "t-1", answer="I will remind you of the zorilla."))
    assert (len(receipt.turns), len(receipt.claims), len(receipt.commitments)) == (2, 1, 1)
    resting = NewClaim("The zorilla is fed at nine.", evidence=(read(receipt.turns[0], None),))
    claim = house.memory.remember(OWNER, resting).claim
    assert claim is not None
    premise = Premise(PremiseKind.CLAIM, claim, "it is fed at nine")
    house.opinions.hold(OWNER, NewOpinion("zorilla", "It is well fed.", Certainty.MODERATE, (premise,)))
    house.memory.keep(OWNER, turn("What a day.", "t-2"))
    gone = house.forgetting.forget(OWNER, What(("t-1",)))
    assert (gone.turns, gone.claims, gone.commitments, gone.opinions, gone.left) == (2, 2, 1, 1, 0)
    assert house.memory.recall(OWNER, "zorilla").rows == ()
    assert house.memory.profile(OWNER) == ()
    assert house.commitments.pending(OWNER) == ()
    assert house.opinions.listed(OWNER) == ()
    kept = everything_in(house.store).lower()
    assert b"zorilla" not in kept
    assert b"zebedee" not in kept
    assert house.portability.verify(OWNER).faults == ()
    (event,) = house.ledger.tail(OWNER, kinds=[Kind.MEMORY_FORGOTTEN])
    assert event.payload["turns"] == 2
    assert house.ledger.verify(OWNER).ok


@pytest.mark.promise("memory.forgotten-stays-forgotten")
def test_a_forgotten_turn_delivered_again_is_stored_nowhere_and_its_words_said_anew_are(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests at Weir.", "t-1"))
    house.forgetting.forget(OWNER, What(("t-1",)))
    again = house.memory.keep(OWNER, turn("The heron nests at Weir.", "t-1"))
    assert (again.replayed, again.erased, again.turns) == (True, True, ())
    assert house.memory.recall(OWNER, "heron").rows == ()
    assert house.memory.keep(OWNER, turn("The heron nests at Weir.", "t-2")).turns
    assert len(house.memory.recall(OWNER, "heron").rows) == 1


@pytest.mark.promise("memory.forgotten-stays-forgotten")
def test_forgetting_half_a_turn_keeps_the_other_half_and_both_stay_as_they_are(house: House) -> None:
    first, second = house.memory.keep(OWNER, turn("The heron nests.", "t-1", answer="The heron flew.")).turns
    assert house.forgetting.forget(OWNER, What((second,))).turns == 1
    again = house.memory.keep(OWNER, turn("The heron nests.", "t-1", answer="The heron flew."))
    assert (again.turns, again.replayed) == ((first,), True)
    assert [row.id for row in house.memory.recall(OWNER, "heron").rows] == [first]


@pytest.mark.promise("memory.forgetting-repeats")
def test_forgetting_twice_says_so_and_changes_nothing(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests.", "t-1"))
    house.forgetting.forget(OWNER, What(("t-1",)))
    again = house.forgetting.forget(OWNER, What(("t-1",)))
    assert (again.again, again.turns) == (True, 0)
    assert len(house.ledger.tail(OWNER, kinds=[Kind.MEMORY_FORGOTTEN])) == 1


def test_a_dry_run_says_what_would_go_and_takes_nothing(house: House) -> None:
    house.memory.keep(person(1), turn("My name is Bo.", "t-1"))
    told = house.forgetting.forget(OWNER, What(person=person(1).viewer), dry_run=True)
    assert (told.turns, told.claims, told.dry_run) == (1, 1, True)
    assert house.memory.profile(person(1))
    done = house.forgetting.forget(OWNER, What(person=person(1).viewer))
    assert (done.turns, done.claims, done.ids) == (told.turns, told.claims, told.ids)


@pytest.mark.promise("memory.guests-forget-their-own")
def test_a_guest_who_names_anothers_ids_hears_what_they_hear_of_ids_that_are_none(house: House) -> None:
    (theirs,) = house.memory.keep(person(1), turn("I saw the red door.", "t-1")).turns
    heard: list[str] = []
    for name in (theirs, "t-1", "turn_TEST_00000000000000000000000000", "nope"):
        for caller in (person(2), stranger("x")):
            with pytest.raises(NothingMatches) as refused:
                house.forgetting.forget(caller, What((name,)))
            heard.append(refused.value.sentences())
    with pytest.raises(NothingMatches) as refused:
        house.forgetting.forget(person(2), What(person=person(1).viewer))
    with pytest.raises(NothingMatches):
        house.forgetting.forget(person(2), What(person="owner"))
    assert len({*heard, refused.value.sentences()}) == 1
    assert house.forgetting.forget(person(1), What(("t-1",))).turns == 1


def test_words_sessions_and_times_choose_what_goes_and_nothing_else(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests by the mill.", "t-1", session="one"))
    house.memory.keep(OWNER, turn("The heron nests by the millpond.", "t-2", session="two"))
    assert house.forgetting.forget(OWNER, What(old_text="nests by the mill")).turns == 1
    house.clock.move(timedelta(days=1))
    house.memory.keep(OWNER, turn("The otter sleeps.", "t-3", session="two"))
    assert house.forgetting.forget(OWNER, What(session="two", before=MOMENT + timedelta(hours=1))).turns == 1
    assert house.forgetting.forget(OWNER, What(session="two")).turns == 1


@pytest.mark.parametrize("what", [What(), What(old_text="the")])
def test_forgetting_nothing_in_particular_is_refused(house: House, what: What) -> None:
    with pytest.raises(InvalidInput):
        house.forgetting.forget(OWNER, what)


@pytest.mark.promise("memory.restore-does-not-bring-back")
def test_a_backup_older_than_a_forget_does_not_bring_the_words_back(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Store.open(home, SystemClock()) as store, house_over(store, home) as house:
        house.memory.keep(OWNER, turn("My name is Zebedee.", "t-1"))
        house.memory.keep(OWNER, turn("The heron nests.", "t-2"))
        store.scrub()
    shutil.copy(home / "numen.db", tmp_path / "backup.db")
    with Store.open(home, SystemClock()) as store, house_over(store, home) as house:
        house.forgetting.forget(OWNER, What(("t-1",)))
    for path in home.glob("numen.db*"):
        path.unlink()
    shutil.copy(tmp_path / "backup.db", home / "numen.db")
    with Store.open(home, SystemClock()) as store, house_over(store, home) as house:
        done = house.forgetting.reconcile(OWNER)
        assert (done.turns, done.claims) == (1, 1)
        assert house.memory.profile(OWNER) == ()
        assert len(house.memory.recall(OWNER, "heron").rows) == 1
        assert house.memory.keep(OWNER, turn("My name is Zebedee.", "t-1")).erased
        assert b"Zebedee" not in everything_in(store)
        assert house.forgetting.reconcile(OWNER).turns == 0


def test_an_import_does_not_bring_forgotten_words_back(house: House, tmp_path: Path) -> None:
    house.memory.keep(OWNER, turn("My name is Zebedee.", "t-1"))
    house.portability.write(OWNER, tmp_path / "all.jsonl", "jsonl")
    house.forgetting.forget(OWNER, What(("t-1",)))
    done = house.portability.read(OWNER, tmp_path / "all.jsonl")
    assert (done.turns, done.claims, done.forgotten) == (0, 0, 2)
