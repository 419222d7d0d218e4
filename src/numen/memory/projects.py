"""The claims of a project: how many there are, which fit a task, and which rest on a place in the code."""

from __future__ import annotations

from collections.abc import Sequence

from numen.kernel import Clock, Scope, iso
from numen.memory import claim_tables, rules
from numen.memory.finding import Sort
from numen.memory.search import Search
from numen.memory.types import Claim, ClaimTier
from numen.store import Store

WIDER = 4
"""How many more rows are asked for than wanted, where some are another project's (ours)."""

Tiers = Sequence[tuple[ClaimTier, str | None]]
"""Tiers of which claims are meant, each with its brain; None means every brain's."""


class Projects:
    """Reads claims by the project that they are of."""

    def __init__(self, store: Store, clock: Clock, search: Search) -> None:
        self._store = store
        self._clock = clock
        self._search = search

    def count(self, scope: Scope, tiers: Tiers) -> int:
        """How many claims stand that the caller may see: a number that is kept, not counted."""
        with self._store.reading() as connection:
            return claim_tables.counted(connection, tiers, None if scope.is_owner else rules.whose(scope))

    def recall(self, scope: Scope, tiers: Tiers, task: str, limit: int) -> tuple[Claim, ...]:
        """The claims that fit a task, best first; none below the floor of relevance."""
        if not task.strip():
            return ()
        with self._store.reading() as connection:
            found = self._search.find(
                scope,
                connection,
                task,
                at=iso(self._clock.now()),
                limit=limit * WIDER,
                kinds=(Sort.CLAIM,),
                tier=tiers[0][0] if len(tiers) == 1 else None,
                brain=tiers[0][1] if len(tiers) == 1 else None,
            )
            loaded = claim_tables.claims_of(connection, [one.id for one in found.rows])
        ordered = [loaded[one.id] for one in found.rows if one.id in loaded]
        return self._seen(scope, tiers, ordered)[:limit]

    def near(self, scope: Scope, brain: str, paths: Sequence[str], limit: int) -> tuple[Claim, ...]:
        """The claims of a project that rest on lines in one of `paths`, newest first."""
        with self._store.reading() as connection:
            found = claim_tables.claims_in_files(connection, brain, paths)
        tiers: Tiers = ((ClaimTier.PROJECT, brain), (ClaimTier.MEDULLA, None))
        return self._seen(scope, tiers, found[::-1])[:limit]

    def recent(self, scope: Scope, brain: str, limit: int) -> tuple[Claim, ...]:
        """The newest standing claims of a project that the caller may see, newest first."""
        tiers = ((ClaimTier.PROJECT, brain), (ClaimTier.MEDULLA, brain))
        whose = None if scope.is_owner else rules.whose(scope)
        with self._store.reading() as connection:
            return claim_tables.recent_claims(connection, tiers, whose, limit)

    def _seen(self, scope: Scope, tiers: Tiers, claims: Sequence[Claim]) -> tuple[Claim, ...]:
        return tuple(
            one
            for one in claims
            if rules.visible(scope, one.whose, one.audience)
            and any(one.tier is tier and brain in {None, one.brain} for tier, brain in tiers)
        )
