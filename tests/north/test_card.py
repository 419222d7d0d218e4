"""The laws of the card (north contract, "The card"; decision 23)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from numen.north import CardFacts, Reception, State, compose
from numen.north.card import card_state, pulse
from numen.north.types import CardState, Relation
from tests.north.strategies import card_facts

CLEAN = CardFacts(State.FULL_TRUST, nodes=9113, focused=True, memories=30, blocks=12)
ELSEWHERE = Reception(
    Relation.OTHER, "You work elsewhere: this is not your repository.", "/home/ada/flask", "/home/ada/vite"
)


@pytest.mark.promise("north.card-one-line-when-clean")
def test_a_clean_card_is_the_one_line_of_the_contract() -> None:
    assert compose(CLEAN).lines == ("numen ╷╷╷╷╷  full trust · 9,113 nodes · 30 memories · map 12 blocks",)


@pytest.mark.promise("north.card-zero-omitted")
def test_zero_segments_are_omitted_and_one_is_singular() -> None:
    assert compose(replace(CLEAN, memories=0, blocks=0)).lines == ("numen ╷╷╷╷╷  full trust · 9,113 nodes",)
    assert compose(replace(CLEAN, nodes=1, memories=1, blocks=1)).lines == (
        "numen ╷╷╷╷╷  full trust · 1 node · 1 memory · map 1 block",
    )


@pytest.mark.promise("north.card-needs-ingest")
def test_an_unindexed_repository_shows_zero_the_gap_and_the_repair() -> None:
    facts = CardFacts(
        State.NEEDS_INGEST, 0, focused=False, gap="This repository is not indexed yet.", move="ingest path=/r"
    )
    assert compose(facts).lines == (
        "numen ╷│╷╷╷  needs_ingest · 0 nodes",
        "      │ This repository is not indexed yet.",
        "      │ next: ingest path=/r",
    )


@pytest.mark.promise("north.card-verbatim-whole")
def test_a_next_line_that_does_not_fit_whole_falls_whole() -> None:
    facts = CardFacts(
        State.NEEDS_INGEST, 0, focused=False, gap="It is not indexed.", move="ingest path=/" + "r" * 80
    )
    assert compose(facts).lines == ("numen ╷│╷╷╷  needs_ingest · 0 nodes", "      │ It is not indexed.")


@pytest.mark.promise("north.card-unreadable-is-not-empty")
def test_an_unreadable_index_is_never_shown_as_zero_nodes() -> None:
    facts = CardFacts(State.NEEDS_INGEST, None, focused=False, gap="The index cannot be read: cut short.")
    assert compose(facts).lines == (
        "numen ╷│╷╷╷  needs_ingest · index unreadable",
        "      │ The index cannot be read: cut short.",
    )


@pytest.mark.promise("north.card-empty-form")
def test_an_empty_repository_takes_the_form_of_needs_ingest_with_its_own_sentence() -> None:
    card = compose(CardFacts(State.EMPTY, 0, focused=False, gap="The index is empty."))
    assert card.state is CardState.NEEDS_INGEST
    assert card.lines == ("numen ╷│╷╷╷  empty · 0 nodes", "      │ The index is empty.")


@pytest.mark.promise("north.card-attention")
def test_degraded_and_stale_cards_say_the_first_gap_on_line_two() -> None:
    card = compose(replace(CLEAN, state=State.STALE, gap="Since ingest: 3 changed, 0 added, 0 removed."))
    assert card.state is CardState.ATTENTION
    assert card.lines == (
        "numen │╷╷╷╷  stale · 9,113 nodes · 30 memories · map 12 blocks",
        "      │ Since ingest: 3 changed, 0 added, 0 removed.",
    )
    none = compose(replace(CLEAN, state=State.DEGRADED, focused=False, gap="Nothing matched."))
    assert none.lines[0].startswith("numen │╷│╷╷  degraded · ")


@pytest.mark.promise("north.card-bell-and-coherence")
def test_waiting_missions_ring_and_a_sick_map_speaks_only_when_none_waits() -> None:
    both = replace(CLEAN, bell="3 missions wait for a person.", coherence="The map lost 2 blocks.")
    assert compose(both).state is CardState.BELL
    assert compose(both).lines[0].startswith("numen ╷╷╷││  ")
    assert compose(both).lines[1:] == ("      │ 3 missions wait for a person.",)
    sick = replace(both, bell=None)
    assert compose(sick).state is CardState.COHERENCE
    assert compose(sick).lines[1:] == ("      │ The map lost 2 blocks.",)


@pytest.mark.promise("north.card-mismatch-is-the-warning")
def test_the_card_of_a_wrong_repository_is_the_warning_alone() -> None:
    facts = replace(CLEAN, state=State.WRONG_REPO, reception=ELSEWHERE, move="north path=/home/ada/vite")
    assert compose(facts).lines == (
        "numen │ You work elsewhere: this is not your repository.",
        "      │ bound: /home/ada/flask",
        "      │ yours: /home/ada/vite",
        "      │ next: north path=/home/ada/vite",
    )


@pytest.mark.promise("north.card-wrap")
def test_a_long_sentence_wraps_at_words_two_further_in() -> None:
    gap = "word " * 30 + "end"
    assert compose(replace(CLEAN, state=State.STALE, gap=gap)).lines[1:] == (
        "      │ " + "word " * 13 + "word",
        "      │   " + "word " * 13 + "word",
        "      │   word word end",
    )


@pytest.mark.promise("north.card-ascii")
def test_ascii_maps_each_sign_to_one_sign() -> None:
    gap = "a — b ⊢ c ∎ d"
    drawn = compose(replace(CLEAN, state=State.STALE, gap=gap))
    plain = compose(replace(CLEAN, state=State.STALE, gap=gap, ascii=True))
    assert plain.lines == (
        "numen |....  stale . 9,113 nodes . 30 memories . map 12 blocks",
        "      | a - b > c # d",
    )
    assert [len(line) for line in plain.lines] == [len(line) for line in drawn.lines]


@pytest.mark.promise("north.card-size")
@settings(deadline=None)
@given(card_facts)
def test_no_card_has_more_than_four_lines_of_eighty_characters(facts: CardFacts) -> None:
    lines = compose(facts).lines
    assert 1 <= len(lines) <= 4
    assert all(len(line) <= 80 and "\n" not in line for line in lines)


@pytest.mark.promise("north.card-spine")
@settings(deadline=None)
@given(card_facts)
def test_every_line_hangs_on_the_spine_under_the_first_pulse_cell(facts: CardFacts) -> None:
    first, *rest = compose(facts).lines
    column = len("numen ")
    assert first.startswith("numen ")
    assert first[column] in ("╷│.|")
    assert all(line[:column].isspace() and line[column] in "│|" for line in rest)


@pytest.mark.promise("north.card-pulse-order")
@settings(deadline=None)
@given(card_facts)
def test_each_cell_of_the_pulse_rises_by_its_own_rule(facts: CardFacts) -> None:
    trust, graph, focus, bell, coherence = (cell == "│" for cell in pulse(facts))
    unbound = facts.state in (State.NEEDS_INGEST, State.EMPTY)
    assert trust == (facts.state is not State.FULL_TRUST and not unbound)
    assert graph == unbound
    assert focus == (not unbound and not facts.focused)
    assert bell == (facts.bell is not None)
    assert coherence == (facts.coherence is not None)
    if card_state(facts) is not CardState.MISMATCH and not facts.ascii:
        assert compose(facts).lines[0].startswith(f"numen {pulse(facts)}  ")


@pytest.mark.promise("north.card-mismatch-is-the-warning")
@settings(deadline=None)
@given(card_facts)
def test_a_mismatch_outranks_every_signal_and_shows_no_statistic(facts: CardFacts) -> None:
    calm = CardFacts(
        State.WRONG_REPO, None, focused=True, gap=facts.gap, move=facts.move, reception=facts.reception
    )
    loud = replace(facts, state=State.WRONG_REPO, ascii=False)
    assert compose(loud) == compose(calm)
    assert compose(loud).state is CardState.MISMATCH


@pytest.mark.promise("north.card-verbatim-whole")
@settings(deadline=None)
@given(card_facts)
def test_a_sentence_is_shown_whole_or_not_at_all(facts: CardFacts) -> None:
    facts = replace(facts, state=State.STALE, bell=None, coherence=None, ascii=False)
    assume(facts.gap.strip())
    _, *rest = compose(facts).lines
    assert not rest or " ".join(line[8:].strip() for line in rest).split() == facts.gap.split()


@pytest.mark.promise("north.card-sig")
@settings(deadline=None)
@given(card_facts, card_facts)
def test_equal_facts_give_equal_sigs_and_other_lines_give_other_sigs(one: CardFacts, two: CardFacts) -> None:
    first, second = compose(one), compose(two)
    assert compose(replace(one)).state_sig == first.state_sig
    assert (first.state_sig == second.state_sig) == (
        (first.state, first.lines) == (second.state, second.lines)
    )


@pytest.mark.promise("north.card-sig")
def test_every_part_of_the_card_moves_the_sig() -> None:
    moved = [
        replace(CLEAN, nodes=9114),
        replace(CLEAN, memories=31),
        replace(CLEAN, blocks=13),
        replace(CLEAN, focused=False),
        replace(CLEAN, state=State.STALE, gap="a"),
        replace(CLEAN, state=State.STALE, gap="b"),
        replace(CLEAN, bell="a"),
        replace(CLEAN, coherence="a"),
        replace(CLEAN, state=State.WRONG_REPO, reception=ELSEWHERE),
        replace(CLEAN, state=State.WRONG_REPO, reception=replace(ELSEWHERE, yours="/home/ada/other")),
        replace(CLEAN, ascii=True),
    ]
    sigs = [compose(facts).state_sig for facts in [CLEAN, *moved]]
    assert len(set(sigs)) == len(sigs)
