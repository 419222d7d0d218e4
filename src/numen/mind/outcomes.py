"""Outcomes: what a body says became of its work, and what the owner says of what the mind did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from numen.kernel import Json, Scope, canonical_bytes, digest
from numen.ledger import Kind
from numen.mind import rules, tables
from numen.mind.drives import Failure
from numen.mind.intentions import Intentions, Means, owner_only
from numen.mind.types import Drive, Intention, Judgement, Outcome, Reason, Report, State, Verified
from numen.store import ReadConnection, WriteConnection

LONGEST = 4_000
"""Characters of a summary (wire contract, 1.3)."""

LEARNT_FROM = timedelta(days=60)
"""How long an outcome counts (mind contract, Lessons: what was unused for so long is retired)."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a body says of a task: once for each change of it. `run` names the attempt."""

    outcome: Outcome
    final: bool
    ref: str = ""
    status: str = ""
    summary: str = field(default="", repr=False)
    error: str = field(default="", repr=False)
    verified: str | None = None
    run: str = ""


class Outcomes:
    """What was told of intentions."""

    def __init__(self, means: Means, intentions: Intentions) -> None:
        self._means = means
        self._intentions = intentions

    def record(self, scope: Scope, identifier: str, told: Told) -> tuple[Intention, bool]:
        """Keep what a body says of its work, and move the intention where that ends it; whether it was news.

        The same again changes nothing, and what has ended stays as it ended. That a failure is verified is
        believed only of a failure that has a reason. Raises `NotOwner`, `NotFound`, `StateUnavailable`.
        """
        owner_only(scope)
        seal = self._means.secrets.seal
        words = seal(scope, (told.error or told.summary)[:LONGEST]).text
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self._intentions.of(connection, identifier)
            if one.kind not in rules.WORK or rules.is_ended(one.kind, one.state):
                return one, False
            if one.state is State.APPROVED:
                ref = told.ref or None
                one = self._intentions.move(
                    scope, connection, one, State.DISPATCHED, Reason.BOUND, "The body has it.", ref=ref
                )
            if one.state is not State.DISPATCHED:
                return one, False
            is_failure = told.outcome is Outcome.FAILED and bool(told.error.strip())
            vouched = told.verified == Verified.HERMES_FAILURE and is_failure
            verified = Verified.HERMES_FAILURE if vouched else None
            mark = [identifier, told.run, told.status, told.outcome, told.final]
            if not self._keep(scope, connection, one, told.outcome, told.final, verified, words, mark):
                return one, False
            after = rules.state_of(told.outcome, told.final)
            if after is not None:
                one = self._intentions.move(scope, connection, one, after, Reason.REPORTED, words)
            return one, True

    def rate(self, scope: Scope, identifier: str, judgement: Judgement) -> Intention:
        """What the owner says of something that the mind did. Raises `NotOwner`, `NotFound`."""
        owner_only(scope)
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self._intentions.of(connection, identifier)
            mark: list[Json] = [identifier, "owner", judgement]
            self._keep(scope, connection, one, judgement, False, Verified.OWNER, "", mark)
        return one

    def of_late(self, connection: ReadConnection, now: datetime) -> tuple[Failure, ...]:
        """Verified ends of work, and the owner's verdicts on it, that still count."""
        return tuple(
            Failure(one, _failed(report), report.verified, report.words, report.at)
            for report, one in tables.verified_reports(connection, now - LEARNT_FROM)
            if report.verified is not None and one.kind in rules.WORK
        )

    def ratings(self, connection: ReadConnection, now: datetime) -> Iterator[tuple[Drive, Judgement]]:
        """The owner's last verdict on each thing that a drive led to."""
        last: dict[str, tuple[Drive, Judgement]] = {}
        for report, one in tables.verified_reports(connection, now - LEARNT_FROM):
            if report.verified is Verified.OWNER and one.drive is not None:
                last[one.id] = (one.drive, Judgement(report.outcome))
        yield from last.values()

    def _keep(
        self,
        scope: Scope,
        connection: WriteConnection,
        one: Intention,
        outcome: Outcome | Judgement,
        final: bool,
        verified: Verified | None,
        words: str,
        mark: list[Json],
    ) -> bool:
        new = Report(
            self._means.store.ids.new("report"), one.id, outcome, final, verified, words, self._means.now()
        )
        if not tables.add_report(connection, new, digest(canonical_bytes(mark))):
            return False
        told: dict[str, Json] = {"intention": one.id, "report": new.id, "outcome": outcome, "final": final}
        told |= {} if verified is None else {"verified": verified}
        event = f"outcome.recorded:{new.id}"
        self._intentions.record(scope, connection, Kind.OUTCOME_RECORDED, event, told)
        return True


def _failed(report: Report) -> bool:
    if report.verified is Verified.OWNER:
        return not Judgement(report.outcome).is_good
    return report.outcome == Outcome.FAILED
