"""What a measurement says and what follows from it, the drift check, and which tools are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cycle_mutations import scored
from numen.cycle import ToolDoc, fit, measuring, packing, rules, voting
from numen.cycle.contrast import Answered, contrast
from numen.cycle.measuring import Run, Way
from numen.cycle.requirements import checked
from numen.cycle.types import Arm
from numen.kernel import InvalidInput, SystemClock
from tests.cycle.rooms import Actor, whole

SINGLE, VOTE, PAIRS = Way(Arm.SINGLE, 1), Way(Arm.VOTE, 3), Way(Arm.PAIRS, 1)


def runs(way: Way, right: int, tokens: int, of: int = 100) -> list[Run]:
    """The first `right` of `of` tasks answered rightly."""
    return [Run(str(task), voting.NUMBER, way, task < right, tokens, 1) for task in range(of)]


@pytest.mark.promise("cycle.fit")
def test_a_depth_is_taken_only_where_it_is_surely_better_than_all_that_costs_less() -> None:
    better = runs(SINGLE, 50, 100) + runs(VOTE, 70, 300) + runs(PAIRS, 90, 400)
    assert [row["arm"] for row in measuring.curve(better)[voting.NUMBER]] == ["vote", "pairs"]  # type: ignore[union-attr,index,call-overload]
    even = runs(SINGLE, 50, 100) + runs(VOTE, 70, 300) + runs(PAIRS, 71, 400)
    assert [row["arm"] for row in measuring.curve(even)[voting.NUMBER]] == ["vote"]  # type: ignore[union-attr,index,call-overload]
    harm = runs(SINGLE, 50, 100) + runs(VOTE, 50, 300) + runs(PAIRS, 40, 400)
    assert measuring.curve(harm) == {voting.NUMBER: []}


@pytest.mark.promise("cycle.fit")
def test_a_fit_is_kept_for_its_model_alone_and_then_decides_the_depth(tmp_path: Path) -> None:
    found = runs(SINGLE, 50, 100) + runs(PAIRS, 90, 400)
    tasks = [measuring.Task(str(n), f"How many are {n} and 1?", str(n + 1)) for n in range(100)]
    made = measuring.fitted("m", tasks, found)
    place = measuring.keep(tmp_path, made)
    assert json.loads(place.read_text())["report"][1]["right"] == 90
    curve = fit.read_curve(tmp_path, "m")
    assert curve is not None
    assert rules.plan(10_000, 100, curve, voting.NUMBER, model=True).arm is Arm.PAIRS
    assert rules.plan(10_000, 100, curve, voting.OPEN, model=True).arm is Arm.SINGLE
    assert fit.read_curve(tmp_path, "another") is None
    place.write_text("{}")
    with pytest.raises(InvalidInput, match="cannot be read"):
        fit.read_curve(tmp_path, "m")


def test_harm_is_what_one_call_had_right() -> None:
    rows = measuring.table(runs(SINGLE, 50, 100) + runs(PAIRS, 40, 400))
    assert [(row.right, row.harm, row.mended) for row in rows] == [(50, 0, 0), (40, 10, 0)]


def test_a_vote_asks_as_often_as_it_is_large_and_most_win() -> None:
    answers = iter(["7", "8", "7"])
    actor = Actor({"first": lambda _prompt, _seed: next(answers)})
    task = measuring.Task("1", "How many are 3 and 4?", "7")
    (run,) = measuring.measure(actor, [task], SystemClock(), 100, [VOTE])
    assert run.right
    assert len(actor.asked) == 3


def test_every_way_runs_on_a_whole_model_and_each_costs_what_it_asks() -> None:
    task = measuring.Task("1", "How many are 3 and 4?", "7")
    found = measuring.measure(whole(first="7", integrate="x"), [task], SystemClock(), 100)
    assert all(run.right for run in found)
    cost = {run.way: run.tokens for run in found}
    assert cost[SINGLE] < cost[PAIRS] < cost[Way(Arm.PAIRS, 4)]
    assert cost[Way(Arm.PAIRS, 4, lenses=False)] < cost[Way(Arm.PAIRS, 4)]


@given(st.integers(0, 200), st.integers(0, 200))
def test_an_interval_holds_its_share(right: int, more: int) -> None:
    low, high = measuring.wilson(right, right + more)
    assert 0 <= low <= high <= 1
    if right + more:
        assert low - 1e-9 <= right / (right + more) <= high + 1e-9


@pytest.mark.promise("cycle.drift")
def test_the_drift_check_tells_every_seeded_mutation_and_its_false_alarms_are_counted() -> None:
    precision, recall, by_kind = scored(7)
    assert recall >= 0.95
    assert precision >= 0.85
    assert by_kind["same"] == by_kind["reordered"] == by_kind["listed"] == (12, 12)


@pytest.mark.promise("cycle.drift")
@given(st.text(max_size=200), st.text(max_size=80))
def test_an_answer_that_is_what_was_thought_strays_only_from_what_was_asked(thought: str, asked: str) -> None:
    found = contrast(Answered(asked, thought, thought))
    assert {one.check for one in found.findings} <= {"requirement"}


@pytest.mark.parametrize(
    ("asked", "good", "bad"),
    [
        ("Say it in at most 3 words.", "one two three", "one two three four"),
        ("Answer in one sentence.", "It is so.", "It is so. It is."),
        ("Give it as JSON.", '{"a": 1}', "a: 1"),
        ("List three fruits.", "- a\n- b\n- c", "- a\n- b"),
        ("Name two rivers.", "Rhine and Elbe", "Rhine, Elbe and Main"),
        ('Do not mention "apple".', "pears", "an Apple"),
        ('Include "pear".', "a Pear", "an apple"),
        ("Answer yes or no.", "Yes.", "Perhaps."),
    ],
)
def test_what_was_plainly_asked_is_checked(asked: str, good: str, bad: str) -> None:
    met, missed = checked(asked, good), checked(asked, bad)
    assert (met.met, met.of) == (1, 1)
    assert (missed.met, missed.of) == (0, 1)


DOCS = [
    ToolDoc("recall", "What was said or is known.", {}, ("what did somebody say about something",)),
    ToolDoc("seek", "Find code by words.", {}, ("find the code that does something",)),
]


@pytest.mark.promise("cycle.packing")
@pytest.mark.parametrize(
    ("question", "packed"),
    [
        ("What did Ada say about the boat?", ["recall"]),
        ("find the code that reads settings", ["seek"]),
        ("seek it, please", ["seek"]),
        ("How warm is it on Mars?", []),
        ("Write a poem about rain.", []),
        ("", []),
    ],
)
def test_tools_are_shown_where_the_words_are_about_them_and_never_on_a_guess(
    question: str, packed: list[str]
) -> None:
    assert [one.doc.name for one in packing.pack(question, DOCS, 1_000, {})] == packed
    assert packing.pack(question, DOCS, 0, {}) == ()
