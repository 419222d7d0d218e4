"""The verb table, in-process: what arguments may be, what a schema is, and how many calls run at once."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.app import build
from numen.kernel import InvalidInput, NumenError, canonical_bytes
from numen.models import Fault, ModelError
from numen.people import Local
from numen.settings import Settings
from numen.surfaces.desk import Desk
from numen.surfaces.errors import body, exit_code, foreseen, http_status
from numen.surfaces.verbs import VERBS, AnyVerb, Arguments, Caller, lookup
from tests.surfaces.processes import make_repository

pytestmark = pytest.mark.timeout(30)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = sorted({name for verb in VERBS for name in verb.schema()["properties"]} | {"tsak", "", "__class__"})


def read(verb: AnyVerb, given_: Mapping[str, object]) -> Arguments | InvalidInput:
    """The arguments, or what was refused."""
    try:
        return verb.read(given_)
    except InvalidInput as refused:
        return refused


@pytest.mark.promise("verbs.arguments-never-crash")
@given(
    verb=st.sampled_from(VERBS), given_=st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), VALUES)
)
def test_any_arguments_are_read_or_refused_in_words(verb: AnyVerb, given_: dict[str, object]) -> None:
    outcome = read(verb, given_)
    if isinstance(outcome, InvalidInput):
        assert outcome.what.endswith(".")
        assert "`" in outcome.what
    else:
        fields = {field.alias or name for name, field in type(outcome).model_fields.items()}
        assert set(given_) <= fields | set(type(outcome).model_fields)


HOSTILE = st.sampled_from(
    [
        "\0",
        "a\0b",
        "\ud800",
        "\udcff/x",
        "x" * 5000,
        "../" * 50,
        "~nobody/x",
        "light::",
        "/proc/self/fd",
        "a\nb",
        "",
    ]
)
TEXTS = HOSTILE | st.text(st.characters(codec=None), max_size=30)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Caller]]:
    """A real desk over a real index."""
    place = make_repository(tmp_path_factory.mktemp("repository"))
    app = build(
        Settings.model_construct(home=tmp_path_factory.mktemp("home") / "home", database_url=None, workers=2)
    )
    caller = Caller(Local(os.getuid(), interactive=False), "test", place)
    desk = Desk(app)
    desk.answer("ingest", {}, caller)
    yield desk, caller
    app.close()


@pytest.mark.timeout(60)
@pytest.mark.slow
@pytest.mark.promise("verbs.hostile-text")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(verb=st.sampled_from([verb for verb in VERBS if verb.read_only]), data=st.data())
def test_hostile_text_in_any_argument_is_answered_or_refused_in_words(
    desk: tuple[Desk, Caller], verb: AnyVerb, data: st.DataObject
) -> None:
    texts = [name for name, part in verb.schema()["properties"].items() if part == part | {"type": "string"}]
    chosen = data.draw(
        st.dictionaries(st.sampled_from([name for name in texts if name != "direction"]), TEXTS)
    )
    needed = dict.fromkeys(verb.schema().get("required", ()), "apple")
    with suppress(NumenError):
        assert isinstance(json.loads(desk[0].answer(verb.name, needed | chosen, desk[1])), dict)


@given(st.text(max_size=12))
def test_a_verb_is_found_by_its_name_or_the_nearest_is_told(name: str) -> None:
    names = [verb.name for verb in VERBS]
    if name in names:
        assert lookup(name).name == name
    else:
        with pytest.raises(InvalidInput) as caught:
            lookup(name)
        assert any(known in caught.value.next_step for known in names)


@pytest.mark.parametrize("verb", VERBS, ids=[verb.name for verb in VERBS])
def test_a_schema_is_plain_and_says_what_is_needed(verb: AnyVerb) -> None:
    schema: Mapping[str, Any] = verb.schema()
    assert schema["type"] == "object"
    assert set(schema.get("required", ())) <= set(schema["properties"])
    for part in schema["properties"].values():
        assert part["type"] in {"string", "integer", "boolean", "array", "object"}
        assert not {"title", "anyOf", "$ref"} & set(part)
    assert canonical_bytes(verb.schema()) == canonical_bytes(verb.schema())


def test_the_words_of_identity_are_in_no_schema() -> None:
    for verb in VERBS:
        assert not [name for name in verb.schema()["properties"] if name.startswith("_")]


def every_error() -> list[type[NumenError]]:
    """The whole tree."""
    found, open_ = [], [NumenError]
    while open_:
        kind = open_.pop()
        found.append(kind)
        open_.extend(kind.__subclasses__())
    return found


@pytest.mark.promise("errors.one-form")
@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_every_error_has_a_status_an_exit_code_and_one_body(kind: type[NumenError]) -> None:
    if kind is ModelError:  # its first argument is what sort of fault it is
        error: NumenError = ModelError(Fault.SERVER, "It broke.", next_step="Mend it.")
    else:
        error = kind("It broke.", not_done="Nothing was done.", next_step="Mend it.")
    assert 400 <= http_status(error) <= 599
    assert 1 <= exit_code(error) <= 130
    assert body(error).startswith(b'{"detail":{"code":"')
    assert foreseen(error) is error


@pytest.mark.promise("errors.one-form")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (OSError(28, "No space left on device", "/disk"), "unavailable"),
        (PermissionError(13, "Permission denied"), "unavailable"),
        (KeyError("secret words"), "internal"),
        (RecursionError("secret words"), "internal"),
    ],
)
def test_a_fault_that_was_not_foreseen_is_told_without_its_words_or_a_traceback(
    fault: Exception, code: str
) -> None:
    shown = foreseen(fault)
    assert shown.code == code
    assert "secret words" not in shown.sentences()
    assert "Traceback" not in shown.sentences()


@pytest.mark.promise("desk.bounded")
def test_no_more_calls_run_at_once_than_the_settings_say(tmp_path: Path) -> None:
    workers, asked = 2, 7
    together = threading.Barrier(workers)
    running: list[int] = []
    most: list[int] = []

    class Watched(Desk):
        """A desk whose answers wait until as many as may run do run."""

        def answer(self, name: str, given: Mapping[str, object], caller: Caller) -> bytes:
            running.append(1)
            most.append(len(running))
            if len(most) <= workers:
                together.wait(3)
            running.pop()
            return b"{}"

    desk = Watched(build(Settings.model_construct(home=tmp_path, workers=workers)))
    caller = Caller(Local(0, interactive=False), "test", tmp_path)

    async def ask_all() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(asked):
                tasks.start_soon(desk.answer_soon, "north", {}, caller)

    anyio.run(ask_all)
    assert len(most) == asked
    assert max(most) == workers
