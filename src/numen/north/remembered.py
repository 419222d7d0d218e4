"""What a packet can say that is remembered, read from the room of memory."""

from __future__ import annotations

from collections.abc import Sequence

from numen.graph.types import Freshness
from numen.kernel import Scope
from numen.memory import Claim, ClaimTier, Confidence, EvidenceKind
from numen.memory import Freshness as Standing
from numen.memory.evidence import freshness
from numen.memory.projects import Projects, Tiers
from numen.north.memories import Evidence, MemoryRow, Tier

_CONFIDENCE = {
    Confidence.VERIFIED: 1.0,
    Confidence.STATED: 0.8,
    Confidence.INFERRED: 0.5,
    Confidence.UNKNOWN: 0.3,
}
"""A claim's confidence as a number, for clients that sort by one (ours: only the order means something)."""

_FRESHNESS = {
    Standing.FRESH: Freshness.FRESH,
    Standing.STALE: Freshness.CHANGED,
    Standing.MISSING: Freshness.MISSING,
}


class Remembered:
    """The claims of a brain, as north asks for them."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects

    def count(self, scope: Scope, brain: str, tier: Tier) -> int:
        """How many claims of `tier` stand: a number that is kept."""
        return self._projects.count(scope, _tiers(brain, tier))

    def recall(self, scope: Scope, brain: str, task: str, tier: Tier, *, limit: int) -> Sequence[MemoryRow]:
        """The claims that fit `task`, at most `limit`; none below the floor of relevance."""
        found = self._projects.recall(scope, _tiers(brain, tier), task, limit)
        return [row_of(claim, brain) for claim in found]

    def near(self, scope: Scope, brain: str, paths: Sequence[str], *, limit: int) -> Sequence[MemoryRow]:
        """Claims whose evidence lies in one of `paths`, at most `limit`."""
        found = self._projects.near(scope, brain, paths, limit)
        return [row_of(claim, brain) for claim in found]


def _tiers(brain: str, tier: Tier) -> Tiers:
    match tier:
        case Tier.PROJECT:
            return ((ClaimTier.PROJECT, brain),)
        case Tier.MEDULLA:
            return ((ClaimTier.MEDULLA, None),)
        case Tier.BOTH:
            return ((ClaimTier.PROJECT, brain), (ClaimTier.MEDULLA, None))
        case Tier.ALL:
            return ((ClaimTier.PROJECT, None), (ClaimTier.MEDULLA, None))


def row_of(claim: Claim, brain: str) -> MemoryRow:
    """A claim as north tells it, its evidence looked at now."""
    has_both = bool(claim.subject and claim.predicate)
    code = next((one for one in claim.evidence if one.kind is EvidenceKind.CODE), None)
    stands = freshness(claim.evidence)
    return MemoryRow(
        claim=claim.text,
        kind="kv" if has_both else "light",
        confidence=_CONFIDENCE[claim.confidence],
        node_id=claim.id if has_both else f"light::{claim.brain or brain}::{claim.id}",
        tier=Tier(str(claim.tier)),
        origin_brain=claim.brain,
        stale=stands in {Standing.STALE, Standing.MISSING},
        evidence=None if code is None else _evidence(code.ref, _FRESHNESS.get(stands, Freshness.UNKNOWN)),
        stamp_ms=int(claim.created_at.timestamp() * 1000),
        source_agent=claim.author,
    )


def _evidence(ref: str, stands: Freshness) -> Evidence:
    path, _, lines = ref.rpartition("#")
    start, _, end = lines.replace("L", "").partition("-")
    return Evidence(path, int(start), int(end or start), stands)
