"""Killing a process of ours at a chosen point: around each commit, and wherever it says that it is at one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from numen.store import Store, WriteConnection

At = Callable[[str], None]
"""Is told of each point."""

Run = Callable[[Path, Path, int], object]
"""What is to be killed: it takes a home, a world, and the point."""


@contextmanager
def watched(at: At) -> Generator[None]:
    """Say when a transaction is about to be committed, and when it was."""
    real = Store.transaction

    @contextmanager
    def transaction(self: Store) -> Generator[WriteConnection]:
        with real(self) as connection:
            yield connection
            at("before a commit")
        at("after a commit")

    Store.transaction = transaction  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        Store.transaction = real


def killed(run: Run, home: Path, world: Path, die_at: int) -> int:
    """How a process ended that was to be killed at that point."""
    child = os.fork()
    if child == 0:  # pragma: no cover - it ends by a signal
        code = 1
        try:
            run(home, world, die_at)
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]


def copied(template: Path, folder: Path) -> tuple[Path, Path]:
    """A copy of a home, and an empty world beside it."""
    home, world = folder / "home", folder / "world"
    shutil.copytree(template, home)
    world.mkdir(parents=True)
    return home, world
