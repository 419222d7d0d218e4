"""Any endpoint that speaks the chat completions protocol, through the `openai` package."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import httpx2
import openai
from openai import AsyncOpenAI, AsyncStream, OpenAI, Stream
from openai.types.chat import ChatCompletionChunk

from numen.kernel import Json
from numen.models.presets import Choice
from numen.models.rules import Assembly, Fragment, estimate, reported, whole, wire_message, wire_tool
from numen.models.types import PLAIN, Card, Completion, Fault, Message, ModelError, Options, Part, ToolSpec

CONNECT_SECONDS = 10.0
"""To reach an endpoint (ours: a handshake over a slow line takes one or two)."""

INSIDE = 0
"""The status of an error inside of a stream, which has begun with 200."""

Create = Callable[..., Stream[ChatCompletionChunk]]
AsyncCreate = Callable[..., Awaitable[AsyncStream[ChatCompletionChunk]]]

_BY_STATUS: Mapping[int, Fault] = {
    401: Fault.AUTH,
    402: Fault.CAPACITY,
    403: Fault.AUTH,
    404: Fault.UNKNOWN_MODEL,
    408: Fault.TIMEOUT,
    413: Fault.TOO_LONG,
    429: Fault.RATE_LIMIT,
    503: Fault.CAPACITY,
    529: Fault.CAPACITY,
}

_BY_CODE: Mapping[str, Fault] = {
    "context_length_exceeded": Fault.TOO_LONG,
    "insufficient_quota": Fault.CAPACITY,
    "model_not_found": Fault.UNKNOWN_MODEL,
    "invalid_api_key": Fault.AUTH,
}

_NEXT: Mapping[Fault, str] = {
    Fault.AUTH: "Check its key: numen model test.",
    Fault.UNKNOWN_MODEL: "numen model list shows what it has.",
    Fault.CONNECTION: "Check that it runs, and its address.",
    Fault.CAPACITY: "Look at the account, or take another model.",
    Fault.TOO_LONG: "Say less, or take a model with a larger window.",
}


class OpenAIModel:
    """A model behind an endpoint. A question is asked again only while nothing of its answer was given."""

    def __init__(self, choice: Choice, key: str | None) -> None:
        preset = choice.preset
        model = choice.name or ""
        if preset.name == "openrouter" and choice.exacto and not model.endswith(":exacto"):
            model += ":exacto"
        self.card = Card(choice.title, model, preset.url or "", window=choice.window)
        self._choice = choice
        self._settings: dict[str, Any] = {
            # The package refuses to start without a key; servers that need none ignore it.
            "api_key": key or "none",
            "base_url": preset.url,
            "max_retries": choice.retries,
            "timeout": httpx2.Timeout(choice.timeout, connect=CONNECT_SECONDS),
        }
        self._waiting: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = (
            weakref.WeakKeyDictionary()
        )
        self._lock = threading.Lock()
        self._sync: OpenAI | None = None

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> AsyncIterator[Part]:
        """The answer as it comes. Raises `ModelError`."""
        request = self._request(messages, tools, options)
        for left in range(self._choice.retries, -1, -1):
            assembly = Assembly(estimate(messages, tools))
            try:
                with explained(self.card, assembly):
                    create = cast("AsyncCreate", self._async_client().chat.completions.create)
                    answer = await create(**request)
                    async with answer:
                        async for chunk in answer:
                            for part in _parts(assembly, chunk):
                                yield part
                    for part in assembly.end():
                        yield part
                return
            except ModelError as error:
                if not (left and _broke_off(error)):
                    raise

    def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), options: Options = PLAIN
    ) -> Completion:
        """The whole answer. Raises `ModelError`."""
        request = self._request(messages, tools, options)
        for left in range(self._choice.retries, -1, -1):
            assembly = Assembly(estimate(messages, tools))
            try:
                with explained(self.card):
                    create = cast("Create", self._client().chat.completions.create)
                    with create(**request) as answer:
                        parts = [part for chunk in answer for part in _parts(assembly, chunk)]
                assembly.emitted = False  # the caller was given nothing yet
                return whole([*parts, *assembly.end()])
            except ModelError as error:
                if not (left and _broke_off(error)):
                    raise
        raise AssertionError("the last try returns or raises")

    def models(self) -> Sequence[str]:
        """The ids of the models that the endpoint has. Raises `ModelError`."""
        with explained(self.card):
            ids = (cast("object", getattr(model, "id", None)) for model in self._client().models.list())
            return sorted(one for one in ids if isinstance(one, str))

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: Options
    ) -> dict[str, Any]:
        choice = self._choice
        request: dict[str, Any] = {
            "model": self.card.model,
            "messages": [wire_message(message) for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        limit = options.max_tokens or choice.max_tokens
        if limit is not None:
            request[choice.preset.limit] = limit
        temperature = choice.temperature if options.temperature is None else options.temperature
        if temperature is not None:
            request["temperature"] = temperature
        if options.seed is not None:
            request["seed"] = options.seed
        if tools:
            request["tools"] = [wire_tool(tool) for tool in tools]
        if choice.preset.name == "openrouter":
            request["extra_body"] = openrouter(choice)
        return request

    def _async_client(self) -> AsyncOpenAI:
        """One a loop: connections belong to the loop that opened them."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._waiting:
                self._waiting[loop] = AsyncOpenAI(**self._settings)
            return self._waiting[loop]

    def _client(self) -> OpenAI:
        with self._lock:
            if self._sync is None:
                self._sync = OpenAI(**self._settings)
            return self._sync


def openrouter(choice: Choice) -> dict[str, Json]:
    """What OpenRouter is told beside the question: whom it may ask, and to say what it took."""
    provider: dict[str, Json] = {"require_parameters": True}
    if choice.private:
        provider |= {"data_collection": "deny", "zdr": True}
    return {"provider": provider, "usage": {"include": True}}


@contextmanager
def explained(card: Card, assembly: Assembly | None = None) -> Generator[None]:
    """Make a fault of the package or the line a `ModelError`. Bodies of answers are not repeated."""
    try:
        yield
    except openai.APITimeoutError as error:
        raise _fault(card, assembly, Fault.TIMEOUT, "did not answer in time") from error
    except openai.APIConnectionError as error:
        raise _fault(card, assembly, Fault.CONNECTION, "cannot be reached") from error
    except openai.APIStatusError as error:
        kind = _kind(error.code, error.status_code)
        wait = _seconds(error.response.headers.get("retry-after"))
        raise _fault(card, assembly, kind, f"answered {error.status_code} ({kind})", wait) from error
    except openai.APIError as error:
        kind = _kind(error.code, INSIDE)
        raise _fault(card, assembly, kind, f"reported an error in its answer ({kind})") from error
    except httpx2.TimeoutException as error:
        raise _fault(card, assembly, Fault.TIMEOUT, "fell silent") from error
    except httpx2.HTTPError as error:
        raise _fault(card, assembly, Fault.CONNECTION, "broke the line") from error
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise _fault(card, assembly, Fault.GARBLED, "sent what is not of the protocol") from error


def _parts(assembly: Assembly, chunk: ChatCompletionChunk) -> Iterable[Part]:
    """The parts that a chunk makes. The package does not check what a server sends: absent is absent."""
    if chunk.usage is not None:
        assembly.usage(reported(cast("Mapping[str, Json]", chunk.usage.to_dict())))
    for choice in chunk.choices or ():
        delta = choice.delta
        yield from assembly.text(delta.content or "")
        for call in delta.tool_calls or ():
            function = call.function
            index = cast("int | None", call.index)
            name = (function.name or "") if function else ""
            arguments = (function.arguments or "") if function else ""
            yield from assembly.call(Fragment(index, call.id or "", name, arguments))
        if choice.finish_reason:
            assembly.finish(choice.finish_reason)


def _broke_off(error: ModelError) -> bool:
    """Whether to ask again here: the package itself asks again where no answer began."""
    return error.retryable and error.kind in {Fault.GARBLED, Fault.SERVER}


def _kind(code: object, status: int) -> Fault:
    if isinstance(code, str) and code in _BY_CODE:
        return _BY_CODE[code]
    if status == INSIDE:
        status = int(str(code)) if str(code).isdigit() else 500
    return _BY_STATUS.get(status, Fault.SERVER if status >= 500 else Fault.REQUEST)


def _seconds(header: str | None) -> float | None:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:
        return None


def _fault(
    card: Card, assembly: Assembly | None, kind: Fault, what: str, retry_after: float | None = None
) -> ModelError:
    return ModelError(
        kind,
        f"The model {card.name} {what}.",
        emitted=assembly is not None and assembly.emitted,
        retry_after=retry_after,
        next_step=_NEXT.get(kind, ""),
    )
