"""What every test can use."""

from __future__ import annotations

import pytest
from hypothesis import settings

pytest_plugins = ["tests.database"]

# pytest-timeout bounds each test as a whole; a deadline an example would only measure the machine's load.
settings.register_profile("numen", deadline=None)
settings.load_profile("numen")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of the contracts that this test holds")
