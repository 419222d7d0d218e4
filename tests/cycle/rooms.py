"""A cycle over a real store and gate, models that answer by the pass that asks them, and callers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from numen.cycle import (
    Ask,
    Bounds,
    Character,
    Cycle,
    Gauge,
    Habits,
    Intent,
    Label,
    Means,
    Passage,
    Prompt,
    Settings,
    Signal,
    Source,
    Tank,
    Thinker,
    Thought,
    ToolDoc,
    Turned,
)
from numen.kernel import InvalidInput, RoomKey, Scope, Unavailable, tokens
from tests.gate.rooms import House

TANK = Tank(100_000, 100_000)
OBJECTION = {"target": "all of it", "severity": "high", "evidence": "it was not tried", "check": "try it"}


class Actor:
    """A model whose lines are given by pass: a text, or what makes one of the prompt and the seed."""

    def __init__(self, lines: Mapping[str, str | Callable[[Prompt, int], str]], name: str = "actor") -> None:
        self.name = name
        self.lines = lines
        self.asked: list[Prompt] = []
        self.lock = threading.Lock()

    def think(self, prompt: Prompt, seed: int) -> Thought:
        with self.lock:
            self.asked.append(prompt)
        line = self.lines.get(prompt.side, "")
        text = line if isinstance(line, str) else line(prompt, seed)
        if text == "FAIL":
            raise Unavailable("The model is out.")
        return Thought(text, tokens(prompt.text), tokens(text))

    def sides(self) -> list[str]:
        return [prompt.side for prompt in self.asked]


def objecting(side: str) -> str:
    return json.dumps({"pass": side, "objections": [OBJECTION]})


def resolving(draft: str, count: int = 4) -> str:
    rows = [{"objection": n, "how": "accept", "evidence": "patched"} for n in range(1, count + 1)]
    return json.dumps({"pass": "integrate", "resolved": rows, "draft": draft})


def comparing(better: str) -> str:
    return json.dumps({"pass": "compare", "better": better})


def meaning(*calls: tuple[str, dict[str, object]]) -> str:
    return json.dumps({"pass": "intent", "calls": [{"tool": tool, "args": args} for tool, args in calls]})


SIDES = ("doubt", "alignment", "bounds", "mirror", "shadow", "witness", "pragmatic", "flow")


def whole(**more: str | Callable[[Prompt, int], str]) -> Actor:
    """A model that plays every pass in form; its later drafts are longer."""
    lines: dict[str, str | Callable[[Prompt, int], str]] = {side: objecting(side) for side in SIDES}
    drafts = iter(range(1, 100))
    lines["first"] = "A first answer."
    lines["integrate"] = lambda _prompt, _seed: resolving(f"A better answer, number {next(drafts)}.")
    lines["compare"] = comparing("A")
    lines["intent"] = meaning()
    lines["synthesise"] = "The tools say so."
    return Actor({**lines, **more})


@dataclass
class Shelf:
    """A source with rows of its own."""

    name: str
    rows: list[Passage] = field(default_factory=list)

    def find(self, scope: Scope, question: str, limit: int) -> Sequence[Passage]:
        return self.rows[:limit]


@dataclass
class Dial:
    """A gauge that shows what it is set to."""

    signals: list[Signal] = field(default_factory=list)

    def read(self, scope: Scope) -> Sequence[Signal]:
        return self.signals


@dataclass
class Bench:
    """Tools that note what was run."""

    tools: list[ToolDoc] = field(default_factory=list)
    ran: list[Intent] = field(default_factory=list)
    gives: str = "seven apples"

    def docs(self) -> Sequence[ToolDoc]:
        return self.tools

    def check(self, intent: Intent) -> None:
        doc = next(one for one in self.tools if one.name == intent.tool)
        unknown = set(intent.args) - set(doc.schema.get("properties", {}))  # type: ignore[call-overload]
        if unknown:
            raise InvalidInput(f"no argument {sorted(unknown)}")

    def run(self, intent: Intent) -> str:
        self.ran.append(intent)
        return self.gives


RECALL = ToolDoc(
    "recall",
    "What was said about apples or is known of baskets.",
    {"type": "object", "properties": {"query": {"type": "string", "description": "a question"}}},
    ("how many apples are in the basket",),
)
REMEMBER = ToolDoc(
    "remember",
    "Keep a sentence.",
    {"type": "object", "properties": {"text": {"type": "string", "description": "one sentence"}}},
)
CARD = ToolDoc(
    "browser_navigate",
    "Open a page of the web.",
    {"type": "object", "properties": {"url": {"type": "string"}}},
)


def named() -> Character:
    """Who the agent is."""
    return Character("Numen", ("clarity",), ("pretend",))


@dataclass
class Mill:
    """A cycle, and all that was put into it."""

    house: House
    cycle: Cycle
    actor: Thinker | None
    memory: Shelf
    dial: Dial
    bench: Bench

    def turn(self, text: str, scope: Scope | None = None, pairs: int | None = None) -> Turned:
        return self.cycle.turn(scope or self.house.me, Ask(text, pairs=pairs), self.bench)


def mill(
    made: House,
    actor: Thinker | None,
    *,
    tank: Tank = TANK,
    habits: Habits | None = None,
    soul: Path | None = None,
) -> Mill:
    memory, dial, bench = Shelf("memory"), Dial(), Bench()

    def sources(place: Path | None) -> Sequence[Source]:
        return [memory]

    def gauges(place: Path | None) -> Sequence[Gauge]:
        return [dial]

    settings = Settings(tank, 200, 600.0, 30, habits or Habits(), Bounds(), soul)
    cycle = Cycle(
        Means(
            made.store,
            made.ledger,
            made.clock,
            made.gate,
            made.home,
            settings,
            named,
            lambda: actor,
            sources,
            gauges,
        )
    )
    return Mill(made, cycle, actor, memory, dial, bench)


def apple(text: str = "There are seven apples in the basket.", ref: str = "row_1") -> Passage:
    return Passage("memory", ref, text, Label.MEMORY)


def in_room(scope: Scope, *parts: str) -> Scope:
    return replace(scope, room=RoomKey(*parts))
