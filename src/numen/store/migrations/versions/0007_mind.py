"""Mind: concerns, intentions and their steps, reports, boards, traces, beats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables of the mind."""
    op.create_table(
        "mind_concerns",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("drive", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("stage", sa.LargeBinary, nullable=False),
        sa.Column("title", sa.LargeBinary, nullable=False),
        sa.Column("salience", sa.Float, nullable=False),
        sa.Column("felt_at", sa.Text, nullable=False),
        sa.Column("raised_at", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("resolved_at", sa.Text, nullable=True),
    )
    op.create_index("mind_concerns_by_state", "mind_concerns", ["state", "resolved_at"])
    op.create_table(
        "mind_intentions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("title", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
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
        sa.Column("ref", sa.LargeBinary, nullable=True),
        sa.Column("via", sa.Text, nullable=True),
    )
    op.create_index("mind_intentions_by_key", "mind_intentions", ["key"])
    op.create_index("mind_intentions_by_ref", "mind_intentions", ["ref"])
    op.create_index("mind_intentions_by_state", "mind_intentions", ["state", "moved_at"])
    op.create_index("mind_intentions_by_time", "mind_intentions", ["created_at"])
    op.create_table(
        "mind_moves",
        sa.Column("intention", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("before", sa.Text, nullable=True),
        sa.Column("after", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "mind_reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("intention", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, nullable=False, unique=True),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("verified", sa.Text, nullable=True),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("mind_reports_by_word", "mind_reports", ["verified", "at"])
    op.create_index("mind_reports_of_intention", "mind_reports", ["intention", "at"])
    op.create_table(
        "mind_boards",
        sa.Column("board", sa.LargeBinary, primary_key=True),
        sa.Column("seen", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "mind_traces",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("name", sa.LargeBinary, primary_key=True),
        sa.Column("origin", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "mind_beats",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
    )
