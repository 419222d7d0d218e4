"""Following the ledger: every event once, in order, woken by commits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Self

from numen.ledger.types import Entry
from numen.store import Notice, Store

Read = Callable[[int], tuple[tuple[Entry, ...], int]]
"""Gives the events after a number, and the number up to which was looked."""


class Subscription:
    """A place in the ledger that moves forward. Made by `Ledger.subscribe`; used by one thread at a time."""

    def __init__(
        self,
        store: Store,
        read: Read,
        after: int,
        topics: Iterable[str] | None,
        wake: Callable[[], None] | None,
    ) -> None:
        self._read = read
        self._after = after
        self._wake = wake
        self._flag = threading.Event()
        self._flag.set()
        self._closed = False
        self._watch = store.watch(self._woken, topics)

    @property
    def after(self) -> int:
        """The number up to which everything was given."""
        return self._after

    def pending(self) -> tuple[Entry, ...]:
        """What came since the last call; empty at once if nothing did."""
        self._flag.clear()
        entries, upto = self._read(self._after)
        self._after = upto
        if entries:
            self._flag.set()
        return entries

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there may be something new; False if `seconds` passed or the subscription was closed."""
        return self._flag.wait(seconds) and not self._closed

    def close(self) -> None:
        """Stop following; whoever waits is let go."""
        self._closed = True
        self._watch.close()
        self._flag.set()

    def __iter__(self) -> Iterator[Entry]:
        """Every event from here on, waiting for the next, until the subscription is closed."""
        while self.wait():
            yield from self.pending()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _woken(self, _notice: Notice) -> None:
        self._flag.set()
        if self._wake is not None:
            self._wake()
