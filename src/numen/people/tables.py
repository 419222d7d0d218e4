"""The rows of contacts and keys."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import canonical_text, from_iso, iso
from numen.people.types import Contact, Key, KeyScope, TrustTier
from numen.store.db import ReadConnection, WriteConnection, metadata

contacts = sa.Table(
    "contacts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("display_name", sa.Text, nullable=False),
    sa.Column("trust_tier", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Index(
        "contacts_one_owner",
        "trust_tier",
        unique=True,
        sqlite_where=sa.text("trust_tier = 'owner'"),
        postgresql_where=sa.text("trust_tier = 'owner'"),
    ),
)

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("sha256", sa.Text, nullable=False, unique=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("owner_platforms", sa.Text, nullable=False),
    sa.Column("contacts", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("revoked_at", sa.Text, nullable=True),
)

_SETUP_LOCK = 0x4E554D454E03
_OWNER = sa.select(contacts).where(contacts.c.trust_tier == str(TrustTier.OWNER))
_OF_SECRET = sa.select(keys).where(keys.c.sha256 == sa.bindparam("secret"))


def lock_household(connection: WriteConnection) -> None:
    """Let one transaction at a time set up the household; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_SETUP_LOCK)))


def owner(connection: ReadConnection) -> Contact | None:
    """The owner, if the household has been set up."""
    row = connection.execute(_OWNER).mappings().one_or_none()
    return None if row is None else _contact(row)


def contact(connection: ReadConnection, identifier: str) -> Contact | None:
    """The contact of that id."""
    row = connection.execute(sa.select(contacts).where(contacts.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _contact(row)


def add_contact(connection: WriteConnection, new: Contact) -> None:
    """Add a contact."""
    connection.execute(
        contacts.insert().values(
            id=new.id,
            display_name=new.display_name,
            trust_tier=str(new.trust_tier),
            created_at=iso(new.created_at),
        )
    )


def add_key(connection: WriteConnection, key: Key, sha256: str) -> None:
    """Add a key by the digest of its secret."""
    connection.execute(
        keys.insert().values(
            id=key.id,
            sha256=sha256,
            name=key.name,
            scopes=_listed(key.scopes),
            owner_platforms=_listed(key.owner_platforms),
            contacts=_listed(key.contacts),
            created_at=iso(key.created_at),
            revoked_at=None,
        )
    )


def key_of_secret(connection: ReadConnection, sha256: str) -> tuple[Key, str] | None:
    """The key whose secret has that digest, and the digest as it is kept; revoked ones too."""
    row = connection.execute(_OF_SECRET, {"secret": sha256}).mappings().one_or_none()
    return None if row is None else (_key(row), str(row[keys.c.sha256]))


def key(connection: ReadConnection, identifier: str) -> Key | None:
    """The key of that id."""
    row = connection.execute(sa.select(keys).where(keys.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _key(row)


def all_keys(connection: ReadConnection) -> tuple[Key, ...]:
    """Every key, oldest first, revoked ones too."""
    rows = connection.execute(sa.select(keys).order_by(keys.c.created_at, keys.c.id)).mappings()
    return tuple(map(_key, rows))


def revoke(connection: WriteConnection, identifier: str, at: datetime) -> bool:
    """End a key; False if it had ended before."""
    query = keys.update().where(keys.c.id == identifier, keys.c.revoked_at.is_(None))
    return connection.execute(query.values(revoked_at=iso(at))).rowcount == 1


def _contact(columns: sa.RowMapping) -> Contact:
    return Contact(
        columns[contacts.c.id],
        columns[contacts.c.display_name],
        TrustTier(columns[contacts.c.trust_tier]),
        from_iso(columns[contacts.c.created_at]),
    )


def _key(columns: sa.RowMapping) -> Key:
    revoked = columns[keys.c.revoked_at]
    return Key(
        columns[keys.c.id],
        columns[keys.c.name],
        frozenset(map(KeyScope, json.loads(columns[keys.c.scopes]))),
        frozenset(json.loads(columns[keys.c.owner_platforms])),
        frozenset(json.loads(columns[keys.c.contacts])),
        from_iso(columns[keys.c.created_at]),
        None if revoked is None else from_iso(revoked),
    )


def _listed(values: Iterable[str]) -> str:
    return canonical_text(sorted(map(str, values)))
