"""People: what is known of a contact, the handles that lead to one, and links that were only proposed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Widen `contacts`; create `handles` and `proposals`."""
    for column in (
        sa.Column("given_name", sa.Text, nullable=True),
        sa.Column("family_name", sa.Text, nullable=True),
        sa.Column("organization", sa.Text, nullable=True),
        sa.Column("may_contact", sa.Text, nullable=False, server_default="ask"),
        sa.Column("cadence_minutes", sa.Integer, nullable=True),
        sa.Column("digest", sa.Text, nullable=True),
        sa.Column("timezone", sa.Text, nullable=True),
        sa.Column("last_interaction_at", sa.Text, nullable=True),
    ):
        op.add_column("contacts", column)
    op.create_table(
        "handles",
        sa.Column("gateway", sa.Text, primary_key=True),
        sa.Column("folded", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("contact", sa.Text, nullable=False),
        sa.Column("canonical", sa.Text, nullable=True),
        sa.Column("is_primary", sa.Boolean, nullable=False),
        sa.Column("verified", sa.Boolean, nullable=False),
        sa.Column("linked_at", sa.Text, nullable=False),
    )
    op.create_index("handles_by_contact", "handles", ["contact"])
    op.create_index("handles_by_canonical", "handles", ["canonical"])
    op.create_table(
        "proposals",
        sa.Column("contact", sa.Text, primary_key=True),
        sa.Column("gateway", sa.Text, primary_key=True),
        sa.Column("folded", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
    )
