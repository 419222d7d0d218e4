"""What is reserved before each call and settled after the last: each in one transaction with its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from numen.delegate import envelopes, rules, spend, tables
from numen.delegate.tables import Row
from numen.delegate.types import (
    Attempt,
    Backend,
    BackendName,
    Failed,
    Fault,
    Habits,
    Intent,
    State,
    Step,
    Worker,
)
from numen.gate import TASK_TOOL, Call, Gate, Lineage, NotAllowed, Outcome
from numen.gate.budgets import Lease
from numen.gate.purse import Purse
from numen.kernel import Clock, Conflict, Json, Scope, iso
from numen.ledger import Event, Kind, Ledger
from numen.secrets import Secrets
from numen.store import Store, WriteConnection

TOPIC = "delegations"
"""What is touched when a delegation moves."""


_OPEN = frozenset({State.QUEUED, State.RUNNING})


def _nothing(_step: Step) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Means:
    """What a delegation needs. `passed` is told each step; `nonce` gives random names."""

    store: Store
    ledger: Ledger
    gate: Gate
    secrets: Secrets
    clock: Clock
    habits: Habits
    backends: Mapping[BackendName, Backend]
    prices: spend.Prices
    environ: Mapping[str, str]
    nonce: Callable[[], str]
    passed: Callable[[Step], None] = _nothing

    def now(self) -> str:
        """The moment, as it is written."""
        return iso(self.clock.now())


class _Undone(Exception):
    """Why the reservation is undone with its whole transaction."""


class Accounts:
    """The books of one delegation."""

    def __init__(self, means: Means, scope: Scope) -> None:
        self._means = means
        self._scope = scope
        self._purse = Purse()

    def reserve(self, row: Row, intent: Intent, worker: Worker, kind: str, words: str) -> Row | Failed:
        """Take what a call may cost from every budget, and record that; the row as it then stands."""
        means = self._means
        call = spend.bound(intent, words, means.prices.of(worker))
        spent = sum(cast("int", one["micros"] or 0) for one in row.reserved)
        why = spend.refusal(intent, means.habits.caps, call, spent)
        if why is not None:
            return Failed(f"budget_refused:{why}", Fault.REQUEST)
        held = tuple(spend.leases(intent, means.habits.caps, call, means.clock.now()).values())
        reservation: dict[str, Json] = {
            "worker": [worker.backend, worker.model, worker.profile],
            "kind": kind,
            "tokens": call.tokens,
            "micros": call.micros,
            "held": [[one.lease.name, one.lease.period, one.lease.amount, one.money] for one in held],
        }
        after = replace(row, state=State.RUNNING, reserved=(*row.reserved, reservation), moved_at=means.now())
        try:
            with means.store.transaction() as connection:
                short = self._purse.take(self._scope, connection, (one.lease for one in held))
                if short is not None:
                    raise _Undone(f"budget_refused:{short.name.removeprefix(spend.PREFIX)}")
                if not row.reserved:
                    self._pass_the_gate(connection, row)
                if not tables.move(connection, after, _OPEN) and not tables.add(connection, after):
                    raise _Undone("duplicate")
                self._record_call(connection, after, worker, call)
        except _Undone as refusal:
            return Failed(str(refusal), Fault.REQUEST)
        except NotAllowed as refusal:
            return Failed(f"gate_refused:{refusal.what}", Fault.REQUEST)
        return after

    def enqueue(self, row: Row) -> None:
        """Keep a row that waits, for the first time or again after a try, and wake whoever carries it out."""
        with self._means.store.transaction() as connection:
            if not tables.move(connection, row, _OPEN) and not tables.add(connection, row):
                raise Conflict("This request was made before.", not_done="Nothing was put into the queue.")
            told: dict[str, Json] = {"run": row.id, "try": row.tries}
            self._record(connection, Kind.DELEGATION_QUEUED, row.id, str(row.tries), told)

    def settle(self, row: Row, attempts: tuple[Attempt, ...], told: Mapping[str, Json]) -> Row:
        """Correct the budgets and record how it ended; the row as it then stands. Done once."""
        means = self._means
        usage, cost = rules.total(attempts), spend.cost(attempts, means.prices)
        code = rules.code_of(cast("str | None", told["degraded_reason"]))
        after = replace(
            row,
            state=State.SETTLED,
            status=str(told["status"]),
            code=code,
            envelope=envelopes.kept(told),
            moved_at=means.now(),
            input=usage.input,
            output=usage.output,
            micros=cost,
            avoided=cast("int", told["host_tokens_avoided"]),
        )
        payload: dict[str, Json] = {
            "run": row.id,
            "status": str(told["status"]),
            "code": code,
            "attempts": len(attempts),
            "input": usage.input,
            "output": usage.output,
            "millis": cast("int", told["duration_ms"]),
        }
        if cost is not None:
            payload["micros"] = cost
        with means.store.transaction() as connection:
            if tables.move(connection, after, _OPEN):
                self._correct(connection, row, attempts)
            elif not tables.add(connection, after):
                tables.move(connection, after, {State.SETTLED})
            self._record(connection, Kind.DELEGATION_SETTLED, row.id, "end", payload)
        return after

    def _pass_the_gate(self, connection: WriteConnection, row: Row) -> None:
        """Once a delegation. How it went is told by its own record. Raises `NotAllowed`."""
        args: dict[str, Json] = {"run": row.id, "backend": row.backend, "model": row.model}
        effect = self._means.gate.effect(Call(TASK_TOOL, args))
        claim = self._means.gate.claim_within(self._scope, connection, effect, Lineage(row.id))
        self._means.gate.settle_within(self._scope, connection, claim.id, Outcome.HANDED)

    def _correct(self, connection: WriteConnection, row: Row, attempts: tuple[Attempt, ...]) -> None:
        """Give back what was not used of each reservation, and add what was used beyond it."""
        for reservation, attempt in zip(row.reserved, (one for one in attempts if one.ran), strict=False):
            call = spend.Bound(cast("int", reservation["tokens"]), cast("int | None", reservation["micros"]))
            price = self._means.prices.of(attempt.worker)
            for name, period, amount, money in cast("list[tuple[str, str, int, bool]]", reservation["held"]):
                held = spend.Held(Lease(name, period, amount, amount), money)
                by = spend.correction(held, call, attempt.usage, price)
                if by:
                    self._purse.correct(self._scope, connection, held.lease, by)

    def _record_call(self, connection: WriteConnection, row: Row, worker: Worker, call: spend.Bound) -> None:
        number = len(row.reserved)
        told: dict[str, Json] = {
            "run": row.id,
            "backend": worker.backend,
            "attempt": number,
            "tokens": call.tokens,
        }
        if call.micros is not None:
            told["micros"] = call.micros
        self._record(connection, Kind.DELEGATION_RESERVED, row.id, str(number), told)

    def _record(
        self, connection: WriteConnection, kind: Kind, run: str, step: str, told: Mapping[str, Json]
    ) -> None:
        event = Event(f"{kind}:{run}:{step}", kind, f"run:{run}", run, told)
        self._means.ledger.record(self._scope, connection, event)
        self._means.store.touches(connection, (TOPIC,))
