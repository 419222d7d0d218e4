"""The budget law and the orders of north (north contract, "The packet")."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.types import FileClass, Hit
from numen.kernel import tokens
from numen.north import dedupe, pack_to_budget, rank_key
from tests.north.strategies import hits, node


def price(lines: Sequence[str]) -> int:
    return tokens("\n".join(lines))


@pytest.mark.promise("north.budget-law")
@settings(deadline=None)
@given(st.lists(st.text(max_size=60), max_size=60), st.integers(-5, 400))
def test_the_longest_beginning_that_can_be_paid_is_kept(items: list[str], limit: int) -> None:
    kept, used = pack_to_budget(items, limit, price)
    assert list(kept) == items[: len(kept)]
    assert used == price(kept)
    assert len(kept) >= min(1, len(items))
    assert used <= limit or len(kept) <= 1
    longer = items[: len(kept) + 1]
    assert len(kept) == len(items) or price(longer) > limit or price(longer) == used


@pytest.mark.promise("north.budget-law")
@settings(deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.integers(0, 60))
def test_even_a_price_that_falls_with_length_never_breaks_the_limit(costs: list[int], limit: int) -> None:
    kept, used = pack_to_budget(costs, limit, sum)
    assert len(kept) >= 1
    assert used <= limit or len(kept) == 1


@pytest.mark.promise("north.budget-law")
def test_ten_thousand_memories_are_packed_to_the_budget() -> None:
    memories = [f"memory {n}: the tests of module {n % 97} need a server" for n in range(10_000)]
    for limit in (0, 1, 12, 900, 10**9):
        kept, used = pack_to_budget(memories, limit, price)
        assert len(kept) >= 1
        assert used <= limit or len(kept) == 1
    assert len(pack_to_budget(memories, 10**9, price)[0]) == 10_000


@pytest.mark.promise("north.dedupe-by-id")
@settings(deadline=None)
@given(st.lists(hits, max_size=30))
def test_dedupe_keeps_each_id_once_with_its_best_score(found: list[Hit]) -> None:
    kept = dedupe(found)
    assert [hit.node.id for hit in kept] == list(dict.fromkeys(hit.node.id for hit in kept))
    assert {hit.node.id for hit in kept} == {hit.node.id for hit in found}
    for hit in kept:
        assert rank_key(hit) == min(rank_key(other) for other in found if other.node.id == hit.node.id)


@pytest.mark.promise("north.dedupe-by-id")
def test_two_functions_of_one_name_stay_two() -> None:
    found = [
        Hit(node("a.py", "run"), FileClass.SOURCE, 0.5, ()),
        Hit(node("b.py", "run"), FileClass.SOURCE, 0.5, ()),
        Hit(node("b.py", "run#2"), FileClass.SOURCE, 0.5, ()),
        Hit(node("a.py", "run"), FileClass.SOURCE, 0.4, ()),
    ]
    assert [hit.node.id for hit in dedupe(found)] == ["a.py::run", "b.py::run", "b.py::run#2"]


@pytest.mark.promise("north.total-order")
@settings(deadline=None)
@given(st.lists(hits, max_size=4))
def test_every_order_of_arrival_gives_one_order(found: list[Hit]) -> None:
    orders = {tuple(rank_key(hit) for hit in dedupe(arrival)) for arrival in permutations(found)}
    assert len(orders) == 1


@pytest.mark.promise("north.total-order")
@settings(deadline=None)
@given(hits, hits, hits)
def test_the_order_of_hits_is_total(a: Hit, b: Hit, c: Hit) -> None:
    one, two, three = rank_key(a), rank_key(b), rank_key(c)
    assert (one < two) + (two < one) + (one == two) == 1
    assert not (one <= two <= three) or one <= three
