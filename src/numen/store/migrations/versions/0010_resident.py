"""Resident: sessions, turns, messages, calls, what a tool asks for, pieces of text, servers, agents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables of conversations, and those of servers and agents."""
    _conversations()
    _servers()


def _conversations() -> None:
    op.create_table(
        "resident_sessions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("room", sa.LargeBinary, nullable=False),
        sa.Column("via", sa.Text, nullable=False),
        sa.Column("title", sa.LargeBinary, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("active_at", sa.Text, nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("archived", sa.Boolean, nullable=False),
        sa.Column("parent", sa.Text, nullable=True),
    )
    op.create_index("resident_sessions_by_time", "resident_sessions", ["whose", "active_at"])
    op.create_table(
        "resident_turns",
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
    )
    op.create_index("resident_turns_of_session", "resident_turns", ["session", "n"], unique=True)
    op.create_index("resident_turns_by_state", "resident_turns", ["state"])
    op.create_table(
        "resident_messages",
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("after", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("resident_messages_of_session", "resident_messages", ["session", "seq"])
    op.create_table(
        "resident_calls",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("ref", sa.LargeBinary, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("args", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("reads", sa.Boolean, nullable=False),
        sa.Column("claim", sa.Text, nullable=True),
        sa.Column("ask", sa.Text, nullable=True),
        sa.Column("result", sa.Text, nullable=True),
    )
    op.create_index("resident_calls_of_session", "resident_calls", ["session", "id"])
    op.create_index("resident_calls_by_ask", "resident_calls", ["ask"])
    op.create_table(
        "resident_inputs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("call", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=True),
        sa.Column("asked_at", sa.Text, nullable=False),
    )
    op.create_index("resident_inputs_of_session", "resident_inputs", ["session", "state"])
    op.create_table(
        "resident_deltas",
        sa.Column("turn", sa.Text, primary_key=True),
        sa.Column("base", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "resident_words",
        sa.Column("word", sa.Text, primary_key=True),
        sa.Column("session", sa.Text, primary_key=True),
    )
    op.create_index("resident_words_of_session", "resident_words", ["session"])


def _servers() -> None:
    op.create_table(
        "resident_servers",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("spec", sa.LargeBinary, nullable=False),
        sa.Column("added_at", sa.Text, nullable=False),
    )
    op.create_table(
        "resident_tools",
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_table(
        "resident_agents",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("slug", sa.Text, nullable=False, unique=True),
    )
    op.create_table(
        "resident_slugs",
        sa.Column("slug", sa.Text, primary_key=True),
        sa.Column("agent", sa.Text, nullable=False),
    )
