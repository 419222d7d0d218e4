"""Cycle: what rooms have left, their turns, who thinks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create `cycle_rooms`, `cycle_turns` and `cycle_identities`."""
    op.create_table(
        "cycle_rooms",
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("keeps", sa.Boolean, nullable=False),
        sa.Column("seen_at", sa.Text, nullable=False),
    )
    op.create_index("cycle_rooms_by_time", "cycle_rooms", ["seen_at"])
    op.create_table(
        "cycle_turns",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("trace", sa.Text, nullable=False),
        sa.Column("tape", sa.LargeBinary, nullable=True),
    )
    op.create_index("cycle_turns_of_room", "cycle_turns", ["room", "id"])
    op.create_index("cycle_turns_by_time", "cycle_turns", ["at"])
    op.create_table(
        "cycle_identities",
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("held", sa.Text, nullable=False),
        sa.Column("since", sa.Text, nullable=False),
    )
