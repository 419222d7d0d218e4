"""What holds for the detector whatever the text: it always answers, in time, and never twice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.secrets import read
from numen.secrets.detector import KINDS, find, labels

CORPUS = Path(__file__).parent.parent / "attack" / "secrets.jsonl"
PIECES = st.sampled_from(
    "password PIN code is : = 4821 Thistle.Moon44 \" ' ` ( ) « » \n token api_key passphrase sk_live_ eyJ "
    ":// @ / login [secret S-AAAAAAAA: PIN] 4539 0748 DE84 -----BEGIN \ud800 é İ ß \u200b".split(" ")
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=25).map(" ".join),
    st.lists(PIECES, max_size=25).map("".join),
)


def sealed(text: str) -> str:
    """`text` with a reference in place of each finding."""
    for one in reversed(find(text)):
        text = f"{text[: one.start]}[secret S-ABCDEFGH: {one.label}]{text[one.end :]}"
    return text


@pytest.mark.promise("secrets.any-text")
@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_has_findings_that_lie_in_it_one_after_the_other(text: str) -> None:
    reached = 0
    for one in find(text):
        assert reached <= one.start < one.end <= len(text)
        assert one.kind in KINDS
        reached = one.end
    for start, end in labels(text):
        assert 0 <= start < end <= len(text)


@pytest.mark.promise("secrets.sealed-once")
@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_sealing_comes_to_an_end_and_leaves_references_alone(text: str) -> None:
    for _ in range(8):
        once = sealed(text)
        if once == text:
            break
        text = once
    assert find(text) == []


@pytest.mark.promise("secrets.sealed-once")
def test_no_line_of_the_corpus_is_sealed_twice() -> None:
    for line in read(CORPUS):
        once = sealed(line.text)
        assert find(once) == [], once


HOSTILE = {
    "labels": "password ",
    "labels that are assigned": "A_KEY=",
    "quotes that do not close": 'password "',
    "addresses": "a://b:c",
    "token heads": "sk-abcd",
    "JSON heads": '"token":"',
    "words of seed phrases": "abandon ",
    "cookies": "cookie: session=",
    "commands": "curl -u a:",
    "capitals that grow": "İ",
    "codes that come first": "12345 is the code and ",
}


@pytest.mark.slow
@pytest.mark.attack
@pytest.mark.timeout(120)
@pytest.mark.promise("secrets.linear-time")
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_long_text_takes_its_length_in_time(piece: str) -> None:
    small, large = (_seconds((piece * (size // len(piece) + 1))[:size]) for size in (25_000, 200_000))
    assert large < 16 * max(small, 0.02), f"{small:.2f} s for an eighth, {large:.2f} s for all"


def _seconds(text: str) -> float:
    """The least of three: what a neighbour on the machine adds is not the detector's."""
    took: list[float] = []
    for _ in range(3):
        began = time.process_time()
        find(text)
        took.append(time.process_time() - began)
    return min(took)
