"""What one orientation says, as values: the packet `numen-north-v1` and its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from numen.graph.types import Freshness
from numen.kernel import Json
from numen.north.blocks import MapSign
from numen.north.collisions import Hand
from numen.north.memories import MemoryRow, Tier

PACKET_SCHEMA = "numen-north-v1"
CARD_SCHEMA = "numen-human-view-v1"

NON_CLAIMS = (
    "It only read.",
    "It refreshed nothing.",
    "It replaces no test or reading.",
    "An absent age is unknown.",
)
"""What no packet claims (north contract, "The card", last sentence)."""


class State(StrEnum):
    """How far the picture can be trusted, best first: the one verdict that all else follows."""

    FULL_TRUST = "full_trust"
    DEGRADED = "degraded"
    STALE = "stale"
    EMPTY = "empty"
    NEEDS_INGEST = "needs_ingest"
    WRONG_REPO = "wrong_repo"


class GapCode(StrEnum):
    """Everything a packet can say that it does not know; the text is rendered from the code."""

    WRONG_REPO = "binding.wrong_repo"
    INDEX_ABSENT = "index.absent"
    INDEX_DAMAGED = "index.damaged"
    INDEX_EMPTY = "index.empty"
    TREE_DRIFTED = "tree.drifted"
    TREE_UNKNOWN = "tree.unknown"
    FOCUS_NONE = "focus.none"
    FOCUS_WEAK = "focus.weak"
    WITHIN_UNMATCHED = "within.unmatched"
    WITHIN_MEMORY_ONLY = "within.memory_only"
    TIER_UNKNOWN = "tier.unknown"
    MEMORY_UNREADABLE = "memory.unreadable"
    MEMORY_NO_MATCH = "memory.no_match"
    MEMORY_EMPTY = "memory.empty"
    HEAD_MOVED = "history.behind"
    HISTORY_NONE = "history.none"
    HISTORY_SHALLOW = "history.shallow"
    COLLISION = "presence.collision"
    LANDING_BELL = "missions.merge_wait"
    MAP_MISMATCH = "map.mismatch"


class Severity(StrEnum):
    """How much a gap matters, worst first."""

    CRITICAL = "critical"
    WARNING = "warning"
    NOTE = "note"


class SufficiencyState(StrEnum):
    """Whether what the packet shows is enough to start; judged from the scores alone, never from answers."""

    SUFFICIENT = "sufficient"
    GATHERING = "gathering"
    SATURATED = "saturated"
    ABSENT = "absent"


class Relation(StrEnum):
    """What the caller's directory is to the repository that was asked about."""

    WORKTREE = "worktree"
    CLONE = "clone"
    NESTED = "nested"
    OUTER = "outer"
    OTHER = "other"


class CardState(StrEnum):
    """The form of the card, most urgent first."""

    MISMATCH = "mismatch"
    NEEDS_INGEST = "needs_ingest"
    BELL = "bell"
    COHERENCE = "coherence"
    ATTENTION = "attention"
    CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class NorthRequest:
    """What an agent asks before it touches a repository.

    `path` is any place in the repository; `caller_root` is where the caller itself works, None if unknown.
    `within` limits the search to a path prefix, or to memory with `light::`. `budget_tokens` counts
    ceil(UTF-8 bytes / 4) of the whole packet. `ascii` maps the card's signs 1:1. `hand` is what the caller
    is about to do, None for one that is no agent: who is in its way is told to a hand only.
    """

    task: str
    agent_id: str
    path: Path
    top_k: int = 8
    within: str | None = None
    tier: str = Tier.PROJECT
    caller_root: str | None = None
    budget_tokens: int = 900
    ascii: bool = False
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a verb that can be made as it stands."""

    tool: str
    args: Mapping[str, Json]
    why: str = ""

    def line(self) -> str:
        """The call on one line: `ingest path=/home/ada/flask`."""
        return " ".join([self.tool, *(f"{name}={value}" for name, value in self.args.items())])

    def as_json(self) -> dict[str, Json]:
        """The wire form; `why` only where there is one."""
        body: dict[str, Json] = {"tool": self.tool, "args": dict(self.args)}
        return body | {"why": self.why} if self.why else body


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is not known, with the call that would mend it where there is one."""

    code: GapCode
    severity: Severity
    text: str
    repair: Call | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form; `repair` only where there is one."""
        body: dict[str, Json] = {"code": self.code, "severity": self.severity, "text": self.text}
        return body | {"repair": self.repair.as_json()} if self.repair else body


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worst of binding, freshness and confidence, and the codes of the gaps that made it so."""

    state: State
    reasons: tuple[GapCode, ...]

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"state": self.state, "reasons": list(self.reasons)}


@dataclass(frozen=True, slots=True)
class Brain:
    """Which tree the packet speaks of, as it stands now.

    `dirty` says whether tracked files differ from the commit; None where that is not known.
    `fingerprint` names the index that was read; None where none could be.
    """

    id: str
    root: str
    branch: str | None
    commit: str | None
    dirty: bool | None
    fingerprint: str | None

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "id": self.id,
            "root": self.root,
            "branch": self.branch,
            "commit": self.commit,
            "dirty": self.dirty,
            "fingerprint": self.fingerprint,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """One node to look at: where it is, how well it fits the task and why, and whether it is still so."""

    id: str
    kind: str
    path: str
    start: int
    end: int
    signature: str
    score: float
    why: tuple[str, ...]
    freshness: Freshness

    def as_json(self) -> dict[str, Json]:
        """The wire form; `lines` is `first-last`, 1-based and inclusive."""
        return {
            "id": self.id,
            "kind": self.kind,
            "path": self.path,
            "lines": f"{self.start}-{self.end}",
            "signature": self.signature,
            "score": self.score,
            "why": list(self.why),
            "freshness": self.freshness,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much was looked at: files and nodes in the index, files ranked, files not parsed."""

    files: int
    nodes: int
    searched: int
    problems: int

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "files": self.files,
            "nodes": self.nodes,
            "searched": self.searched,
            "problems": self.problems,
        }


@dataclass(frozen=True, slots=True)
class Context:
    """Where to start: focus and anchors are cut from one scored list, focus first."""

    focus: tuple[Place, ...]
    anchors: tuple[Place, ...]
    coverage: Coverage
    memory_nearby: tuple[MemoryRow, ...]
    suggested_first_calls: tuple[Call, ...]

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "focus": [place.as_json() for place in self.focus],
            "anchors": [place.as_json() for place in self.anchors],
            "coverage": self.coverage.as_json(),
            "memory_nearby": [row.as_json() for row in self.memory_nearby],
            "suggested_first_calls": [call.as_json() for call in self.suggested_first_calls],
        }


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether what is shown is enough to start.

    `captured` is the share of the strong hits that the packet shows. `reliability` is how often this
    state was right where a fit report measured it; None where nothing did, and `why` then says so.
    """

    state: SufficiencyState
    top_score: float
    captured: float
    why: str
    reliability: float | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form; `reliability` only where it was measured."""
        body: dict[str, Json] = {
            "state": self.state,
            "top_score": self.top_score,
            "captured": self.captured,
            "why": self.why,
        }
        return body | {"reliability": self.reliability} if self.reliability is not None else body


@dataclass(frozen=True, slots=True)
class Reception:
    """The warning that the caller works elsewhere than the repository that was asked about."""

    relation: Relation
    sentence: str
    bound: str
    yours: str

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "match": "caller_root_mismatch",
            "relation": self.relation,
            "honest": self.sentence,
            "bound": self.bound,
            "yours": self.yours,
        }


@dataclass(frozen=True, slots=True)
class HumanView:
    """The card for a person: at most four lines, already mounted."""

    state: CardState
    state_sig: str
    lines: tuple[str, ...]

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": CARD_SCHEMA,
            "state": self.state,
            "state_sig": self.state_sig,
            "lines": list(self.lines),
        }


@dataclass(frozen=True, slots=True)
class Budget:
    """What the packet may cost, what it costs, and how many items of which section were left out."""

    limit: int
    used: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        dropped: list[Json] = [{"section": name, "count": count} for name, count in self.dropped.items()]
        return {"limit": self.limit, "used": self.used, "dropped": dropped}


@dataclass(frozen=True, slots=True)
class Packet:
    """One honest answer to: where am I, where do I start, what is known, is it enough, what next.

    `memory_exists` counts the durable store; None where it could not be read. `bell` counts missions that
    wait for a person to land them.
    """

    task: str
    at: str
    brain: Brain
    verdict: Verdict
    context: Context | None
    memory: tuple[MemoryRow, ...]
    memory_exists: int | None
    sufficiency: Sufficiency | None
    next_move: str
    gaps: tuple[Gap, ...]
    budget: Budget
    needs: str | None = None
    recovery: Call | None = None
    reception: Reception | None = None
    bell: int = 0
    map: MapSign | None = None
    human_view: HumanView | None = None

    def as_json(self) -> dict[str, Json]:
        """The packet as `numen-north-v1`; absent fields are absent, not null."""
        body: dict[str, Json] = {
            "schema": PACKET_SCHEMA,
            "task": self.task,
            "at": self.at,
            "brain": self.brain.as_json(),
            "verdict": self.verdict.as_json(),
            "context": self.context.as_json() if self.context else None,
            "memory": [row.as_json() for row in self.memory],
            "memory_exists": self.memory_exists,
            "sufficiency": self.sufficiency.as_json() if self.sufficiency else None,
            "next_move": self.next_move,
            "gaps": [gap.as_json() for gap in self.gaps],
            "needs": self.needs,
            "budget": self.budget.as_json(),
            "non_claims": list(NON_CLAIMS),
            "proof_state": "triaging",
        }
        if self.bell:
            body["landing_bell"] = {"merge_wait": self.bell}
        absent = {
            "recovery": self.recovery,
            "reception": self.reception,
            "map": self.map,
            "human_view": self.human_view,
        }
        return body | {name: part.as_json() for name, part in absent.items() if part is not None}
