"""What is judged, and what the gate says to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from numen.kernel import Forbidden, Json


class EffectClass(StrEnum):
    """What a call does to the world (mind contract, Gate)."""

    READ = "read"
    INTERNAL = "internal"
    OWNER_MESSAGE = "owner_message"
    CONTACT_MESSAGE = "contact_message"
    EXTERNAL = "external"
    EXEC = "exec"
    MONEY = "money"
    CREDENTIAL = "credential"
    IRREVERSIBLE = "irreversible"
    BULK = "bulk"

    @property
    def gravity(self) -> int:
        """Of several classes the one of the highest gravity is a call's."""
        return _GRAVITY.index(self)


_GRAVITY = (
    EffectClass.READ,
    EffectClass.INTERNAL,
    EffectClass.OWNER_MESSAGE,
    EffectClass.EXEC,
    EffectClass.EXTERNAL,
    EffectClass.CONTACT_MESSAGE,
    EffectClass.BULK,
    EffectClass.CREDENTIAL,
    EffectClass.IRREVERSIBLE,
    EffectClass.MONEY,
)

FLOOR = frozenset({EffectClass.MONEY, EffectClass.CREDENTIAL, EffectClass.IRREVERSIBLE, EffectClass.BULK})
"""What asks at every level of autonomy (mind contract, Gate)."""


class Autonomy(StrEnum):
    """How much is done without asking."""

    OFF = "off"
    SUGGEST = "suggest"
    STANDARD = "standard"
    TRUSTED = "trusted"


class Decision(StrEnum):
    """What the gate says."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Rule(StrEnum):
    """Which rule decided."""

    READ = "read"
    OFF = "off"
    DENIED = "deny_list"
    GUEST = "guest"
    NEVER = "may_contact_never"
    OWN_CHAT = "own_chat"
    WORKSPACE = "outside_workspace"
    FLOOR = "floor"
    LEVEL = "level"
    PERMISSION = "may_contact"
    TAINT = "taint"
    UNBOUNDED = "unbounded"
    BREAKER = "breaker"
    BUDGET = "budget"
    PARKED = "parked"
    UNSHOWABLE = "cannot_be_shown"
    GRANT = "grant"
    NOD = "nod"
    ERROR = "gate_error"


class Run(StrEnum):
    """Who acts."""

    OWNER = "owner"
    """A turn in the owner's own session."""
    MIND = "mind"
    """The mind, or a worker on a task of it."""
    GUEST = "guest"
    """A turn in a contact's session."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a call does: of which class, why, and to what. `bounded`: all of it can be read."""

    cls: EffectClass
    why: str
    target: str | None = None
    bounded: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, with references in place of secrets. `source` is the MCP server that has it."""

    tool: str
    args: Mapping[str, Json]
    target: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does. `digest` binds it to the exact call; `taint` names where its arguments came from."""

    cls: EffectClass
    call: Call
    digest: str
    why: str
    target: str | None = None
    recipients: tuple[str, ...] = ()
    amount: int | None = None
    currency: str | None = None
    bounded: bool = True
    taint: tuple[str, ...] = ()
    reversible: bool = True


@dataclass(frozen=True, slots=True)
class Lineage:
    """From what a call comes: `root` is the same for all that follows from one cause.

    `workspace` is the only folder that a worker may write to. `asked_for`: the owner asked for this message,
    so no budget counts it.
    """

    root: str
    run: Run = Run.OWNER
    task: str | None = None
    session: str | None = None
    workspace: str | None = None
    asked_for: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the owner. `calls` are shown whole; `state` is open, yes, no, expired or spent."""

    code: str
    id: str
    cls: EffectClass
    state: AskState
    lineage: str
    task: str | None
    created_at: datetime
    expires_at: datetime
    calls: tuple[AskedCall, ...]
    decided_at: datetime | None = None
    via: str | None = None

    @property
    def text(self) -> str:
        """The question in words, whole."""
        shown = "\n".join(f"- {call.words}" for call in self.calls)
        return f"May this be done ({self.cls})?\n{shown}\nAnswer: yes {self.code}, or no {self.code}."


class AskState(StrEnum):
    """Where an ask stands. A table of moves is in `rules.MOVES`."""

    OPEN = "open"
    YES = "yes"
    NO = "no"
    EXPIRED = "expired"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class AskedCall:
    """One call of an ask: what binds it, its words, and whether the yes to it was used up."""

    digest: str
    words: str
    spent: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says to an effect, and by which rule. `retry`: asking again later may end otherwise."""

    decision: Decision
    rule: Rule
    effect: Effect
    lineage: Lineage
    reason: str
    ask: Ask | None = None
    grant: str | None = None
    retry: bool = False


class Outcome(StrEnum):
    """How a claimed call ended."""

    DONE = "done"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    HANDED = "handed"
    """The right was given to a client that acts by itself and does not say how it went."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to run one call, once. Only who holds it runs it."""

    id: str
    digest: str
    cls: EffectClass
    made_at: datetime


class GrantKind(StrEnum):
    """How long a grant lasts."""

    ONCE = "once"
    TASK = "task"
    SESSION = "session"
    UNTIL = "until"
    STANDING = "standing"


@dataclass(frozen=True, slots=True)
class Grant:
    """What the owner allowed beforehand. With a `problem` it is inert, and that says why."""

    id: str
    kind: GrantKind | None
    spec: Mapping[str, Json]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    uses: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets (mind contract, Gate); None is no limit. Money is in minor units of each currency a day."""

    tasks_per_hour: int | None = 4
    concurrent_tasks: int | None = 2
    owner_messages_per_day: int | None = 3
    outreach_per_day: int | None = 3
    outreach_gap_hours: int = 2
    contact_messages_per_day: int | None = 5
    contact_cooldown_hours: int = 24
    llm_tokens_per_day: int | None = None
    money_per_day: int | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner's settings say of the gate."""

    autonomy: Autonomy = Autonomy.STANDARD
    denied_tools: frozenset[str] = frozenset()
    denied_text: tuple[str, ...] = ()
    tools: Mapping[str, EffectClass] = field(default_factory=dict[str, EffectClass])
    trusted_servers: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)


class NotAllowed(Forbidden):
    """The gate did not allow the call; it was not run."""

    code = "not_allowed"
