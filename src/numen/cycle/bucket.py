"""What each room may spend: its energy in the store, set aside before it is spent and settled after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from numen.cycle import rules, tables
from numen.cycle.tables import Room
from numen.cycle.types import Energy, Signal, Tank
from numen.kernel import Clock, Scope
from numen.store import Store, WriteConnection

PART = 1_000
"""Shares are told in parts of it."""

LOOKED_AT = 20
"""Turns of a room that its error rate is of (ours)."""

_HOUR = timedelta(hours=1)


class RoomBucket:
    """The energy of one room during one turn: what is set aside is gone for every other turn at once."""

    def __init__(self, store: Store, clock: Clock, tank: Tank, room: str, keep_days: int) -> None:
        self.room = room
        self._store = store
        self._clock = clock
        self._tank = tank
        self._keep = timedelta(days=keep_days)
        self._reserved = 0

    def begin(self) -> Room:
        """The room and the number of this turn; what rested, and old traces, go when a new room comes."""
        now = self._clock.now()
        with self._store.transaction() as connection:
            tables.lock_room(connection, self.room)
            known = tables.room(connection, self.room)
            if known is None:
                tables.rest(connection, now - _HOUR * self._tank.capacity / self._tank.per_hour)
                tables.drop_turns(connection, now - self._keep)
            room = known or full(self._tank, now)
            room = replace(room, energy=rules.refilled(room.energy, self._tank, now), epoch=room.epoch + 1)
            tables.put_room(connection, self.room, room, now)
        return room

    def level(self) -> Energy:
        """What the room has now."""
        now = self._clock.now()
        with self._store.reading() as connection:
            known = tables.room(connection, self.room) or full(self._tank, now)
        return rules.refilled(known.energy, self._tank, now)

    def reserve(self, choose: Callable[[int], int]) -> bool:
        """Set aside as many tokens as `choose` says of what is there; False where there are not so many."""
        with self._store.transaction() as connection:
            tables.lock_room(connection, self.room)
            now = self._clock.now()
            known = tables.room(connection, self.room) or full(self._tank, now)
            amount = choose(rules.refilled(known.energy, self._tank, now).level)
            left = rules.reserve(known.energy, self._tank, amount, now)
            if left is None:
                return False
            tables.put_room(connection, self.room, replace(known, energy=left), now)
        self._reserved += amount
        return True

    def end(self, connection: WriteConnection, spent: int) -> Energy:
        """Give back what was set aside and not spent."""
        tables.lock_room(connection, self.room)
        now = self._clock.now()
        known = tables.room(connection, self.room) or full(self._tank, now)
        left = rules.settle(known.energy, self._tank, self._reserved, spent, now)
        tables.put_room(connection, self.room, replace(known, energy=left), now)
        self._reserved = 0
        return left


class OwnGauge:
    """What the cycle itself knows of a room: what it has left, and how often its turns failed."""

    def __init__(self, store: Store, bucket: RoomBucket, tank: Tank) -> None:
        self._store = store
        self._bucket = bucket
        self._tank = tank

    def read(self, scope: Scope) -> Sequence[Signal]:
        """Shares in 1/1000."""
        with self._store.reading() as connection:
            ended = tables.outcomes(connection, self._bucket.room, LOOKED_AT)
        level = max(0, self._bucket.level().level)
        return (
            Signal("energy", level * PART // self._tank.capacity, "cycle"),
            Signal("error_rate", rules.error_rate(ended, PART), "cycle"),
        )


def full(tank: Tank, now: datetime) -> Room:
    """A room that was never there."""
    return Room(Energy(tank.capacity, now), 0, keeps=False)
