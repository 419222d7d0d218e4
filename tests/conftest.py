"""What every test can use."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import is_hypothesis_test, settings

pytest_plugins = ["tests.database"]

# pytest-timeout bounds each test as a whole; a deadline an example would only measure the machine's load.
settings.register_profile("numen", deadline=None, max_examples=30)
settings.register_profile("soak", deadline=None, max_examples=300)
settings.load_profile("soak" if os.environ.get("NUMEN_SOAK") else "numen")

# A shell that runs the tests in the background has them ignore SIGINT, and what they start inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of the contracts that this test holds")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Laws are looked at through more examples by `make soak`, which takes what carries the mark."""
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker("law")
