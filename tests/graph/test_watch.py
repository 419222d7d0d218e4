"""A tree that is watched tells the same as one that is looked through."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.graph import Graph
from numen.graph.freshness import drift
from numen.graph.watch import Watch, watched
from numen.kernel import SystemClock
from tests.graph.trees import OWNER, Tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what moved")

PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "new.py", "pkg/deep/d.py", ".gitignore")
TEXTS = ("def one(): ...\n", "from b import two\n\ndef three(): two()\n", "x = 1\n", "b.py\n")
path_of = st.sampled_from(PATHS)
step = st.one_of(
    st.tuples(st.just("write"), path_of, st.sampled_from(TEXTS)),
    st.tuples(st.just("save"), path_of, st.sampled_from(TEXTS)),  # as editors do: beside it, then over it
    st.tuples(st.just("append"), path_of, st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), path_of, st.none()),
    st.tuples(st.just("move"), path_of, path_of),
    st.tuples(st.just("touch"), path_of, st.none()),
    st.tuples(st.just("link"), path_of, path_of),
    st.tuples(st.just("unfold"), st.just("pkg"), st.none()),
    st.tuples(st.just("ask"), st.none(), st.none()),
    st.tuples(st.just("ask"), st.none(), st.none()),
    st.tuples(st.just("ingest"), st.none(), st.none()),
)


def do(root: Path, what: str, path: Any, more: Any) -> None:
    file = root / path
    if file.is_symlink() and what in ("write", "append", "touch"):
        file.unlink()
    if what in ("write", "save", "append", "link"):
        file.parent.mkdir(parents=True, exist_ok=True)
    if what == "write":
        file.write_text(more)
    elif what == "append":
        with file.open("a") as handle:
            handle.write(more)
    elif what == "save":
        beside = file.with_name(f"{file.name}~")
        beside.write_text(more)
        beside.replace(file)
    elif what == "delete":
        file.unlink(missing_ok=True)
    elif what == "move" and file.exists():
        (root / more).parent.mkdir(parents=True, exist_ok=True)
        file.replace(root / more)
    elif what == "touch" and file.exists():
        os.utime(file)
    elif what == "link":
        file.unlink(missing_ok=True)
        file.symlink_to(root / more)
    elif what == "unfold":
        shutil.rmtree(file, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.promise("ingest.watched-is-exact")
@settings(
    max_examples=300 if os.environ.get("NUMEN_SOAK") else 30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(script=st.lists(step, min_size=4, max_size=14), is_git=st.booleans())
def test_a_watched_tree_gives_the_drift_and_the_index_of_one_that_is_looked_through(
    script: list[tuple[str, Any, Any]], is_git: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tree = Tree(folder, {"a.py": TEXTS[0], "b.py": TEXTS[1], "pkg/__init__.py": "", "pkg/c.py": TEXTS[2]})
        if is_git:
            subprocess.run(["git", "init", "-q"], cwd=tree.root, check=True)
        snapshot = tree.snapshot()
        for what, path, more in [("ask", None, None)] * 2 + script:
            if what == "ingest":
                snapshot = tree.snapshot()
                other = Graph(folder / "other", SystemClock(), workers=1)
                other.ingest(OWNER, tree.root, full=True)
                assert list(tree.graph.dump(OWNER, tree.root)) == list(other.dump(OWNER, tree.root))
            elif what == "ask":
                told, seen = tree.graph.drift(snapshot), drift(snapshot)
                assert sorted(told.changed) == sorted(seen.changed)
                assert sorted(told.added) == sorted(seen.added)
                assert sorted(told.removed) == sorted(seen.removed)
            else:
                do(tree.root, what, path, more)


def test_a_save_is_told_at_the_very_next_question(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    snapshot = tree.snapshot()
    for _ in range(3):
        assert not tree.graph.drift(snapshot).changed
    file = tree.root / "shop/cart.py"
    for text in ("x = 1\n", "x = 2\n"):
        file.write_text(text)
        assert tree.graph.drift(snapshot).changed == ("shop/cart.py",)
    snapshot = tree.snapshot()
    assert not tree.graph.drift(snapshot).changed


def test_a_watch_that_lost_news_says_that_it_cannot_tell(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    watch = Watch(tmp_path, ["", "inner"])
    (tmp_path / "inner" / "a").write_text("x")
    assert watch.touched() == {"inner/a"}
    (tmp_path / "inner").rename(tmp_path / "outer")
    assert watch.touched() is None
    watch.close()
    assert watch.touched() is None


def test_a_file_system_that_others_write_to_is_not_watched(tmp_path: Path) -> None:
    assert watched(Path("/proc/self"), [""]) is None
    assert watched(tmp_path, ["not there"]) is None
