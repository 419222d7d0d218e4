"""Dispatch: approved work is offered to the body until it says that it has it."""

from __future__ import annotations

from datetime import datetime, timedelta

from numen.gate import NotAllowed
from numen.gate import Outcome as Ended
from numen.kernel import Conflict, Scope
from numen.mind import rules, tables
from numen.mind.intentions import Intentions, Means, lineage, owner_only
from numen.mind.types import Intention, Reason, State
from numen.store import ReadConnection

PULL = "pull"
"""The beat of the body."""

COARSE = timedelta(minutes=1)
"""How exactly the body's last pull is kept (ours: it pulls once a minute, and each would be a write)."""


class Dispatch:
    """What is given to the body to be worked on."""

    def __init__(self, means: Means, intentions: Intentions) -> None:
        self._means = means
        self._intentions = intentions

    def offer(self, scope: Scope) -> tuple[Intention, ...]:
        """Approved work that no body has, the weightiest first; the same again until it is bound.

        It is claimed at the gate before it is first offered, and no more of it than may run at once. The call
        is the body's heartbeat. Nothing while acting is off. Raises `NotOwner` for others.
        """
        owner_only(scope)
        self._beat()
        if self._means.gate.is_off():
            return ()
        for one in self._waiting():
            if one.state is State.ASKED and one.kind in rules.WORK:
                self._intentions.judge(scope, one)
        offered: list[Intention] = []
        for one in self._waiting():
            if one.state is not State.APPROVED or one.kind not in rules.WORK:
                continue
            if one.claim is not None or self._claim(scope, one):
                offered.append(one)
        return tuple(offered)

    def bound(self, scope: Scope, identifier: str, ref: str) -> Intention:
        """The body has the work, as `ref`. The same again changes nothing.

        Raises `NotOwner`, `NotFound`, `StateUnavailable`; `Conflict` where another task has it; `IllegalMove`
        where it was let go of, so that nobody works on it.
        """
        owner_only(scope)
        with self._means.store.transaction() as connection:
            tables.lock_mind(connection)
            one = self._intentions.of(connection, identifier)
            if one.ref is not None:
                if one.ref != ref:
                    raise Conflict(f"Another task has it: {one.ref}.", not_done="Nothing was changed.")
                return one
            if one.kind not in rules.WORK:
                raise Conflict(f"This is a {one.kind}, and no work.", not_done="Nothing was changed.")
            moved = self._intentions.move(
                scope, connection, one, State.DISPATCHED, Reason.BOUND, f"The body has it as {ref}.", ref=ref
            )
            if one.claim is not None:
                self._means.settle(scope, connection, one.claim, Ended.DONE)
        return moved

    def last_pull(self, connection: ReadConnection) -> datetime | None:
        """When the body asked for work last, to the minute."""
        return tables.beat(connection, PULL)

    def _beat(self) -> None:
        at = self._means.now()
        with self._means.store.reading() as connection:
            last = tables.beat(connection, PULL)
        if last is None or abs(at - last) >= COARSE:
            with self._means.store.transaction() as connection:
                tables.set_beat(connection, PULL, at)

    def _waiting(self) -> tuple[Intention, ...]:
        with self._means.store.reading() as connection:
            return tables.standing(connection, {State.ASKED, State.APPROVED})

    def _claim(self, scope: Scope, one: Intention) -> bool:
        """Claim the work at the gate; False where it may not run now, or somebody else claimed it."""
        try:
            with self._means.store.transaction() as connection:
                tables.lock_mind(connection)
                most = self._means.habits.concurrent
                if most is not None and tables.at_work(connection) >= most:
                    return False
                effect = self._intentions.effect(scope, one)
                claim = self._means.gate.claim_within(scope, connection, effect, lineage(one))
                if not tables.set_claim(connection, one.id, claim.id):
                    raise NotAllowed("Somebody else claimed it.", not_done="It was not claimed again.")
        except NotAllowed:
            return False
        return True
