"""What a person's words plainly say, told without a model, on labelled lines and beside them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.memory import Debtor, Due
from numen.memory.extraction import may_say, said
from tests.memory.extracts import lines, score

MOMENT = datetime(2026, 3, 10, 16, 30, tzinfo=UTC)


@pytest.mark.promise("memory.extractors")
@pytest.mark.parametrize("corpus", ["extract_dev.jsonl", "extract_kept.jsonl"])
def test_what_is_extracted_is_right_in_ninety_five_of_a_hundred(corpus: str) -> None:
    total = score(lines(corpus))
    assert total.expected >= 80
    assert total.precision >= 0.95, f"{total.found - total.right} of {total.found} are wrong"
    assert total.recall >= 0.7, f"{total.expected - total.right} of {total.expected} were not found"


def test_the_labelled_lines_are_at_least_three_hundred() -> None:
    assert len(lines("extract_dev.jsonl")) + len(lines("extract_kept.jsonl")) >= 300


@pytest.mark.promise("memory.reminder-without-a-model")
def test_a_reminder_in_plain_words_becomes_a_dated_commitment() -> None:
    found = said("Remind me to call the landlord about the lease tomorrow at 9", MOMENT, "Europe/Berlin")
    (promise,) = found.promises
    assert (promise.what, promise.who) == ("call the landlord about the lease", Debtor.OWNER)
    assert promise.due_at == datetime(2026, 3, 11, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    assert promise.precision is Due.MINUTE


def test_a_due_hour_holds_across_the_change_of_the_clocks() -> None:
    before = datetime(2026, 3, 28, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    (by_clock,) = said("remind me tomorrow at 9 to call Ana", before, "Europe/Berlin").promises
    assert by_clock.due_at is not None
    assert by_clock.due_at.utcoffset() == timedelta(hours=2)
    (elapsed,) = said("remind me in 24 hours to call Ana", before, "Europe/Berlin").promises
    assert elapsed.due_at is not None
    assert elapsed.due_at - before.astimezone(UTC) == timedelta(hours=24)


@pytest.mark.parametrize(
    "text",
    [
        'She wrote: "remind me to call Bo tomorrow at 9"',
        "If it rains, remind me to take the bike in tomorrow",
        "remind me every Monday to water the plants",
        "remind me to buy milk when I get home",
        "I'll call him tomorrow lol",
        "`I live in Rome`",
        "My boss is allergic to peanuts",
        "Do I live in Rome?",
        "I'll send it on Monday or Tuesday",
    ],
)
@pytest.mark.promise("memory.unsure-is-not-extracted")
def test_what_is_not_sure_is_not_extracted(text: str) -> None:
    found = said(text, MOMENT, "Europe/Berlin")
    assert (found.facts, found.promises) == ((), ())


@given(st.text(max_size=300))
def test_any_text_at_all_is_read_without_an_error(text: str) -> None:
    if may_say(text):
        said(text, MOMENT, "Europe/Berlin")


@given(st.integers(0, 60 * 24 * 366 * 50), st.integers(1, 23))
def test_a_due_time_is_never_before_it_was_said(minutes: int, hour: int) -> None:
    moment = MOMENT + timedelta(minutes=minutes)
    found = said(f"remind me at {hour:02d}:30 to call Ana", moment, "Pacific/Auckland")
    for promise in found.promises:
        assert promise.due_at is not None
        assert promise.due_at > moment


def test_a_zone_that_does_not_exist_is_taken_as_the_zone_of_the_moment() -> None:
    assert said("remind me to call Ana tomorrow", MOMENT, "Nowhere/Land").promises
