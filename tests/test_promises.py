"""The promises of the contracts and the tests that hold them name each other, both ways."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

TESTS = Path(__file__).parent


def listed() -> dict[str, dict[str, str]]:
    """Every promise of `promises.toml` by id."""
    rows = tomllib.loads((TESTS / "promises.toml").read_text(encoding="utf-8")).get("promise", [])
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)), f"listed twice: {sorted({i for i in ids if ids.count(i) > 1})}"
    return {row["id"]: row for row in rows}


def held() -> dict[str, list[str]]:
    """The promise ids that tests carry, with the places that carry them."""
    places: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr != "promise":
                continue
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"{path}:{node.lineno}: name promises literally"
                places.setdefault(str(argument.value), []).append(f"{path.relative_to(TESTS)}:{node.lineno}")
    return places


def test_every_promise_has_a_test_that_holds_it() -> None:
    missing = sorted(listed().keys() - held().keys())
    assert not missing, f"no test carries: {missing}"


def test_every_promise_that_a_test_names_is_listed() -> None:
    known = listed()
    unknown = {name: places for name, places in held().items() if name not in known}
    assert not unknown, f"not in promises.toml: {unknown}"


def test_every_promise_says_what_it_promises_and_where_it_stands() -> None:
    for name, row in listed().items():
        assert len(row.get("text", "")) > 20, f"{name}: a sentence, please"
        assert row.get("source"), f"{name}: name the contract"
