"""Each drive: days on which it speaks, days on which it is silent. Everything is one look at things."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from numen.kernel import Audience
from numen.memory.types import (
    Claim,
    ClaimState,
    ClaimTier,
    Commitment,
    CommitmentState,
    Confidence,
    Debtor,
    Due,
)
from numen.mind import BoardTask, Drive, Intention, IntentionKind, Observation, State
from numen.mind.drives import Failure, Question, Snapshot, curiosity, duty, mastery, social, upkeep
from numen.mind.types import Verified
from numen.people import Contact, MayContact, TrustTier

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
DAY = Snapshot(NOW, "Europe/Berlin", "contact_me")
HOUR = timedelta(hours=1)


def owed(**what: object) -> Commitment:
    plain = Commitment(
        "commitment_1", "", "call Ana about the lease", Debtor.OWNER, "", NOW - HOUR, Due.MINUTE,
        "Europe/Berlin", CommitmentState.PENDING, None, "", None, 0, None, NOW - 24 * HOUR, NOW - 24 * HOUR,
    )  # fmt: skip
    return replace(plain, **what)


def person(**what: object) -> Contact:
    plain = Contact(
        "contact_ana", "Ana", TrustTier.REGULAR, NOW - 400 * 24 * HOUR, cadence_minutes=7 * 1440,
        last_interaction_at=NOW - 9 * 24 * HOUR,
    )  # fmt: skip
    return replace(plain, **what)


def claim(identifier: str, text: str) -> Claim:
    return Claim(
        identifier, "", Audience.OWNER, text, "Ana", "lives_in", text, Confidence.STATED,
        ClaimState.CONFLICTED, ClaimTier.MEDULLA, "", "words", False, False, NOW, None, None,
    )  # fmt: skip


def intended(title: str, identifier: str = "intention_1", drive: Drive | None = Drive.DUTY) -> Intention:
    return Intention(
        identifier, IntentionKind.TASK, State.FAILED, identifier, title, "the words", NOW, NOW, NOW, drive
    )


def ended(title: str, hours_ago: float, *, failed: bool = True, why: str = "no network") -> Failure:
    at = NOW - hours_ago * HOUR
    return Failure(intended(title, f"intention_{hours_ago}"), failed, Verified.HERMES_FAILURE, why, at)


@pytest.mark.promise("mind.drive-duty")
def test_duty_speaks_of_a_promise_whose_minute_has_come_and_names_it() -> None:
    [said] = duty(replace(DAY, commitments=(owed(),)))
    assert (said.stage, said.proposal.exact, said.proposal.asked_for) == ("due", True, True)
    assert said.proposal.body == "call Ana about the lease (due Monday, 2 March, 15:00)."
    assert said.about == ("commitment_1",)


@pytest.mark.promise("mind.drive-duty")
def test_duty_speaks_in_the_morning_of_a_day_and_again_once_it_has_passed() -> None:
    today = owed(due_at=NOW, precision=Due.DAY)
    [said] = duty(replace(DAY, commitments=(today,)))
    assert (said.stage, said.proposal.exact) == ("due", False)
    [late] = duty(replace(DAY, now=NOW + 24 * HOUR, commitments=(today,)))
    assert (late.key, late.stage) == (said.key, "late")
    assert late.weight < said.weight


@pytest.mark.promise("mind.drive-duty")
def test_duty_speaks_of_work_that_is_blocked_and_of_work_that_nobody_does() -> None:
    blocked = BoardTask("t1", "write the report", "blocked", 60.0, "needs_input")
    stale = BoardTask("t2", "sort the photos", "todo", 4 * 86_400.0)
    seen = replace(DAY, observation=Observation("b", NOW, {"todo": 2}, (stale,), (blocked,)))
    said = {one.key: one.proposal.body for one in duty(seen)}
    assert "blocked (needs_input)" in said["task:t1"]
    assert "for 4 days" in said["task:t2"]


@pytest.mark.promise("mind.drive-duty")
@pytest.mark.parametrize(
    "day",
    [
        replace(DAY, commitments=(owed(due_at=NOW + HOUR),)),
        replace(DAY, commitments=(owed(state=CommitmentState.FULFILLED), owed(due_at=None, precision=None))),
        replace(DAY, commitments=(owed(due_at=NOW - 30 * 24 * HOUR),)),
        replace(DAY, observation=Observation("b", NOW, {"todo": 3, "done": 9})),
    ],
    ids=["not yet", "settled or without a date", "of last month", "a board that moves"],
)
def test_duty_is_silent(day: Snapshot) -> None:
    assert list(duty(day)) == []


@pytest.mark.promise("mind.drive-social")
def test_social_speaks_of_somebody_not_heard_of_for_longer_than_wanted() -> None:
    [said] = social(replace(DAY, people=(person(),)))
    assert said.proposal.body == "Ana has not written for 9 days; you wanted to be in touch every 7 days."
    assert said.proposal.recipient is None, "it is for the owner to write"


@pytest.mark.promise("mind.drive-social")
def test_social_speaks_anew_after_every_silence_and_of_each_person() -> None:
    again = person(last_interaction_at=NOW - 8 * 24 * HOUR)
    other = person(id="contact_bo", display_name="Bo")
    before, after, bo = social(replace(DAY, people=(person(), again, other)))
    assert before.key == after.key != bo.key
    assert before.stage != after.stage


@pytest.mark.promise("mind.drive-social")
def test_social_counts_short_cadences_in_hours() -> None:
    close = person(cadence_minutes=60, last_interaction_at=NOW - 5 * HOUR)
    [said] = social(replace(DAY, people=(close,)))
    assert "5 hours" in said.proposal.body
    assert "every 1 hour." in said.proposal.body


@pytest.mark.promise("mind.drive-social")
@pytest.mark.parametrize(
    "who",
    [
        person(last_interaction_at=NOW - 6 * 24 * HOUR),
        person(cadence_minutes=None),
        person(may_contact=MayContact.NEVER),
        person(trust_tier=TrustTier.SILENCED),
        person(last_interaction_at=None),
    ],
    ids=["wrote this week", "no cadence", "opted out", "silenced", "never wrote"],
)
def test_social_is_silent(who: Contact) -> None:
    assert list(social(replace(DAY, people=(who,)))) == []


@pytest.mark.promise("mind.drive-curiosity")
def test_curiosity_asks_which_of_two_things_holds() -> None:
    one, other = claim("claim_a", "Ana lives in Rome."), claim("claim_b", "Ana lives in Oslo.")
    [said] = curiosity(replace(DAY, doubts=((one, other),)))
    assert "1. Ana lives in Rome.\n2. Ana lives in Oslo." in said.proposal.body
    assert said.about == ("claim_a", "claim_b")


@pytest.mark.promise("mind.drive-curiosity")
def test_curiosity_knows_a_pair_again_whichever_comes_first() -> None:
    one, other = claim("claim_a", "x"), claim("claim_b", "y")
    [first] = curiosity(replace(DAY, doubts=((one, other),)))
    [second] = curiosity(replace(DAY, doubts=((other, one),)))
    assert first.key == second.key


@pytest.mark.promise("mind.drive-curiosity")
def test_curiosity_asks_of_every_pair_in_few_words() -> None:
    long = claim("claim_c", "word " * 100)
    said = list(
        curiosity(replace(DAY, doubts=((claim("claim_a", "x"), long), (claim("claim_b", "y"), long))))
    )
    assert len(said) == 2
    assert all(len(one.proposal.body) < 400 for one in said)


@pytest.mark.promise("mind.drive-curiosity")
@pytest.mark.parametrize(
    "day",
    [DAY, replace(DAY, commitments=(owed(),)), replace(DAY, people=(person(),))],
    ids=["nothing is known", "something is owed", "somebody is silent"],
)
def test_curiosity_is_silent_where_nothing_disagrees(day: Snapshot) -> None:
    assert list(curiosity(day)) == []


@pytest.mark.promise("mind.drive-mastery")
def test_mastery_speaks_of_what_failed_twice_with_the_last_reason() -> None:
    seen = replace(
        DAY, outcomes=(ended("Back up the photos", 5), ended("back up  the Photos", 1, why="disk full"))
    )
    [said] = mastery(seen)
    assert "has failed 2 times. The last reason: disk full." in said.proposal.body
    assert said.about == ("intention_5", "intention_1")


@pytest.mark.promise("mind.drive-mastery")
def test_mastery_speaks_again_at_every_further_failure() -> None:
    twice = (ended("x", 5), ended("x", 4))
    [second] = mastery(replace(DAY, outcomes=twice))
    [third] = mastery(replace(DAY, outcomes=(*twice, ended("x", 1))))
    assert (second.key, second.stage) == (third.key, "2")
    assert third.stage == "3"


@pytest.mark.promise("mind.drive-mastery")
def test_mastery_counts_from_the_last_success() -> None:
    seen = (ended("x", 9), ended("x", 8, failed=False), ended("x", 3), ended("x", 2))
    [said] = mastery(replace(DAY, outcomes=seen))
    assert said.stage == "2"


@pytest.mark.promise("mind.drive-mastery")
@pytest.mark.parametrize(
    "seen",
    [
        (ended("x", 5),),
        (ended("x", 5), ended("y", 4)),
        (ended("x", 5), ended("x", 4), ended("x", 1, failed=False)),
    ],
    ids=["once", "two different things", "it works again"],
)
def test_mastery_is_silent(seen: tuple[Failure, ...]) -> None:
    assert list(mastery(replace(DAY, outcomes=seen))) == []


@pytest.mark.promise("mind.drive-upkeep")
def test_upkeep_says_of_which_message_nobody_knows_whether_it_went() -> None:
    [said] = upkeep(replace(DAY, uncertain=(intended("Reminder"),)))
    assert "I do not send it again: “the words” (intention_1)." in said.proposal.body


@pytest.mark.promise("mind.drive-upkeep")
def test_upkeep_tells_of_a_question_whole_and_unbudgeted() -> None:
    [said] = upkeep(replace(DAY, questions=(Question("ask_1", "May this be done?\nyes K7F"),)))
    assert said.proposal.body == "May this be done?\nyes K7F"
    assert said.proposal.asked_for


@pytest.mark.promise("mind.drive-upkeep")
def test_upkeep_tells_of_each_thing_by_itself() -> None:
    seen = replace(DAY, uncertain=(intended("a", "intention_a"), intended("b", "intention_b")))
    assert {one.key for one in upkeep(seen)} == {"uncertain:intention_a", "uncertain:intention_b"}


@pytest.mark.promise("mind.drive-upkeep")
@pytest.mark.parametrize(
    "day",
    [
        DAY,
        replace(DAY, uncertain=(intended("a notice of its own", drive=Drive.UPKEEP),)),
        replace(DAY, commitments=(owed(),), people=(person(),), outcomes=(ended("x", 2), ended("x", 1))),
    ],
    ids=["all is well", "its own notice is unsure", "what others care for"],
)
def test_upkeep_is_silent(day: Snapshot) -> None:
    assert list(upkeep(day)) == []
