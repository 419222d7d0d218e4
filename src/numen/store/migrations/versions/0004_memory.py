"""Memory: turns, claims, opinions, commitments, tombstones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables of `numen.memory`, its search apart."""
    _turns()
    _claims()
    _views()
    op.create_table(
        "tombstones",
        sa.Column("mark", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
    )


def _turns() -> None:
    op.create_table(
        "turns",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("source", sa.LargeBinary, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("session", sa.LargeBinary, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("speaker", sa.LargeBinary, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("model", sa.LargeBinary, nullable=True),
        sa.Column("occurred_at", sa.Text, nullable=False),
        sa.Column("recorded_at", sa.Text, nullable=False),
    )
    op.create_index("turns_by_source", "turns", ["whose", "source", "part"], unique=True)
    op.create_index("turns_by_session", "turns", ["whose", "session", "position"])


def _claims() -> None:
    op.create_table(
        "claims",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("near", sa.Text, nullable=False),
        sa.Column("subject", sa.LargeBinary, nullable=False),
        sa.Column("about", sa.LargeBinary, nullable=False),
        sa.Column("predicate", sa.LargeBinary, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
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
    )
    op.create_index("claims_by_near", "claims", ["whose", "near"])
    op.create_index("claims_by_subject", "claims", ["whose", "about", "predicate"])
    op.create_index("claims_by_brain", "claims", ["tier", "brain"])
    op.create_table(
        "evidence",
        sa.Column("claim", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("ref", sa.LargeBinary, nullable=False),
        sa.Column("root", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=True),
    )
    op.create_index("evidence_by_ref", "evidence", ["ref"])
    op.create_table(
        "relations",
        sa.Column("claim", sa.Text, primary_key=True),
        sa.Column("other", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
    )
    op.create_index("relations_by_other", "relations", ["other"])
    op.create_table(
        "claim_counts",
        sa.Column("tier", sa.Text, primary_key=True),
        sa.Column("brain", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, primary_key=True),
        sa.Column("audience", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
    )


def _views() -> None:
    op.create_table(
        "opinions",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("subject", sa.LargeBinary, nullable=False),
        sa.Column("about", sa.LargeBinary, nullable=False),
        sa.Column("stance", sa.LargeBinary, nullable=False),
        sa.Column("certainty", sa.Text, nullable=False),
        sa.Column("revise_if", sa.LargeBinary, nullable=False),
        sa.Column("audience", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("revises", sa.Integer, nullable=True),
        sa.Column("reason", sa.LargeBinary, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("changed_at", sa.Text, nullable=False),
    )
    op.create_index("opinions_by_subject", "opinions", ["about", "state"])
    op.create_table(
        "premises",
        sa.Column("opinion", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("ref", sa.LargeBinary, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )
    op.create_index("premises_by_ref", "premises", ["ref"])
    op.create_table(
        "commitments",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("what", sa.LargeBinary, nullable=False),
        sa.Column("same", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("to_whom", sa.LargeBinary, nullable=False),
        sa.Column("due_at", sa.Text, nullable=True),
        sa.Column("precision", sa.Text, nullable=True),
        sa.Column("timezone", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=True),
        sa.Column("reason", sa.LargeBinary, nullable=False),
        sa.Column("resolved_by", sa.Text, nullable=True),
        sa.Column("snoozed", sa.Integer, nullable=False),
        sa.Column("turn", sa.Text, nullable=True),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("changed_at", sa.Text, nullable=False),
    )
    op.create_index("commitments_open", "commitments", ["whose", "state", "due_at"])
    op.create_index("commitments_by_turn", "commitments", ["turn"])
