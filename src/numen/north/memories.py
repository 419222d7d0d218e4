"""What a packet can say that is remembered, and what it is asked of: memories are wired in from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from numen.graph.types import Freshness
from numen.kernel import Json, Scope


class Tier(StrEnum):
    """Whose memories may ride along: this project's, the cross-project brain's, both, or every brain's."""

    PROJECT = "project"
    MEDULLA = "medulla"
    BOTH = "project+medulla"
    ALL = "all-brains"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a memory's claim can be checked."""

    path: str
    start: int
    end: int
    freshness: Freshness

    def as_json(self) -> dict[str, Json]:
        """The wire form: `path#Lstart-Lend` and its freshness."""
        return {"at": f"{self.path}#L{self.start}-L{self.end}", "freshness": self.freshness}


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One remembered claim: its sentence, what it rests on, and its age where that is known.

    `kind` is `kv` (a claim with subject and predicate) or `light` (a sentence). `stamp_ms` is when it was
    written, in milliseconds since 1970, as its source knows it; only `age_ms` goes on the wire.
    """

    claim: str
    kind: str
    confidence: float
    node_id: str
    tier: Tier
    origin_brain: str
    stale: bool = False
    evidence: Evidence | None = None
    stamp_ms: int | None = None
    age_ms: int | None = None
    source_agent: str | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form; what is not known is absent."""
        body: dict[str, Json] = {
            "claim": self.claim,
            "kind": self.kind,
            "confidence": self.confidence,
            "node_id": self.node_id,
            "tier": self.tier,
            "origin_brain": self.origin_brain,
            "stale": self.stale,
        }
        if self.evidence is not None:
            body["evidence"] = self.evidence.as_json()
        if self.age_ms is not None:
            body["age_ms"] = self.age_ms
        if self.source_agent is not None:
            body["source_agent"] = self.source_agent
        return body


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
