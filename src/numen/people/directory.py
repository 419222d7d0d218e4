"""Whom Numen knows: contacts, the handles that lead to them, and who the owner's own files say it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from numen.kernel import Clock, Conflict, Forbidden, InvalidInput, Json, NotFound, Scope, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import handles, reconciliation, rules, tables
from numen.people.types import (
    Amendment,
    Contact,
    Declared,
    Found,
    Handle,
    Key,
    KeyScope,
    Linked,
    Match,
    NotOwner,
    Profile,
    Proposal,
    Reconciled,
    TrustTier,
)
from numen.store import ReadConnection, Store, WriteConnection


class Directory:
    """Contacts and their handles. `home_zone` is where a clock stands whose owner never said otherwise."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, home_zone: str = "UTC") -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._home_zone = home_zone

    def names(self, connection: ReadConnection, viewers: Collection[str]) -> Mapping[str, str]:
        """What the people of these ids are called, in a read that is open; who is not known is left out."""
        return tables.names(connection, viewers)

    def zone(self, connection: ReadConnection, viewer: str) -> str:
        """The time zone in which this person's words are meant, by its IANA name."""
        contact = tables.contact(connection, viewer)
        return self._home_zone if contact is None or contact.timezone is None else contact.timezone

    def relationship(self, connection: ReadConnection, viewer: str) -> Sequence[str]:
        """How a person is known, as it may be told in their own session: nothing that the owner noted."""
        contact = tables.contact(connection, viewer)
        if contact is None or contact.trust_tier is TrustTier.OWNER:
            return ()
        return (f"{contact.display_name}, known since {contact.created_at:%Y-%m-%d}.",)

    def find(
        self, scope: Scope, handle: Handle, *, create: bool = False, name: str = "", shared: bool = False
    ) -> Found:
        """Who writes under `handle`: whoever has it; else the one contact with the same number or address.

        Else, with `create`, a shadow contact is made, of tier `group_guest` where the chat is `shared`; that
        a contact called `name` may be the sender is proposed, nothing more (mind contract, People). A caller
        who does not speak for others finds a handle that is somebody's, and sees id, name and tier alone.

        Raises `NotFound`, in the same words for whatever was not found, `Forbidden` where the caller may not
        make contacts.
        """
        with self._store.reading() as connection:
            whole, makes = self._authority(scope, connection)
            found = self._on_ladder(connection, handle, whole)
        if found is not None:
            return found
        if not create:
            raise _unknown()
        if not makes:
            raise Forbidden(
                "This caller may not make contacts.",
                not_done="No contact was made.",
                next_step="Let the owner issue a key that speaks for every contact: numen credentials.",
            )
        with self._store.transaction() as connection:
            tables.lock_household(connection)
            found = self._on_ladder(connection, handle, whole=True)
            return found or self._shadow(scope, connection, handle, name, shared=shared)

    def who(self, scope: Scope, named: str = "") -> tuple[Contact, ...]:
        """The contacts of that name, id or handle; for the owner also those whose name holds it, or all.

        Anyone else finds one exactly named person. Raises `NotFound`, without candidates, and `NotOwner` for
        a list that the caller may not have.
        """
        named = named.strip()
        if not named and not scope.is_owner:
            raise NotOwner(
                "Only the owner may list contacts.",
                not_done="Nothing was shown.",
                next_step="Name one person exactly.",
            )
        with self._store.reading() as connection:
            if not named:
                return tables.all_contacts(connection)
            exact = self._named(connection, named)
            everyone = tables.all_contacts(connection) if scope.is_owner else ()
        part = tuple(one for one in everyone if named.casefold() in one.display_name.casefold())
        found = exact if len(exact) == 1 else part or (exact if scope.is_owner else ())
        if not found:
            raise _unknown()
        return found

    def inspect(self, scope: Scope, named: str) -> Profile:
        """All that is known of one contact, by id, handle or exact name. Raises `NotOwner`, `NotFound`."""
        _owner_only(scope, "see all of a contact")
        with self._store.reading() as connection:
            contact = self._one(connection, named)
            return Profile(
                contact,
                tables.handles_of(connection, contact.id),
                tables.proposals_of(connection, contact.id),
            )

    def amend(self, scope: Scope, named: str, change: Amendment) -> Contact:
        """Change what is known of a contact.

        Raises `NotOwner` unless the owner does it in their own session, `NotFound`, and `InvalidInput` for a
        value of a wrong form or the owner's tier, which nobody else can have and the owner keeps.
        """
        _interactive_owner(scope, "change a contact")
        values = rules.amended(change)
        with self._store.transaction() as connection:
            contact = self._one(connection, named)
            if change.trust_tier not in {None, contact.trust_tier} and (
                TrustTier.OWNER in {change.trust_tier, contact.trust_tier}
            ):
                raise InvalidInput(
                    "There is one owner, and that is not changed here.",
                    not_done="Nothing was changed.",
                    next_step="Use another NUMEN_HOME for another person.",
                )
            values = {name: value for name, value in values.items() if getattr(contact, name) != value}
            if not values:
                return contact
            tables.amend(connection, contact.id, values)
            self._record(scope, connection, Kind.CONTACT_CHANGED, contact.id, {"fields": sorted(values)})
            return self._one(connection, contact.id)

    def link(self, scope: Scope, named: str, handle: Handle) -> Profile:
        """Give a contact a handle, taking it from a shadow contact that has it.

        Raises `NotOwner` unless the owner does it in their own session; `Conflict` where it is another known
        person's; `NotFound`. The owner's own handles are in `identity.yaml` (see `reconcile`).
        """
        _interactive_owner(scope, "link a handle")
        with self._store.transaction() as connection:
            tables.lock_household(connection)
            contact = self._one(connection, named)
            if contact.trust_tier is TrustTier.OWNER:
                raise InvalidInput(
                    "The owner's handles stand in identity.yaml.",
                    not_done="Nothing was linked.",
                    next_step=f"Run `numen init --handle {handle}`.",
                )
            before = tables.holder(connection, handle)
            if (
                before is not None
                and before.id != contact.id
                and before.trust_tier not in reconciliation.SHADOWS
            ):
                raise Conflict(f"{handle} is {before.display_name}'s.", not_done="Nothing was linked.")
            if before is None or before.id != contact.id:
                first = not tables.handles_of(connection, contact.id)
                linked = Linked(handle, contact.id, primary=first, verified=True)
                self._link(scope, connection, linked, None if before is None else before.id)
        return self.inspect(scope, contact.id)

    def known(self, connection: ReadConnection, identifier: str) -> Contact | None:
        """The contact of that id, for a room that decides about them within its own transaction."""
        return tables.contact(connection, identifier)

    def everyone(self, connection: ReadConnection) -> tuple[Contact, ...]:
        """Every contact, in a read that is open."""
        return tables.all_contacts(connection)

    def handles(self, connection: ReadConnection, identifier: str) -> tuple[Handle, ...]:
        """Under which handles a contact writes, the primary one first, in a read that is open."""
        return tuple(one.handle for one in tables.handles_of(connection, identifier))

    def met(self, scope: Scope) -> None:
        """Remember that whoever calls has just written, if they are a contact; to the hour."""
        at = self._now()
        with self._store.reading() as connection:
            known = tables.contact(connection, scope.viewer)
        if known is None or (
            known.last_interaction_at is not None and at - known.last_interaction_at < rules.MEETING
        ):
            return
        with self._store.transaction() as connection:
            tables.amend(connection, known.id, {"last_interaction_at": iso(at)})

    def owner_of(self, connection: ReadConnection) -> str | None:
        """The owner's contact id, if the household has been set up."""
        owner = tables.owner(connection)
        return None if owner is None else owner.id

    def proposals(self, scope: Scope) -> tuple[tuple[Contact, Proposal], ...]:
        """Every handle that may be somebody's, and whose. Raises `NotOwner` for others."""
        _owner_only(scope, "see proposals")
        with self._store.reading() as connection:
            return tuple(
                (one, proposal)
                for one in tables.all_contacts(connection)
                for proposal in tables.proposals_of(connection, one.id)
            )

    def propose(self, scope: Scope, named: str, handle: Handle, evidence: str) -> Proposal:
        """Say that a handle may be a contact's; the owner decides. Raises `NotOwner`, `NotFound`."""
        _owner_only(scope, "propose a link")
        with self._store.transaction() as connection:
            proposal = Proposal(self._one(connection, named).id, handle, evidence)
            self._propose(scope, connection, proposal)
        return proposal

    def reconcile(
        self, scope: Scope, declared: Declared, *, insist: frozenset[Handle] = frozenset()
    ) -> Reconciled:
        """Make the store say of the owner what the owner's files say: the handles, and the name.

        A handle that a sender's shadow contact has becomes the owner's. Raises `NotOwner`; `NotFound` before
        the household was set up; `TwoOwners`, with nothing changed, for a handle of a known contact that is
        not in `insist`.
        """
        _owner_only(scope, "say who the owner is")
        with self._store.transaction() as connection:
            tables.lock_household(connection)
            owner = tables.owner(connection)
            if owner is None:
                raise NotFound("Numen does not know its owner yet.", next_step="Run numen init.")
            found = {one: tables.holder(connection, one) for one in declared.handles or ()}
            holders = {handle: one for handle, one in found.items() if one is not None}
            had = tables.handles_of(connection, owner.id)
            plan = reconciliation.plan(owner, declared, had, holders, insist)
            for handle in plan.unlink:
                tables.drop_handle(connection, handle)
                self._record(scope, connection, Kind.HANDLE_UNLINKED, owner.id)
            first = not any(one.primary and one.handle not in plan.unlink for one in had)
            for handle, before in plan.link.items():
                self._link(scope, connection, Linked(handle, owner.id, first, verified=True), before)
                first = False
            self._choose_primary(connection, owner.id)
            if plan.rename is not None:
                name = rules.check_name("the owner", plan.rename)
                tables.amend(connection, owner.id, {"display_name": name})
                self._record(scope, connection, Kind.CONTACT_CHANGED, owner.id, {"fields": ["display_name"]})
        return Reconciled(tuple(plan.link), tuple(plan.unlink), plan.rename is not None)

    def _authority(self, scope: Scope, connection: ReadConnection) -> tuple[bool, bool]:
        """Whether the caller sees contacts whole, and whether senders become contacts at their word."""
        if scope.is_owner:
            return True, True
        key: Key | None = tables.key(connection, scope.viewer)
        speaks = key is not None and KeyScope.SPEAKS_FOR in key.scopes
        return speaks, key is not None and speaks and rules.EVERYONE in key.contacts

    def _on_ladder(self, connection: ReadConnection, handle: Handle, whole: bool) -> Found | None:
        contact = tables.holder(connection, handle)
        if contact is not None:
            return Found(contact, Match.EXACT, whole)
        form = handles.canonical(handle) if whole else None
        alike = () if form is None else tables.of_canonical(connection, form)
        return Found(alike[0], Match.CANONICAL, whole) if len(alike) == 1 else None

    def _shadow(
        self, scope: Scope, connection: WriteConnection, handle: Handle, name: str, *, shared: bool
    ) -> Found:
        called = rules.shown_name(name or str(handle))
        tier = TrustTier.GROUP_GUEST if shared else TrustTier.UNKNOWN
        contact = Contact(self._store.ids.new("contact"), called, tier, self._now())
        tables.add_contact(connection, contact)
        self._record(scope, connection, Kind.CONTACT_CREATED, contact.id, {"how": "sender"})
        self._link(scope, connection, Linked(handle, contact.id, primary=True, verified=False), None)
        if name:
            for alike in self._named(connection, called):
                if alike.id != contact.id:
                    self._propose(scope, connection, Proposal(alike.id, handle, "display name"))
        return Found(contact, Match.CREATED, whole=True)

    def _link(self, scope: Scope, connection: WriteConnection, linked: Linked, before: str | None) -> None:
        tables.put_handle(connection, linked, handles.canonical(linked.handle), self._now())
        if before is not None:
            self._choose_primary(connection, before)
        more: dict[str, Json] = {} if before is None else {"before": before}
        self._record(scope, connection, Kind.HANDLE_LINKED, linked.contact, more)

    def _choose_primary(self, connection: WriteConnection, contact: str) -> None:
        """Let the oldest handle be the one to write to first, where that one has gone."""
        left = tables.handles_of(connection, contact)
        if left and not left[0].primary:
            tables.make_primary(connection, left[0].handle)

    def _propose(self, scope: Scope, connection: WriteConnection, proposal: Proposal) -> None:
        holder = tables.holder(connection, proposal.handle)
        if holder is not None and holder.id == proposal.contact:
            return
        if tables.propose(connection, proposal, self._now()):
            self._record(scope, connection, Kind.LINK_PROPOSED, proposal.contact)

    def _one(self, connection: ReadConnection, named: str) -> Contact:
        found = self._named(connection, named.strip())
        if len(found) != 1:
            raise _unknown()
        return found[0]

    def _named(self, connection: ReadConnection, named: str) -> tuple[Contact, ...]:
        """The contacts of exactly that id, handle or name, whichever is found first."""
        contact = tables.contact(connection, named)
        if contact is None and ":" in named:
            gateway, _, address = named.partition(":")
            contact = tables.holder(connection, Handle(gateway.lower(), address))
        if contact is not None:
            return (contact,)
        return tables.called(connection, named)

    def _record(
        self,
        scope: Scope,
        connection: WriteConnection,
        kind: Kind,
        contact: str,
        more: dict[str, Json] | None = None,
    ) -> None:
        call = self._store.ids.new("change")
        self._ledger.record(
            scope, connection, Event(call, kind, "people", call, {"contact": contact, **(more or {})})
        )

    def _now(self) -> datetime:
        return from_iso(iso(self._clock.now()))


def _unknown() -> NotFound:
    return NotFound("No contact is known by that.", not_done="Nothing was done.")


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise NotOwner(f"Only the owner may {what}.", not_done="Nothing was done.")


def _interactive_owner(scope: Scope, what: str) -> None:
    if not scope.is_owner or not scope.interactive:
        raise NotOwner(
            f"Only the owner may {what}, in their own session.",
            not_done="Nothing was changed.",
            next_step="Do it in a terminal or on the page.",
        )
