"""A module that is named at the top of a file, and loaded when it is first used."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType


def lazily(name: str) -> ModuleType:
    """The module `name`; its code runs when something in it is first asked for.

    For what is dear to load and seldom needed. Raises `ModuleNotFoundError` for a name that is not there.
    Until Python 3.12 the first use must not be by two threads at once.
    """
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"there is no module {name}", name=name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
