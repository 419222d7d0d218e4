"""Gate: asks, grants, budgets, claims on effects."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Nothing yet."""
