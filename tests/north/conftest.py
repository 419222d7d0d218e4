"""A house and a repository for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from numen.kernel import SystemClock
from numen.store import Store
from tests.north.repos import repository
from tests.north.rooms import House, house_over


@pytest.fixture
def house(store: Store, tmp_path: Path) -> Iterator[House]:
    """Over both databases: for what is kept."""
    with house_over(store, tmp_path / "home") as made:
        yield made


@pytest.fixture
def local(tmp_path: Path) -> Iterator[House]:
    """Over SQLite alone: for what is drawn from what is kept."""
    with (
        Store.open(tmp_path / "home", SystemClock()) as store,
        house_over(store, tmp_path / "home") as made,
    ):
        yield made


@pytest.fixture
def indexed(tmp_path: Path, local: House) -> Path:
    """A small repository that was ingested."""
    root = repository(tmp_path / "repo")
    local.ingest(root)
    return root
