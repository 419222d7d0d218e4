"""Work: runs, and who runs them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create `work_runs` and `work_executors`."""
    op.create_table(
        "work_runs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("job", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("executor", sa.Text, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
    )
    op.create_index("work_runs_open", "work_runs", ["ended", "executor"])
    op.create_table(
        "work_executors",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("beats", sa.BigInteger, nullable=False),
    )
