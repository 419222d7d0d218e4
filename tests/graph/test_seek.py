"""`seek`: ranked places with their text, honest about freshness, within the budget."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.types import Freshness
from numen.kernel import InvalidInput, Json, NotFound, canonical_text, tokens
from tests.graph.trees import OWNER, SHOP, Tree


@pytest.fixture
def shop(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path)
    tree.snapshot()
    return tree


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree in which one query finds many definitions."""
    body = "".join(
        f"def parse_header_{i}(text, strict=True):\n    '''Parse a header.'''\n    return text\n\n\n"
        for i in range(30)
    )
    tree = Tree(tmp_path_factory.mktemp("wide"), {f"library/package/headers_{n}.py": body for n in range(3)})
    tree.snapshot()
    return tree


def rows(body: dict[str, Json]) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", body["results"])


@pytest.mark.promise("seek.rows")
def test_a_result_says_where_what_why_how_good_and_how_fresh(shop: Tree) -> None:
    body = shop.search.seek(OWNER, shop.root, "amount in another currency").as_json()
    first = rows(body)[0]
    assert first["id"] == "shop/money.py::converted"
    assert first["lines"] == "9-11"
    assert first["kind"] == "function"
    assert first["signature"] == "def converted(amount, rate)"
    assert first["freshness"] == "fresh"
    assert "currency" in cast("str", first["text"])
    assert first["text"] == "\n".join(SHOP["shop/money.py"].split("\n")[8:11])
    assert first["why"]
    assert 0 < cast("float", first["score"]) <= 1
    assert body["match"] == "strong"


@pytest.mark.promise("seek.freshness")
def test_a_file_that_moved_on_is_said_to_have_changed(shop: Tree) -> None:
    shop.write("shop/money.py", "x = 1\n")
    (shop.root / "shop/mail.py").unlink()
    found = {
        one.hit.node.path: one
        for one in shop.search.seek(OWNER, shop.root, "amount confirmation total").found
    }
    assert found["shop/money.py"].hit.freshness is Freshness.CHANGED
    assert found["shop/mail.py"].hit.freshness is Freshness.MISSING
    assert found["shop/cart.py"].hit.freshness is Freshness.FRESH
    assert found["shop/money.py"].text == found["shop/mail.py"].text == ""
    assert found["shop/money.py"].compact()["freshness"] == "changed"


def test_a_link_in_place_of_a_file_is_not_followed(shop: Tree, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password")
    (shop.root / "shop/money.py").unlink()
    (shop.root / "shop/money.py").symlink_to(tmp_path / "secret")
    answer = shop.search.seek(OWNER, shop.root, "amount in another currency")
    assert "password" not in canonical_text(answer.as_json())


@pytest.mark.promise("seek.budget")
def test_ten_compact_results_cost_at_most_300_tokens(wide: Tree) -> None:
    body = wide.search.seek(OWNER, wide.root, "parse a header", k=10, budget_tokens=300).as_json()
    assert len(rows(body)) == 10
    assert body["form"] == "compact"
    assert tokens(canonical_text(body)) <= 300


@given(budget=st.integers(0, 4000), k=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_an_answer_keeps_to_its_budget_and_counts_what_it_left_out(wide: Tree, budget: int, k: int) -> None:
    answer = wide.search.seek(OWNER, wide.root, "parse a header", k=k, budget_tokens=budget)
    body = answer.as_json()
    shown = rows(body)
    assert len(shown) >= 1
    assert tokens(canonical_text(body)) <= budget or len(shown) == 1
    assert len(shown) + cast("int", body.get("dropped", 0)) == len(answer.found) == k


def test_more_budget_shows_more(wide: Tree) -> None:
    forms = [
        wide.search.seek(OWNER, wide.root, "parse a header", k=10, budget_tokens=budget).as_json()["form"]
        for budget in (300, 600, 5000)
    ]
    assert forms == ["compact", "brief", "full"]


def test_k_is_kept_to_its_bounds(wide: Tree) -> None:
    assert len(wide.search.seek(OWNER, wide.root, "parse a header", k=0).found) == 1
    assert len(wide.search.seek(OWNER, wide.root, "parse a header", k=9_999).found) == 50


@pytest.mark.promise("seek.refuses")
@pytest.mark.parametrize("query", ["", "  \n", "x" * 4001])
def test_an_empty_or_endless_query_is_refused(shop: Tree, query: str) -> None:
    with pytest.raises(InvalidInput):
        shop.search.seek(OWNER, shop.root, query)


def test_a_tree_that_was_never_ingested_is_not_an_empty_answer(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    with pytest.raises(NotFound):
        tree.search.seek(OWNER, tree.root, "total")


def test_no_match_has_no_results_and_says_so(shop: Tree) -> None:
    answer = shop.search.seek(OWNER, shop.root, "purple elephants juggle kubernetes")
    assert answer.found == ()
    assert answer.as_json()["match"] == "none"
    assert answer.as_json()["note"] == "nothing here has to do with this query"
    assert shop.search.seek(OWNER, shop.root, "total", within="nowhere").note == "no file lies under nowhere"


@pytest.mark.parametrize("within", ["shop", "shop/", "./shop", "shop//.", "{root}/shop", " shop "])
def test_a_folder_may_be_written_in_many_ways(shop: Tree, within: str) -> None:
    answer = shop.search.seek(OWNER, shop.root, "total of a basket", within=within.format(root=shop.root))
    assert {one.hit.node.path.partition("/")[0] for one in answer.found} == {"shop"}


def test_a_folder_outside_the_tree_holds_nothing(shop: Tree) -> None:
    for within in ("..", "../other", "/etc"):
        assert shop.search.seek(OWNER, shop.root, "total of a basket", within=within).found == ()


def test_the_root_itself_is_the_whole_tree(shop: Tree) -> None:
    whole = shop.search.seek(OWNER, shop.root, "total of a basket")
    for within in (".", "", str(shop.root)):
        assert shop.search.seek(OWNER, shop.root, "total of a basket", within=within) == whole


@given(
    st.text(alphabet="ab_XY019 \n\t`.:/#(){}<>\x00\u0301é検索\U0001f600\ud800", max_size=120).filter(
        str.strip
    )
)
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_asked(wide: Tree, query: str) -> None:
    canonical_text(wide.search.seek(OWNER, wide.root, query).as_json())
