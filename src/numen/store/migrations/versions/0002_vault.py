"""The vault: values that were sealed, and how far older words were gone through."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables of `numen.secrets`."""
    op.create_table(
        "vault",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("vault_id", sa.Text, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("made_at", sa.Text, nullable=False),
        sa.Column("rekeyed_at", sa.Text, nullable=True),
    )
    op.create_table(
        "secrets",
        sa.Column("ref", sa.Text, primary_key=True),
        sa.Column("whose", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=True, unique=True),
        sa.Column("key_id", sa.Text, nullable=True),
        sa.Column("nonce", sa.LargeBinary, nullable=True),
        sa.Column("ciphertext", sa.LargeBinary, nullable=True),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("said_at", sa.Text, nullable=True),
        sa.Column("said_in", sa.Text, nullable=True),
        sa.Column("uses", sa.Integer, nullable=False),
        sa.Column("used_at", sa.Text, nullable=True),
    )
    op.create_table(
        "sealing",
        sa.Column("shelf", sa.Text, primary_key=True),
        sa.Column("reached", sa.Text, nullable=False),
        sa.Column("sealed", sa.Integer, nullable=False),
        sa.Column("done_at", sa.Text, nullable=True),
    )
