"""The queue: delegations that wait are rows, which the durable engine carries out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from numen.delegate import rules, tables
from numen.delegate.accounts import TOPIC, Accounts, Means
from numen.delegate.errand import Errand
from numen.delegate.service import Delegate, Done, row_json
from numen.delegate.tables import Row
from numen.delegate.types import Nested, State, Status
from numen.kernel import Conflict, Json, Scope, from_iso
from numen.work import Job, Run

NAME = "delegation"
"""The job's name: open runs are found by it after a restart."""

_LOOK = 0.2
"""Seconds between two looks at a process that a dead Numen left running (ours)."""


class Queue:
    """Delegations that are carried out by themselves. `whose` gives the scope they are carried out in."""

    def __init__(self, means: Means, delegate: Delegate, whose: Callable[[], Scope], at_once: int) -> None:
        self._means = means
        self._delegate = delegate
        self._whose = whose
        self._at_once = at_once
        self.poke: Callable[[], None] = lambda: None
        """Wakes the engine: called when what was put off is due."""
        self._timer: threading.Timer | None = None

    def job(self) -> Job:
        """What the engine is told of it."""
        return Job(NAME, self.carry_out, self.wanted, frozenset({TOPIC}), self._failed, self._at_once)

    def enqueue(self, scope: Scope, given: bytes) -> Done:
        """Have it done later, the more urgent first; the row, or the envelope of what is no intent.

        Raises `Nested` in a delegated process, `Forbidden` for whoever is not the owner.
        """
        self.refuse_nesting()
        admitted = self._delegate.admit(scope, given)
        if isinstance(admitted, Done):
            return admitted
        row, _ = admitted
        return Done(row_json(self._kept(scope, replace(row, state=State.QUEUED, tries=1))), 0)

    def listed(self, scope: Scope) -> tuple[Sequence[Mapping[str, Json]], Sequence[Mapping[str, Json]]]:
        """What waits or runs, the most urgent first; and what was given up. Raises `Forbidden`."""
        waiting = self._delegate.standing(scope, {State.QUEUED, State.RUNNING})
        with self._means.store.reading() as connection:
            dead = tables.given_up(connection)
        return [row_json(one) for one in waiting], [row_json(one) for one in dead]

    def wait(self, scope: Scope) -> None:
        """Return when nothing is due and nothing runs; what was put off for later is left."""
        changed = threading.Event()
        watch = self._means.store.watch(lambda _: changed.set(), (TOPIC,))
        try:
            while self._due()[0] or self._delegate.standing(scope, {State.RUNNING}):
                changed.wait(1)
                changed.clear()
        finally:
            watch.close()

    def requeue(self, scope: Scope, run: str) -> Mapping[str, Json]:
        """Have what was given up done again, as a delegation of its own. Raises `Conflict`, `NotFound`."""
        self.refuse_nesting()
        old = self._delegate.row(scope, run)
        if old.state is not State.SETTLED or old.status == Status.OK:
            raise Conflict("It was not given up.", not_done="Nothing was put into the queue.")
        at = self._means.now()
        row = replace(
            old,
            id=self._means.store.ids.new("run"),
            request_id=None,
            state=State.QUEUED,
            reserved=(),
            tries=1,
            created_at=at,
            moved_at=at,
            status=None,
            code=None,
            envelope=None,
            input=0,
            output=0,
            micros=None,
            avoided=0,
        )
        with self._means.store.transaction() as connection:
            tables.move(connection, replace(old, tries=0), {State.SETTLED})
        return row_json(self._kept(scope, row))

    def wanted(self) -> Sequence[str]:
        """The ids of those that can go on now; the engine is woken when the next of the others can."""
        due, later = self._due()
        if self._timer is not None:
            self._timer.cancel()
        if later is not None:
            wait = (from_iso(later) - self._means.clock.now()).total_seconds()
            self._timer = threading.Timer(max(0.0, wait), self.poke)
            self._timer.daemon = True
            self._timer.start()
        return due

    def _due(self) -> tuple[Sequence[str], str | None]:
        """The ids of those that are due, and when the next of the others is."""
        now = self._means.now()
        with self._means.store.reading() as connection:
            rows = tables.standing(connection, {State.QUEUED})
        later = [row.moved_at for row in rows if row.moved_at > now]
        return [row.id for row in rows if row.moved_at <= now], min(later, default=None)

    def carry_out(self, run: Run) -> None:
        """Take a row to its end, from wherever it stands."""
        scope = self._whose()
        row = self._delegate.row(scope, run.id)
        if row.state is State.RUNNING:
            self._take_up(scope, row, run)
            return
        if row.state is State.QUEUED:
            Errand(self._means, scope, row, self._delegate.intent(row)).run()

    def _take_up(self, scope: Scope, row: Row, run: Run) -> None:
        """Bring to its end what a process that is gone began; its backend may still be at work."""
        while Errand(self._means, scope, row, self._delegate.intent(row)).resume() is None:
            if run.closing.wait(_LOOK):
                return

    def _kept(self, scope: Scope, row: Row) -> Row:
        Accounts(self._means, scope).enqueue(row)
        return row

    def _failed(self, run: str, error: Exception) -> None:
        """A fault of ours: the row is given up, and says so."""
        scope = self._whose()
        row = self._delegate.row(scope, run)
        errand = Errand(self._means, scope, row, self._delegate.intent(row))
        errand.refuse(f"internal: {type(error).__name__}")

    def refuse_nesting(self) -> None:
        """Raise `Nested` in a delegated process."""
        if rules.is_nested(self._means.environ):
            raise Nested("A delegated task may not delegate.", not_done="Nothing was put into the queue.")
