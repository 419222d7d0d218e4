"""Giving rows their meaning in the background, while a server lives."""

from __future__ import annotations

import threading

from numen.kernel import Unavailable
from numen.memory.finding import Texts
from numen.memory.search import Search
from numen.store import Notice, Store

TOPIC = "memory"
"""The stream whose commits may have brought rows."""

_AT_ONCE = 64


class Tending:
    """A thread that embeds what waits, now and after each commit that may have brought more.

    It ends by itself when the model cannot be used: answers then say that meanings are missing, and why.
    """

    def __init__(self, store: Store, search: Search, texts: Texts) -> None:
        self._search = search
        self._texts = texts
        self._wake = threading.Event()
        self._wake.set()
        self._closed = threading.Event()
        self._watch = store.watch(self._woken, [TOPIC])
        self._thread = threading.Thread(target=self._run, name="numen-meanings", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop after the rows in hand; returns when the thread is gone."""
        self._watch.close()
        self._closed.set()
        self._wake.set()
        self._thread.join()

    def _woken(self, notice: Notice) -> None:
        self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            try:
                while not self._closed.is_set() and self._search.embed_pending(self._texts, _AT_ONCE):
                    pass
            except Unavailable:
                return
            if self._closed.is_set():
                return
