"""What the owner allows beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from numen.gate import rules, tables
from numen.gate.asks import OwnerNods
from numen.gate.types import Grant
from numen.kernel import Clock, InvalidInput, Json, Scope, Via, canonical_bytes, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import NotOwner
from numen.store import Store, WriteConnection

TOOL = "grant.give"
"""The tool under which the gate asks about a grant that was told in a conversation."""


class Grants:
    """The grants of a store."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, nods: OwnerNods | None = None) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._nods = nods

    def give(self, scope: Scope, spec: Mapping[str, Json]) -> Grant:
        """Keep a grant. A malformed one is kept inert, and says why. Raises `NotOwner` for others."""
        _owner_only(scope)
        canonical_bytes(spec)
        with self._store.transaction() as connection:
            return self._give(scope, connection, spec)

    def ask(self, scope: Scope, spec: Mapping[str, Json]) -> str:
        """Ask the owner whether a grant stands, where it was told in a conversation; the code of the ask.

        Raises `NotOwner` for others, `InvalidInput` for a malformed one, saying what is wrong with it.
        """
        _owner_only(scope)
        canonical_bytes(spec)
        problem = rules.grant_problem(spec)
        if problem is not None:
            raise InvalidInput(f"The grant is malformed: {problem}.", not_done="Nothing was asked.")
        if self._nods is None:
            raise NotOwner("Nobody can be asked here.", not_done="Nothing was asked.")
        with self._store.transaction() as connection:
            return self._nods.ask_call(scope, connection, {"grant": spec})

    def apply(self, scope: Scope, connection: WriteConnection, args: Mapping[str, Json]) -> None:
        """Give the grant that the owner said yes to, in the transaction of the answer."""
        self._give(scope, connection, cast("Mapping[str, Json]", args["grant"]))

    def _give(self, scope: Scope, connection: WriteConnection, spec: Mapping[str, Json]) -> Grant:
        grant = Grant(
            self._store.ids.new("grant"),
            rules.grant_kind(spec),
            spec,
            self._now(),
            rules.grant_expiry(spec),
            problem=rules.grant_problem(spec),
        )
        tables.add_grant(connection, grant)
        event = f"grant.created:{grant.id}"
        told = {"grant": grant.id, "sound": grant.problem is None}
        self._ledger.record(scope, connection, Event(event, Kind.GRANT_CREATED, "grants", event, told))
        return grant

    def revoke(self, scope: Scope, identifier: str) -> Grant:
        """End a grant, by the id it has here or the one its giver wrote into it; may be repeated.

        Raises `NotOwner` for others, `NotFound` or `StateUnavailable` for an unknown id.
        """
        _owner_only(scope)
        with self._store.transaction() as connection:
            found = tables.grant(connection, identifier)
            if found is None:
                named = [one for one in tables.all_grants(connection) if one.spec.get("id") == identifier]
                if not named:
                    raise self._store.absence(identifier, "grant")
                found = named[-1]
            if tables.revoke_grant(connection, found.id, self._now()):
                event = f"grant.revoked:{found.id}"
                told = {"grant": found.id}
                self._ledger.record(
                    scope, connection, Event(event, Kind.GRANT_REVOKED, "grants", event, told)
                )
            after = tables.grant(connection, found.id)
        assert after is not None
        return after

    def list(self, scope: Scope) -> tuple[Grant, ...]:
        """Every grant, oldest first. Raises `NotOwner` for others."""
        _owner_only(scope)
        with self._store.reading() as connection:
            return tables.all_grants(connection)

    def _now(self) -> datetime:
        return from_iso(iso(self._clock.now()))


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner or scope.via is Via.MIND:
        raise NotOwner("Only the owner sees and gives grants.", not_done="Nothing was changed.")
