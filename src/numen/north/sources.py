"""What north asks of rooms that are wired in from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from numen.kernel import Scope
from numen.north.types import MemoryRow, Tier


class MemorySource(Protocol):
    """The durable memories of a brain. Every method raises `Unavailable` where they cannot be read."""

    def count(self, scope: Scope, brain: str, tier: Tier) -> int:
        """How many memories of `tier` are stored, kept as a number: no walk, no scan."""
        ...

    def recall(self, scope: Scope, brain: str, task: str, tier: Tier, *, limit: int) -> Sequence[MemoryRow]:
        """The memories that fit `task`, at most `limit`; none below the floor of relevance."""
        ...

    def near(self, scope: Scope, brain: str, paths: Sequence[str], *, limit: int) -> Sequence[MemoryRow]:
        """Memories whose evidence lies in one of `paths`, at most `limit`."""
        ...
