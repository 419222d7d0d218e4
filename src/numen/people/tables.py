"""The rows of contacts and keys."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import sqlalchemy as sa

from numen.kernel import canonical_text, from_iso, iso
from numen.people.types import Contact, Handle, Key, KeyScope, Linked, MayContact, Proposal, TrustTier
from numen.store.db import ReadConnection, WriteConnection, metadata
from numen.store.prepared import Columns, Prepared

contacts = sa.Table(
    "contacts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("display_name", sa.Text, nullable=False),
    sa.Column("trust_tier", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("given_name", sa.Text, nullable=True),
    sa.Column("family_name", sa.Text, nullable=True),
    sa.Column("organization", sa.Text, nullable=True),
    sa.Column("may_contact", sa.Text, nullable=False, server_default=str(MayContact.ASK)),
    sa.Column("cadence_minutes", sa.Integer, nullable=True),
    sa.Column("digest", sa.Text, nullable=True),
    sa.Column("timezone", sa.Text, nullable=True),
    sa.Column("last_interaction_at", sa.Text, nullable=True),
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

handles = sa.Table(
    "handles",
    metadata,
    sa.Column("gateway", sa.Text, primary_key=True),
    sa.Column("folded", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("contact", sa.Text, nullable=False),
    sa.Column("canonical", sa.Text, nullable=True),
    sa.Column("is_primary", sa.Boolean, nullable=False),
    sa.Column("verified", sa.Boolean, nullable=False),
    sa.Column("linked_at", sa.Text, nullable=False),
    sa.Index("handles_by_contact", "contact"),
    sa.Index("handles_by_canonical", "canonical"),
)

proposals = sa.Table(
    "proposals",
    metadata,
    sa.Column("contact", sa.Text, primary_key=True),
    sa.Column("gateway", sa.Text, primary_key=True),
    sa.Column("folded", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("evidence", sa.Text, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
)

_SETUP_LOCK = 0x4E554D454E03
_OWNER = Prepared(sa.select(contacts).where(contacts.c.trust_tier == str(TrustTier.OWNER)))
_OF_ID = Prepared(sa.select(contacts).where(contacts.c.id == sa.bindparam("wanted")))
_NAMES = Prepared(
    sa.select(contacts.c.id, contacts.c.display_name).where(
        contacts.c.id.in_(sa.bindparam("wanted", expanding=True))
    )
)
_OF_SECRET = Prepared(sa.select(keys).where(keys.c.sha256 == sa.bindparam("secret")))


def lock_household(connection: WriteConnection) -> None:
    """Let one transaction at a time set up the household; SQLite's writer is alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_SETUP_LOCK)))


def owner(connection: ReadConnection) -> Contact | None:
    """The owner, if the household has been set up."""
    row = _OWNER.one(connection, {})
    return None if row is None else _contact(row)


def contact(connection: ReadConnection, identifier: str) -> Contact | None:
    """The contact of that id."""
    row = _OF_ID.one(connection, {"wanted": identifier})
    return None if row is None else _contact(row)


def names(connection: ReadConnection, identifiers: Collection[str]) -> dict[str, str]:
    """The names of contacts by id."""
    return dict(_NAMES.rows(connection, {"wanted": sorted(identifiers)})) if identifiers else {}


def add_contact(connection: WriteConnection, new: Contact) -> None:
    """Add a contact that nothing more is known of than its name and tier."""
    connection.execute(
        contacts.insert().values(
            id=new.id,
            display_name=new.display_name,
            trust_tier=str(new.trust_tier),
            created_at=iso(new.created_at),
            may_contact=str(new.may_contact),
        )
    )


def amend(connection: WriteConnection, identifier: str, values: Mapping[str, object]) -> None:
    """Change columns of a contact."""
    connection.execute(contacts.update().where(contacts.c.id == identifier).values(dict(values)))


def all_contacts(connection: ReadConnection) -> tuple[Contact, ...]:
    """Every contact, oldest first."""
    rows = connection.execute(sa.select(contacts).order_by(contacts.c.created_at, contacts.c.id)).mappings()
    return tuple(map(_contact, rows))


def called(connection: ReadConnection, name: str) -> tuple[Contact, ...]:
    """The contacts whose name is `name`, without regard to case (compared here: databases differ in it)."""
    return tuple(one for one in all_contacts(connection) if one.display_name.casefold() == name.casefold())


def holder(connection: ReadConnection, handle: Handle) -> Contact | None:
    """The contact that has the handle."""
    query = sa.select(contacts).join(handles, handles.c.contact == contacts.c.id).where(_is(handle))
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _contact(row)


def of_canonical(connection: ReadConnection, canonical: str) -> tuple[Contact, ...]:
    """The contacts that have a handle of that canonical form."""
    having = sa.select(handles.c.contact).where(handles.c.canonical == canonical)
    rows = connection.execute(sa.select(contacts).where(contacts.c.id.in_(having))).mappings()
    return tuple(map(_contact, rows))


def handles_of(connection: ReadConnection, identifier: str) -> tuple[Linked, ...]:
    """The handles of a contact, the primary one first."""
    query = sa.select(handles).where(handles.c.contact == identifier)
    rows = connection.execute(
        query.order_by(handles.c.is_primary.desc(), handles.c.linked_at, handles.c.gateway, handles.c.folded)
    ).mappings()
    return tuple(
        Linked(
            Handle(row["gateway"], row["address"]),
            row["contact"],
            bool(row["is_primary"]),
            bool(row["verified"]),
        )
        for row in rows
    )


def put_handle(connection: WriteConnection, linked: Linked, canonical: str | None, at: datetime) -> None:
    """Give a handle to a contact, taking it from whoever has it."""
    connection.execute(handles.delete().where(_is(linked.handle)))
    connection.execute(
        handles.insert().values(
            gateway=linked.handle.gateway,
            folded=linked.handle.folded,
            address=linked.handle.address,
            contact=linked.contact,
            canonical=canonical,
            is_primary=linked.primary,
            verified=linked.verified,
            linked_at=iso(at),
        )
    )
    connection.execute(
        proposals.delete().where(
            proposals.c.gateway == linked.handle.gateway, proposals.c.folded == linked.handle.folded
        )
    )


def drop_contact(connection: WriteConnection, identifier: str) -> None:
    """Drop a contact whose handles were given away, and what was proposed for them."""
    connection.execute(proposals.delete().where(proposals.c.contact == identifier))
    connection.execute(contacts.delete().where(contacts.c.id == identifier))


def make_primary(connection: WriteConnection, handle: Handle) -> None:
    """Say that the contact is written to there first."""
    connection.execute(handles.update().where(_is(handle)).values(is_primary=True))


def drop_handle(connection: WriteConnection, handle: Handle) -> None:
    """Take a handle from whoever has it."""
    connection.execute(handles.delete().where(_is(handle)))


def propose(connection: WriteConnection, proposal: Proposal, at: datetime) -> bool:
    """Keep a proposal; False if it had been made before."""
    handle = proposal.handle
    known = sa.select(proposals.c.contact).where(
        proposals.c.contact == proposal.contact,
        proposals.c.gateway == handle.gateway,
        proposals.c.folded == handle.folded,
    )
    if connection.execute(known).one_or_none() is not None:
        return False
    connection.execute(
        proposals.insert().values(
            contact=proposal.contact,
            gateway=handle.gateway,
            folded=handle.folded,
            address=handle.address,
            evidence=proposal.evidence,
            made_at=iso(at),
        )
    )
    return True


def proposals_of(connection: ReadConnection, identifier: str) -> tuple[Proposal, ...]:
    """What was proposed for a contact, oldest first."""
    query = sa.select(proposals).where(proposals.c.contact == identifier)
    rows = connection.execute(query.order_by(proposals.c.made_at, proposals.c.gateway)).mappings()
    return tuple(
        Proposal(row["contact"], Handle(row["gateway"], row["address"]), row["evidence"]) for row in rows
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
    row = _OF_SECRET.one(connection, {"secret": sha256})
    return None if row is None else (_key(row), str(row["sha256"]))


def key(connection: ReadConnection, identifier: str) -> Key | None:
    """The key of that id."""
    row = connection.execute(sa.select(keys).where(keys.c.id == identifier)).mappings().one_or_none()
    return None if row is None else _key(row)


def all_keys(connection: ReadConnection) -> tuple[Key, ...]:
    """Every key, oldest first, revoked ones too."""
    rows = connection.execute(sa.select(keys).order_by(keys.c.created_at, keys.c.id)).mappings()
    return tuple(map(_key, rows))


def grant(
    connection: WriteConnection, identifier: str, owner_platforms: Iterable[str], spoken_for: Iterable[str]
) -> None:
    """Say anew where a key speaks for the owner, and for which contacts."""
    query = keys.update().where(keys.c.id == identifier)
    connection.execute(query.values(owner_platforms=_listed(owner_platforms), contacts=_listed(spoken_for)))


def revoke(connection: WriteConnection, identifier: str, at: datetime) -> bool:
    """End a key; False if it had ended before."""
    query = keys.update().where(keys.c.id == identifier, keys.c.revoked_at.is_(None))
    return connection.execute(query.values(revoked_at=iso(at))).rowcount == 1


def _contact(columns: Columns) -> Contact:
    seen = columns["last_interaction_at"]
    return Contact(
        columns["id"],
        columns["display_name"],
        TrustTier(columns["trust_tier"]),
        from_iso(columns["created_at"]),
        columns["given_name"],
        columns["family_name"],
        columns["organization"],
        MayContact(columns["may_contact"]),
        columns["cadence_minutes"],
        columns["digest"],
        columns["timezone"],
        None if seen is None else from_iso(seen),
    )


def _is(handle: Handle) -> sa.ColumnElement[bool]:
    return sa.and_(handles.c.gateway == handle.gateway, handles.c.folded == handle.folded)


def _key(columns: Columns) -> Key:
    revoked = columns["revoked_at"]
    return Key(
        columns["id"],
        columns["name"],
        frozenset(map(KeyScope, json.loads(columns["scopes"]))),
        frozenset(json.loads(columns["owner_platforms"])),
        frozenset(json.loads(columns["contacts"])),
        from_iso(columns["created_at"]),
        None if revoked is None else from_iso(revoked),
    )


def _listed(values: Iterable[str]) -> str:
    return canonical_text(sorted(map(str, values)))
