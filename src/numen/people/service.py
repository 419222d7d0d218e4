"""Keys, the household, and the one place where a `Scope` is made."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from numen.kernel import (
    Audience,
    Clock,
    Conflict,
    Forbidden,
    NotFound,
    Scope,
    Unauthorized,
    Via,
    from_iso,
    iso,
)
from numen.ledger import Event, Kind, Ledger
from numen.people import keyfile, reconciliation, rules, tables
from numen.people.types import (
    Begun,
    Browser,
    Contact,
    Door,
    Handle,
    Household,
    Http,
    IssuedKey,
    Key,
    KeyScope,
    Local,
    NotOwner,
    Speaker,
    Stdio,
    TrustTier,
)
from numen.store import ReadConnection, Store, WriteConnection

HOUSE_KEY = "this machine"
"""The name of the key in `NUMEN_HOME/api.key`."""

_HOUSE_SCOPES = frozenset(KeyScope)
_HOUSE_PLATFORMS = ("cli", "api")


class People:
    """Who is who. `home` is where the key of this machine lies, and its account is the owner's."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, home: Path) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._home = home

    def resolve(self, door: Door, speaker: Speaker | None = None) -> Scope:
        """On whose behalf a call is made: the only maker of a `Scope`.

        Whoever cannot be shown to be the owner is not (architecture, rule 4). `speaker` is who speaks, by
        the caller's word, believed only from a key that speaks for others; None where the route names
        nobody. A speaker of whom Numen knows nothing is a stranger in their own room.

        Raises `InvalidInput` for ids of a wrong type or size, `Unauthorized` for a key that is unknown or
        revoked, or missing where strangers are not let in, `OwnerNotGranted` and `ContactNotGranted` for a
        speaker that the key may not speak for, `Forbidden` for a host that says it is the owner's and runs
        under another account.
        """
        claim = rules.claim_of(speaker)
        with self._store.reading() as connection:
            owner = tables.owner(connection)
            name = None if owner is None else owner.id
            claim = rules.with_owner(_known_handle(connection, claim), name)
            match door:
                case Local():
                    via, interactive = Via.CLI, door.interactive
                    standing = rules.local_standing(door, self._account(), name)
                case Browser():
                    via, interactive = Via.PAGE, True
                    standing = rules.local_standing(door, self._account(), name)
                case Stdio():
                    via, interactive = Via.MCP, False
                    standing = self._stdio(connection, door, name, claim)
                case Begun():
                    via, interactive = door.via, False
                    standing = rules.begun_standing(door, name)
                case Http():
                    via, interactive = door.via, door.interactive
                    key = self._key(connection, door.key)
                    if key is None and not door.strangers:
                        raise _no_key()
                    standing = rules.http_standing(door, key, name, claim)
            if standing.believed and not standing.is_owner and standing.viewer != rules.STRANGER:
                known = tables.contact(connection, standing.viewer)
                standing = replace(standing, viewer=rules.STRANGER if known is None else known.id)
        fresh = self._store.ids.new("room")
        room = door.room if isinstance(door, Begun) else rules.room_of(claim, standing, fresh)
        audience = Audience.OWNER if standing.is_owner else Audience.EVERYONE
        return Scope(standing.viewer, standing.is_owner, room, audience, via, interactive)

    def authenticate(self, secret: str) -> Key:
        """The key behind `secret`. Raises `Unauthorized` if it is unknown or revoked."""
        with self._store.reading() as connection:
            key = self._key(connection, secret)
        if key is None:
            raise _no_key()
        return key

    def init(
        self,
        scope: Scope,
        owner_name: str,
        owner_platforms: Iterable[str] = (),
        *,
        contact_id: str | None = None,
    ) -> Household:
        """Set up the household: the owner's contact, and the key of this machine in `api.key` (0600).

        May be repeated: what is there stays. A key file of another store is taken over; one whose key was
        revoked is replaced. A new key speaks for the owner on `cli`, `api` and `owner_platforms`; one that is
        there is granted the last too. Raises `NotOwner` unless the owner asks; `TwoOwners` if `contact_id`,
        where given, is not the owner's; `Conflict` if the owner has another name or the file holds something
        else; `InvalidInput` for a name or platform of a wrong form; and `Unavailable`.
        """
        _owner_only(scope, "set up the household")
        owner_name = rules.check_name("the owner", owner_name)
        asked = frozenset(map(rules.check_platform, owner_platforms))
        with self._store.transaction() as connection:
            tables.lock_household(connection)
            reconciliation.check_owner(contact_id, tables.owner(connection))
            owner, owner_is_new = self._owner(scope, connection, owner_name)
            secret = keyfile.read(self._home)
            known = None if secret is None else self._known(connection, secret)
            if secret is None or (known is not None and known.revoked_at is not None):
                secret, known = _new_secret(), None
                keyfile.write(self._home, secret)
            keyfile.close_to_others(self._home)
            key = known or self._add_key(
                scope,
                connection,
                secret,
                HOUSE_KEY,
                _HOUSE_SCOPES,
                asked.union(_HOUSE_PLATFORMS),
                frozenset({rules.EVERYONE}),
            )
            if not asked <= key.owner_platforms:
                key = self._grant(scope, connection, key, key.owner_platforms | asked, key.contacts)
        return Household(owner, key, self._home / keyfile.NAME, owner_is_new, known is None)

    def issue_key(
        self,
        scope: Scope,
        name: str,
        scopes: Iterable[KeyScope] = (),
        *,
        owner_platforms: Iterable[str] = (),
        contacts: Iterable[str] = (),
    ) -> IssuedKey:
        """A new key. Its secret is in the answer and kept nowhere.

        Without scopes its bearer is known by the key and is a stranger otherwise. Raises `Forbidden` unless
        the owner asks, `InvalidInput` for a name or platform of a wrong form.
        """
        _owner_only(scope, "issue a key")
        name = rules.check_name("a key", name)
        platforms = frozenset(map(rules.check_platform, owner_platforms))
        secret = _new_secret()
        with self._store.transaction() as connection:
            key = self._add_key(
                scope, connection, secret, name, frozenset(scopes), platforms, frozenset(contacts)
            )
        return IssuedKey(key, secret)

    def grant_key(
        self,
        scope: Scope,
        identifier: str,
        *,
        owner_platforms: Iterable[str] | None = None,
        contacts: Iterable[str] | None = None,
    ) -> Key:
        """Say anew where a key speaks for the owner and for which contacts; None leaves it as it is.

        Raises `NotOwner` unless the owner asks, `NotFound` or `StateUnavailable` for an unknown id,
        `Conflict` for a key that was revoked, `InvalidInput` for a platform of a wrong form.
        """
        _owner_only(scope, "say what a key may do")
        with self._store.transaction() as connection:
            key = tables.key(connection, identifier)
            if key is None:
                raise self._store.absence(identifier, "key")
            if key.revoked_at is not None:
                raise Conflict(
                    "This key was revoked.", not_done="Nothing was changed.", next_step="Issue a new one."
                )
            platforms = key.owner_platforms
            if owner_platforms is not None:
                platforms = frozenset(map(rules.check_platform, owner_platforms))
            spoken_for = key.contacts if contacts is None else frozenset(contacts)
            return self._grant(scope, connection, key, platforms, spoken_for)

    def revoke_key(self, scope: Scope, identifier: str) -> Key:
        """End a key at once and for good; one that had ended before stays so.

        Raises `Forbidden` unless the owner asks, `NotFound` or `StateUnavailable` for an unknown id.
        """
        _owner_only(scope, "revoke a key")
        with self._store.transaction() as connection:
            if tables.revoke(connection, identifier, self._clock.now()):
                event = f"key.revoked:{identifier}"
                self._ledger.record(
                    scope, connection, Event(event, Kind.KEY_REVOKED, "keys", event, {"key": identifier})
                )
            key = tables.key(connection, identifier)
        if key is None:
            raise self._store.absence(identifier, "key")
        return key

    def list_keys(self, scope: Scope) -> tuple[Key, ...]:
        """Every key, oldest first, revoked ones too. Raises `Forbidden` unless the owner asks."""
        _owner_only(scope, "see the keys")
        with self._store.reading() as connection:
            return tables.all_keys(connection)

    def owner(self, scope: Scope) -> Contact:
        """The owner, for the owner. Raises `Forbidden` for others, `NotFound` before `init`."""
        _owner_only(scope, "see the owner")
        with self._store.reading() as connection:
            owner = tables.owner(connection)
        if owner is None:
            raise NotFound("Numen does not know its owner yet.", next_step="Run numen init.")
        return owner

    def _now(self) -> datetime:
        """The moment, as exact as it is kept."""
        return from_iso(iso(self._clock.now()))

    def _stdio(
        self, connection: ReadConnection, door: Stdio, owner: str | None, claim: rules.Claim | None
    ) -> rules.Standing:
        account = self._account()
        if door.as_owner and door.account != account:
            raise Forbidden(
                "Only the account that the home belongs to can be the owner.",
                not_done="Nothing was done in the owner's name.",
                next_step="Run numen mcp under that account, or without --as owner.",
            )
        key = None if door.as_owner else self._key(connection, door.key)
        return rules.stdio_standing(door, key, account, owner, claim)

    def _account(self) -> int | None:
        """The account of the home: ours, where it has yet to be made; None where it cannot be known."""
        try:
            return self._home.stat().st_uid
        except FileNotFoundError:
            return os.geteuid()
        except OSError:
            return None

    def _key(self, connection: ReadConnection, secret: str | None) -> Key | None:
        """The key behind `secret`, None without one. Raises `Unauthorized` if it is unknown or revoked."""
        if secret is None:
            return None
        key = self._known(connection, secret)
        if key is None or key.revoked_at is not None:
            raise _no_key()
        return key

    def _known(self, connection: ReadConnection, secret: str) -> Key | None:
        digest = rules.secret_digest(secret)
        found = tables.key_of_secret(connection, digest)
        return found[0] if found is not None and hmac.compare_digest(found[1], digest) else None

    def _owner(self, scope: Scope, connection: WriteConnection, name: str) -> tuple[Contact, bool]:
        owner = tables.owner(connection)
        if owner is None:
            owner = Contact(self._store.ids.new("contact"), name, TrustTier.OWNER, self._now())
            tables.add_contact(connection, owner)
            event = f"contact.created:{owner.id}"
            made = {"contact": owner.id, "how": "owner"}
            self._ledger.record(scope, connection, Event(event, Kind.CONTACT_CREATED, "people", event, made))
            return owner, True
        if owner.display_name != name:
            raise Conflict(
                f"The owner is {owner.display_name}.",
                not_done="Nothing was changed.",
                next_step="Give that name, or use another NUMEN_HOME for another person.",
            )
        return owner, False

    def _grant(
        self,
        scope: Scope,
        connection: WriteConnection,
        key: Key,
        platforms: frozenset[str],
        contacts: frozenset[str],
    ) -> Key:
        if (platforms, contacts) == (key.owner_platforms, key.contacts):
            return key
        tables.grant(connection, key.id, platforms, contacts)
        call = self._store.ids.new("change")
        counts = {"key": key.id, "platforms": len(platforms), "contacts": len(contacts)}
        self._ledger.record(scope, connection, Event(call, Kind.KEY_GRANTED, "keys", call, counts))
        return replace(key, owner_platforms=platforms, contacts=contacts)

    def _add_key(
        self,
        scope: Scope,
        connection: WriteConnection,
        secret: str,
        name: str,
        scopes: frozenset[KeyScope],
        platforms: frozenset[str],
        contacts: frozenset[str],
    ) -> Key:
        key = Key(self._store.ids.new("key"), name, scopes, platforms, contacts, self._now())
        tables.add_key(connection, key, rules.secret_digest(secret))
        event = f"key.created:{key.id}"
        payload = {"key": key.id, "scopes": sorted(map(str, scopes))}
        self._ledger.record(scope, connection, Event(event, Kind.KEY_CREATED, "keys", event, payload))
        return key


def _known_handle(connection: ReadConnection, claim: rules.Claim | None) -> rules.Claim | None:
    """The claim with a contact's id in place of a handle of theirs; a handle of nobody stays."""
    if claim is None or not claim.uid.startswith(rules.HANDLE):
        return claim
    gateway, _, address = claim.uid.removeprefix(rules.HANDLE).partition(":")
    contact = tables.holder(connection, Handle(gateway.lower(), address.strip()))
    if contact is None:
        return claim
    return replace(claim, uid=contact.id, platform=claim.platform or gateway.lower())


def _new_secret() -> str:
    return f"numen_{secrets.token_urlsafe(32)}"


def _no_key() -> Unauthorized:
    return Unauthorized(
        "A valid key is needed.",
        not_done="Nothing was done.",
        next_step="Send the key of NUMEN_HOME/api.key as a bearer token, or let the owner issue one.",
    )


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise NotOwner(f"Only the owner may {what}.", not_done="Nothing was changed.")
