"""The one gate: what may be done, the right to do it once, and how it ended."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from numen.gate import budgets, rules, switch, tables
from numen.gate.effects import Surroundings, as_bulk, classify
from numen.gate.types import (
    Ask,
    AskedCall,
    AskState,
    Autonomy,
    Call,
    Claim,
    Decision,
    Effect,
    EffectClass,
    Lineage,
    NotAllowed,
    Outcome,
    Policy,
    Rule,
    Verdict,
)
from numen.kernel import Clock, Conflict, Forbidden, Json, NumenError, Scope, Unavailable, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import Contact, MayContact
from numen.people.directory import Directory
from numen.store import ReadConnection, Store, WriteConnection

LEVEL, MIND = "autonomy", "mind"
"""The names of the switches that the store keeps."""

TOPIC = "asks"
"""What is touched when an ask is opened or answered."""

_DAY = timedelta(hours=24)
_TRIES = 8

Hide = Callable[[Json], Json]
"""Takes secrets out of words that are shown."""


class Gate:
    """Judges effects. `home` is where the off switch lies; `hide` takes secrets out of what an ask shows."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        directory: Directory,
        clock: Clock,
        home: Path,
        policy: Policy,
        hide: Hide,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._directory = directory
        self._clock = clock
        self._home = home
        self._policy = policy
        self._hide = hide

    def effect(self, call: Call, around: Surroundings | None = None) -> Effect:
        """What a call does, by its tool and target and the owner's settings."""
        return classify(call, self._policy, around or Surroundings())

    def judge(self, scope: Scope, effect: Effect, lineage: Lineage, *, chat: str | None = None) -> Verdict:
        """Whether the effect may be had: allow, ask (with the ask that now stands), or deny; and the rule.

        `chat` is the session's own chat. Never raises: an error inside of the gate is a deny, because
        nothing else may follow from one.
        """
        if effect.cls is EffectClass.READ:
            return Verdict(Decision.ALLOW, Rule.READ, effect, lineage, "It only reads.")
        off = False
        try:
            off = switch.is_off(self._home)
            return self._judged(scope, effect, lineage, chat)
        except Exception as error:  # noqa: BLE001 - whatever fails here, the call is not allowed
            if off:
                return Verdict(Decision.DENY, Rule.OFF, effect, lineage, "Acting is switched off.")
            why = error.what if isinstance(error, NumenError) else type(error).__name__
            reason = f"The gate could not judge this: {why}"
            return Verdict(Decision.DENY, Rule.ERROR, effect, lineage, reason, retry=True)

    def explain(self, scope: Scope, effect: Effect, lineage: Lineage) -> Verdict:
        """What `judge` would say; nothing is asked or written. Raises `Unavailable` and its kin."""
        with self._store.reading() as connection:
            return self._looked_at(scope, connection, effect, lineage, None)

    def claim(self, scope: Scope, verdict: Verdict, digest: str) -> Claim:
        """The right to run the call of that digest, once.

        Judges anew in the same transaction, uses up the nod or counts the grant's use, and takes the budgets.
        Raises `NotAllowed`, with nothing taken, where any of that does not stand any more.
        """
        if verdict.decision is not Decision.ALLOW or digest != verdict.effect.digest:
            raise _not_allowed(
                "The gate did not allow this call."
                if verdict.decision is not Decision.ALLOW
                else "This is not the call that was allowed."
            )
        if verdict.effect.cls is EffectClass.READ:
            return Claim(self._store.ids.new("claim"), digest, verdict.effect.cls, self._now())
        with self._store.transaction() as connection:
            return self.claim_within(scope, connection, verdict.effect, verdict.lineage)

    def hand_over(self, scope: Scope, verdict: Verdict) -> None:
        """As `claim`, for a client that acts by itself and does not say how it went: settled in one step.

        The nod, the grant's use and the budgets are taken; what a call would give back is given back at once.
        """
        if verdict.effect.cls is EffectClass.READ:
            return
        with self._store.transaction() as connection:
            claim = self.claim_within(scope, connection, verdict.effect, verdict.lineage)
            self._settle(scope, connection, claim.id, Outcome.HANDED)

    def claim_within(
        self, scope: Scope, connection: WriteConnection, effect: Effect, lineage: Lineage
    ) -> Claim:
        """As `claim`, judged in a transaction that is open: for a room whose own rows move with the claim."""
        tables.lock_gate(connection)
        again = self._looked_at(scope, connection, effect, lineage, None)
        if again.decision is not Decision.ALLOW:
            raise _not_allowed(again.reason)
        at = self._now()
        claim = Claim(self._store.ids.new("claim"), effect.digest, again.effect.cls, at)
        self._spend(scope, connection, again, claim)
        held = self._reserve(connection, again, at)
        tables.add_claim(connection, claim, lineage.root, effect.recipients, held)
        told: dict[str, Json] = {
            "claim": claim.id,
            "class": again.effect.cls,
            "rule": again.rule,
            "digest": effect.digest,
        }
        told |= {} if again.ask is None else {"ask": again.ask.id}
        told |= {} if again.grant is None else {"grant": again.grant}
        self._record(scope, connection, Kind.TOOL_CLAIMED, f"tool.claimed:{claim.id}", told)
        return claim

    def settle_within(self, scope: Scope, connection: WriteConnection, claim: str, outcome: Outcome) -> None:
        """As `settle`, by the claim's id, in a transaction that is open."""
        self._settle(scope, connection, claim, outcome)

    def settle(self, scope: Scope, claim: Claim, outcome: Outcome) -> None:
        """Say how a claimed call ended; twice the same is once. Raises `Conflict` for another end."""
        if claim.cls is EffectClass.READ:
            return
        with self._store.transaction() as connection:
            self._settle(scope, connection, claim.id, outcome)

    def sweep(self, scope: Scope) -> int:
        """Make claims uncertain that nobody settled in time, and overdue asks expired; how many."""
        at = self._now()
        with self._store.transaction() as connection:
            tables.lock_gate(connection)
            left = tables.unsettled(connection, at - rules.UNSETTLED)
            for identifier in left:
                self._settle(scope, connection, identifier, Outcome.UNCERTAIN)
            return len(left) + self._expire(scope, connection, at)

    def is_off(self) -> bool:
        """Whether acting is switched off: by the file, by the store, or because neither can be read."""
        try:
            with self._store.reading() as connection:
                return self._off(tables.switched(connection))
        except Unavailable:
            return True

    def level(self) -> Autonomy:
        """The level of autonomy: what the owner set last, else what the settings say."""
        with self._store.reading() as connection:
            return self._level(tables.switched(connection))

    def tripped(self, connection: ReadConnection) -> tuple[EffectClass, ...]:
        """The classes whose calls failed so often that each is asked about, in a read that is open."""
        at = self._now()
        since = at - rules.TRIPPED_FOR - rules.FAILURE_WINDOW
        return tuple(
            one
            for one in EffectClass
            if budgets.is_tripped(
                tables.failures(connection, one, since),
                at,
                rules.FAILURES,
                rules.FAILURE_WINDOW,
                rules.TRIPPED_FOR,
            )
        )

    def turn_off(self, scope: Scope) -> None:
        """Switch acting off: the file first, which works without the store. Raises `Forbidden` for others."""
        _owner_only(scope)
        switch.turn_off(self._home)
        self._switch(scope, MIND, "off", Kind.MIND_SWITCHED, {"on": False})

    def turn_on(self, scope: Scope) -> None:
        """Switch acting on again. Raises `Forbidden` unless the owner does it."""
        _owner_only(scope)
        self._switch(scope, MIND, "on", Kind.MIND_SWITCHED, {"on": True})
        switch.turn_on(self._home)

    def set_level(self, scope: Scope, level: Autonomy) -> None:
        """Set the level of autonomy. Raises `Forbidden` unless the owner does it."""
        _owner_only(scope)
        self._switch(scope, LEVEL, str(level), Kind.MIND_LEVELLED, {"level": level})

    def spend_budget(self, scope: Scope, name: str, amount: int, limit: int | None) -> bool:
        """Reserve so much of a daily budget, such as model tokens; False where it does not go in."""
        del scope
        if limit is None:
            return True
        with self._store.transaction() as connection:
            return tables.reserve(connection, budgets.Lease(name, iso(self._now())[:10], amount, limit))

    def correct_budget(self, scope: Scope, name: str, by: int) -> None:
        """Add what was used beyond what was reserved today, or give back (below 0) what was not."""
        del scope
        with self._store.transaction() as connection:
            tables.correct(connection, name, iso(self._now())[:10], by)

    def ask_within(
        self, scope: Scope, connection: WriteConnection, effect: Effect, lineage: Lineage
    ) -> Verdict:
        """Ask about an effect in a transaction that is open: for a room that forms the question itself."""
        tables.lock_gate(connection)
        return self._ask(
            scope, connection, Verdict(Decision.ASK, Rule.FLOOR, effect, lineage, "It is asked about.")
        )

    def _judged(self, scope: Scope, effect: Effect, lineage: Lineage, chat: str | None) -> Verdict:
        with self._store.reading() as connection:
            seen = self._looked_at(scope, connection, effect, lineage, chat)
        if seen.decision is Decision.ALLOW or seen.rule is Rule.OWN_CHAT:
            return seen
        with self._store.transaction() as connection:
            tables.lock_gate(connection)
            if seen.decision is Decision.ASK:
                seen = self._ask(scope, connection, seen)
            elif seen.rule is Rule.BUDGET and not tables.refused(connection, effect.digest, lineage.root):
                seen = replace(seen, ask=self._ask(scope, connection, seen).ask)
            if seen.decision is Decision.DENY:
                told: dict[str, Json] = {"class": seen.effect.cls, "rule": seen.rule, "digest": effect.digest}
                self._record(scope, connection, Kind.GATE_DENIED, self._denial(scope, seen), told)
        return seen

    def _denial(self, scope: Scope, verdict: Verdict) -> str:
        """The id of a denial's event. What a guest tries of one class in an hour is told once."""
        if verdict.rule is not Rule.GUEST:
            return self._store.ids.new("denial")
        tried = f"{scope.viewer} {verdict.effect.cls} {iso(self._now())[:13]}"
        return f"gate.denied:{hashlib.sha256(tried.encode()).hexdigest()}"

    def _looked_at(
        self, scope: Scope, connection: ReadConnection, effect: Effect, lineage: Lineage, chat: str | None
    ) -> Verdict:
        """The verdict as things stand, nothing written."""
        at = self._now()
        if effect.recipients:
            effect = as_bulk(effect, tables.reached(connection, lineage.root, at - _DAY), rules.MOST_PEOPLE)
        standing = self._standing(scope, connection, effect, chat)
        decided = rules.decide(effect, lineage, standing, self._policy)
        if decided.decision is Decision.ALLOW:
            decided = rules.decide(
                effect, lineage, self._worn(connection, standing, effect, lineage, at), self._policy
            )
        verdict = Verdict(
            decided.decision, decided.rule, effect, lineage, decided.reason, retry=decided.later
        )
        if decided.decision is not Decision.ASK and decided.rule is not Rule.BUDGET:
            return verdict
        ask = tables.nod(connection, effect.digest, lineage.root, at)
        if ask is not None:
            given = tables.ask_of(connection, ask)
            return replace(
                verdict, decision=Decision.ALLOW, rule=Rule.NOD, reason="The owner said yes to it.", ask=given
            )
        if decided.rule is Rule.BUDGET:
            return verdict
        for grant in tables.live_grants(connection):
            if rules.covers(grant, effect, lineage, at) and self._has_uses(
                connection, grant.id, grant.spec, at
            ):
                return replace(
                    verdict,
                    decision=Decision.ALLOW,
                    rule=Rule.GRANT,
                    reason="The owner allowed it beforehand.",
                    grant=grant.id,
                )
        return verdict

    def _standing(
        self, scope: Scope, connection: ReadConnection, effect: Effect, chat: str | None
    ) -> rules.Standing:
        set_to = tables.switched(connection)
        people = {one: _permission(self._directory.known(connection, one)) for one in effect.recipients}
        return rules.Standing(
            is_owner=scope.is_owner,
            off=self._off(set_to),
            autonomy=self._level(set_to),
            permissions=people,
            owner=self._directory.owner_of(connection) if people else None,
            chat=chat,
        )

    def _worn(
        self,
        connection: ReadConnection,
        standing: rules.Standing,
        effect: Effect,
        lineage: Lineage,
        at: datetime,
    ) -> rules.Standing:
        """The standing with what only matters to a call that would be allowed: failures, and budgets."""
        failed = tables.failures(connection, effect.cls, at - rules.TRIPPED_FOR - rules.FAILURE_WINDOW)
        return replace(
            standing,
            tripped=budgets.is_tripped(failed, at, rules.FAILURES, rules.FAILURE_WINDOW, rules.TRIPPED_FOR),
            exhausted=self._exhausted(connection, effect, lineage, at),
        )

    def _exhausted(
        self, connection: ReadConnection, effect: Effect, lineage: Lineage, at: datetime
    ) -> str | None:
        for lease in budgets.leases(effect, lineage, self._policy.limits, at):
            if tables.used(connection, lease.name, lease.period) + lease.amount > lease.limit:
                return lease.name
        for gap in budgets.gaps(effect, lineage, self._policy.limits):
            free = tables.free_at(connection, gap.name)
            if free is not None and free > at:
                return gap.name
        return None

    def _reserve(
        self, connection: WriteConnection, verdict: Verdict, at: datetime
    ) -> tuple[budgets.Lease, ...]:
        """Every lease and gap of the call; what the owner nodded to one by one needs none but money."""
        lineage = replace(verdict.lineage, asked_for=True) if verdict.rule is Rule.NOD else verdict.lineage
        held = budgets.leases(verdict.effect, lineage, self._policy.limits, at)
        for lease in held:
            if not tables.reserve(connection, lease):
                raise _not_allowed(f"The budget {lease.name} is used up.")
        for gap in budgets.gaps(verdict.effect, lineage, self._policy.limits):
            if not tables.reserve_gap(connection, gap, at):
                raise _not_allowed(f"The budget {gap.name} is used up.")
        return held

    def _spend(self, scope: Scope, connection: WriteConnection, verdict: Verdict, claim: Claim) -> None:
        """Use up what allowed the call."""
        if verdict.ask is not None and not tables.spend_nod(
            connection, verdict.ask.id, claim.digest, claim.id
        ):
            raise _not_allowed("The owner's yes was used already.")
        if verdict.grant is not None:
            grant = tables.grant(connection, verdict.grant)
            if (
                grant is None
                or not tables.use_grant(connection, grant)
                or not self._count(connection, grant.id, grant.spec, claim.made_at)
            ):
                raise _not_allowed(
                    "The grant does not stand any more, or was used as often as it may be in a day."
                )
            told: dict[str, Json] = {"grant": grant.id, "digest": claim.digest}
            self._record(scope, connection, Kind.GRANT_USED, f"grant.used:{claim.id}", told)

    def _has_uses(
        self, connection: ReadConnection, grant: str, spec: Mapping[str, Json], at: datetime
    ) -> bool:
        lease = _daily(grant, spec, at)
        return lease is None or tables.used(connection, lease.name, lease.period) < lease.limit

    def _count(self, connection: WriteConnection, grant: str, spec: Mapping[str, Json], at: datetime) -> bool:
        lease = _daily(grant, spec, at)
        return lease is None or tables.reserve(connection, lease)

    def _ask(self, scope: Scope, connection: WriteConnection, verdict: Verdict) -> Verdict:
        """The verdict with the ask for its call: the one there, one that it joins, or a new one."""
        at = self._now()
        effect, lineage = verdict.effect, verdict.lineage
        self._expire(scope, connection, at)
        call = AskedCall(effect.digest, rules.shown(replace(effect, call=self._without_secrets(effect.call))))
        if len(call.words) > rules.LONGEST_SHOWN:
            return replace(
                verdict,
                decision=Decision.DENY,
                rule=Rule.UNSHOWABLE,
                reason=f"What cannot be shown in {rules.LONGEST_SHOWN} characters cannot be approved.",
            )
        asks = tables.open_asks(connection, lineage.root)
        for ask in asks:
            if any(one.digest == call.digest for one in ask.calls):
                return replace(verdict, ask=ask)
        for ask in asks:
            room = rules.LONGEST_SHOWN - sum(len(one.words) for one in ask.calls)
            if (
                rules.coalesces(effect.cls)
                and (ask.cls, ask.task) == (effect.cls, lineage.task)
                and len(call.words) <= room
            ):
                tables.add_call(connection, ask.id, len(ask.calls), call)
                told: dict[str, Json] = {"ask": ask.id, "digest": call.digest, "calls": len(ask.calls) + 1}
                self._record(scope, connection, Kind.APPROVAL_JOINED, self._store.ids.new("change"), told)
                return replace(verdict, ask=replace(ask, calls=(*ask.calls, call)))
        if len(asks) >= rules.MOST_OPEN:
            return replace(
                verdict,
                decision=Decision.DENY,
                rule=Rule.PARKED,
                reason="Too many questions are open; they wait for the owner.",
                retry=True,
            )
        return replace(verdict, ask=self._open(scope, connection, verdict, call, at))

    def _open(
        self, scope: Scope, connection: WriteConnection, verdict: Verdict, call: AskedCall, at: datetime
    ) -> Ask:
        ask = Ask(
            "",
            self._store.ids.new("ask"),
            verdict.effect.cls,
            AskState.OPEN,
            verdict.lineage.root,
            verdict.lineage.task,
            at,
            at + rules.EXPIRY,
            (call,),
        )
        for attempt in range(2 * _TRIES):
            ask = replace(ask, code=new_code(rules.CODE if attempt < _TRIES else rules.LONG_CODE))
            if tables.add_ask(connection, ask):
                break
        else:
            raise Unavailable("No code is free for a question.", not_done="Nothing was asked.")
        told: dict[str, Json] = {"ask": ask.id, "class": ask.cls, "rule": verdict.rule, "digest": call.digest}
        self._record(scope, connection, Kind.APPROVAL_CREATED, f"approval.created:{ask.id}", told)
        return ask

    def _without_secrets(self, call: Call) -> Call:
        hidden = self._hide(call.args)
        assert isinstance(hidden, Mapping)
        target = None if call.target is None else self._hide(call.target)
        return replace(call, args=hidden, target=None if target is None else str(target))

    def _expire(self, scope: Scope, connection: WriteConnection, at: datetime) -> int:
        late = tables.overdue(connection, at)
        for identifier, state in late:
            if tables.move_ask(connection, identifier, state, AskState.EXPIRED, at, None):
                event = f"approval.expired:{identifier}"
                self._record(scope, connection, Kind.APPROVAL_EXPIRED, event, {"ask": identifier})
        return len(late)

    def _settle(self, scope: Scope, connection: WriteConnection, identifier: str, outcome: Outcome) -> None:
        if tables.settle_claim(connection, identifier, outcome, self._now()):
            told: dict[str, Json] = {"claim": identifier, "outcome": outcome}
            self._record(scope, connection, Kind.TOOL_SETTLED, f"tool.settled:{identifier}", told)
            return
        state = tables.claim_state(connection, identifier)
        if state is None:
            raise self._store.absence(identifier, "claim")
        if state != outcome:
            raise Conflict(f"This call was said to be {state}.", not_done="Nothing was changed.")

    def _off(self, set_to: Mapping[str, str]) -> bool:
        return switch.is_off(self._home) or set_to.get(MIND) == "off"

    def _level(self, set_to: Mapping[str, str]) -> Autonomy:
        return Autonomy(set_to.get(LEVEL, self._policy.autonomy))

    def _switch(self, scope: Scope, name: str, value: str, kind: Kind, told: Mapping[str, Json]) -> None:
        with self._store.transaction() as connection:
            if tables.switched(connection).get(name) == value:
                return
            tables.set_switch(connection, name, value, self._now())
            self._record(scope, connection, kind, self._store.ids.new("change"), told)

    def _record(
        self, scope: Scope, connection: WriteConnection, kind: Kind, event: str, told: Mapping[str, Json]
    ) -> None:
        self._ledger.record(scope, connection, Event(event, kind, TOPIC, event, told))

    def _now(self) -> datetime:
        return from_iso(iso(self._clock.now()))


def new_code(length: int) -> str:
    """A code of `length` characters, one of them at least a digit: no code is a word that people write."""
    while True:
        code = "".join(secrets.choice(rules.ALPHABET) for _ in range(length))
        if any(char.isdigit() for char in code):
            return code


def _permission(contact: Contact | None) -> MayContact:
    """Whoever is not known may be asked about, not more."""
    return MayContact.ASK if contact is None else contact.may_contact


def _daily(grant: str, spec: Mapping[str, Json], at: datetime) -> budgets.Lease | None:
    most = spec.get("per_day")
    return None if not isinstance(most, int) else budgets.Lease(f"grant {grant}", iso(at)[:10], 1, most)


def _not_allowed(why: str) -> NotAllowed:
    return NotAllowed(why, not_done="The call was not run.", next_step="Ask the gate again.")


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner:
        raise Forbidden("Only the owner may do this.", not_done="Nothing was changed.")
