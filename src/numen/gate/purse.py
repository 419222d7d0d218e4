"""Budgets that another room counts: taken before, corrected after, in that room's own transaction."""

from __future__ import annotations

from collections.abc import Iterable

from numen.gate import tables
from numen.gate.budgets import Lease
from numen.kernel import Scope
from numen.store import ReadConnection, WriteConnection


class Purse:
    """What there is of each budget in each of its periods."""

    def take(self, scope: Scope, connection: WriteConnection, leases: Iterable[Lease]) -> Lease | None:
        """Take every lease; the first that does not go in is told, and then the caller undoes the others.

        Whichever process asks: what is taken in all never goes over a limit.
        """
        del scope
        tables.lock_gate(connection)
        return next((one for one in leases if not tables.reserve(connection, one)), None)

    def correct(self, scope: Scope, connection: WriteConnection, lease: Lease, by: int) -> None:
        """Add what was used beyond the lease, or give back (below 0) what was not."""
        del scope
        tables.correct(connection, lease.name, lease.period, by)

    def used(self, scope: Scope, connection: ReadConnection, lease: Lease) -> int:
        """What is taken of that budget in that period."""
        del scope
        return tables.used(connection, lease.name, lease.period)
