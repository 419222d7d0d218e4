"""Search: what makes the rows of memory findable; can be rebuilt from them."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Nothing yet."""
