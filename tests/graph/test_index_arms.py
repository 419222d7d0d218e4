"""Postings and columns: what goes in comes out, and putting something in later gives the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.graph.columns import Texts
from numen.graph.postings import Postings
from numen.graph.terms import term_key
from tests.graph.edges import indexed

Rows = list[tuple[int, int, int]]

row = st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(1, 70_000))
rows = st.lists(row, max_size=25, unique_by=lambda one: one[:2]).map(sorted)


def postings(rows: Rows, documents: int) -> Postings:
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    keys = columns[:, 1].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return Postings.of(columns[:, 0].astype(np.int32), keys, columns[:, 2].astype(np.int32), documents)


def key(number: int) -> int:
    return number * 0x9E3779B97F4A7C15 % 2**64


def same(one: Postings, other: Postings) -> None:
    for name, column in one.arrays().items():
        assert column.dtype == other.arrays()[name].dtype, name
        assert column.tolist() == other.arrays()[name].tolist(), name


@given(rows)
def test_postings_give_back_what_was_put_in(given_rows: Rows) -> None:
    built = postings(given_rows, 6)
    for number in range(7):
        docs, counts = built.lookup(key(number))
        expected = [(doc, min(count, 65_535)) for doc, at, count in given_rows if at == number]
        assert list(zip(docs.tolist(), counts.tolist(), strict=True)) == expected
        assert built.df(key(number)) == len(expected)
    assert built.lengths.tolist() == [
        sum(min(count, 65_535) for doc, _, count in given_rows if doc == number) for number in range(6)
    ]
    assert built.df(12345) == 0
    same(Postings.from_arrays(built.arrays()), built)


@pytest.mark.promise("ingest.incremental-is-exact")
@given(rows, rows, st.lists(st.booleans(), min_size=6, max_size=6), st.permutations(range(12)))
def test_putting_documents_in_later_gives_what_a_whole_merge_gives(
    old: Rows, new: Rows, kept: list[bool], order: list[int]
) -> None:
    places = sorted(order[: sum(kept) + 6])
    documents = len(places)
    chosen = set(order[: sum(kept)])
    old_places = iter([i for i, place in enumerate(places) if place in chosen])
    where = np.array([next(old_places) if keep else -1 for keep in kept], dtype=np.int32)
    placed = np.array([i for i, place in enumerate(places) if place not in chosen], dtype=np.int32)
    before, fresh = postings(old, 6), postings(new, 6)
    whole = Postings.merged([(before, where), (fresh, placed)], documents)
    same(before.replaced(where, fresh, placed, documents), whole)
    moved = {(int(where[doc]), at, count) for doc, at, count in old if kept[doc]}
    moved |= {(int(placed[doc]), at, count) for doc, at, count in new}
    same(whole, postings(sorted(moved), documents))


@given(st.lists(st.text()), st.lists(st.text()))
def test_a_column_of_strings_gives_them_back(one: list[str], other: list[str]) -> None:
    one = [text.encode("utf-8", "replace").decode() for text in one]
    other = [text.encode("utf-8", "replace").decode() for text in other]
    joined = Texts.joined([Texts.of(one), Texts.of(other)])
    assert list(joined) == [joined[i] for i in range(len(joined))] == one + other
    assert list(joined.part(len(one), len(joined))) == other


@pytest.mark.promise("graph.arms")
def test_every_arm_holds_the_words_it_should(tmp_path: Path) -> None:
    snapshot = indexed(
        tmp_path,
        {
            "store/ledger.py": '''"""Opening words."""
# The comment above.
def reconcile(account):
    """Inner words."""
    return account


class Keeper:
    def sweep(self):
        return "nested"
''',
            "vendor/hidden.py": "def invisible(): ...\n",
        },
    )

    def held(arm: str, word: str) -> dict[str, int]:
        docs, counts = snapshot.arms[arm].lookup(term_key(word))
        by_node = arm in ("chunk", "name")
        names = [snapshot.nodes.id(doc) if by_node else snapshot.files.paths[doc] for doc in docs.tolist()]
        return dict(zip(names, counts.tolist(), strict=True))

    path = "store/ledger.py"
    function = f"{path}::reconcile"
    method = f"{path}::Keeper.sweep"
    assert held("file", "reconcil") == {path: 1}
    assert held("name", "reconcil") == {function: 4}
    assert held("chunk", "reconcil") == {function: 5}
    assert held("chunk", "open") == {path: 1}
    assert held("chunk", "comment") == held("chunk", "inner") == {function: 1}
    assert held("chunk", "nest") == {method: 1}
    assert held("name", "keeper") == {f"{path}::Keeper": 4, method: 1}
    assert held("path", "ledger") == {path: 1}
    assert set(held("name", "ledger")) == {path, function, f"{path}::Keeper", method}
    assert held("file", "invis") == held("path", "hidden") == held("chunk", "invis") == {}
    assert all(arm.documents in (len(snapshot.files), len(snapshot.nodes)) for arm in snapshot.arms.values())
