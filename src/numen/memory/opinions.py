"""What the agent thinks of something: held for reasons, revised for reasons, withdrawn by the owner."""

from __future__ import annotations

from dataclasses import replace

from numen.kernel import (
    Audience,
    Clock,
    Conflict,
    Forbidden,
    InvalidInput,
    Json,
    NotFound,
    Scope,
    from_iso,
    iso,
)
from numen.ledger import Event, Kind, Ledger
from numen.memory import claim_tables, rules, tables, view_tables
from numen.memory.views import (
    REST,
    NewOpinion,
    Opinion,
    OpinionState,
    Premise,
    PremiseKind,
)
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection

LISTED = 50
"""Views that a list shows at most (ours)."""

LONGEST = 1_500
"""Characters of a stance or a reason (wire contract, 1.5)."""

TOPIC = "memory"

_OPEN = (OpinionState.HELD, OpinionState.RECONSIDERED)


class OwnersAlone(Forbidden):
    """Only the owner may say this of a view."""

    code = "not_owner"


class TooSoon(Conflict):
    """A view was changed a short while ago, and rests."""

    code = "judgment_rests"


class Opinions:
    """Views. The owner sees all; everyone else those that are for everyone."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, secrets: Secrets) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._secrets = secrets

    def hold(self, scope: Scope, new: NewOpinion) -> Opinion:
        """Hold a view, in place of the one on this subject if there is one.

        A view is revised only by a premise that it did not rest on yet, and once in 24 hours, corrections
        apart. Raises `InvalidInput` for one without reasons or with nothing new, `TooSoon`, `OwnersAlone`.
        """
        _owner_only(scope, "record a view")
        about = rules.folded(new.subject)
        if not about or not new.stance.strip() or not new.premises:
            raise _refused("A view has a subject, a stance, and a premise at least.")
        if len(new.stance) > LONGEST:
            raise _refused(f"A stance has at most {LONGEST} characters.")
        now = from_iso(iso(self._clock.now()))
        subject, stance, revise_if = (
            self._sealed(scope, words.strip()) for words in (new.subject, new.stance, new.revise_if)
        )
        premises = tuple(replace(one, text=self._sealed(scope, one.text.strip())) for one in new.premises)
        with self._store.transaction() as connection:
            tables.lock_memory(connection)
            for one in premises:
                _check(connection, one)
            before = view_tables.held_about(connection, about)
            if before is not None:
                known = {(one.kind, one.ref, one.text) for one in before.premises}
                if all((one.kind, one.ref, one.text) in known for one in premises):
                    raise _refused("Nothing is new: a view is revised by a premise that it did not rest on.")
                if now - before.made_at < REST and not new.is_correction:
                    raise TooSoon(
                        "This view changed less than 24 hours ago.",
                        not_done="It stays as it is.",
                        next_step="Say that it is a correction, or wait.",
                    )
                view_tables.change_opinion(connection, before.number, _OPEN, OpinionState.REPLACED, "", now)
            made = Opinion(
                view_tables.next_number(connection),
                subject,
                stance,
                new.certainty,
                premises,
                revise_if,
                new.audience,
                OpinionState.HELD,
                None if before is None else before.number,
                "",
                now,
                now,
            )
            view_tables.add_opinion(connection, made, about)
            payload: dict[str, Json] = {"opinion": made.number}
            if before is not None:
                payload["revises"] = before.number
            self._record(scope, connection, Kind.OPINION_MADE, payload)
        return made

    def listed(self, scope: Scope, query: str = "", limit: int = LISTED) -> tuple[Opinion, ...]:
        """Views that are held and the caller may see, newest first; with `query` those that speak of it."""
        with self._store.reading() as connection:
            found = self.held(scope, connection, LISTED)
        wanted = set(rules.folded(query).split())
        fitting = [
            one
            for one in found
            if not wanted or wanted & set(rules.folded(f"{one.subject} {one.stance}").split())
        ]
        return tuple(fitting[:limit])

    def held(self, scope: Scope, connection: ReadConnection, limit: int) -> tuple[Opinion, ...]:
        """Views that are held and the caller may see, newest first, in a read that is open."""
        audience = None if scope.is_owner else Audience.EVERYONE
        return view_tables.held(connection, audience, limit)[::-1]

    def inspect(self, scope: Scope, number: int) -> Opinion:
        """One view with what it rests on. Raises `NotFound`, also for one that is not the caller's to see."""
        with self._store.reading() as connection:
            one = view_tables.opinion(connection, number)
        if one is None or not (scope.is_owner or one.audience is Audience.EVERYONE):
            raise _unknown()
        return one

    def withdraw(self, scope: Scope, number: int, reason: str = "") -> Opinion:
        """Hold a view no more. The owner's alone; may be repeated. Raises `OwnersAlone`, `NotFound`."""
        return self._change(scope, number, OpinionState.WITHDRAWN, reason)

    def reconsider(self, scope: Scope, number: int, reason: str = "") -> Opinion:
        """Ask that a view be thought over: the owner alone. Raises `OwnersAlone`, `NotFound`, `Conflict`."""
        return self._change(scope, number, OpinionState.RECONSIDERED, reason)

    def _change(self, scope: Scope, number: int, state: OpinionState, reason: str) -> Opinion:
        _owner_only(scope, f"have a view {state}")
        if len(reason) > LONGEST:
            raise _refused(f"A reason has at most {LONGEST} characters.")
        now = from_iso(iso(self._clock.now()))
        sealed = self._sealed(scope, reason.strip())
        with self._store.transaction() as connection:
            one = view_tables.opinion(connection, number)
            if one is None:
                raise _unknown()
            if one.state is state:
                return one
            if not view_tables.change_opinion(connection, number, _OPEN, state, sealed, now):
                raise Conflict("The view is not held any more.", not_done="Nothing was changed.")
            self._record(scope, connection, Kind.OPINION_CHANGED, {"opinion": number, "state": str(state)})
        return replace(one, state=state, reason=sealed, changed_at=now)

    def _sealed(self, scope: Scope, text: str) -> str:
        return self._secrets.seal(scope, text).text

    def _record(
        self, scope: Scope, connection: WriteConnection, kind: Kind, payload: dict[str, Json]
    ) -> None:
        call = self._store.ids.new("change")
        self._ledger.record(scope, connection, Event(call, kind, TOPIC, call, payload))


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise OwnersAlone(f"Only the owner may {what}.", not_done="Nothing was changed.")


def _check(connection: ReadConnection, one: Premise) -> None:
    """Raises `InvalidInput` for a premise without words, or of a claim that does not stand."""
    if not rules.folded(one.text):
        raise _refused("A premise has words.")
    if one.kind is PremiseKind.CLAIM:
        claim = claim_tables.claims_of(connection, [one.ref]).get(one.ref)
        if claim is None or str(claim.state) not in claim_tables.LIVE:
            raise _refused("A premise names a claim that stands.")


def _refused(what: str) -> InvalidInput:
    return InvalidInput(what, not_done="Nothing was changed.")


def _unknown() -> NotFound:
    return NotFound("There is no view of that number.", next_step="See the list of opinions.")
