"""The rows of conversations. Words are bodies of the ledger; a row holds their digests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import sqlalchemy as sa

from numen.kernel import Json, RoomKey, Via, canonical_text, from_iso, iso
from numen.resident.rules import ENDED
from numen.resident.types import CallState, Ending, Role, Session, Spent, Turn, TurnState
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata

_TURN_LOCK = 0x4E554D454E09

sessions = sa.Table(
    "resident_sessions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("room", Words, nullable=False),
    sa.Column("via", sa.Text, nullable=False),
    sa.Column("title", Words, nullable=False),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("active_at", sa.Text, nullable=False),
    sa.Column("pinned", sa.Boolean, nullable=False),
    sa.Column("archived", sa.Boolean, nullable=False),
    sa.Column("parent", sa.Text, nullable=True),
    sa.Index("resident_sessions_by_time", "whose", "active_at"),
)

turns = sa.Table(
    "resident_turns",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("started_at", sa.Text, nullable=False),
    sa.Column("ended_at", sa.Text, nullable=True),
    sa.Column("steps", sa.Integer, nullable=False),
    sa.Column("input", sa.Integer, nullable=False),
    sa.Column("output", sa.Integer, nullable=False),
    sa.Column("money", sa.BigInteger, nullable=True),
    sa.Column("millis", sa.BigInteger, nullable=False),
    sa.Column("extensions", sa.Integer, nullable=False),
    sa.Column("ending", sa.Text, nullable=True),
    sa.Column("ask", sa.Text, nullable=True),
    sa.Column("stop", sa.Boolean, nullable=False),
    sa.Column("grip", sa.Integer, nullable=False),
    sa.Column("query", sa.Boolean, nullable=False),
    sa.Column("key", sa.Text, nullable=True, unique=True),
    sa.Column("key_of", sa.Text, nullable=True),
    sa.Index("resident_turns_of_session", "session", "n", unique=True),
    sa.Index("resident_turns_by_state", "state"),
)

messages = sa.Table(
    "resident_messages",
    metadata,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("after", sa.BigInteger, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Index("resident_messages_of_session", "session", "seq"),
)

calls = sa.Table(
    "resident_calls",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("step", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("ref", Words, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("args", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("reads", sa.Boolean, nullable=False),
    sa.Column("claim", sa.Text, nullable=True),
    sa.Column("ask", sa.Text, nullable=True),
    sa.Column("result", sa.Text, nullable=True),
    sa.Index("resident_calls_of_session", "session", "id"),
    sa.Index("resident_calls_by_ask", "ask"),
)

deltas = sa.Table(
    "resident_deltas",
    metadata,
    sa.Column("turn", sa.Text, primary_key=True),
    sa.Column("base", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", Words, nullable=False),
)

words = sa.Table(
    "resident_words",
    metadata,
    sa.Column("word", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, primary_key=True),
    sa.Index("resident_words_of_session", "session"),
)


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message, its words as a digest."""

    id: str
    seq: int
    session: str
    turn: str
    step: int
    role: Role
    after: int
    body: str
    at: datetime


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call, its arguments and its result as digests."""

    id: str
    session: str
    turn: str
    step: int
    place: int
    ref: str
    name: str
    args: str
    state: CallState
    reads: bool
    claim: str | None
    ask: str | None
    result: str | None


def lock_session(connection: WriteConnection) -> None:
    """Let one transaction at a time begin turns; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_TURN_LOCK)))


def add_session(connection: WriteConnection, new: Session) -> None:
    """Keep a new session."""
    room = canonical_text([new.room.uid, new.room.channel, new.room.server])
    connection.execute(
        sessions.insert().values(
            id=new.id,
            whose=new.whose,
            room=room,
            via=str(new.via),
            title=new.title,
            agent=new.actor,
            created_at=iso(new.created_at),
            active_at=iso(new.active_at),
            pinned=new.pinned,
            archived=new.archived,
            parent=new.parent,
        )
    )


def session(connection: ReadConnection, identifier: str) -> Session | None:
    """The session of that id."""
    row = connection.execute(sa.select(sessions).where(sessions.c.id == identifier)).one_or_none()
    return None if row is None else _session(row)


def change_session(connection: WriteConnection, identifier: str, values: Mapping[str, object]) -> None:
    """Write `values` into a session."""
    connection.execute(sessions.update().where(sessions.c.id == identifier).values(dict(values)))


def list_sessions(
    connection: ReadConnection, whose: str | None, having: Sequence[str], archived: bool, limit: int
) -> list[Session]:
    """Sessions, the pinned ones first, then the latest; those that have every term of `having`.

    `whose` None is everybody's. The last term of `having` may be the beginning of a word.
    """
    query = sa.select(sessions).where(sessions.c.archived.is_(archived))
    if whose is not None:
        query = query.where(sessions.c.whose == whose)
    for number, term in enumerate(having):
        is_last = number == len(having) - 1
        same = words.c.word.startswith(term, autoescape=True) if is_last else words.c.word == term
        query = query.where(sessions.c.id.in_(sa.select(words.c.session).where(same)))
    order = (sessions.c.pinned.desc(), sessions.c.active_at.desc(), sessions.c.id.desc())
    return [_session(row) for row in connection.execute(query.order_by(*order).limit(limit))]


def add_words(connection: WriteConnection, session: str, found: Iterable[str]) -> None:
    """Make a session findable by words."""
    for word in sorted(set(found)):
        insert_new(connection, words, {"word": word, "session": session})


def drop_words(connection: WriteConnection, session: str) -> None:
    """Make a session findable by no word."""
    connection.execute(words.delete().where(words.c.session == session))


def add_turn(connection: WriteConnection, new: Turn, key: str | None, key_of: str | None) -> None:
    """Keep a new turn."""
    connection.execute(
        turns.insert().values(
            id=new.id,
            session=new.session,
            n=new.n,
            state=str(new.state),
            started_at=iso(new.started_at),
            steps=0,
            input=0,
            output=0,
            money=0,
            millis=0,
            extensions=0,
            stop=False,
            grip=0,
            query=new.query,
            key=key,
            key_of=key_of,
        )
    )


def turn(connection: ReadConnection, identifier: str) -> Turn | None:
    """The turn of that id."""
    row = connection.execute(sa.select(turns).where(turns.c.id == identifier)).one_or_none()
    return None if row is None else _turn(row)


def turn_of_key(connection: ReadConnection, key: str) -> tuple[Turn, str] | None:
    """The turn that a request of that key began, and the digest of what was said."""
    row = connection.execute(sa.select(turns).where(turns.c.key == key)).one_or_none()
    return None if row is None else (_turn(row), str(row.key_of))


def turns_of(connection: ReadConnection, session: str) -> list[Turn]:
    """The turns of a session, in order."""
    query = sa.select(turns).where(turns.c.session == session).order_by(turns.c.n)
    return [_turn(row) for row in connection.execute(query)]


def open_turns(connection: ReadConnection, session: str | None = None) -> list[Turn]:
    """Turns that are not over, oldest first."""
    query = sa.select(turns).where(turns.c.state.not_in([str(one) for one in ENDED]))
    if session is not None:
        query = query.where(turns.c.session == session)
    return [_turn(row) for row in connection.execute(query.order_by(turns.c.started_at, turns.c.id))]


def last_turn(connection: ReadConnection, session: str) -> int:
    """The number of a session's last turn; 0 where it has none."""
    return connection.scalar(sa.select(sa.func.max(turns.c.n)).where(turns.c.session == session)) or 0


def take(connection: WriteConnection, identifier: str) -> int | None:
    """A new grip on a turn, which makes every earlier one void; None for no such turn."""
    query = turns.update().where(turns.c.id == identifier).values(grip=turns.c.grip + 1)
    return connection.scalar(query.returning(turns.c.grip))


def change_turn(
    connection: WriteConnection, identifier: str, grip: int | None, values: Mapping[str, object]
) -> bool:
    """Write `values` into a turn; False where another has the grip on it."""
    query = turns.update().where(turns.c.id == identifier).values(dict(values))
    if grip is not None:
        query = query.where(turns.c.grip == grip)
    return connection.execute(query).rowcount == 1


def add_message(connection: WriteConnection, new: MessageRow) -> None:
    """Keep a message."""
    connection.execute(
        messages.insert().values(
            seq=new.seq,
            id=new.id,
            session=new.session,
            turn=new.turn,
            step=new.step,
            role=str(new.role),
            after=new.after,
            body=new.body,
            at=iso(new.at),
        )
    )


def messages_of(connection: ReadConnection, session: str) -> list[MessageRow]:
    """The messages of a session, in order."""
    query = sa.select(messages).where(messages.c.session == session).order_by(messages.c.seq)
    return [
        MessageRow(
            row.id,
            row.seq,
            row.session,
            row.turn,
            row.step,
            Role(row.role),
            row.after,
            row.body,
            from_iso(row.at),
        )
        for row in connection.execute(query)
    ]


def add_call(connection: WriteConnection, new: CallRow) -> None:
    """Keep a call that is wanted."""
    values = {name: getattr(new, name) for name in CallRow.__slots__}
    connection.execute(calls.insert().values({**values, "state": str(new.state)}))


def call(connection: ReadConnection, identifier: str) -> CallRow | None:
    """The call of that id."""
    row = connection.execute(sa.select(calls).where(calls.c.id == identifier)).one_or_none()
    return None if row is None else _call(row)


def calls_of(connection: ReadConnection, session: str) -> list[CallRow]:
    """The calls of a session, in the order in which they were wanted."""
    query = sa.select(calls).where(calls.c.session == session).order_by(calls.c.id)
    return [_call(row) for row in connection.execute(query)]


def asked_of(connection: ReadConnection, turn: str) -> set[str | None]:
    """The asks for which the calls of a turn wait."""
    query = sa.select(calls.c.ask).where(calls.c.turn == turn, calls.c.state == str(CallState.ASKED))
    return set(connection.scalars(query))


def move_call(
    connection: WriteConnection, identifier: str, before: CallState, values: Mapping[str, object]
) -> bool:
    """Write `values` into a call that is in the state `before`; False if it is not."""
    query = calls.update().where(calls.c.id == identifier, calls.c.state == str(before))
    return connection.execute(query.values(dict(values))).rowcount == 1


def add_delta(connection: WriteConnection, turn: str, base: int, n: int, text: str) -> None:
    """Keep a piece of text that begins at its `n`-th character."""
    insert_new(connection, deltas, {"turn": turn, "base": base, "n": n, "text": text})


def deltas_of(connection: ReadConnection, turns: Iterable[str]) -> list[tuple[str, int, int, str]]:
    """The pieces of these turns: turn, base, place and text, in order."""
    query = sa.select(deltas).where(deltas.c.turn.in_(sorted(turns)))
    found = connection.execute(query.order_by(deltas.c.turn, deltas.c.base, deltas.c.n))
    return [(row.turn, row.base, row.n, row.text) for row in found]


def drop_deltas(connection: WriteConnection, turn: str) -> bool:
    """Let the pieces of a turn go; whether there were any."""
    return connection.execute(deltas.delete().where(deltas.c.turn == turn)).rowcount > 0


def _session(row: sa.Row[tuple[object, ...]]) -> Session:
    uid, channel, server = cast("list[str]", json.loads(row.room))
    return Session(
        row.id,
        row.whose,
        RoomKey(uid, channel, server),
        Via(row.via),
        row.title,
        row.agent,
        from_iso(row.created_at),
        from_iso(row.active_at),
        bool(row.pinned),
        bool(row.archived),
        row.parent,
    )


def _turn(row: sa.Row[tuple[object, ...]]) -> Turn:
    return Turn(
        row.id,
        row.session,
        row.n,
        TurnState(row.state),
        from_iso(row.started_at),
        Spent(row.steps, row.input, row.output, row.money, row.millis),
        row.extensions,
        None if row.ending is None else Ending(row.ending),
        row.ask,
        None if row.ended_at is None else from_iso(row.ended_at),
        bool(row.stop),
        row.grip,
        bool(row.query),
    )


def _call(row: sa.Row[tuple[object, ...]]) -> CallRow:
    return CallRow(
        row.id,
        row.session,
        row.turn,
        row.step,
        row.place,
        row.ref,
        row.name,
        row.args,
        CallState(row.state),
        bool(row.reads),
        row.claim,
        row.ask,
        row.result,
    )


def json_of(text: str | None) -> dict[str, Json]:
    """The object that `text` holds; empty where its words are gone."""
    return {} if text is None else cast("dict[str, Json]", json.loads(text))
