"""The rows of the vault: which key it has, the values under it, and how far older words were gone through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import sqlalchemy as sa

from numen.kernel import from_iso, iso
from numen.secrets.types import State
from numen.store.db import ReadConnection, WriteConnection, insert_new, metadata
from numen.store.prepared import Prepared

vault = sa.Table(
    "vault",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("vault_id", sa.Text, nullable=False),
    sa.Column("key_id", sa.Text, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("rekeyed_at", sa.Text, nullable=True),
)

secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("ref", sa.Text, primary_key=True),
    sa.Column("whose", sa.Text, nullable=False),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=True, unique=True),
    sa.Column("key_id", sa.Text, nullable=True),
    sa.Column("nonce", sa.LargeBinary, nullable=True),
    sa.Column("ciphertext", sa.LargeBinary, nullable=True),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("said_at", sa.Text, nullable=True),
    sa.Column("said_in", sa.Text, nullable=True),
    sa.Column("uses", sa.Integer, nullable=False),
    sa.Column("used_at", sa.Text, nullable=True),
)

sealing = sa.Table(
    "sealing",
    metadata,
    sa.Column("shelf", sa.Text, primary_key=True),
    sa.Column("reached", sa.Text, nullable=False),
    sa.Column("sealed", sa.Integer, nullable=False),
    sa.Column("done_at", sa.Text, nullable=True),
)

Stamp: TypeAlias = frozenset[tuple[str, bytes | None]]
"""The values that are sealed, each by what no other sealing of it has."""

_VAULT_LOCK = 0x4E554D454E04
_ONLY = 1
_STAMP = Prepared(sa.select(secrets.c.ref, secrets.c.nonce).where(secrets.c.state == str(State.SEALED)))


@dataclass(frozen=True, slots=True)
class VaultRow:
    """The one vault of a store: `vault_id` names it in a keyring, `key_id` the key that seals now."""

    vault_id: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Box:
    """A value that was sealed: under which key, and what of it is kept."""

    key_id: str
    nonce: bytes
    ciphertext: bytes


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A value as it is kept; a forgotten one has no `box`."""

    ref: str
    whose: str
    label: str
    kind: str
    state: State
    fingerprint: str | None
    box: Box | None
    created_at: datetime
    said_at: datetime | None
    said_in: str | None
    uses: int


@dataclass(frozen=True, slots=True)
class Said:
    """Where and when the owner said a value; both None for anyone else's."""

    at: datetime | None = None
    room: str | None = None


def lock_making(connection: WriteConnection) -> None:
    """Let one transaction at a time make the vault; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_VAULT_LOCK)))


def current(connection: ReadConnection) -> VaultRow | None:
    """The vault, None where there is none yet."""
    return _vault_row(connection, sa.select(vault))


def current_for(connection: WriteConnection, *, change: bool) -> VaultRow | None:
    """The vault, whose key stays what it is until this transaction ends (PostgreSQL interleaves writers).

    Those who seal may do so side by side; with `change` nobody else may.
    """
    return _vault_row(connection, sa.select(vault).with_for_update(read=not change))


def make(connection: WriteConnection, row: VaultRow, at: datetime) -> None:
    """Write down the vault."""
    values = {"vault_id": row.vault_id, "key_id": row.key_id, "made_at": iso(at), "rekeyed_at": None}
    connection.execute(vault.insert().values(id=_ONLY, **values))


def change_key(connection: WriteConnection, key_id: str, at: datetime) -> None:
    """From now on values are sealed under `key_id`."""
    connection.execute(vault.update().values(key_id=key_id, rekeyed_at=iso(at)))


def secret(connection: ReadConnection, ref: str) -> SecretRow | None:
    """The value of that reference."""
    return _one(connection, secrets.c.ref == ref)


def of_fingerprint(connection: ReadConnection, fingerprint: str) -> SecretRow | None:
    """The value of that fingerprint."""
    return _one(connection, secrets.c.fingerprint == fingerprint)


def all_secrets(connection: ReadConnection) -> Iterator[SecretRow]:
    """Every value, oldest first."""
    query = sa.select(secrets).order_by(secrets.c.created_at, secrets.c.ref)
    yield from map(_secret_row, connection.execute(query).mappings().all())


def stamp(connection: ReadConnection) -> Stamp:
    """What changes whenever another value is sealed, or one is not sealed any more, or has another key."""
    return frozenset(map(tuple, _STAMP.rows(connection, {})))


def add(connection: WriteConnection, row: SecretRow, said: Said) -> bool:
    """Add a value; False if its reference or its fingerprint is there already."""
    return insert_new(connection, secrets, {"ref": row.ref, **_columns(row), **_said(said), "uses": row.uses})


def revive(connection: WriteConnection, row: SecretRow, said: Said) -> bool:
    """Keep a value again that had been forgotten, under the reference that it had; False if it was not."""
    query = secrets.update().where(
        secrets.c.ref == row.ref,
        secrets.c.whose == row.whose,
        secrets.c.state == str(State.FORGOTTEN),
    )
    columns = {**_columns(row), **_said(said)}
    return connection.execute(query.values(**columns)).rowcount == 1


def say(connection: WriteConnection, ref: str, said: Said) -> None:
    """Note that the owner said the value again."""
    connection.execute(secrets.update().where(secrets.c.ref == ref).values(**_said(said)))


def use(connection: WriteConnection, ref: str, at: datetime) -> None:
    """Count a use."""
    query = secrets.update().where(secrets.c.ref == ref)
    connection.execute(query.values(uses=secrets.c.uses + 1, used_at=iso(at)))


def release(connection: WriteConnection, ref: str) -> bool:
    """Make a sealed value a released one; False if it is not sealed."""
    query = secrets.update().where(secrets.c.ref == ref, secrets.c.state == str(State.SEALED))
    return connection.execute(query.values(state=str(State.RELEASED))).rowcount == 1


def forget(connection: WriteConnection, ref: str) -> bool:
    """Take everything of a value away but its reference and label; False if that was done before."""
    query = secrets.update().where(secrets.c.ref == ref, secrets.c.state != str(State.FORGOTTEN))
    nothing = dict.fromkeys(("fingerprint", "key_id", "nonce", "ciphertext", "said_at", "said_in"))
    return connection.execute(query.values(state=str(State.FORGOTTEN), **nothing)).rowcount == 1


def move(connection: WriteConnection, ref: str, fingerprint: str | None, box: Box) -> None:
    """Put a value under another key."""
    query = secrets.update().where(secrets.c.ref == ref)
    connection.execute(query.values(fingerprint=fingerprint, **_box(box)))


def reached(connection: ReadConnection, shelf: str) -> tuple[str, bool]:
    """How far the older words of `shelf` were gone through, and whether that is all of them."""
    row = connection.execute(sa.select(sealing).where(sealing.c.shelf == shelf)).one_or_none()
    return ("", False) if row is None else (row.reached, row.done_at is not None)


def reach(connection: WriteConnection, shelf: str, upto: str, sealed: int, done_at: datetime | None) -> None:
    """Note how far the older words of `shelf` were gone through, and how many were sealed on the way."""
    done = None if done_at is None else iso(done_at)
    if insert_new(connection, sealing, {"shelf": shelf, "reached": upto, "sealed": sealed, "done_at": done}):
        return
    query = sealing.update().where(sealing.c.shelf == shelf)
    connection.execute(query.values(reached=upto, sealed=sealing.c.sealed + sealed, done_at=done))


def _vault_row(connection: ReadConnection, query: sa.Select[tuple[object, ...]]) -> VaultRow | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else VaultRow(row.vault_id, row.key_id)


def _one(connection: ReadConnection, condition: sa.ColumnElement[bool]) -> SecretRow | None:
    row = connection.execute(sa.select(secrets).where(condition)).mappings().one_or_none()
    return None if row is None else _secret_row(row)


def _secret_row(columns: sa.RowMapping) -> SecretRow:
    key_id, nonce, text = (columns[secrets.c[name]] for name in ("key_id", "nonce", "ciphertext"))
    said_at = columns[secrets.c.said_at]
    return SecretRow(
        columns[secrets.c.ref],
        columns[secrets.c.whose],
        columns[secrets.c.label],
        columns[secrets.c.kind],
        State(columns[secrets.c.state]),
        columns[secrets.c.fingerprint],
        None if key_id is None else Box(key_id, bytes(nonce or b""), bytes(text or b"")),
        from_iso(columns[secrets.c.created_at]),
        None if said_at is None else from_iso(said_at),
        columns[secrets.c.said_in],
        columns[secrets.c.uses],
    )


def _columns(row: SecretRow) -> dict[str, object]:
    return {
        "whose": row.whose,
        "label": row.label,
        "kind": row.kind,
        "state": str(row.state),
        "fingerprint": row.fingerprint,
        "created_at": iso(row.created_at),
        **_box(row.box),
    }


def _box(box: Box | None) -> dict[str, object]:
    if box is None:
        return {"key_id": None, "nonce": None, "ciphertext": None}
    return {"key_id": box.key_id, "nonce": box.nonce, "ciphertext": box.ciphertext}


def _said(said: Said) -> dict[str, object]:
    return {"said_at": None if said.at is None else iso(said.at), "said_in": said.room}
