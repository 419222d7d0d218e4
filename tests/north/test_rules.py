"""The pure laws of north: what is asked, what is trusted, what is enough, what is old."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.fit import localise_fit
from numen.kernel import InvalidInput
from numen.north import GapCode, MemoryRow, NorthRequest, Severity, State, SufficiencyState, Tier
from numen.north.card import wrap
from numen.north.fit import read_fit, weights_of
from numen.north.gaps import gap, ordered, severity, state_of, verdict
from numen.north.rules import (
    age_ms,
    checked,
    dated,
    prefix,
    reasons,
    shortened,
    strong,
    sufficiency,
    tier_of,
)
from numen.north.types import Relation

ASKED = NorthRequest("fix the parser", "ada", Path("/repo"))
FACTS = {
    "relation": Relation.OTHER,
    "reason": "cut short",
    "changed": 3,
    "added": 0,
    "removed": 1,
    "count": 7,
    "agent": "bert",
    "where": "src/flask/app.py",
    "more": ", and 2 more",
    "waits": "2 missions wait",
    "blocks": 12,
    "first": "app: nothing is left of src/flask/sansio/**",
}
codes = st.lists(st.sampled_from(GapCode), max_size=8, unique=True)


@pytest.mark.promise("north.input")
@pytest.mark.parametrize(
    "wrong",
    [
        {"task": ""},
        {"task": " \n\t "},
        {"task": "x" * 4001},
        {"agent_id": "  "},
        {"budget_tokens": -1},
        {"caller_root": "relative/dir"},
        {"caller_root": "/a\0b"},
    ],
)
def test_what_has_no_honest_reading_is_refused_with_a_next_step(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(replace(ASKED, **wrong))
    assert refused.value.what
    assert refused.value.next_step


@pytest.mark.promise("north.input")
@settings(deadline=None)
@given(st.integers())
def test_top_k_is_clamped_to_one_and_fifty(top_k: int) -> None:
    assert checked(replace(ASKED, top_k=top_k)).top_k == min(50, max(1, top_k))


@pytest.mark.promise("north.input")
def test_four_thousand_characters_are_read_and_space_around_them_is_not_counted() -> None:
    assert len(checked(replace(ASKED, task="  " + "x" * 4000 + "\n")).task) == 4000
    assert checked(replace(ASKED, task="half a \ud83d sign")).task == "half a ? sign"


@pytest.mark.promise("north.tier-never-widens")
@settings(deadline=None)
@given(st.text(max_size=20))
def test_a_tier_that_does_not_exist_is_this_project_alone(text: str) -> None:
    tier, known = tier_of(text)
    assert known == (text in list(Tier))
    assert tier is (Tier(text) if known else Tier.PROJECT)


@pytest.mark.promise("north.within-stays-inside")
@pytest.mark.parametrize("within", ["..", "../x", "a/../../x", "/etc", "/repository", "a\0b"])
def test_a_prefix_that_leads_out_is_refused(within: str) -> None:
    with pytest.raises(InvalidInput):
        prefix(within, "/repo")


@pytest.mark.promise("north.within-stays-inside")
@pytest.mark.parametrize(
    ("within", "path"),
    [
        (None, None),
        ("", None),
        (".", None),
        ("/repo", None),
        ("src/", "src"),
        ("./src//db", "src/db"),
        ("a/../src", "src"),
        ("/repo/src", "src"),
        ("light::", "light::"),
        ("..hidden", "..hidden"),
    ],
)
def test_a_prefix_inside_is_read_in_its_normal_form(within: str | None, path: str | None) -> None:
    assert prefix(within, "/repo") == path


@pytest.mark.promise("north.one-verdict")
@settings(deadline=None)
@given(codes)
def test_the_verdict_is_the_worst_that_any_gap_allows(found: list[GapCode]) -> None:
    gaps = [gap(code, **FACTS) for code in found]
    order = list(State)
    worst = max((order.index(state_of(code)) for code in found), default=0)
    judged = verdict(gaps)
    assert order.index(judged.state) == worst
    assert (judged.state is State.FULL_TRUST) == (not judged.reasons)
    if judged.reasons:
        assert ordered(gaps)[0].code is judged.reasons[0]
        assert state_of(judged.reasons[0]) is judged.state


@pytest.mark.promise("north.one-verdict")
def test_full_trust_and_a_wrong_repository_cannot_be_said_together() -> None:
    elsewhere = gap(GapCode.WRONG_REPO, relation=Relation.CLONE)
    for code in GapCode:
        assert verdict([gap(code, **FACTS), elsewhere]).state is State.WRONG_REPO


@pytest.mark.promise("north.total-order")
@settings(deadline=None)
@given(st.lists(st.sampled_from(GapCode), max_size=4, unique=True))
def test_gaps_stand_in_one_order_worst_first(found: list[GapCode]) -> None:
    gaps = [gap(code, **FACTS) for code in found]
    assert len({ordered(arrival) for arrival in permutations(gaps)}) == 1
    ranks = [list(Severity).index(each.severity) for each in ordered(gaps)]
    assert ranks == sorted(ranks)


@pytest.mark.promise("north.gap-text-from-code")
@pytest.mark.parametrize("code", list(GapCode))
def test_every_code_has_a_sentence_that_fits_the_card(code: GapCode) -> None:
    said = gap(code, **FACTS)
    assert said.severity is severity(code)
    assert "{" not in said.text
    wrapped = wrap(said.text)
    assert wrapped is not None
    assert len(wrapped) <= 2


@pytest.mark.promise("north.gap-text-from-code")
def test_numbers_in_gaps_have_thousands_separators() -> None:
    assert gap(GapCode.TREE_DRIFTED, changed=1234, added=0, removed=5).text == (
        "Since ingest: 1,234 changed, 0 added, 5 removed."
    )


@pytest.mark.promise("north.age-honesty")
@settings(deadline=None)
@given(st.none() | st.integers(), st.integers(1, 2**50))
def test_an_age_is_shown_only_for_a_stamp_between_zero_and_now(stamp: int | None, now: int) -> None:
    age = age_ms(stamp, now)
    if stamp is not None and 0 < stamp <= now:
        assert age == now - stamp
    else:
        assert age is None


rows = st.builds(
    MemoryRow,
    claim=st.just("The tests need a server."),
    kind=st.just("light"),
    confidence=st.just(0.9),
    node_id=st.sampled_from([f"light::b::{n}" for n in range(6)]),
    tier=st.just(Tier.PROJECT),
    origin_brain=st.just("b"),
    stamp_ms=st.none() | st.integers(-10, 200),
)


@pytest.mark.promise("north.memory-order")
@settings(deadline=None)
@given(st.lists(rows, max_size=12))
def test_memories_stand_newest_first_and_undated_last(found: list[MemoryRow]) -> None:
    shown = dated(found, 100)
    ages = [row.age_ms for row in shown]
    known = [age for age in ages if age is not None]
    assert ages == sorted(known) + [None] * (len(ages) - len(known))
    assert len({row.node_id for row in shown}) == len(shown)


scores = st.lists(st.floats(0, 1), max_size=40).map(lambda found: sorted(found, reverse=True))


@pytest.mark.promise("north.sufficiency-from-the-list")
@settings(deadline=None)
@given(scores, st.integers(0, 50), st.sampled_from(["strong", "weak", "none"]))
def test_sufficiency_is_judged_from_the_scores_alone(found: list[float], shown: int, match: str) -> None:
    judged = sufficiency(found, shown, match)
    assert judged.top_score == (found[0] if found else 0.0)
    assert 0 <= judged.captured <= 1
    assert judged.reliability is None
    assert "reliability not measured" in judged.why
    if not found or match == "none":
        assert judged.state is SufficiencyState.ABSENT
    elif match == "weak":
        assert judged.state is SufficiencyState.GATHERING
    else:
        enough = shown >= strong(found)
        assert judged.state is (SufficiencyState.SUFFICIENT if enough else SufficiencyState.SATURATED)


@pytest.mark.promise("north.sufficiency-from-the-list")
def test_a_measured_reliability_is_said_for_its_own_state_only() -> None:
    measured = {SufficiencyState.SUFFICIENT: 0.81}
    assert sufficiency([0.9, 0.2], 2, "strong", measured).reliability == 0.81
    assert sufficiency([0.9, 0.8, 0.1], 1, "strong", measured).reliability is None


@pytest.mark.promise("north.sufficiency-from-the-list")
@settings(deadline=None)
@given(scores)
def test_strong_hits_are_the_first_ones_with_half_the_best_score(found: list[float]) -> None:
    many = strong(found)
    assert all(score >= found[0] / 2 for score in found[:many])
    assert all(score < found[0] / 2 for score in found[many:])


@pytest.mark.promise("north.rows-short")
@given(st.lists(st.text(max_size=90), max_size=6), st.text(max_size=200))
def test_a_row_keeps_its_first_reasons_whole_and_marks_a_cut_signature(why: list[str], text: str) -> None:
    kept = reasons(why)
    assert list(kept) == why[: len(kept)]
    assert len(kept) >= min(1, len(why))
    assert sum(map(len, kept)) <= 60 or len(kept) == 1
    shown = shortened(text)
    assert len(shown) <= 80
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


@pytest.mark.promise("north.reliability-measured")
def test_a_reliability_measured_under_other_weights_is_not_shown() -> None:
    ranking = localise_fit()
    text = json.dumps({"model": weights_of(ranking), "value": {"sufficient": {"reliability": 0.79}}})
    assert read_fit(text, ranking) == {SufficiencyState.SUFFICIENT: 0.79}
    assert read_fit(text, replace(ranking, files={**ranking.files, "chunk": 0.0})) == {}


@pytest.mark.promise("north.rows-short")
def test_eighty_characters_of_a_signature_stay_and_the_eighty_first_is_marked() -> None:
    assert shortened("s" * 80) == "s" * 80
    assert shortened("s" * 81) == "s" * 79 + "…"
    assert shortened("s" * 78 + "  t") == "s" * 78 + "…"


@pytest.mark.promise("north.rows-short")
def test_reasons_are_kept_up_to_sixty_characters_together() -> None:
    assert reasons(["a" * 30, "b" * 30, "c"]) == ("a" * 30, "b" * 30)
    assert reasons(["a" * 30, "b" * 31, "c"]) == ("a" * 30,)
    assert reasons(["a" * 90, "b"]) == ("a" * 90,)


@pytest.mark.promise("north.input")
def test_a_budget_of_zero_is_a_budget() -> None:
    assert checked(replace(ASKED, budget_tokens=0)).budget_tokens == 0
