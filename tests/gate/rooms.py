"""A gate over a real store, with an owner, and what tests ask of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from numen.gate import Asks, Call, Effect, Gate, Grants, Lineage, OwnerNods, Policy, Run, Surroundings
from numen.kernel import FixedClock, Json, Scope
from numen.ledger import Kind, Ledger
from numen.people import Contact, Local, MayContact, People, tables
from numen.people.changes import TOOL, Changes
from numen.people.directory import Directory
from numen.people.handles import read
from numen.secrets import hidden
from numen.secrets.detector import find
from numen.store import Store, WriteConnection

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TASK = Lineage("task_1", Run.MIND, task="task_1")


@dataclass
class House:
    """Everything that a test of the gate needs."""

    store: Store
    home: Path
    clock: FixedClock
    ledger: Ledger
    people: People
    directory: Directory
    gate: Gate
    asks: Asks
    grants: Grants
    changes: Changes
    me: Scope
    stranger: Scope

    def effect(
        self, tool: str, recipients: tuple[str, ...] = (), taint: tuple[str, ...] = (), **args: Json
    ) -> Effect:
        return self.gate.effect(
            Call(tool, args), Surroundings(owner=self.me.viewer, recipients=recipients, taint=taint)
        )

    def run(self, command: str) -> Effect:
        return self.effect("terminal", command=command)

    def contact(self, handle: str, may: MayContact = MayContact.ASK) -> Contact:
        made = self.directory.find(self.me, read(handle), create=True, name=handle).contact
        if may is not made.may_contact:
            with self.store.transaction() as connection:
                from_tables(connection, made.id, may)
        return made

    def kinds(self) -> list[str]:
        return [one.kind for one in self.ledger.tail(self.me, limit=1000)]

    def count(self, kind: Kind) -> int:
        return self.kinds().count(kind)


def from_tables(connection: WriteConnection, contact: str, may: MayContact) -> None:
    tables.amend(connection, contact, {"may_contact": str(may)})


def house(store: Store, home: Path, policy: Policy | None = None, clock: FixedClock | None = None) -> House:
    home.mkdir(parents=True, exist_ok=True)
    clock = clock or FixedClock(START)
    ledger = Ledger(store, clock)
    people = People(store, ledger, clock, home)
    people.init(people.resolve(Local(os.geteuid(), interactive=True)), "Ada")
    directory = Directory(store, ledger, clock)
    gate = Gate(store, ledger, directory, clock, home, policy or Policy(), lambda value: hidden(value, find))
    changes = Changes(store, ledger, OwnerNods(gate, clock, TOOL))
    return House(
        store,
        home,
        clock,
        ledger,
        people,
        directory,
        gate,
        Asks(store, ledger, clock, {TOOL: changes.apply}),
        Grants(store, ledger, clock),
        changes,
        people.resolve(Local(os.geteuid(), interactive=True)),
        people.resolve(Local(os.geteuid() + 1, interactive=True)),
    )
