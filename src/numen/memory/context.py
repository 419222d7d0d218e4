"""What a turn is told before it is thought about: each section short, fresh state first, nothing written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from numen.kernel import Clock, Json, NumenError, Scope
from numen.memory import claim_tables, extraction, rules
from numen.memory.blocks import CURRENT_TIME, Block, fit, quote_lines
from numen.memory.commitments import Commitments
from numen.memory.opinions import Opinions
from numen.memory.service import Memory, Names
from numen.memory.types import Claim, Commitment, CommitmentState, Due, Row
from numen.store import ReadConnection, Store

CORRECTIONS = 6
"""Corrections that are told, the newest (ours: older ones have become claims, or were about that moment)."""

RECALLED = 12
"""Rows that a turn's context recalls (ours: two blocks of a screen; a search gives more)."""

VIEWS = 5
COMMITMENTS = 12

LIMITS = {
    "protagine-corrections": 800,
    "protagine-commitments": 1_200,
    "numen-memories": 3_600,
    "numen-preferences": 600,
    "numen-person": 900,
    "numen-relationship": 500,
    "numen-views": 900,
}
"""The most characters of a section's body: together they leave room in the stock host's 9,744 (ours)."""

TASTES = frozenset({"likes", "dislikes", "diet", "prefers"})


@dataclass(frozen=True, slots=True)
class Asking:
    """For which turn a context is wanted. `run` is `cron` for a scheduled job, `task` names a worker's."""

    text: str = field(repr=False)
    session: str = ""
    inline_chars: int | None = None
    shown: frozenset[str] = frozenset()
    wait_ms: int | None = None
    run: str | None = None
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Assembled:
    """The sections of a context, and what it was fitted to."""

    sections: tuple[Block, ...]
    held_back: tuple[str, ...]
    inline_chars: int | None

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        used = sum(one.size for one in self.sections)
        return {
            "sections": [one.as_json() for one in self.sections],
            "budget": {
                "blocks": True,
                "budget": self.inline_chars,
                "used": used,
                "held_back": list(self.held_back),
            },
        }


class Contributor(Protocol):
    """A room above that has something to tell a turn. It reads, and is quick."""

    @property
    def title(self) -> str:
        """What is named where it could not be asked."""
        ...

    def blocks(self, scope: Scope, connection: ReadConnection, asking: Asking) -> Sequence[Block]:
        """Its sections for this turn; none for a guest but what is everyone's."""
        ...


class Context:
    """Assembles the context of a turn from memory, and from whoever contributes."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        memory: Memory,
        commitments: Commitments,
        opinions: Opinions,
        names: Names,
        contributors: Sequence[Contributor] = (),
    ) -> None:
        self._store = store
        self._clock = clock
        self._memory = memory
        self._commitments = commitments
        self._opinions = opinions
        self._names = names
        self._contributors = tuple(contributors)
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="numen-recall")

    def close(self) -> None:
        """Let the threads go; one that is still finding rows ends first."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def assemble(self, scope: Scope, asking: Asking) -> Assembled:
        """The sections for this turn, inside of `inline_chars`, answered within `wait_ms`. Writes nothing.

        What is slow is left out and named. Whoever is not the owner gets what is theirs and everyone's. A
        scheduled job is not the owner's turn and gets no status; a worker has its lessons in its task.
        """
        began = self._clock.monotonic()
        recalling = self._recalling(scope, asking)
        cut: list[str] = []
        blocks: list[Block] = []
        with self._store.reading() as connection:
            zone = self._names.zone(connection, scope.viewer)
            blocks.append(current_time(self._clock.now(), zone))
            own = claim_tables.profile(connection, rules.whose(scope))
            blocks += _own_blocks(own)
            known = self._names.relationship(connection, scope.viewer)
            blocks.append(_block("numen-relationship", "Relationship", known, 45))
            if scope.is_owner and asking.run != "cron":
                blocks.append(self._owed(scope, connection))
            blocks.append(self._views(scope, connection))
            for one in self._contributors:
                if asking.wait_ms is not None and self._left(asking.wait_ms, began) <= 0:
                    cut.append(one.title)
                    continue
                blocks += one.blocks(scope, connection, asking)
        told = {one.id for one in own} | {each.ref for one in own for each in one.evidence}
        memories = self._recalled(recalling, asking, began, cut, told)
        if memories is not None:
            blocks.append(memories)
        fitted = fit(blocks, asking.inline_chars, asking.shown, cut)
        return Assembled(fitted.blocks, fitted.held_back, asking.inline_chars)

    def temporal(self, scope: Scope) -> Block:
        """The time where the caller is. Writes nothing."""
        with self._store.reading() as connection:
            zone = self._names.zone(connection, scope.viewer)
        return current_time(self._clock.now(), zone)

    def _left(self, wait_ms: int, began: float) -> float:
        return wait_ms / 1000 - (self._clock.monotonic() - began)

    def _recalling(self, scope: Scope, asking: Asking) -> Future[tuple[Row, ...]] | None:
        """The rows for this turn, being found in another thread where the host waits only so long."""
        if not asking.text.strip():
            return None

        def rows() -> tuple[Row, ...]:
            return self._memory.recall(scope, asking.text, limit=RECALLED, budget_tokens=1 << 16).rows

        if asking.wait_ms is None:
            return _done(rows)
        return self._pool.submit(rows)

    def _recalled(
        self,
        recalling: Future[tuple[Row, ...]] | None,
        asking: Asking,
        began: float,
        cut: list[str],
        told: Collection[str],
    ) -> Block | None:
        """The recalled rows, without those that are `told` elsewhere in this context."""
        if recalling is None:
            return None
        title = "Relevant memories"
        try:
            left = None if asking.wait_ms is None else max(self._left(asking.wait_ms, began), 0.0)
            found = recalling.result(left)
        except TooSlow:
            recalling.cancel()
            cut.append(f"{title} (not found in time)")
            return None
        except NumenError as error:
            cut.append(f"{title} ({error.what.rstrip('.')})")
            return None
        lines = quote_lines(row for row in found if row.id not in told)
        return _block("numen-memories", title, lines, 60, fence=True)

    def _owed(self, scope: Scope, connection: ReadConnection) -> Block:
        owed = self._commitments.listed(scope, connection, COMMITMENTS)
        return _block("protagine-commitments", "Pending Commitments", tuple(map(_owed_line, owed)), 85)

    def _views(self, scope: Scope, connection: ReadConnection) -> Block:
        held = self._opinions.held(scope, connection, VIEWS)
        lines = tuple(f"{one.number}. {one.subject}: {one.stance} ({one.certainty})" for one in held)
        return _block("numen-views", "Recorded views", lines, 40)


def _own_blocks(claims: Sequence[Claim]) -> list[Block]:
    """What somebody has said of themselves: corrections, tastes, facts."""
    wrong = [one for one in claims if one.predicate == extraction.CORRECTION][-CORRECTIONS:]
    tastes = [one for one in claims if one.predicate in TASTES]
    facts = [one for one in claims if one.predicate not in TASTES | {extraction.CORRECTION}]
    return [
        _block("protagine-corrections", "Corrections", _sentences(wrong), 80, fence=True),
        _block("numen-person", "About this person", _sentences(facts), 55, fence=True),
        _block("numen-preferences", "Preferences", _sentences(tastes), 50, fence=True),
    ]


def current_time(now: datetime, zone: str) -> Block:
    """The time where somebody is, in words that a model reads without computing."""
    try:
        local = now.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        local, zone = now, "UTC"
    line = f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M} ({zone}, UTC{local:%z})"
    return Block("temporal-context", CURRENT_TIME, (line,), 100, 400)


def _owed_line(one: Commitment) -> str:
    """A commitment as a line: who owes what, by when, and its id, by which it is settled."""
    due = "no date"
    if one.due_at is not None:
        local = one.due_at.astimezone(ZoneInfo(one.timezone))
        due = f"due {local:%a %Y-%m-%d}" + ("" if one.precision is Due.DAY else f" {local:%H:%M}")
    late = " OVERDUE" if one.state is CommitmentState.OVERDUE else ""
    return f"- {one.what} ({one.who} owes, {due}{late}) id={one.id}"


def _sentences(claims: Sequence[Claim]) -> tuple[str, ...]:
    """What was said, each once; a fact about somebody else than the speaker stands in the sentence."""
    return tuple(dict.fromkeys(" ".join(one.text.split()) for one in claims))


def _block(identifier: str, title: str, lines: Sequence[str], priority: int, *, fence: bool = False) -> Block:
    limit = LIMITS.get(identifier, LIMITS["numen-person"])
    return Block(identifier, title, tuple(lines), priority, limit, fence)


def _done(rows: Callable[[], tuple[Row, ...]]) -> Future[tuple[Row, ...]]:
    found: Future[tuple[Row, ...]] = Future()
    try:
        found.set_result(rows())
    except NumenError as error:
        found.set_exception(error)
    return found
