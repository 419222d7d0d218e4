"""What the mind does unasked, over a real store and the real gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.gate import Autonomy
from numen.kernel import Conflict, InvalidInput, NotFound, StateUnavailable
from numen.ledger import Kind
from numen.memory.forgetting import What
from numen.memory.types import Confidence, Due, NewClaim, Resolution
from numen.mind import (
    BoardTask,
    IllegalMove,
    IntentionKind,
    Judgement,
    NoTarget,
    NotYours,
    Observation,
    Origin,
    Outcome,
    Proposal,
    State,
    Told,
    Wanted,
)
from numen.people import MayContact, NotOwner
from numen.people import tables as people_tables
from tests.mind.rooms import START, Head, head


def task(mind: Head, title: str = "Sort the photos") -> str:
    return mind.app.mind.set_task(mind.me, title, "All of last year.").id


def kinds(mind: Head) -> list[str]:
    return [one.kind for one in mind.app.ledger.tail(mind.me, limit=1000)]


@pytest.mark.promise("mind.reminder", "mind.inbox")
def test_a_promise_is_told_at_its_minute_once_and_says_why(mind: Head) -> None:
    promised = mind.owe("call Ana about the lease", 2)
    assert mind.tick().formed == 0
    mind.wait(hours=2)
    done = mind.tick()
    assert (done.raised, done.formed, done.delivered) == (1, 1, 1)
    [told] = mind.app.outbox.inbox(mind.me)
    assert told.body.startswith("call Ana about the lease (due Monday, 2 March, 11:00)")
    mind.wait(minutes=5)
    assert not any((mind.tick().formed, mind.tick().delivered))
    account = mind.app.intentions.account(mind.me, told.id)
    assert account.concern is not None
    assert account.concern.about == (promised,)
    assert [one.after for one in account.moves] == ["proposed", "approved", "sending", "sent"]
    assert mind.app.mind.narrative(mind.me) == f"- Told: “{told.title}”, 2026-03-02 ({told.id})"


@pytest.mark.promise("mind.reminder")
def test_a_promise_that_was_kept_in_time_is_not_told_of(mind: Head) -> None:
    promised = mind.owe("call Ana", 2)
    mind.app.commitments.settle(mind.me, promised, Resolution.DONE)
    mind.wait(hours=3)
    assert mind.tick().formed == 0


@pytest.mark.promise("mind.idle")
def test_an_idle_tick_writes_nothing(mind: Head) -> None:
    mind.owe("call Ana", 99)
    mind.tick()
    before = kinds(mind)
    for _ in range(5):
        mind.wait(minutes=1)
        mind.tick()
    assert kinds(mind) == before


@pytest.mark.promise("mind.heartbeat")
def test_while_the_body_is_silent_nothing_is_formed_unless_it_is_forced(mind: Head) -> None:
    mind.pull()
    mind.owe("call Ana", 0)
    mind.wait(minutes=6)
    assert mind.tick().asleep == "the body has gone silent"
    assert mind.tick(forced=True).formed == 1
    assert mind.app.outbox.inbox(mind.me) == (), "the body may yet come back and send it"
    mind.wait(days=1)
    assert mind.tick().delivered == 1


@pytest.mark.promise("mind.dispatch")
def test_work_is_offered_until_it_is_bound_and_followed_to_its_end(mind: Head) -> None:
    one = task(mind)
    assert mind.pull() == mind.pull() == [one]
    mind.app.dispatch.bound(mind.me, one, "t_1")
    mind.app.dispatch.bound(mind.me, one, "t_1")
    assert mind.pull() == []
    with pytest.raises(Conflict):
        mind.app.dispatch.bound(mind.me, one, "t_2")
    told = Told(Outcome.DONE, True, "t_1", "done", summary="All are sorted.")
    assert mind.app.outcomes.record(mind.me, one, told)[1]
    assert not mind.app.outcomes.record(mind.me, one, told)[1], "the same again is no news"
    late = Told(Outcome.FAILED, True, "t_1", "failed", error="disk full", verified="hermes_failure")
    assert mind.app.outcomes.record(mind.me, one, late) == (mind.app.mind.log(mind.me)[0], False)
    assert mind.state(one) is State.DONE


@pytest.mark.promise("mind.dispatch")
def test_no_more_work_is_offered_than_may_run_at_once(mind: Head) -> None:
    first, second, third = task(mind, "a"), task(mind, "b"), task(mind, "c")
    assert mind.pull() == [first, second]
    mind.app.dispatch.bound(mind.me, first, "t_1")
    assert mind.pull() == [second]
    mind.app.outcomes.record(mind.me, first, Told(Outcome.DONE, True, "t_1"))
    assert mind.pull() == [second, third]


@pytest.mark.promise("mind.outcomes")
def test_a_failure_counts_only_with_a_reason_and_nobody_vouches_for_himself(mind: Head) -> None:
    one, other = task(mind, "a"), task(mind, "b")
    mind.pull()
    for identifier in (one, other):
        mind.app.dispatch.bound(mind.me, identifier, f"t_{identifier}")
    mind.app.outcomes.record(mind.me, one, Told(Outcome.FAILED, False, verified="hermes_failure", run="1"))
    mind.app.outcomes.record(mind.me, one, Told(Outcome.FAILED, False, error="x", verified="owner", run="2"))
    failed = Told(Outcome.FAILED, False, error="no network", verified="hermes_failure", run="3")
    mind.app.outcomes.record(mind.me, one, failed)
    reports = mind.app.intentions.account(mind.me, one).reports
    assert [report.verified for report in reports] == [None, None, "hermes_failure"]
    assert mind.state(one) is State.DISPATCHED, "a failed run that is tried again is not the end"


@pytest.mark.promise("mind.outbox-once")
def test_a_message_is_claimed_once_and_settled_once(mind: Head) -> None:
    one = mind.message("The lease is signed.").id
    assert mind.letters() == [one]
    with pytest.raises(NoTarget):
        mind.app.outbox.sending(mind.me, one, None)
    assert mind.letters() == [one], "naming no target is no claim"
    mind.app.outbox.sending(mind.me, one, "telegram:111")
    assert mind.letters() == []
    with pytest.raises(NotYours):
        mind.app.outbox.sending(mind.me, one, "telegram:111")
    mind.app.outbox.sent(mind.me, one, State.SENT, ref="m1")
    mind.app.outbox.sent(mind.me, one, State.SENT, ref="m1")
    with pytest.raises(NotYours):
        mind.app.outbox.sent(mind.me, one, State.FAILED)
    assert mind.state(one) is State.SENT


@pytest.mark.promise("mind.outbox-once")
def test_what_nobody_settled_is_uncertain_after_ten_minutes_told_of_and_never_sent_again(mind: Head) -> None:
    mind.pull()
    one = mind.message("The lease is signed.").id
    mind.app.outbox.sending(mind.me, one, "telegram:111")
    mind.wait(minutes=9)
    mind.tick(forced=True)
    assert mind.state(one) is State.SENDING
    mind.wait(minutes=1)
    mind.tick(forced=True)
    assert mind.state(one) is State.UNCERTAIN
    assert one not in mind.letters()
    with pytest.raises(NotYours):
        mind.app.outbox.sent(mind.me, one, State.SENT)
    [notice] = [row for row in mind.all() if row.drive == "upkeep"]
    assert one in notice.body


@pytest.mark.promise("mind.quiet-hours")
def test_quiet_hours_hold_a_message_in_the_recipients_own_clock(mind: Head) -> None:
    auckland = mind.contact("sms:+15550100", MayContact.AUTO, timezone="Pacific/Auckland")
    late = mind.message("Hello.", auckland.id, exact=False)
    here = mind.message("Hello you.", exact=False)
    assert mind.letters() == [here.id], "9:00 here, 22:00 there"
    mind.wait(hours=13.5)  # 22:30 here, 11:30 there
    assert mind.letters() == [late.id]
    with pytest.raises(NotYours, match="Quiet hours hold it until 2026-03-03T08:00"):
        mind.app.outbox.sending(mind.me, here.id, "telegram:111")
    mind.wait(hours=9.5)
    assert here.id in mind.letters()


@pytest.mark.promise("mind.permission-at-pull")
def test_an_opt_out_takes_back_what_was_approved_before(mind: Head) -> None:
    ana = mind.contact("sms:+15550100", MayContact.AUTO)
    one, other = mind.message("Hello.", ana.id).id, mind.message("Still there?", ana.id).id
    assert mind.letters() == [one, other]
    assert mind.app.changes.heard(mind.me, ana.id, "STOP")
    with pytest.raises(NotYours):
        mind.app.outbox.sending(mind.me, one, "sms:+15550100")
    assert mind.letters() == []
    assert mind.state(one) is mind.state(other) is State.CANCELLED


@pytest.mark.promise("mind.asked")
def test_what_is_asked_waits_for_the_owner_and_a_no_is_final(mind: Head) -> None:
    ana = mind.contact("sms:+15550100")
    yes, no = mind.message("Hello.", ana.id), mind.message("Buy this.", ana.id)
    assert yes.state is no.state is State.ASKED
    assert mind.letters() == []
    codes = {ask.lineage: ask.code for ask in mind.app.asks.open(mind.me)}
    mind.app.asks.answer(mind.me, codes[yes.id], True)
    mind.app.asks.answer(mind.me, codes[no.id], False)
    assert mind.letters() == [yes.id], "a yes is heard at the next pull"
    assert mind.state(no.id) is State.DROPPED
    mind.app.outbox.sending(mind.me, yes.id, "sms:+15550100")
    account = mind.app.intentions.account(mind.me, yes.id)
    assert [one.reason for one in account.moves] == ["formed", "asked", "yes", "claimed"]


@pytest.mark.promise("mind.asked")
def test_a_question_nobody_answers_expires_with_what_it_asks_about(mind: Head) -> None:
    ana = mind.contact("sms:+15550100")
    one = mind.message("Hello.", ana.id).id
    mind.wait(hours=73)
    mind.tick()
    assert mind.state(one) is State.EXPIRED


@pytest.mark.promise("mind.notices")
def test_an_open_question_is_told_once_and_is_no_budgeted_message(mind: Head) -> None:
    ana = mind.contact("sms:+15550100")
    mind.message("Hello.", ana.id)
    mind.tick()
    mind.wait(minutes=1)
    mind.tick()
    [notice] = mind.app.outbox.inbox(mind.me)
    [ask] = mind.app.asks.open(mind.me)
    assert f"yes {ask.code}" in notice.body


@pytest.mark.promise("mind.budget-defers")
def test_a_fourth_message_of_a_day_waits_for_the_next(mind: Head) -> None:
    ids = [mind.message(f"News {n}.").id for n in range(4)]
    mind.pull()
    for one in ids[:3]:
        mind.app.outbox.sending(mind.me, one, "telegram:111")
        mind.app.outbox.sent(mind.me, one, State.SENT)
    with pytest.raises(NotYours, match="owner_messages"):
        mind.app.outbox.sending(mind.me, ids[3], "telegram:111")
    late = mind.message("News 5.")
    assert late.state is State.PROPOSED
    before = kinds(mind)
    for _ in range(3):
        mind.wait(minutes=1)
        mind.tick(forced=True)
    assert kinds(mind)[len(before) :].count(Kind.GATE_DENIED) == 0, "waiting writes nothing"
    mind.wait(hours=16)
    mind.tick(forced=True)
    assert mind.state(late.id) is State.APPROVED
    mind.app.outbox.sending(mind.me, ids[3], "telegram:111")


@pytest.mark.promise("mind.off")
def test_off_offers_nothing_and_lets_go_of_all_but_words_that_are_owed(mind: Head) -> None:
    mind.pull()
    work, news = task(mind), mind.message("News.").id
    mind.owe("call Ana", 0)
    mind.tick(forced=True)
    [owed] = [one for one in mind.all() if one.asked_for]
    mind.app.mind.switch_off(mind.me)
    assert (mind.pull(), mind.letters()) == ([], [])
    with pytest.raises(NotYours):
        mind.app.outbox.sending(mind.me, owed.id, "telegram:111")
    assert mind.state(work) is mind.state(news) is State.CANCELLED
    assert mind.state(owed.id) is State.APPROVED
    assert mind.tick().asleep == "acting is switched off"
    mind.app.gate.turn_on(mind.me)
    assert mind.letters() == [owed.id]


@pytest.mark.promise("mind.off")
def test_off_by_the_file_alone_is_seen_and_swept_by_the_tick(mind: Head, tmp_path: Path) -> None:
    work = task(mind)
    (tmp_path / "home" / "mind.off").touch()
    assert mind.pull() == []
    mind.tick()
    assert mind.state(work) is State.CANCELLED


@pytest.mark.promise("mind.levels")
def test_at_suggest_a_message_to_the_owner_is_asked_and_trusted_asks_for_contacts_still(mind: Head) -> None:
    mind.app.gate.set_level(mind.me, Autonomy.SUGGEST)
    assert mind.message("News.").state is State.ASKED
    mind.app.gate.set_level(mind.me, Autonomy.TRUSTED)
    assert mind.message("More news.").state is State.APPROVED
    never = mind.contact("sms:+15550100", MayContact.NEVER)
    assert mind.message("Hello.", never.id).state is State.DROPPED


@pytest.mark.promise("mind.curiosity")
def test_two_facts_that_disagree_become_one_question(mind: Head) -> None:
    for city in ("Rome", "Oslo"):
        claim = NewClaim(f"Ana lives in {city}.", "Ana", "lives_in", city, Confidence.STATED)
        mind.app.memory.remember(mind.me, claim)
    with mind.app.store.reading() as connection:
        doubts = mind.app.memory.doubts(mind.me, connection, 5)
    mind.tick()
    asked = [one for one in mind.all() if one.drive == "curiosity"]
    assert len(asked) == len(doubts)
    assert mind.app.memory.doubts(mind.stranger, None, 5) == ()  # pyright: ignore[reportArgumentType]


@pytest.mark.promise("mind.observations")
def test_what_the_body_sees_feeds_duty_and_is_kept_once(mind: Head) -> None:
    seen = Observation(
        "b", START, {"blocked": 1}, blocked=(BoardTask("t9", "the report", "blocked", 5.0, "x"),)
    )
    mind.app.observations.observe(mind.me, seen)
    mind.app.observations.observe(mind.me, seen)
    assert kinds(mind).count(Kind.BOARD_OBSERVED) == 1
    assert mind.tick().formed == 1
    mind.app.observations.observe(mind.me, Observation("b", START, {"done": 1}))
    assert mind.tick().resolved == 1


@pytest.mark.promise("mind.origin")
def test_a_job_is_the_minds_if_it_said_so_else_the_owners_and_unknown_where_that_cannot_be_told(
    mind: Head,
) -> None:
    def origin(job: str) -> Origin:
        return mind.app.observations.origin(mind.me, job, mind.clock.now())[0]

    assert origin("j1") is Origin.OWNER
    assert mind.app.observations.origin(mind.me, "j1", None)[0] is Origin.UNKNOWN
    old = mind.app.observations.origin(mind.me, "j1", START.replace(year=2020))
    assert old[0] is Origin.UNKNOWN, "it is older than what this store remembers"
    mind.app.observations.trace_making(mind.me, "call_1", "t_1")
    assert origin("j1") is Origin.UNKNOWN, "a run of the mind was let make one and has not said which"
    mind.app.observations.trace_job(mind.me, "j1", "t_1", "call_1")
    assert mind.app.observations.origin(mind.me, "j1", None) == (Origin.MIND, "t_1")
    assert origin("j2") is Origin.OWNER


@pytest.mark.promise("mind.lineage")
def test_what_a_task_makes_is_of_its_lineage_however_deep_and_a_circle_ends(mind: Head) -> None:
    for child, parent in (("b", "a"), ("c", "b"), ("x", "y"), ("y", "x")):
        mind.app.observations.trace_task(mind.me, child, parent)
    assert mind.app.observations.root(mind.me, "c") == "a"
    assert mind.app.observations.root(mind.me, "z") == "z"
    assert mind.app.observations.root(mind.me, "x") in {"x", "y"}


@pytest.mark.promise("mind.outcomes-scored")
def test_a_drive_whose_messages_are_unwanted_falls_silent_and_another_does_not(mind: Head) -> None:
    bo = mind.contact("sms:+15550100", cadence_minutes=1440, last_interaction_at="2026-02-20T09:00:00.000Z")
    for day in range(20, 28):
        with mind.app.store.transaction() as connection:
            at = f"2026-02-{day}T09:00:00.000Z"
            people_tables.amend(connection, bo.id, {"last_interaction_at": at})
        mind.tick()
        mind.wait(hours=25)
        for one in mind.all():
            mind.app.outcomes.rate(mind.me, one.id, Judgement.NOT_USEFUL)
    assert 0 < len(mind.all()) < 8
    mind.owe("call Ana", 0)
    mind.tick()
    assert any(one.drive == "duty" for one in mind.all())


@pytest.mark.promise("mind.why", "mind.state-lost")
def test_why_tells_what_never_was_from_what_was_lost(mind: Head) -> None:
    one = task(mind)
    known = mind.app.intentions.account(mind.me, one)
    assert known.intention.id == one
    other = one.replace(mind.app.store.epoch, "7777")
    with pytest.raises(StateUnavailable):
        mind.app.intentions.account(mind.me, other)
    with pytest.raises(NotFound):
        mind.app.intentions.account(mind.me, one[:-1] + ("0" if one[-1] != "0" else "1"))
    with pytest.raises(NotFound):
        mind.app.intentions.account(mind.me, "00000000-0000-0000-0000-000000000000")


@pytest.mark.promise("mind.owners-record")
def test_a_stranger_learns_only_whether_the_mind_is_on(mind: Head) -> None:
    one = task(mind)
    standing = mind.app.mind.state(mind.stranger)
    assert (standing.enabled, standing.level) == (True, Autonomy.STANDARD)
    assert standing.asks is standing.queued is standing.concerns is standing.last_tick is None
    app, who = mind.app, mind.stranger
    for refused in (
        lambda: app.mind.log(who),
        lambda: app.mind.narrative(who),
        lambda: app.mind.concerns(who),
        lambda: app.mind.goals(who),
        lambda: app.mind.set_task(who, "x"),
        lambda: app.intentions.account(who, one),
        lambda: app.intentions.cancel(who, one),
        lambda: app.dispatch.offer(who),
        lambda: app.dispatch.bound(who, one, "t"),
        lambda: app.outbox.offer(who),
        lambda: app.outbox.inbox(who),
        lambda: app.outbox.sending(who, one, "x:1"),
        lambda: app.outbox.sent(who, one, State.SENT),
        lambda: app.outcomes.record(who, one, Told(Outcome.DONE, True)),
        lambda: app.outcomes.rate(who, one, Judgement.WRONG),
        lambda: app.observations.root(who, "x"),
        lambda: app.observations.refusals(who),
        lambda: app.tick.tick(who),
    ):
        with pytest.raises(NotOwner):
            refused()
    assert mind.state(one) is State.APPROVED


@pytest.mark.promise("mind.goals")
def test_a_goal_goes_on_until_it_is_reached_and_only_the_owner_sets_one(mind: Head) -> None:
    with pytest.raises(NotOwner):
        mind.app.mind.set_goal(mind.it, "Learn Norwegian")
    with pytest.raises(InvalidInput):
        mind.app.mind.set_goal(mind.me, " ")
    goal = mind.app.mind.set_goal(mind.me, "Learn Norwegian", turns=9)
    assert mind.pull() == [goal.id]
    mind.app.dispatch.bound(mind.me, goal.id, "t_1")
    mind.app.outcomes.record(mind.me, goal.id, Told(Outcome.BLOCKED, False, "t_1", "blocked"))
    assert mind.state(goal.id) is State.DISPATCHED
    assert [one.id for one in mind.app.mind.goals(mind.me)] == [goal.id]


@pytest.mark.promise("mind.machine")
def test_a_move_that_cannot_follow_changes_nothing(mind: Head) -> None:
    one = task(mind)
    mind.app.intentions.cancel(mind.me, one, "not now")
    before = mind.app.intentions.account(mind.me, one)
    with pytest.raises(IllegalMove):
        mind.app.dispatch.bound(mind.me, one, "t_1")
    with pytest.raises(IllegalMove):
        mind.app.intentions.cancel(mind.me, one)
    assert mind.app.intentions.account(mind.me, one) == before


@pytest.mark.promise("mind.words-sealed")
def test_a_secret_in_the_words_of_an_intention_is_a_reference_everywhere(mind: Head) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    wanted = Proposal(IntentionKind.TASK, f"Use {key}", f"The token is {key}.")
    one = mind.app.intentions.propose(mind.me, wanted)
    assert key not in one.title + one.body
    assert "[secret S-" in one.body
    mind.pull()
    mind.app.dispatch.bound(mind.me, one.id, "t_1")
    mind.app.outcomes.record(mind.me, one.id, Told(Outcome.DONE, True, summary=f"It was {key}."))
    account = mind.app.intentions.account(mind.me, one.id)
    assert key not in repr([report.words for report in account.reports])


@pytest.mark.promise("mind.silent-work")
def test_work_of_which_nothing_is_heard_for_a_week_is_uncertain_and_late_work_expires(mind: Head) -> None:
    given, late = task(mind, "a"), None
    mind.pull()
    mind.app.dispatch.bound(mind.me, given, "t_1")
    late = task(mind, "b")
    mind.wait(days=3)
    mind.tick()
    assert mind.state(late) is State.EXPIRED
    mind.wait(days=4)
    mind.tick()
    assert mind.state(given) is State.UNCERTAIN


@pytest.mark.promise("mind.log")
def test_the_log_is_the_newest_first_and_takes_only_what_is_asked_for(mind: Head) -> None:
    task(mind, "a")
    mind.wait(minutes=1)
    news = mind.message("News.").id
    assert [one.id for one in mind.app.mind.log(mind.me, Wanted(1))] == [news]
    only = mind.app.mind.log(mind.me, Wanted(kinds=(IntentionKind.TASK,)))
    assert [one.title for one in only] == ["a"]
    with pytest.raises(InvalidInput):
        mind.app.mind.log(mind.me, Wanted(0))


@pytest.mark.promise("mind.reminder")
def test_a_promise_for_a_day_waits_for_the_morning(tmp_path: Path) -> None:
    mind = head(tmp_path, tmp_path / "home")
    mind.pull()
    mind.owe("pay the rent", 15.5, precision=Due.DAY)  # some time on the 3rd
    mind.wait(hours=15.5)  # 00:30
    mind.tick(forced=True)
    [one] = mind.all()
    assert mind.letters() == []
    mind.wait(hours=7.5)
    assert mind.letters() == [one.id]
    mind.app.close()


@pytest.mark.promise("mind.forgets")
def test_the_words_of_a_promise_that_was_forgotten_are_nowhere_in_the_mind(mind: Head) -> None:
    told = mind.owe("call Ana about the lease", 0)
    waits = mind.owe("pay the plumber", 0)
    mind.pull()
    mind.tick(forced=True)
    first, second = (one.id for one in reversed(mind.all()))
    mind.app.outbox.sending(mind.me, first, "telegram:111")
    mind.app.outbox.sent(mind.me, first, State.SENT)
    mind.app.forgetting.forget(mind.me, What((told, waits)))
    mind.wait(seconds=1)
    mind.tick(forced=True)
    assert (mind.state(first), mind.state(second)) == (State.SENT, State.CANCELLED)
    for one in mind.all():
        account = mind.app.intentions.account(mind.me, one.id)
        assert not {"lease", "plumber"} & set(repr(account).replace(".", " ").split())
    before = kinds(mind)
    mind.tick(forced=True)
    assert kinds(mind) == before
