"""What an answer says of itself: whether the question is about this tree, and how sure the first place is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.graph.common import specificity
from numen.graph.corpus import CLASSES
from numen.graph.features import FILE_FEATURES, NODE_FEATURES
from numen.graph.fit import localise_fit
from numen.graph.signals import captured, likelihood
from tests.graph.trees import OWNER, SHOP, Tree

SIGNALS = ("coverage", "met", "missing", "phrases", "known", "agreement", "lead")
words = st.sampled_from(
    "basket price letter order total round zebra quantum kubernetes fix the add 12 x".split()
)
tasks = st.lists(words, min_size=1, max_size=8).map(" ".join)


@pytest.fixture(scope="module", params=["with history", "without history"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    tree = Tree(tmp_path_factory.mktemp("shop"))
    if request.param == "with history":
        tree.commit("Letters and a basket")
        tree.write("shop/money.py", SHOP["shop/money.py"] + "\n\nPENCE = 100\n")
        tree.commit("Round the total of an order")
    tree.snapshot()
    return tree


@given(tasks)
@settings(max_examples=60, deadline=None)
def test_every_signal_is_a_share(shop: Tree, task: str) -> None:
    ranking = shop.search.rank(OWNER, shop.graph.open(OWNER, shop.root), task, top_k=50)
    assert all(0 <= ranking.signals[name] <= 1 for name in SIGNALS)
    assert ranking.match in {"strong", "weak", "none"}
    assert ranking.match == "none" or ranking.hits


@given(tasks, st.sets(st.sampled_from(sorted(SHOP))))
@settings(max_examples=60, deadline=None)
def test_more_files_shown_capture_more_and_never_over_all(shop: Tree, task: str, shown: set[str]) -> None:
    ranking = shop.search.rank(OWNER, shop.graph.open(OWNER, shop.root), task, top_k=50)
    some, every = captured(ranking, shown), captured(ranking, set(SHOP))
    assert 0 <= some <= every <= 1
    if ranking.files:
        assert captured(ranking, {ranking.files[0].node.path}) >= ranking.signals["lead"] - 1e-3


@pytest.mark.promise("retrieval.common-words")
def test_words_that_every_project_uses_do_not_make_a_match(shop: Tree) -> None:
    snapshot = shop.graph.open(OWNER, shop.root)
    about = shop.search.rank(OWNER, snapshot, "round the total of a basket", top_k=5)
    other = shop.search.rank(OWNER, snapshot, "round robin scheduling of kubernetes pods", top_k=5)
    fit = localise_fit()
    assert likelihood(about.signals, fit, told=False) > likelihood(other.signals, fit, told=False)
    assert other.signals["missing"] > about.signals["missing"]


def test_a_word_of_all_projects_is_less_specific_than_one_of_few() -> None:
    fix, header, own = specificity(["fix", "header", "xyzzyplugh"]).tolist()
    assert 0 <= fix < header < own == 1


@pytest.mark.promise("fits.report")
def test_the_fit_names_every_feature_and_says_where_it_comes_from() -> None:
    fit = localise_fit()
    assert set(fit.files) == set(FILE_FEATURES)
    assert set(fit.nodes) == set(NODE_FEATURES)
    assert set(fit.classes) == {one.value for one in CLASSES}
    assert fit.report
    assert fit.model
    assert (fit.data_digest is None) == (fit.model == "hand")
    assert 0 < fit.match["bars"]["none_below"] < fit.match["bars"]["weak_below"] < 1


def test_a_tree_without_history_is_judged_without_it(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    assert tree.snapshot().history is None
    assert tree.rank("sum of all prices, discounts taken off").match == "strong"


def test_a_young_history_does_not_silence(shop: Tree) -> None:
    """Two commits say nothing about what a project never speaks of."""
    ranking = shop.search.rank(
        OWNER, shop.graph.open(OWNER, shop.root), "send the confirmation of an order", top_k=5
    )
    assert ranking.match == "strong"


def test_what_is_named_outright_is_never_silenced(shop: Tree) -> None:
    task = "quantum zebra kubernetes juggling in shop/money.py of the xylophone"
    ranking = shop.search.rank(OWNER, shop.graph.open(OWNER, shop.root), task, top_k=5)
    assert ranking.match != "none"
    assert ranking.files[0].node.path == "shop/money.py"
