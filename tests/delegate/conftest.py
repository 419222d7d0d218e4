"""A yard for each test, over SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.delegate.rooms import Yard, opened


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Yard]:
    with opened(tmp_path) as yard:
        yield yard
