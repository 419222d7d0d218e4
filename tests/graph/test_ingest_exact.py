"""Incremental is exact: whatever was edited, the index is the one that a full ingest gives."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.graph import Graph, Search
from numen.kernel import SystemClock
from tests.graph.trees import OWNER, Tree

NAMES = ("alpha", "beta", "Gamma", "Delta", "load_settings", "render_to_string")
MODULES = ("one", "two", "pkg", "pkg.inner", "pkg.deep.leaf", ".inner", "..", ".", "os", "missing")
PATHS = (
    "one.py", "two.py", "pkg/__init__.py", "pkg/inner.py", "pkg/deep/__init__.py", "pkg/deep/leaf.py",
    "tests/test_one.py", "web/index.ts", "web/a.ts", "web/b.tsx", "web/c.js", "web/A.ts", "web/a.test.ts",
    "notes.md", "docs/guide.rst", "tsconfig.json", "web/package.json", "data.bin", "plain.txt",
)  # fmt: skip
SPECIFIERS = ("./a", "./b", "./c.js", ".", "./index", "@/a", "web", "web/a", "lodash")

name = st.sampled_from(NAMES)
module = st.sampled_from(MODULES)
specifier = st.sampled_from(SPECIFIERS)


def python_line() -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("def {}(x, y=None):\n    return {}(x)\n".format, name, name),
        st.builds(
            "class {}({}):\n    def {}(self):\n        return self.{}()\n".format, name, name, name, name
        ),
        st.builds("class {}:\n    @classmethod\n    def {}(cls):\n        pass\n".format, name, name),
        st.builds("from {} import {}\n".format, module, name),
        st.builds("from {} import {} as {}\n".format, module, name, name),
        st.builds("from {} import *\n".format, module),
        st.builds("import {}\n".format, module.filter(lambda one: not one.startswith("."))),
        st.builds("{}.{}()\n".format, name, name),
        st.builds(
            "def test_{}():\n    it = {}()\n    it.{}()\n    one.{}()\n".format, name, name, name, name
        ),
        st.builds("{} = {}\n".format, name, name),
        st.builds("{}: {} = None\n".format, name, name),
        st.builds("{} = {}()\n".format, name, name),
        st.builds("def {}(x: {}) -> {}:\n    return x.{}().{}()\n".format, name, name, name, name, name),
        st.builds(
            "class {}({}):\n    part: {}\n    def __init__(self, x: {}):\n        self.whole = x\n"
            "    def {}(self):\n        self.part.{}()\n        self.whole.{}.{}()\n".format,
            *(name for _ in range(8)),
        ),
        st.just("def broken(:\n"),
        st.just("\n# words about nothing\n"),
    )


def script_line() -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("export function {}(x) {{ return {}(x) }}\n".format, name, name),
        st.builds("export class {} extends {} {{ {}() {{ this.{}() }} }}\n".format, name, name, name, name),
        st.builds("const {} = () => {{ {}.{}() }}\n".format, name, name, name),
        st.builds("import {{ {} }} from '{}'\n".format, name, specifier),
        st.builds("import {} from '{}'\n".format, name, specifier),
        st.builds("import * as {} from '{}'\n".format, name, specifier),
        st.builds("export * from '{}'\n".format, specifier),
        st.builds("export {{ {} as {} }} from '{}'\n".format, name, name, specifier),
        st.builds("export default {}\n".format, name),
        st.builds("export default {{ {}, {}: {} }}\n".format, name, name, name),
        st.builds("export const {} = new {}()\n".format, name, name),
        st.builds("const {} = require('{}')\n".format, name, specifier),
        st.builds("test('{} works', () => {{ {}() }})\n".format, name, name),
        st.builds(
            "export class {} {{ constructor(private x: {}) {{}} part = new {}();"
            " {}(): {} {{ this.x.{}().{}() }} }}\n".format,
            *(name for _ in range(7)),
        ),
        st.just("function ( {\n"),
    )


def content(path: str) -> st.SearchStrategy[bytes]:
    if path.endswith(".py"):
        lines = st.lists(python_line(), max_size=6)
    elif path.endswith((".ts", ".tsx", ".js")):
        lines = st.lists(script_line(), max_size=6)
    elif path.endswith(("tsconfig.json", "package.json")):
        return st.sampled_from(
            (
                b'{"compilerOptions": {"paths": {"@/*": ["web/*"]}}}',
                b'{"name": "web", "main": "a.ts"}',
                b"{",
                b"{}",
            )
        )
    elif path.endswith(".bin"):
        return st.sampled_from((b"\0\1", b"text after all\n", b""))
    else:
        lines = st.lists(
            st.builds("{} {}\n{}\n".format, st.sampled_from(("#", "##", "")), name, st.just("==="))
        )
    return lines.map("".join).map(str.encode)


def written(path: str) -> st.SearchStrategy[tuple[str, str, Any]]:
    return content(path).map(lambda data: ("write", path, data))


path_of = st.sampled_from(PATHS)
edit = st.one_of(
    path_of.flatmap(written),
    path_of.flatmap(written),
    st.tuples(st.just("delete"), path_of, st.none()),
    st.tuples(st.just("rename"), path_of, path_of),
)
first = st.lists(path_of, unique=True, min_size=3).flatmap(lambda paths: st.tuples(*map(written, paths)))
script = st.lists(st.lists(edit, min_size=1, max_size=4), min_size=1, max_size=4)


def apply(root: Path, edits: Sequence[tuple[str, str, Any]]) -> None:
    for what, path, more in edits:
        file = root / path
        if what == "write":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(more)
        elif what == "delete":
            file.unlink(missing_ok=True)
        elif file.exists():
            (root / more).parent.mkdir(parents=True, exist_ok=True)
            file.replace(root / more)


def full_dump(root: Path, folder: Path) -> list[str]:
    shutil.rmtree(folder, ignore_errors=True)
    graph = Graph(folder, SystemClock(), workers=1)
    graph.ingest(OWNER, root)
    return list(graph.dump(OWNER, root))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.promise("ingest.incremental-is-exact")
@settings(
    max_examples=400 if os.environ.get("NUMEN_SOAK") else 40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(first=first, script=script, reopen=st.booleans())
def test_after_any_edits_the_index_is_that_of_a_full_ingest(first: Any, script: Any, reopen: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = folder / "tree"
        root.mkdir()
        graph = Graph(folder / "brains", SystemClock(), workers=1)
        for edits in (first, *script):
            apply(root, edits)
            if reopen:
                graph = Graph(folder / "brains", SystemClock(), workers=1)
            graph.ingest(OWNER, root)
            assert list(graph.dump(OWNER, root)) == full_dump(root, folder / "other")


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.incremental-is-exact")
def test_seeded_queries_are_answered_as_after_a_full_ingest(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.commit("The shop opens")
    tree.snapshot()
    tree.write(
        "shop/money.py", "def rounded(amount):\n    return amount\n\n\ndef discount(cart):\n    return 0\n"
    )
    tree.write(
        "shop/post.py", "from shop.mail import confirm\n\n\ndef deliver(order):\n    confirm(order, '')\n"
    )
    (tree.root / "README.md").unlink()
    tree.commit("Fix the discount of a basket")
    tree.snapshot()
    other = Graph(tmp_path / "other", SystemClock(), workers=1)
    other.ingest(OWNER, tree.root)
    seeds = random.Random(7)
    words = "cart basket total discount confirm order letter rounded amount deliver fix shop".split()
    for _ in range(50):
        query = " ".join(seeds.sample(words, seeds.randint(1, 4)))
        rankings = [
            Search(graph).rank(OWNER, graph.open(OWNER, tree.root), query, top_k=10)
            for graph in (tree.graph, other)
        ]
        assert rankings[0] == rankings[1]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ingest.incremental-is-exact")
def test_the_git_signals_of_an_incremental_ingest_are_those_of_a_full_one(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    for step in range(4):
        tree.write("shop/money.py", f"def rounded(amount):\n    return {step}\n")
        tree.write(f"shop/extra_{step}.py", "from shop.money import rounded\n")
        (tree.root / "shop" / f"extra_{step - 2}.py").unlink(missing_ok=True)
        tree.commit(f"Fix the rounding, step {step}")
        tree.graph.ingest(OWNER, tree.root)
        dump = list(tree.graph.dump(OWNER, tree.root))
        assert dump == full_dump(tree.root, tmp_path / "other")
        assert sum(line.startswith('["signal"') for line in dump) > 3


@pytest.mark.promise("ingest.only-changed-files-are-parsed")
def test_only_changed_files_are_parsed(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    assert tree.graph.ingest(OWNER, tree.root).parsed == 5
    assert tree.graph.ingest(OWNER, tree.root).parsed == 0
    tree.write("shop/money.py", "def rounded(amount):\n    return amount\n")
    assert tree.graph.ingest(OWNER, tree.root).parsed == 1
    assert tree.graph.ingest(OWNER, tree.root, full=True).parsed == 5


@pytest.mark.promise("ingest.inbound-edges-follow")
def test_callers_in_files_that_did_not_change_follow_a_moved_definition(tmp_path: Path) -> None:
    tree = Tree(
        tmp_path,
        {
            "a.py": "from b import helper\n\n\ndef run():\n    return helper()\n",
            "b.py": "def helper():\n    return 1\n",
            "c.py": "",
        },
    )
    edges = {(edge.source, edge.target) for edge in calls(tree)}
    assert edges == {("a.py::run", "b.py::helper")}
    tree.write("b.py", "from c import helper\n")
    tree.write("c.py", "def helper():\n    return 1\n")
    assert {(edge.source, edge.target) for edge in calls(tree)} == {("a.py::run", "c.py::helper")}
    tree.write("c.py", "")
    assert calls(tree) == []


def calls(tree: Tree) -> list[Any]:
    return [
        edge for edge in map(tree.snapshot().edge, range(len(tree.snapshot().edges))) if edge.kind == "calls"
    ]
