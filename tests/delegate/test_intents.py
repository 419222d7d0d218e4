"""What an intent may say; everything else is refused by the name of its field."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.delegate import BackendName, InvalidIntent
from numen.delegate.intents import intent_of, read

SEED = {
    "intent": "Read these cleanup artifacts and write a 2000-char self-reflection memory entry.",
    "project_root": "/srv/project",
    "target_paths": ["docs/plans/summary.md", "~/.hermes/profiles/hub/skills/x.py"],
    "payload": {
        "hermes_profile": "cstar-hub",
        "model": "MiniMax-M3",
        "expected_output": "markdown",
        "max_chars": 2000,
        "session_name": None,
        "write_to": "~/.hermes/memories/MEMORY.md",
        "append_with_separator": "§",
        "tags": ["self_reflection", "cleanup_pass"],
    },
}


def with_payload(**changes: object) -> bytes:
    return json.dumps({**SEED, "payload": {**SEED["payload"], **changes}}).encode()  # type: ignore[dict-item]


@pytest.mark.promise("delegate.seed-intent")
def test_the_seeds_intent_is_read_as_it_stands() -> None:
    intent = read(json.dumps(SEED).encode())
    assert intent.project_root == Path("/srv/project")
    assert intent.worker.backend is BackendName.HERMES
    assert (intent.worker.model, intent.worker.profile, intent.max_chars) == ("MiniMax-M3", "cstar-hub", 2000)
    assert (intent.separator, intent.timeout_seconds) == ("§", 300)


@pytest.mark.promise("delegate.bad-intent")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"timeout_seconds": "abc"}, "payload.timeout_seconds"),
        ({"timeout_seconds": "300"}, "payload.timeout_seconds"),
        ({"timeout_seconds": 0}, "payload.timeout_seconds"),
        ({"timeout_seconds": True}, "payload.timeout_seconds"),
        ({"timeout_seconds": 1e3}, "payload.timeout_seconds"),
        ({"max_chars": 10**12}, "payload.max_chars"),
        ({"model": ["MiniMax-M3"]}, "payload.model"),
        ({"model": "-rf"}, "payload.model"),
        ({"hermes_profile": "../../etc"}, "payload.hermes_profile"),
        ({"hermes_profile": "--yolo"}, "payload.hermes_profile"),
        ({"session_name": "-c"}, "payload.session_name"),
        ({"expected_output": "yaml"}, "payload.expected_output"),
        ({"write_to": "a\0b"}, "payload.write_to"),
        ({"write_to": ["a"]}, "payload.write_to"),
        ({"tags": "a,b"}, "payload.tags"),
        ({"tags": ["a\nb"]}, "payload.tags"),
        ({"budget_usd": -1}, "payload.budget_usd"),
        ({"backend": "anthropic"}, "payload.backend"),
        ({"reuse": "always"}, "payload.reuse"),
        ({"output_schema": {"type": "object"}}, "expected_output json"),
        ({"write_to": None}, "needs write_to"),
        ({"modle": "x"}, "did you mean `model`?"),
        ({"timeout": 3}, "did you mean `timeout_seconds`?"),
        ({"fallback": [{"modell": "x"}]}, "did you mean `model`?"),
    ],
)
def test_a_payload_that_is_wrong_is_refused_by_the_name_of_the_field(
    changes: dict[str, Any], why: str
) -> None:
    with pytest.raises(InvalidIntent) as refused:
        read(with_payload(**changes))
    assert why in refused.value.what


@pytest.mark.promise("delegate.bad-intent")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe{}",
        b"[1]",
        b"null",
        b'{"intent": "x"',
        b'{"intent": "x", "intent": "y", "project_root": "/"}',
        b'{"intent": "x", "project_root": "relative"}',
        b'{"intent": "  ", "project_root": "/"}',
        b'{"intent": "a\\u0000b", "project_root": "/"}',
        b'{"intent": "\\ud800", "project_root": "/"}',
        b'{"intent": "x", "project_root": "/", "model": "y"}',
        b'{"intent": "x", "project_root": "/", "payload": null}',
        b'{"intent": ["x"], "project_root": "/"}',
        b'{"intent": "x", "project_root": "/", "target_paths": "a"}',
        b'{"intent": "x", "project_root": "/", "payload": {"budget_usd": NaN}}',
        b"[" * 100_000,
        b" " * 1_100_000,
    ],
)
def test_what_is_no_intent_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidIntent):
        read(data)


@given(
    st.dictionaries(
        st.sampled_from(["intent", "project_root", "target_paths", "payload", "x"]),
        st.none()
        | st.integers()
        | st.text()
        | st.lists(st.text())
        | st.dictionaries(st.text(), st.integers()),
    )
)
def test_no_object_makes_the_reading_fail_otherwise_than_by_a_refusal(given_: dict[str, Any]) -> None:
    with contextlib.suppress(InvalidIntent):
        intent_of(given_)
