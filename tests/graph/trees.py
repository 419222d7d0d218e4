"""Small trees of code for tests, ingested by the real thing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from numen.graph import Graph, Ranking, Search, Snapshot
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via

OWNER = Scope("owner", True, RoomKey("owner", "test", "test"), Audience.OWNER, Via.CLI, True)

_IDENTITY = {
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
}  # fmt: skip

SHOP: dict[str, str] = {
    "shop/cart.py": '''"""The basket of a customer."""

from shop.money import rounded


class Cart:
    """Holds the articles that a customer wants."""

    def __init__(self):
        self.articles = []

    def add(self, article, count=1):
        """Put an article into the basket."""
        self.articles.append((article, count))

    def total(self):
        """Sum of all prices, discounts taken off."""
        return rounded(sum(article.price * count for article, count in self.articles))
''',
    "shop/money.py": '''"""Amounts and currencies."""


def rounded(amount):
    """Round half to even, as banks do."""
    return round(amount, 2)


def converted(amount, rate):
    """An amount in another currency."""
    return rounded(amount * rate)
''',
    "shop/mail.py": '''"""Letters to customers."""

from shop.cart import Cart


def confirm(cart: Cart, address):
    """Send the confirmation of an order to the address of the customer."""
    total = cart.total()
    return f"{address}: you ordered for {total}"


def total(letters):
    """How many letters went out."""
    return len(letters)
''',
    "tests/test_cart.py": '''from shop.cart import Cart


def test_total_of_a_cart():
    """The total of a basket is the sum of all prices, discounts taken off."""
    cart = Cart()
    cart.add(None)
    assert cart.total() == 0
''',
    "README.md": "# Shop\n\nA basket, its total with discounts, and letters: the confirmation of an order.\n",
}


class Tree:
    """A tree of files with its own index."""

    def __init__(self, folder: Path, files: Mapping[str, str] = SHOP) -> None:
        self.root = folder / "tree"
        self.root.mkdir(parents=True)
        self.graph = Graph(folder / "brains", SystemClock(), workers=1)
        self.search = Search(self.graph)
        self.hour = 0
        for path, text in files.items():
            self.write(path, text)

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        """Record the tree as it is; the clock goes one hour a commit."""
        self.hour += 1
        at = f"{1_700_000_000 + 3600 * self.hour} +0000"
        env = {**os.environ, **_IDENTITY, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", message]):
            subprocess.run(["git", *arguments], cwd=self.root, env=env, check=True, capture_output=True)

    def snapshot(self) -> Snapshot:
        """The index of the tree as it is now."""
        self.graph.ingest(OWNER, self.root)
        return self.graph.open(OWNER, self.root)

    def rank(self, query: str, *, top_k: int = 10, within: str | None = None) -> Ranking:
        """The ranking of `query` over the tree as it is now."""
        return self.search.rank(OWNER, self.snapshot(), query, top_k=top_k, within=within)


def ids(ranking: Ranking) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.node.id for hit in ranking.hits]


def paths(ranking: Ranking) -> list[str]:
    """The paths of the files, best first."""
    return [hit.node.path for hit in ranking.files]
