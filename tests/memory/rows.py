"""Rows and callers for the tests of finding."""

from __future__ import annotations

from collections.abc import Sequence

from numen.kernel import Audience, RoomKey, Scope, Via
from numen.memory import Found, Item, Sort
from numen.memory.search import Search
from numen.store import Store

OWNER = Scope("contact_owner", True, RoomKey("o", "home", "cli"), Audience.OWNER, Via.CLI, True)
NOW = "2024-02-01T12:00:00Z"


def guest(name: str) -> Scope:
    """Someone who is not the owner."""
    return Scope(name, False, RoomKey(name, "c", "telegram"), Audience.EVERYONE, Via.HTTP, False)


def item(
    identifier: str,
    text: str,
    *,
    contact: str = "owner",
    audience: Audience = Audience.OWNER,
    session: str | None = "s",
    position: int = 0,
    speaker: str = "",
    at: str = "2023-05-08T13:56:00Z",
    room: str = "room",
    kind: Sort = Sort.TURN,
) -> Item:
    """A row; each stands in its place of one session."""
    return Item(identifier, kind, contact, audience, room, text, at, session, position, speaker, "user")


def talk(*lines: str, session: str = "s", start: int = 0, **other: object) -> list[Item]:
    """A session of rows `session-0`, `session-1`, ...; a line may lead with `Name: `."""
    made: list[Item] = []
    for place, line in enumerate(lines, start):
        speaker, _, text = line.rpartition(": ")
        made.append(
            item(f"{session}-{place}", text, session=session, position=place, speaker=speaker, **other)  # type: ignore[arg-type]
        )
    return made


def put(store: Store, search: Search, items: Sequence[Item]) -> None:
    """Make rows findable."""
    with store.transaction() as connection:
        search.add(OWNER, connection, items)


def ask(
    store: Store, search: Search, question: str, scope: Scope = OWNER, at: str = NOW, **wanted: object
) -> Found:
    """What a question finds."""
    with store.reading() as connection:
        return search.find(scope, connection, question, at=at, limit=10, **wanted)  # type: ignore[arg-type]


def ids(found: Found) -> list[str]:
    """The ids of what was found, best first."""
    return [row.id for row in found.rows]
