"""The rows of claims: what they say, what they rest on, how they stand to others, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import Audience, from_iso, iso
from numen.memory.rules import SELF, WORDS
from numen.memory.types import Claim, ClaimState, ClaimTier, Confidence, Evidence, EvidenceKind
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata
from numen.store.prepared import Columns, Prepared

claims = sa.Table(
    "claims",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("audience", sa.Text, nullable=False),
    sa.Column("text", Words, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("near", sa.Text, nullable=False),
    sa.Column("subject", Words, nullable=False),
    sa.Column("about", Words, nullable=False),
    sa.Column("predicate", Words, nullable=False),
    sa.Column("value", Words, nullable=False),
    sa.Column("confidence", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("tier", sa.Text, nullable=False),
    sa.Column("brain", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("taint", sa.Boolean, nullable=False),
    sa.Column("pinned", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("valid_from", sa.Text, nullable=True),
    sa.Column("valid_to", sa.Text, nullable=True),
    sa.Index("claims_by_near", "whose", "near"),
    sa.Index("claims_by_subject", "whose", "about", "predicate"),
    sa.Index("claims_by_brain", "tier", "brain"),
)

evidence = sa.Table(
    "evidence",
    metadata,
    sa.Column("claim", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("ref", Words, nullable=False),
    sa.Column("root", Words, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=True),
    sa.Index("evidence_by_ref", "ref"),
)

relations = sa.Table(
    "relations",
    metadata,
    sa.Column("claim", sa.Text, primary_key=True),
    sa.Column("other", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Index("relations_by_other", "other"),
)

counts = sa.Table(
    "claim_counts",
    metadata,
    sa.Column("tier", sa.Text, primary_key=True),
    sa.Column("brain", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, primary_key=True),
    sa.Column("audience", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, nullable=False),
)
"""How many claims there are that are not superseded or retracted, kept so that nobody has to count."""

LIVE = (str(ClaimState.ACTIVE), str(ClaimState.CONFLICTED))
"""States of claims that stand."""


_ORDER = (claims.c.created_at, claims.c.id)
_IDS: sa.BindParameter[list[str]] = sa.bindparam("ids", expanding=True)
_BY_ID = Prepared(sa.select(claims).where(claims.c.id.in_(_IDS)).order_by(*_ORDER))
_EVIDENCE = Prepared(
    sa.select(evidence).where(evidence.c.claim.in_(_IDS)).order_by(evidence.c.claim, evidence.c.n)
)
_PROFILE = Prepared(
    sa.select(claims)
    .where(
        claims.c.whose == sa.bindparam("whose"),
        sa.or_(claims.c.author == WORDS, claims.c.about == SELF),
        claims.c.state.in_(LIVE),
    )
    .order_by(*_ORDER)
)


def add_claim(connection: WriteConnection, new: Claim, digest: str, near: str, about: str) -> None:
    """Keep a claim and what it rests on. `about` is its subject, folded."""
    connection.execute(
        claims.insert().values(
            id=new.id,
            whose=new.whose,
            audience=str(new.audience),
            text=new.text,
            digest=digest,
            near=near,
            subject=new.subject,
            about=about,
            predicate=new.predicate,
            value=new.value,
            confidence=str(new.confidence),
            state=str(new.state),
            tier=str(new.tier),
            brain=new.brain,
            author=new.author,
            taint=new.taint,
            pinned=new.pinned,
            created_at=iso(new.created_at),
            valid_from=None if new.valid_from is None else iso(new.valid_from),
            valid_to=None if new.valid_to is None else iso(new.valid_to),
        )
    )
    add_evidence(connection, new.id, 0, new.evidence)
    _count(connection, new, 1 if str(new.state) in LIVE else 0)


def add_evidence(connection: WriteConnection, claim: str, start: int, new: Sequence[Evidence]) -> None:
    """Let a claim rest on more, numbered from `start`."""
    for n, one in enumerate(new, start):
        connection.execute(
            evidence.insert().values(
                claim=claim,
                n=n,
                kind=str(one.kind),
                ref=one.ref,
                root=one.root,
                digest=one.digest,
                at=None if one.at is None else iso(one.at),
            )
        )


def next_evidence(connection: ReadConnection, claim: str) -> int:
    """The number of the next thing that a claim rests on."""
    last = connection.scalar(sa.select(sa.func.max(evidence.c.n)).where(evidence.c.claim == claim))
    return 0 if last is None else last + 1


def relate(connection: WriteConnection, claim: str, other: str, kind: str) -> None:
    """Say how a claim stands to another."""
    insert_new(connection, relations, {"claim": claim, "other": other, "kind": kind})


def related(connection: ReadConnection, ids: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """By claim, which others it meets and how: `(kind, other)`; both ways for a conflict."""
    found: dict[str, list[tuple[str, str]]] = {}
    if not ids:
        return found
    wanted = sorted(ids)
    query = sa.select(relations.c.claim, relations.c.other, relations.c.kind)
    for row in connection.execute(
        query.where(sa.or_(relations.c.claim.in_(wanted), relations.c.other.in_(wanted))).order_by(
            relations.c.claim, relations.c.other
        )
    ):
        found.setdefault(row.claim, []).append((row.kind, row.other))
        if row.kind == "conflicts_with":
            found.setdefault(row.other, []).append((row.kind, row.claim))
    return found


def conflicting(connection: ReadConnection, limit: int) -> tuple[tuple[Claim, Claim], ...]:
    """Pairs of standing claims that cannot both hold, the oldest first."""
    one, other = claims.alias(), claims.alias()
    query = (
        sa.select(one.c.id.label("one"), other.c.id.label("other"))
        .select_from(relations)
        .join(one, one.c.id == relations.c.claim)
        .join(other, other.c.id == relations.c.other)
        .where(relations.c.kind == "conflicts_with", one.c.state.in_(LIVE), other.c.state.in_(LIVE))
        .order_by(one.c.created_at, one.c.id)
        .limit(limit)
    )
    pairs = [(row.one, row.other) for row in connection.execute(query)]
    known = claims_of(connection, {name for pair in pairs for name in pair})
    return tuple((known[first], known[second]) for first, second in pairs)


def set_state(connection: WriteConnection, claim: Claim, state: ClaimState) -> None:
    """Say what became of a claim, and keep the count of those that stand."""
    query = claims.update().where(claims.c.id == claim.id, claims.c.state == str(claim.state))
    if connection.execute(query.values(state=str(state))).rowcount:
        _count(connection, claim, (str(state) in LIVE) - (str(claim.state) in LIVE))


def set_tier(connection: WriteConnection, claim: Claim, tier: ClaimTier, brain: str) -> None:
    """Let a claim go with its owner everywhere, or be one project's."""
    live = 1 if str(claim.state) in LIVE else 0
    connection.execute(claims.update().where(claims.c.id == claim.id).values(tier=str(tier), brain=brain))
    _count(connection, claim, -live)
    _change(connection, str(tier), brain, claim.whose, str(claim.audience), live)


def claims_of(connection: ReadConnection, ids: Collection[str]) -> dict[str, Claim]:
    """Claims by id, with what they rest on."""
    rows = _BY_ID.each(connection, {"ids": sorted(ids)}) if ids else ()
    return {one.id: one for one in _resting(connection, rows)}


def claims_near(connection: ReadConnection, whose: str, near: str) -> tuple[Claim, ...]:
    """Standing claims of the same words."""
    return _claims(connection, claims.c.whose == whose, claims.c.near == near, claims.c.state.in_(LIVE))


def claims_about(
    connection: ReadConnection, whose: str, about: str, predicate: str, brain: str
) -> tuple[Claim, ...]:
    """Standing claims of the same subject and predicate, oldest first."""
    return _claims(
        connection,
        claims.c.whose == whose,
        claims.c.about == about,
        claims.c.predicate == predicate,
        claims.c.brain == brain,
        claims.c.state.in_(LIVE),
    )


def profile(connection: ReadConnection, whose: str) -> tuple[Claim, ...]:
    """Standing claims about a person, and about those of whom they spoke, oldest first."""
    return _resting(connection, _PROFILE.each(connection, {"whose": whose}))


def selected_claims(
    connection: ReadConnection, whose: str | None = None, before: datetime | None = None
) -> tuple[Claim, ...]:
    """Claims of a person (None: of all), made before a time, whatever became of them."""
    conditions: list[sa.ColumnElement[bool]] = []
    if whose is not None:
        conditions.append(claims.c.whose == whose)
    if before is not None:
        conditions.append(claims.c.created_at < iso(before))
    return _claims(connection, *conditions)


def all_claims(connection: ReadConnection) -> tuple[Claim, ...]:
    """Every claim, whatever became of it."""
    return _claims(connection, sa.true())


def claims_in_files(connection: ReadConnection, brain: str, paths: Collection[str]) -> tuple[Claim, ...]:
    """Standing claims of a brain that rest on lines of these files, oldest first."""
    if not paths:
        return ()
    inside = [sa.and_(evidence.c.ref >= f"{path}#", evidence.c.ref < f"{path}$") for path in sorted(paths)]
    resting = sa.select(evidence.c.claim).where(evidence.c.kind == str(EvidenceKind.CODE), sa.or_(*inside))
    return _claims(connection, claims.c.brain == brain, claims.c.state.in_(LIVE), claims.c.id.in_(resting))


def recent_claims(
    connection: ReadConnection, tiers: Collection[tuple[ClaimTier, str]], whose: str | None, limit: int
) -> tuple[Claim, ...]:
    """The newest standing claims of these tiers, newest first; `whose` None is the owner, who sees all."""
    places = [sa.and_(claims.c.tier == str(tier), claims.c.brain == brain) for tier, brain in tiers]
    mine = claims.c.whose == whose if whose is not None else sa.true()
    shared = claims.c.audience == str(Audience.EVERYONE)
    query = (
        sa.select(claims)
        .where(claims.c.state.in_(LIVE), sa.or_(sa.false(), *places), sa.or_(mine, shared))
        .order_by(claims.c.created_at.desc(), claims.c.id.desc())
        .limit(limit)
    )
    return _resting(connection, connection.execute(query).mappings().all())


def claims_resting_on(connection: ReadConnection, refs: Collection[str]) -> tuple[Claim, ...]:
    """Claims with evidence of one of these refs."""
    if not refs:
        return ()
    resting = sa.select(evidence.c.claim).where(evidence.c.ref.in_(sorted(refs)))
    return _claims(connection, claims.c.id.in_(resting))


def drop_claims(connection: WriteConnection, gone: Sequence[Claim]) -> int:
    """Take claims away, with what they rest on and how they stand to others; how many there were."""
    if not gone:
        return 0
    ids = sorted(one.id for one in gone)
    connection.execute(evidence.delete().where(evidence.c.claim.in_(ids)))
    connection.execute(
        relations.delete().where(sa.or_(relations.c.claim.in_(ids), relations.c.other.in_(ids)))
    )
    for one in gone:
        _count(connection, one, -1 if str(one.state) in LIVE else 0)
    return connection.execute(claims.delete().where(claims.c.id.in_(ids))).rowcount


def drop_evidence(connection: WriteConnection, refs: Collection[str]) -> None:
    """Let no claim rest on these refs."""
    connection.execute(evidence.delete().where(evidence.c.ref.in_(sorted(refs))))


def claim_count(connection: ReadConnection, condition: sa.ColumnElement[bool]) -> int:
    """The kept number of standing claims of the rows of `counts` that `condition` selects."""
    return connection.scalar(sa.select(sa.func.coalesce(sa.func.sum(counts.c.n), 0)).where(condition)) or 0


def counted(
    connection: ReadConnection, tiers: Collection[tuple[ClaimTier, str | None]], whose: str | None
) -> int:
    """How many claims stand in these tiers (brain None: any); for one who is not the owner, what they see."""
    places = [
        counts.c.tier == str(tier)
        if brain is None
        else sa.and_(counts.c.tier == str(tier), counts.c.brain == brain)
        for tier, brain in tiers
    ]
    condition = sa.or_(sa.false(), *places)
    if whose is not None:
        condition = sa.and_(
            condition, sa.or_(counts.c.whose == whose, counts.c.audience == str(Audience.EVERYONE))
        )
    return claim_count(connection, condition)


def claim_totals(connection: ReadConnection) -> dict[tuple[str, str, str, str], int]:
    """The kept numbers of standing claims that are not 0, by tier, brain, person and audience."""
    rows = connection.execute(sa.select(counts).where(counts.c.n != 0))
    return {(row.tier, row.brain, row.whose, row.audience): row.n for row in rows}


def _count(connection: WriteConnection, claim: Claim, by: int) -> None:
    _change(connection, str(claim.tier), claim.brain, claim.whose, str(claim.audience), by)


def _change(connection: WriteConnection, tier: str, brain: str, whose: str, audience: str, by: int) -> None:
    if not by:
        return
    key = {"tier": tier, "brain": brain, "whose": whose, "audience": audience}
    insert_new(connection, counts, {**key, "n": 0})
    place = sa.and_(*(counts.c[name] == value for name, value in key.items()))
    connection.execute(counts.update().where(place).values(n=counts.c.n + by))


def _claims(connection: ReadConnection, *conditions: sa.ColumnElement[bool]) -> tuple[Claim, ...]:
    query = sa.select(claims).where(*conditions).order_by(*_ORDER)
    return _resting(connection, connection.execute(query).mappings().all())


def _resting(connection: ReadConnection, rows: Sequence[Columns]) -> tuple[Claim, ...]:
    """The claims of these rows, with what they rest on."""
    if not rows:
        return ()
    resting: dict[str, list[Evidence]] = {}
    for row in _EVIDENCE.each(connection, {"ids": [row["id"] for row in rows]}):
        at = None if row["at"] is None else from_iso(row["at"])
        one = Evidence(EvidenceKind(row["kind"]), row["ref"], row["root"], row["digest"], at)
        resting.setdefault(row["claim"], []).append(one)
    return tuple(_claim(row, resting.get(row["id"], [])) for row in rows)


def _claim(row: Columns, resting: Iterable[Evidence]) -> Claim:
    return Claim(
        row["id"],
        row["whose"],
        Audience(row["audience"]),
        row["text"],
        row["subject"],
        row["predicate"],
        row["value"],
        Confidence(row["confidence"]),
        ClaimState(row["state"]),
        ClaimTier(row["tier"]),
        row["brain"],
        row["author"],
        bool(row["taint"]),
        bool(row["pinned"]),
        from_iso(row["created_at"]),
        None if row["valid_from"] is None else from_iso(row["valid_from"]),
        None if row["valid_to"] is None else from_iso(row["valid_to"]),
        tuple(resting),
    )
