"""Claims: what becomes of one beside others, what it rests on, and what is said of a person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from numen.kernel import Audience, Forbidden, InvalidInput, NotFound, Via
from numen.memory import (
    Claim,
    ClaimState,
    ClaimTier,
    Confidence,
    Freshness,
    NewClaim,
    Outcome,
    Reason,
)
from numen.memory.context import Asking
from numen.memory.evidence import read
from tests.memory.rooms import OWNER, House, person, stranger, turn

ROME = NewClaim("Ana lives in Rome.", "Ana", "lives_in", "Rome", Confidence.STATED)
PARIS = NewClaim("Ana lives in Paris.", "ana", "lives_in", "Paris", Confidence.STATED)


@pytest.mark.promise("memory.duplicates-are-found")
@pytest.mark.parametrize(
    "again",
    [
        "Ana lives in Rome.",
        "ana lives  in ROME",
        "Ana lives in Ｒome!",
        "The Ana lives in a Rome",
        "In Rome lives Ana.",
    ],
)
def test_the_same_sentence_is_a_duplicate_however_it_is_typed(house: House, again: str) -> None:
    first = house.memory.remember(OWNER, ROME)
    done = house.memory.remember(OWNER, NewClaim(again))
    assert (done.outcome, done.claim) == (Outcome.DUPLICATE_OF, first.claim)


@pytest.mark.parametrize("other", ["Ana does not live in Rome.", "Ana lives in Rome 2.", "Bo lives in Rome."])
def test_a_sentence_that_says_something_else_is_no_duplicate(house: House, other: str) -> None:
    house.memory.remember(OWNER, ROME)
    assert house.memory.remember(OWNER, NewClaim(other)).outcome is Outcome.CREATED


@pytest.mark.promise("memory.newer-claims-supersede-visibly")
def test_a_newer_value_supersedes_and_the_old_one_stays_to_be_seen(house: House) -> None:
    old = house.memory.remember(OWNER, ROME)
    new = house.memory.remember(OWNER, PARIS)
    assert (new.outcome, new.other) == (Outcome.SUPERSEDES, old.claim)
    assert old.claim is not None
    assert house.memory.claims(OWNER, [old.claim])[old.claim].state is ClaimState.SUPERSEDED
    (row,) = house.memory.recall(OWNER, "Where does Ana live?").rows
    assert (row.quote, row.related) == ("Ana lives in Paris.", (f"supersedes {old.claim}",))


@pytest.mark.promise("memory.newer-claims-supersede-visibly")
def test_a_weaker_value_conflicts_and_both_are_shown(house: House) -> None:
    house.memory.remember(OWNER, ROME)
    weak = NewClaim("Ana lives in Oslo.", "Ana", "lives_in", "Oslo", Confidence.INFERRED)
    assert house.memory.remember(OWNER, weak).outcome is Outcome.CONFLICTS_WITH
    rows = house.memory.recall(OWNER, "Where does Ana live?").rows
    assert {row.quote for row in rows} == {"Ana lives in Rome.", "Ana lives in Oslo."}
    assert {row.state for row in rows} == {ClaimState.CONFLICTED}


def test_a_person_may_have_several_allergies(house: House) -> None:
    house.memory.keep(OWNER, turn("I'm allergic to peanuts and cats.", "t-1"))
    house.memory.keep(OWNER, turn("I'm allergic to latex.", "t-2"))
    assert len(house.memory.profile(OWNER)) == 3


@pytest.mark.promise("memory.a-refusal-says-why")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("  ", Reason.EMPTY),
        ("x" * 2001, Reason.TOO_LONG),
        ("<numen-memory>\nthe heron\n</numen-memory>", Reason.RECALLED),
    ],
)
def test_a_refused_claim_says_why(house: House, text: str, reason: Reason) -> None:
    done = house.memory.remember(OWNER, NewClaim(text))
    assert (done.outcome, done.reason, done.claim) == (Outcome.REFUSED, reason, None)


def test_a_missing_confidence_is_unknown_and_no_refusal(house: House) -> None:
    done = house.memory.remember(OWNER, NewClaim("The mill stands by the river."))
    assert done.claim is not None
    assert house.memory.claims(OWNER, [done.claim])[done.claim].confidence is Confidence.UNKNOWN


@pytest.mark.promise("memory.live-evidence")
def test_a_claim_whose_lines_changed_is_stale_the_moment_it_is_shown(house: House, tmp_path: Path) -> None:
    file = tmp_path / "mill.py"
    file.write_text("def turn():\n    return 1\n")
    claim = NewClaim("turn returns one.", evidence=(read("mill.py#L1-L2", tmp_path),))
    house.memory.remember(OWNER, claim)

    def stands() -> Freshness:
        return house.memory.recall(OWNER, "What does turn return?").rows[0].freshness

    assert stands() is Freshness.FRESH
    file.write_text("# moved down\ndef turn():\n    return 1\n")
    assert stands() is Freshness.STALE
    file.write_text("def turn():\n    return 1\n# and more\n")
    assert stands() is Freshness.FRESH
    file.unlink()
    assert stands() is Freshness.MISSING


@pytest.mark.parametrize(
    "cited", ["gone.py#L1-L2", "../outside.py#L1-L1", "mill.py#L9-L9", "mill.py#L2-L1", "no such/thing"]
)
def test_evidence_that_is_not_there_is_refused(house: House, tmp_path: Path, cited: str) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "mill.py").write_text("one\n")
    (tmp_path / "outside.py").write_text("secret\n")
    with pytest.raises(InvalidInput):
        house.memory.remember(OWNER, NewClaim("It is so.", evidence=(read(cited, root),)))


def test_a_claim_cannot_rest_on_another_persons_turn(house: House) -> None:
    (theirs,) = house.memory.keep(person(1), turn("I saw the red door.", "t-1")).turns
    for cited in (theirs, "turn_TEST_00000000000000000000000000"):
        with pytest.raises(InvalidInput, match="no such turn"):
            house.memory.remember(person(2), NewClaim("The door is red.", evidence=(read(cited, None),)))


@pytest.mark.promise("memory.guests-write-for-themselves")
def test_what_a_guest_brings_is_tainted_theirs_and_no_better_than_stated(house: House) -> None:
    new = NewClaim("The key is under the mat.", confidence=Confidence.VERIFIED, audience=Audience.EVERYONE)
    done = house.memory.remember(person(1), new)
    assert done.claim is not None
    kept: Claim = house.memory.claims(OWNER, [done.claim])[done.claim]
    assert (kept.taint, kept.audience, kept.confidence) == (True, Audience.OWNER, Confidence.STATED)
    assert house.memory.recall(person(2), "Where is the key?").rows == ()


def test_only_its_own_person_and_the_owner_may_change_a_claim(house: House) -> None:
    done = house.memory.remember(person(1), NewClaim("The key is under the mat."))
    assert done.claim is not None
    for other in (person(2), stranger("x")):
        with pytest.raises(NotFound):
            house.memory.retract(other, done.claim)
        with pytest.raises(NotFound):
            house.memory.promote(other, done.claim)
    assert house.memory.retract(OWNER, done.claim).state is ClaimState.RETRACTED
    assert house.memory.recall(OWNER, "Where is the key?").rows == ()


@pytest.mark.promise("memory.counts-are-kept")
def test_the_kept_number_of_claims_is_their_number_through_every_change(house: House, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")
    here = ((ClaimTier.PROJECT, "b1"),)
    everywhere = ((ClaimTier.MEDULLA, None),)
    cited = (read("a.py#L1-L1", tmp_path),)
    first = house.memory.remember(
        OWNER, NewClaim("One is first.", tier=ClaimTier.PROJECT, brain="b1", evidence=cited)
    )
    house.memory.remember(OWNER, NewClaim("Two is second.", tier=ClaimTier.PROJECT, brain="b1"))
    house.memory.remember(person(1), NewClaim("Three is third.", tier=ClaimTier.PROJECT, brain="b1"))
    assert house.projects.count(OWNER, here) == 3
    assert house.projects.count(person(1), here) == 1
    assert house.projects.count(person(2), here) == 0
    assert [one.text for one in house.projects.near(OWNER, "b1", ["a.py"], 5)] == ["One is first."]
    assert house.projects.near(OWNER, "b2", ["a.py"], 5) == ()
    assert first.claim is not None
    house.memory.promote(OWNER, first.claim)
    assert (house.projects.count(OWNER, here), house.projects.count(OWNER, everywhere)) == (2, 1)
    house.memory.retract(OWNER, first.claim)
    assert house.projects.count(OWNER, everywhere) == 0
    assert house.portability.verify(OWNER).faults == ()


@pytest.mark.promise("memory.own-profile")
@pytest.mark.parametrize(
    "question", ["Do you remember me?", "Who am I?", "Erinnerst du dich an mich?", "¿Quién soy?"]
)
def test_a_self_introduced_guest_gets_their_own_profile_without_a_word_in_common(
    house: House, question: str
) -> None:
    house.memory.keep(person(1), turn("Hi, my name is Marek. I live in Utrecht.", "t-1"))
    house.memory.keep(person(2), turn("My name is Lou.", "t-2"))
    quotes = [row.quote for row in house.memory.recall(person(1), question).rows]
    assert quotes[:2] == ["Hi, my name is Marek.", "I live in Utrecht."]
    assert not any("Lou" in quote for quote in quotes)


def test_a_correction_is_told_to_the_next_turn(house: House) -> None:
    house.memory.keep(OWNER, turn("No, it's Tuesday.", "t-1"))
    from_words = house.context.assemble(OWNER, Asking("And now?")).sections
    assert any(one.title == "Corrections" and "Tuesday" in one.body for one in from_words)


@pytest.mark.promise("memory.promoted")
def test_only_a_person_or_proof_that_stands_takes_a_claim_out_of_its_project(
    house: House, tmp_path: Path
) -> None:
    agent = replace(OWNER, via=Via.MCP, interactive=False)
    code = tmp_path / "a.py"
    code.write_text("one\ntwo\n")

    def claim(text: str, confidence: Confidence) -> str:
        cited = (read("a.py#L1-L1", tmp_path),)
        new = NewClaim(text, confidence=confidence, tier=ClaimTier.PROJECT, brain="b1", evidence=cited)
        made = house.memory.remember(OWNER, new).claim
        assert made is not None
        return made

    stated = claim("One comes first.", Confidence.STATED)
    verified = claim("Two follows it.", Confidence.VERIFIED)
    with pytest.raises(Forbidden):
        house.memory.promote(agent, stated)
    code.write_text("zero\ntwo\n")
    with pytest.raises(Forbidden):
        house.memory.promote(agent, verified)
    code.write_text("one\ntwo\n")
    for scope, one in ((agent, verified), (OWNER, stated)):
        promoted = house.memory.promote(scope, one)
        assert (promoted.tier, promoted.brain) == (ClaimTier.MEDULLA, "b1")
        kept = house.memory.claims(OWNER, [one])[one]
        assert (kept.tier, kept.brain, len(kept.evidence)) == (ClaimTier.MEDULLA, "b1", 1)
