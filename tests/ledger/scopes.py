"""Callers for the ledger's tests."""

from __future__ import annotations

from numen.kernel import Audience, RoomKey, Scope, Via
from numen.ledger import Event, Kind

OWNER = Scope("owner", True, RoomKey("u", "c", "cli"), Audience.OWNER, Via.CLI, True)


def guest(uid: str) -> Scope:
    """A stranger in a room of their own."""
    return Scope("stranger", False, RoomKey(uid, "c", "telegram"), Audience.EVERYONE, Via.HTTP, False)


def revoked(number: int, stream: str = "keys") -> Event:
    """A small event, the same for the same number."""
    key = f"key_TEST_{number:026d}"
    return Event(f"key.revoked:{number}", Kind.KEY_REVOKED, stream, f"turn:{number}", {"key": key})
