"""The rows of the mind. Every move of an intention is a compare-and-set."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import cast

import sqlalchemy as sa

from numen.kernel import Json, canonical_text, from_iso, iso
from numen.mind.types import (
    Concern,
    ConcernState,
    Drive,
    Intention,
    IntentionKind,
    Move,
    Reason,
    Report,
    State,
    Verified,
)
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata
from numen.store.tables import epoch_since

concerns = sa.Table(
    "mind_concerns",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("drive", sa.Text, nullable=False),
    sa.Column("key", Words, nullable=False),
    sa.Column("stage", Words, nullable=False),
    sa.Column("title", Words, nullable=False),
    sa.Column("salience", sa.Float, nullable=False),
    sa.Column("felt_at", sa.Text, nullable=False),
    sa.Column("raised_at", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("resolved_at", sa.Text, nullable=True),
    sa.Index("mind_concerns_by_state", "state", "resolved_at"),
)

intentions = sa.Table(
    "mind_intentions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("key", Words, nullable=False),
    sa.Column("title", Words, nullable=False),
    sa.Column("body", Words, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("moved_at", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=False),
    sa.Column("drive", sa.Text, nullable=True),
    sa.Column("concern", sa.Text, nullable=True),
    sa.Column("recipient", sa.Text, nullable=True),
    sa.Column("asked_for", sa.Boolean, nullable=False),
    sa.Column("exact", sa.Boolean, nullable=False),
    sa.Column("priority", sa.Integer, nullable=False),
    sa.Column("turns", sa.Integer, nullable=True),
    sa.Column("ask", sa.Text, nullable=True),
    sa.Column("claim", sa.Text, nullable=True),
    sa.Column("ref", Words, nullable=True),
    sa.Column("via", sa.Text, nullable=True),
    sa.Index("mind_intentions_by_state", "state", "moved_at"),
    sa.Index("mind_intentions_by_key", "key"),
    sa.Index("mind_intentions_by_ref", "ref"),
    sa.Index("mind_intentions_by_time", "created_at"),
)

moves = sa.Table(
    "mind_moves",
    metadata,
    sa.Column("intention", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("before", sa.Text, nullable=True),
    sa.Column("after", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("words", Words, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

reports = sa.Table(
    "mind_reports",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("intention", sa.Text, nullable=False),
    sa.Column("mark", sa.Text, nullable=False, unique=True),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("final", sa.Boolean, nullable=False),
    sa.Column("verified", sa.Text, nullable=True),
    sa.Column("words", Words, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Index("mind_reports_of_intention", "intention", "at"),
    sa.Index("mind_reports_by_word", "verified", "at"),
)

boards = sa.Table(
    "mind_boards",
    metadata,
    sa.Column("board", Words, primary_key=True),
    sa.Column("seen", Words, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

traces = sa.Table(
    "mind_traces",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("name", Words, primary_key=True),
    sa.Column("origin", Words, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

beats = sa.Table(
    "mind_beats",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
)

GONE = "(forgotten)"
"""What stands in place of words whose source was forgotten."""

_MIND_LOCK = 0x4E554D454E07


def lock_mind(connection: WriteConnection) -> None:
    """Let one transaction at a time move things; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIND_LOCK)))


def add_concern(connection: WriteConnection, new: Concern) -> None:
    """Keep a new concern."""
    connection.execute(
        concerns.insert().values(
            id=new.id,
            drive=str(new.drive),
            key=new.key,
            stage=new.stage,
            title=new.title,
            salience=new.salience,
            felt_at=iso(new.felt_at),
            raised_at=iso(new.raised_at),
            about=canonical_text(list(new.about)),
            state=str(new.state),
        )
    )


def feel_again(
    connection: WriteConnection, identifier: str, stage: str, title: str, salience: float, at: datetime
) -> bool:
    """Let an open concern stand at another stage; False where it is not open any more."""
    query = concerns.update().where(concerns.c.id == identifier, concerns.c.state == str(ConcernState.OPEN))
    changed = query.values(stage=stage, title=title, salience=salience, felt_at=iso(at))
    return connection.execute(changed).rowcount == 1


def close_concern(connection: WriteConnection, identifier: str, state: ConcernState, at: datetime) -> bool:
    """Close an open concern; False where it was closed."""
    query = concerns.update().where(concerns.c.id == identifier, concerns.c.state == str(ConcernState.OPEN))
    return connection.execute(query.values(state=str(state), resolved_at=iso(at))).rowcount == 1


def known_concerns(connection: ReadConnection, since: datetime) -> tuple[Concern, ...]:
    """The open concerns, and those resolved since then, oldest first."""
    query = sa.select(concerns).where(
        sa.or_(
            concerns.c.state == str(ConcernState.OPEN),
            sa.and_(
                concerns.c.state == str(ConcernState.RESOLVED),
                concerns.c.resolved_at >= iso(since),
            ),
        )
    )
    rows = connection.execute(query.order_by(concerns.c.raised_at, concerns.c.id)).mappings()
    return tuple(map(_concern, rows))


def concern(connection: ReadConnection, identifier: str) -> Concern | None:
    """The concern of that id."""
    row = connection.execute(sa.select(concerns).where(concerns.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _concern(row)


def resting_on(connection: ReadConnection, kinds: Collection[str]) -> tuple[Concern, ...]:
    """Every concern that rests on an id of one of these kinds."""
    likes = [concerns.c.about.contains(f'"{kind}_', autoescape=True) for kind in sorted(kinds)]
    query = sa.select(concerns).where(sa.or_(sa.false(), *likes), concerns.c.title != GONE)
    return tuple(map(_concern, connection.execute(query.order_by(concerns.c.id)).mappings()))


def wipe(connection: WriteConnection, concern_id: str) -> None:
    """Let go of every word of a concern, and of all that came of it."""
    connection.execute(concerns.update().where(concerns.c.id == concern_id).values(title=GONE))
    of_it = sa.select(intentions.c.id).where(intentions.c.concern == concern_id)
    connection.execute(moves.update().where(moves.c.intention.in_(of_it)).values(words=""))
    connection.execute(reports.update().where(reports.c.intention.in_(of_it)).values(words=""))
    about = intentions.update().where(intentions.c.concern == concern_id)
    connection.execute(about.values(title=GONE, body=GONE))


def add_intention(connection: WriteConnection, new: Intention) -> None:
    """Keep a new intention."""
    connection.execute(
        intentions.insert().values(
            id=new.id,
            kind=str(new.kind),
            state=str(new.state),
            key=new.key,
            title=new.title,
            body=new.body,
            created_at=iso(new.created_at),
            moved_at=iso(new.moved_at),
            expires_at=iso(new.expires_at),
            drive=None if new.drive is None else str(new.drive),
            concern=new.concern,
            recipient=new.recipient,
            asked_for=new.asked_for,
            exact=new.exact,
            priority=new.priority,
            turns=new.turns,
        )
    )


def intention(connection: ReadConnection, identifier: str) -> Intention | None:
    """The intention of that id."""
    query = sa.select(intentions).where(intentions.c.id == identifier)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _intention(row)


def of_ref(connection: ReadConnection, ref: str) -> Intention | None:
    """The intention that the body knows under that name, the newest."""
    query = sa.select(intentions).where(intentions.c.ref == ref).order_by(intentions.c.created_at.desc())
    row = connection.execute(query.limit(1)).mappings().one_or_none()
    return None if row is None else _intention(row)


def is_intended(connection: ReadConnection, key: str) -> bool:
    """Whether something was ever intended under that key."""
    return connection.scalar(sa.select(intentions.c.id).where(intentions.c.key == key).limit(1)) is not None


def intended(connection: ReadConnection, keys: Collection[str]) -> frozenset[str]:
    """Those of the keys under which something was ever intended."""
    if not keys:
        return frozenset()
    return frozenset(
        connection.scalars(sa.select(intentions.c.key).where(intentions.c.key.in_(sorted(keys))))
    )


def standing(connection: ReadConnection, states: Collection[State]) -> tuple[Intention, ...]:
    """The intentions in one of these states, the weightiest and oldest first."""
    query = sa.select(intentions).where(intentions.c.state.in_(sorted(map(str, states))))
    order = query.order_by(intentions.c.priority.desc(), intentions.c.created_at, intentions.c.id)
    return tuple(map(_intention, connection.execute(order).mappings()))


def latest(
    connection: ReadConnection,
    limit: int,
    states: Collection[State] = (),
    kinds: Collection[IntentionKind] = (),
    recipient: str | None = None,
    since: datetime | None = None,
) -> tuple[Intention, ...]:
    """Intentions, the newest first, of which all that is given holds."""
    query = sa.select(intentions)
    if states:
        query = query.where(intentions.c.state.in_(sorted(map(str, states))))
    if kinds:
        query = query.where(intentions.c.kind.in_(sorted(map(str, kinds))))
    if recipient is not None:
        query = query.where(intentions.c.recipient == recipient)
    if since is not None:
        query = query.where(intentions.c.created_at >= iso(since))
    order = query.order_by(intentions.c.created_at.desc(), intentions.c.id.desc()).limit(limit)
    return tuple(map(_intention, connection.execute(order).mappings()))


def delivered(connection: ReadConnection, via: str, limit: int) -> tuple[Intention, ...]:
    """The messages that went that way, the newest first."""
    query = sa.select(intentions).where(intentions.c.state == str(State.SENT), intentions.c.via == via)
    order = query.order_by(intentions.c.moved_at.desc(), intentions.c.id.desc()).limit(limit)
    return tuple(map(_intention, connection.execute(order).mappings()))


def move(
    connection: WriteConnection,
    identifier: str,
    before: State,
    after: State,
    at: datetime,
    values: Mapping[str, str | None],
) -> bool:
    """Move an intention on, if it still stands where it was thought to."""
    query = intentions.update().where(intentions.c.id == identifier, intentions.c.state == str(before))
    return connection.execute(query.values(state=str(after), moved_at=iso(at), **values)).rowcount == 1


def at_work(connection: ReadConnection) -> int:
    """How much work the body has, or was offered under a claim."""
    query = (
        sa.select(sa.func.count())
        .select_from(intentions)
        .where(
            sa.or_(
                intentions.c.state == str(State.DISPATCHED),
                sa.and_(
                    intentions.c.state == str(State.APPROVED),
                    intentions.c.claim.is_not(None),
                ),
            )
        )
    )
    return connection.scalar(query) or 0


def set_claim(connection: WriteConnection, identifier: str, claim: str) -> bool:
    """Say under which claim an approved intention is carried out; False where it has one."""
    query = intentions.update().where(
        intentions.c.id == identifier,
        intentions.c.state == str(State.APPROVED),
        intentions.c.claim.is_(None),
    )
    return connection.execute(query.values(claim=claim)).rowcount == 1


def add_move(connection: WriteConnection, identifier: str, new: Move) -> None:
    """Keep one more step."""
    connection.execute(
        moves.insert().values(
            intention=identifier,
            n=new.n,
            before=None if new.before is None else str(new.before),
            after=str(new.after),
            reason=str(new.reason),
            words=new.words,
            at=iso(new.at),
        )
    )


def moves_of(connection: ReadConnection, identifier: str) -> tuple[Move, ...]:
    """The steps of an intention, in order."""
    query = sa.select(moves).where(moves.c.intention == identifier).order_by(moves.c.n)
    return tuple(
        Move(
            row["n"],
            None if row["before"] is None else State(row["before"]),
            State(row["after"]),
            Reason(row["reason"]),
            row["words"],
            from_iso(row["at"]),
        )
        for row in connection.execute(query).mappings()
    )


def next_move(connection: ReadConnection, identifier: str) -> int:
    """The number of the next step of an intention."""
    query = sa.select(sa.func.coalesce(sa.func.max(moves.c.n), 0) + 1).where(moves.c.intention == identifier)
    return connection.scalar(query) or 1


def add_report(connection: WriteConnection, new: Report, mark: str) -> bool:
    """Keep a report; False where the same was told before."""
    row = {
        "id": new.id,
        "intention": new.intention,
        "mark": mark,
        "outcome": new.outcome,
        "final": new.final,
        "verified": None if new.verified is None else str(new.verified),
        "words": new.words,
        "at": iso(new.at),
    }
    return insert_new(connection, reports, row)


def reports_of(connection: ReadConnection, identifier: str) -> tuple[Report, ...]:
    """What was told about an intention, in order."""
    query = sa.select(reports).where(reports.c.intention == identifier).order_by(reports.c.at, reports.c.id)
    return tuple(map(_report, connection.execute(query).mappings()))


def verified_reports(connection: ReadConnection, since: datetime) -> tuple[tuple[Report, Intention], ...]:
    """What was told since then by somebody whose word counts, with what it is about, oldest first."""
    query = (
        sa.select(reports)
        .where(reports.c.verified.is_not(None), reports.c.at >= iso(since))
        .order_by(reports.c.at, reports.c.id)
    )
    told = tuple(map(_report, connection.execute(query).mappings()))
    about = {one.intention for one in told}
    if not about:
        return ()
    rows = connection.execute(sa.select(intentions).where(intentions.c.id.in_(sorted(about)))).mappings()
    known = {one.id: one for one in map(_intention, rows)}
    return tuple((one, known[one.intention]) for one in told if one.intention in known)


def put_board(connection: WriteConnection, board: str, seen: Json, at: datetime) -> bool:
    """Keep what a board looked like last; False where it looked so before."""
    words = canonical_text(seen)
    if insert_new(connection, boards, {"board": board, "seen": words, "at": iso(at)}):
        return True
    query = boards.update().where(boards.c.board == board, boards.c.seen != words)
    return connection.execute(query.values(seen=words, at=iso(at))).rowcount == 1


def last_board(connection: ReadConnection) -> tuple[str, Json, datetime] | None:
    """The board that changed last."""
    row = connection.execute(sa.select(boards).order_by(boards.c.at.desc()).limit(1)).mappings().one_or_none()
    if row is None:
        return None
    return row["board"], cast("Json", json.loads(row["seen"])), from_iso(row["at"])


def add_trace(connection: WriteConnection, kind: str, name: str, origin: str, at: datetime) -> bool:
    """Keep from what something came; the first word about it stays. False where it was known."""
    return insert_new(connection, traces, {"kind": kind, "name": name, "origin": origin, "at": iso(at)})


def trace(connection: ReadConnection, kind: str, name: str) -> str | None:
    """From what something came, None where nobody said."""
    query = sa.select(traces.c.origin).where(traces.c.kind == kind, traces.c.name == name)
    return connection.scalar(query)


def remembered_since(connection: ReadConnection) -> datetime:
    """Since when this store knows what happened: what is older may be of a time that was lost."""
    return epoch_since(connection)


def is_untold(connection: ReadConnection, kind: str, told: str) -> bool:
    """Whether there is a trace of `kind` to which none of the kind `told` has come."""
    other = traces.alias()
    answered = sa.exists().where(other.c.kind == told, other.c.name == traces.c.name)
    query = sa.select(traces.c.name).where(traces.c.kind == kind, ~answered).limit(1)
    return connection.scalar(query) is not None


def beat(connection: ReadConnection, name: str) -> datetime | None:
    """When something was last done."""
    found = connection.scalar(sa.select(beats.c.at).where(beats.c.name == name))
    return None if found is None else from_iso(found)


def beats_of(connection: ReadConnection, prefix: str) -> tuple[tuple[str, datetime], ...]:
    """What was done of which the name begins so, and when last."""
    query = sa.select(beats.c.name, beats.c.at).where(beats.c.name.startswith(prefix, autoescape=True))
    return tuple((row.name, from_iso(row.at)) for row in connection.execute(query.order_by(beats.c.name)))


def set_beat(connection: WriteConnection, name: str, at: datetime) -> None:
    """Say when something was last done."""
    if not insert_new(connection, beats, {"name": name, "at": iso(at)}):
        connection.execute(beats.update().where(beats.c.name == name).values(at=iso(at)))


def _concern(row: sa.RowMapping) -> Concern:
    resolved = row["resolved_at"]
    return Concern(
        row["id"],
        Drive(row["drive"]),
        row["key"],
        row["stage"],
        row["title"],
        row["salience"],
        from_iso(row["felt_at"]),
        from_iso(row["raised_at"]),
        tuple(cast("list[str]", json.loads(row["about"]))),
        ConcernState(row["state"]),
        None if resolved is None else from_iso(resolved),
    )


def _intention(row: sa.RowMapping) -> Intention:
    return Intention(
        row["id"],
        IntentionKind(row["kind"]),
        State(row["state"]),
        row["key"],
        row["title"],
        row["body"],
        from_iso(row["created_at"]),
        from_iso(row["moved_at"]),
        from_iso(row["expires_at"]),
        None if row["drive"] is None else Drive(row["drive"]),
        row["concern"],
        row["recipient"],
        row["asked_for"],
        row["exact"],
        row["priority"],
        row["turns"],
        row["ask"],
        row["claim"],
        row["ref"],
        row["via"],
    )


def _report(row: sa.RowMapping) -> Report:
    return Report(
        row["id"],
        row["intention"],
        row["outcome"],
        row["final"],
        None if row["verified"] is None else Verified(row["verified"]),
        row["words"],
        from_iso(row["at"]),
    )
