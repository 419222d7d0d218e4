"""What somebody owes: taken from plain words, listed, put off, settled."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from numen.kernel import (
    Clock,
    Conflict,
    IdSource,
    InvalidInput,
    Json,
    NotFound,
    Scope,
    from_iso,
    iso,
)
from numen.ledger import Event, Kind, Ledger
from numen.memory import rules, view_tables
from numen.memory.types import Commitment, CommitmentState, Due, Promise, Resolution, Turn
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection

LISTED = 50
"""Open commitments that a list shows at most (ours)."""

LONGEST_REASON = 300
"""Characters of a reason (wire contract, 1.2)."""

STREAM = "memory"

_STATE_OF = {Resolution.DONE: CommitmentState.FULFILLED}


class Commitments:
    """Open promises and what became of them. A person sees and settles their own, the owner all."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, secrets: Secrets) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._secrets = secrets

    def pending(self, scope: Scope, limit: int = LISTED) -> tuple[Commitment, ...]:
        """Open commitments that the caller may see, the next due first; those past their time are overdue."""
        with self._store.reading() as connection:
            return self.listed(scope, connection, limit)

    def listed(self, scope: Scope, connection: ReadConnection, limit: int) -> tuple[Commitment, ...]:
        """As `pending`, in a read that is open."""
        whose = None if scope.is_owner else rules.whose(scope)
        now = self._clock.now()
        return tuple(standing(one, now) for one in view_tables.pending(connection, whose, limit))

    def make(self, scope: Scope, promise: Promise, zone: str) -> Commitment:
        """Keep a promise that was told otherwise than in a turn. The same open one is not kept twice."""
        sealed = replace(promise, what=self._secrets.seal(scope, promise.what.strip()).text)
        if not sealed.what:
            raise InvalidInput("A commitment says what is owed.", not_done="Nothing was kept.")
        with self._store.transaction() as connection:
            made = keep(
                scope, connection, self._ledger, self._store.ids, sealed, zone, None, self._clock.now()
            )
            if made is None:
                raise Conflict("The same commitment is open.", not_done="It was not kept twice.")
            kept = view_tables.commitment(connection, made)
        assert kept is not None, "it was kept in this transaction"
        return kept

    def settle(
        self, scope: Scope, identifier: str, outcome: Resolution, reason: str = "", by: str = "owner"
    ) -> Commitment:
        """Say what came of an open commitment. The same outcome again changes nothing.

        Raises `NotFound` where there is no open one that the caller may settle, `Conflict` where another was
        first, `InvalidInput` for a reason that is too long.
        """
        state = _STATE_OF.get(outcome, CommitmentState.CANCELLED)
        sealed = self._reason(scope, reason)
        with self._store.transaction() as connection:
            one = self._own(scope, connection, identifier)
            if one.outcome is outcome:
                return one
            values: dict[str, object] = {
                "state": str(state),
                "outcome": str(outcome),
                "reason": sealed,
                "resolved_by": by,
            }
            return self._change(scope, connection, one, values, outcome=str(outcome))

    def snooze(self, scope: Scope, identifier: str, due_at: datetime, note: str = "") -> Commitment:
        """Put an open commitment off until `due_at`; it is told again then. Raises as `settle` does."""
        sealed = self._reason(scope, note)
        with self._store.transaction() as connection:
            one = self._own(scope, connection, identifier)
            values: dict[str, object] = {
                "due_at": iso(due_at),
                "precision": str(Due.MINUTE),
                "reason": sealed,
                "snoozed": one.snoozed + 1,
            }
            return self._change(scope, connection, one, values)

    def _reason(self, scope: Scope, reason: str) -> str:
        if len(reason) > LONGEST_REASON:
            raise InvalidInput(
                f"A reason has at most {LONGEST_REASON} characters.", not_done="Nothing was changed."
            )
        return self._secrets.seal(scope, reason).text

    def _own(self, scope: Scope, connection: ReadConnection, identifier: str) -> Commitment:
        one = view_tables.commitment(connection, identifier)
        if one is None:
            raise self._store.absence(identifier, "open commitment")
        if not (scope.is_owner or one.whose == rules.whose(scope)):
            raise NotFound("There is no such open commitment.", next_step="Check the id.")
        return one

    def _change(
        self,
        scope: Scope,
        connection: WriteConnection,
        one: Commitment,
        values: dict[str, object],
        **more: Json,
    ) -> Commitment:
        if one.state is not CommitmentState.PENDING:
            raise Conflict("The commitment was settled before.", not_done="Nothing was changed.")
        now = max(self._clock.now(), one.changed_at + timedelta(milliseconds=1))
        values["changed_at"] = iso(now)
        if not view_tables.change_commitment(connection, one.id, iso(one.changed_at), values):
            raise Conflict("Another change was first.", not_done="Nothing was changed.")
        changed = view_tables.commitment(connection, one.id)
        assert changed is not None, "it was changed in this transaction"
        call = self._store.ids.new("change")
        payload: dict[str, Json] = {"commitment": one.id, "state": str(changed.state), **more}
        self._ledger.record(scope, connection, Event(call, Kind.COMMITMENT_CHANGED, STREAM, call, payload))
        return changed


def keep(
    scope: Scope,
    connection: WriteConnection,
    ledger: Ledger,
    ids: IdSource,
    promise: Promise,
    zone: str,
    turn: Turn | None,
    now: datetime,
) -> str | None:
    """Keep a promise in this transaction; its id, or None where the same one is open."""
    row_whose, at = rules.whose(scope), from_iso(iso(now))
    due = None if promise.due_at is None else from_iso(iso(promise.due_at))
    same = rules.same_promise(promise.what, promise.who, due)
    if view_tables.is_promised(connection, row_whose, same):
        return None
    made = Commitment(
        ids.new("commitment"),
        row_whose,
        promise.what,
        promise.who,
        promise.to_whom,
        due,
        promise.precision,
        zone,
        CommitmentState.PENDING,
        None,
        "",
        None,
        0,
        None if turn is None else turn.id,
        at,
        at,
    )
    view_tables.add_commitment(connection, made, same)
    event = f"{Kind.COMMITMENT_MADE}:{made.id}"
    payload: dict[str, Json] = {"commitment": made.id}
    ledger.record(scope, connection, Event(event, Kind.COMMITMENT_MADE, STREAM, made.id, payload))
    return made.id


def standing(one: Commitment, now: datetime) -> Commitment:
    """`one` as it stands at `now`: overdue once its time has passed; what is due on a day, once that has."""
    if one.state is not CommitmentState.PENDING or one.due_at is None:
        return one
    end = one.due_at
    if one.precision is Due.DAY:
        local = end.astimezone(ZoneInfo(one.timezone))
        end = local + timedelta(days=1)
    return replace(one, state=CommitmentState.OVERDUE) if end <= now else one


def commitment_json(one: Commitment) -> dict[str, Json]:
    """A commitment on the wire."""
    zone = ZoneInfo(one.timezone)
    return {
        "id": one.id,
        "what": one.what,
        "who": one.who,
        "to_whom": one.to_whom or None,
        "due_at": None if one.due_at is None else one.due_at.astimezone(zone).isoformat(),
        "due_precision": one.precision,
        "timezone": one.timezone,
        "state": one.state,
        "outcome": one.outcome,
        "reason": one.reason or None,
        "resolved_by": one.resolved_by,
        "snoozed": one.snoozed,
        "turn": one.turn,
        "made_at": iso(one.made_at),
        "changed_at": iso(one.changed_at),
    }
