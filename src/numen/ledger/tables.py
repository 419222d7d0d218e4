"""The ledger's rows: events, the head of their chain, and the words kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from numen.ledger.rules import Link
from numen.store.db import ReadConnection, Words, WriteConnection, metadata
from numen.store.prepared import Prepared

events = sa.Table(
    "events",
    metadata,
    sa.Column(
        "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False
    ),
    sa.Column("event_id", sa.Text, nullable=False, unique=True),
    sa.Column("v", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("correlation_id", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("prev_hash", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Index("events_by_stream", "stream", "seq"),
    sa.Index("events_by_correlation", "correlation_id", "seq"),
)

ledger_head = sa.Table(
    "ledger_head",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)

bodies = sa.Table(
    "bodies",
    metadata,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("scope", sa.Text, nullable=True),
    sa.Column("salt", sa.LargeBinary, nullable=True),
    sa.Column("text", Words, nullable=True),
    sa.Column("gone", sa.Text, nullable=True),
)

Row = Mapping[str, object]
"""An event as the database has it, by column."""

_APPEND_LOCK = 0x4E554D454E02
_AT_ONCE = 500
_HEAD = 1
_IS_HEAD = ledger_head.c.id == _HEAD
_HEAD_ROW = Prepared(sa.select(ledger_head.c.seq, ledger_head.c.hash).where(_IS_HEAD))
_MOVE_HEAD = Prepared(
    ledger_head.update().where(_IS_HEAD).values(seq=sa.bindparam("to"), hash=sa.bindparam("of"))
)
_LAST = Prepared(sa.select(sa.func.max(events.c.seq)))
_OF_ID = Prepared(sa.select(events).where(events.c.event_id == sa.bindparam("wanted")))
_APPEND = Prepared(events.insert(), (one.name for one in events.c))


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events are wanted; None wants all. `scope` and `actor` are what a viewer may see."""

    kinds: frozenset[str] | None = None
    stream: str | None = None
    correlation_id: str | None = None
    scope: str | None = None
    actor: str | None = None

    def condition(self) -> sa.ColumnElement[bool]:
        """The selection as SQL."""
        wanted: list[sa.ColumnElement[bool]] = []
        if self.kinds is not None:
            wanted.append(events.c.kind.in_(sorted(self.kinds)))
        for name in ("stream", "correlation_id", "scope", "actor"):
            value = getattr(self, name)
            if value is not None:
                wanted.append(events.c[name] == value)
        return sa.and_(sa.true(), *wanted)


def lock_append(connection: WriteConnection) -> None:
    """Let no other transaction append until this one ends (decision 5); SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_APPEND_LOCK)))


def head(connection: ReadConnection) -> Link | None:
    """Where the chain stands by its own account, None when it was never begun."""
    row = _HEAD_ROW.one(connection, {})
    return None if row is None else Link(row["seq"], row["hash"])


def last_seq(connection: ReadConnection) -> int:
    """The number of the newest event, 0 when there is none."""
    return _LAST.rows(connection, {})[0][0] or 0


def recorded(connection: ReadConnection, event_id: str) -> Row | None:
    """The event of that id."""
    return _OF_ID.one(connection, {"wanted": event_id})


def append(connection: WriteConnection, row: Row) -> None:
    """Write an event and move the head to it."""
    _APPEND.write(connection, row)
    if _MOVE_HEAD.write(connection, {"to": row["seq"], "of": row["hash"]}) == 0:
        connection.execute(ledger_head.insert().values(id=_HEAD, seq=row["seq"], hash=row["hash"]))


def after(connection: ReadConnection, seq: int, selection: Selection, limit: int) -> list[Row]:
    """The first `limit` events after `seq`, oldest first."""
    query = sa.select(events).where(events.c.seq > seq, selection.condition())
    return [_plain(row) for row in connection.execute(query.order_by(events.c.seq).limit(limit)).mappings()]


def latest(connection: ReadConnection, selection: Selection, limit: int) -> list[Row]:
    """The last `limit` events, oldest first."""
    query = sa.select(events).where(selection.condition()).order_by(events.c.seq.desc()).limit(limit)
    return [_plain(row) for row in connection.execute(query).mappings()][::-1]


def has_hash(connection: ReadConnection, value: object) -> bool:
    """Whether some event has that hash."""
    return connection.scalar(sa.select(events.c.seq).where(events.c.hash == value).limit(1)) is not None


def of_kind(connection: ReadConnection, kind: str) -> Iterator[str]:
    """The payloads of all events of `kind`, as text."""
    yield from connection.scalars(sa.select(events.c.payload).where(events.c.kind == kind))


def mentioning(connection: ReadConnection, digest: str) -> int | None:
    """The first event whose payload holds `digest`."""
    query = sa.select(sa.func.min(events.c.seq)).where(events.c.payload.contains(digest, autoescape=True))
    return connection.scalar(query)


def put_body(connection: WriteConnection, digest: str, scope: str, salt: bytes, text: str) -> None:
    """Put words away."""
    connection.execute(bodies.insert().values(digest=digest, scope=scope, salt=salt, text=text))


def body(connection: ReadConnection, digest: str) -> tuple[str | None, str | None, str | None] | None:
    """The scope, the words and the reason of their going of one body."""
    query = sa.select(bodies.c.scope, bodies.c.text, bodies.c.gone).where(bodies.c.digest == digest)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.scope, row.text, row.gone)


def texts(connection: ReadConnection, digests: Iterable[str]) -> dict[str, str | None]:
    """The words of each of `digests` that has a row; None for those that are gone."""
    found: dict[str, str | None] = {}
    wanted = sorted(set(digests))
    for at in range(0, len(wanted), _AT_ONCE):
        query = sa.select(bodies.c.digest, bodies.c.text).where(
            bodies.c.digest.in_(wanted[at : at + _AT_ONCE])
        )
        found.update((row.digest, row.text) for row in connection.execute(query))
    return found


def empty_body(connection: WriteConnection, digest: str, reason: str) -> bool:
    """Leave a tombstone in place of words; False if there were none."""
    query = bodies.update().where(bodies.c.digest == digest, bodies.c.gone.is_(None))
    return connection.execute(query.values(scope=None, salt=None, text=None, gone=reason)).rowcount == 1


def known_bodies(connection: ReadConnection, digests: Iterable[str]) -> set[str]:
    """Those of `digests` that have a row."""
    return set(connection.scalars(sa.select(bodies.c.digest).where(bodies.c.digest.in_(sorted(digests)))))


def all_bodies(connection: ReadConnection) -> Iterator[Row]:
    """Every body as the database has it, its text as bytes."""
    raw = (sa.type_coerce(column, sa.types.NullType()).label(column.name) for column in bodies.c)
    with connection.execute(sa.select(*raw).execution_options(yield_per=500)) as found:
        for row in found.mappings():
            yield _plain(row)


def _plain(row: sa.RowMapping) -> Row:
    return {str(name): value for name, value in row.items()}
