"""A mind for each test, over each kind of store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mind.rooms import Head, head


@pytest.fixture
def mind(place: str | Path, tmp_path: Path) -> Iterator[Head]:
    made = head(place, tmp_path / "home")
    yield made
    made.app.close()
