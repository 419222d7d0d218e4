"""Looks over one tree: which files were mended often, and what moved."""

from __future__ import annotations

from numen.graph import BrainId, Freshness, Graph, Snapshot
from numen.kernel import NotFound, Scope, Unavailable
from numen.memory import ClaimTier
from numen.memory.projects import Projects
from numen.north.drift import Drift, Moved, moved
from numen.north.gitdiff import Difference, difference
from numen.north.memories import MemoryRow
from numen.north.remembered import row_of
from numen.north.trust import Trust, trust_of

MOST_SYMBOLS = 200
"""Symbols that moved which are looked up (ours: more are a rewrite, and are told as files)."""

MOST_MEMORIES = 20
"""Memories whose evidence is looked at (ours)."""


class Survey:
    """Reads the index, git and the memories; writes nothing."""

    def __init__(self, graph: Graph, projects: Projects) -> None:
        self._graph = graph
        self._projects = projects

    def snapshot(self, scope: Scope, brain: BrainId) -> Snapshot:
        """The index of a tree. Raises `Unavailable` that says why there is none to read."""
        try:
            return self._graph.open(scope, brain.root)
        except NotFound as absent:
            raise Unavailable(
                "It is not indexed yet.", not_done="Nothing was looked up.", next_step=absent.next_step
            ) from absent

    def trust(self, scope: Scope, brain: BrainId, within: str | None = None) -> Trust:
        """The files of a tree, those that were mended most first; those below `within` where it is given.

        Raises `Unavailable` where there is no index, or it holds no history.
        """
        found = trust_of(self.snapshot(scope, brain), within)
        if found is None:
            raise Unavailable(
                "There is no git history here.",
                not_done="Nothing was counted.",
                next_step="It is counted at the next ingest, once there is a commit.",
            )
        return found

    def drift(self, scope: Scope, brain: BrainId, since: str | None = None) -> Drift:
        """What moved in a tree since a commit or a moment; since HEAD where none is named.

        Outside of git, since it was indexed. Raises `InvalidInput` where `since` names nothing,
        `Unavailable` where there is no index or git cannot be asked.
        """
        snapshot = self.snapshot(scope, brain)
        if brain.is_git and brain.commit is not None:
            found = difference(brain.root, since)
        else:
            tree = self._graph.drift(snapshot)
            found = Difference("", tree.changed, tree.added, tree.removed)
        symbols = self._symbols(snapshot, found)
        paths = [*found.changed, *found.removed]
        memories = self._moved_memories(scope, brain, paths) if paths else ()
        return Drift(found.commit or None, found.changed, found.added, found.removed, symbols, memories)

    def memories(self, scope: Scope, brain: BrainId, limit: int) -> tuple[MemoryRow, ...]:
        """The newest memories of a tree, newest first."""
        return tuple(row_of(claim, brain.id) for claim in self._projects.recent(scope, brain.id, limit))

    def remembered(self, scope: Scope, brain: BrainId) -> int:
        """How many memories of a tree the caller may see: a number that is kept."""
        tiers = ((ClaimTier.PROJECT, brain.id), (ClaimTier.MEDULLA, brain.id))
        return self._projects.count(scope, tiers)

    def _symbols(self, snapshot: Snapshot, found: Difference) -> tuple[Moved, ...]:
        told: list[Moved] = []
        for path in (*found.changed, *found.added):
            is_exact = self._graph.freshness(snapshot, path) is Freshness.FRESH
            told += moved(snapshot, path, found.lines.get(path, []), is_exact=is_exact)
            if len(told) >= MOST_SYMBOLS:
                break
        return tuple(sorted(told[:MOST_SYMBOLS], key=lambda one: (-len(one.dependents), one.id)))

    def _moved_memories(self, scope: Scope, brain: BrainId, paths: list[str]) -> tuple[MemoryRow, ...]:
        rows = (
            row_of(claim, brain.id) for claim in self._projects.near(scope, brain.id, paths, MOST_MEMORIES)
        )
        return tuple(row for row in rows if row.stale)
