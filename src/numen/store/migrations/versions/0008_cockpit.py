"""Cockpit: missions, presences, blocks of the map."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create `missions`, `letters`, `presences` and `blocks`."""
    op.create_table(
        "missions",
        sa.Column("brain", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("title", sa.LargeBinary, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("moved_at", sa.Text, nullable=False),
    )
    op.create_index("missions_by_phase", "missions", ["brain", "phase"])
    op.create_table(
        "letters",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("brain", sa.Text, nullable=False),
        sa.Column("mission", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.Column("agent", sa.LargeBinary, nullable=False),
        sa.Column("gate", sa.LargeBinary, nullable=True),
        sa.Column("receipt", sa.LargeBinary, nullable=True),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("letters_of_mission", "letters", ["brain", "mission", "n"], unique=True)
    op.create_table(
        "presences",
        sa.Column("brain", sa.Text, primary_key=True),
        sa.Column("agent", sa.LargeBinary, primary_key=True),
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("caller_root", sa.LargeBinary, nullable=False),
        sa.Column("worktree", sa.LargeBinary, nullable=False),
        sa.Column("theme", sa.LargeBinary, nullable=False),
        sa.Column("working_set", sa.LargeBinary, nullable=False),
        sa.Column("mutating", sa.Boolean, nullable=False),
        sa.Column("first_seen", sa.Text, nullable=False),
        sa.Column("last_beat", sa.Text, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("brain", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.LargeBinary, nullable=False),
        sa.Column("purpose", sa.LargeBinary, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("globs", sa.LargeBinary, nullable=False),
        sa.Column("sockets", sa.LargeBinary, nullable=False),
        sa.Column("branch", sa.LargeBinary, nullable=True),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("ratified_at", sa.Text, nullable=True),
    )
