"""Memory leaves and comes back whole; views and promises follow their rules."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import Audience, Conflict, Forbidden, InvalidInput, NotFound
from numen.memory import Claim, CommitmentState, NewClaim, Resolution
from numen.memory.forgetting import What
from numen.memory.forms import as_json, file_names, markdown, read_jsonl, read_markdown
from numen.memory.opinions import OwnersAlone, TooSoon
from numen.memory.views import Certainty, NewOpinion, OpinionState, Premise, PremiseKind
from numen.store import Store
from tests.memory.rooms import OWNER, House, house_over, person, turn


@pytest.mark.promise("memory.export-and-import")
@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_what_was_exported_comes_back_the_same_in_another_store(
    house: House, tmp_path: Path, form: str
) -> None:
    house.memory.keep(
        OWNER, turn("My name is Zoë. Remind me to call Bo tomorrow at 9.", "t-1", answer="Yes.")
    )
    house.memory.remember(OWNER, NewClaim("Ana lives in Rome.", "Ana", "lives_in", "Rome"))
    house.memory.remember(OWNER, NewClaim("Ana lives in Oslo.", "Ana", "lives_in", "Oslo"))
    house.memory.remember(OWNER, NewClaim("---\nA line that looks like an end\n---\nand more", "ミナ"))
    out = tmp_path / ("all.jsonl" if form == "jsonl" else "claims")
    premise = Premise(PremiseKind.QUOTE, "t-1", "Ana lives in Oslo.")
    house.opinions.hold(OWNER, NewOpinion("Ana", "Is settled.", Certainty.STRONG, (premise,)))
    done = house.portability.write(OWNER, out, form)
    assert done.opinions == (1 if form == "jsonl" else 0)
    assert out.stat().st_mode & 0o077 == 0 or out.is_dir()
    other = tmp_path / "other"
    with Store.open(other, house.clock) as store, house_over(store, other) as second:
        taken = second.portability.read(OWNER, out)
        assert (taken.turns, taken.claims, taken.commitments) == (done.turns, done.claims, done.commitments)
        assert taken.opinions == done.opinions
        wanted = [one for one in house.portability.rows(OWNER) if form == "jsonl" or isinstance(one, Claim)]
        assert [as_json(one) for one in second.portability.rows(OWNER)] == [as_json(one) for one in wanted]
        again = second.portability.read(OWNER, out)
        assert (again.turns, again.claims, again.commitments, again.opinions) == (0, 0, 0, 0)
        if form == "jsonl":
            assert second.portability.verify(OWNER).faults == ()
            assert second.memory.recall(OWNER, "Where does Ana live?").rows[0].quote == "Ana lives in Oslo."


@given(st.lists(st.text(min_size=0, max_size=80), min_size=1, max_size=12))
def test_titles_of_any_script_keep_names_of_their_own(titles: list[str]) -> None:
    names = file_names(titles)
    assert len({name.casefold() for name in names}) == len(titles)
    assert all("/" not in name and name.endswith(".md") and not name.startswith(".") for name in names)


def test_a_japanese_title_stays_readable() -> None:
    assert file_names(["ミナ", "ミナ", "Ana!"]) == ["ミナ.md", "ミナ-2.md", "Ana.md"]


@pytest.mark.parametrize(
    "text", ["{}", "[1]", "not json", '{"kind":"turn"}', '{"kind":"what","id":"x","whose":"y"}']
)
def test_a_file_that_is_no_export_is_refused_and_nothing_is_taken_in(
    house: House, tmp_path: Path, text: str
) -> None:
    (tmp_path / "x.jsonl").write_text(text)
    with pytest.raises(InvalidInput):
        house.portability.read(OWNER, tmp_path / "x.jsonl")
    assert house.portability.rows(OWNER) == []


def test_a_person_may_mend_the_words_of_an_exported_claim(house: House) -> None:
    house.memory.remember(OWNER, NewClaim("Ana livs in Rome.", "Ana"))
    claims = [one for one in house.portability.rows(OWNER) if isinstance(one, Claim)]
    (mended,) = read_markdown(markdown(claims).replace("livs", "lives"))
    assert isinstance(mended, Claim)
    assert (mended.text, mended.id) == ("Ana lives in Rome.", claims[0].id)
    assert read_jsonl("\n\n") == []


def test_a_guest_takes_nothing_in_and_verifies_nothing(house: House, tmp_path: Path) -> None:
    with pytest.raises(Forbidden):
        house.portability.read(person(1), tmp_path)
    with pytest.raises(Forbidden):
        house.portability.verify(person(1))


def view(text: str, ref: str, *, fix: bool = False, audience: Audience = Audience.OWNER) -> NewOpinion:
    premise = Premise(PremiseKind.FINDING, ref, f"because of {ref}")
    return NewOpinion("Tea", text, Certainty.MODERATE, (premise,), audience=audience, is_correction=fix)


@pytest.mark.promise("memory.views-change-for-a-reason")
def test_a_view_is_revised_only_by_something_new_and_once_a_day(house: House) -> None:
    first = house.opinions.hold(OWNER, view("Green is best.", "a"))
    with pytest.raises(InvalidInput, match="Nothing is new"):
        house.opinions.hold(OWNER, view("Black is best.", "a"))
    with pytest.raises(TooSoon):
        house.opinions.hold(OWNER, view("Black is best.", "b"))
    assert house.opinions.hold(OWNER, view("White is best.", "c", fix=True)).revises == first.number
    house.clock.move(timedelta(hours=24))
    last = house.opinions.hold(OWNER, view("Black is best.", "b"))
    assert [one.number for one in house.opinions.listed(OWNER)] == [last.number]
    assert house.opinions.inspect(OWNER, first.number).state is OpinionState.REPLACED


@pytest.mark.promise("memory.a-views-number-is-its-own")
def test_the_number_of_a_forgotten_view_is_never_given_again_and_it_does_not_come_back(
    house: House, tmp_path: Path
) -> None:
    receipt = house.memory.keep(OWNER, turn("The walrus waved.", "t-1"))
    premise = Premise(PremiseKind.QUOTE, receipt.turns[0], "The walrus waved.")
    first = house.opinions.hold(OWNER, NewOpinion("walrus", "It is friendly.", Certainty.STRONG, (premise,)))
    house.portability.write(OWNER, tmp_path / "all.jsonl", "jsonl")
    assert house.forgetting.forget(OWNER, What(receipt.turns)).opinions == 1
    with pytest.raises(NotFound):
        house.opinions.inspect(OWNER, first.number)
    assert house.opinions.hold(OWNER, view("Green is best.", "a")).number == first.number + 1
    assert house.portability.read(OWNER, tmp_path / "all.jsonl").opinions == 0
    assert house.portability.verify(OWNER).opinions == 1


@pytest.mark.promise("memory.views-are-the-owners-to-withdraw")
def test_a_view_is_withdrawn_and_thought_over_by_the_owner_alone(house: House) -> None:
    made = house.opinions.hold(OWNER, view("Green is best.", "a", audience=Audience.EVERYONE))
    secret = house.opinions.hold(OWNER, NewOpinion("Bo", "Is late.", Certainty.TENTATIVE, made.premises))
    assert [one.number for one in house.opinions.listed(person(1), "tea")] == [made.number]
    with pytest.raises(NotFound):
        house.opinions.inspect(person(1), secret.number)
    for change in (house.opinions.withdraw, house.opinions.reconsider):
        with pytest.raises(OwnersAlone):
            change(person(1), made.number)
        with pytest.raises(NotFound):
            change(OWNER, 99)
    assert house.opinions.reconsider(OWNER, made.number, "sure?").state is OpinionState.RECONSIDERED
    assert house.opinions.withdraw(OWNER, made.number).state is OpinionState.WITHDRAWN
    assert house.opinions.withdraw(OWNER, made.number).state is OpinionState.WITHDRAWN
    with pytest.raises(Conflict):
        house.opinions.reconsider(OWNER, made.number)


@pytest.mark.promise("memory.commitments")
def test_a_commitment_is_overdue_after_its_time_put_off_and_settled_once(house: House) -> None:
    house.memory.keep(OWNER, turn("Remind me to call Bo tomorrow at 9.", "t-1"))
    house.memory.keep(OWNER, turn("I'll send the plan to Bo by tomorrow.", "t-2"))
    first, second = sorted(house.commitments.pending(OWNER), key=lambda one: one.what)
    assert (first.what, second.what) == ("call Bo", "send the plan to Bo")
    house.clock.move(timedelta(hours=20))
    states = {one.what: one.state for one in house.commitments.pending(OWNER)}
    assert states == {"call Bo": CommitmentState.OVERDUE, "send the plan to Bo": CommitmentState.PENDING}
    later = house.commitments.snooze(OWNER, first.id, house.clock.now() + timedelta(days=2))
    assert (later.snoozed, later.key != first.key) == (1, True)
    done = house.commitments.settle(OWNER, first.id, Resolution.DONE, "called")
    assert (done.state, done.outcome) == (CommitmentState.FULFILLED, Resolution.DONE)
    assert house.commitments.settle(OWNER, first.id, Resolution.DONE).changed_at == done.changed_at
    with pytest.raises(Conflict):
        house.commitments.settle(OWNER, first.id, Resolution.OBSOLETE)
    with pytest.raises(NotFound):
        house.commitments.settle(person(1), second.id, Resolution.DONE)
    with pytest.raises(InvalidInput):
        house.commitments.settle(OWNER, second.id, Resolution.DONE, "x" * 301)
