"""The cockpit: the person's menu over one tree. A sibling of north: if it breaks, it breaks alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from numen.graph import BrainId, Graph, Snapshot
from numen.kernel import Json, Scope, Unavailable, canonical_bytes, digest, iso
from numen.ledger import Ledger
from numen.north.blocks import Block, BlockState
from numen.north.collisions import Presence, collision
from numen.north.drift import Moved
from numen.north.health import Condition, Health
from numen.north.letters import Mission, Phase
from numen.north.maps import Maps, MapView
from numen.north.memories import MemoryRow
from numen.north.menu import Heading, Item, Key, Part, Reading, Slot, drill, path_of, root
from numen.north.missions import Missions
from numen.north.presences import Presences
from numen.north.survey import Survey

LISTED = 50
"""Rows of a slot that are read at most; a drill has room for fewer (ours)."""

PARTS = 20
"""Letters of a mission that are its parts: the last ones (ours)."""

_LONGEST = 160


class Cockpit:
    """Reads the eight slots. Each is read by itself, so that one that cannot be read takes no other along."""

    def __init__(
        self,
        graph: Graph,
        ledger: Ledger,
        missions: Missions,
        maps: Maps,
        presences: Presences,
        survey: Survey,
        health: Health,
    ) -> None:
        self._graph = graph
        self._ledger = ledger
        self._missions = missions
        self._maps = maps
        self._presences = presences
        self._survey = survey
        self._health = health

    def menu(
        self, scope: Scope, path: Path, select: str = "0", *, seen_store_version: str | None = None
    ) -> Mapping[str, Json]:
        """The answer `numen-cockpit-v1` for `select`: the root, or what lies under it, the data inline.

        `seen_store_version` is the one that the caller's last answer had: where the store has moved since,
        the answer says so. Writes nothing. Raises `InvalidInput` for a slot that is none, `NotFound` for an
        item that is not there.
        """
        way = path_of(select)
        brain = self._graph.locate(path)
        version = self._version(scope, brain)
        has_moved = seen_store_version is not None and seen_store_version != version
        heading = Heading(brain.id, str(brain.root), version, has_moved)
        if not way:
            return root(heading, [self._slot(scope, brain, key) for key in Key])
        return drill(heading, self._slot(scope, brain, list(Key)[way[0] - 1]), way)

    def _slot(self, scope: Scope, brain: BrainId, key: Key) -> Slot:
        """One reading of a slot; what cannot be read says why, and is not empty."""
        reads: Mapping[Key, Callable[[Scope, BrainId], Slot]] = {
            Key.TRAY: self._tray,
            Key.MAP: self._map,
            Key.MISSIONS: self._all_missions,
            Key.HEALTH: self._healthy,
            Key.TRUST: self._trust,
            Key.MEMORIES: self._memories,
            Key.DRIFT: self._drift,
            Key.PRESENCES: self._living,
        }
        try:
            return reads[key](scope, brain)
        except Unavailable as damage:
            return Slot(key, Reading.UNREADABLE, why=damage.what)

    def _tray(self, scope: Scope, brain: BrainId) -> Slot:
        waiting = self._missions.tally(scope, brain.id).get(Phase.MERGE_WAIT, 0)
        found = self._missions.missions(scope, brain.id, (Phase.MERGE_WAIT,), LISTED)
        return _read(Key.TRAY, {"waiting": waiting}, [self._mission(scope, brain, one) for one in found])

    def _all_missions(self, scope: Scope, brain: BrainId) -> Slot:
        tally = self._missions.tally(scope, brain.id)
        phases = [phase for phase in Phase if phase is not Phase.ARCHIVED]
        found = self._missions.missions(scope, brain.id, phases, LISTED)
        facts: dict[str, Json] = {str(phase): tally[phase] for phase in Phase if tally.get(phase)}
        return _read(Key.MISSIONS, facts, [self._mission(scope, brain, one) for one in found])

    def _mission(self, scope: Scope, brain: BrainId, one: Mission) -> Item:
        def parts() -> Sequence[Part]:
            _, letters = self._missions.letters(scope, brain.id, one.id, limit=PARTS)
            return [Part(f"{letter.n} {letter.phase}", letter.as_json()) for letter in letters]

        facts: dict[str, Json] = {
            "phase": one.phase,
            "head": one.head,
            "letters": one.n,
            "moved_at": iso(one.moved_at),
        }
        return Item(f"{one.id}: {one.title}" if one.title else one.id, facts, parts)

    def _map(self, scope: Scope, brain: BrainId) -> Slot:
        snapshot, why = self._snapshot(scope, brain)
        view = self._maps.view(scope, brain, snapshot, why)
        if not view.blocks:
            return _read(Key.MAP, {}, [])
        states = [block.state for block in view.blocks]
        facts: dict[str, Json] = {
            "ratified": view.ratified,
            "candidates": states.count(BlockState.CANDIDATE),
            "drifted": states.count(BlockState.DRIFTED),
            "coherence": view.coherence or "unknown",
        }
        items = [_block(view, number, block) for number, block in enumerate(view.blocks)]
        return Slot(Key.MAP, Reading.OK, facts, items, view.why)

    def _healthy(self, scope: Scope, brain: BrainId) -> Slot:
        found = self._health.examined(scope, brain)
        counts = [one.condition for one in found]
        facts: dict[str, Json] = {str(state): counts.count(state) for state in Condition}
        items = [
            Item(f"{one.about}: {one.what}", {"state": one.condition, "mend": one.mend}) for one in found
        ]
        return _read(Key.HEALTH, facts, items)

    def _trust(self, scope: Scope, brain: BrainId) -> Slot:
        found = self._survey.trust(scope, brain)
        facts: dict[str, Json] = {
            "files": len(found.files),
            "mended": found.mended,
            "untested": found.untested,
        }
        items = [Item(one.path, _without(one.as_json(), "path")) for one in found.files[:LISTED]]
        return _read(Key.TRUST, facts if found.files else {}, items)

    def _memories(self, scope: Scope, brain: BrainId) -> Slot:
        found = self._survey.memories(scope, brain, LISTED)
        count = self._survey.remembered(scope, brain)
        return _read(Key.MEMORIES, {"remembered": count}, [_memory(row) for row in found])

    def _drift(self, scope: Scope, brain: BrainId) -> Slot:
        found = self._survey.drift(scope, brain)
        facts: dict[str, Json] = {
            "changed": len(found.changed),
            "added": len(found.added),
            "removed": len(found.removed),
            "symbols": len(found.symbols),
            "memories": len(found.memories),
        }
        items = [
            *(_symbol(one) for one in found.symbols[:LISTED]),
            *(Item(path, {"moved": "removed"}) for path in found.removed[:LISTED]),
            *(_memory(row) for row in found.memories),
        ]
        return _read(Key.DRIFT, facts if found else {}, items)

    def _living(self, scope: Scope, brain: BrainId) -> Slot:
        found = self._presences.living(scope, brain.id)
        pairs = sum(collision(one, other) is not None for one, other in combinations(found, 2))
        items = [_presence(one, words=scope.is_owner) for one in found]
        return _read(Key.PRESENCES, {"at_work": len(found), "collisions": pairs} if found else {}, items)

    def _snapshot(self, scope: Scope, brain: BrainId) -> tuple[Snapshot | None, str]:
        try:
            return self._survey.snapshot(scope, brain), ""
        except Unavailable as damage:
            return None, damage.what

    def _version(self, scope: Scope, brain: BrainId) -> str:
        """A name of the state that answers are drawn from: the last event, the index, who is at work."""
        snapshot, _ = self._snapshot(scope, brain)
        try:
            last = self._ledger.tail(scope, limit=1)
            hands: list[Json] = [list(one.hand) for one in self._presences.living(scope, brain.id)]
        except Unavailable:
            return "unknown"
        seq = last[0].seq if last else 0
        generation = snapshot.generation if snapshot else 0
        return f"{seq}.{generation}.{digest(canonical_bytes(hands))[:6]}"


def _read(key: Key, facts: Mapping[str, Json], items: Sequence[Item]) -> Slot:
    """A slot that could be read: empty where it counts nothing and has no rows."""
    is_empty = not items and not any(facts.values())
    return Slot(key, Reading.EMPTY if is_empty else Reading.OK, {} if is_empty else facts, items)


def _block(view: MapView, number: int, block: Block) -> Item:
    wrong = [fault.text for fault in view.faults if fault.block == block.id]
    facts: dict[str, Json] = {"id": block.id, "state": block.state, "globs": len(block.globs)}
    if view.files is not None:
        facts["files"] = view.files[number]
    if wrong:
        facts["faults"] = len(wrong)

    def parts() -> Sequence[Part]:
        return [
            *([Part(f"for: {block.purpose}", {"purpose": block.purpose})] if block.purpose else []),
            *(Part(f"differs: {text}", {"fault": text}) for text in wrong),
            *(Part(f"uses: {socket}", {"socket": socket}) for socket in block.sockets),
            *(Part(f"holds: {glob}", {"glob": glob}) for glob in block.globs),
        ]

    return Item(block.name, facts, parts)


def _memory(row: MemoryRow) -> Item:
    facts: dict[str, Json] = {"id": row.node_id, "confidence": row.confidence, "stale": row.stale}

    def parts() -> Sequence[Part]:
        whole = Part("claim", {"claim": row.claim, "source_agent": row.source_agent})
        return [whole] if row.evidence is None else [whole, Part("evidence", row.evidence.as_json())]

    return Item(row.claim, facts, parts)


def _symbol(one: Moved) -> Item:
    facts: dict[str, Json] = {
        "moved": "changed",
        "kind": one.kind,
        "lines": f"{one.start}-{one.end}",
        "dependents": len(one.dependents),
    }
    return Item(one.id, facts, lambda: [Part(name) for name in one.dependents])


def _presence(one: Presence, *, words: bool) -> Item:
    body = one.as_json(words=words)
    facts = _without(body, "agent_id", "working_set", "caller_root")
    facts["paths"] = len(one.working_set)
    facts["worktree"] = one.worktree[-_LONGEST:]
    return Item(one.agent, facts, lambda: [Part(path) for path in one.working_set])


def _without(body: Mapping[str, Json], *names: str) -> dict[str, Json]:
    return {name: value for name, value in body.items() if name not in names}
