"""Changes to how a person may be reached: widening takes the owner, narrowing happens at once.

In a conversation, where words of others are near, a change that widens becomes a question that is bound to
what the records said when it was asked; in the owner's own terminal or page it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, cast

from numen.kernel import Conflict, InvalidInput, Json, NotFound, Scope, Via, canonical_bytes, digest
from numen.ledger import Event, Kind, Ledger
from numen.people import handles, rules, tables
from numen.people.optout import opt_out
from numen.people.types import Contact, Handle, Linked, MayContact, NotOwner, TrustTier
from numen.store import ReadConnection, Store, WriteConnection

TOOL = "people.change"
"""The tool under which the gate asks about a change."""

_WIDTH = (MayContact.NEVER, MayContact.ASK, MayContact.AUTO)


class Operation(StrEnum):
    """What can be changed."""

    PERMIT = "set_permission"
    CADENCE = "set_cadence"
    MERGE = "merge"
    LINK = "link"


class Status(StrEnum):
    """What became of a change."""

    APPLIED = "applied"
    ASKED = "asked"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """A change to one contact: the value that its operation takes, the others are None.

    `drop` is the contact that a merge takes into this one.
    """

    operation: Operation
    contact: str
    value: MayContact | None = None
    minutes: int | None = None
    drop: str | None = None
    handle: Handle | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of it; `code` is of the ask, where the owner was asked."""

    status: Status
    contact: Contact
    text: str
    code: str | None = None
    dropped: str | None = None


class Nods(Protocol):
    """Asks the owner about a call that is done at once on a yes."""

    def ask_call(self, scope: Scope, connection: WriteConnection, args: Mapping[str, Json]) -> str:
        """The code of the question."""
        ...


class Changes:
    """Changes to contacts, and their opt-outs. Without `nods` nothing is asked, and so nothing widened."""

    def __init__(self, store: Store, ledger: Ledger, nods: Nods | None) -> None:
        self._store = store
        self._ledger = ledger
        self._nods = nods

    def change(self, scope: Scope, change: Change) -> Changed:
        """Make a change, or ask the owner about it.

        Raises `NotOwner` for anyone but the owner and for a run of the mind, `NotFound` for an unknown
        contact, `InvalidInput` for a change that says nothing or concerns the owner, `Conflict` for a handle
        of another known person.
        """
        if not scope.is_owner or scope.via is Via.MIND:
            raise NotOwner("Only the owner may change a contact.", not_done="Nothing was changed.")
        with self._store.transaction() as connection:
            tables.lock_household(connection)
            contact = self._contact(connection, change.contact)
            other = None if change.drop is None else self._contact(connection, change.drop)
            if change.drop is not None:
                change = Change(change.operation, contact.id, drop=None if other is None else other.id)
            _check(change, contact, other)
            if not self._changes(connection, change, contact):
                return Changed(Status.UNCHANGED, contact, f"{contact.display_name} stands like that already.")
            if _widens(change, contact, other) and not (
                scope.interactive and scope.via in {Via.CLI, Via.PAGE}
            ):
                return self._asked(scope, connection, change, contact, other)
            return self._apply(scope, connection, change, contact)

    def apply(self, scope: Scope, connection: WriteConnection, args: Mapping[str, Json]) -> None:
        """Do what the owner said yes to, in the transaction of the answer.

        Raises `Conflict` where the records have changed since it was asked.
        """
        value, minutes = args.get("value"), args.get("minutes")
        handle = args.get("handle")
        change = Change(
            Operation(str(args["operation"])),
            str(args["contact"]),
            MayContact(str(value)) if value is not None else None,
            cast("int | None", minutes),
            cast("str | None", args.get("drop")),
            handles.read(str(handle)) if handle is not None else None,
        )
        contact = self._contact(connection, change.contact)
        other = None if change.drop is None else self._contact(connection, change.drop)
        if args.get("snapshot") != self._snapshot(connection, contact, other):
            raise Conflict(
                "What was known of this person has changed since it was asked.",
                not_done="Nothing was changed.",
                next_step="Ask for the change again.",
            )
        self._apply(scope, connection, change, contact)

    def heard(self, scope: Scope, contact: str, text: str) -> bool:
        """Lower a contact to `never` where their own words ask for it; whether they were lowered now.

        `scope` is the contact's own, or the owner's on whose store it is heard. It only lowers, so it needs
        no nod. Raises `NotOwner` for words said in another contact's name.
        """
        if not scope.is_owner and scope.viewer != contact:
            raise NotOwner("Nobody opts out for another.", not_done="Nothing was changed.")
        if not opt_out(text).asked:
            return False
        with self._store.transaction() as connection:
            known = tables.contact(connection, contact)
            if known is None or known.trust_tier is TrustTier.OWNER or known.may_contact is MayContact.NEVER:
                return False
            tables.amend(connection, contact, {"may_contact": str(MayContact.NEVER)})
            told: dict[str, Json] = {"contact": contact, "before": known.may_contact}
            self._record(scope, connection, Kind.CONTACT_OPTED_OUT, told)
        return True

    def _asked(
        self,
        scope: Scope,
        connection: WriteConnection,
        change: Change,
        contact: Contact,
        other: Contact | None,
    ) -> Changed:
        if self._nods is None:
            raise NotOwner(
                "This widens what may be done.",
                not_done="Nothing was changed.",
                next_step="Use numen people.",
            )
        args: dict[str, Json] = {
            "operation": change.operation,
            "contact": contact.id,
            "name": contact.display_name,
            "snapshot": self._snapshot(connection, contact, other),
        }
        if change.value is not None:
            args["value"] = change.value
        if change.minutes is not None:
            args["minutes"] = change.minutes
        if other is not None:
            args |= {"drop": other.id, "drop_name": other.display_name}
        if change.handle is not None:
            args["handle"] = str(change.handle)
        code = self._nods.ask_call(scope, connection, args)
        return Changed(Status.ASKED, contact, f"The owner is asked: yes {code}, or no {code}.", code)

    def _apply(self, scope: Scope, connection: WriteConnection, change: Change, contact: Contact) -> Changed:
        match change.operation:
            case Operation.PERMIT:
                self._amend(scope, connection, contact, "may_contact", str(change.value))
            case Operation.CADENCE:
                self._amend(scope, connection, contact, "cadence_minutes", change.minutes)
            case Operation.MERGE:
                self._merge(scope, connection, contact, str(change.drop))
            case Operation.LINK:
                self._link(scope, connection, contact, cast("Handle", change.handle))
        after = self._contact(connection, contact.id)
        return Changed(Status.APPLIED, after, f"{after.display_name} was changed.", dropped=change.drop)

    def _amend(
        self,
        scope: Scope,
        connection: WriteConnection,
        contact: Contact,
        column: str,
        value: str | int | None,
    ) -> None:
        tables.amend(connection, contact.id, {column: value})
        self._record(scope, connection, Kind.CONTACT_CHANGED, {"contact": contact.id, "fields": [column]})

    def _merge(self, scope: Scope, connection: WriteConnection, contact: Contact, drop: str) -> None:
        """Give one contact the handles of another, who then is gone; the narrower permission counts."""
        other = self._contact(connection, drop)
        moved = tables.handles_of(connection, other.id)
        has_primary = any(one.primary for one in tables.handles_of(connection, contact.id))
        for one in moved:
            kept = Linked(one.handle, contact.id, one.primary and not has_primary, one.verified)
            tables.put_handle(connection, kept, handles.canonical(one.handle), other.created_at)
        permission = min(contact.may_contact, other.may_contact, key=_WIDTH.index)
        tables.amend(connection, contact.id, {"may_contact": str(permission)})
        tables.drop_contact(connection, other.id)
        told: dict[str, Json] = {"contact": other.id, "into": contact.id, "handles": len(moved)}
        self._record(scope, connection, Kind.CONTACT_MERGED, told)

    def _link(self, scope: Scope, connection: WriteConnection, contact: Contact, handle: Handle) -> None:
        before = tables.holder(connection, handle)
        first = not tables.handles_of(connection, contact.id)
        linked = Linked(handle, contact.id, primary=first, verified=True)
        tables.put_handle(connection, linked, handles.canonical(handle), contact.created_at)
        more: dict[str, Json] = {} if before is None else {"before": before.id}
        self._record(scope, connection, Kind.HANDLE_LINKED, {"contact": contact.id, **more})

    def _changes(self, connection: ReadConnection, change: Change, contact: Contact) -> bool:
        match change.operation:
            case Operation.PERMIT:
                return contact.may_contact is not change.value
            case Operation.CADENCE:
                return contact.cadence_minutes != change.minutes
            case Operation.MERGE:
                return change.drop != contact.id
            case Operation.LINK:
                before = tables.holder(connection, cast("Handle", change.handle))
                if before is not None and before.id != contact.id and before.trust_tier not in _SHADOWS:
                    raise Conflict(
                        f"{change.handle} is {before.display_name}'s.", not_done="Nothing was linked."
                    )
                return before is None or before.id != contact.id

    def _snapshot(self, connection: ReadConnection, contact: Contact, other: Contact | None) -> str:
        """What the records say now of those whom a change concerns."""
        said: list[Json] = []
        for one in (contact, other):
            if one is not None:
                owned: list[Json] = [str(linked.handle) for linked in tables.handles_of(connection, one.id)]
                said.append([one.id, one.trust_tier, one.may_contact, one.cadence_minutes, owned])
        return digest(canonical_bytes(said))

    def _contact(self, connection: ReadConnection, named: str) -> Contact:
        found = tables.contact(connection, named)
        if found is None and ":" in named:
            gateway, _, address = named.partition(":")
            found = tables.holder(connection, Handle(gateway.lower(), address))
        if found is None:
            alike = tables.called(connection, named)
            found = alike[0] if len(alike) == 1 else None
        if found is None:
            raise NotFound("No contact is known by that.", not_done="Nothing was done.")
        return found

    def _record(
        self, scope: Scope, connection: WriteConnection, kind: Kind, told: Mapping[str, Json]
    ) -> None:
        call = self._store.ids.new("change")
        self._ledger.record(scope, connection, Event(call, kind, "people", call, told))


_SHADOWS = frozenset({TrustTier.UNKNOWN, TrustTier.GROUP_GUEST})


def _widens(change: Change, contact: Contact, other: Contact | None) -> bool:
    """Whether more may be done after the change than before."""
    match change.operation:
        case Operation.PERMIT:
            return change.value is not None and _WIDTH.index(change.value) > _WIDTH.index(contact.may_contact)
        case Operation.CADENCE:
            return change.minutes is not None and (
                contact.cadence_minutes is None or change.minutes < contact.cadence_minutes
            )
        case Operation.MERGE:
            return other is not None
        case Operation.LINK:
            return True


def _check(change: Change, contact: Contact, other: Contact | None) -> None:
    needed = {
        Operation.PERMIT: change.value is not None,
        Operation.CADENCE: True,
        Operation.MERGE: change.drop is not None,
        Operation.LINK: change.handle is not None,
    }
    if not needed[change.operation]:
        raise InvalidInput(
            f"{change.operation} says nothing of what is to be.", not_done="Nothing was changed."
        )
    if change.minutes is not None and not 0 < change.minutes <= rules.LONGEST_CADENCE:
        raise InvalidInput(
            f"A cadence is 1 to {rules.LONGEST_CADENCE} minutes.", not_done="Nothing was changed."
        )
    if TrustTier.OWNER in {contact.trust_tier, None if other is None else other.trust_tier}:
        raise InvalidInput(
            "The owner is not changed here.", not_done="Nothing was changed.", next_step="Use numen init."
        )
