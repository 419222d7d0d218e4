"""The localisation harness runs on any repository, and leaves it as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.localise_cases import asks, chosen, commits, origins, question
from tests.graph.trees import SHOP, Tree

CHANGES = (
    ("shop/money.py", "Round amounts half up in the exchange of currencies"),
    ("shop/cart.py", "Count an article twice when it is put into the basket twice"),
    ("shop/mail.py", "Greet the customer in the confirmation letter"),
)


@pytest.fixture
def shop(tmp_path: Path) -> Tree:
    """A repository with a start, three fixes, a chore, and a file that moved after the first fix."""
    tree = Tree(tmp_path)
    tree.commit("Start")
    for path, message in CHANGES[:2]:
        tree.write(path, SHOP[path] + f"\n\n# {message}\nMORE = 1\n")
        tree.commit(message)
    (tree.root / "shop/mail.py").rename(tree.root / "shop/letters.py")
    tree.commit("Move the mail")
    tree.write("shop/letters.py", SHOP["shop/mail.py"].replace("you ordered", "Dear customer, you ordered"))
    tree.commit(CHANGES[2][1])
    tree.write("README.md", "Typo\n")
    tree.commit("Fix a typo in the readme")
    return tree


def test_chores_ask_no_question_and_moves_are_followed(shop: Tree) -> None:
    history = commits(shop.root)
    asking = [commit for commit in history if asks(commit)]
    assert [commit.subject for commit in asking if commit.subject != "Move the mail"] == [
        message for _, message in reversed(CHANGES)
    ]
    state, chosen_commits, since = chosen(history, last=10)
    assert state == f"{chosen_commits[-1].id}^"
    assert origins(since)[asking[0].id] == {"shop/letters.py": "shop/mail.py"}


def test_a_question_has_no_numbers_of_issues_links_or_trailers() -> None:
    body = "Read https://example.org/1 for more.\n\nSecond paragraph.\n\nSigned-off-by: A <a@example.org>"
    assert question("Fix redirects (#123)", body) == "Fix redirects Read for more."
    assert question("Fix it", "Closes #9\n\nReal words.") == "Fix it Real words."


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("localise.any-repository")
@pytest.mark.parametrize("bare", [False, True])
def test_it_measures_any_repository_and_changes_nothing_in_it(shop: Tree, tmp_path: Path, bare: bool) -> None:
    repository = shop.root
    if bare:
        repository = tmp_path / "bare.git"
        subprocess.run(["git", "clone", "-q", "--bare", str(shop.root), str(repository)], check=True)
    before = {path: path.stat().st_mtime_ns for path in repository.rglob("*")}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.localise", str(repository), "--peers", str(tmp_path), "--json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["state"]["questions"] == 3
    assert report["files"]["numen"]["any@1"] == 1.0
    assert set(report["files"]) == {
        "numen",
        "numen, none named",
        "words",
        "bm25 files",
        "bm25 definitions",
        "fused",
        "longest first",
    }
    assert report["peers"] == {"not run": {"why": "no peer is installed; run scripts/bench-peers"}}
    assert report["packet"]["tokens"]["p50"] > 0
    assert sum(state["n"] for state in report["packet"]["sufficiency"].values()) == 3
    assert report["milliseconds"]["rank"]["p50"] > 0
    assert {path: path.stat().st_mtime_ns for path in repository.rglob("*")} == before
