"""A memory on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from numen.store import Store
from tests.memory.rooms import House, house_over


@pytest.fixture
def house(store: Store, tmp_path: Path) -> Iterator[House]:
    """Memory over an open store; a test that uses it runs on SQLite and on PostgreSQL."""
    (tmp_path / "home").mkdir(exist_ok=True)
    with house_over(store, tmp_path / "home") as made:
        yield made
