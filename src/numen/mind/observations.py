"""Observations: what the body sees on its board, which task came from which, and who made a scheduled job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import cast

from numen.kernel import InvalidInput, Json, Scope, canonical_bytes, digest, from_iso, iso
from numen.ledger import Kind
from numen.mind import tables
from numen.mind.intentions import TOPIC, Intentions, Means, owner_only
from numen.mind.types import BoardTask, Observation
from numen.store import ReadConnection

LONGEST_NAME = 512
"""Characters of a name that a body gives (people rules: a room's id)."""

DEEPEST = 32
"""Steps from a task to its root (ours: a task that makes tasks that make tasks is stopped long before)."""

REFUSED = "refused "
"""Before the name of a platform: when a turn of the owner was refused there."""

REMEMBERED = timedelta(days=7)
"""How long a refusal is shown (ours: it is mended or meant by then)."""

_TASK, _JOB, _MAKING, _MADE = "task", "job", "making", "made"


class Origin(StrEnum):
    """Whose a scheduled job is."""

    MIND = "mind"
    OWNER = "owner"
    UNKNOWN = "unknown"


class Observations:
    """What the body tells without being asked."""

    def __init__(self, means: Means, intentions: Intentions) -> None:
        self._means = means
        self._intentions = intentions

    def observe(self, scope: Scope, seen: Observation) -> None:
        """Keep what the board looks like now. Raises `NotOwner` for others."""
        owner_only(scope)
        words = self._means.secrets.seal_all(scope, _as_json(seen))
        with self._means.store.transaction() as connection:
            if not tables.put_board(connection, seen.board, words, self._means.now()):
                return
            told: dict[str, Json] = {
                "tasks": sum(seen.counts.values()),
                "stale": len(seen.stale),
                "blocked": len(seen.blocked),
            }
            event = self._means.store.ids.new("change")
            self._intentions.record(scope, connection, Kind.BOARD_OBSERVED, event, told)

    def last(self, connection: ReadConnection) -> Observation | None:
        """The board as it was seen last."""
        found = tables.last_board(connection)
        return None if found is None else _of_json(found[0], found[1])

    def trace_task(self, scope: Scope, child: str, parent: str) -> None:
        """Keep that a task made another. Raises `NotOwner`, `InvalidInput`."""
        self._trace(scope, _TASK, child, parent)

    def root(self, scope: Scope, task: str) -> str:
        """The task from which a task comes, itself where it comes from none."""
        owner_only(scope)
        with self._means.store.reading() as connection:
            for _ in range(DEEPEST):
                parent = tables.trace(connection, _TASK, task)
                if parent is None or parent == task:
                    break
                task = parent
        return task

    def trace_making(self, scope: Scope, call: str, task: str) -> None:
        """Keep that a run of the mind was let make a job, before it is known whether it did."""
        self._trace(scope, _MAKING, call, task)

    def trace_job(self, scope: Scope, job: str | None, task: str, call: str) -> None:
        """Keep which job a run of the mind made or changed; None: it made none. Raises `NotOwner`."""
        if call:
            self._trace(scope, _MADE, call, task)
        if job:
            self._trace(scope, _JOB, job, task)

    def origin(self, scope: Scope, job: str, made_at: datetime | None) -> tuple[Origin, str | None]:
        """Whose a job is, and the task that made it. Raises `NotOwner`.

        A job that the mind did not make is the owner's; not where that cannot be told: it is older than this
        store's memory, or a run of the mind was let make a job and never said which.
        """
        owner_only(scope)
        with self._means.store.reading() as connection:
            task = tables.trace(connection, _JOB, job)
            if task is not None:
                return Origin.MIND, task
            lost = made_at is None or made_at < tables.remembered_since(connection)
            if lost or tables.is_untold(connection, _MAKING, _MADE):
                return Origin.UNKNOWN, None
        return Origin.OWNER, None

    def skill_used(self, scope: Scope, skill: str) -> None:
        """Record that a skill was used, by the digest of its name. Raises `NotOwner`, `InvalidInput`."""
        owner_only(scope)
        told: dict[str, Json] = {"skill": digest(canonical_bytes(_named(skill)))}
        with self._means.store.transaction() as connection:
            event = self._means.store.ids.new("change")
            self._intentions.record(scope, connection, Kind.SKILL_USED, event, told)

    def refused(self, scope: Scope, platform: str) -> None:
        """Remember that a turn said to be the owner's was refused, because of where it was written."""
        with self._means.store.transaction() as connection:
            tables.set_beat(connection, REFUSED + _named(platform), self._means.now())
            self._means.store.touches(connection, (TOPIC,))
        del scope

    def refusals(self, scope: Scope) -> tuple[tuple[str, datetime], ...]:
        """On which platforms turns were refused of late, and when last. Raises `NotOwner`."""
        owner_only(scope)
        since = self._means.now() - REMEMBERED
        with self._means.store.reading() as connection:
            known = tables.beats_of(connection, REFUSED)
        return tuple((name.removeprefix(REFUSED), at) for name, at in known if at >= since)

    def _trace(self, scope: Scope, kind: str, name: str, origin: str) -> None:
        owner_only(scope)
        name, origin = _named(name), _named(origin)
        with self._means.store.transaction() as connection:
            if tables.add_trace(connection, kind, name, origin, self._means.now()):
                told: dict[str, Json] = {
                    "of": kind,
                    "name": digest(canonical_bytes(name)),
                    "origin": digest(canonical_bytes(origin)),
                }
                event = self._means.store.ids.new("change")
                self._intentions.record(scope, connection, Kind.ORIGIN_TRACED, event, told)


def _named(name: str) -> str:
    if not name or len(name) > LONGEST_NAME:
        raise InvalidInput(f"A name has 1 to {LONGEST_NAME} characters.", not_done="Nothing was kept.")
    return name


def _as_json(seen: Observation) -> dict[str, Json]:
    return {
        "observed_at": iso(seen.observed_at),
        "counts": dict(seen.counts),
        **{
            name: [[one.id, one.title, one.status, one.idle_s, one.block_kind] for one in tasks]
            for name, tasks in (("stale", seen.stale), ("blocked", seen.blocked), ("goals", seen.goals))
        },
    }


def _of_json(board: str, kept: Json) -> Observation:
    seen = cast("Mapping[str, Json]", kept)

    def tasks(name: str) -> tuple[BoardTask, ...]:
        rows = cast("Sequence[tuple[str, str, str, float, str]]", seen[name])
        return tuple(BoardTask(*row) for row in rows)

    return Observation(
        board,
        from_iso(cast("str", seen["observed_at"])),
        cast("Mapping[str, int]", seen["counts"]),
        tasks("stale"),
        tasks("blocked"),
        tasks("goals"),
    )
