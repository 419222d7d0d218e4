"""The budget law: what is shown is the longest beginning of the list that can be paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isnan
from typing import TypeVar

from numen.graph.types import Hit

T = TypeVar("T")


def pack_to_budget(
    items: Sequence[T], limit: int, cost: Callable[[Sequence[T]], int]
) -> tuple[Sequence[T], int]:
    """The longest beginning of `items` whose `cost` is at most `limit`, and that cost.

    At least one item is kept, even at zero budget; only then may the cost be over the limit. `cost` is asked
    for about log2(len(items)) beginnings. Where it does not grow with length the result is still within
    the limit, though a longer one might have been too.
    """
    if not items:
        return items, cost(items)
    low, high = 1, len(items)
    spent = cost(items[:low])
    while low < high:
        middle = (low + high + 1) // 2
        price = cost(items[:middle])
        if price <= limit:
            low, spent = middle, price
        else:
            high = middle - 1
    return items[:low], spent


def rank_key(hit: Hit) -> tuple[float, str]:
    """A total order: best score first, ties by id; a score that is not a number comes last."""
    return (float("inf") if isnan(hit.score) else -hit.score, hit.node.id)


def dedupe(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Each node once, with its best score, best first.

    The id decides, never the name: two functions of one name in two places stay two.
    """
    best: dict[str, Hit] = {}
    for hit in sorted(hits, key=rank_key):
        best.setdefault(hit.node.id, hit)
    return tuple(best.values())
