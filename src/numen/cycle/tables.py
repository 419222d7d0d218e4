"""The rows of the cycle: what a room has left, its turns, what it keeps for a replay, and who thinks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa

from numen.cycle.identity import Identity
from numen.cycle.types import Energy
from numen.kernel import Json, canonical_text, from_iso, iso
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata

rooms = sa.Table(
    "cycle_rooms",
    metadata,
    sa.Column("room", sa.Text, primary_key=True),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("keeps", sa.Boolean, nullable=False),
    sa.Column("seen_at", sa.Text, nullable=False),
    sa.Index("cycle_rooms_by_time", "seen_at"),
)

turns = sa.Table(
    "cycle_turns",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("room", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("failed", sa.Boolean, nullable=False),
    sa.Column("trace", sa.Text, nullable=False),
    sa.Column("tape", Words, nullable=True),
    sa.Index("cycle_turns_of_room", "room", "id"),
    sa.Index("cycle_turns_by_time", "at"),
)

identities = sa.Table(
    "cycle_identities",
    metadata,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("held", sa.Text, nullable=False),
    sa.Column("since", sa.Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Room:
    """What is kept of a room: its energy, how many turns it had, whether it keeps its words for a replay."""

    energy: Energy
    epoch: int
    keeps: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """A turn as it is kept: whose room, its trace, and its tape where the room keeps one."""

    id: str
    room: str
    trace: Mapping[str, Json]
    tape: str | None


def lock_room(connection: WriteConnection, room: str) -> None:
    """Let no one else change this room until the end of the transaction; on SQLite nobody else writes."""
    if connection.dialect.name == "postgresql":
        key = int(room[:15], 16)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))


def room(connection: ReadConnection, digest: str) -> Room | None:
    """What is kept of a room; None of one that was never there, or had rested until it was full."""
    row = connection.execute(sa.select(rooms).where(rooms.c.room == digest)).mappings().first()
    if row is None:
        return None
    return Room(Energy(row["level"], from_iso(row["at"])), row["epoch"], row["keeps"])


def put_room(connection: WriteConnection, digest: str, kept: Room, seen_at: datetime) -> None:
    """Keep how a room stands."""
    values: dict[str, Any] = {
        "level": kept.energy.level,
        "at": kept.energy.at.isoformat(),
        "epoch": kept.epoch,
        "keeps": kept.keeps,
        "seen_at": iso(seen_at),
    }
    if not insert_new(connection, rooms, {"room": digest, **values}):
        connection.execute(sa.update(rooms).where(rooms.c.room == digest).values(**values))


def rest(connection: WriteConnection, before: datetime) -> None:
    """Let rooms go that keep no words and were not seen since `before`: they are full by then."""
    connection.execute(sa.delete(rooms).where(rooms.c.seen_at < iso(before), rooms.c.keeps.is_(False)))


def put_turn(
    connection: WriteConnection,
    identifier: str,
    digest: str,
    at: datetime,
    trace: Mapping[str, Json],
    *,
    failed: bool,
    tape: str | None,
) -> None:
    """Keep a turn's trace, and its tape where there is one."""
    connection.execute(
        sa.insert(turns).values(
            id=identifier, room=digest, at=iso(at), failed=failed, trace=canonical_text(trace), tape=tape
        )
    )


def turn(connection: ReadConnection, identifier: str) -> Kept | None:
    """The turn of that id."""
    row = connection.execute(sa.select(turns).where(turns.c.id == identifier)).mappings().first()
    return None if row is None else _kept(row)


def latest(connection: ReadConnection, digest: str | None, limit: int) -> tuple[Kept, ...]:
    """Turns of a room, or of all, the newest first."""
    query = sa.select(turns).order_by(turns.c.id.desc()).limit(limit)
    if digest is not None:
        query = query.where(turns.c.room == digest)
    return tuple(map(_kept, connection.execute(query).mappings()))


def outcomes(connection: ReadConnection, digest: str, limit: int) -> Sequence[bool]:
    """Whether the last turns of a room came to an answer, the newest first."""
    query = sa.select(turns.c.failed).where(turns.c.room == digest).order_by(turns.c.id.desc()).limit(limit)
    return [not failed for failed in connection.scalars(query)]


def drop_turns(connection: WriteConnection, before: datetime) -> None:
    """Let traces go that are older."""
    connection.execute(sa.delete(turns).where(turns.c.at < iso(before)))


def drop_tapes(connection: WriteConnection, digest: str) -> int:
    """Erase the words that a room kept for a replay; how many turns had some."""
    query = sa.update(turns).where(turns.c.room == digest, turns.c.tape.is_not(None)).values(tape=None)
    return connection.execute(query).rowcount


def identity(connection: ReadConnection) -> Identity | None:
    """Who thinks in this home."""
    row = connection.execute(sa.select(identities).order_by(identities.c.version).limit(1)).mappings().first()
    if row is None:
        return None
    return Identity(row["version"], tuple(json.loads(row["held"])), from_iso(row["since"]))


def put_identity(connection: WriteConnection, new: Identity) -> None:
    """Fix who thinks, once."""
    held = canonical_text(list(new.held))
    insert_new(connection, identities, {"version": new.version, "held": held, "since": iso(new.since)})


def _kept(row: Any) -> Kept:
    return Kept(row["id"], row["room"], cast("Mapping[str, Json]", json.loads(row["trace"])), row["tape"])
