"""Presences: which hands are at work in a tree, kept by a beat and gone two minutes after the last."""

from __future__ import annotations

from dataclasses import replace

from numen.kernel import Clock, Scope, from_iso, iso
from numen.north import tables
from numen.north.collisions import Collision, Presence, collisions, is_due, is_live
from numen.store import ReadConnection, Store


class Presences:
    """The hands of each brain. Whoever may look at a tree sees who works in it, the owner also on what."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def beat(self, scope: Scope, presence: Presence) -> bool:
        """Keep that a hand is there; False where nothing new had to be written (see `is_due`).

        Rows of hands that are gone are swept out of the same brain. No event: a beat is no deed.
        """
        now = from_iso(iso(self._clock.now()))
        fresh = replace(presence, first_seen=now, last_beat=now)
        with self._store.reading() as connection:
            before = tables.presence(connection, presence.brain, presence.agent, presence.session)
        if not is_due(before, fresh):
            return False
        with self._store.transaction() as connection:
            for other in tables.presences_of(connection, presence.brain):
                if not is_live(other, now):
                    tables.drop_presence(connection, other.brain, other.agent, other.session)
            since = before.first_seen if before is not None and is_live(before, now) else now
            tables.put_presence(connection, replace(fresh, first_seen=min(since, now)))
        return True

    def leave(self, scope: Scope, session: str) -> int:
        """Let every hand of a session go, as when its process ends; how many there were."""
        with self._store.transaction() as connection:
            return tables.drop_session(connection, session)

    def living(self, scope: Scope, brain: str) -> tuple[Presence, ...]:
        """The hands that are at work in a brain now, by name."""
        with self._store.reading() as connection:
            return self.living_in(connection, brain)

    def living_in(self, connection: ReadConnection, brain: str) -> tuple[Presence, ...]:
        """As `living`, in a read that is open."""
        now = self._clock.now()
        return tuple(one for one in tables.presences_of(connection, brain) if is_live(one, now))

    def in_the_way(self, connection: ReadConnection, mine: Presence) -> tuple[Collision, ...]:
        """Who lives and is in the way of `mine`, which need not be written down yet."""
        return collisions(mine, tables.presences_of(connection, mine.brain), self._clock.now())
