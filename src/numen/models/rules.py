"""How a provider's pieces become an answer, and how one is counted: values in, values out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from numen.kernel import Json, tokens
from numen.models.types import (
    CallStarted,
    Completion,
    Done,
    Finish,
    Message,
    ModelError,
    Part,
    Role,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
    UsageSource,
)
from numen.models.types import Fault as Kind

FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "tool_calls": Finish.CALLS,
    "function_call": Finish.CALLS,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
}
"""The words of the chat completions protocol."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a call, as a provider streams it."""

    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    arguments: list[str]


@dataclass(slots=True)
class Assembly:
    """Makes parts of a provider's pieces; one for each answer."""

    estimate: Usage
    """What the question took by our own count, for a provider that does not say."""
    emitted: bool = False
    """Whether any part was given out."""
    _length: int = 0
    _calls: dict[int, _Call] = field(default_factory=dict[int, _Call])
    _finish: str | None = None
    _usage: Usage | None = None

    def text(self, piece: str) -> Iterable[Part]:
        """The parts that a piece of text makes."""
        if piece:
            self.emitted = True
            self._length += len(piece.encode("utf-8", "replace"))
            yield TextDelta(piece)

    def call(self, piece: Fragment) -> Iterable[Part]:
        """The parts that a piece of a call makes: none until its name is known.

        Pieces belong together by their index. Some providers give every call the index 0, or none, each
        whole: a piece with an id of its own begins another call.
        """
        at = piece.index if piece.index is not None else max(self._calls, default=0)
        known = self._calls.get(at)
        if known is not None and piece.id and piece.name and known.name and piece.id != known.id:
            at, known = max(self._calls) + 1, None
        if known is None:
            known = self._calls[at] = _Call("", "", [])
        unnamed = not known.name
        known.id = known.id or piece.id
        known.name = known.name or piece.name
        known.arguments.append(piece.arguments)
        self._length += len(piece.arguments.encode("utf-8", "replace"))
        if unnamed and known.name:
            known.id = known.id or f"call_{at}"
            self.emitted = True
            yield CallStarted(known.id, known.name)

    def finish(self, reason: str) -> None:
        """Note why the answer ended, in the protocol's word."""
        self._finish = reason

    def usage(self, usage: Usage) -> None:
        """Note what the provider counted."""
        self._usage = usage

    def end(self) -> Iterable[Part]:
        """The last parts: each call whole, and `Done`. Raises `ModelError` if the answer is not whole."""
        if self._finish is None or any(not call.name for call in self._calls.values()):
            raise ModelError(
                Kind.GARBLED, "The model's answer broke off before its end.", emitted=self.emitted
            )
        for _, call in sorted(self._calls.items()):
            yield ToolCall(call.id, call.name, "".join(call.arguments))
        finish = FINISHES.get(self._finish, Finish.STOP)
        if self._calls and finish is Finish.STOP:
            finish = Finish.CALLS
        counted = Usage(self.estimate.input, -(-self._length // 4))
        yield Done(self._usage or counted, finish)


def estimate(messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Usage:
    """What a question takes by our own count (decision 6)."""
    text = "".join(message.text + "".join(call.arguments for call in message.calls) for message in messages)
    schemas = (
        json.dumps([[tool.name, tool.description, dict(tool.schema)] for tool in tools]) if tools else ""
    )
    return Usage(tokens(text) + tokens(schemas))


def whole(parts: Iterable[Part]) -> Completion:
    """The answer that `parts` make. Raises `ModelError` where `Done` is missing."""
    text: list[str] = []
    calls: list[ToolCall] = []
    for part in parts:
        if isinstance(part, TextDelta):
            text.append(part.text)
        elif isinstance(part, ToolCall):
            calls.append(part)
        elif isinstance(part, Done):
            return Completion("".join(text), tuple(calls), part.usage, part.finish)
    raise ModelError(
        Kind.GARBLED, "The model's answer broke off before its end.", emitted=bool(text or calls)
    )


def wire_message(message: Message) -> dict[str, Json]:
    """A message as the chat completions protocol writes it."""
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": message.answers or "", "content": message.text}
    said: dict[str, Json] = {"role": str(message.role), "content": message.text}
    if message.calls:
        said["content"] = message.text or None
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return said


def wire_tool(tool: ToolSpec) -> dict[str, Json]:
    """A tool as the chat completions protocol writes it."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)},
    }


def reported(said: Mapping[str, Json]) -> Usage:
    """The usage that a provider reports; `cost` is OpenRouter's, in dollars."""
    details = said.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    cost = said.get("cost")
    return Usage(
        _count(said.get("prompt_tokens")),
        _count(said.get("completion_tokens")),
        _count(cached),
        UsageSource.REPORTED,
        round(cost * 1_000_000) if isinstance(cost, int | float) else None,
    )


def _count(value: Json) -> int:
    return value if isinstance(value, int) and value > 0 else 0
