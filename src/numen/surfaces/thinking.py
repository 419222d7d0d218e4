"""The verb `turn`: a message thought through in its room, with the other verbs as its tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from pydantic import Field

from numen.app import App, load
from numen.kernel import Json, canonical_text
from numen.surfaces.verb import Answer, Arguments, Call, Reach, reached

if TYPE_CHECKING:
    from numen.cycle import Ask, Intent, Step, ToolDoc

TOOLS: Mapping[str, tuple[str, ...]] = {
    "seek": (
        "find the code that does something",
        "where is a function or class defined",
        "search the source",
    ),
    "impact": (
        "who calls this function",
        "what breaks if I change this symbol",
        "which tests depend on this code",
    ),
    "recall": (
        "what did somebody say about something",
        "what do you remember of a person",
        "what do we know from earlier conversations",
    ),
    "remember": ("remember that something is so", "note this down", "keep in mind what I told you"),
}
"""The verbs that a turn may use, each with questions that call for it."""

ANSWER_TOKENS = 1_000
"""Of a tool's answer that a turn reads; so much energy it takes (ours: ten rows of memory or code)."""


class TurnArguments(Arguments):
    """What `turn` takes."""

    input: str = Field(description="the message, in words")
    uid: str | None = Field(None, description="who speaks")
    channel: str | None = Field(None, description="in which conversation")
    server: str | None = Field(None, description="on which platform; without all three the room is new")
    trace: bool = Field(False, description="show each step and its cost")


class Tool(Protocol):
    """A verb, as a turn uses it."""

    @property
    def name(self) -> str:
        """As the model names it."""
        ...

    @property
    def summary(self) -> str:
        """What it does."""
        ...

    @property
    def reach(self) -> Reach:
        """Which repositories it may be asked about."""
        ...

    def schema(self) -> Mapping[str, Json]:
        """Of its arguments."""
        ...

    def read(self, given: Mapping[str, object]) -> Arguments:
        """Its arguments. Raises `InvalidInput`."""
        ...

    def run(self, app: App, call: Call, given: Mapping[str, object]) -> Mapping[str, Json]:
        """What it says to them."""
        ...


class VerbTools:
    """Verbs as the tools of one turn, on behalf of whoever has it."""

    def __init__(self, app: App, call: Call, verbs: Sequence[Tool]) -> None:
        self._app = app
        self._call = call
        self._verbs = {verb.name: verb for verb in verbs}

    def docs(self) -> Sequence[ToolDoc]:
        """How they are described."""
        make = cast("type[ToolDoc]", load("cycle").ToolDoc)
        return [
            make(verb.name, verb.summary, verb.schema(), TOOLS[verb.name], ANSWER_TOKENS)
            for verb in self._verbs.values()
        ]

    def check(self, intent: Intent) -> None:
        """Raise `InvalidInput` unless the arguments are the verb's."""
        self._verbs[intent.tool].read(intent.args)

    def run(self, intent: Intent) -> str:
        """What the verb says, as JSON, cut where it is too long."""
        verb = self._verbs[intent.tool]
        asked = verb.read(intent.args)
        place = reached(self._app, self._call.scope, self._call.caller, asked.repo, verb.reach)
        said = verb.run(self._app, Call(self._call.scope, self._call.caller, place), intent.args)
        text = canonical_text(said)
        return text if len(text) <= 4 * ANSWER_TOKENS else f"{text[: 4 * ANSWER_TOKENS]}… (cut)"


def turn(app: App, call: Call, asked: TurnArguments, verbs: Sequence[Tool]) -> Answer:
    """The answer, how it came about and what it cost; with `trace` all 23 steps."""
    room = load("cycle")
    step = call.caller.step

    def told(at: Step) -> None:
        if step is not None:
            step(int(at), len(room.Step), at.label)

    question = cast("Ask", room.Ask(asked.input, call.place))
    turned = app.cycle.turn(call.scope, question, VerbTools(app, call, verbs), told)
    return turned.as_json(trace=asked.trace)
