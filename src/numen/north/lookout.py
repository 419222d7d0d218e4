"""Looks around in the house for a caller: the landing bell, the map, other hands."""

from __future__ import annotations

from numen.graph import BrainId, Snapshot
from numen.kernel import Scope, Unavailable
from numen.north.blocks import MapSign
from numen.north.collisions import Collision, Presence, shown
from numen.north.gaps import gap
from numen.north.maps import Maps
from numen.north.missions import Missions
from numen.north.presences import Presences
from numen.north.signs import Signs
from numen.north.types import Gap, GapCode
from numen.store import Store

LONGEST_FAULT = 90
"""Characters of the first fault that a sentence of the card has room for (ours)."""


class Lookout:
    """Looks around in one read of the store. It fails open: what it cannot read it does not tell, and no
    packet is lost for it; the cockpit says what cannot be read."""

    def __init__(self, store: Store, missions: Missions, maps: Maps, presences: Presences) -> None:
        self._store = store
        self._missions = missions
        self._maps = maps
        self._presences = presences

    def look(self, scope: Scope, brain: BrainId, snapshot: Snapshot | None, hand: Presence | None) -> Signs:
        """The signs for a caller; `hand` is what it does, None where it says of nothing."""
        try:
            with self._store.reading() as connection:
                bell = self._missions.waiting(scope, connection, brain.id)
                view = self._maps.sign(scope, connection, brain, snapshot)
                met = () if hand is None else self._presences.in_the_way(connection, hand)
        except Unavailable:
            return Signs()
        gaps = [*_collided(met), *_rung(bell)]
        sign = None
        if view is not None and view.coherence is not None:
            sign = MapSign(view.ratified, view.coherence)
            blocks = {fault.block for fault in view.faults}
            if view.faults:
                first = view.faults[0]
                told = shown(f"{first.block}: {first.text}", LONGEST_FAULT)
                gaps.append(gap(GapCode.MAP_MISMATCH, count=len(blocks), blocks=view.ratified, first=told))
        return Signs(bell, sign, tuple(gaps))


def _collided(met: tuple[Collision, ...]) -> list[Gap]:
    if not met:
        return []
    more = f", and {len(met) - 1} more" if met[1:] else ""
    return [gap(GapCode.COLLISION, agent=met[0].agent, where=met[0].where, more=more)]


def _rung(count: int) -> list[Gap]:
    if not count:
        return []
    waits = "1 mission waits" if count == 1 else f"{count:,} missions wait"
    return [gap(GapCode.LANDING_BELL, waits=waits)]
