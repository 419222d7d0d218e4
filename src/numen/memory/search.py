"""Finding rows of memory: by words, by their neighbours' words, by time, by who spoke, and by meaning."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from numen.kernel import Scope
from numen.memory.finding import Found, Item, MakeEncoder, Sort, Texts
from numen.store import ReadConnection, Store, WriteConnection


class Search:
    """The index over turns and claims. Built with a store; takes no clock. Safe to use from many threads.

    `encoder` makes the model that tells meanings; without one only words count, and answers say so.
    """

    def __init__(self, store: Store, encoder: MakeEncoder | None = None) -> None:
        self._store = store
        self._encoder = encoder

    def add(self, scope: Scope, connection: WriteConnection, items: Sequence[Item]) -> None:
        """Make `items` findable, in the transaction that stores them. An id that is there is replaced."""
        raise NotImplementedError

    def remove(self, scope: Scope, connection: WriteConnection, ids: Collection[str]) -> int:
        """Make rows unfindable with all that was derived of them; gives how many there were.

        No neighbour keeps a word of theirs. The words leave the file for good with `Store.scrub`.
        """
        raise NotImplementedError

    def find(
        self,
        scope: Scope,
        connection: ReadConnection,
        question: str,
        *,
        at: str,
        limit: int,
        kinds: Collection[Sort] = (),
        room: str | None = None,
        tier: str | None = None,
        brain: str | None = None,
    ) -> Found:
        """The rows that answer `question`, best first, or none. `at` is now, ISO in UTC ("last spring").

        Only rows that `scope` may see are looked at: the owner's are all, another's are their own and
        everyone's. Empty `kinds` means all; `room` (a digest), `tier` and `brain` narrow it further.
        """
        raise NotImplementedError

    def embed_pending(self, scope: Scope, texts: Texts, limit: int) -> int:
        """Give up to `limit` rows that have none a vector, in small batches; how many got one.

        For a worker's thread: it reads, encodes outside any transaction, and writes. 0 when nothing waits
        or there is no model. Raises `Unavailable` when the model cannot be used.
        """
        raise NotImplementedError
