"""Scripts, words for models, keys, prices, and how pieces become an answer."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.kernel import InvalidInput, Unavailable
from numen.models import (
    Card,
    Choice,
    Done,
    Fault,
    Finish,
    Message,
    ModelError,
    Part,
    Role,
    TextDelta,
    ToolCall,
    Usage,
    UsageSource,
    read_word,
    scripted,
)
from numen.models.detection import running
from numen.models.keys import find, keep
from numen.models.presets import complete
from numen.models.prices import VERSION, Cost, cost
from numen.models.rules import Assembly, Fragment
from numen.models.scripted import EchoModel, Script, ScriptedModel
from tests.models.endpoint import endpoint

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
USER = Message(Role.USER, "what is degraded and what depends on it?")


def played(model: ScriptedModel | EchoModel, *messages: Message) -> list[Part]:
    async def run() -> list[Part]:
        return [part async for part in model.stream(messages)]

    return asyncio.run(run())


SCRIPT = Script.of(
    {"when": "degraded", "role": "user", "text": "Let me look at it.", "calls": [{"name": "health"}]},
    {"when": "status: (?P<name>\\w+)", "role": "tool", "text": "The {{name}} is degraded."},
    {"text": "First."},
    {"text": "Second."},
)


@pytest.mark.promise("models.scripted")
def test_a_script_answers_by_the_last_message_and_else_in_order() -> None:
    model = ScriptedModel(SCRIPT)
    first = model.complete([USER])
    assert (first.text, first.finish) == ("Let me look at it.", Finish.CALLS)
    assert first.calls == (ToolCall("call_1", "health", "{}"),)
    said = Message(Role.ASSISTANT, first.text, first.calls)
    result = Message(Role.TOOL, "status: proxy", answers="call_1")
    assert model.complete([USER, said, result]).text == "The proxy is degraded."
    assert model.complete([Message(Role.USER, "hello")]).text == "First."
    assert model.complete([Message(Role.USER, "hello"), said, Message(Role.USER, "more")]).text == "Second."


def test_a_script_answers_the_same_conversation_the_same_way_in_a_new_process() -> None:
    talk = [USER, Message(Role.ASSISTANT, "x"), Message(Role.USER, "hello")]
    assert played(ScriptedModel(SCRIPT), *talk) == played(ScriptedModel(SCRIPT), *talk)


def test_a_script_without_an_answer_says_so() -> None:
    with pytest.raises(ModelError, match="no answer") as seen:
        ScriptedModel(Script.of()).complete([USER])
    assert (seen.value.kind, seen.value.retryable) == (Fault.NO_SCRIPT, False)


def test_a_script_fails_as_often_as_it_says_and_after_as_many_pieces() -> None:
    model = ScriptedModel(Script.of({"text": "x" * 30, "fail": "rate_limit", "times": 2, "after": 1}))
    for _ in range(2):
        with pytest.raises(ModelError) as seen:
            model.complete([USER])
        assert (seen.value.kind, seen.value.emitted) == (Fault.RATE_LIMIT, True)
    assert model.complete([USER]).text == "x" * 30


def test_a_script_can_hang_and_garble() -> None:
    hung = ScriptedModel(Script.of({"text": "x", "hang": True}))
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(_last(hung), 0.05))
    garbled = ScriptedModel(Script.of({"calls": [{"name": "a", "arguments": {"b": 1}}], "garble": True}))
    with pytest.raises(InvalidInput, match="not JSON"):
        garbled.complete([USER]).calls[0].parsed()


async def _last(model: ScriptedModel) -> None:
    async for _ in model.stream([USER]):
        pass


@pytest.mark.parametrize(
    "text", ["{", '{"schema":"x","steps":[]}', '{"steps":[{"wen":"x"}]}', '{"steps":[{"when":"("}]}']
)
def test_a_file_that_is_no_script_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(InvalidInput, match="not a script"):
        Script.read(tmp_path / "s.json")


def test_echo_says_the_last_message_in_pieces() -> None:
    parts = played(EchoModel(), Message(Role.USER, "one  two\n"))
    assert "".join(part.text for part in parts if isinstance(part, TextDelta)) == "one  two\n"
    assert isinstance(parts[-1], Done)


@given(st.lists(st.text(min_size=1, max_size=6), max_size=3), st.data())
@settings(max_examples=40)
@pytest.mark.promise("models.fragments")
def test_calls_survive_every_cut_and_every_interleaving(arguments: list[str], data: st.DataObject) -> None:
    queues = [
        [Fragment(n, f"c{n}", f"t{n}", ""), *(Fragment(n, "", "", letter) for letter in text)]
        for n, text in enumerate(arguments)
    ]
    assembly = Assembly(Usage())
    while any(queues):
        queue = data.draw(st.sampled_from([one for one in queues if one]))
        list(assembly.call(queue.pop(0)))
    assembly.finish("tool_calls")
    calls = [part for part in assembly.end() if isinstance(part, ToolCall)]
    assert calls == [ToolCall(f"c{n}", f"t{n}", text) for n, text in enumerate(arguments)]


@pytest.mark.parametrize("text", ["[1]", '"x"', "{", "NaN", '{"a": Infinity}'])
def test_arguments_that_are_no_object_are_told_so_that_the_model_can_mend_them(text: str) -> None:
    with pytest.raises(InvalidInput) as seen:
        ToolCall("c", "health", text).parsed()
    assert "health" in seen.value.what
    assert seen.value.not_done
    assert seen.value.next_step


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ollama", {"use": "ollama"}),
        ("openrouter:a/b:free", {"use": "openrouter", "name": "a/b:free"}),
        ("http://127.0.0.1:8080/v1", {"use": "http://127.0.0.1:8080/v1"}),
        ("http://127.0.0.1:8080/v1#m:1", {"use": "http://127.0.0.1:8080/v1", "name": "m:1"}),
        ("qwen3:8b", {"name": "qwen3:8b"}),
    ],
)
def test_a_word_for_a_model_is_read(word: str, said: dict[str, str]) -> None:
    assert read_word(word) == said


@pytest.mark.parametrize("use", ["opnai", "ftp://x", "http://", ""])
def test_a_provider_that_is_none_is_refused_by_name(use: str) -> None:
    with pytest.raises(InvalidInput, match="not a provider"):
        complete(Choice(use, "m"))


@pytest.mark.parametrize("use", ["openrouter", "ollama", "http://127.0.0.1:1/v1", "scripted"])
def test_a_model_without_a_name_is_refused(use: str) -> None:
    with pytest.raises(InvalidInput):
        complete(Choice(use))


@pytest.mark.promise("models.keys")
def test_a_key_comes_from_the_command_the_environment_or_a_private_file(tmp_path: Path) -> None:
    assert find(tmp_path, {}, "K", ()) is None
    keep(tmp_path, "K", "from-file")
    keep(tmp_path, "OTHER", "x")
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600
    assert find(tmp_path, {}, "K", ()) == "from-file"
    keep(tmp_path, "K", "newer")
    assert (tmp_path / ".env").read_text() == "OTHER=x\nK=newer\n"
    assert find(tmp_path, {"K": "from-environment"}, "K", ()) == "from-environment"
    assert find(tmp_path, {"K": "x"}, "K", ("printf", "from-command")) == "from-command"
    assert find(tmp_path, {"K": "x"}, None, ()) is None


def test_a_file_that_others_may_read_gives_no_key(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("K=v\n")
    (tmp_path / ".env").chmod(0o644)
    with pytest.raises(InvalidInput, match="Others may read"):
        find(tmp_path, {}, "K", ())


@pytest.mark.parametrize("command", [("false",), ("true",), ("/no/such/program",)])
def test_a_command_that_gives_no_key_is_told_without_what_it_printed(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    with pytest.raises(Unavailable):
        find(tmp_path, {}, "K", command)


@pytest.mark.promise("models.prices")
def test_a_price_is_the_providers_the_owners_the_lists_or_unknown() -> None:
    usage = Usage(1_000_000, 1_000_000, 500_000, UsageSource.REPORTED)
    known = Card("openai:gpt-4o-mini", "gpt-4o-mini", "https://api.openai.com/v1")
    local = Card("ollama:qwen3", "qwen3", "http://127.0.0.1:11434/v1")
    assert cost(known, Usage(cost_micros=7), {}, WHEN) == Cost(7, "provider")
    own = {"gpt-4o-mini": {"input": 2.0, "output": 3.0, "cached": 1.0}}
    assert cost(known, usage, own, WHEN) == Cost(4_500_000, "settings")
    listed = cost(known, usage, {}, WHEN)
    assert listed.source == VERSION
    assert listed.micros is not None
    assert listed.micros > 0
    assert cost(local, usage, {}, WHEN) == Cost(None, "unknown")
    assert cost(EchoModel.card, usage, {}, WHEN) == Cost(0, "free")


@pytest.mark.promise("models.detection")
def test_a_server_of_models_on_this_machine_is_found_with_what_it_has() -> None:
    with endpoint() as here:
        found = running([here.url, "http://127.0.0.1:9/v1"])
    assert [(one.use, one.models) for one in found] == [(here.url, ("a-1", "b-2"))]


def test_scripts_of_the_documentation_are_scripts() -> None:
    example = (scripted.__doc__ or "").partition("    {")[2].partition("\n\n")[0]
    assert Script.model_validate_json("{" + example).steps
    assert json.loads("{" + example)["schema"] == scripted.SCHEMA
