"""`north`: one read-only look before a repository is touched. It composes and invents nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from numen.graph import BrainId, Freshness, Graph, Hit, Ranking, Search, Snapshot
from numen.kernel import Clock, InvalidInput, NotFound, Scope, Unavailable, digest, iso
from numen.north.budget import dedupe
from numen.north.collisions import LONGEST_THEME, Presence, working_set
from numen.north.fit import measured
from numen.north.gaps import gap
from numen.north.letters import LONGEST_NAME
from numen.north.lookout import Lookout
from numen.north.memories import MemoryRow, MemorySource
from numen.north.packet import Findings, packet
from numen.north.reception import relation
from numen.north.rules import (
    LIGHT,
    MAX_MEMORIES,
    checked,
    dated,
    prefix,
    reasons,
    rounded,
    shortened,
    tier_of,
)
from numen.north.signs import Signs
from numen.north.types import (
    Brain,
    Call,
    Coverage,
    Gap,
    GapCode,
    NorthRequest,
    Packet,
    Place,
    Reception,
    SufficiencyState,
)
from numen.north.worktree import Worktree


@dataclass(frozen=True, slots=True)
class Sight:
    """What the index shows; `nodes` is None where it cannot be read."""

    nodes: int | None
    gaps: tuple[Gap, ...]
    fingerprint: str | None = None
    coverage: Coverage | None = None
    focus: tuple[Place, ...] = ()
    files: tuple[Place, ...] = ()
    scores: tuple[float, ...] = ()
    match: str = "none"
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the memories hold; `exists` is None where they cannot be read."""

    exists: int | None
    rows: tuple[MemoryRow, ...] = ()
    nearby: tuple[MemoryRow, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Received:
    """The warning about the caller's place, if there is one."""

    reception: Reception | None = None
    gaps: tuple[Gap, ...] = ()


class North:
    """Answers where a caller stands, from the index and, where one is wired in, from the memories.

    `reliability` is what a fit report measured for each state of sufficiency; by default the one that ships.
    """

    def __init__(
        self,
        graph: Graph,
        search: Search,
        clock: Clock,
        *,
        memory: MemorySource | None = None,
        lookout: Lookout | None = None,
        reliability: Mapping[SufficiencyState, float] | None = None,
    ) -> None:
        self._graph = graph
        self._search = search
        self._clock = clock
        self._memory = memory
        self._lookout = lookout
        self._reliability = measured() if reliability is None else reliability
        self._dirty: dict[str, tuple[object, bool | None]] = {}

    def packet(self, scope: Scope, request: NorthRequest) -> Packet:
        """The packet for `request`, within its budget. Nothing is written, here or in the repository.

        Raises `InvalidInput` for a request that has no honest reading. A missing, damaged, empty or stale
        index and a wrong repository are no errors: they are what the packet then says.
        """
        asked = checked(request)
        bound = self._graph.locate(asked.path)
        within = prefix(_canonical(asked.within), str(bound.root))
        still = self._graph.stillness(bound)
        known, dirty = self._dirty.get(bound.id, (None, None))
        asks = bound.is_git and (still is None or known != (still, bound.commit))
        with Worktree.ask(bound.root) if asks else Worktree.unasked() as tree:
            sight = self._sight(scope, asked, bound, within)
            recalled = self._recalled(scope, asked, bound, sight.focus)
            received = self._received(asked, bound)
            signs = self._signs(scope, asked, bound, sight, received)
            dirty = tree.dirty() if asks else dirty
        if still is not None and dirty is not None:
            self._dirty[bound.id] = ((still, bound.commit), dirty)
        return packet(
            Findings(
                task=asked.task,
                at=iso(self._clock.now()),
                brain=Brain(bound.id, str(bound.root), bound.branch, bound.commit, dirty, sight.fingerprint),
                gaps=(*received.gaps, *sight.gaps, *recalled.gaps, *signs.gaps),
                budget_tokens=asked.budget_tokens,
                nodes=sight.nodes,
                coverage=sight.coverage,
                focus=sight.focus,
                files=sight.files,
                scores=sight.scores,
                match=sight.match,
                memory=recalled.rows,
                memory_exists=recalled.exists,
                memory_nearby=recalled.nearby,
                reception=received.reception,
                signs=signs,
                reliability=self._reliability,
                ascii=asked.ascii,
            )
        )

    def presence(self, scope: Scope, request: NorthRequest) -> Presence | None:
        """What a caller is about to do, as others may be told of it; None for one that is no agent.

        Raises `InvalidInput` for a working set that leads out of the repository.
        """
        asked = checked(request)
        return self._presence(asked, self._graph.locate(asked.path))

    def _presence(self, asked: NorthRequest, bound: BrainId) -> Presence | None:
        if asked.hand is None:
            return None
        root, now = str(bound.root), self._clock.now()
        caller = "" if asked.caller_root is None else os.path.realpath(asked.caller_root)
        mine = self._located(Path(caller)) if caller else None
        return Presence(
            brain=bound.id,
            agent=asked.agent_id[:LONGEST_NAME],
            session=asked.hand.session,
            caller_root=caller,
            worktree=str(mine.root) if mine is not None and mine.is_git else caller or root,
            theme=" ".join(asked.task.split())[:LONGEST_THEME],
            working_set=working_set(
                [prefix(_canonical(path), root) or "." for path in asked.hand.working_set]
            ),
            mutating=asked.hand.mutating,
            first_seen=now,
            last_beat=now,
        )

    def _signs(
        self, scope: Scope, asked: NorthRequest, bound: BrainId, sight: Sight, received: Received
    ) -> Signs:
        """What the house tells; nothing of another tree than the caller's, and no more than counts without
        an index."""
        hand = self._presence(asked, bound)
        if self._lookout is None or received.reception is not None:
            return Signs()
        signs = self._lookout.look(scope, bound, sight.snapshot, hand)
        return signs if sight.nodes else replace(signs, gaps=())

    def _sight(self, scope: Scope, asked: NorthRequest, bound: BrainId, within: str | None) -> Sight:
        """What the index shows."""
        ingest = Call("ingest", {"path": str(bound.root)})
        try:
            snapshot = self._graph.open(scope, bound.root)
        except NotFound:
            return Sight(nodes=0, gaps=(gap(GapCode.INDEX_ABSENT, repair=ingest),))
        except Unavailable as damage:
            reason = damage.what.replace(f" of {bound.root}", "")
            again = Call("ingest", {"path": str(bound.root), "full": True})
            return Sight(nodes=None, gaps=(gap(GapCode.INDEX_DAMAGED, repair=again, reason=reason),))
        gaps = [*self._drifted(snapshot, ingest)]
        if not len(snapshot.nodes):
            return Sight(nodes=0, gaps=(gap(GapCode.INDEX_EMPTY, repair=ingest), *gaps))
        history = snapshot.history
        if history is None or history.shallow:
            gaps.append(gap(GapCode.HISTORY_SHALLOW if history else GapCode.HISTORY_NONE))
        return self._seen(scope, asked, snapshot, within, gaps)

    def _seen(
        self,
        scope: Scope,
        asked: NorthRequest,
        snapshot: Snapshot,
        within: str | None,
        gaps: Sequence[Gap],
    ) -> Sight:
        """What one ranking of a populated index shows."""
        ranking = self._ranked(scope, asked, snapshot, within)
        hits = dedupe(ranking.hits) or dedupe(ranking.files)
        focus = self._places(snapshot, hits[: asked.top_k])
        missing = _unfound(snapshot, within, ranking.match if hits else "none")
        return Sight(
            nodes=len(snapshot.nodes),
            gaps=(*gaps, *(gap(code) for code in missing)),
            fingerprint=_fingerprint(snapshot),
            coverage=Coverage(
                files=len(snapshot.files),
                nodes=len(snapshot.nodes),
                searched=ranking.searched,
                problems=int(np.count_nonzero(np.diff(snapshot.files.rows.problem.ends))),
            ),
            focus=focus,
            files=self._places(snapshot, dedupe(ranking.files)),
            scores=tuple(rounded(hit.score) for hit in hits),
            match=ranking.match,
            snapshot=snapshot,
        )

    def _ranked(self, scope: Scope, asked: NorthRequest, snapshot: Snapshot, within: str | None) -> Ranking:
        """The one scored list, longer than what is shown, so that the cut can be judged; empty if silent."""
        silent = Ranking(asked.task, (), (), "none")
        if within is not None and within.startswith(LIGHT):
            return silent
        ranking = self._search.rank(scope, snapshot, asked.task, top_k=2 * asked.top_k, within=within)
        return silent if ranking.match == "none" else ranking

    def _places(self, snapshot: Snapshot, hits: Sequence[Hit]) -> tuple[Place, ...]:
        """`hits` as rows, each file looked at once."""
        fresh = {path: self._graph.freshness(snapshot, path) for path in {hit.node.path for hit in hits}}
        return tuple(_place(hit, fresh[hit.node.path]) for hit in hits)

    def _drifted(self, snapshot: Snapshot, ingest: Call) -> list[Gap]:
        """How the tree moved away from its index; that it cannot be told is not that it did not."""
        try:
            drift = self._graph.drift(snapshot)
        except Unavailable as failure:
            return [gap(GapCode.TREE_UNKNOWN, reason=" ".join(failure.what.split()))]
        if drift.changed or drift.added or drift.removed:
            counts = {"changed": len(drift.changed), "added": len(drift.added), "removed": len(drift.removed)}
            return [gap(GapCode.TREE_DRIFTED, repair=ingest, **counts)]
        return [gap(GapCode.HEAD_MOVED, repair=ingest)] if drift.head_moved else []

    def _recalled(
        self, scope: Scope, asked: NorthRequest, bound: BrainId, focus: Sequence[Place]
    ) -> Recalled:
        """What the memories hold: a store that cannot be read is neither empty nor without a match."""
        tier, known = tier_of(asked.tier)
        gaps = [] if known else [gap(GapCode.TIER_UNKNOWN)]
        if self._memory is None:
            return Recalled(0, gaps=(*gaps, gap(GapCode.MEMORY_EMPTY)))
        now_ms = int(self._clock.now().timestamp() * 1000)
        paths = [place.path for place in focus]
        try:
            exists = self._memory.count(scope, bound.id, tier)
            rows = self._memory.recall(scope, bound.id, asked.task, tier, limit=MAX_MEMORIES)
            nearby = self._memory.near(scope, bound.id, paths, limit=MAX_MEMORIES)
        except Unavailable as damage:
            return Recalled(None, gaps=(*gaps, gap(GapCode.MEMORY_UNREADABLE, reason=damage.what)))
        if not rows:
            gaps.append(gap(GapCode.MEMORY_NO_MATCH, count=exists) if exists else gap(GapCode.MEMORY_EMPTY))
        told = {row.node_id for row in rows}
        return Recalled(
            exists,
            dated(rows, now_ms)[:MAX_MEMORIES],
            dated((row for row in nearby if row.node_id not in told), now_ms)[:MAX_MEMORIES],
            tuple(gaps),
        )

    def _received(self, asked: NorthRequest, bound: BrainId) -> Received:
        """Whether the caller works in the tree that was asked about; silent where that is not known."""
        if asked.caller_root is None:
            return Received()
        found = relation(bound, asked.caller_root, self._located)
        if found is None:
            return Received()
        yours = os.path.realpath(asked.caller_root)
        mine = self._located(Path(yours))
        home = str(mine.root) if mine and mine.is_git else yours
        repair = Call("ingest", {"path": home}) if mine and mine.is_git else None
        warned = gap(GapCode.WRONG_REPO, repair=repair, relation=found)
        return Received(Reception(found, warned.text, str(bound.root), home), (warned,))

    def _located(self, path: Path) -> BrainId | None:
        """The tree that holds `path`; None where there is nothing."""
        try:
            return self._graph.locate(path)
        except InvalidInput:
            return None


def _place(hit: Hit, freshness: Freshness) -> Place:
    node = hit.node
    return Place(
        id=node.id,
        kind=node.kind,
        path=node.path,
        start=node.start,
        end=node.end,
        signature=shortened(node.signature),
        score=rounded(hit.score),
        why=reasons(hit.why),
        freshness=freshness,
    )


def _unfound(snapshot: Snapshot, within: str | None, match: str) -> list[GapCode]:
    """Why there is no focus, or only a doubtful one."""
    if within is not None and within.startswith(LIGHT):
        return [GapCode.WITHIN_MEMORY_ONLY]
    if within is not None and not any(_under(path, within) for path in snapshot.files.paths):
        return [GapCode.WITHIN_UNMATCHED]
    return {"none": [GapCode.FOCUS_NONE], "weak": [GapCode.FOCUS_WEAK]}.get(match, [])


def _fingerprint(snapshot: Snapshot) -> str:
    """A name for what was indexed: the same paths with the same bytes in the same tree have the same one."""
    files = snapshot.files.rows
    parts = (snapshot.brain.id.encode(), files.path.data.tobytes(), files.digest.tobytes())
    return digest(b"\0".join(parts))[:12]


def _under(path: str, within: str) -> bool:
    return path == within or path.startswith(f"{within}/")


def _canonical(within: str | None) -> str | None:
    """`within` through its links, where it is an absolute path."""
    return os.path.realpath(within) if within and os.path.isabs(within) and "\0" not in within else within
