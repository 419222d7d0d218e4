"""The peers that are installed are asked as agents ask them; whoever fails is named, and the others go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.peers import called, measure
from benchmarks.peers_programs import (
    PROGRAMS,
    Aider,
    CodeGraph,
    CodeReviewGraph,
    Mcp,
    Numen,
    Program,
    ProgramFailed,
)
from tests.graph.trees import SHOP, Tree

ROOT = Path(__file__).parents[2]
PEERS = Path(os.environ.get("BENCH_PEERS", ROOT / "build/peers")).resolve()
QUESTION = "Send the confirmation letter of an order to the customer"


@pytest.fixture
def shop(tmp_path: Path) -> Tree:
    """A repository with a start and two fixes."""
    tree = Tree(tmp_path)
    tree.commit("Start")
    for path, message in (
        ("shop/money.py", "Round amounts half up in the exchange of currencies"),
        ("shop/cart.py", "Count an article twice when it is put into the basket twice"),
    ):
        tree.write(path, SHOP[path] + f"\n\n# {message}\nMORE = 1\n")
        tree.commit(message)
    return tree


def program(kind: type[Program], tree: Tree, home: Path) -> Program:
    """A program at a tree; the test is skipped where it is not installed."""
    if kind.version(PEERS / kind.name) is None:
        pytest.skip(
            f"{kind.name} is not installed: run scripts/bench-peers, or name its folder in BENCH_PEERS"
        )
    return kind(PEERS, tree.root, home)


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("kind", [CodeReviewGraph, CodeGraph, Aider], ids=lambda kind: kind.name)
def test_a_peer_indexes_a_tree_and_ranks_its_files(kind: type[Program], shop: Tree, tmp_path: Path) -> None:
    one = program(kind, shop, tmp_path / "home")
    cost = one.index()
    assert cost.seconds > 0
    assert cost.cpu_seconds > 0
    assert cost.peak_mb > 1
    one.open()
    try:
        for row in one.rows:
            answer = one.ask(row, QUESTION)
            assert answer.files, row
            assert all((shop.root / path).is_file() for path in answer.files), row
            assert "shop/mail.py" in answer.files, row
            assert answer.tokens > len("".join(answer.files)) / 4
    finally:
        one.close()
    assert one.peak_mb > 1


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_numen_is_asked_through_its_own_door(shop: Tree, tmp_path: Path) -> None:
    one = Numen(PEERS, shop.root, tmp_path / "home")
    one.index()
    one.open()
    try:
        answers = {row: one.ask(row, QUESTION) for row in one.rows}
    finally:
        one.close()
    assert {answer.files[0] for answer in answers.values()} == {"shop/mail.py"}
    assert answers["numen seek, 300 tokens"].tokens <= 300


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("peers.goes-on-without")
def test_peers_that_are_not_installed_are_named_and_numen_is_measured(shop: Tree, tmp_path: Path) -> None:
    seen = measure(shop.root, tmp_path / "nothing", last=5, skip=0, strangers=["Knit a jumper of wool"])
    assert seen.failed == {kind.name: "not installed" for kind in PROGRAMS if kind is not Numen}
    assert seen.questions == 2
    assert set(seen.rows) == set(Numen.rows)
    assert all(len(row.own) == 2 and len(row.strange) == 1 for row in seen.rows.values())
    assert seen.indexed["numen"].peak_mb > 1
    assert seen.answering_mb["numen"] > 1


def test_a_program_that_ends_or_refuses_is_a_failure_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailed, match="ended"):
        Mcp([sys.executable, "-c", "pass"], tmp_path, os.environ)
    refusal = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no index"}})
    with pytest.raises(ProgramFailed, match="no index"):
        Mcp(
            [sys.executable, "-c", f"input(); print('''{refusal}''', flush=True); input()"],
            tmp_path,
            os.environ,
        )
    with pytest.raises(ProgramFailed, match="no JSON"):
        Mcp([sys.executable, "-c", "print('hello', flush=True); input()"], tmp_path, os.environ)


def test_what_codegraph_explores_is_read_in_the_order_of_its_text() -> None:
    said = (
        "- `open` (src/shop.py:12) — 2 callers in `src/other.py`; tests: `tests/test_shop.py`\n\n"
        "**`src/mail.py`** — send(function)\n\n**Not shown above**\n\n- src/late.py: one:3, two:4\n"
    )
    assert CodeGraph.explored(said) == ["src/shop.py", "src/mail.py", "src/late.py"]
    assert CodeGraph.searched("**send** (function)\nsrc/mail.py:24\n`(a: int)`\n") == ["src/mail.py"]


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_installing_goes_on_when_one_fails_and_says_which(tmp_path: Path) -> None:
    """No index is reached: each installer is a program that refuses."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("npm", "refusing-python"):
        (tools / name).write_text("#!/bin/sh\necho no index here; exit 1\n")
        (tools / name).chmod(0o755)
    done = subprocess.run(
        [ROOT / "scripts/bench-peers", tmp_path / "peers"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHON": "refusing-python"},
    )
    assert done.returncode == 1
    assert done.stdout.count("no index here") == 4
    assert "Not there: aider code-review-graph agentdojo codegraph." in done.stderr


def test_a_repository_is_called_by_its_folder(tmp_path: Path) -> None:
    assert called(tmp_path / "owner+name" / "repo") == "owner/name"
    assert called(tmp_path / "shop.git") == "shop"
    assert called(tmp_path / "shop" / ".git") == "shop"
