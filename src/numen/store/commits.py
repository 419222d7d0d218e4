"""Who is told when something was committed: in this process at once, by other processes soon after.

Nothing runs until someone subscribes: an idle process polls nothing (decision 4).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from numen.store.types import Notice, Wake, Watch


class Foreign(Protocol):
    """Notices the commits of other processes, on a thread of its own, from `start` to `stop`."""

    def start(self) -> None:
        """Begin to notice."""
        ...

    def stop(self) -> None:
        """Stop; the thread ends soon after."""
        ...


class CommitBus:
    """Tells subscribers of commits.

    `foreign` makes a watcher of other processes' commits; one lives while there is at least one subscriber.
    """

    def __init__(self, foreign: Callable[[Callable[[Notice], None]], Foreign]) -> None:
        self._make_foreign = foreign
        self._foreign: Foreign | None = None
        self._lock = threading.Lock()
        self._wakes: dict[object, tuple[Wake, frozenset[str] | None]] = {}

    def watch(self, wake: Wake, topics: frozenset[str] | None) -> Watch:
        """Call `wake` after each commit that may have touched one of `topics` (None: after each)."""
        subscription = _Subscription(self._leave)
        with self._lock:
            self._wakes[subscription] = (wake, topics)
            if self._foreign is None:
                self._foreign = self._make_foreign(self.publish)
                self._foreign.start()
        return subscription

    def publish(self, notice: Notice) -> None:
        """Tell everyone whom `notice` concerns."""
        if not self._wakes:
            return
        with self._lock:
            wakes = tuple(self._wakes.values())
        for wake, topics in wakes:
            if topics is None or notice.topics is None or not topics.isdisjoint(notice.topics):
                wake(notice)

    def close(self) -> None:
        """Forget every subscriber and stop watching."""
        with self._lock:
            self._wakes.clear()
            foreign, self._foreign = self._foreign, None
        if foreign is not None:
            foreign.stop()

    def _leave(self, subscription: object) -> None:
        with self._lock:
            self._wakes.pop(subscription, None)
            foreign = None
            if not self._wakes:
                foreign, self._foreign = self._foreign, None
        if foreign is not None:
            foreign.stop()


class _Subscription:
    def __init__(self, leave: Callable[[object], None]) -> None:
        self._leave = leave

    def close(self) -> None:
        self._leave(self)
