"""What memory keeps and what it says about it: turns, claims, their evidence, and what became of a write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from numen.kernel import Audience, Conflict, Json, NotFound, iso

LONGEST_SAID = 4_000
"""Characters of a message that facts are looked for in: longer ones were pasted, not said (ours)."""

LONGEST_CLAIM = 2_000
"""Characters of a claim: a sentence somebody could check, with room to spare (ours)."""

LONGEST_FOUND = 100_000
"""Characters of a message that can be found again; what stands after them is kept and not searched (ours)."""

LONGEST_SESSION = 512
"""Characters of a session's or a turn's name, as of a room's id (`people.rules`)."""

DEFAULT_BUDGET = 1_200
"""Tokens of a recall that names no budget (ours: about fifteen messages of ordinary length)."""

MOST_ROWS = 25
"""Rows that a recall gives at most; multi-hop questions want more rows, not more probes (findings-recall)."""


class Role(StrEnum):
    """Who spoke in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Origin(StrEnum):
    """Where words came from. Those of tools and of the system are kept and never recalled."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    WEB = "web"
    SYSTEM = "system"


class Confidence(StrEnum):
    """How well a claim is founded, best first."""

    VERIFIED = "verified"
    STATED = "stated"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


class ClaimState(StrEnum):
    """What became of a claim."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    CONFLICTED = "conflicted"


class ClaimTier(StrEnum):
    """Whether a claim is one project's or goes with its owner everywhere."""

    PROJECT = "project"
    MEDULLA = "medulla"


class EvidenceKind(StrEnum):
    """What a claim rests on."""

    TURN = "turn"
    CODE = "code"
    URL = "url"


class Freshness(StrEnum):
    """Whether the evidence still says what it said, looked at when the answer is made.

    `fresh`: the cited lines are unchanged. `stale`: they changed. `missing`: they are gone. `unknown`: it
    cannot be told here. `said`: the evidence is what somebody said, which does not change.
    """

    FRESH = "fresh"
    STALE = "stale"
    MISSING = "missing"
    UNKNOWN = "unknown"
    SAID = "said"


class Outcome(StrEnum):
    """What became of a claim that was brought."""

    CREATED = "created"
    DUPLICATE_OF = "duplicate_of"
    SUPERSEDES = "supersedes"
    CONFLICTS_WITH = "conflicts_with"
    REFUSED = "refused"


class Reason(StrEnum):
    """Why a claim was refused."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    RECALLED = "recalled_text"
    WITHHELD = "secret_withheld"
    FORGOTTEN = "forgotten"


class TurnConflict(Conflict):
    """A turn of that id was kept with other words; they stay."""

    code = "turn_conflict"


class NothingMatches(NotFound):
    """Nothing that the caller may forget matches; what is another's is as what is not there."""

    code = "no_matching_sources"
    http_status = 409


@dataclass(frozen=True, slots=True)
class Message:
    """Words of one side of a turn, as they came."""

    role: Role
    text: str = field(repr=False)
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn to keep: what was said in it, under the id by which its sender names it.

    Without `source` it cannot be told from another of the same words, and is kept each time. `occurred_at` is
    when it was said, by the sender's word: it may lie before others that are kept, or in the future. A
    `checkpoint` repeats what a session holds: of it only what is not kept yet, and was not forgotten, is new.
    """

    session: str
    messages: Sequence[Message]
    source: str | None = None
    occurred_at: datetime | None = None
    model: str | None = None
    checkpoint: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One message that is kept. `whose`: the person whose conversation it was (`rules.whose`)."""

    id: str
    whose: str
    source: str
    part: int
    digest: str
    session: str
    position: int
    room: str
    role: Role
    origin: Origin
    speaker: str
    audience: Audience
    text: str = field(repr=False)
    model: str | None
    occurred_at: datetime
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a turn: `replayed` had been kept before, `erased` was forgotten and stays so.

    `turns` are the ids of its messages, `claims` and `commitments` of what its words said.
    """

    turns: tuple[str, ...] = ()
    replayed: bool = False
    erased: bool = False
    claims: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a claim rests on: a turn's id, `path#Lx-Ly` below `root` with a digest of the lines, or a URL."""

    kind: EvidenceKind
    ref: str
    root: str = ""
    digest: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A sentence to remember. A missing confidence is `unknown`."""

    text: str = field(repr=False)
    subject: str = ""
    predicate: str = ""
    value: str = ""
    confidence: Confidence = Confidence.UNKNOWN
    tier: ClaimTier = ClaimTier.MEDULLA
    brain: str = ""
    audience: Audience = Audience.OWNER
    evidence: tuple[Evidence, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    taint: bool = False
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that somebody could check, with what it rests on.

    `author` is who brought it: a viewer, or `words` where it was taken from what a person said.
    """

    id: str
    whose: str
    audience: Audience
    text: str = field(repr=False)
    subject: str
    predicate: str
    value: str
    confidence: Confidence
    state: ClaimState
    tier: ClaimTier
    brain: str
    author: str
    taint: bool
    pinned: bool
    created_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a claim: the claim that stands for it, and the other one that the outcome speaks of."""

    outcome: Outcome
    claim: str | None = None
    other: str | None = None
    reason: Reason | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form; what is not known is absent."""
        known: dict[str, Json] = {"claim": self.claim, "other": self.other, "reason": self.reason}
        return {"outcome": self.outcome} | {name: one for name, one in known.items() if one is not None}


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that is remembered: the words, who said them, when, what they rest on, and whether it holds.

    `who` is a name to show. `state` is a claim's, and `active` for what was said.
    """

    id: str
    quote: str
    who: str
    when: datetime
    evidence: tuple[str, ...]
    freshness: Freshness
    state: ClaimState = ClaimState.ACTIVE
    related: tuple[str, ...] = ()
    taint: bool = False

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        body: dict[str, Json] = {
            "id": self.id,
            "quote": self.quote,
            "who": self.who,
            "when": iso(self.when),
            "evidence": list(self.evidence),
            "freshness": self.freshness,
        }
        if self.state is not ClaimState.ACTIVE:
            body["state"] = self.state
        if self.related:
            body["related"] = list(self.related)
        if self.taint:
            body["taint"] = True
        return body


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is remembered of a question. `abstained`: nothing is near enough, and `searched` says in what.

    `degraded` names what could not be asked; an answer with it may lack rows that are there. `held_back`
    counts rows that the budget had no room for.
    """

    rows: tuple[Row, ...]
    abstained: bool
    searched: Mapping[str, Json]
    degraded: tuple[str, ...] = ()
    held_back: int = 0

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": "numen-recall-v1",
            "rows": [row.as_json() for row in self.rows],
            "abstained": self.abstained,
            "searched": dict(self.searched),
            "degraded": list(self.degraded),
            "held_back": self.held_back,
        }


class Debtor(StrEnum):
    """Who owes what was promised."""

    OWNER = "owner"
    ASSISTANT = "assistant"
    OTHER = "other"


class Due(StrEnum):
    """How exactly a due time is known."""

    MINUTE = "minute"
    DAY = "day"


class CommitmentState(StrEnum):
    """How a commitment stands; `overdue` is a pending one whose time has passed."""

    PENDING = "pending"
    OVERDUE = "overdue"
    FULFILLED = "fulfilled"
    CANCELLED = "cancelled"


class Resolution(StrEnum):
    """What came of a commitment."""

    DONE = "done"
    INVALID = "invalid"
    DUPLICATE = "duplicate"
    WONT_DO = "wont_do"
    OBSOLETE = "obsolete"


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise as words say it. `who` owes; for a person who is not the owner `owner` means the speaker."""

    what: str = field(repr=False)
    who: Debtor
    due_at: datetime | None = None
    precision: Due | None = None
    to_whom: str = ""


@dataclass(frozen=True, slots=True)
class Commitment:
    """Something that somebody owes. `snoozed` counts how often its time was put off."""

    id: str
    whose: str
    what: str = field(repr=False)
    who: Debtor
    to_whom: str
    due_at: datetime | None
    precision: Due | None
    timezone: str
    state: CommitmentState
    outcome: Resolution | None
    reason: str
    resolved_by: str | None
    snoozed: int
    turn: str | None
    made_at: datetime
    changed_at: datetime

    @property
    def key(self) -> str:
        """What is told once: the commitment at this time; put off, it is told again."""
        return f"{self.id}:{'-' if self.due_at is None else iso(self.due_at)}"
