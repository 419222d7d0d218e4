"""The rows of servers, of what their tools looked like, of what they ask for, and of agents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import Json, canonical_text, from_iso, iso
from numen.resident.tables import json_of
from numen.resident.types import Agent, Input, InputState
from numen.store.db import ReadConnection, Words, WriteConnection, insert_new, metadata

servers = sa.Table(
    "resident_servers",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("spec", Words, nullable=False),
    sa.Column("added_at", sa.Text, nullable=False),
)

tools = sa.Table(
    "resident_tools",
    metadata,
    sa.Column("server", sa.Text, primary_key=True),
    sa.Column("tool", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
)

inputs = sa.Table(
    "resident_inputs",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("turn", sa.Text, nullable=False),
    sa.Column("call", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("answer", Words, nullable=True),
    sa.Column("asked_at", sa.Text, nullable=False),
    sa.Index("resident_inputs_of_session", "session", "state"),
)

agents = sa.Table(
    "resident_agents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("slug", sa.Text, nullable=False, unique=True),
)

slugs = sa.Table(
    "resident_slugs",
    metadata,
    sa.Column("slug", sa.Text, primary_key=True),
    sa.Column("agent", sa.Text, nullable=False),
)


def set_server(connection: WriteConnection, name: str, spec: Mapping[str, Json], at: datetime) -> None:
    """Keep how a server is reached, in place of what was kept before."""
    drop_server(connection, name)
    connection.execute(servers.insert().values(name=name, spec=canonical_text(spec), added_at=iso(at)))


def drop_server(connection: WriteConnection, name: str) -> bool:
    """Forget a server, and what its tools looked like; False for one that is not known."""
    connection.execute(tools.delete().where(tools.c.server == name))
    return connection.execute(servers.delete().where(servers.c.name == name)).rowcount == 1


def all_servers(connection: ReadConnection) -> dict[str, dict[str, Json]]:
    """Every server, by its name."""
    found = connection.execute(sa.select(servers).order_by(servers.c.name))
    return {row.name: json_of(row.spec) for row in found}


def inventory(connection: ReadConnection, server: str) -> dict[str, str]:
    """The digests of a server's tools when it was seen last."""
    found = connection.execute(sa.select(tools).where(tools.c.server == server))
    return {row.tool: row.digest for row in found}


def set_inventory(connection: WriteConnection, server: str, seen: Mapping[str, str]) -> None:
    """Keep what a server's tools look like now."""
    connection.execute(tools.delete().where(tools.c.server == server))
    for tool, digest in sorted(seen.items()):
        connection.execute(tools.insert().values(server=server, tool=tool, digest=digest))


def add_input(connection: WriteConnection, new: Input, words: str) -> None:
    """Keep what a tool asks a person for; `words` are a body's digest."""
    connection.execute(
        inputs.insert().values(
            id=new.id,
            session=new.session,
            turn=new.turn,
            call=new.call,
            words=words,
            state=str(new.state),
            asked_at=iso(new.asked_at),
        )
    )


def input_of(connection: ReadConnection, identifier: str) -> tuple[Input, str] | None:
    """What a tool asks for, and the digest of its words."""
    row = connection.execute(sa.select(inputs).where(inputs.c.id == identifier)).one_or_none()
    return None if row is None else (_input(row), row.words)


def open_inputs(connection: ReadConnection, session: str) -> list[tuple[Input, str]]:
    """What waits for a person in a session, oldest first."""
    query = sa.select(inputs).where(inputs.c.session == session, inputs.c.state == str(InputState.OPEN))
    return [(_input(row), row.words) for row in connection.execute(query.order_by(inputs.c.asked_at))]


def answer_input(
    connection: WriteConnection, identifier: str, state: InputState, content: Mapping[str, Json] | None
) -> bool:
    """Keep the first answer; False where there is one."""
    query = inputs.update().where(inputs.c.id == identifier, inputs.c.state == str(InputState.OPEN))
    kept = None if content is None else canonical_text(content)
    return connection.execute(query.values(state=str(state), answer=kept)).rowcount == 1


def agent(connection: ReadConnection, slug: str) -> Agent | None:
    """Who has that slug, or had it before."""
    query = sa.select(agents).join(slugs, slugs.c.agent == agents.c.id).where(slugs.c.slug == slug)
    row = connection.execute(query).one_or_none()
    return None if row is None else Agent(row.id, row.slug)


def agent_of(connection: ReadConnection, identifier: str) -> Agent | None:
    """The agent of that id."""
    row = connection.execute(sa.select(agents).where(agents.c.id == identifier)).one_or_none()
    return None if row is None else Agent(row.id, row.slug)


def add_agent(connection: WriteConnection, new: Agent) -> None:
    """Keep a new agent and its slug."""
    connection.execute(agents.insert().values(id=new.id, slug=new.slug))
    insert_new(connection, slugs, {"slug": new.slug, "agent": new.id})


def rename_agent(connection: WriteConnection, identifier: str, slug: str) -> None:
    """Give an agent another slug; the old one goes on naming it."""
    connection.execute(agents.update().where(agents.c.id == identifier).values(slug=slug))
    insert_new(connection, slugs, {"slug": slug, "agent": identifier})


def _input(row: sa.Row[tuple[object, ...]]) -> Input:
    return Input(
        row.id,
        row.session,
        row.turn,
        row.call,
        InputState(row.state),
        from_iso(row.asked_at),
        None if row.answer is None else json_of(row.answer),
    )
