"""The rows of asks, grants, claims, budgets and switches. Every change of state is a compare-and-set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import cast

import sqlalchemy as sa

from numen.gate.budgets import Gap, Lease
from numen.gate.types import Ask, AskedCall, AskState, Claim, EffectClass, Grant, GrantKind, Outcome
from numen.kernel import Json, canonical_text, from_iso, iso
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata
from numen.store.prepared import Columns, Prepared

asks = sa.Table(
    "asks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("class", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("lineage", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=False),
    sa.Column("decided_at", sa.Text, nullable=True),
    sa.Column("via", sa.Text, nullable=True),
    sa.Index(
        "asks_open_code",
        "code",
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    ),
    sa.Index("asks_by_state", "state", "expires_at"),
)

asked_calls = sa.Table(
    "asked_calls",
    metadata,
    sa.Column("ask", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("words", Words, nullable=False),
    sa.Column("spent_by", sa.Text, nullable=True),
    sa.Index("asked_calls_by_digest", "digest"),
)

grants = sa.Table(
    "grants",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=True),
    sa.Column("spec", Words, nullable=False),
    sa.Column("problem", sa.Text, nullable=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=True),
    sa.Column("revoked_at", sa.Text, nullable=True),
    sa.Column("uses", sa.Integer, nullable=False),
)

claims = sa.Table(
    "effect_claims",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("class", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("lineage", sa.Text, nullable=False),
    sa.Column("recipients", sa.Text, nullable=False),
    sa.Column("leases", sa.Text, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("settled_at", sa.Text, nullable=True),
    sa.Index("effect_claims_by_lineage", "lineage", "made_at"),
    sa.Index("effect_claims_by_state", "state", "class", "settled_at"),
)

budgets = sa.Table(
    "budgets",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("period", sa.Text, primary_key=True),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Column("free_at", sa.Text, nullable=True),
)

switches = sa.Table(
    "switches",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

CLAIMED = "claimed"
_OPEN_ASKS = sa.select(asks).where(asks.c.state == str(AskState.OPEN)).order_by(asks.c.created_at, asks.c.id)
_OPEN = Prepared(_OPEN_ASKS)
_OPEN_OF = Prepared(_OPEN_ASKS.where(asks.c.lineage == sa.bindparam("lineage")))
_CALLS_OF = Prepared(
    sa.select(asked_calls).where(asked_calls.c.ask == sa.bindparam("asked")).order_by(asked_calls.c.n)
)
_SWITCHES = sa.select(switches.c.name, switches.c.value)
_FAILED = sa.select(claims.c.settled_at).where(
    claims.c.state == str(Outcome.FAILED),
    claims.c["class"] == sa.bindparam("cls"),
    claims.c.settled_at >= sa.bindparam("since"),
)
_GATE_LOCK = 0x4E554D454E06


def lock_gate(connection: WriteConnection) -> None:
    """Let one transaction at a time decide; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_GATE_LOCK)))


def add_ask(connection: WriteConnection, ask: Ask) -> bool:
    """Keep a new ask with its calls; False where an open one has the code."""
    row = {
        "id": ask.id,
        "code": ask.code,
        "class": str(ask.cls),
        "state": str(ask.state),
        "lineage": ask.lineage,
        "task": ask.task,
        "created_at": iso(ask.created_at),
        "expires_at": iso(ask.expires_at),
    }
    if not insert_new(connection, asks, row):
        return False
    for n, call in enumerate(ask.calls):
        add_call(connection, ask.id, n, call)
    return True


def add_call(connection: WriteConnection, ask: str, n: int, call: AskedCall) -> None:
    """Keep one more call of an ask, the `n`-th."""
    connection.execute(asked_calls.insert().values(ask=ask, n=n, digest=call.digest, words=call.words))


def drop_calls(connection: WriteConnection, ask: str, kept: int) -> None:
    """Drop the calls of an ask after the first `kept`."""
    connection.execute(asked_calls.delete().where(asked_calls.c.ask == ask, asked_calls.c.n >= kept))


def open_asks(connection: ReadConnection, lineage: str | None = None) -> tuple[Ask, ...]:
    """The open asks, oldest first; of one lineage where it is named."""
    query, given = (_OPEN, {}) if lineage is None else (_OPEN_OF, {"lineage": lineage})
    return tuple(_ask(connection, row) for row in query.each(connection, given))


def recent_asks(connection: ReadConnection, limit: int) -> tuple[Ask, ...]:
    """The asks that were decided or ran out last, newest first."""
    query = sa.select(asks).where(asks.c.state != str(AskState.OPEN))
    rows = (
        connection.execute(query.order_by(asks.c.created_at.desc(), asks.c.id.desc()).limit(limit))
        .mappings()
        .all()
    )
    return tuple(_ask(connection, row) for row in rows)


def ask_of_code(connection: ReadConnection, code: str) -> Ask | None:
    """The open ask of that code, else the last one that had it."""
    rows = (
        connection.execute(
            sa.select(asks).where(asks.c.code == code).order_by(asks.c.created_at.desc(), asks.c.id.desc())
        )
        .mappings()
        .all()
    )
    found = [_ask(connection, row) for row in rows]
    return next((one for one in found if one.state is AskState.OPEN), found[0] if found else None)


def ask_of(connection: ReadConnection, identifier: str) -> Ask | None:
    """The ask of that id."""
    row = connection.execute(sa.select(asks).where(asks.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _ask(connection, row)


def move_ask(
    connection: WriteConnection, ask: str, before: AskState, after: AskState, at: datetime, via: str | None
) -> bool:
    """Move an ask on, if it still stands where it was thought to."""
    query = asks.update().where(asks.c.id == ask, asks.c.state == str(before))
    return connection.execute(query.values(state=str(after), decided_at=iso(at), via=via)).rowcount == 1


def overdue(connection: ReadConnection, at: datetime) -> tuple[tuple[str, AskState], ...]:
    """Asks whose time is over, answered with a yes that nobody used among them."""
    standing = (str(AskState.OPEN), str(AskState.YES))
    query = sa.select(asks.c.id, asks.c.state).where(asks.c.state.in_(standing), asks.c.expires_at <= iso(at))
    return tuple((row[0], AskState(row[1])) for row in connection.execute(query))


def nod(connection: ReadConnection, digest: str, lineage: str, at: datetime) -> str | None:
    """The ask with an unused yes to exactly this call, of this lineage."""
    query = (
        sa.select(asks.c.id)
        .join(asked_calls, asked_calls.c.ask == asks.c.id)
        .where(
            asks.c.state == str(AskState.YES),
            asks.c.lineage == lineage,
            asks.c.expires_at > iso(at),
            asked_calls.c.digest == digest,
            asked_calls.c.spent_by.is_(None),
        )
        .order_by(asks.c.created_at)
        .limit(1)
    )
    return connection.scalar(query)


def refused(connection: ReadConnection, digest: str, lineage: str) -> bool:
    """Whether the owner said no to exactly this call, of this lineage."""
    query = (
        sa.select(sa.literal(1))
        .select_from(asks.join(asked_calls, asked_calls.c.ask == asks.c.id))
        .where(asks.c.state == str(AskState.NO), asks.c.lineage == lineage, asked_calls.c.digest == digest)
        .limit(1)
    )
    return connection.scalar(query) is not None


def spend_nod(connection: WriteConnection, ask: str, digest: str, by: str) -> bool:
    """Use up the yes to one call of an ask; False if it was used. An ask without an unused one is spent."""
    free = sa.and_(asked_calls.c.ask == ask, asked_calls.c.spent_by.is_(None))
    one = (
        sa.select(sa.func.min(asked_calls.c.n)).where(free, asked_calls.c.digest == digest).scalar_subquery()
    )
    query = asked_calls.update().where(free, asked_calls.c.n == one)
    if connection.execute(query.values(spent_by=by)).rowcount != 1:
        return False
    if connection.scalar(sa.select(sa.func.count()).select_from(asked_calls).where(free)) == 0:
        done = asks.update().where(asks.c.id == ask, asks.c.state == str(AskState.YES))
        connection.execute(done.values(state=str(AskState.SPENT)))
    return True


def add_grant(connection: WriteConnection, grant: Grant) -> None:
    """Keep a grant."""
    connection.execute(
        grants.insert().values(
            id=grant.id,
            kind=None if grant.kind is None else str(grant.kind),
            spec=canonical_text(grant.spec),
            problem=grant.problem,
            created_at=iso(grant.created_at),
            expires_at=None if grant.expires_at is None else iso(grant.expires_at),
            uses=0,
        )
    )


def all_grants(connection: ReadConnection) -> tuple[Grant, ...]:
    """Every grant, oldest first."""
    rows = connection.execute(sa.select(grants).order_by(grants.c.created_at, grants.c.id)).mappings()
    return tuple(map(_grant, rows))


def live_grants(connection: ReadConnection) -> tuple[Grant, ...]:
    """The grants that are sound and not revoked."""
    query = sa.select(grants).where(grants.c.revoked_at.is_(None), grants.c.problem.is_(None))
    return tuple(map(_grant, connection.execute(query.order_by(grants.c.created_at, grants.c.id)).mappings()))


def use_grant(connection: WriteConnection, grant: Grant) -> bool:
    """Count one more use of a grant; False if it was revoked, or is for one use and had it."""
    query = grants.update().where(grants.c.id == grant.id, grants.c.revoked_at.is_(None))
    if grant.kind is GrantKind.ONCE:
        query = query.where(grants.c.uses == 0)
    return connection.execute(query.values(uses=grants.c.uses + 1)).rowcount == 1


def revoke_grant(connection: WriteConnection, identifier: str, at: datetime) -> bool:
    """End a grant; False if it had ended."""
    query = grants.update().where(grants.c.id == identifier, grants.c.revoked_at.is_(None))
    return connection.execute(query.values(revoked_at=iso(at))).rowcount == 1


def grant(connection: ReadConnection, identifier: str) -> Grant | None:
    """The grant of that id."""
    row = connection.execute(sa.select(grants).where(grants.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _grant(row)


def add_claim(
    connection: WriteConnection, claim: Claim, lineage: str, recipients: Iterable[str], held: Iterable[Lease]
) -> None:
    """Keep a claim, and which leases it gives back when it is settled."""
    back: list[Json] = [[one.name, one.period, one.amount] for one in held if one.returned]
    connection.execute(
        claims.insert().values(
            {
                "id": claim.id,
                "digest": claim.digest,
                "class": str(claim.cls),
                "state": CLAIMED,
                "lineage": lineage,
                "recipients": canonical_text(sorted(set(recipients))),
                "leases": canonical_text(back),
                "made_at": iso(claim.made_at),
            }
        )
    )


def settle_claim(connection: WriteConnection, identifier: str, outcome: Outcome, at: datetime) -> bool:
    """Say how a claimed call ended and give back its leases; False if that was said before."""
    query = claims.update().where(claims.c.id == identifier, claims.c.state == CLAIMED)
    if connection.execute(query.values(state=str(outcome), settled_at=iso(at))).rowcount != 1:
        return False
    held = connection.scalar(sa.select(claims.c.leases).where(claims.c.id == identifier))
    for name, period, amount in cast("list[tuple[str, str, int]]", json.loads(held or "[]")):
        row = budgets.update().where(budgets.c.name == name, budgets.c.period == period)
        connection.execute(row.values(used=budgets.c.used - amount))
    return True


def claim_state(connection: ReadConnection, identifier: str) -> str | None:
    """Where a claim stands."""
    return connection.scalar(sa.select(claims.c.state).where(claims.c.id == identifier))


def unsettled(connection: ReadConnection, before: datetime) -> tuple[str, ...]:
    """Claims made before that moment of which nobody said how they ended."""
    query = sa.select(claims.c.id).where(claims.c.state == CLAIMED, claims.c.made_at <= iso(before))
    return tuple(connection.scalars(query.order_by(claims.c.id)))


def reached(connection: ReadConnection, lineage: str, since: datetime) -> frozenset[str]:
    """Whom the lineage has written to since then."""
    query = sa.select(claims.c.recipients).where(claims.c.lineage == lineage, claims.c.made_at >= iso(since))
    return frozenset(
        one for listed in connection.scalars(query) for one in cast("list[str]", json.loads(listed))
    )


def failures(connection: ReadConnection, cls: EffectClass, since: datetime) -> list[datetime]:
    """When calls of the class failed since then."""
    found = connection.scalars(_FAILED, {"cls": str(cls), "since": iso(since)})
    return [from_iso(one) for one in found if one is not None]


def used(connection: ReadConnection, name: str, period: str) -> int:
    """How much of a budget is taken in a period."""
    query = sa.select(budgets.c.used).where(budgets.c.name == name, budgets.c.period == period)
    return connection.scalar(query) or 0


def free_at(connection: ReadConnection, name: str) -> datetime | None:
    """When the next call with that gap may be."""
    found = connection.scalar(
        sa.select(budgets.c.free_at).where(budgets.c.name == name, budgets.c.period == "gap")
    )
    return None if found is None else from_iso(found)


def reserve(connection: WriteConnection, lease: Lease) -> bool:
    """Take a lease, or nothing where it would go over the limit."""
    insert_new(connection, budgets, {"name": lease.name, "period": lease.period, "used": 0})
    query = budgets.update().where(
        budgets.c.name == lease.name,
        budgets.c.period == lease.period,
        budgets.c.used + lease.amount <= lease.limit,
    )
    return connection.execute(query.values(used=budgets.c.used + lease.amount)).rowcount == 1


def correct(connection: WriteConnection, name: str, period: str, by: int) -> None:
    """Add to what is taken of a budget, or give some back."""
    query = budgets.update().where(budgets.c.name == name, budgets.c.period == period)
    connection.execute(query.values(used=budgets.c.used + by))


def reserve_gap(connection: WriteConnection, gap: Gap, at: datetime) -> bool:
    """Take the next turn of a gap, or nothing where it is not over."""
    insert_new(connection, budgets, {"name": gap.name, "period": "gap", "used": 0, "free_at": iso(at)})
    query = budgets.update().where(
        budgets.c.name == gap.name, budgets.c.period == "gap", budgets.c.free_at <= iso(at)
    )
    next_one = iso(at + timedelta(hours=gap.hours))
    return connection.execute(query.values(used=budgets.c.used + 1, free_at=next_one)).rowcount == 1


def switched(connection: ReadConnection) -> Mapping[str, str]:
    """What every switch was set to."""
    return {row[0]: row[1] for row in connection.execute(_SWITCHES)}


def set_switch(connection: WriteConnection, name: str, value: str, at: datetime) -> None:
    """Set a switch."""
    if not insert_new(connection, switches, {"name": name, "value": value, "at": iso(at)}):
        query = switches.update().where(switches.c.name == name)
        connection.execute(query.values(value=value, at=iso(at)))


def _ask(connection: ReadConnection, row: Columns) -> Ask:
    calls = tuple(
        AskedCall(call["digest"], call["words"], call["spent_by"] is not None)
        for call in _CALLS_OF.each(connection, {"asked": row["id"]})
    )
    decided = row["decided_at"]
    return Ask(
        row["code"],
        row["id"],
        EffectClass(row["class"]),
        AskState(row["state"]),
        row["lineage"],
        row["task"],
        from_iso(row["created_at"]),
        from_iso(row["expires_at"]),
        calls,
        None if decided is None else from_iso(decided),
        row["via"],
    )


def _grant(row: sa.RowMapping) -> Grant:
    columns = grants.c
    expires, revoked = row[columns.expires_at], row[columns.revoked_at]
    kind = row[columns.kind]
    return Grant(
        row[columns.id],
        None if kind is None else GrantKind(kind),
        cast("Mapping[str, Json]", json.loads(row[columns.spec])),
        from_iso(row[columns.created_at]),
        None if expires is None else from_iso(expires),
        None if revoked is None else from_iso(revoked),
        row[columns.uses],
        row[columns.problem],
    )
