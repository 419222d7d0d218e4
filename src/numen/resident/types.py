"""What a conversation is made of: sessions, turns, messages, calls with their receipts, the stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from numen.kernel import Json, RoomKey, Via


class TurnState(StrEnum):
    """Where a turn stands. `rules.TURN_MOVES` has every move."""

    QUEUED = "queued"
    THINKING = "thinking"
    ACTING = "acting"
    ASKING = "asking"
    PAUSED = "paused"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class CallState(StrEnum):
    """Where a call of a tool stands: its receipt. `rules.CALL_MOVES` has every move.

    `claimed`: the right to run it was taken, and nobody has said how it ended. `executed`: the tool answered.
    `verified` and `contradicted`: a look afterwards found what it said, or not. `uncertain`: nobody knows
    whether it was done. `denied`, `failed` (the tool refused) and `dropped` (never begun) were not done.
    """

    WANTED = "wanted"
    ASKED = "asked"
    CLAIMED = "claimed"
    EXECUTED = "executed"
    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    UNCERTAIN = "uncertain"
    DENIED = "denied"
    FAILED = "failed"
    DROPPED = "dropped"


class Role(StrEnum):
    """Who says a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Ending(StrEnum):
    """Why a turn stands where it stands."""

    ANSWERED = "answered"
    STOPPED = "stopped"
    BUDGET = "budget"
    MODEL = "model"
    NO_MODEL = "no_model"
    REPEATS = "repeats"
    ASK = "ask"
    NEXT = "next"
    FAULT = "fault"


class NoticeCode(StrEnum):
    """What a conversation is told beside its messages."""

    CUT = "cut"
    SERVERS = "servers"
    NO_RECEIPT = "no_receipt"
    BUDGET = "budget"
    MODEL = "model"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one turn may use; None is no limit. Each is taken in steps of itself: a yes gives it once more.

    `steps` are calls of the model (resident contract, Loop); `tokens` go in and out, `money` is in millionths
    of a dollar, `seconds` are those in which the turn was at work.
    """

    steps: int = 15
    tokens: int | None = 400_000
    money: int | None = None
    seconds: int | None = 900


@dataclass(frozen=True, slots=True)
class Habits:
    """How the resident answers. `persona` is who it is, in the owner's words (`SOUL.md`).

    `window` are the tokens of a conversation that a model is shown where it does not say how many it takes;
    `per_day` are those that all turns of a day may use; `max_tokens` those of one answer.
    """

    persona: str = "You are Numen, a resident agent. You are brief, exact and honest."
    limits: Limits = field(default_factory=Limits)
    max_tokens: int = 4_096
    temperature: float = 0.2
    window: int = 32_000
    per_day: int | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What a turn has used so far. `money` is None as soon as one price is not known."""

    steps: int = 0
    input: int = 0
    output: int = 0
    money: int | None = 0
    millis: int = 0

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Breach:
    """A limit that is reached: which one, how much was used, how much may be."""

    name: str
    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. `whose` is the viewer it belongs to, `actor` the id of the agent that answers."""

    id: str
    whose: str
    room: RoomKey
    via: Via
    title: str
    actor: str
    created_at: datetime
    active_at: datetime
    pinned: bool = False
    archived: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a person and all that followed from it. `grip` tells apart those who ran it."""

    id: str
    session: str
    n: int
    state: TurnState
    started_at: datetime
    spent: Spent = field(default_factory=Spent)
    extensions: int = 0
    ending: Ending | None = None
    ask: str | None = None
    ended_at: datetime | None = None
    stop: bool = False
    grip: int = 0
    query: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What a person or the agent said. `seq` is its event's number in the ledger; `step` the model's call.

    `after` is the number of the event up to which whoever said it knew: what a person says while a model
    speaks comes after that, though it is kept before.
    """

    id: str
    seq: int
    session: str
    turn: str
    step: int
    role: Role
    text: str
    at: datetime
    after: int


@dataclass(frozen=True, slots=True)
class ReadBack:
    """A look that tells whether a call did what it says: a reading tool, its arguments, what it must show.

    In `args` a text `$name` stands for the call's own argument of that name. `expect` are JSON pointers into
    what the tool gives (RFC 6901), and the values that must stand there.
    """

    tool: str
    args: Mapping[str, Json] = field(default_factory=dict[str, Json])
    expect: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the model sees it: `name` is `<server>__<tool>`; `hints` are what its server says of it."""

    name: str
    server: str
    tool: str
    description: str
    schema: Mapping[str, Json]
    hints: Mapping[str, bool] = field(default_factory=dict[str, bool])
    read_back: ReadBack | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool in a turn, and its receipt. `ref` is the id that the model gave it.

    `result` is what the tool gave, whole, with references in place of secrets; None until it did.
    """

    id: str
    turn: str
    step: int
    place: int
    ref: str
    name: str
    args: Mapping[str, Json]
    state: CallState
    reads: bool = False
    claim: str | None = None
    ask: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What a tool gave: its text, and whether it says that it failed. `certain` is False if nobody knows."""

    text: str
    ok: bool = True
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what a model is shown: a message, or the result of the call of that `ref`."""

    role: str
    text: str
    calls: tuple[Called, ...] = ()
    ref: str | None = None
    name: str = ""
    turn: str = ""


class InputState(StrEnum):
    """What became of something that a tool asks a person for (an MCP elicitation)."""

    OPEN = "open"
    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Input:
    """What a tool asks a person for while it runs. `schema` says of which form the answer must be."""

    id: str
    session: str
    turn: str
    call: str
    state: InputState
    asked_at: datetime
    answer: Mapping[str, Json] | None = None
    message: str = ""
    schema: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Agent:
    """Who answers: an id that stays, and a name that may change (`agent:numen`)."""

    id: str
    slug: str


class StreamKind(StrEnum):
    """The types of what a conversation streams (resident contract, HTTP)."""

    MESSAGE = "message"
    """What a person said: so that every device shows the same conversation."""
    TEXT = "text"
    TEXT_RESET = "text_reset"
    TOOL_USE = "tool_use"
    TOOL_RESULT = "tool_result"
    ASK = "ask"
    BUDGET = "budget"
    NOTICE = "notice"
    ERROR = "error"
    DONE = "done"


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A place in a session's stream: the number of an event, and how many characters of its text were seen.

    Written `<seq>` or `<seq>.<n>` (decision 12).
    """

    seq: int = 0
    n: int = 0

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.seq}.{self.n}" if self.n else str(self.seq)


@dataclass(frozen=True, slots=True)
class Streamed:
    """One event of a stream: where it stands, its type, and its fields."""

    at: Cursor
    kind: StreamKind
    data: Mapping[str, Json]
