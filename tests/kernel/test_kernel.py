"""The words that every room shares keep their promises."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen import kernel
from numen.kernel import (
    FixedClock,
    RoomKey,
    UlidSource,
    canonical_bytes,
    from_iso,
    iso,
    new_epoch,
    parse_id,
    tokens,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_canonical_json_reads_back_as_what_was_written(value: object) -> None:
    assert json.loads(canonical_bytes(value)) == value


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: dict[str, int]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical_bytes(backwards) == canonical_bytes(value)


def test_canonical_json_refuses_what_json_cannot_say() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_bytes(float("nan"))


@given(st.text())
def test_tokens_are_a_quarter_of_the_bytes_rounded_up(text: str) -> None:
    size = len(text.encode())
    assert tokens(text) == tokens(text.encode()) == size // 4 + (size % 4 > 0)


@given(st.lists(st.integers(min_value=-5000, max_value=5000), max_size=20))
def test_ids_rise_even_when_the_clock_goes_back(steps: list[int]) -> None:
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    source = UlidSource(clock, new_epoch())
    made = [source.new("turn")]
    for step in steps:
        clock.move(timedelta(milliseconds=step))
        made.append(source.new("turn"))
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_an_id_tells_its_kind_and_the_epoch_of_its_store() -> None:
    made = UlidSource(FixedClock(datetime(2026, 1, 1, tzinfo=UTC)), "AB12").new("ask")
    parsed = parse_id(made)
    assert parsed is not None
    assert (parsed.kind, parsed.epoch) == ("ask", "AB12")


@pytest.mark.parametrize(
    "text", ["", "12", "turn_AB12", "turn_AB12_0", "turn_ILOU_00000000000000000000000000", "a b"]
)
def test_what_is_not_an_id_has_no_parts(text: str) -> None:
    assert parse_id(text) is None


@pytest.mark.promise("rooms.no-collision")
def test_ten_thousand_rooms_with_separators_and_empties_have_names_of_their_own() -> None:
    draw = random.Random(7)
    pieces = ["", "a", "b", ":", "/", "\x00", "a:b", "default", "ä", "\ud800", " "]
    rooms = {
        RoomKey(*("".join(draw.choices(pieces, k=draw.randint(0, 4))) for _ in range(3)))
        for _ in range(10_000)
    }
    assert len({room.digest() for room in rooms}) == len(rooms)


def test_a_moment_is_written_in_one_form_and_reads_back() -> None:
    at = datetime(2026, 12, 1, 8, 30, 0, 123000, tzinfo=UTC)
    assert iso(at) == "2026-12-01T08:30:00.123Z"
    assert from_iso(iso(at)) == at


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        from_iso("2026-12-01T08:30:00")


def test_an_error_tells_what_happened_what_was_not_done_and_what_to_do() -> None:
    error = kernel.Unavailable(
        "The disk is full.", not_done="Nothing was stored.", next_step="Free some room."
    )
    assert error.sentences() == "The disk is full. Nothing was stored. Free some room."
    assert error.as_mapping()["code"] == "unavailable"
