"""A gate for each test, over each kind of store."""

from __future__ import annotations

from pathlib import Path

import pytest

from numen.store import Store
from tests.gate.rooms import House, house


@pytest.fixture
def gate_house(store: Store, tmp_path: Path) -> House:
    return house(store, tmp_path / "home")
