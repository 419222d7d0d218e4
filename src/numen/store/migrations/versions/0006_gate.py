"""Gate: asks, grants, budgets, claims on effects."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create `asks`, `asked_calls`, `grants`, `effect_claims`, `budgets` and `switches`."""
    op.create_table(
        "asks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("class", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("lineage", sa.Text, nullable=False),
        sa.Column("task", sa.Text, nullable=True),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("decided_at", sa.Text, nullable=True),
        sa.Column("via", sa.Text, nullable=True),
    )
    op.create_index(
        "asks_open_code",
        "asks",
        ["code"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_index("asks_by_state", "asks", ["state", "expires_at"])
    op.create_table(
        "asked_calls",
        sa.Column("ask", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.Column("spent_by", sa.Text, nullable=True),
    )
    op.create_index("asked_calls_by_digest", "asked_calls", ["digest"])
    op.create_table(
        "grants",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=True),
        sa.Column("spec", sa.LargeBinary, nullable=False),
        sa.Column("problem", sa.Text, nullable=True),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=True),
        sa.Column("revoked_at", sa.Text, nullable=True),
        sa.Column("uses", sa.Integer, nullable=False),
    )
    op.create_table(
        "effect_claims",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("class", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("lineage", sa.Text, nullable=False),
        sa.Column("recipients", sa.Text, nullable=False),
        sa.Column("leases", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("settled_at", sa.Text, nullable=True),
    )
    op.create_index("effect_claims_by_lineage", "effect_claims", ["lineage", "made_at"])
    op.create_index("effect_claims_by_state", "effect_claims", ["state", "class", "settled_at"])
    op.create_table(
        "budgets",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("period", sa.Text, primary_key=True),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("free_at", sa.Text, nullable=True),
    )
    op.create_table(
        "switches",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
    )
