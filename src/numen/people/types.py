"""Contacts, keys, and the doors through which a caller comes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from numen.kernel import Forbidden, Via


class TrustTier(StrEnum):
    """How far a contact is trusted (mind contract, People)."""

    OWNER = "owner"
    INNER_CIRCLE = "inner_circle"
    TRUSTED = "trusted"
    REGULAR = "regular"
    ACQUAINTANCE = "acquaintance"
    GROUP_GUEST = "group_guest"
    SILENCED = "silenced"
    UNKNOWN = "unknown"


class KeyScope(StrEnum):
    """What the bearer of a key may do beyond being known by it."""

    OWNER = "owner"
    """Is the owner."""
    SPEAKS_FOR = "speaks_for"
    """Is believed about who speaks and in which room (decision 16)."""
    CORRELATE = "correlate"
    """May give the correlation id of its calls (decision 2)."""


class OwnerNotGranted(Forbidden):
    """The key may not speak for the owner on this platform."""

    code = "owner_not_granted"


class ContactNotGranted(Forbidden):
    """The key may not speak for this contact."""

    code = "contact_not_granted"


@dataclass(frozen=True, slots=True)
class Contact:
    """A person that Numen knows."""

    id: str
    display_name: str
    trust_tier: TrustTier
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key; its secret is kept nowhere.

    `owner_platforms` are those on which a key that speaks for others may say that the owner speaks; `*` in
    `contacts` lets it speak for every contact, else the ones named.
    """

    id: str
    name: str
    scopes: frozenset[KeyScope]
    owner_platforms: frozenset[str]
    contacts: frozenset[str]
    created_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key with its secret, which is told once."""

    key: Key
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Household:
    """What `People.init` found or made: the owner, and the file with the key of this machine."""

    owner: Contact
    key: Key
    key_file: Path
    owner_is_new: bool
    key_is_new: bool


@dataclass(frozen=True, slots=True)
class Local:
    """A command on this machine. `account` is the user id of the process."""

    account: int
    interactive: bool


@dataclass(frozen=True, slots=True)
class Stdio:
    """A host that started `numen mcp`: the owner only if it was told so (decision 16).

    `key` is an agent key from its environment, `session` names the process.
    """

    account: int
    session: str
    as_owner: bool = False
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Http:
    """A request with the bearer `key`, if it brought one. `session` names its MCP session, where it has one.

    Without a key it is a stranger's where `strangers` lets them in, else it is refused.
    """

    via: Via
    key: str | None = field(repr=False)
    session: str | None = None
    interactive: bool = False
    strangers: bool = False


Door = Local | Stdio | Http
"""How a caller came."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks and where, as the caller says it: not yet checked, hence of any type.

    `platform` is where the person writes; by default the part of `server` before its first colon.
    """

    uid: object = None
    channel: object = None
    server: object = None
    platform: object = None
