"""The rows of missions and their letters, of presences, and of the blocks of maps; each is a brain's."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa

from numen.kernel import Json, canonical_text, from_iso, iso
from numen.north.blocks import Block, BlockState
from numen.north.collisions import Presence
from numen.north.letters import Gate, Letter, Mission, Phase
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata

missions = sa.Table(
    "missions",
    metadata,
    sa.Column("brain", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("title", Words, nullable=False),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("opened_at", sa.Text, nullable=False),
    sa.Column("moved_at", sa.Text, nullable=False),
    sa.Index("missions_by_phase", "brain", "phase"),
)

letters = sa.Table(
    "letters",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("brain", sa.Text, nullable=False),
    sa.Column("mission", sa.Text, nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("words", Words, nullable=False),
    sa.Column("agent", Words, nullable=False),
    sa.Column("gate", Words, nullable=True),
    sa.Column("receipt", Words, nullable=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Index("letters_of_mission", "brain", "mission", "n", unique=True),
)

presences = sa.Table(
    "presences",
    metadata,
    sa.Column("brain", sa.Text, primary_key=True),
    sa.Column("agent", Words, primary_key=True),
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("caller_root", Words, nullable=False),
    sa.Column("worktree", Words, nullable=False),
    sa.Column("theme", Words, nullable=False),
    sa.Column("working_set", Words, nullable=False),
    sa.Column("mutating", sa.Boolean, nullable=False),
    sa.Column("first_seen", sa.Text, nullable=False),
    sa.Column("last_beat", sa.Text, nullable=False),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("brain", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("name", Words, nullable=False),
    sa.Column("purpose", Words, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("globs", Words, nullable=False),
    sa.Column("sockets", Words, nullable=False),
    sa.Column("branch", Words, nullable=True),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("ratified_at", sa.Text, nullable=True),
)


_TALLY = (
    sa.select(missions.c.phase, sa.func.count())
    .where(missions.c.brain == sa.bindparam("brain"))
    .group_by(missions.c.phase)
)


def mission(connection: ReadConnection, brain: str, identifier: str) -> Mission | None:
    """The mission of that name, None if there is none."""
    query = sa.select(missions).where(missions.c.brain == brain, missions.c.id == identifier)
    row = connection.execute(query).mappings().first()
    return None if row is None else _mission(row)


def missions_of(
    connection: ReadConnection, brain: str, whose: str | None, phases: Collection[Phase], limit: int
) -> tuple[Mission, ...]:
    """Missions in one of `phases`, the one that moved last first (by letter, not by clock)."""
    query = sa.select(missions).where(*_seen(brain, whose), missions.c.phase.in_(sorted(phases)))
    rows = connection.execute(query.order_by(missions.c.head.desc()).limit(limit)).mappings()
    return tuple(_mission(row) for row in rows)


def tally(connection: ReadConnection, brain: str, whose: str | None) -> dict[Phase, int]:
    """How many missions stand in each phase."""
    query = _TALLY if whose is None else _TALLY.where(missions.c.whose == sa.bindparam("whose"))
    found = connection.execute(query, {"brain": brain} if whose is None else {"brain": brain, "whose": whose})
    return {Phase(phase): count for phase, count in found}


def open_mission(connection: WriteConnection, brain: str, new: Mission) -> bool:
    """Keep a new mission; False where one of that name is there."""
    row = {
        "brain": brain,
        "id": new.id,
        "whose": new.whose,
        "title": new.title,
        "head": new.head,
        "phase": str(new.phase),
        "n": new.n,
        "opened_at": iso(new.opened_at),
        "moved_at": iso(new.moved_at),
    }
    return insert_new(connection, missions, row)


def move_head(connection: WriteConnection, brain: str, before: Mission, letter: Letter) -> bool:
    """Make `letter` the head, if the head is still that of `before`; False where another was first."""
    query = missions.update().where(
        missions.c.brain == brain, missions.c.id == before.id, missions.c.head == before.head
    )
    values = {"head": letter.id, "phase": str(letter.phase), "n": letter.n, "moved_at": iso(letter.at)}
    return connection.execute(query.values(**values)).rowcount == 1


def add_letter(connection: WriteConnection, brain: str, new: Letter) -> None:
    """Keep a letter for good: there is nothing that changes or drops one."""
    connection.execute(
        letters.insert().values(
            id=new.id,
            brain=brain,
            mission=new.mission,
            n=new.n,
            phase=str(new.phase),
            words=new.text,
            agent=new.agent,
            gate=None if new.gate is None else canonical_text(new.gate.as_json()),
            receipt=new.receipt,
            at=iso(new.at),
        )
    )


def letters_of(
    connection: ReadConnection, brain: str, identifier: str, limit: int, before: int | None = None
) -> tuple[Letter, ...]:
    """The last letters of a mission, newest first; those before the `before`-th where that is given."""
    query = sa.select(letters).where(letters.c.brain == brain, letters.c.mission == identifier)
    if before is not None:
        query = query.where(letters.c.n < before)
    rows = connection.execute(query.order_by(letters.c.n.desc()).limit(limit)).mappings()
    return tuple(_letter(row) for row in rows)


def presence(connection: ReadConnection, brain: str, agent: str, session: str) -> Presence | None:
    """The row of one hand, None if there is none."""
    query = sa.select(presences).where(*_hand(brain, agent, session))
    row = connection.execute(query).mappings().first()
    return None if row is None else _presence(row)


def presences_of(connection: ReadConnection, brain: str) -> tuple[Presence, ...]:
    """Every row of a brain, living or not, by name."""
    rows = connection.execute(_PRESENCES, {"brain": brain}).mappings()
    return tuple(_presence(row) for row in rows)


def put_presence(connection: WriteConnection, new: Presence) -> None:
    """Keep what a hand is doing now, in place of what it did."""
    key = {"brain": new.brain, "agent": new.agent, "session": new.session}
    values: dict[str, Any] = {
        "caller_root": new.caller_root,
        "worktree": new.worktree,
        "theme": new.theme,
        "working_set": canonical_text(list(new.working_set)),
        "mutating": new.mutating,
        "first_seen": iso(new.first_seen),
        "last_beat": iso(new.last_beat),
    }
    if not insert_new(connection, presences, key | values):
        here = _hand(new.brain, new.agent, new.session)
        connection.execute(presences.update().where(*here).values(**values))


def drop_presence(connection: WriteConnection, brain: str, agent: str, session: str) -> None:
    """Let a hand go."""
    connection.execute(presences.delete().where(*_hand(brain, agent, session)))


def drop_session(connection: WriteConnection, session: str) -> int:
    """Let every hand of a session go; how many there were."""
    return connection.execute(presences.delete().where(presences.c.session == session)).rowcount


BlockRows = tuple["sa.Row[tuple[Any, ...]]", ...]
"""The rows of a map as they are kept: equal where nothing was changed."""

_PRESENCES = (
    sa.select(presences)
    .where(presences.c.brain == sa.bindparam("brain"))
    .order_by(presences.c.agent, presences.c.session)
)
_BLOCKS = sa.select(blocks).where(blocks.c.brain == sa.bindparam("brain")).order_by(blocks.c.place)


def block_rows(connection: ReadConnection, brain: str) -> BlockRows:
    """The rows of a brain's map in their order."""
    return tuple(connection.execute(_BLOCKS, {"brain": brain}))


def blocks_in(rows: BlockRows) -> tuple[Block, ...]:
    """The blocks of a map."""
    return tuple(_block(row._mapping) for row in rows)  # pyright: ignore[reportPrivateUsage]


def blocks_of(connection: ReadConnection, brain: str) -> tuple[Block, ...]:
    """The blocks of a brain's map in their order."""
    return blocks_in(block_rows(connection, brain))


def put_blocks(connection: WriteConnection, brain: str, new: Sequence[Block]) -> None:
    """Let these be the blocks of a brain's map, and no others."""
    connection.execute(blocks.delete().where(blocks.c.brain == brain))
    for place, block in enumerate(new):
        connection.execute(
            blocks.insert().values(
                brain=brain,
                id=block.id,
                place=place,
                name=block.name,
                purpose=block.purpose,
                kind=block.kind,
                state=str(block.state),
                globs=canonical_text(list(block.globs)),
                sockets=canonical_text(list(block.sockets)),
                branch=block.branch,
                made_at=iso(block.made_at),
                ratified_at=None if block.ratified_at is None else iso(block.ratified_at),
            )
        )


def lock_map(connection: WriteConnection) -> None:
    """Let one transaction at a time change maps; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAP_LOCK)))


_MAP_LOCK = 0x4E554D454E08


def _seen(brain: str, whose: str | None) -> list[sa.ColumnElement[bool]]:
    """Missions of a brain; of one person where `whose` names one."""
    mine = [] if whose is None else [missions.c.whose == whose]
    return [missions.c.brain == brain, *mine]


def _hand(brain: str, agent: str, session: str) -> list[sa.ColumnElement[bool]]:
    return [presences.c.brain == brain, presences.c.agent == agent, presences.c.session == session]


def _mission(row: sa.RowMapping) -> Mission:
    return Mission(
        row["id"],
        row["whose"],
        row["title"],
        row["head"],
        Phase(row["phase"]),
        row["n"],
        from_iso(row["opened_at"]),
        from_iso(row["moved_at"]),
    )


def _letter(row: sa.RowMapping) -> Letter:
    gate = None
    if row["gate"] is not None:
        kept = cast("Mapping[str, Any]", json.loads(row["gate"]))
        gate = Gate(kept["command"], kept["exit_status"], kept["artifact_hash"])
    return Letter(
        row["id"],
        row["mission"],
        row["n"],
        Phase(row["phase"]),
        row["words"],
        row["agent"],
        gate,
        row["receipt"],
        from_iso(row["at"]),
    )


def _presence(row: sa.RowMapping) -> Presence:
    return Presence(
        brain=row["brain"],
        agent=row["agent"],
        session=row["session"],
        caller_root=row["caller_root"],
        worktree=row["worktree"],
        theme=row["theme"],
        working_set=_texts(row["working_set"]),
        mutating=bool(row["mutating"]),
        first_seen=from_iso(row["first_seen"]),
        last_beat=from_iso(row["last_beat"]),
    )


def _block(row: sa.RowMapping) -> Block:
    return Block(
        id=row["id"],
        name=row["name"],
        purpose=row["purpose"],
        kind=row["kind"],
        state=BlockState(row["state"]),
        globs=_texts(row["globs"]),
        sockets=_texts(row["sockets"]),
        branch=row["branch"],
        made_at=from_iso(row["made_at"]),
        ratified_at=_moment(row["ratified_at"]),
    )


def _texts(kept: str) -> tuple[str, ...]:
    return tuple(str(one) for one in cast("Sequence[Json]", json.loads(kept)))


def _moment(kept: str | None) -> datetime | None:
    return None if kept is None else from_iso(kept)
