"""The words of the cycle: its steps and sides, what a room may spend, what is known, thought and traced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import ClassVar

from numen.kernel import Json, NumenError, iso

DEEPEST = 4
"""Pairs of a whole turn (cycle contract, The 23 steps)."""


class Step(IntEnum):
    """The 23 steps of a turn, in the one order in which they come (cycle contract)."""

    INPUT = 1
    ENRICH = 2
    FIRST_THOUGHT = 3
    W1 = 4
    E1 = 5
    LENSES_1 = 6
    W2 = 7
    E2 = 8
    LENSES_2 = 9
    INTEGRATE_1 = 10
    W3 = 11
    E3 = 12
    LENSES_3 = 13
    INTEGRATE_2 = 14
    W4 = 15
    E4 = 16
    LENSES_4 = 17
    FINAL = 18
    PACK = 19
    GATE = 20
    ROUTE = 21
    SYNTHESISE = 22
    CONTRAST = 23

    @property
    def label(self) -> str:
        """The step as a word in traces and messages."""
        return self.name.lower()


class Side(StrEnum):
    """One half of a pair: what it looks for, straining against its partner."""

    DOUBT = "doubt"
    ALIGNMENT = "alignment"
    BOUNDS = "bounds"
    MIRROR = "mirror"
    SHADOW = "shadow"
    WITNESS = "witness"
    PRAGMATIC = "pragmatic"
    FLOW = "flow"


SIDES: Mapping[Step, Side] = dict(
    zip((Step.W1, Step.E1, Step.W2, Step.E2, Step.W3, Step.E3, Step.W4, Step.E4), Side, strict=True)
)
"""Which side speaks at which step."""

PAIR_OF: Mapping[Step, int] = {
    **dict.fromkeys((Step.W1, Step.E1, Step.LENSES_1), 0),
    **dict.fromkeys((Step.W2, Step.E2, Step.LENSES_2), 1),
    **dict.fromkeys((Step.W3, Step.E3, Step.LENSES_3), 2),
    **dict.fromkeys((Step.W4, Step.E4, Step.LENSES_4), 3),
}
"""To which of the four pairs a step belongs."""

DRAWS: Mapping[Step, int] = {Step.LENSES_1: 2, Step.LENSES_2: 2, Step.LENSES_3: 2, Step.LENSES_4: 4}
"""How many lenses are dealt at a step (cycle contract: 2/2/2/4)."""

INTEGRATES: Mapping[Step, tuple[int, ...]] = {
    Step.INTEGRATE_1: (0, 1),
    Step.INTEGRATE_2: (2,),
    Step.FINAL: (3,),
}
"""Whose objections a step answers, by pair."""


class Label(StrEnum):
    """Where words come from. Those of an operator alone may instruct."""

    OPERATOR = "operator"
    USER = "user"
    TOOL = "tool"
    WEB = "web"
    MEMORY = "memory"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Said:
    """Words, with everyone from whom they come."""

    text: str = field(repr=False)
    labels: frozenset[Label]


class Deed(StrEnum):
    """What a call does, as far as a chain of them is judged."""

    READ = "read"
    FETCH = "fetch"
    WRITE = "write"
    EXEC = "exec"
    READ_SECRET = "read_secret"


class Chain(StrEnum):
    """What may follow in a chain of calls."""

    GO = "go"
    ASK = "ask"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Tank:
    """What a room may spend: at most `capacity` tokens, of which `per_hour` come back in an hour."""

    capacity: int
    per_hour: int


@dataclass(frozen=True, slots=True)
class Energy:
    """What a room has, in tokens, at a moment. Below zero after a model took more than it said."""

    level: int
    at: datetime


class Arm(StrEnum):
    """How a turn thinks: not at all, once, by voting among equal answers, or by pairs."""

    NONE = "none"
    SINGLE = "single"
    VOTE = "vote"
    PAIRS = "pairs"


class Why(StrEnum):
    """What decided how deep a turn thinks."""

    NO_MODEL = "no_model"
    NO_ENERGY = "no_energy"
    NO_FIT = "no_fit"
    FIT = "fit"
    ENERGY = "energy"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Depth:
    """A depth that was measured: `pairs` of them, or `votes`, and the tokens that 95 of 100 turns stay in."""

    arm: Arm
    size: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Energy -> depth for one model, by class of input: rising, and no deeper than what paid off there."""

    model: str
    data_digest: str
    classes: Mapping[str, tuple[Depth, ...]]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a turn thinks, and the tokens that it may take at most."""

    arm: Arm
    size: int
    tokens: int
    why: Why

    @property
    def pairs(self) -> int:
        """How many pairs speak."""
        return self.size if self.arm is Arm.PAIRS else 0


@dataclass(frozen=True, slots=True)
class Objection:
    """What a side holds against a draft: to which words, how gravely, by what, and how to check it."""

    side: Side
    target: str
    severity: str
    evidence: str
    check: str


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing that is known of how things stand: a count or a share in 1/1000, and who says so."""

    name: str
    value: int
    source: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How things stand, as facts with their sources: it advises and urges nothing."""

    signals: tuple[Signal, ...]

    SCHEMA: ClassVar[str] = "numen-state-v1"

    def as_json(self) -> dict[str, Json]:
        """The wire form; equal states give equal bytes."""
        rows: list[Json] = [
            {"name": one.name, "value": one.value, "source": one.source}
            for one in sorted(self.signals, key=lambda one: (one.name, one.source))
        ]
        return {"schema": self.SCHEMA, "signals": rows}


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that was found for a turn: `source` found it, `ref` names it there."""

    source: str
    ref: str
    text: str = field(repr=False)
    label: Label


@dataclass(frozen=True, slots=True)
class ToolDoc:
    """A tool as it is described: `price` in tokens that a room must have, `schema` of its arguments."""

    name: str
    summary: str
    schema: Mapping[str, Json]
    examples: tuple[str, ...] = ()
    price: int = 0


@dataclass(frozen=True, slots=True)
class Packed:
    """A tool that fits what is wanted. With `locked` it cannot be called now, and that says why."""

    doc: ToolDoc
    locked: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What the model would have done; nothing is done by it."""

    tool: str
    args: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Routed:
    """What became of an intent: `state` is done, refused, asked or failed."""

    tool: str
    state: str
    words: str = field(repr=False)
    ask: str | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """What a model answered, and what it took, in tokens. `source`: measured by it, or counted by us."""

    text: str = field(repr=False)
    input: int
    output: int
    source: str = "counted"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: `system` holds an operator's words alone, `user` all others, fenced."""

    side: str
    system: str = field(repr=False)
    user: str = field(repr=False)
    reply: int

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.system}\n\n{self.user}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of an answer: what was looked at, and why it does not hold."""

    check: str
    reason: str


@dataclass(frozen=True, slots=True)
class Drift:
    """How far an answer strayed from what was wanted: held of all checks, and what does not hold.

    It is told, and nothing is chosen or tried again by it.
    """

    held: int
    checks: int
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        found: list[Json] = [{"check": one.check, "reason": one.reason} for one in self.findings]
        return {"held": self.held, "checks": self.checks, "findings": found}


@dataclass(frozen=True, slots=True)
class Mark:
    """What a step was: whether it ran, why not, and what it cost. Holds digests and counts, and no words."""

    step: Step
    ran: bool
    note: str = ""
    calls: int = 0
    input: int = 0
    output: int = 0
    prompts: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    millis: int = 0

    def as_json(self) -> dict[str, Json]:
        """The wire form: what is empty is left out."""
        said: dict[str, Json] = {"n": int(self.step), "step": self.step.label, "ran": self.ran}
        for name in ("note", "calls", "input", "output", "millis"):
            if value := getattr(self, name):
                said[name] = value
        for name in ("prompts", "draws", "refs"):
            if rows := getattr(self, name):
                said[name] = list(rows)
        return said


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn that was thought through: its answer, how it came about, and how far it strayed."""

    id: str
    content: str = field(repr=False)
    plan: Plan
    model: str
    anonymous: bool
    notes: tuple[str, ...]
    drift: Drift
    routed: tuple[Routed, ...]
    marks: tuple[Mark, ...]
    energy: int
    capacity: int
    at: datetime

    @property
    def calls(self) -> int:
        """How often a model was asked."""
        return sum(mark.calls for mark in self.marks)

    @property
    def spent(self) -> int:
        """Tokens that were taken, in and out."""
        return sum(mark.input + mark.output for mark in self.marks)

    def as_json(self, *, trace: bool = False) -> dict[str, Json]:
        """The wire form; with `trace` each step and what it cost."""
        said: dict[str, Json] = {
            "schema": "numen-turn-v1",
            "turn": self.id,
            "content": self.content,
            "model": self.model,
            "room": "anonymous" if self.anonymous else "named",
            "plan": {"arm": self.plan.arm, "size": self.plan.size, "why": self.plan.why},
            "calls": self.calls,
            "tokens": self.spent,
            "energy": {"left": self.energy, "capacity": self.capacity},
            "notes": list(self.notes),
            "drift": self.drift.as_json(),
            "tools": [
                {"tool": one.tool, "state": one.state, **({} if one.ask is None else {"ask": one.ask})}
                for one in self.routed
            ],
            "at": iso(self.at),
        }
        if trace:
            said["trace"] = [mark.as_json() for mark in self.marks]
        return said


class CycleFailed(NumenError):
    """A turn came to no answer: the model failed before there was one. Names the step."""

    code = "cycle_failed"
    http_status = 502
    exit_code = 1
