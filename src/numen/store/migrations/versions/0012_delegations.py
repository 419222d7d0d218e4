"""Delegate: delegations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create `delegations`."""
    op.create_table(
        "delegations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("intent_id", sa.Text, nullable=False),
        sa.Column("intent_hash", sa.Text, nullable=False),
        sa.Column("request_id", sa.Text, nullable=True, unique=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("project_root", sa.LargeBinary, nullable=False),
        sa.Column("intent", sa.LargeBinary, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("backend", sa.Text, nullable=False),
        sa.Column("tags", sa.LargeBinary, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("moved_at", sa.Text, nullable=False),
        sa.Column("reserved", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Text, nullable=True),
        sa.Column("code", sa.Text, nullable=True),
        sa.Column("envelope", sa.LargeBinary, nullable=True),
        sa.Column("input", sa.BigInteger, nullable=False),
        sa.Column("output", sa.BigInteger, nullable=False),
        sa.Column("micros", sa.BigInteger, nullable=True),
        sa.Column("avoided", sa.BigInteger, nullable=False),
    )
    op.create_index("delegations_by_state", "delegations", ["state", "priority", "created_at"])
    op.create_index("delegations_by_hash", "delegations", ["intent_hash", "moved_at"])
    op.create_index("delegations_by_time", "delegations", ["created_at"])
