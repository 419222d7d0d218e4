"""The rows of commitments and opinions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import Audience, from_iso, iso
from numen.memory.types import Commitment, CommitmentState, Debtor, Due, Resolution
from numen.memory.views import Certainty, Opinion, OpinionState, Premise, PremiseKind
from numen.store.db import ReadConnection, Words, WriteConnection, metadata
from numen.store.prepared import Columns, Prepared

commitments = sa.Table(
    "commitments",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("what", Words, nullable=False),
    sa.Column("same", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("to_whom", Words, nullable=False),
    sa.Column("due_at", sa.Text, nullable=True),
    sa.Column("precision", sa.Text, nullable=True),
    sa.Column("timezone", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=True),
    sa.Column("reason", Words, nullable=False),
    sa.Column("resolved_by", sa.Text, nullable=True),
    sa.Column("snoozed", sa.Integer, nullable=False),
    sa.Column("turn", sa.Text, nullable=True),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("changed_at", sa.Text, nullable=False),
    sa.Index("commitments_open", "whose", "state", "due_at"),
    sa.Index("commitments_by_turn", "turn"),
)

opinions = sa.Table(
    "opinions",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("subject", Words, nullable=False),
    sa.Column("about", Words, nullable=False),
    sa.Column("stance", Words, nullable=False),
    sa.Column("certainty", sa.Text, nullable=False),
    sa.Column("revise_if", Words, nullable=False),
    sa.Column("audience", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("revises", sa.Integer, nullable=True),
    sa.Column("reason", Words, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("changed_at", sa.Text, nullable=False),
    sa.Index("opinions_by_subject", "about", "state"),
)

premises = sa.Table(
    "premises",
    metadata,
    sa.Column("opinion", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("ref", Words, nullable=False),
    sa.Column("text", Words, nullable=False),
    sa.Index("premises_by_ref", "ref"),
)

_PENDING = commitments.c.state == str(CommitmentState.PENDING)
_BY_DUE = (
    sa.select(commitments)
    .where(_PENDING)
    .order_by(commitments.c.due_at.is_(None), commitments.c.due_at, commitments.c.made_at, commitments.c.id)
    .limit(sa.bindparam("most"))
)
_OWED = Prepared(_BY_DUE)
_OWED_BY = Prepared(_BY_DUE.where(commitments.c.whose == sa.bindparam("whose")))
_OF_TURNS = Prepared(
    sa.select(commitments)
    .where(commitments.c.turn.in_(sa.bindparam("turns", expanding=True)))
    .order_by(commitments.c.made_at, commitments.c.id)
)


_GONE = "forgotten"
_IS_KEPT = opinions.c.state != _GONE
_IS_HELD = opinions.c.state.in_((str(OpinionState.HELD), str(OpinionState.RECONSIDERED)))
_BY_NUMBER = sa.select(opinions).where(_IS_KEPT).order_by(opinions.c.number)
_HELD = Prepared(_BY_NUMBER.where(_IS_HELD))
_HELD_FOR = Prepared(_BY_NUMBER.where(_IS_HELD, opinions.c.audience == sa.bindparam("audience")))
_PREMISES = Prepared(
    sa.select(premises)
    .where(premises.c.opinion.in_(sa.bindparam("opinions", expanding=True)))
    .order_by(premises.c.opinion, premises.c.n)
)
_NOTHING: dict[str, object] = {
    **dict.fromkeys(("subject", "about", "stance", "revise_if", "reason"), ""),
    "certainty": str(Certainty.TENTATIVE),
    "audience": str(Audience.OWNER),
    "state": _GONE,
    "revises": None,
}
"""What a row of a view is once that was forgotten: a number, and when it was in use."""


def add_commitment(connection: WriteConnection, new: Commitment, same: str) -> None:
    """Keep a commitment. `same` is equal for the same promise."""
    connection.execute(
        commitments.insert().values(
            id=new.id,
            whose=new.whose,
            what=new.what,
            same=same,
            who=str(new.who),
            to_whom=new.to_whom,
            due_at=None if new.due_at is None else iso(new.due_at),
            precision=None if new.precision is None else str(new.precision),
            timezone=new.timezone,
            state=str(new.state),
            outcome=None if new.outcome is None else str(new.outcome),
            reason=new.reason,
            resolved_by=new.resolved_by,
            snoozed=new.snoozed,
            turn=new.turn,
            made_at=iso(new.made_at),
            changed_at=iso(new.changed_at),
        )
    )


def is_promised(connection: ReadConnection, whose: str, same: str) -> bool:
    """Whether the same promise is open."""
    query = sa.select(commitments.c.id).where(
        commitments.c.whose == whose, commitments.c.same == same, _PENDING
    )
    return connection.execute(query.limit(1)).first() is not None


def commitment(connection: ReadConnection, identifier: str) -> Commitment | None:
    """The commitment of that id."""
    found = _commitments(connection, commitments.c.id == identifier)
    return found[0] if found else None


def pending(connection: ReadConnection, whose: str | None, limit: int) -> tuple[Commitment, ...]:
    """Open commitments of a person (None: of all), the next due first, those without a date last."""
    query, given = (_OWED, {}) if whose is None else (_OWED_BY, {"whose": whose})
    return tuple(map(_commitment, query.each(connection, {**given, "most": limit})))


def of_turns(connection: ReadConnection, turns: Collection[str]) -> tuple[Commitment, ...]:
    """The commitments that were taken from these messages."""
    return tuple(map(_commitment, _OF_TURNS.each(connection, {"turns": sorted(turns)}))) if turns else ()


def selected_commitments(
    connection: ReadConnection, whose: str | None = None, before: datetime | None = None
) -> tuple[Commitment, ...]:
    """Commitments of a person (None: of all), made before a time, whatever became of them."""
    conditions: list[sa.ColumnElement[bool]] = []
    if whose is not None:
        conditions.append(commitments.c.whose == whose)
    if before is not None:
        conditions.append(commitments.c.made_at < iso(before))
    return _commitments(connection, *conditions)


def change_commitment(
    connection: WriteConnection, identifier: str, expected: str, values: Mapping[str, object]
) -> bool:
    """Change an open commitment whose last change was at `expected`; False if another was first."""
    query = commitments.update().where(
        commitments.c.id == identifier, _PENDING, commitments.c.changed_at == expected
    )
    return connection.execute(query.values(dict(values))).rowcount == 1


def drop_commitments(connection: WriteConnection, ids: Collection[str]) -> int:
    """Take commitments away; how many there were."""
    if not ids:
        return 0
    return connection.execute(commitments.delete().where(commitments.c.id.in_(sorted(ids)))).rowcount


def add_opinion(connection: WriteConnection, new: Opinion, about: str) -> None:
    """Keep a view and what it rests on. `about` is its subject, folded."""
    connection.execute(
        opinions.insert().values(
            number=new.number,
            subject=new.subject,
            about=about,
            stance=new.stance,
            certainty=str(new.certainty),
            revise_if=new.revise_if,
            audience=str(new.audience),
            state=str(new.state),
            revises=new.revises,
            reason=new.reason,
            made_at=iso(new.made_at),
            changed_at=iso(new.changed_at),
        )
    )
    for n, one in enumerate(new.premises):
        connection.execute(
            premises.insert().values(opinion=new.number, n=n, kind=str(one.kind), ref=one.ref, text=one.text)
        )


def next_number(connection: ReadConnection) -> int:
    """The number of the next view; none is given twice, for one that was forgotten keeps its number."""
    return (connection.scalar(sa.select(sa.func.max(opinions.c.number))) or 0) + 1


def is_used(connection: ReadConnection, number: int) -> bool:
    """Whether a view has or had that number."""
    return connection.scalar(sa.select(opinions.c.number).where(opinions.c.number == number)) is not None


def opinion(connection: ReadConnection, number: int) -> Opinion | None:
    """The view of that number."""
    found = _opinions(connection, opinions.c.number == number)
    return found[0] if found else None


def held_about(connection: ReadConnection, about: str) -> Opinion | None:
    """The view of this subject that is held or to be thought over, the newest."""
    found = _opinions(connection, opinions.c.about == about, _IS_HELD)
    return found[-1] if found else None


def held(connection: ReadConnection, audience: Audience | None, limit: int) -> tuple[Opinion, ...]:
    """Views that are held, for an audience (None: every one), the newest last."""
    query, given = (_HELD, {}) if audience is None else (_HELD_FOR, {"audience": str(audience)})
    return _resting(connection, query.each(connection, given))[-limit:]


def resting_on(connection: ReadConnection, refs: Collection[str]) -> tuple[Opinion, ...]:
    """Views with a premise of one of these refs."""
    if not refs:
        return ()
    resting = sa.select(premises.c.opinion).where(premises.c.ref.in_(sorted(refs)))
    return _opinions(connection, opinions.c.number.in_(resting))


def change_opinion(
    connection: WriteConnection,
    number: int,
    states: Sequence[OpinionState],
    state: OpinionState,
    reason: str,
    at: datetime,
) -> bool:
    """Say what became of a view that is in one of `states`; False if it is not."""
    query = opinions.update().where(
        opinions.c.number == number, opinions.c.state.in_([str(one) for one in states])
    )
    return connection.execute(query.values(state=str(state), reason=reason, changed_at=iso(at))).rowcount == 1


def count_opinions(connection: ReadConnection) -> int:
    """How many views are kept, whatever became of them."""
    return connection.scalar(sa.select(sa.func.count()).select_from(opinions).where(_IS_KEPT)) or 0


def selected_opinions(connection: ReadConnection, audience: Audience | None = None) -> tuple[Opinion, ...]:
    """Views for an audience (None: every one), whatever became of them, in the order of their numbers."""
    return _opinions(connection, opinions.c.audience == str(audience) if audience else sa.true())


def drop_opinions(connection: WriteConnection, numbers: Collection[int]) -> int:
    """Take views away with what they rest on; how many there were. Only the numbers stay, as used."""
    if not numbers:
        return 0
    wanted = sorted(numbers)
    connection.execute(premises.delete().where(premises.c.opinion.in_(wanted)))
    query = opinions.update().where(opinions.c.number.in_(wanted), _IS_KEPT)
    return connection.execute(query.values(**_NOTHING)).rowcount


def _commitments(connection: ReadConnection, *conditions: sa.ColumnElement[bool]) -> tuple[Commitment, ...]:
    query = sa.select(commitments).where(*conditions).order_by(commitments.c.made_at, commitments.c.id)
    return tuple(map(_commitment, connection.execute(query).mappings()))


def _commitment(row: Columns) -> Commitment:
    return Commitment(
        row["id"],
        row["whose"],
        row["what"],
        Debtor(row["who"]),
        row["to_whom"],
        None if row["due_at"] is None else from_iso(row["due_at"]),
        None if row["precision"] is None else Due(row["precision"]),
        row["timezone"],
        CommitmentState(row["state"]),
        None if row["outcome"] is None else Resolution(row["outcome"]),
        row["reason"],
        row["resolved_by"],
        row["snoozed"],
        row["turn"],
        from_iso(row["made_at"]),
        from_iso(row["changed_at"]),
    )


def _opinions(connection: ReadConnection, *conditions: sa.ColumnElement[bool]) -> tuple[Opinion, ...]:
    return _resting(connection, connection.execute(_BY_NUMBER.where(*conditions)).mappings().all())


def _resting(connection: ReadConnection, rows: Sequence[Columns]) -> tuple[Opinion, ...]:
    """The views of these rows, with what they rest on."""
    if not rows:
        return ()
    resting: dict[int, list[Premise]] = {}
    for row in _PREMISES.each(connection, {"opinions": [row["number"] for row in rows]}):
        one = Premise(PremiseKind(row["kind"]), row["ref"], row["text"])
        resting.setdefault(row["opinion"], []).append(one)
    return tuple(
        Opinion(
            row["number"],
            row["subject"],
            row["stance"],
            Certainty(row["certainty"]),
            tuple(resting.get(row["number"], ())),
            row["revise_if"],
            Audience(row["audience"]),
            OpinionState(row["state"]),
            row["revises"],
            row["reason"],
            from_iso(row["made_at"]),
            from_iso(row["changed_at"]),
        )
        for row in rows
    )
