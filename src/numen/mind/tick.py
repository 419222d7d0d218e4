"""The tick: what ran out ends, one look at things, concerns, a few intentions, the gate. Each step its own
transaction, so that a crash between two leaves what the next tick goes on with."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from numen.gate import Autonomy
from numen.kernel import Scope, from_iso
from numen.ledger import Kind
from numen.memory import Commitments, Memory
from numen.mind import drives, rules, tables
from numen.mind.dispatch import Dispatch
from numen.mind.drives import Question, Snapshot
from numen.mind.intentions import Intentions, Means, owner_only
from numen.mind.observations import Observations
from numen.mind.outbox import Outbox
from numen.mind.outcomes import Outcomes
from numen.mind.types import (
    Concern,
    ConcernState,
    Intention,
    IntentionKind,
    Reason,
    Signal,
    State,
    Ticked,
)
from numen.store import ReadConnection, WriteConnection

LAST = "tick"
"""The beat of the last tick that changed something."""

FORGOT = "forgot"
"""The beat of the last look for words whose source is gone."""

SOURCES = frozenset({"commitment", "claim"})
"""Kinds of ids from which words are made here."""

OWED = 200
"""Open promises that one look takes in (ours: the next due come first)."""

DOUBTS = 20
"""Pairs of claims that disagree, that one look takes in (ours)."""


class Tick:
    """One step of the mind, on the owner's behalf."""

    def __init__(
        self,
        means: Means,
        intentions: Intentions,
        dispatch: Dispatch,
        outbox: Outbox,
        outcomes: Outcomes,
        observations: Observations,
        commitments: Commitments,
        memory: Memory,
    ) -> None:
        self._means = means
        self._intentions = intentions
        self._dispatch = dispatch
        self._outbox = outbox
        self._outcomes = outcomes
        self._observations = observations
        self._commitments = commitments
        self._memory = memory
        self._last: datetime | None = None

    @property
    def last(self) -> datetime | None:
        """When this process ticked last."""
        return self._last

    def tick(self, scope: Scope, *, forced: bool = False) -> Ticked:
        """Take one step. `forced`: form intentions though the body has gone silent. Raises `NotOwner`.

        Where nothing changed nothing is written. Acting switched off lets go of what was not begun, words
        that are owed apart.
        """
        owner_only(scope)
        at = self._means.now()
        self._last = at
        moved = self._outbox.give_up(scope) + self._run_out(scope, at)
        self._means.gate.sweep(scope)
        self._forget(scope, at)
        if self._is_off():
            moved += self.let_go(scope)
            return self._told(scope, Ticked(at, moved=moved, asleep="acting is switched off"))
        seen, last_pull = self._look(scope, at)
        done = Ticked(at, moved=moved, asleep="the body has gone silent")
        if rules.is_awake(last_pull, at, forced=forced):
            done = replace(self._deliberate(scope, seen), moved=moved)
        done = replace(done, moved=done.moved + self._decide(scope))
        if rules.is_own_body(last_pull, at):
            done = replace(done, delivered=self._outbox.deliver(scope))
        return self._told(scope, done)

    def let_go(self, scope: Scope) -> int:
        """Cancel what was not begun, words that are owed apart; how many. Raises `NotOwner`."""
        owner_only(scope)
        with self._means.store.reading() as connection:
            unstarted = tables.standing(connection, rules.UNSTARTED)
        gone = [one for one in unstarted if not (one.kind is IntentionKind.MESSAGE and one.asked_for)]
        for one in gone:
            self._move(scope, one, State.CANCELLED, Reason.OFF, "Acting was switched off.")
        return len(gone)

    def _forget(self, scope: Scope, at: datetime) -> None:
        """Let go of words made of what was forgotten since the last time: unsent ones are not sent."""
        last = self._means.ledger.tail(scope, limit=1, kinds=[Kind.MEMORY_FORGOTTEN])
        with self._means.store.reading() as connection:
            done = tables.beat(connection, FORGOT)
            if not last or (done is not None and from_iso(last[0].at) < done):
                return
            known = tables.resting_on(connection, SOURCES)
            ids = {one for concern in known for one in concern.about}
            gone = self._memory.gone(scope, connection, ids)
            waiting = tables.standing(connection, rules.UNSTARTED)
        lost = {one.id for one in known if gone.intersection(one.about)}
        for one in waiting:
            if one.concern in lost:
                self._move(scope, one, State.CANCELLED, Reason.FORGOTTEN, "")
        with self._means.store.transaction() as connection:
            for concern in sorted(lost):
                tables.wipe(connection, concern)
            tables.set_beat(connection, FORGOT, at + timedelta(milliseconds=1))
        if lost:
            self._means.store.scrub()

    def _is_off(self) -> bool:
        return self._means.gate.is_off() or self._means.gate.level() is Autonomy.OFF

    def _run_out(self, scope: Scope, at: datetime) -> int:
        """End what has waited too long, and what was given away and never heard of."""
        with self._means.store.reading() as connection:
            waiting = tables.standing(connection, rules.UNSTARTED)
            given = tables.standing(connection, {State.DISPATCHED})
        late = [one for one in waiting if one.expires_at <= at and one.state is not State.ASKED]
        lost = [one for one in given if at - one.moved_at >= rules.SILENT]
        for one in late:
            self._move(scope, one, State.EXPIRED, Reason.LATE, "It waited too long.")
        for one in lost:
            self._move(scope, one, State.UNCERTAIN, Reason.UNSETTLED, "Nothing was heard of it.")
        return len(late) + len(lost)

    def _look(self, scope: Scope, at: datetime) -> tuple[Snapshot, datetime | None]:
        """One look at everything, all of one moment."""
        with self._means.store.reading() as connection:
            directory = self._means.directory
            seen = Snapshot(
                at,
                directory.zone(connection, scope.viewer),
                scope.viewer,
                self._commitments.listed(scope, connection, OWED),
                directory.everyone(connection),
                self._memory.doubts(scope, connection, DOUBTS),
                self._observations.last(connection),
                self._outcomes.of_late(connection, at),
                self._unsure(connection, at),
                tuple(Question(one.id, one.text) for one in self._means.asks.waiting(scope, connection)),
            )
            return seen, self._dispatch.last_pull(connection)

    def _unsure(self, connection: ReadConnection, at: datetime) -> tuple[Intention, ...]:
        """Messages of late of which nobody knows whether they were sent."""
        kinds = {IntentionKind.MESSAGE}
        return tables.latest(connection, rules.LATEST, {State.UNCERTAIN}, kinds, since=at - drives.NEWS)

    def _deliberate(self, scope: Scope, seen: Snapshot) -> Ticked:
        """Raise and resolve concerns, and form intentions about the weightiest."""
        signals = drives.signals(seen)
        with self._means.store.reading() as connection:
            said = tuple(self._outcomes.ratings(connection, seen.now))
            known = tables.known_concerns(connection, seen.now - rules.REST)
            done = set(tables.intended(connection, {rules.told(one) for one in signals}))
            begun = {one.concern for one in tables.standing(connection, rules.UNSTARTED)}
        opened = {one.key: one.id for one in known if one.resolved_at is None}
        # What waits to be said of a concern is not overtaken by the same said later.
        done |= {rules.told(one) for one in signals if opened.get(one.key) in begun - {None}}
        weights = {
            drive: weight * rules.factor(said, drive) for drive, weight in self._means.habits.weights.items()
        }
        plan = rules.plan(signals, known, done, weights, seen.now)
        if not plan.changes:
            return Ticked(seen.now)
        proposals = {one.key: self._intentions.sealed(scope, one.proposal) for one in plan.chosen}
        formed = 0
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            for signal in plan.raised:
                opened[signal.key] = self._raise(scope, connection, signal, seen.now)
            for concern, signal in plan.again:
                title = signal.proposal.title
                tables.feel_again(connection, concern.id, signal.stage, title, signal.weight, seen.now)
            for concern in plan.resolved:
                self._close(scope, connection, concern, ConcernState.RESOLVED, seen.now)
            for concern in plan.crowded:
                self._close(scope, connection, concern, ConcernState.CROWDED, seen.now)
            for signal in plan.chosen:
                key = rules.told(signal)
                if tables.is_intended(connection, key):
                    continue  # another process was quicker
                concern_id = opened.get(signal.key)
                self._intentions.form(scope, connection, proposals[signal.key], key, signal.drive, concern_id)
                formed += 1
        return Ticked(seen.now, len(plan.raised) + len(plan.again), len(plan.resolved), formed)

    def _decide(self, scope: Scope) -> int:
        """Have the gate judge what is proposed, and hear what the owner said; how many moved."""
        with self._means.store.reading() as connection:
            waiting = tables.standing(connection, {State.PROPOSED, State.ASKED})
        moved = 0
        for one in waiting:
            moved += self._intentions.judge(scope, one).state is not one.state
        return moved

    def _raise(self, scope: Scope, connection: WriteConnection, signal: Signal, at: datetime) -> str:
        new = Concern(
            self._means.store.ids.new("concern"),
            signal.drive,
            signal.key,
            signal.stage,
            signal.proposal.title,
            signal.weight,
            at,
            at,
            signal.about,
        )
        tables.add_concern(connection, new)
        told = {"concern": new.id, "drive": new.drive}
        self._intentions.record(scope, connection, Kind.CONCERN_RAISED, f"concern.raised:{new.id}", told)
        return new.id

    def _close(
        self, scope: Scope, connection: WriteConnection, concern: Concern, state: ConcernState, at: datetime
    ) -> None:
        if tables.close_concern(connection, concern.id, state, at):
            told = {"concern": concern.id, "how": state}
            event = f"concern.closed:{concern.id}"
            self._intentions.record(scope, connection, Kind.CONCERN_CLOSED, event, told)

    def _move(self, scope: Scope, one: Intention, after: State, reason: Reason, words: str) -> None:
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            self._intentions.move(scope, connection, one, after, reason, words)

    def _told(self, scope: Scope, done: Ticked) -> Ticked:
        """Record the tick, where it changed something."""
        counts = {
            "raised": done.raised,
            "resolved": done.resolved,
            "formed": done.formed,
            "moved": done.moved,
            "delivered": done.delivered,
        }
        if any(counts.values()):
            with self._means.store.transaction() as connection:
                tables.set_beat(connection, LAST, done.at)
                event = self._means.store.ids.new("change")
                self._intentions.record(scope, connection, Kind.MIND_TICKED, event, counts)
        return done
