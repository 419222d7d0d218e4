"""The one scored list: what comes first, and that nothing but the state and the question decides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.graph.trees import OWNER, SHOP, Tree, ids, paths

words = st.sampled_from(
    "basket price discount letter address currency order customer total round mail cart".split()
)
sentences = st.lists(words, min_size=1, max_size=8).map(" ".join)


@pytest.fixture
def grow(tmp_path: Path) -> Callable[..., Tree]:
    """Trees side by side in one test."""
    count = iter(range(1000))

    def made(files: Mapping[str, str] = SHOP) -> Tree:
        return Tree(tmp_path / str(next(count)), files)

    return made


@pytest.mark.promise("retrieval.bodies-and-comments")
def test_what_a_body_or_comment_says_is_found(grow: Callable[..., Tree]) -> None:
    ranking = grow().rank("round half to even as banks do")
    assert ids(ranking)[0] == "shop/money.py::rounded"
    assert ranking.match == "strong"


@pytest.mark.promise("retrieval.one-list")
def test_hits_and_files_are_cut_from_one_list(grow: Callable[..., Tree]) -> None:
    ranking = grow().rank("the confirmation of an order goes to the customer's address")
    assert ranking.hits[0].score == ranking.files[0].score
    assert list(dict.fromkeys(hit.node.path for hit in ranking.hits))[:3] == paths(ranking)[:3]


@pytest.mark.promise("retrieval.production-first")
def test_production_code_outranks_the_test_that_says_the_same(grow: Callable[..., Tree]) -> None:
    tree = grow()
    assert ids(tree.rank("sum of all prices, discounts taken off"))[0] == "shop/cart.py::Cart.total"
    assert paths(tree.rank("fix the failing test of the total of a basket"))[0] == "tests/test_cart.py"


def test_documents_come_first_when_the_task_is_about_documentation(grow: Callable[..., Tree]) -> None:
    tree = grow()
    assert paths(tree.rank("letters: the confirmation of an order"))[0] == "shop/mail.py"
    assert paths(tree.rank("typo in the README: letters: the confirmation of an order"))[0] == "README.md"


@pytest.mark.promise("retrieval.literal")
@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("look at `converted`", "shop/money.py::converted"),
        ("Cart.total() is wrong for an order by letter", "shop/cart.py::Cart.total"),
        ("letters are lost, see shop/money.py:6", "shop/money.py::rounded"),
        (
            'File "shop/mail.py", line 8, in confirm: the discount is missing in the basket',
            "shop/mail.py::confirm",
        ),
    ],
)
def test_what_the_task_names_outright_comes_first(
    grow: Callable[..., Tree], task: str, expected: str
) -> None:
    ranking = grow().rank(task)
    assert ids(ranking)[0] == expected
    assert "named in the task" in ranking.hits[0].why


def test_two_functions_of_one_name_stay_two(grow: Callable[..., Tree]) -> None:
    found = ids(grow().rank("total"))
    assert {"shop/cart.py::Cart.total", "shop/mail.py::total"} <= set(found)
    assert len(found) == len(set(found))


def test_different_tasks_have_different_anchors(grow: Callable[..., Tree]) -> None:
    tree = grow()
    first = {
        ids(tree.rank(task))[0] for task in ("currency conversion", "put an article", "confirmation letters")
    }
    assert len(first) == 3


@pytest.mark.promise("retrieval.equal-order")
def test_the_order_in_which_files_came_does_not_matter(grow: Callable[..., Tree]) -> None:
    one, other = grow(), grow(dict(reversed(SHOP.items())))
    for task in ("total of the basket", "order of a customer", "rounded amounts"):
        assert one.rank(task) == other.rank(task)


@pytest.mark.promise("retrieval.reading-changes-nothing")
@given(st.lists(sentences, min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
def test_asking_changes_no_later_answer(shop: Tree, asked: list[str]) -> None:
    snapshot = shop.graph.open(OWNER, shop.root)
    before = shop.search.rank(OWNER, snapshot, "discounts of an order", top_k=10)
    answers = [shop.search.rank(OWNER, snapshot, text, top_k=5) for text in asked]
    assert [shop.search.rank(OWNER, snapshot, text, top_k=5) for text in asked] == answers
    assert shop.search.rank(OWNER, snapshot, "discounts of an order", top_k=10) == before


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    tree = Tree(tmp_path_factory.mktemp("shop"))
    tree.snapshot()
    return tree


@given(sentences, st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_scores_fall_and_a_longer_list_begins_with_the_shorter(shop: Tree, task: str, top_k: int) -> None:
    snapshot = shop.graph.open(OWNER, shop.root)
    short = shop.search.rank(OWNER, snapshot, task, top_k=top_k)
    long = shop.search.rank(OWNER, snapshot, task, top_k=50)
    for ranking in (short, long):
        for hits in (ranking.hits, ranking.files):
            assert all(0 < hit.score <= 1 for hit in hits)
            keys = [(-hit.score, hit.node.id) for hit in hits]
            assert all(a < b for a, b in pairwise(keys)), "a total order"
    assert [hit.score for hit in short.hits] == [hit.score for hit in long.hits][: len(short.hits)]
    assert len(short.hits) <= top_k


@pytest.mark.parametrize(
    "noise", ["def gardening():\n    return 'tulips'\n", "PLANTS = ['fern', 'moss']\n", ""]
)
def test_an_unrelated_file_does_not_disturb_the_order(grow: Callable[..., Tree], noise: str) -> None:
    tree = grow()
    tasks = ("total of the basket", "confirmation of an order", "amount in another currency")
    before = [(ids(tree.rank(task))[0], paths(tree.rank(task))) for task in tasks]
    tree.write("garden/plants.py", noise)
    after = [(ids(tree.rank(task))[0], paths(tree.rank(task))) for task in tasks]
    assert [(first, [path for path in found if "garden" not in path]) for first, found in after] == before


@pytest.mark.promise("retrieval.history-votes")
def test_past_commits_vote_for_the_files_they_changed(grow: Callable[..., Tree]) -> None:
    tree = grow()
    tree.commit("Start")
    assert "shop/money.py" not in paths(tree.rank("zloty arithmetic"))[:1]
    tree.write("shop/money.py", SHOP["shop/money.py"].replace("2)", "2)  # cents"))
    tree.commit("Correct zloty arithmetic")
    ranking = tree.rank("zloty arithmetic")
    assert paths(ranking)[0] == "shop/money.py"
    assert any(why.startswith("past: ") and "zloty" in why for why in ranking.files[0].why)


def test_a_search_can_be_kept_to_a_folder(grow: Callable[..., Tree]) -> None:
    tree = grow()
    for prefix in ("tests", "tests/", "tests/test_cart.py"):
        assert set(paths(tree.rank("total of a basket", within=prefix))) == {"tests/test_cart.py"}
    assert tree.rank("total of a basket", within="test").hits == ()


@pytest.mark.promise("retrieval.abstains")
@pytest.mark.parametrize("task", ["purple elephants juggle kubernetes", "???", "1234567", "the of and"])
def test_a_question_about_something_else_has_no_match(grow: Callable[..., Tree], task: str) -> None:
    assert grow().rank(task).match == "none"


def test_other_scripts_are_searched(grow: Callable[..., Tree]) -> None:
    tree = grow(
        {
            "a.py": "def suche():\n    '''Sucht Größenangaben im Straßenverzeichnis.'''\n",
            "b.py": "def f():\n    '''注文の合計金額を計算する'''\n",
            "c.py": "def g():\n    '''Отправляет письмо покупателю'''\n",
        }
    )
    assert paths(tree.rank("STRASSENVERZEICHNIS"))[0] == "a.py"
    assert paths(tree.rank("合計金額"))[0] == "b.py"
    assert paths(tree.rank("письмо"))[0] == "c.py"


def test_an_empty_tree_answers_with_nothing(grow: Callable[..., Tree]) -> None:
    ranking = grow({}).rank("anything")
    assert (ranking.hits, ranking.files, ranking.match) == ((), (), "none")


def test_a_tree_of_documents_alone_is_searched(grow: Callable[..., Tree]) -> None:
    tree = grow(
        {"guide.md": "# Guide\n\n## Installing\n\nUse a package.\n", "faq.md": "# Questions\n\nNone.\n"}
    )
    assert paths(tree.rank("installing a package"))[0] == "guide.md"


def test_an_area_before_a_colon_points_to_its_place(grow: Callable[..., Tree]) -> None:
    tree = grow()
    assert paths(tree.rank("total of the customer"))[0] != "shop/money.py"
    assert paths(tree.rank("money: total of the customer"))[0] == "shop/money.py"


def test_inside_a_folder_of_tests_a_match_is_as_strong_as_elsewhere(grow: Callable[..., Tree]) -> None:
    ranking = grow().rank("total of a basket is the sum of all prices", within="tests")
    assert ranking.match == "strong"
    assert ranking.files[0].score > 0.5
