"""What the owner allows beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from numen.gate import rules, tables
from numen.gate.types import Grant
from numen.kernel import Clock, Json, Scope, Via, canonical_bytes, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import NotOwner
from numen.store import Store


class Grants:
    """The grants of a store."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock

    def give(self, scope: Scope, spec: Mapping[str, Json]) -> Grant:
        """Keep a grant. A malformed one is kept inert, and says why. Raises `NotOwner` for others."""
        _owner_only(scope)
        canonical_bytes(spec)
        grant = Grant(
            self._store.ids.new("grant"),
            rules.grant_kind(spec),
            spec,
            self._now(),
            rules.grant_expiry(spec),
            problem=rules.grant_problem(spec),
        )
        with self._store.transaction() as connection:
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
