"""The labelled corpora: how many of the secrets in them are found, and how much else is."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.secrets import CORPORA as NAMES
from benchmarks.secrets import Line, measured, ours, read
from numen.secrets.detector import KINDS, find

HERE = Path(__file__).parent
CORPORA = [HERE / Path(name).name for name in NAMES]
BAR_IN_VIEW = 0.96
"""What the rules keep on lines that those who write them see; `told.jsonl` is the hardest of them."""
LANGUAGES = {"en", "de", "fr", "es", "pt", "it"}


@pytest.fixture(params=CORPORA, ids=lambda path: path.stem)
def lines(request: pytest.FixtureRequest) -> list[Line]:
    return read(request.param)


@pytest.mark.attack
@pytest.mark.promise("secrets.found")
def test_secrets_are_found_and_little_else(lines: list[Line]) -> None:
    scores = measured(lines, ours, show=True)
    for name in ("precision", "recall"):
        assert float(str(scores[name])) >= BAR_IN_VIEW, (scores["missed"], scores["false"])


@pytest.mark.attack
@pytest.mark.promise("secrets.found-in-every-language")
def test_no_language_is_left_behind() -> None:
    lines = [line for path in CORPORA for line in read(path)]
    for language in LANGUAGES:
        scores = measured([line for line in lines if line.lang == language], ours, show=False)
        assert float(str(scores["recall"])) >= 0.95, (language, scores["missed"])
        assert float(str(scores["precision"])) >= 0.95, (language, scores["false"])


@pytest.mark.promise("secrets.corpus")
def test_the_corpus_holds_both_classes_in_six_languages() -> None:
    lines = read(HERE / "secrets.jsonl")
    assert len(lines) >= 300
    for language in LANGUAGES | {"code"}:
        of_language = [line for line in lines if line.lang == language]
        telling = sum(bool(line.spans) for line in of_language)
        assert telling >= 20, language
        assert len(of_language) - telling >= 20, language
    sources = Counter(line.source for line in lines)
    assert sources["invented"] <= 0.3 * len(lines)
    assert set().union(*(line.kinds for line in lines)) <= set(KINDS)


@pytest.mark.promise("secrets.corpus")
def test_every_label_of_the_corpus_is_a_value_alone() -> None:
    for line in (line for path in CORPORA for line in read(path)):
        assert len(line.spans) == len(line.kinds)
        for start, end in line.spans:
            value = line.text[start:end]
            assert value
            assert value == value.strip()


@pytest.mark.attack
@pytest.mark.promise("secrets.talk-is-left-alone")
def test_ordinary_talk_holds_no_secret() -> None:
    for line in (HERE / "talk.txt").read_text("utf-8").splitlines():
        assert find(line) == [], line
