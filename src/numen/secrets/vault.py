"""The vault of a store: which key it has, and how a value goes in, comes out, and moves to another key."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from numen.kernel import Clock, Conflict, NumenError, from_iso, iso
from numen.secrets import tables
from numen.secrets.cipher import Cipher, Key
from numen.secrets.keys import Keys, Place, Ring
from numen.secrets.tables import Said, SecretRow, VaultRow
from numen.secrets.types import Rekeyed, State, VaultLocked
from numen.store import ReadConnection, Store, WriteConnection
from numen.store.files import make_directory

Record = Callable[[WriteConnection, Rekeyed], None]
"""Writes a change of the key down in the transaction that makes it."""

LOCK = "vault.lock"
"""Name of the file in `NUMEN_HOME` that whoever changes the key holds."""


class Vault:
    """Values under the keys of `home`. A missing key never makes a new one over what is kept."""

    def __init__(self, store: Store, clock: Clock, home: Path) -> None:
        self._store = store
        self._clock = clock
        self._home = home
        self._keys = Keys(home)

    def opened(self, connection: ReadConnection) -> Opener:
        """Opens what is kept, with the keys that are to be found now. Raises `VaultLocked` or `Conflict`."""
        return self._opener(tables.current(connection))

    def using(self, connection: WriteConnection) -> Opener:
        """The same for one who writes: no value moves to another key meanwhile."""
        return self._opener(tables.current_for(connection, change=False))

    def sealing(self, connection: WriteConnection) -> tuple[Cipher, bool]:
        """The cipher that seals now, and whether the vault was made for it, at the first value of a store.

        Raises `VaultLocked` if the key is missing or another one, `Conflict` if its file holds none.
        """
        row = tables.current_for(connection, change=False)
        if row is None:
            tables.lock_making(connection)
            row = tables.current_for(connection, change=False)
        if row is None:
            return self._made(connection), True
        return self._opener(row).current(), False

    def put(
        self, connection: WriteConnection, cipher: Cipher, new: SecretRow, value: str, said: Said
    ) -> tuple[SecretRow, bool]:
        """Put a value away under the reference that it has, or gets; tells whether it was not there before.

        `new` is without reference, fingerprint and box, which follow from the value. A stored value that is
        damaged is mended by its being said again.
        """
        fingerprint = cipher.fingerprint(new.whose, value)
        turn = 0
        while True:
            known = tables.of_fingerprint(connection, fingerprint)
            if known is not None:
                self._again(connection, cipher, known, value, said)
                return known, False
            ref = cipher.reference(new.whose, value, turn)
            box = cipher.shut(ref, new.whose, value)
            row = replace(new, ref=ref, fingerprint=fingerprint, box=box)
            if tables.add(connection, row, said) or tables.revive(connection, row, said):
                return row, True
            if tables.of_fingerprint(connection, fingerprint) is None:
                turn += 1

    def rekey(self, place: Place | None, record: Record, *, lost: bool) -> Rekeyed:
        """Put every value under a new key, in one transaction; the old key goes when all are moved.

        At every moment there is a key for every value: the new one is kept before the first value moves, and
        the old one until the last has. What was interrupted is repeated from the start. With `lost` the
        values of a key that cannot be found are left as they are. `record` writes the change down in the same
        transaction.
        """
        with self._alone():
            with self._store.reading() as connection:
                row = tables.current(connection)
            if row is None:
                raise VaultLocked(
                    "There is no vault yet: nothing was ever sealed here.",
                    not_done="No key was made.",
                    next_step="The first value that is sealed makes it.",
                )
            where = place or self._keys.place(row.vault_id)
            ring = self._keys.ring(row.vault_id)
            if row.key_id not in ring and not lost:
                raise Opener(row, ring).locked(row.key_id)
            fresh = Key.fresh()
            self._keys.keep(row.vault_id, (*ring.values(), fresh), where)
            done, kept = self._moved(row, ring, fresh, record)
            self._keys.keep(row.vault_id, (fresh, *kept), where)
        self._store.scrub()
        return done

    def key_place(self, connection: ReadConnection) -> tuple[str | None, Place]:
        """The id of the key that seals now, None before there is one, and where it belongs."""
        row = tables.current(connection)
        return (None, self._keys.place("")) if row is None else (row.key_id, self._keys.place(row.vault_id))

    def now(self) -> datetime:
        """The moment, as exact as it is kept."""
        return from_iso(iso(self._clock.now()))

    def _opener(self, row: VaultRow | None) -> Opener:
        return Opener(row, {} if row is None else self._keys.ring(row.vault_id))

    def _again(
        self, connection: WriteConnection, cipher: Cipher, known: SecretRow, value: str, said: Said
    ) -> None:
        if said.at is not None:
            tables.say(connection, known.ref, said)
        if known.box is None or not cipher.opens(known.ref, known.whose, known.box):
            box = cipher.shut(known.ref, known.whose, value)
            tables.move(connection, known.ref, known.fingerprint, box)

    def _made(self, connection: WriteConnection) -> Cipher:
        """The first key of a store: the one that lies there after a making that was cut off, or a new one."""
        vault_id = self._store.ids.new("vault")
        found = tuple(self._keys.ring(vault_id).values())
        key = found[0] if found else Key.fresh()
        if not found:
            self._keys.keep(vault_id, (key,), self._keys.place(vault_id))
        tables.make(connection, VaultRow(vault_id, key.id), self._clock.now())
        return Cipher(key)

    def _moved(
        self, seen: VaultRow, ring: Ring, fresh: Key, record: Record
    ) -> tuple[Rekeyed, tuple[Key, ...]]:
        """Every value moved that could be, and the old keys that are still needed for the others."""
        moved = 0
        left: list[SecretRow] = []
        with self._store.transaction() as connection:
            row = tables.current_for(connection, change=True)
            if row != seen:
                raise Conflict(
                    "The vault's key was changed by another process just now.",
                    not_done="It was not changed again.",
                    next_step="Nothing needs to be done, unless it is to be changed once more.",
                )
            opener, cipher = Opener(row, ring), Cipher(fresh)
            taken: set[str] = set()
            for one in tables.all_secrets(connection):
                if one.box is None:
                    continue
                try:
                    value = opener.value(one)
                except VaultLocked:
                    left.append(one)
                    continue
                fingerprint = cipher.fingerprint(one.whose, value)
                free = fingerprint not in taken
                taken.add(fingerprint)
                tables.move(
                    connection, one.ref, fingerprint if free else None, cipher.shut(one.ref, one.whose, value)
                )
                moved += 1
            tables.change_key(connection, fresh.id, self._clock.now())
            done = Rekeyed(seen.key_id, fresh.id, moved, tuple(one.ref for one in left))
            record(connection, done)
        wanted = {one.box.key_id for one in left if one.box is not None}
        return done, tuple(key for key in ring.values() if key.id in wanted)

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Hold the key file against every other process that would change it."""
        if not self._home.exists():
            make_directory(self._home)
        descriptor = os.open(self._home / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


class Opener:
    """Opens values with the keys that were found."""

    def __init__(self, row: VaultRow | None, ring: Mapping[str, Key]) -> None:
        self._row = row
        self._ring = ring
        self._ciphers: dict[str, Cipher] = {}

    def current(self) -> Cipher:
        """The cipher that seals now. Raises `VaultLocked` if its key was not found."""
        assert self._row is not None, "asked for only where there is a vault"
        return self._cipher(self._row.key_id)

    def value(self, row: SecretRow) -> str:
        """The value of `row`. Raises `VaultLocked` if its key was not found, or it is damaged."""
        if row.box is None:
            raise VaultLocked("The value was forgotten.", not_done="It cannot be opened.")
        return self._cipher(row.box.key_id).open(row.ref, row.whose, row.box)

    def state(self, row: SecretRow) -> tuple[State, str]:
        """What the owner is told of `row`, and why, where it cannot be opened."""
        if row.state is State.FORGOTTEN:
            return State.FORGOTTEN, ""
        try:
            self.value(row)
        except VaultLocked as error:
            return State.UNAVAILABLE, error.what
        return row.state, ""

    def locked(self, key_id: str) -> VaultLocked:
        """The error for a key that was not found: none is there, or another one is."""
        what = (
            "The vault's key is missing." if not self._ring else "The vault has another key than this one's."
        )
        return VaultLocked(
            what,
            not_done="No value was sealed or opened, and no key was made over what is kept.",
            next_step=f"Restore the key {key_id[:8]}, or give the values up: numen secret rekey --lost-key.",
        )

    def _cipher(self, key_id: str) -> Cipher:
        if key_id not in self._ciphers:
            key = self._ring.get(key_id)
            if key is None:
                raise self.locked(key_id)
            self._ciphers[key_id] = Cipher(key)
        return self._ciphers[key_id]


class NoVault:
    """Why nothing can be opened, for those who list: the keys cannot even be read."""

    def __init__(self, error: NumenError) -> None:
        self.why = error.what

    def state(self, row: SecretRow) -> tuple[State, str]:
        """Unavailable, with the reason."""
        return (State.FORGOTTEN, "") if row.state is State.FORGOTTEN else (State.UNAVAILABLE, self.why)
