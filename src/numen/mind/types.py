"""What the mind is concerned with, what it intends, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum

from numen.kernel import Json, iso


class Drive(StrEnum):
    """Why the mind does anything unasked (mind contract, Mind)."""

    DUTY = "duty"
    SOCIAL = "social"
    CURIOSITY = "curiosity"
    MASTERY = "mastery"
    UPKEEP = "upkeep"


class IntentionKind(StrEnum):
    """What an intention is. A goal travels as a task that goes on until it is reached."""

    TASK = "task"
    MESSAGE = "message"
    NOTE = "note"
    GOAL = "goal"


class State(StrEnum):
    """Where an intention stands. Its moves are in `rules.MOVES`."""

    PROPOSED = "proposed"
    ASKED = "asked"
    APPROVED = "approved"
    DISPATCHED = "dispatched"
    SENDING = "sending"
    DONE = "done"
    SENT = "sent"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    DROPPED = "dropped"


class ConcernState(StrEnum):
    """Where a concern stands."""

    OPEN = "open"
    RESOLVED = "resolved"
    CROWDED = "crowded"
    """There were more than can be kept in mind, and this was the least of them."""


class Reason(StrEnum):
    """Why an intention moved."""

    FORMED = "formed"
    ALLOWED = "allowed"
    ASKED = "asked"
    YES = "yes"
    NO = "no"
    DENIED = "denied"
    ASK_EXPIRED = "ask_expired"
    LATE = "late"
    BOUND = "bound"
    CLAIMED = "claimed"
    REPORTED = "reported"
    UNSETTLED = "unsettled"
    OFF = "off"
    UNWANTED = "unwanted"
    """Whom it was for does not want to be written to, or is not known any more."""
    FORGOTTEN = "forgotten"
    """What it rested on was forgotten."""
    OWNER = "owner"
    """The owner said so."""


class Verified(StrEnum):
    """Who vouches for an outcome; nobody else's word makes a lesson."""

    OWNER = "owner"
    CHECK = "check"
    HERMES_FAILURE = "hermes_failure"


class Outcome(StrEnum):
    """What a body says became of a task or a message."""

    DONE = "done"
    BLOCKED = "blocked"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNCERTAIN = "uncertain"


class Judgement(StrEnum):
    """What the owner says of something that the mind did (wire contract, 1.5)."""

    ACTIONED = "actioned"
    DISMISSED = "dismissed"
    IGNORED = "ignored"
    USEFUL = "useful"
    NOT_USEFUL = "not_useful"
    WRONG = "wrong"

    @property
    def is_good(self) -> bool:
        """Whether more of the kind is welcome."""
        return self in {Judgement.ACTIONED, Judgement.USEFUL}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be done about something. `recipient` is a contact; None is the owner.

    `asked_for`: the owner asked for these words, so no budget counts them. `exact`: at this very time, so
    quiet hours do not hold them.
    """

    kind: IntentionKind
    title: str = field(repr=False)
    body: str = field(repr=False)
    recipient: str | None = None
    asked_for: bool = False
    exact: bool = False
    priority: int = 0
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """What a drive sees. The same `key` at another `stage` is a reason to speak again.

    `about` are the ids that it rests on; `weight` is 0..1.
    """

    drive: Drive
    key: str
    stage: str
    weight: float
    about: tuple[str, ...]
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Concern:
    """Something on the mind's mind. `salience` is as of `felt_at`, and halves every twelve hours."""

    id: str
    drive: Drive
    key: str
    stage: str
    title: str = field(repr=False)
    salience: float
    felt_at: datetime
    raised_at: datetime
    about: tuple[str, ...]
    state: ConcernState = ConcernState.OPEN
    resolved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Intention:
    """Something that the mind means to do. `claim` is the gate's right to do it, `ask` the owner's question.

    `ref` is what the body calls the task; `via` is through what a message went: the body, or the inbox.
    """

    id: str
    kind: IntentionKind
    state: State
    key: str
    title: str = field(repr=False)
    body: str = field(repr=False)
    created_at: datetime
    moved_at: datetime
    expires_at: datetime
    drive: Drive | None = None
    concern: str | None = None
    recipient: str | None = None
    asked_for: bool = False
    exact: bool = False
    priority: int = 0
    turns: int | None = None
    ask: str | None = None
    claim: str | None = None
    ref: str | None = None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One step of an intention, and its evidence in words."""

    n: int
    before: State | None
    after: State
    reason: Reason
    words: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class Report:
    """What was told about an intention that was carried out."""

    id: str
    intention: str
    outcome: str
    final: bool
    verified: Verified | None
    words: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class Account:
    """Everything about one intention: how it came to be, where it stands, how it got there."""

    intention: Intention
    moves: tuple[Move, ...]
    reports: tuple[Report, ...]
    concern: Concern | None


@dataclass(frozen=True, slots=True)
class BoardTask:
    """A task on the body's board, as the body saw it."""

    id: str
    title: str = field(repr=False)
    status: str = ""
    idle_s: float = 0.0
    block_kind: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the body saw last: how many tasks of each status, and which need somebody."""

    board: str
    observed_at: datetime
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    stale: tuple[BoardTask, ...] = ()
    blocked: tuple[BoardTask, ...] = ()
    goals: tuple[BoardTask, ...] = ()


@dataclass(frozen=True, slots=True)
class Quiet:
    """Between which local times nothing is sent; `start` may be later than `end`."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class Habits:
    """How the mind works: the owner's settings, and the bounds of the contract."""

    quiet: Quiet | None = Quiet(time(22), time(8))
    weights: Mapping[Drive, float] = field(
        default_factory=lambda: {
            Drive.DUTY: 1.0,
            Drive.SOCIAL: 0.5,
            Drive.CURIOSITY: 0.5,
            Drive.MASTERY: 1.0,
            Drive.UPKEEP: 1.0,
        }
    )
    concurrent: int | None = 2
    runtime: timedelta = timedelta(minutes=10)
    retries: int = 1


@dataclass(frozen=True, slots=True)
class Ticked:
    """What one tick did. `asleep` says why it formed no intentions, where it did not."""

    at: datetime
    raised: int = 0
    resolved: int = 0
    formed: int = 0
    moved: int = 0
    delivered: int = 0
    asleep: str | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        counts: dict[str, Json] = {
            "raised": self.raised,
            "resolved": self.resolved,
            "formed": self.formed,
            "moved": self.moved,
            "delivered": self.delivered,
        }
        return {"ok": True, "at": iso(self.at), **counts, "asleep": self.asleep}
