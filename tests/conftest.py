"""What every test can use."""

from __future__ import annotations

import pytest

pytest_plugins = ["tests.database"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of the contracts that this test holds")
