"""Contacts, keys, and the doors through which a caller comes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from numen.kernel import Conflict, Forbidden, RoomKey, Via


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


class MayContact(StrEnum):
    """Whether Numen may write to a contact by itself (mind contract, People)."""

    NEVER = "never"
    ASK = "ask"
    AUTO = "auto"


class Match(StrEnum):
    """On which rung of the ladder a sender was found (mind contract, People)."""

    EXACT = "exact"
    """The handle itself is the contact's."""
    CANONICAL = "canonical"
    """The same phone number or e-mail address is one contact's on another gateway, and no other's."""
    CREATED = "created"
    """Nobody: a shadow contact was made."""


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


class NotOwner(Forbidden):
    """Only the owner may do this."""

    code = "not_owner"


class TwoOwners(Conflict):
    """What the files say of the owner and what the store knows name two people; nothing was changed."""

    code = "two_owners"


@dataclass(frozen=True, slots=True)
class Contact:
    """A person that Numen knows. What is None was never said."""

    id: str
    display_name: str
    trust_tier: TrustTier
    created_at: datetime
    given_name: str | None = None
    family_name: str | None = None
    organization: str | None = None
    may_contact: MayContact = MayContact.ASK
    cadence_minutes: int | None = None
    digest: str | None = None
    timezone: str | None = None
    last_interaction_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Handle:
    """Under which `address` someone writes on a `gateway`, such as `telegram` and `111`.

    Made by `handles.read`, which sees to its form. Two that differ in case only are the same.
    """

    gateway: str
    address: str

    @property
    def folded(self) -> str:
        """The address without regard to case."""
        return self.address.casefold()

    def __str__(self) -> str:
        return f"{self.gateway}:{self.address}"


@dataclass(frozen=True, slots=True)
class Linked:
    """A handle of a contact. `primary`: where to write first. `verified`: given by the owner."""

    handle: Handle
    contact: str
    primary: bool
    verified: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A handle that may be the contact's too; nothing follows from it before the owner says so."""

    contact: str
    handle: Handle
    evidence: str


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is known of one contact."""

    contact: Contact
    handles: tuple[Linked, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Who a sender is. `whole`: the caller may see more of them than id, name and tier."""

    contact: Contact
    match: Match
    whole: bool


@dataclass(frozen=True, slots=True)
class Amendment:
    """What is to change about a contact; None leaves it."""

    display_name: str | None = None
    trust_tier: TrustTier | None = None
    may_contact: MayContact | None = None
    cadence_minutes: int | None = None
    digest: str | None = None
    timezone: str | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """What the owner's own files say of the owner. None: they say nothing about it."""

    name: str | None = None
    handles: tuple[Handle, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was changed so that the store says what the owner's files say."""

    linked: tuple[Handle, ...] = ()
    unlinked: tuple[Handle, ...] = ()
    renamed: bool = False


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


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that opened a one-time link of a running Numen. `account` is the user id of that process.

    `session` names the browser. No key: the link was printed on the owner's terminal (decision 17).
    """

    account: int
    session: str


@dataclass(frozen=True, slots=True)
class Begun:
    """Work that was begun earlier for who was found to speak then: `viewer`, in `room`, through `via`.

    Made of what a room above keeps of a call, never of what somebody says now.
    """

    viewer: str
    room: RoomKey
    via: Via


Door = Local | Stdio | Http | Browser | Begun
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
