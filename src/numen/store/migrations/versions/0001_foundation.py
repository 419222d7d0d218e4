"""Epochs, the ledger, and who is known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables that every other one stands on."""
    op.create_table(
        "epochs",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("epoch", sa.Text, nullable=False, unique=True),
        sa.Column("since", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False
        ),
        sa.Column("event_id", sa.Text, nullable=False, unique=True),
        sa.Column("v", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("correlation_id", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("prev_hash", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_index("events_by_stream", "events", ["stream", "seq"])
    op.create_index("events_by_correlation", "events", ["correlation_id", "seq"])
    op.create_table(
        "ledger_head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
    )
    op.create_table(
        "bodies",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("scope", sa.Text, nullable=True),
        sa.Column("salt", sa.LargeBinary, nullable=True),
        sa.Column("text", sa.LargeBinary, nullable=True),
        sa.Column("gone", sa.Text, nullable=True),
    )
    op.create_table(
        "contacts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("trust_tier", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
    )
    op.create_index(
        "contacts_one_owner",
        "contacts",
        ["trust_tier"],
        unique=True,
        sqlite_where=sa.text("trust_tier = 'owner'"),
        postgresql_where=sa.text("trust_tier = 'owner'"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("sha256", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("owner_platforms", sa.Text, nullable=False),
        sa.Column("contacts", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("revoked_at", sa.Text, nullable=True),
    )
