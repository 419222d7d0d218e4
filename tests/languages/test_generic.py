"""Languages without a reader of their own: definitions where the grammars are installed, text everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.graph.parse import generic
from tests.graph.trees import Tree, paths
from tests.languages.indexed import Indexed

FILES = {
    "Shop.kt": """package shop

interface Priced {
    fun price(): Int
}

/** Holds articles. */
class Cart(val owner: String) : Priced {
    override fun price(): Int {
        return 1
    }
}

object Registry {}

fun open(): Cart = Cart("x")
""",
    "run.sh": "#!/bin/sh\n\nsay() {\n  echo hi\n}\n\nsay\n",
    "shop.lua": "local function total(x)\n  return x\nend\n\nfunction Cart.add(x) end\n",
    "Shop.swift": """protocol Priced {
  func price() -> Int
}

class Cart: Priced {
  func price() -> Int { 1 }
}
""",
    "Shop.scala": "trait Priced {\n  def price: Int\n}\n\nobject Shop {\n  def open(x: Int): Int = x\n}\n",
    "broken.kt": "class {{{ fun\n",
}


@pytest.mark.promise("languages.others")
def test_a_file_of_a_language_without_a_reader_is_found_by_its_words(tmp_path: Path) -> None:
    tree = Tree(tmp_path, FILES)
    assert paths(tree.rank("holds articles of the cart"))[0] == "Shop.kt"


@pytest.mark.promise("languages.others")
@pytest.mark.skipif(not generic.available(), reason="the extra `languages` is not installed")
def test_definitions_are_read_by_what_the_grammar_calls_them(tmp_path: Path) -> None:
    tree = Indexed(tmp_path, FILES)
    kinds = {node.id: node.kind.value for node in tree.nodes.values()}
    assert kinds["Shop.kt::Priced"] in ("interface", "class")  # Kotlin's grammar has one node for both
    assert kinds["Shop.kt::Cart.price"] == "method"
    assert kinds["Shop.kt::open"] == "function"
    assert tree.span("Shop.kt::Cart") == (8, 12)
    assert kinds["run.sh::say"] == "function"
    assert kinds["shop.lua::total"] == "function"
    assert kinds["Shop.swift::Priced"] == "interface"
    assert kinds["Shop.swift::Cart.price"] == "method"
    assert kinds["Shop.scala::Shop.open"] == "method"
    assert "broken.kt" in tree.problems()
