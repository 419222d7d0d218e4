"""Intentions: how one comes to be, is judged, and moves; each move with its event in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from numen.gate import (
    TASK_TOOL,
    Asks,
    AskState,
    Call,
    Decision,
    Effect,
    Gate,
    Lineage,
    Outcome,
    Rule,
    Run,
    Surroundings,
    Verdict,
)
from numen.kernel import Clock, Conflict, Json, NotFound, Scope, StateUnavailable, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.mind import rules, tables
from numen.mind.types import (
    Account,
    Drive,
    Habits,
    Intention,
    IntentionKind,
    Move,
    Proposal,
    Reason,
    State,
)
from numen.people import NotOwner
from numen.people.directory import Directory
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection

TOPIC = "mind"
"""What is touched when something of the mind moves."""

MESSAGE_TOOL = "send_message"
"""As what the gate judges a message."""

LONGEST_TITLE, LONGEST_BODY = 200, 8_000
"""Characters: a board cuts a title there, and an ask shows no more (wire contract, 1.3; gate rules)."""

_LATER = frozenset({Rule.BUDGET, Rule.PARKED, Rule.ERROR})
"""Rules that may decide otherwise at another time."""


class IllegalMove(Conflict):
    """The intention stands where this cannot follow; it was left as it is."""

    code = "illegal_move"


@dataclass(frozen=True, slots=True)
class Means:
    """What every part of the mind works with."""

    store: Store
    ledger: Ledger
    clock: Clock
    gate: Gate
    asks: Asks
    directory: Directory
    secrets: Secrets
    habits: Habits

    def now(self) -> datetime:
        """The moment, as exact as it is kept."""
        return from_iso(iso(self.clock.now()))

    def settle(self, scope: Scope, connection: WriteConnection, claim: str, how: Outcome) -> None:
        """Tell the gate how a claimed act ended; what it had given up as uncertain stays so there."""
        with suppress(Conflict):
            self.gate.settle_within(scope, connection, claim, how)


class Intentions:
    """Forms intentions, has the gate judge them, and moves them."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def propose(self, scope: Scope, proposal: Proposal) -> Intention:
        """Intend something that the owner asked for: their word is the nod.

        Raises `NotOwner` for others, `InvalidInput` for words that are too long.
        """
        owner_only(scope)
        sealed = self.sealed(scope, proposal)
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            made = self.form(scope, connection, sealed, self._means.store.ids.new("wish"))
            return self.move(scope, connection, made, State.APPROVED, Reason.OWNER, "The owner asked for it.")

    def cancel(self, scope: Scope, identifier: str, why: str = "") -> Intention:
        """Let go of what nothing was done of yet. Raises `NotOwner`, `NotFound`, `IllegalMove`."""
        owner_only(scope)
        words = self._means.secrets.seal(scope, why).text or "The owner let it go."
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self.of(connection, identifier)
            return self.move(scope, connection, one, State.CANCELLED, Reason.OWNER, words)

    def account(self, scope: Scope, identifier: str) -> Account:
        """All about one intention. Raises `NotOwner`, `NotFound`, and `StateUnavailable` for an id of another
        time of this store, so that nobody takes what was lost for what never was.
        """
        owner_only(scope)
        with self._means.store.reading() as connection:
            one = self.of(connection, identifier)
            return Account(
                one,
                tables.moves_of(connection, one.id),
                tables.reports_of(connection, one.id),
                None if one.concern is None else tables.concern(connection, one.concern),
            )

    def of(self, connection: ReadConnection, identifier: str) -> Intention:
        """The intention of that id. Raises `NotFound` and `StateUnavailable`."""
        found = tables.intention(connection, identifier)
        if found is None:
            raise self.absence(identifier)
        return found

    def absence(self, identifier: str) -> NotFound | StateUnavailable:
        """The error for an id without an intention."""
        return self._means.store.absence(identifier, "intention")

    def sealed(self, scope: Scope, proposal: Proposal) -> Proposal:
        """The proposal with references in place of secrets: before anything is kept (decision 15)."""
        seal = self._means.secrets.seal
        return replace(
            proposal,
            title=seal(scope, " ".join(proposal.title.split())).text[:LONGEST_TITLE],
            body=seal(scope, proposal.body.strip()).text[:LONGEST_BODY],
        )

    def form(
        self,
        scope: Scope,
        connection: WriteConnection,
        proposal: Proposal,
        key: str,
        drive: Drive | None = None,
        concern: str | None = None,
    ) -> Intention:
        """Keep a new intention, proposed, in a transaction that is open. Its words are sealed already."""
        at = self._means.now()
        made = Intention(
            self._means.store.ids.new("intention"),
            proposal.kind,
            State.PROPOSED,
            key,
            proposal.title,
            proposal.body,
            at,
            at,
            at + rules.LIFE,
            drive,
            concern,
            proposal.recipient,
            proposal.asked_for,
            proposal.exact,
            proposal.priority,
            proposal.turns,
        )
        tables.add_intention(connection, made)
        tables.add_move(connection, made.id, Move(1, None, State.PROPOSED, Reason.FORMED, "", at))
        told: dict[str, Json] = {"intention": made.id, "kind": made.kind}
        told |= {} if drive is None else {"drive": drive}
        told |= {} if concern is None else {"concern": concern}
        self.record(scope, connection, Kind.INTENTION_FORMED, f"intention.formed:{made.id}", told)
        return made

    def move(
        self,
        scope: Scope,
        connection: WriteConnection,
        one: Intention,
        after: State,
        reason: Reason,
        words: str = "",
        **values: str | None,
    ) -> Intention:
        """Move an intention, with the event that tells it. Raises `IllegalMove`, with nothing changed."""
        at = max(self._means.now(), one.moved_at)
        if not rules.may_move(one.kind, one.state, after) or not tables.move(
            connection, one.id, one.state, after, at, values
        ):
            raise IllegalMove(
                f"This {one.kind} is {one.state} and cannot become {after}.",
                not_done="It was left as it is.",
                next_step=f"See how it came there: numen mind why {one.id}.",
            )
        n = tables.next_move(connection, one.id)
        tables.add_move(connection, one.id, Move(n, one.state, after, reason, words, at))
        told: dict[str, Json] = {
            "intention": one.id,
            "before": one.state,
            "after": after,
            "reason": reason,
        }
        ask = values.get("ask") or one.ask
        told |= {} if ask is None else {"ask": ask}
        self.record(scope, connection, Kind.INTENTION_MOVED, f"intention.moved:{one.id}:{n}", told)
        moved = tables.intention(connection, one.id)
        assert moved is not None, "it was moved in this transaction"
        return moved

    def judge(self, scope: Scope, one: Intention) -> Intention:
        """Have the gate judge what is proposed, or see what the owner said to what was asked.

        What a budget holds back stays where it is, for another time.
        """
        if one.state is State.ASKED:
            return self._answered(scope, one)
        effect = self.effect(scope, one)
        if self._means.now() - one.created_at >= rules.DEFERRED:
            seen = self._means.gate.explain(scope, effect, lineage(one))
            if seen.rule is Rule.BUDGET:
                return one  # it was denied, and asked about, when it was formed: nothing new is written
        return self._follow(scope, one, self._means.gate.judge(scope, effect, lineage(one)))

    def effect(self, scope: Scope, one: Intention) -> Effect:
        """What carrying it out does, for the gate."""
        if one.kind is not IntentionKind.MESSAGE:
            call = Call(TASK_TOOL, {"title": one.title, "body": one.body})
            return self._means.gate.effect(call, Surroundings(owner=scope.viewer))
        to = one.recipient or scope.viewer
        target = "owner" if to == scope.viewer else to
        call = Call(MESSAGE_TOOL, {"message": one.body}, target)
        return self._means.gate.effect(call, Surroundings(owner=scope.viewer, recipients=(to,)))

    def record(
        self, scope: Scope, connection: WriteConnection, kind: Kind, event: str, told: Mapping[str, Json]
    ) -> None:
        """Record an event of the mind, and wake whoever watches it."""
        self._means.ledger.record(scope, connection, Event(event, kind, TOPIC, event, told))
        self._means.store.touches(connection, (TOPIC,))

    def _follow(self, scope: Scope, one: Intention, verdict: Verdict) -> Intention:
        if verdict.rule in _LATER:
            return one
        after, reason = {
            Decision.ALLOW: (State.APPROVED, Reason.ALLOWED),
            Decision.ASK: (State.ASKED, Reason.ASKED),
            Decision.DENY: (State.DROPPED, Reason.DENIED),
        }[verdict.decision]
        ask = {} if verdict.ask is None else {"ask": verdict.ask.id}
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            return self.move(scope, connection, one, after, reason, verdict.reason, **ask)

    def _answered(self, scope: Scope, one: Intention) -> Intention:
        assert one.ask is not None, "what is asked has its ask"
        ask = self._means.asks.of(scope, one.ask)
        if ask.state is AskState.OPEN and ask.expires_at > self._means.now():
            return one
        after, reason, words = {
            AskState.YES: (State.APPROVED, Reason.YES, "The owner said yes."),
            AskState.SPENT: (State.APPROVED, Reason.YES, "The owner said yes."),
            AskState.NO: (State.DROPPED, Reason.NO, "The owner said no."),
        }.get(ask.state, (State.EXPIRED, Reason.ASK_EXPIRED, "The question was not answered in time."))
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            return self.move(scope, connection, one, after, reason, words)


def lineage(one: Intention) -> Lineage:
    """From what an intention comes: each is a cause of its own."""
    return Lineage(one.id, Run.MIND, asked_for=one.asked_for or one.drive is None)


def owner_only(scope: Scope) -> None:
    """Raise `NotOwner` unless it is on the owner's behalf: the mind's record is the owner's."""
    if not scope.is_owner:
        raise NotOwner("The mind's record is the owner's.", not_done="Nothing was shown or changed.")
