"""A vault over a real store, those who speak to it, and words that hold a value."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from numen.kernel import Audience, Clock, FixedClock, RoomKey, Scope, Via
from numen.ledger import Ledger
from numen.secrets import Nods, Outbox, Secrets
from numen.secrets.detector import find
from numen.store import Store

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OWNER = Scope("owner", True, RoomKey("", "", "fresh"), Audience.OWNER, Via.CLI, True)
IN_CHAT = replace(OWNER, room=RoomKey("owner", "chat", "telegram"))
ELSEWHERE = replace(OWNER, room=RoomKey("owner", "other", "telegram"))


def guest(uid: str = "handle:telegram:222", viewer: str = "stranger") -> Scope:
    """Someone for whom a trusted caller speaks."""
    return Scope(viewer, False, RoomKey(uid, "c", "telegram"), Audience.EVERYONE, Via.HTTP, False)


def vault(
    store: Store,
    home: Path,
    clock: Clock | None = None,
    *,
    outbox: Outbox | None = None,
    nods: Nods | None = None,
) -> Secrets:
    """Secrets over `store`, with the key in `home`."""
    clock = clock or FixedClock(AT)
    return Secrets(store, Ledger(store, clock), clock, home, find, outbox=outbox, nods=nods)


def said(value: str) -> str:
    """A sentence with `value` in it."""
    return f"my password is {value} ok"


def ref_of(secrets: Secrets, scope: Scope, value: str) -> str:
    """The reference of `value`, once it has been said by `scope`."""
    return secrets.seal(scope, said(value)).references[0].ref
