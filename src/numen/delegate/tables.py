"""The rows of delegations. Every move is a compare-and-set."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa

from numen.delegate.types import State
from numen.kernel import Json, canonical_text
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata

delegations = sa.Table(
    "delegations",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("intent_id", sa.Text, nullable=False),
    sa.Column("intent_hash", sa.Text, nullable=False),
    sa.Column("request_id", sa.Text, nullable=True, unique=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("project_root", Words, nullable=False),
    sa.Column("intent", Words, nullable=False),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("backend", sa.Text, nullable=False),
    sa.Column("tags", Words, nullable=False),
    sa.Column("priority", sa.Integer, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("moved_at", sa.Text, nullable=False),
    sa.Column("reserved", Words, nullable=False),
    sa.Column("status", sa.Text, nullable=True),
    sa.Column("code", sa.Text, nullable=True),
    sa.Column("envelope", Words, nullable=True),
    sa.Column("input", sa.BigInteger, nullable=False),
    sa.Column("output", sa.BigInteger, nullable=False),
    sa.Column("micros", sa.BigInteger, nullable=True),
    sa.Column("avoided", sa.BigInteger, nullable=False),
    sa.Index("delegations_by_state", "state", "priority", "created_at"),
    sa.Index("delegations_by_hash", "intent_hash", "moved_at"),
    sa.Index("delegations_by_time", "created_at"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A delegation as it is kept; times are ISO 8601 in UTC.

    `intent` is as it came, without secrets, `asked` its digest; `reserved` has what each call took of which
    budget.
    """

    id: str
    intent_id: str
    intent_hash: str
    request_id: str | None
    state: State
    project_root: str
    intent: Mapping[str, Json]
    asked: str
    model: str
    backend: str
    tags: tuple[str, ...]
    priority: int
    tries: int
    created_at: str
    moved_at: str
    reserved: tuple[Mapping[str, Json], ...] = ()
    status: str | None = None
    code: str | None = None
    envelope: Mapping[str, Json] | None = None
    input: int = 0
    output: int = 0
    micros: int | None = None
    avoided: int = 0


def add(connection: WriteConnection, row: Row) -> bool:
    """Keep a new delegation; False where its id or its request was kept before."""
    return insert_new(connection, delegations, _columns(row))


def move(connection: WriteConnection, row: Row, before: Collection[State]) -> bool:
    """Keep `row` as it is now, where it stands in one of `before`; tells whether it did."""
    query = delegations.update().where(
        delegations.c.id == row.id, delegations.c.state.in_([str(one) for one in before])
    )
    return connection.execute(query.values(**_columns(row))).rowcount == 1


def of(connection: ReadConnection, identifier: str) -> Row | None:
    """The delegation of that id."""
    return _one(connection, delegations.c.id == identifier)


def of_request(connection: ReadConnection, request: str) -> Row | None:
    """The delegation that a request made."""
    return _one(connection, delegations.c.request_id == request)


def answered(connection: ReadConnection, intent_hash: str, since: str) -> Row | None:
    """The last answer to the same intent, not older than `since`."""
    return _one(
        connection,
        delegations.c.intent_hash == intent_hash,
        delegations.c.status == "ok",
        delegations.c.moved_at >= since,
    )


def standing(connection: ReadConnection, states: Collection[State]) -> tuple[Row, ...]:
    """Those in one of `states`, the most urgent first, then the oldest."""
    query = (
        sa.select(delegations)
        .where(delegations.c.state.in_([str(one) for one in states]))
        .order_by(delegations.c.priority.desc(), delegations.c.created_at, delegations.c.id)
    )
    return tuple(_row(one) for one in connection.execute(query).mappings())


def given_up(connection: ReadConnection) -> tuple[Row, ...]:
    """What came by the queue and ended without an answer, oldest first."""
    query = (
        sa.select(delegations)
        .where(
            delegations.c.state == str(State.SETTLED),
            delegations.c.status != "ok",
            delegations.c.tries > 0,
        )
        .order_by(delegations.c.created_at, delegations.c.id)
    )
    return tuple(_row(one) for one in connection.execute(query).mappings())


def latest(connection: ReadConnection, limit: int) -> tuple[Row, ...]:
    """The last ones, newest first."""
    query = (
        sa.select(delegations).order_by(delegations.c.created_at.desc(), delegations.c.id.desc()).limit(limit)
    )
    return tuple(_row(one) for one in connection.execute(query).mappings())


def spent(connection: ReadConnection, since: str) -> tuple[Row, ...]:
    """Those that were settled, of what came in since then."""
    query = (
        sa.select(delegations)
        .where(delegations.c.state == str(State.SETTLED), delegations.c.created_at >= since)
        .order_by(delegations.c.created_at)
    )
    return tuple(_row(one) for one in connection.execute(query).mappings())


def _one(connection: ReadConnection, *where: sa.ColumnElement[bool]) -> Row | None:
    query = sa.select(delegations).where(*where).order_by(delegations.c.moved_at.desc()).limit(1)
    found = connection.execute(query).mappings().first()
    return None if found is None else _row(found)


def _columns(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "intent_id": row.intent_id,
        "intent_hash": row.intent_hash,
        "request_id": row.request_id,
        "state": str(row.state),
        "project_root": row.project_root,
        "intent": canonical_text(row.intent),
        "asked": row.asked,
        "model": row.model,
        "backend": row.backend,
        "tags": canonical_text(list(row.tags)),
        "priority": row.priority,
        "tries": row.tries,
        "created_at": row.created_at,
        "moved_at": row.moved_at,
        "reserved": canonical_text(list(row.reserved)),
        "status": row.status,
        "code": row.code,
        "envelope": None if row.envelope is None else canonical_text(row.envelope),
        "input": row.input,
        "output": row.output,
        "micros": row.micros,
        "avoided": row.avoided,
    }


def _row(found: sa.RowMapping) -> Row:
    values = {str(name): cast("object", value) for name, value in found.items()}
    envelope = values["envelope"]
    return Row(
        **{
            **values,
            "state": State(str(values["state"])),
            "intent": json.loads(str(values["intent"])),
            "tags": tuple(cast("Sequence[str]", json.loads(str(values["tags"])))),
            "reserved": tuple(json.loads(str(values["reserved"]))),
            "envelope": None if envelope is None else json.loads(str(envelope)),
        }  # pyright: ignore[reportArgumentType]
    )
