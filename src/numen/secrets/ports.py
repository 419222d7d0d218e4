"""What the vault needs of rooms above it: who knows outgoing messages, and who asks the owner."""

from __future__ import annotations

from typing import Protocol

from numen.kernel import Scope
from numen.secrets.types import Ask, Outgoing
from numen.store import WriteConnection


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
