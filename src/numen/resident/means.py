"""What every part of the resident works with, and how it records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from numen.gate import Asks, Gate
from numen.kernel import Clock, Json, Scope, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import STRANGER, People
from numen.resident import tables
from numen.resident.types import Role, Session
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection


@dataclass(frozen=True, slots=True)
class Means:
    """The rooms below."""

    store: Store
    ledger: Ledger
    clock: Clock
    people: People
    secrets: Secrets
    gate: Gate
    asks: Asks

    def now(self) -> datetime:
        """The moment, as it is kept."""
        return from_iso(iso(self.clock.now()))

    def record(
        self,
        scope: Scope,
        connection: WriteConnection,
        session: str,
        kind: Kind,
        turn: str,
        told: Mapping[str, Json],
    ) -> int:
        """Record an event of a session; its number. All events of a turn are correlated by its id."""
        event = Event(self.store.ids.new("change"), kind, stream_of(session), turn, told)
        return self.ledger.record(scope, connection, event).seq

    def say(
        self,
        scope: Scope,
        connection: WriteConnection,
        session: str,
        turn: str,
        role: Role,
        text: str,
        *,
        step: int = 0,
        base: int | None = None,
        body: str | None = None,
    ) -> str:
        """Keep a message whose words are sealed already; its id. `body` is where they are put away, if so."""
        identifier = self.store.ids.new("message")
        body = body or self.ledger.put_body(scope, connection, text)
        told: dict[str, Json] = {
            "message": identifier, "turn": turn, "role": role, "step": step, "words": body,
        }  # fmt: skip
        told |= {} if base is None else {"base": base}
        seq = self.record(scope, connection, session, Kind.MESSAGE_SAID, turn, told)
        tables.add_message(
            connection,
            tables.MessageRow(identifier, seq, session, turn, step, role, base or seq, body, self.now()),
        )
        return identifier


TURNS = "turns"
"""What is touched when a turn is to be run."""

ASKS = "asks"
"""What is touched when an ask is answered (the gate's topic)."""


def stream_of(session: str) -> str:
    """The stream of a session's events."""
    return f"session:{session}"


def stop_of(session: str) -> str:
    """What is touched when a session's turn is to stop."""
    return f"stop:{session}"


def input_of(session: str) -> str:
    """What is touched when somebody answers a tool in a session."""
    return f"input:{session}"


def may_see(scope: Scope, session: Session) -> bool:
    """Whether a session is shown to `scope`: the owner sees all, others their own; a stranger by the room."""
    if scope.is_owner:
        return True
    return session.whose == scope.viewer and (scope.viewer != STRANGER or session.room == scope.room)


def found(means: Means, scope: Scope, connection: ReadConnection, identifier: str) -> Session:
    """The session of that id. Raises `NotFound` where there is none that `scope` may see."""
    session = tables.session(connection, identifier)
    if session is None or not may_see(scope, session):
        raise means.store.absence(identifier, "session")
    return session
