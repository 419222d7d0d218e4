"""`impact`: who is affected by a change, how surely, and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.graph.answers import ImpactAnswer
from numen.graph.naming import edits
from numen.graph.types import Certainty, EdgeKind
from numen.kernel import InvalidInput, Json, canonical_text, tokens
from tests.graph.trees import OWNER, SHOP, Tree


@pytest.fixture
def shop(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path)
    tree.snapshot()
    return tree


def reached(answer: ImpactAnswer) -> list[str]:
    return [one.node.id for one in answer.reached]


@pytest.mark.promise("impact.who-is-affected")
def test_the_default_answer_is_who_is_affected(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "shop/cart.py::Cart.total")
    assert answer.state == "found"
    assert "shop/mail.py::confirm" in reached(answer)
    assert "shop/money.py::rounded" not in reached(answer)


def test_dependencies_go_the_other_way(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "shop/cart.py::Cart.total", direction="dependencies")
    assert "shop/money.py::rounded" in reached(answer)
    assert "shop/mail.py::confirm" not in reached(answer)


@pytest.mark.promise("impact.reasons")
def test_each_hop_has_its_reason_and_its_certainty(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "rounded")
    steps = {one.node.id: one for one in answer.reached}
    direct, further = steps["shop/cart.py::Cart.total"], steps["shop/mail.py::confirm"]
    assert (direct.hop, direct.kind, direct.via) == (1, EdgeKind.CALLS, "shop/money.py::rounded")
    assert direct.reason() == "calls rounded"
    assert (further.hop, further.via) == (2, "shop/cart.py::Cart.total")
    assert further.certainty >= max(further.edge, direct.certainty)
    assert all(one.certainty is not Certainty.AMBIGUOUS for one in answer.reached)


@pytest.mark.promise("impact.tests-first")
def test_tests_come_first(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "Cart")
    flags = [one.is_test for one in answer.reached]
    assert flags[0]
    assert flags == sorted(flags, reverse=True)
    hops = [one.hop for one in answer.reached if not one.is_test]
    assert hops == sorted(hops)


def test_a_class_stands_for_its_methods_and_a_file_for_all_it_holds(shop: Tree) -> None:
    for symbol in ("Cart", "shop/cart.py", "cart.py"):
        assert "shop/mail.py::confirm" in reached(shop.search.impact(OWNER, shop.root, symbol))


def test_depth_ends_the_walk(shop: Tree) -> None:
    near = shop.search.impact(OWNER, shop.root, "rounded", depth=1)
    assert {one.hop for one in near.reached} == {1}
    assert "shop/mail.py::confirm" not in reached(near)


@pytest.mark.promise("impact.never-guesses")
def test_a_name_of_several_things_is_answered_with_all_of_them(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "total")
    assert answer.state == "ambiguous"
    assert set(answer.candidates) == {"shop/cart.py::Cart.total", "shop/mail.py::total"}
    assert answer.reached == ()
    assert "one of these ids" in cast("str", answer.as_json()["note"])


def test_an_unknown_name_is_answered_with_the_nearest(shop: Tree) -> None:
    answer = shop.search.impact(OWNER, shop.root, "confrim")
    assert answer.state == "unknown"
    assert "shop/mail.py::confirm" in answer.candidates
    assert shop.search.impact(OWNER, shop.root, "zzzzqqqq").candidates == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shop/mail.py::confirm", "shop/mail.py::confirm"),
        ("mail.py::confirm", "shop/mail.py::confirm"),
        ("shop.mail.confirm", "shop/mail.py::confirm"),
        ("mail.confirm", "shop/mail.py::confirm"),
        ("confirm()", "shop/mail.py::confirm"),
        ("Cart.total", "shop/cart.py::Cart.total"),
        ("Cart::total", "shop/cart.py::Cart.total"),
        ("shop.cart.Cart", "shop/cart.py::Cart"),
        ("mail.py", "shop/mail.py"),
    ],
)
def test_a_symbol_may_be_named_in_many_ways(shop: Tree, name: str, expected: str) -> None:
    assert shop.search.impact(OWNER, shop.root, name).targets == (expected,)


@pytest.mark.parametrize("name", ["cart", "Total", "shop/mail", "ail.py", "shop.cart.confirm"])
def test_a_name_that_only_looks_alike_is_not_taken(shop: Tree, name: str) -> None:
    assert shop.search.impact(OWNER, shop.root, name).state == "unknown"


def test_what_a_package_hands_on_is_found_under_its_name(tmp_path: Path) -> None:
    files = {
        "lib/db/__init__.py": "from lib.db.base import Model\n",
        "lib/db/base.py": "class Model:\n    pass\n",
        "lib/other.py": "class Model:\n    pass\n",
    }
    tree = Tree(tmp_path, files)
    tree.snapshot()
    assert tree.search.impact(OWNER, tree.root, "lib.db.Model").targets == ("lib/db/base.py::Model",)
    assert set(tree.search.impact(OWNER, tree.root, "lib.Model").candidates) == {
        "lib/db/base.py::Model",
        "lib/other.py::Model",
    }
    assert tree.search.impact(OWNER, tree.root, "db.other.Model").state == "unknown"


def test_candidates_begin_with_production_code(tmp_path: Path) -> None:
    files = {
        "tests/test_a.py": "def run():\n    pass\n",
        "z.py": "def run():\n    pass\n\n\nclass A:\n    def run(self):\n        pass\n",
    }
    tree = Tree(tmp_path, files)
    tree.snapshot()
    found = tree.search.impact(OWNER, tree.root, "run").candidates
    assert found == ("z.py::run", "z.py::A.run", "tests/test_a.py::run")


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_edits_count_both_ways_and_swaps_count_once(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one)
    assert (edits(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))
    assert edits(f"{one}ab", f"{one}ba") == 1


@pytest.mark.parametrize(
    ("symbol", "direction", "depth"), [(" ", "dependents", 3), ("Cart", "up", 3), ("Cart", "dependents", 0)]
)
def test_what_cannot_be_asked_is_refused(shop: Tree, symbol: str, direction: str, depth: int) -> None:
    with pytest.raises(InvalidInput):
        shop.search.impact(OWNER, shop.root, symbol, direction=direction, depth=depth)


def test_circles_end(tmp_path: Path) -> None:
    tree = Tree(tmp_path, {"ring.py": "def a():\n    b()\n\n\ndef b():\n    c()\n\n\ndef c():\n    a()\n"})
    tree.snapshot()
    answer = tree.search.impact(OWNER, tree.root, "a", depth=10)
    assert sorted(reached(answer)) == ["ring.py::b", "ring.py::c"]


@pytest.fixture
def hub(tmp_path: Path) -> Tree:
    uses = "".join(f"def use_{i}():\n    central_point()\n\n\n" for i in range(40))
    tests = "".join(f"def test_{i}():\n    central_point()\n\n\n" for i in range(40))
    head = "from hub import central_point\n\n\n"
    files = {
        "hub.py": "def central_point():\n    pass\n",
        "uses.py": head + uses,
        "tests/test_hub.py": head + tests,
    }
    tree = Tree(tmp_path, files)
    tree.snapshot()
    return tree


@pytest.mark.promise("impact.budget")
@pytest.mark.parametrize("budget", [0, 150, 400, 1000, 100_000])
def test_an_answer_keeps_to_its_budget_and_shows_tests_and_others(hub: Tree, budget: int) -> None:
    answer = hub.search.impact(OWNER, hub.root, "central_point", budget_tokens=budget)
    body = answer.as_json()
    rows = cast("list[dict[str, Json]]", body["rows"])
    assert tokens(canonical_text(body)) <= budget or len(rows) == 1
    assert len(rows) + cast("int", body["dropped"]) == len(answer.reached) == 82
    assert cast("dict[str, int]", body["counts"])["all"] == 82
    if len(rows) > 1:
        flags = [row.get("test", False) for row in rows]
        assert flags == sorted(flags, reverse=True)
        assert len(set(flags)) == 2


def test_files_that_change_together_are_named(tmp_path: Path, grow_history: Callable[[Tree], None]) -> None:
    tree = Tree(tmp_path)
    grow_history(tree)
    tree.snapshot()
    assert tree.search.impact(OWNER, tree.root, "Cart").changed_with == (("shop/money.py", 1.0),)


@pytest.fixture
def grow_history() -> Callable[[Tree], None]:
    def grown(tree: Tree) -> None:
        mail, cart, money = (SHOP[path] for path in ("shop/mail.py", "shop/cart.py", "shop/money.py"))
        for path in ("shop/cart.py", "shop/money.py"):
            (tree.root / path).unlink()
        tree.commit("Start")
        for i in range(4):
            tree.write("shop/cart.py", f"{cart}\n# {i}\n")
            tree.write("shop/money.py", f"{money}\n# {i}\n")
            tree.commit(f"Both {i}")
        tree.write("shop/mail.py", f"{mail}\n# more\n")
        tree.commit("Letters")

    return grown
