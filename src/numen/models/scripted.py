"""Models that need nobody: one that follows a recorded script, and one that says what it was told.

A script is a JSON file:

    {"schema": "numen-script-v1", "steps": [
      {"when": "degraded", "role": "user", "text": "Let me look.",
       "calls": [{"name": "homelab_get_health_summary", "arguments": {}}]},
      {"when": "\\"status\\"", "role": "tool", "text": "The proxy is degraded."},
      {"text": "The first answer where none matched."},
      {"when": "busy", "fail": "rate_limit", "times": 1, "text": "Here I am again."}]}

The first step with `when` (a pattern, searched in the last message, of `role` where one is given) that
matches is taken; else the steps without one come in order, one for each message of the assistant so far.
So the answer follows from the conversation alone, and a turn that is taken up again goes on as it would have.
`{{name}}` in a text or in arguments is what the pattern's group of that name matched.

Faults: `fail` (a kind of `Fault`) raised `times` times (by default always) after `after` pieces; `hang`
never ends after its text; `garble` writes the arguments of its calls as broken JSON; `pause` seconds between
pieces.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from numen.kernel import InvalidInput, Json
from numen.models.rules import Assembly, Fragment, estimate, whole
from numen.models.types import (
    PLAIN,
    Card,
    Completion,
    Fault,
    Message,
    ModelError,
    Options,
    Part,
    Role,
    ToolSpec,
)

SCHEMA = "numen-script-v1"

PIECE = 12
"""Characters of a piece of text (ours: about three tokens, as providers send them)."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ScriptedCall(_Closed):
    """A call that a step asks for."""

    name: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Step(_Closed):
    """One answer of a script."""

    when: re.Pattern[str] | None = None
    role: Literal["user", "tool"] | None = None
    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    fail: Fault | None = None
    times: Annotated[int, Field(ge=1)] | None = None
    after: Annotated[int, Field(ge=0)] = 0
    hang: bool = False
    garble: bool = False
    pause: Annotated[float, Field(ge=0)] = 0.0


class Script(_Closed):
    """A recorded conversation, from the model's side."""

    schema_: Literal["numen-script-v1"] = Field(SCHEMA, alias="schema")
    steps: tuple[Step, ...]

    @classmethod
    def read(cls, path: Path) -> Script:
        """The script in a file. Raises `InvalidInput` where it cannot be read or is not one."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise _unread(path, error.strerror or "it cannot be read") from error
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise _unread(path, f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error

    @classmethod
    def of(cls, *steps: Mapping[str, Json]) -> Script:
        """A script of these steps. Raises `pydantic.ValidationError`."""
        return cls(schema=SCHEMA, steps=TypeAdapter(tuple[Step, ...]).validate_python(steps))

    def step(self, messages: Sequence[Message]) -> tuple[int, Step, Mapping[str, str]] | None:
        """Which step answers, and what its pattern's groups matched; None where no step is left."""
        last = messages[-1] if messages else Message(Role.USER)
        for number, step in enumerate(self.steps):
            if step.when is None or (step.role is not None and step.role != last.role):
                continue
            found = step.when.search(last.text)
            if found is not None:
                return number, step, {name: text or "" for name, text in found.groupdict().items()}
        in_order = [(number, step) for number, step in enumerate(self.steps) if step.when is None]
        said = sum(message.role is Role.ASSISTANT for message in messages)
        return (*in_order[said], {}) if said < len(in_order) else None


class ScriptedModel:
    """A model that answers as a script says."""

    def __init__(self, script: Script, name: str = "scripted") -> None:
        self.card = Card(name, name.partition(":")[2] or name, "here", note="It follows a recorded script.")
        self._script = script
        self._failed: dict[int, int] = {}
        self._lock = threading.Lock()

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> AsyncIterator[Part]:
        """The step's answer in small pieces. Raises `ModelError` as the step says, or where there is none."""
        found = self._script.step(messages)
        if found is None:
            raise ModelError(
                Fault.NO_SCRIPT,
                "The script has no answer to this.",
                next_step="Say what it was recorded for, or take a model.",
            )
        number, step, groups = found
        assembly = Assembly(estimate(messages, tools))
        fails = step.fail is not None and self._fails(number, step)
        texts = [_filled(step.text, groups)[at : at + PIECE] for at in range(0, len(step.text), PIECE)]
        for sent in count():
            if fails and step.fail is not None and sent >= min(step.after, len(texts)):
                raise ModelError(step.fail, f"The script fails here: {step.fail}.", emitted=assembly.emitted)
            if sent >= len(texts):
                break
            if step.pause:
                await asyncio.sleep(step.pause)
            for part in assembly.text(texts[sent]):
                yield part
        if step.hang:
            await asyncio.Event().wait()
        said = sum(len(message.calls) for message in messages)
        for index, call in enumerate(step.calls):
            written = _filled(json.dumps(call.arguments, ensure_ascii=False), groups)
            fragment = Fragment(
                index, f"call_{said + index + 1}", call.name, written[:-1] if step.garble else written
            )
            for part in assembly.call(fragment):
                yield part
        assembly.finish("tool_calls" if step.calls else "stop")
        for part in assembly.end():
            yield part

    def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> Completion:
        """The step's answer as a whole."""
        return asyncio.run(gathered(self.stream(messages, tools, options)))

    def _fails(self, number: int, step: Step) -> bool:
        with self._lock:
            failed = self._failed[number] = self._failed.get(number, 0) + 1
        return step.times is None or failed <= step.times


class EchoModel:
    """A model that says the last message again, word by word."""

    card = Card("echo", "echo", "here", note="It says what it was told.")

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> AsyncIterator[Part]:
        """The last message, in words."""
        assembly = Assembly(estimate(messages, tools))
        for word in re.findall(r"\s*\S+|\s+", messages[-1].text if messages else ""):
            for part in assembly.text(word):
                yield part
        assembly.finish("stop")
        for part in assembly.end():
            yield part

    def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> Completion:
        """The last message."""
        return asyncio.run(gathered(self.stream(messages, tools, options)))


async def gathered(parts: AsyncIterator[Part]) -> Completion:
    """The whole answer of a stream. Raises `ModelError`."""
    return whole([part async for part in parts])


def _filled(text: str, groups: Mapping[str, str]) -> str:
    for name, value in groups.items():
        text = text.replace("{{" + name + "}}", value)
    return text


def _unread(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"{path} is not a script: {why}.", not_done="No model was asked.", next_step="Mend the file."
    )
