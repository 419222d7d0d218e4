"""What a turn is told: fitted, fresh first, in time, and nothing written."""

from __future__ import annotations

import hashlib
import threading

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from numen.memory.blocks import CURRENT_TIME, FRESH_FIRST, HELD_BACK, Block, fit, quoted_share, trimmed
from numen.memory.context import Asking
from numen.memory.types import Recalled
from numen.memory.views import Certainty, NewOpinion, Premise, PremiseKind
from tests.memory.rooms import OWNER, House, person, turn

BLOCKS = st.lists(
    st.builds(
        Block,
        st.sampled_from([*FRESH_FIRST[1:], "numen-a", "numen-b", "numen-c"]),
        st.text("abc", min_size=1, max_size=8),
        st.lists(st.text("xyz ", min_size=1, max_size=120), min_size=1, max_size=12).map(tuple),
        st.integers(0, 99),
        st.integers(40, 1500),
        st.booleans(),
    ),
    max_size=9,
)


@pytest.mark.promise("memory.context-fits")
@given(BLOCKS, st.integers(600, 9744), st.booleans())
def test_a_context_never_outgrows_what_the_host_shows_inline(
    blocks: list[Block], inline: int, seen: bool
) -> None:
    clock = Block("temporal-context", CURRENT_TIME, ("Tuesday",), 100, 400)
    shown = frozenset(one.fingerprint for one in blocks[::2]) if seen else frozenset[str]()
    fitted = fit([clock, *blocks], inline, shown, ())
    rendered = "\n\n".join(
        f"unchanged since your last turn: {one.title}"
        if one.fingerprint in shown and one.title != CURRENT_TIME
        else f"## {one.title}\n{one.body}"
        for one in fitted.blocks
    )
    assert len(rendered) <= inline
    assert any(one.title == CURRENT_TIME for one in fitted.blocks)
    assert all(len(one.body) <= one.limit for one in fitted.blocks)
    for title in fitted.held_back:
        held = next(one for one in fitted.blocks if one.title == HELD_BACK)
        assert title in held.body, "what did not fit is named"
    told = {one.id for one in fitted.blocks}
    assert all(one.id in told or one.title in fitted.held_back for one in blocks), "nothing goes unnamed"


@given(st.lists(st.text("xyz ", min_size=1, max_size=60), min_size=1, max_size=20), st.integers(0, 400))
def test_a_trimmed_block_keeps_whole_lines_from_its_start(lines: list[str], room: int) -> None:
    block = Block("numen-a", "A", tuple(lines), 1, 10_000)
    short = trimmed(block, room)
    if short is not None and short.lines != block.lines:
        kept = len(short.lines) - 1
        assert short.lines[:-1] == tuple(lines[:kept])
        assert short.lines[-1] == f"(+{len(lines) - kept} more held back)"


def test_an_owner_is_told_of_time_people_promises_and_memories(house: House) -> None:
    house.memory.keep(OWNER, turn("I live in Utrecht. I like rainy mornings.", "t-1"))
    house.memory.keep(OWNER, turn("Remind me to call Ana about the lease tomorrow at 9.", "t-2"))
    house.memory.keep(OWNER, turn("The heron nests at Lake Weir, by the old mill.", "t-3"))
    premise = Premise(PremiseKind.QUOTE, "t-3", "it nests there")
    house.opinions.hold(OWNER, NewOpinion("The mill", "It should stay.", Certainty.STRONG, (premise,)))
    told = {
        one.title: one.body
        for one in house.context.assemble(OWNER, Asking("Where does the heron nest?")).sections
    }
    assert told[CURRENT_TIME] == "Tuesday, 10 March 2026, 17:30 (Europe/Berlin, UTC+0100)"
    assert "I live in Utrecht." in told["About this person"]
    assert "I like rainy mornings." in told["Preferences"]
    assert "call Ana about the lease" in told["Pending Commitments"]
    assert f"id={house.commitments.pending(OWNER)[0].id}" in told["Pending Commitments"]
    assert "It should stay." in told["Recorded views"]
    assert "Lake Weir" in told["Relevant memories"]


@pytest.mark.promise("memory.cron-has-no-status")
def test_a_scheduled_job_is_not_told_what_the_owner_owes(house: House) -> None:
    house.memory.keep(OWNER, turn("Remind me to call Ana about the lease tomorrow at 9.", "t-1"))
    titles = {one.title for one in house.context.assemble(OWNER, Asking("run", run="cron")).sections}
    assert "Pending Commitments" not in titles
    guest = house.context.assemble(person(1), Asking("What is owed?")).sections
    assert {one.title for one in guest} == {CURRENT_TIME}


@pytest.mark.promise("memory.unchanged-sections")
def test_a_fingerprint_is_that_of_the_wire(house: House) -> None:
    house.memory.keep(OWNER, turn("I live in Utrecht.", "t-1"))
    for one in house.context.assemble(OWNER, Asking("")).sections:
        assert one.fingerprint == hashlib.sha256(f"{one.title}\n{one.body}".encode()).hexdigest()


@pytest.mark.promise("memory.context-in-time")
def test_what_is_slow_is_left_out_and_named(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    recall = house.memory.recall

    def slow(*args: object, **more: object) -> Recalled:
        go.wait(10)
        return recall(*args, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(house.memory, "recall", slow)
    told = house.context.assemble(OWNER, Asking("heron", wait_ms=50))
    go.set()
    assert told.held_back == ("Relevant memories (not found in time)",)
    assert told.sections[-1].title == HELD_BACK


@pytest.mark.promise("memory.a-read-writes-nothing")
def test_reading_writes_nothing(house: House) -> None:
    house.memory.keep(OWNER, turn("The heron nests at Lake Weir.", "t-1"))
    before = _all_rows(house)
    house.context.assemble(OWNER, Asking("heron", inline_chars=9744))
    house.context.temporal(OWNER)
    house.memory.recall(OWNER, "heron")
    house.memory.profile(OWNER)
    house.portability.stats(OWNER)
    house.portability.verify(OWNER)
    assert _all_rows(house) == before


@pytest.mark.promise("memory.quoted-share")
def test_at_least_seventy_in_a_hundred_characters_of_a_block_are_quoted_words(house: House) -> None:
    said = (
        "We went to the lake on Sunday and saw the heron again, it had three chicks this year.",
        "The heron is still there, Ana says it will stay until the water freezes over.",
        "I think the heron moved to the other side of the mill because of the new path they built.",
    )
    for number, text in enumerate(said):
        house.memory.keep(person(1), turn(text, f"t-{number}"))
    asking = Asking("Did we see the heron at the lake on Sunday, and will it stay?")
    block = next(
        one for one in house.context.assemble(person(1), asking).sections if one.id == "numen-memories"
    )
    rows = house.memory.recall(person(1), asking.text, limit=12, budget_tokens=10_000).rows
    assert len(rows) >= 2
    assert quoted_share(rows, block) >= 0.7


def test_a_context_with_nothing_to_tell_is_the_time_alone(house: House) -> None:
    assert [one.title for one in house.context.assemble(OWNER, Asking("")).sections] == [CURRENT_TIME]


def _all_rows(house: House) -> dict[str, int]:
    with house.store.reading() as connection:
        names = [
            name for name in sa.inspect(connection).get_table_names() if not name.startswith("search_words")
        ]
        return {name: connection.scalar(sa.text(f'SELECT count(*) FROM "{name}"')) or 0 for name in names}
