"""The JSON value in an answer: every shape of a corpus, and never slower than in proportion."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.delegate import extracted

CORPUS = Path(__file__).parent.parent / "corpora" / "answers.jsonl"

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
prose = st.text(st.characters(exclude_characters='{}[]"`~', exclude_categories=["Cs"]), max_size=30)


@pytest.mark.promise("delegate.extraction")
def test_every_shape_of_the_corpus_gives_its_value() -> None:
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 200
    wrong = [
        (row["kind"], row["reply"], found)
        for row in rows
        if (found := extracted(row["reply"])[1]) != row["value"] or type(found) is not type(row["value"])
    ]
    assert not wrong


@pytest.mark.promise("delegate.extraction")
@given(
    value=st.lists(values, min_size=1) | st.dictionaries(st.text(), values, min_size=1),
    before=prose,
    after=prose,
)
def test_what_stands_in_prose_is_found_as_it_was_written(value: object, before: str, after: str) -> None:
    assert extracted(f"{before} {json.dumps(value)} {after}") == (True, json.loads(json.dumps(value)))


@given(text=st.text())
def test_no_answer_makes_it_fail(text: str) -> None:
    found, value = extracted(text)
    assert found or value is None


@pytest.mark.promise("delegate.extraction-linear")
@pytest.mark.parametrize(
    "shape",
    ["[", '{"a":', '["', '["\\', "{", "```json\n[", "[1,", '"', '{"a":1,', "][", '["\n', "{{}", "[[]",
     '{"a" ', '["a [', "[1,2)", "\n```\n", '{"a":{"a":', '"\\"', "[]"],
)  # fmt: skip
def test_no_shape_costs_more_than_in_proportion(shape: str) -> None:
    def cost(times: int) -> float:
        began = time.process_time()
        extracted(shape * times)
        return time.process_time() - began

    small = min(cost(2_000) for _ in range(3))
    large = min(cost(16_000) for _ in range(3))
    assert large < 24 * small + 0.02
