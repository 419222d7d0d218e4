"""A resident over a real store, with an owner, a scripted model, and tools."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from numen.app import App
from numen.kernel import FixedClock, Json, Scope
from numen.models import Model
from numen.models.scripted import Script, ScriptedModel
from numen.people import Local
from numen.people.handles import read
from numen.resident import Cursor, Habits, History, Means, Said, Streamed, Tool, TurnState
from numen.resident.house import Resident
from numen.resident.hub import Asker
from numen.resident.loop import Loop
from numen.resident.rules import AT_REST, ENDED
from numen.resident.types import Given, ReadBack
from numen.settings import Settings
from numen.surfaces.household import found
from tests.mind.rooms import START

ROOT = Path(__file__).parents[2]
HOMELAB = ROOT / "examples/homelab/server.py"
TRUSTING = {
    "trusted_servers": ("homelab", "lab"),
    "tools": {"homelab.request_execution": "external"},
}


@dataclass
class Bench:
    """Tools in this process that do what a test says, and count what they did."""

    acts: dict[str, Callable[[Mapping[str, Json], Asker], object]] = field(default_factory=dict)
    known: dict[str, Tool] = field(default_factory=dict)
    done: list[tuple[str, Mapping[str, Json]]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def add(
        self, name: str, act: Callable[..., object], *, reads: bool = False, back: ReadBack | None = None
    ) -> None:
        hints = {"readOnlyHint": reads}
        self.known[f"lab__{name}"] = Tool(f"lab__{name}", "lab", name, name, {"type": "object"}, hints, back)
        self.acts[name] = act

    async def tools(self) -> tuple[Tool, ...]:
        return tuple(self.known.values())

    async def call(self, tool: Tool, args: Mapping[str, Json], ask: Asker) -> Given:
        self.done.append((tool.tool, args))
        got = self.acts[tool.tool](args, ask)
        if asyncio.iscoroutine(got):
            got = await got
        return got if isinstance(got, Given) else Given(str(got))

    def news(self) -> list[str]:
        told, self.told = self.told, []
        return told


@dataclass
class House:
    """Everything that a test of the resident needs."""

    app: App
    clock: FixedClock
    me: Scope
    stranger: Scope
    means: Means
    bench: Bench
    resident: Resident
    loop: Loop

    def run(self, said: Said | str) -> TurnState:
        """Run a turn until it is over or waits."""
        return asyncio.run(self.loop.run(said if isinstance(said, str) else said.turn.id))

    def say(self, text: str, session: str | None = None) -> Said:
        """Say something and run its turn."""
        said = self.resident.sessions.say(self.me, text, session=session)
        self.run(said)
        return replace(said, turn=self.history(said).turns[-1])

    def history(self, said: Said) -> History:
        return self.resident.sessions.get(self.me, said.session.id)

    def answer(self, said: Said) -> str:
        """The last thing that was answered."""
        return [one.text for one in self.history(said).messages if one.role == "assistant"][-1]

    def stream(self, said: Said, cursor: Cursor = Cursor()) -> list[Streamed]:  # noqa: B008 - a value
        return self.resident.streams.after(self.me, said.session.id, cursor)[0]

    def code(self) -> str:
        """The code of the one open ask."""
        (ask,) = self.app.asks.open(self.me)
        return ask.code


@contextmanager
def house(
    place: str | Path,
    home: Path,
    *steps: Mapping[str, Json],
    model: Model | None = None,
    habits: Habits | None = None,
    clock: FixedClock | None = None,
    **settings: object,
) -> Iterator[House]:
    clock = clock or FixedClock(START)
    url = str(place) if isinstance(place, str) else None
    given = {"home": home, "database_url": url, "mind": TRUSTING, **settings}
    app = App(Settings.model_validate(given), clock)
    try:
        found(app, "Ada", [read("telegram:111")])
        account = home.stat().st_uid
        me = app.people.resolve(Local(account, interactive=True))
        stranger = app.people.resolve(Local(account + 1, interactive=True))
        means = Means(app.store, app.ledger, clock, app.people, app.secrets, app.gate, app.asks)
        thinks: Model | None = model or (ScriptedModel(Script.of(*steps)) if steps else None)
        habits, bench = habits or Habits(), Bench()
        resident = Resident(means, habits, lambda: thinks, lambda *_: 7, "agent:numen")
        loop = Loop(resident.turns, bench, app.gate, app.secrets, clock, lambda: thinks, lambda *_: 7, habits)
        yield House(app, clock, me, stranger, means, bench, resident, loop)
    finally:
        app.close()


def call(name: str, **arguments: Json) -> dict[str, Json]:
    return {"name": name, "arguments": arguments}


def is_quiet(state: TurnState) -> bool:
    return state in ENDED | AT_REST


def homelab(state: Path) -> dict[str, Json]:
    return {"command": sys.executable, "args": [str(HOMELAB), str(state)]}
