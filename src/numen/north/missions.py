"""Missions: letters that are only ever added, and a head that moves by compare-and-set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from numen.kernel import Clock, Forbidden, InvalidInput, Json, NotFound, Scope, Via, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.north import tables
from numen.north.letters import (
    Letter,
    Mission,
    NewLetter,
    Phase,
    StaleHead,
    check_move,
    checked,
    mission_id,
)
from numen.people.rules import STRANGER
from numen.secrets.rules import whose
from numen.store import ReadConnection, Store, WriteConnection

STREAM = "missions"

LISTED = 50
"""Missions, and letters of one, that a list gives by default (ours)."""

LONGEST_LIST = 200
"""Most that a list gives."""


class Missions:
    """The missions of each brain. The owner sees all; a known caller those that they opened."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock

    def post(self, scope: Scope, brain: str, new: NewLetter) -> Mission:
        """Add a letter after the head that it names, and give the mission as it then stands.

        Raises `StaleHead` where the head is another, `InvalidInput` for a letter that says too little or a
        phase that cannot follow, `NotFound` for a mission that is not the caller's, `Forbidden` for callers
        who are not known, and where anyone but the owner, or the mind for them, says that work has landed.
        """
        letter = checked(new)
        mine = _known(scope)
        if letter.phase is Phase.LANDED and (not scope.is_owner or scope.via is Via.MIND):
            raise Forbidden(
                "Only the owner says that work has landed.",
                not_done="No letter was posted.",
                next_step="The mission waits in the owner's tray.",
            )
        with self._store.transaction() as connection:
            before = tables.mission(connection, brain, letter.mission)
            if before is not None and not (scope.is_owner or before.whose == mine):
                raise _absent()
            _check_head(before, letter)
            check_move(None if before is None else before.phase, letter.phase)
            return self._posted(scope, connection, brain, before, letter)

    def missions(
        self, scope: Scope, brain: str, phases: Collection[Phase] = tuple(Phase), limit: int = LISTED
    ) -> tuple[Mission, ...]:
        """Missions in one of `phases` that the caller may see, the one that moved last first."""
        with self._store.reading() as connection:
            return tables.missions_of(connection, brain, seen(scope), phases, _counted(limit))

    def tally(self, scope: Scope, brain: str) -> Mapping[Phase, int]:
        """How many missions that the caller may see stand in each phase."""
        with self._store.reading() as connection:
            return tables.tally(connection, brain, seen(scope))

    def waiting(self, scope: Scope, connection: ReadConnection, brain: str) -> int:
        """How many missions wait for a person to land them: their HEAD is merge_wait."""
        return tables.tally(connection, brain, seen(scope)).get(Phase.MERGE_WAIT, 0)

    def letters(
        self, scope: Scope, brain: str, mission: str, *, limit: int = LISTED, before: int | None = None
    ) -> tuple[Mission, tuple[Letter, ...]]:
        """A mission and its last letters, newest first; those before the `before`-th where that is given.

        Raises `NotFound` where there is none that the caller may see.
        """
        mission_id(mission)
        with self._store.reading() as connection:
            found = tables.mission(connection, brain, mission)
            if found is None or seen(scope) not in {None, found.whose}:
                raise _absent()
            return found, tables.letters_of(connection, brain, mission, _counted(limit), before)

    def _posted(
        self, scope: Scope, connection: WriteConnection, brain: str, before: Mission | None, new: NewLetter
    ) -> Mission:
        at = from_iso(iso(self._clock.now()))
        n = 1 if before is None else before.n + 1
        letter = Letter(
            self._store.ids.new("letter"),
            new.mission,
            n,
            new.phase,
            new.text,
            new.agent,
            new.gate,
            new.receipt,
            at,
        )
        if before is None:
            after = Mission(new.mission, whose(scope), new.title, letter.id, new.phase, n, at, at)
            moved = tables.open_mission(connection, brain, after)
        else:
            after = replace(before, head=letter.id, phase=new.phase, n=n, moved_at=at)
            moved = tables.move_head(connection, brain, before, letter)
        if not moved:
            raise StaleHead("Another letter came first.", not_done="No letter was posted.", next_step=_AGAIN)
        tables.add_letter(connection, brain, letter)
        told: dict[str, Json] = {"brain": brain, "letter": letter.id, "phase": letter.phase, "n": n}
        event = f"{Kind.MISSION_POSTED}:{letter.id}"
        self._ledger.record(scope, connection, Event(event, Kind.MISSION_POSTED, STREAM, event, told))
        return after


_AGAIN = "Read the mission, and post after its head."


def seen(scope: Scope) -> str | None:
    """Whose missions a caller sees; None is everyone's."""
    return None if scope.is_owner else whose(scope)


def _known(scope: Scope) -> str:
    if not scope.is_owner and scope.viewer == STRANGER:
        raise Forbidden(
            "A mission is somebody's, and this caller is not known.",
            not_done="No letter was posted.",
            next_step="Start `numen mcp --as owner`, or give the caller a key.",
        )
    return whose(scope)


def _check_head(before: Mission | None, new: NewLetter) -> None:
    if before is None and new.head is not None:
        raise _absent()
    if before is not None and new.head != before.head:
        raise StaleHead(
            f"The head of this mission is {before.head} ({before.phase}).",
            not_done="No letter was posted.",
            next_step=_AGAIN,
        )


def _absent() -> NotFound:
    return NotFound("There is no such mission here.", next_step="See which there are, or open one.")


def _counted(limit: int) -> int:
    if not 1 <= limit <= LONGEST_LIST:
        raise InvalidInput(f"limit must be 1..{LONGEST_LIST}.", not_done="Nothing was read.")
    return limit
