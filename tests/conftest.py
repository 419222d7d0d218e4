"""What every test can use."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

pytest_plugins = ["tests.database"]

# pytest-timeout bounds each test as a whole; a deadline an example would only measure the machine's load.
settings.register_profile("numen", deadline=None)
settings.load_profile("numen")

# A shell that runs the tests in the background has them ignore SIGINT, and what they start inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of the contracts that this test holds")
