"""The rows of memory: messages, and tombstones of what was forgotten."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import Audience, from_iso, iso
from numen.memory.types import Origin, Role, Turn
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata
from numen.store.prepared import Columns, Prepared

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("source", Words, nullable=False),
    sa.Column("part", sa.Integer, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("session", Words, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("room", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("speaker", Words, nullable=False),
    sa.Column("audience", sa.Text, nullable=False),
    sa.Column("text", Words, nullable=False),
    sa.Column("model", Words, nullable=True),
    sa.Column("occurred_at", sa.Text, nullable=False),
    sa.Column("recorded_at", sa.Text, nullable=False),
    sa.Index("turns_by_source", "whose", "source", "part", unique=True),
    sa.Index("turns_by_session", "whose", "session", "position"),
)

tombstones = sa.Table(
    "tombstones",
    metadata,
    sa.Column("mark", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
)

_MEMORY_LOCK = 0x4E554D454E09
_OF_TURN = turns.c.whose == sa.bindparam("whose"), turns.c.source == sa.bindparam("source")
_OF_SESSION = turns.c.whose == sa.bindparam("whose"), turns.c.session == sa.bindparam("session")
_NOTHING = sa.literal("")
_BEFORE = Prepared(
    sa.union_all(
        sa.select(turns.c.part.label("part"), turns.c.id.label("id"), turns.c.digest.label("mark")).where(
            *_OF_TURN
        ),
        sa.select(sa.literal(-1), _NOTHING, tombstones.c.mark).where(
            tombstones.c.mark.in_(sa.bindparam("marks", expanding=True))
        ),
        sa.select(sa.func.coalesce(sa.func.max(turns.c.position), -1), _NOTHING, _NOTHING).where(
            *_OF_SESSION
        ),
    )
)
_MARKED = Prepared(
    sa.select(tombstones.c.mark).where(tombstones.c.mark.in_(sa.bindparam("marks", expanding=True)))
)
_BY_ID = Prepared(sa.select(turns).where(turns.c.id.in_(sa.bindparam("ids", expanding=True))))
_INSERT_TURN = Prepared(turns.insert(), (one.name for one in turns.c))


def lock_memory(connection: WriteConnection) -> None:
    """Let one transaction at a time decide what is a duplicate; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MEMORY_LOCK)))


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a turn is kept: by part the id and digest of its messages that are kept already,
    those of its marks that are tombstones, and the position of its session's last message (-1 without one).
    """

    known: Mapping[int, tuple[str, str]]
    gone: frozenset[str]
    last: int


def before(
    connection: ReadConnection, whose: str, source: str, session: str, marks: Collection[str]
) -> Before:
    """All that must be known before a turn is kept, in one statement: this is on the path of every turn."""
    known: dict[int, tuple[str, str]] = {}
    gone: set[str] = set()
    last = -1
    given = {"whose": whose, "source": source, "session": session, "marks": sorted(marks)}
    for part, identifier, mark in _BEFORE.rows(connection, given):
        if identifier:
            known[part] = (identifier, mark)
        elif mark:
            gone.add(mark)
        else:
            last = part
    return Before(known, frozenset(gone), last)


def said_in_session(
    connection: ReadConnection, whose: str, session: str, digests: Collection[str]
) -> frozenset[str]:
    """Those of `digests` that a message of the session has."""
    query = sa.select(turns.c.digest).where(
        turns.c.whose == whose, turns.c.session == session, turns.c.digest.in_(sorted(digests))
    )
    return frozenset(connection.scalars(query))


def add_turns(connection: WriteConnection, new: Sequence[Turn]) -> None:
    """Keep messages."""
    _INSERT_TURN.write_all(
        connection,
        [
            {
                "id": one.id,
                "whose": one.whose,
                "source": one.source,
                "part": one.part,
                "digest": one.digest,
                "session": one.session,
                "position": one.position,
                "room": one.room,
                "role": str(one.role),
                "origin": str(one.origin),
                "speaker": one.speaker,
                "audience": str(one.audience),
                "text": one.text,
                "model": one.model,
                "occurred_at": iso(one.occurred_at),
                "recorded_at": iso(one.recorded_at),
            }
            for one in new
        ],
    )


def turns_of(connection: ReadConnection, ids: Collection[str]) -> dict[str, Turn]:
    """Messages by id."""
    if not ids:
        return {}
    return {row["id"]: _turn(row) for row in _BY_ID.each(connection, {"ids": sorted(ids)})}


def named_turns(connection: ReadConnection, whose: str | None, names: Collection[str]) -> tuple[Turn, ...]:
    """Messages by their ids, or by the names outside of their turns; of one person (None: of all)."""
    wanted = sorted(names)
    query = sa.select(turns).where(sa.or_(turns.c.id.in_(wanted), turns.c.source.in_(wanted)))
    if whose is not None:
        query = query.where(turns.c.whose == whose)
    return tuple(map(_turn, connection.execute(query.order_by(turns.c.id)).mappings()))


def selected_turns(
    connection: ReadConnection,
    whose: str | None = None,
    session: str | None = None,
    before: datetime | None = None,
) -> tuple[Turn, ...]:
    """Messages of a person, a session, and from before a time; what is None does not select."""
    query = sa.select(turns)
    if whose is not None:
        query = query.where(turns.c.whose == whose)
    if session is not None:
        query = query.where(turns.c.session == session)
    if before is not None:
        query = query.where(turns.c.occurred_at < iso(before))
    return tuple(map(_turn, connection.execute(query.order_by(turns.c.id)).mappings()))


def parts(connection: ReadConnection, whose: str, source: str) -> int:
    """How many messages a turn has."""
    query = sa.select(sa.func.count()).select_from(turns)
    return connection.scalar(query.where(turns.c.whose == whose, turns.c.source == source)) or 0


def count_turns(connection: ReadConnection, whose: str | None) -> int:
    """How many messages are kept, of a person (None: of all)."""
    query = sa.select(sa.func.count()).select_from(turns)
    return connection.scalar(query if whose is None else query.where(turns.c.whose == whose)) or 0


def drop_turns(connection: WriteConnection, ids: Collection[str]) -> int:
    """Take messages away; how many there were."""
    return connection.execute(turns.delete().where(turns.c.id.in_(sorted(ids)))).rowcount if ids else 0


def marked(connection: ReadConnection, marks: Collection[str]) -> frozenset[str]:
    """Those of `marks` that were forgotten."""
    if not marks:
        return frozenset()
    return frozenset(row[0] for row in _MARKED.rows(connection, {"marks": sorted(marks)}))


def mark(connection: WriteConnection, marks: Iterable[str], at: datetime) -> int:
    """Leave tombstones; how many are new."""
    return sum(insert_new(connection, tombstones, {"mark": one, "at": iso(at)}) for one in sorted(set(marks)))


def all_marks(connection: ReadConnection) -> frozenset[str]:
    """Every tombstone."""
    return frozenset(connection.scalars(sa.select(tombstones.c.mark)))


def _turn(row: Columns) -> Turn:
    return Turn(
        row["id"],
        row["whose"],
        row["source"],
        row["part"],
        row["digest"],
        row["session"],
        row["position"],
        row["room"],
        Role(row["role"]),
        Origin(row["origin"]),
        row["speaker"],
        Audience(row["audience"]),
        row["text"],
        row["model"],
        from_iso(row["occurred_at"]),
        from_iso(row["recorded_at"]),
    )
