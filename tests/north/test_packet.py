"""Composition: whatever was observed, the packet keeps its schema, its budget and its one verdict."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.types import Freshness
from numen.kernel import canonical_text, tokens
from numen.north import Call, GapCode, MemoryRow, Packet, Place, Reception, State, Tier
from numen.north.gaps import gap
from numen.north.packet import Findings, packet
from numen.north.types import Brain, Coverage, Relation

ROOT = "/home/ada/flask"
INGEST = Call("ingest", {"path": ROOT})
BRAIN = Brain("0123456789abcdef", ROOT, "main", "a" * 40, dirty=False, fingerprint="0123456789ab")
FACTS: dict[str, str | int] = {
    "relation": Relation.OTHER,
    "reason": "it is cut short.",
    "changed": 3,
    "added": 0,
    "removed": 1,
    "agent": "bert",
    "where": "src/flask/app.py",
    "more": ", and 2 more",
    "waits": "2 missions wait",
    "blocks": 12,
    "first": "app: nothing is left of src/flask/sansio/**",
}
COLD = Findings(
    "fix the session cookie when the path is empty",
    "2026-12-01T10:00:00.000Z",
    replace(BRAIN, fingerprint=None),
    (gap(GapCode.INDEX_ABSENT, repair=INGEST), gap(GapCode.MEMORY_EMPTY)),
    900,
)


def place(at: int, score: float = 0.5, name: str = "run") -> Place:
    path = f"src/flask/module_{at}.py"
    return Place(
        f"{path}::{name}", "function", path, 10, 20, f"def {name}(path: str) -> int", score, ("name: run",),
        Freshness.FRESH,
    )  # fmt: skip


def memory(at: int, claim: str = "The tests need a server.") -> MemoryRow:
    return MemoryRow(claim, "light", 0.9, f"light::b::{at}", Tier.PROJECT, "b", age_ms=at)


def warm(focus: int = 8, anchors: int = 8, memories: int = 0) -> Findings:
    """What a populated index and `memories` memories show."""
    return replace(
        COLD,
        brain=BRAIN,
        gaps=() if memories else (gap(GapCode.MEMORY_EMPTY),),
        nodes=9113,
        coverage=Coverage(files=240, nodes=9113, searched=240, problems=0),
        focus=[place(at, 0.9 - at / 100) for at in range(focus)],
        files=[place(100 + at) for at in range(anchors)],
        scores=[0.9 - at / 100 for at in range(focus * 2)],
        match="strong" if focus else "none",
        memory=[memory(at) for at in range(min(memories, 5))],
        memory_exists=memories,
    )


def size(shown: Packet) -> int:
    return tokens(canonical_text(shown.as_json()))


@pytest.mark.promise("north.packet-schema")
def test_a_packet_has_the_fields_of_its_schema_and_absent_ones_are_absent() -> None:
    body = packet(warm()).as_json()
    assert list(body) == [
        "schema", "task", "at", "brain", "verdict", "context", "memory", "memory_exists", "sufficiency",
        "next_move", "gaps", "needs", "budget", "non_claims", "proof_state", "human_view",
    ]  # fmt: skip
    assert body["schema"] == "numen-north-v1"
    assert body["proof_state"] == "triaging"
    assert len(packet(warm()).as_json()["non_claims"]) == 4
    assert {"recovery", "reception"} <= set(
        packet(
            replace(
                warm(),
                gaps=(gap(GapCode.WRONG_REPO, repair=INGEST, relation=Relation.OTHER),),
                reception=Reception(Relation.OTHER, "You work elsewhere.", ROOT, "/home/ada/vite"),
            )
        ).as_json()
    )
    assert json.loads(canonical_text(body)) == body


@pytest.mark.promise("north.cold-packet")
def test_a_cold_packet_has_no_context_and_brings_the_repair_in_250_tokens() -> None:
    shown = packet(COLD)
    assert shown.verdict.state is State.NEEDS_INGEST
    assert shown.context is None
    assert shown.sufficiency is None
    assert shown.needs == "needs_ingest"
    assert shown.recovery == INGEST
    assert shown.human_view is not None
    assert shown.human_view.lines[0] == "numen ╷│╷╷╷  needs_ingest · 0 nodes"
    assert size(shown) == shown.budget.used <= 250


@pytest.mark.promise("north.cold-packet")
@settings(deadline=None, max_examples=60)
@given(
    st.text(min_size=1, max_size=4000),
    st.integers(10, 100),
    st.integers(0, 5),
    st.sampled_from([GapCode.INDEX_ABSENT, GapCode.INDEX_EMPTY]),
)
def test_no_task_and_no_memory_makes_a_cold_packet_larger(
    task: str, depth: int, memories: int, code: GapCode
) -> None:
    root = "/" + "r" * depth
    found = replace(
        COLD,
        task=task,
        brain=replace(COLD.brain, root=root),
        gaps=(gap(code, repair=Call("ingest", {"path": root})),),
        memory=[memory(at) for at in range(memories)],
        memory_exists=memories,
    )
    assert packet(found).budget.used <= 250


@pytest.mark.promise("north.warm-packet-budget")
def test_a_warm_packet_is_within_nine_hundred_tokens_and_shows_places_and_memories() -> None:
    shown = packet(warm(memories=30))
    assert size(shown) == shown.budget.used <= 900
    assert shown.context is not None
    assert len(shown.context.focus) >= 4
    assert shown.context.anchors
    assert len(shown.memory) >= 2
    left = {"focus": 8, "anchors": 8, "memory": 5}
    for section, count in left.items():
        kept = len(shown.memory if section == "memory" else getattr(shown.context, section))
        assert shown.budget.dropped.get(section, 0) == count - kept


@pytest.mark.promise("north.packet-budget")
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 1500),
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 5),
    st.text(min_size=1, max_size=4000),
    st.lists(st.sampled_from(list(GapCode)), max_size=4, unique=True),
)
def test_a_packet_is_within_its_budget_or_as_small_as_a_packet_gets(
    limit: int, focus: int, anchors: int, memories: int, task: str, codes: list[GapCode]
) -> None:
    gaps = [gap(code, repair=INGEST, count=memories, **FACTS) for code in codes]
    found = replace(warm(focus, anchors, memories), task=task, budget_tokens=limit, gaps=gaps)
    shown = packet(found)
    assert size(shown) == shown.budget.used
    assert shown.context is not None
    assert len(shown.context.focus) >= min(1, focus)
    if shown.budget.used > shown.budget.limit:
        assert shown.human_view is None
        assert len(shown.context.focus) + len(shown.memory) + len(shown.context.anchors) <= 1
    assert [each.node_id for each in shown.memory] == [
        row.node_id for row in found.memory[: len(shown.memory)]
    ]
    assert list(shown.context.focus) == list(found.focus[: len(shown.context.focus)])


@pytest.mark.promise("north.anchors")
@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 9), max_size=20), st.lists(st.integers(0, 9), max_size=20), st.integers(0, 3000)
)
def test_no_anchor_repeats_a_file_of_the_focus(focus: list[int], files: list[int], limit: int) -> None:
    found = replace(
        warm(),
        focus=[place(at, name=f"run{line}") for line, at in enumerate(focus)],
        files=[place(at) for at in dict.fromkeys(files)],
        scores=[0.5] * len(focus),
        budget_tokens=limit,
    )
    context = packet(found).context
    assert context is not None
    anchored = [each.path for each in context.anchors]
    assert not {each.path for each in context.focus} & set(anchored)
    assert len(anchored) == len(set(anchored))


@pytest.mark.promise("north.packet-budget")
def test_at_zero_budget_the_best_place_is_still_shown() -> None:
    shown = packet(replace(warm(), budget_tokens=0))
    assert shown.context is not None
    assert [each.id for each in shown.context.focus] == ["src/flask/module_0.py::run"]
    assert shown.budget.dropped["human_view"] == 1


@pytest.mark.promise("north.one-list")
@settings(deadline=None, max_examples=60)
@given(st.integers(1, 50), st.integers(0, 1500))
def test_sufficiency_speaks_of_the_list_that_is_shown(focus: int, limit: int) -> None:
    shown = packet(replace(warm(focus), budget_tokens=limit))
    assert shown.context is not None
    assert shown.sufficiency is not None
    assert shown.sufficiency.top_score == shown.context.focus[0].score
    assert (shown.sufficiency.state == "sufficient") == (shown.sufficiency.captured == 1.0)


@pytest.mark.promise("north.one-verdict")
@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(list(GapCode)), max_size=6, unique=True), st.booleans())
def test_verdict_next_move_recovery_and_card_say_one_thing(codes: list[GapCode], populated: bool) -> None:
    repairs = {code: Call("ingest", {"path": f"/{code}"}) for code in codes}
    gaps = [gap(code, repair=repairs[code], count=7, **FACTS) for code in codes]
    shown = packet(replace(warm() if populated else COLD, gaps=gaps, budget_tokens=5000))
    state = shown.verdict.state
    assert (shown.recovery is None) == (state is State.FULL_TRUST)
    assert shown.human_view is None or (shown.human_view.state == "clean") == (state is State.FULL_TRUST)
    if shown.verdict.reasons:
        assert shown.recovery == repairs[shown.verdict.reasons[0]]
        assert shown.gaps[0].code is shown.verdict.reasons[0]
    assert (shown.needs is not None) == (state in (State.NEEDS_INGEST, State.EMPTY))
    if state is State.FULL_TRUST and populated and GapCode.WITHIN_MEMORY_ONLY not in codes:
        assert shown.next_move == "read src/flask/module_0.py:10-20"


@pytest.mark.promise("north.suggested-calls")
def test_the_first_calls_can_be_made_as_they_stand_and_say_why() -> None:
    shown = packet(replace(warm(), memory_exists=30, gaps=(gap(GapCode.MEMORY_NO_MATCH, count=30),)))
    assert shown.context is not None
    calls = shown.context.suggested_first_calls
    assert calls[0].tool == "impact"
    assert calls[0].args == {"symbol": "src/flask/module_0.py::run"}
    assert all(call.why for call in calls)


@pytest.mark.promise("north.deterministic")
@settings(deadline=None, max_examples=60)
@given(st.integers(0, 50), st.integers(0, 5), st.integers(0, 1500))
def test_equal_findings_give_equal_bytes(focus: int, memories: int, limit: int) -> None:
    found = replace(warm(focus, 8, memories), budget_tokens=limit)
    assert canonical_text(packet(found).as_json()) == canonical_text(packet(replace(found)).as_json())
