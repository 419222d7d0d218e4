"""The port to whoever thinks: messages and tools go in, parts of an answer come out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol, cast

from numen.kernel import InvalidInput, Json, NumenError


class Role(StrEnum):
    """Whose message it is; `tool` is the result of a call."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for: nothing was done yet."""

    id: str
    name: str
    arguments: str
    """As the model wrote them, which may not be JSON; `parsed` reads them."""

    def parsed(self) -> Mapping[str, Json]:
        """The arguments. Raises `InvalidInput`, whose sentences may be given back to the model."""
        try:
            read = cast("Json", json.loads(self.arguments or "{}", parse_constant=_refused))
        except ValueError as error:
            raise InvalidInput(
                f"The arguments of {self.name} are not JSON: {error}.",
                not_done="The tool was not called.",
                next_step="Call it again with one JSON object.",
            ) from error
        if not isinstance(read, dict):
            raise InvalidInput(
                f"The arguments of {self.name} are not an object.",
                not_done="The tool was not called.",
                next_step="Call it again with one JSON object.",
            )
        return read


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """What an assistant's message asked for."""
    answers: str | None = None
    """The id of the call whose result a tool's message is."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that the model may ask for."""

    name: str
    description: str
    schema: Mapping[str, Json]
    """JSON Schema of its arguments, an object."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to answer; None leaves a thing to what is configured."""

    max_tokens: int | None = None
    """Tokens that the answer may have."""
    temperature: float | None = None
    seed: int | None = None


PLAIN = Options()
"""As it is configured."""


class UsageSource(StrEnum):
    """Who counted: the provider, or we by decision 6 (a token is four bytes)."""

    REPORTED = "reported"
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took, in tokens."""

    input: int = 0
    """All that went in, the cached among them."""
    output: int = 0
    cached: int = 0
    """What of the input the provider had already."""
    source: UsageSource = UsageSource.ESTIMATED
    cost_micros: int | None = None
    """Millionths of a US dollar that the provider says it took; None where it does not say."""


class Finish(StrEnum):
    """Why an answer ended."""

    STOP = "stop"
    CALLS = "calls"
    LENGTH = "length"
    """It was cut at `max_tokens`."""
    FILTERED = "filtered"
    """The provider withheld it."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call is being written: its name is known, its arguments are not whole yet."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Done:
    """The last part of every answer that came to its end."""

    usage: Usage
    finish: Finish


Part = TextDelta | CallStarted | ToolCall | Done
"""What a stream gives: text in pieces, each call once it is whole, and `Done` last."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer."""

    text: str
    calls: tuple[ToolCall, ...]
    usage: Usage
    finish: Finish


class Fault(StrEnum):
    """What went wrong between us and a model."""

    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    CAPACITY = "capacity"
    """The account has nothing left, or the provider no room."""
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    REQUEST = "request"
    """It does not take what it was sent."""
    TOO_LONG = "too_long"
    """The conversation does not fit its window."""
    GARBLED = "garbled"
    """Its answer broke off or is not of the protocol."""
    UNKNOWN_MODEL = "unknown_model"
    NO_SCRIPT = "no_script"
    """A scripted model has no step for this."""


RETRYABLE = frozenset(
    {Fault.RATE_LIMIT, Fault.CAPACITY, Fault.SERVER, Fault.TIMEOUT, Fault.CONNECTION, Fault.GARBLED}
)
"""Faults that may be gone a moment later, or that another model does not have."""


class ModelError(NumenError):
    """No answer, or not a whole one."""

    code: ClassVar[str] = "model"
    http_status: ClassVar[int] = 502
    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        kind: Fault,
        what: str,
        *,
        emitted: bool = False,
        retry_after: float | None = None,
        next_step: str = "",
    ) -> None:
        super().__init__(
            what,
            not_done="The answer broke off." if emitted else "There is no answer.",
            next_step=next_step,
        )
        self.kind = kind
        self.emitted = emitted
        """Whether a part had been given already, so that to ask again would say it twice."""
        self.retry_after = retry_after
        """Seconds that the provider asks to wait, where it says."""

    @property
    def retryable(self) -> bool:
        """Whether to ask again could help and repeats nothing."""
        return self.kind in RETRYABLE and not self.emitted


class NoModel(NumenError):
    """No model is configured."""

    code: ClassVar[str] = "no_model"
    http_status: ClassVar[int] = 503
    exit_code: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a model without asking it."""

    name: str
    """As it is shown and priced: `preset:model`."""
    model: str
    """Its id at the provider."""
    place: str
    """Where it answers: a URL, or `here`."""
    takes_tools: bool = True
    window: int | None = None
    """Tokens that go into its context; None is unknown."""
    note: str = field(default="", compare=False)
    """What whoever talks to it should be told, in a sentence."""


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


class Model(Protocol):
    """Who thinks. Safe to use from many threads and event loops."""

    @property
    def card(self) -> Card:
        """What is known of it."""
        ...

    def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> AsyncIterator[Part]:
        """The answer as it comes, `Done` last. Raises `ModelError`; to stop it, close the iterator."""
        ...

    def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> Completion:
        """The whole answer, for a thread that may wait: never on an event loop. Raises `ModelError`."""
        ...
