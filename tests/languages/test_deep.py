"""Files that no person writes, nested or chained thousands deep: what can be read of them is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.indexed import Indexed

DEEP = 3000
BEFORE = {
    "go": "package a\n\nfunc before() {}\n\n",
    "rs": "fn before() {}\n\n",
    "java": "class A {\n  void before() {}\n",
    "c": "void before(void) {}\n\n",
    "py": "def before():\n    pass\n\n\n",
    "js": "// words\n" * 200 + "function before() {}\n\n",  # else it would be taken for minified
    "cs": "class A {\n  void before() {}\n",
    "php": "<?php\nfunction before() {}\n",
    "rb": "def before\nend\n\n",
    "cpp": "void before() {}\n\n",
}
CHAIN = {
    "go": "func f() { y := x%s }",
    "rs": "fn f() { let y = x%s; }",
    "java": "void f() { var y = x%s; } }",
    "c": "int f(void) { return x%s; }",
    "py": "def f():\n    y = x%s\n",
    "js": "function f() { let y = x%s }",
    "cs": "void f() { var y = x%s; } }",
    "php": "function f() { $y = $x%s; }",
    "rb": "def f\n  y = x%s\nend\n",
    "cpp": "void f() { auto y = x%s; }",
}


@pytest.mark.promise("languages.no-file-is-too-deep")
@pytest.mark.parametrize("tail", sorted(CHAIN))
def test_a_chain_of_thousands_of_calls_loses_no_definition(tmp_path: Path, tail: str) -> None:
    step = "->a()" if tail == "php" else ".a()"
    tree = Indexed(tmp_path, {f"a.{tail}": BEFORE[tail] + CHAIN[tail] % (step * DEEP)})
    assert any(name.rpartition(".")[2] == "before" for name in tree.kinds())


@pytest.mark.promise("languages.no-file-is-too-deep")
@pytest.mark.parametrize("tail", sorted(CHAIN))
def test_parentheses_thousands_deep_lose_no_definition(tmp_path: Path, tail: str) -> None:
    nested = CHAIN[tail].replace("x%s", "(" * DEEP + "x" + ")" * DEEP).replace("$$", "$")
    tree = Indexed(tmp_path, {f"a.{tail}": BEFORE[tail] + nested})
    assert any(name.rpartition(".")[2] == "before" for name in tree.kinds())


@pytest.mark.promise("languages.no-file-is-too-deep")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("types.go", BEFORE["go"] + "type T " + "[]" * DEEP + "int\n"),
        ("built.go", f"//go:build {'(' * DEEP}x{')' * DEEP}\n\n{BEFORE['go']}"),
        ("types.rs", BEFORE["rs"] + "fn f(x: " + "Vec<" * DEEP + "u8" + ">" * DEEP + ") {}\n"),
        ("cfg.rs", "#[cfg(" + "not(" * DEEP + "x" + ")" * DEEP + ")]\n" + BEFORE["rs"]),
        ("use.rs", BEFORE["rs"] + "use " + "a::{" * DEEP + "b" + "}" * DEEP + ";\n"),
        ("macro.rs", BEFORE["rs"] + "fn f() { " + "m!(" * DEEP + "g()" + ")" * DEEP + "; }\n"),
        ("Types.java", BEFORE["java"] + "List<" * DEEP + "A" + ">" * DEEP + " f; }\n"),
        ("pointer.c", BEFORE["c"] + "int " + "(" * DEEP + "x" + ")" * DEEP + "(void);\n"),
    ],
)
def test_other_things_thousands_deep_lose_no_definition(tmp_path: Path, name: str, text: str) -> None:
    tree = Indexed(tmp_path, {name: text})
    assert any(one.rpartition(".")[2] == "before" for one in tree.kinds())


@pytest.mark.promise("languages.no-file-is-too-deep")
def test_a_long_chain_is_followed_to_a_known_length(tmp_path: Path) -> None:
    source = """package a

type T struct{}

func (t *T) One() *T { return t }

func (t *T) Last() *T { return t }

func within(t *T) { t%s.Last() }

func beyond(t *T) { t%s.Last() }
"""
    tree = Indexed(tmp_path, {"a.go": source % (".One()" * 200, ".One()" * 2000)})
    assert tree.calls("a.go::within") == {"a.go::T.One", "a.go::T.Last"}
    assert tree.calls("a.go::beyond") == {"a.go::T.One"}
