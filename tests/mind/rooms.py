"""A mind over a real store, with an owner, and what tests ask of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from numen.app import App
from numen.kernel import FixedClock, Scope, Via
from numen.memory.types import Debtor, Due, Promise
from numen.mind import Drive, Intention, IntentionKind, Proposal, State, Ticked
from numen.mind import tables as mind_tables
from numen.people import Contact, Local, MayContact
from numen.people import tables as people_tables
from numen.people.handles import read
from numen.settings import Settings
from numen.surfaces.household import found

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass
class Head:
    """Everything that a test of the mind needs."""

    app: App
    clock: FixedClock
    me: Scope
    stranger: Scope

    @property
    def it(self) -> Scope:
        """The mind's own scope."""
        return replace(self.me, via=Via.MIND, interactive=False)

    def wait(self, **span: float) -> None:
        self.clock.move(timedelta(**span))

    def tick(self, *, forced: bool = False) -> Ticked:
        return self.app.tick.tick(self.it, forced=forced)

    def pull(self) -> list[str]:
        return [one.id for one in self.app.dispatch.offer(self.me)]

    def letters(self) -> list[str]:
        return [one.intention.id for one in self.app.outbox.offer(self.me)]

    def owe(self, what: str, in_hours: float, *, precision: Due = Due.MINUTE, who: str = "owner") -> str:
        due = self.clock.now() + timedelta(hours=in_hours)
        return self.app.commitments.make(self.me, Promise(what, Debtor(who), due, precision), "UTC").id

    def contact(self, handle: str, may: MayContact = MayContact.ASK, **columns: object) -> Contact:
        made = self.app.directory.find(self.me, read(handle), create=True, name=handle).contact
        with self.app.store.transaction() as connection:
            people_tables.amend(connection, made.id, {"may_contact": str(may), **columns})
        return made

    def message(self, body: str, to: str | None = None, *, exact: bool = True) -> Intention:
        """A message that the mind proposes, judged by the gate."""
        wanted = Proposal(IntentionKind.MESSAGE, body, body, to, exact=exact)
        with self.app.store.transaction() as connection:
            key = self.app.store.ids.new("wish")
            made = self.app.intentions.form(self.it, connection, wanted, key, Drive.CURIOSITY)
        return self.app.intentions.judge(self.it, made)

    def state(self, identifier: str) -> State:
        return self.app.intentions.account(self.me, identifier).intention.state

    def all(self) -> tuple[Intention, ...]:
        with self.app.store.reading() as connection:
            return mind_tables.latest(connection, 1000)


def head(place: str | Path, home: Path, *, clock: FixedClock | None = None, **settings: object) -> Head:
    clock = clock or FixedClock(START)
    url = str(place) if isinstance(place, str) else None
    app = App(Settings.model_validate({"home": home, "database_url": url, **settings}), clock)
    household = found(app, "Ada", [read("telegram:111")])
    account = home.stat().st_uid
    me = app.people.resolve(Local(account, interactive=True))
    assert me.viewer == household.household.owner.id
    return Head(app, clock, me, app.people.resolve(Local(account + 1, interactive=True)))
