"""What the vault needs of rooms above it: outgoing messages, the owner's yes, and words kept from before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from numen.kernel import Scope
from numen.secrets.types import Ask, Outgoing
from numen.store import ReadConnection, WriteConnection


@dataclass(frozen=True, slots=True)
class OlderWords:
    """Words that were kept before they were sealed: their id, and whose they are (`rules.whose`)."""

    id: str
    whose: str
    text: str = field(repr=False)


class Shelf(Protocol):
    """Keeps words, in an order of ids that stays."""

    @property
    def name(self) -> str:
        """By which it is known how far the shelf was gone through."""
        ...

    def older(self, connection: ReadConnection, after: str, limit: int) -> Sequence[OlderWords]:
        """The first `limit` words whose id comes after `after`, in order."""
        ...

    def replace(self, scope: Scope, connection: WriteConnection, words: OlderWords, sealed: str) -> None:
        """Keep `sealed` in place of `words`, in this transaction, so that nothing of them is left.

        Where the words have changed meanwhile nothing is done: whoever changed them has sealed them.
        """
        ...


class Outbox(Protocol):
    """Knows the messages that are about to be sent."""

    def outgoing(self, scope: Scope, message: str) -> Outgoing | None:
        """What is known of the message of that id; None if there is none that may be sent."""
        ...


class Nods(Protocol):
    """Asks the owner. A yes is bound to the digest of the complete call, and is used up by one use."""

    def spend(self, scope: Scope, connection: WriteConnection, digest: str) -> bool:
        """Use up the owner's yes to this call; False if there is none."""
        ...

    def ask(self, scope: Scope, connection: WriteConnection, digest: str, words: str) -> Ask:
        """The open question about this call: the one that stands, else a new one."""
        ...
