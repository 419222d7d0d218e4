"""A memory over a store of either database, and callers of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from numen.kernel import Audience, FixedClock, RoomKey, Scope, Via
from numen.ledger import Ledger
from numen.memory import Commitments, Exchange, Memory, Message, Role, Search
from numen.memory.context import Context
from numen.memory.forgetting import Forgetting
from numen.memory.opinions import Opinions
from numen.memory.portability import Portability
from numen.memory.projects import Projects
from numen.people.directory import Directory
from numen.secrets import Secrets
from numen.secrets.detector import find
from numen.store import Store

MOMENT = datetime(2026, 3, 10, 16, 30, tzinfo=UTC)
OWNER = Scope("owner", True, RoomKey("owner", "s", "cli"), Audience.OWNER, Via.CLI, True)


def person(number: int) -> Scope:
    """A contact, in a room of their own."""
    name = f"contact_TEST_{number:026d}"
    return Scope(name, False, RoomKey(name, "c", "telegram"), Audience.EVERYONE, Via.HTTP, False)


def stranger(name: str) -> Scope:
    """Somebody whom nobody knows."""
    return Scope("stranger", False, RoomKey("", "", name), Audience.EVERYONE, Via.HTTP, False)


@dataclass(frozen=True)
class House:
    """Everything of memory over one store."""

    store: Store
    clock: FixedClock
    ledger: Ledger
    memory: Memory
    forgetting: Forgetting
    commitments: Commitments
    opinions: Opinions
    context: Context
    portability: Portability
    projects: Projects


@contextmanager
def house_over(store: Store, home: Path) -> Iterator[House]:
    """Memory over `store`, its clock standing at `MOMENT`."""
    clock = FixedClock(MOMENT)
    ledger = Ledger(store, clock)
    search = Search(store)
    secrets = Secrets(store, ledger, clock, home, find)
    people = Directory(store, ledger, clock, "Europe/Berlin")
    memory = Memory(store, ledger, clock, secrets, search, people)
    commitments = Commitments(store, ledger, clock, secrets)
    opinions = Opinions(store, ledger, clock, secrets)
    context = Context(store, clock, memory, commitments, opinions, people)
    yield House(
        store,
        clock,
        ledger,
        memory,
        Forgetting(store, ledger, clock, search, home),
        commitments,
        opinions,
        context,
        Portability(store, ledger, clock, secrets, search, people),
        Projects(store, clock, search),
    )
    context.close()


def turn(text: str, source: str | None = None, *, answer: str = "", session: str = "s") -> Exchange:
    """A turn of a person's words, and an answer where one is given."""
    messages = [Message(Role.USER, text), *([Message(Role.ASSISTANT, answer)] if answer else [])]
    return Exchange(session, messages, source)


def everything_in(store: Store) -> bytes:
    """All that a backup of the store would hold: the database's files, or every row of every table."""
    file = store.place.file
    if file is not None:
        return b"".join(path.read_bytes() for path in sorted(file.parent.glob("numen.db*")))
    parts: list[bytes] = []
    with store.reading() as connection:
        for table in sa.inspect(connection).get_table_names():
            for row in connection.execute(sa.text(f'SELECT * FROM "{table}"')):
                parts += [
                    bytes(value)
                    if isinstance(value, bytes | memoryview)
                    else str(value).encode("utf-8", "replace")
                    for value in row
                ]
    return b"\n".join(parts)
