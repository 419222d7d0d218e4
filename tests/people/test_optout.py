# ruff: noqa: E501
"""Opt-outs: the corpora, and what the contract names."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.people.optout import opt_out

CORPORA = Path(__file__).parents[1] / "corpora"


def rates(name: str) -> tuple[float, float]:
    """Recall, and the share of other messages that were taken for opt-outs."""
    lines = [json.loads(line) for line in (CORPORA / name).read_text("utf-8").splitlines()]
    asked = [opt_out(line["text"]).asked for line in lines if line["optout"]]
    other = [opt_out(line["text"]).asked for line in lines if not line["optout"]]
    return sum(asked) / len(asked), sum(other) / len(other)


@pytest.mark.attack
@pytest.mark.promise("people.opt-out")
@pytest.mark.parametrize("name", ["dev", "seen", "more"])
def test_opt_outs_are_heard_and_little_else(name: str) -> None:
    recall, false = rates(f"optout_{name}.jsonl")
    assert recall >= (0.94 if name == "more" else 0.98)  # `more` holds the oddest ways that we could think of
    assert false <= 0.01


@pytest.mark.promise("people.opt-out")
@pytest.mark.parametrize(
    "text",
    [
        "stop", "STOP ALL", "please stop", "STOP please", "stop texting", "quit texting me", "no more messages please",
        "lose my number", "take me off your list", "opt out", "unsubscribe", "END", "CANCEL", "leave me alone", "Stop.", "STOP!!!",
        "Wrong number, please stop.", "I said stop. Stop!", "hör auf mir zu schreiben", "ne m'écrivez plus", "no me escriban más",
        "parem de me mandar mensagens", "smettetela di scrivermi", "lass mich in Ruhe", "laissez-moi tranquille", "déjame en paz",
        "me deixem em paz", "lasciatemi in pace",
    ],
)  # fmt: skip
def test_the_ways_that_the_contract_names_are_heard(text: str) -> None:
    assert opt_out(text).asked


@pytest.mark.promise("people.opt-out")
@pytest.mark.parametrize(
    "text",
    [
        "Do not message me before 9", "stop by at 5", "cancel my appointment", "don't stop", "when does it end?", "fine", "the bus stop",
        "please don't call after 10 pm", "schreib mir nicht vor 9", "ne m'appelle pas avant midi", "no me llames hoy", "non chiamarmi stasera",
        "\"stop texting me\", she wrote to him", "I quit my job", "can you cancel my order?", "ho finito", "para mañana está bien", "",
    ],
)  # fmt: skip
def test_near_misses_are_no_opt_out(text: str) -> None:
    assert not opt_out(text).asked


@pytest.mark.promise("people.opt-out")
@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert opt_out(text).asked == (opt_out(text).rule is not None)


@pytest.mark.promise("people.opt-out")
@pytest.mark.parametrize(
    "piece", ["stop ", "please ", "bitte nicht mehr ", "no more ", "a", '"', "messages and ", "non "]
)
def test_long_texts_take_no_longer_than_short_ones_in_their_measure(piece: str) -> None:
    start = time.process_time()
    opt_out(piece * 5000)
    assert time.process_time() - start < 1.0
