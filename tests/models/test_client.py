"""The client against an endpoint that answers well, badly, late, and not at all."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from numen.models import (
    CallStarted,
    Choice,
    Done,
    Fault,
    Finish,
    Message,
    ModelError,
    Options,
    Part,
    Role,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
    UsageSource,
)
from numen.models.openai import OpenAIModel
from tests.models import endpoint as wire
from tests.models.endpoint import Answer, Endpoint

ASK = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "what is degraded?")]
TOOLS = [ToolSpec("health", "How it stands", {"type": "object", "properties": {}})]
GOOD = [wire.text("All "), wire.text("is well."), wire.finish("stop"), b"data: [DONE]\n\n"]


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with wire.endpoint() as here:
        yield here


def model(server: Endpoint, **more: Any) -> OpenAIModel:
    said = {"name": "m-1", "temperature": 0.2, "max_tokens": 100, "retries": 0, **more}
    return OpenAIModel(Choice(server.url, **said), "sk-test")


def streamed(asked: OpenAIModel) -> list[Part]:
    async def run() -> list[Part]:
        return [part async for part in asked.stream(ASK, TOOLS)]

    return asyncio.run(run())


def failure(asked: OpenAIModel) -> tuple[ModelError, ModelError]:
    """The error of a stream and that of a whole answer."""
    with pytest.raises(ModelError) as first:
        streamed(asked)
    with pytest.raises(ModelError) as second:
        asked.complete(ASK)
    return first.value, second.value


@pytest.mark.promise("models.stream")
def test_text_comes_in_pieces_and_the_end_tells_what_it_took(server: Endpoint) -> None:
    counts = wire.usage(
        prompt_tokens=20, completion_tokens=4, prompt_tokens_details={"cached_tokens": 16}, cost=0.000123
    )
    server.answers = [Answer([*GOOD[:3], counts, GOOD[3]])]
    parts = streamed(model(server))
    assert parts == [
        TextDelta("All "),
        TextDelta("is well."),
        Done(Usage(20, 4, 16, UsageSource.REPORTED, 123), Finish.STOP),
    ]
    asked = server.asked[0]
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("m-1", 100, 0.2)
    assert asked["messages"][1] == {"role": "user", "content": "what is degraded?"}
    assert asked["tools"][0]["function"]["name"] == "health"
    assert server.keys == ["Bearer sk-test"]
    assert "provider" not in asked


def test_what_the_provider_does_not_count_is_estimated_and_said_to_be(server: Endpoint) -> None:
    server.answers = [Answer(GOOD)]
    answer = model(server).complete(ASK)
    assert answer.text == "All is well."
    assert answer.usage == Usage(7, 3, 0, UsageSource.ESTIMATED)


@pytest.mark.promise("models.fragments")
def test_calls_are_put_together_by_their_index(server: Endpoint) -> None:
    server.answers = [
        Answer(
            [
                wire.call(0, "c1", "health", '{"a'),
                wire.call(1, "c2", "blast", ""),
                wire.call(0, None, None, '": 1}'),
                wire.call(1, None, None, '{"b": 2}'),
                wire.finish("tool_calls"),
            ]
        )
    ]
    assert streamed(model(server))[:4] == [
        CallStarted("c1", "health"),
        CallStarted("c2", "blast"),
        ToolCall("c1", "health", '{"a": 1}'),
        ToolCall("c2", "blast", '{"b": 2}'),
    ]


def test_calls_that_all_have_the_index_0_or_none_are_still_told_apart(server: Endpoint) -> None:
    server.answers = [
        Answer([wire.call(0, "c1", "health", "{}"), wire.call(0, "c2", "blast", "{}"), wire.finish("stop")]),
        Answer(
            [wire.call(None, "c1", "health", "{}"), wire.call(None, "c2", "blast", "{}"), wire.finish("stop")]
        ),
    ]
    for _ in range(2):
        answer = model(server).complete(ASK)
        assert [call.id for call in answer.calls] == ["c1", "c2"]
        assert answer.finish is Finish.CALLS


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, {"message": "no"}, Fault.AUTH),
        (402, {"message": "no"}, Fault.CAPACITY),
        (404, {"message": "no"}, Fault.UNKNOWN_MODEL),
        (400, {"message": "no"}, Fault.REQUEST),
        (400, {"message": "no", "code": "context_length_exceeded"}, Fault.TOO_LONG),
        (429, {"message": "no"}, Fault.RATE_LIMIT),
        (429, {"message": "no", "code": "insufficient_quota"}, Fault.CAPACITY),
        (500, {"message": "no"}, Fault.SERVER),
        (503, {"message": "no"}, Fault.CAPACITY),
    ],
)
@pytest.mark.promise("models.faults")
def test_a_refusal_has_a_kind_and_repeats_nothing_of_the_answer(
    server: Endpoint, status: int, error: dict[str, str], kind: Fault
) -> None:
    server.answers = [Answer([{"error": error | {"message": "sk-secret"}}], status, {"retry-after": "7"})]
    for seen in failure(model(server)):
        assert (seen.kind, seen.emitted, seen.retry_after) == (kind, False, 7.0)
        assert "sk-" not in seen.sentences()
        assert seen.not_done


def test_a_stream_that_breaks_off_is_no_answer(server: Endpoint) -> None:
    server.answers = [Answer([wire.text("Half a")])]
    stream, whole = failure(model(server))
    assert (stream.kind, stream.emitted, stream.retryable) == (Fault.GARBLED, True, False)
    assert (whole.kind, whole.emitted, whole.retryable) == (Fault.GARBLED, False, True)


def test_an_error_inside_of_a_stream_and_bytes_that_are_no_json_are_faults(server: Endpoint) -> None:
    server.answers = [Answer([{"error": {"message": "overloaded", "code": 503}}])]
    assert {one.kind for one in failure(model(server))} == {Fault.CAPACITY}
    server.answers = [Answer([b"data: {broken\n\n"])]
    assert {one.kind for one in failure(model(server))} == {Fault.GARBLED}


def test_silence_and_a_place_where_nobody_listens_are_faults(server: Endpoint) -> None:
    server.answers = [Answer(GOOD[:1], hold=True)]
    stream, whole = failure(model(server, timeout=0.2))
    assert (stream.kind, whole.kind, stream.emitted) == (Fault.TIMEOUT, Fault.TIMEOUT, True)
    nobody = OpenAIModel(Choice("http://127.0.0.1:9", name="m", retries=0), None)
    assert {one.kind for one in failure(nobody)} == {Fault.CONNECTION}


@pytest.mark.promise("models.retry")
def test_a_question_is_asked_again_only_while_nothing_was_given_out(server: Endpoint) -> None:
    server.answers = [Answer([]), Answer(GOOD)]
    assert streamed(model(server, retries=1))[0] == TextDelta("All ")
    assert len(server.asked) == 2
    server.asked.clear()
    server.answers = [Answer([wire.text("Half a")]), Answer(GOOD)]
    with pytest.raises(ModelError):
        streamed(model(server, retries=1))
    assert len(server.asked) == 1


def test_a_busy_provider_is_asked_again(server: Endpoint) -> None:
    server.answers = [Answer([{"error": {}}], 429, {"retry-after-ms": "1"}), Answer(GOOD)]
    assert model(server, retries=1).complete(ASK).text == "All is well."


def test_whoever_leaves_a_stream_ends_it_and_the_next_is_whole(server: Endpoint) -> None:
    server.answers = [Answer(GOOD[:1], hold=True), Answer(GOOD)]
    asked = model(server)

    async def run() -> list[Part]:
        stream = asked.stream(ASK)
        async for part in stream:
            assert part == TextDelta("All ")
            break
        await stream.aclose()  # type: ignore[attr-defined]
        return [part async for part in asked.stream(ASK)]

    assert len(asyncio.run(run())) == 3
    gc.collect()


@pytest.mark.promise("models.private")
def test_openrouter_is_told_to_keep_nothing_and_to_say_what_it_took() -> None:
    chosen = Choice("openrouter", "a/b", exacto=True, max_tokens=9)
    asked = OpenAIModel(chosen, "k")
    request = asked._request(ASK, [], Options(seed=3))
    assert request["model"] == "a/b:exacto"
    assert request["extra_body"] == {
        "provider": {"data_collection": "deny", "zdr": True, "require_parameters": True},
        "usage": {"include": True},
    }
    assert (request["max_tokens"], request["seed"]) == (9, 3)
    assert "max_completion_tokens" in OpenAIModel(Choice("openai", "o", max_tokens=9), "k")._request(
        ASK, [], Options()
    )


def test_a_key_is_in_no_representation_of_the_model() -> None:
    asked = OpenAIModel(Choice("openrouter", "a/b"), "sk-very-secret")
    assert "sk-very-secret" not in repr(asked) + repr(asked.card)
