"""Who is the owner, what is a room, what is a name: values in, a verdict out."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import timedelta

from numen.kernel import InvalidInput, RoomKey
from numen.people.types import (
    Amendment,
    Begun,
    Browser,
    ContactNotGranted,
    Http,
    Key,
    KeyScope,
    Local,
    OwnerNotGranted,
    Speaker,
    Stdio,
)

STRANGER = "stranger"
"""The viewer who is nobody we know."""

OWNER = "owner"
"""The viewer who is the owner before the household has been set up, and the owner's alias as a speaker."""

LONGEST_ID = 512
"""Characters of a room id. The longest that a platform gives is 255 (Matrix); two of them fit."""

LONGEST_NAME = 80
"""Characters of a name (ours: it must fit on a line)."""

LONGEST_DIGEST = 600
"""Characters of what is remembered of a contact in short (mind contract, People)."""

LONGEST_CADENCE = 525_600
"""Minutes of a cadence: a year (ours)."""

HANDLE = "handle:"
"""How a client names a speaker by handle whose contact it does not know (wire contract, 1.6)."""

EVERYONE = "*"
"""In a key's contacts: all of them."""

MEETING = timedelta(hours=1)
"""How exactly it is kept when somebody wrote last (ours: cadences are days; each turn would be a write)."""

_SECRET = re.compile(r"numen_[A-Za-z0-9_-]{43}")
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z0-9_+-]{1,32}){0,2}")
_PLATFORM = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")


@dataclass(frozen=True, slots=True)
class Claim:
    """A speaker whose parts are texts of a lawful size; a part that was absent or empty is empty."""

    uid: str
    channel: str
    server: str
    platform: str

    @property
    def names_a_room(self) -> bool:
        """Whether all three parts of a room are there."""
        return bool(self.uid and self.channel and self.server)


@dataclass(frozen=True, slots=True)
class Standing:
    """Who someone is: `viewer`, whether that is the owner, and whether the room they name is believed.

    `caller` names the one who holds the door: what they say without being believed stays theirs alone.
    """

    viewer: str
    is_owner: bool
    believed: bool
    caller: str


def claim_of(speaker: Speaker | None) -> Claim | None:
    """The speaker as texts. Raises `InvalidInput` for a part of another type, or longer than `LONGEST_ID`."""
    if speaker is None:
        return None
    return Claim(
        _text("uid", speaker.uid),
        _text("channel", speaker.channel),
        _text("server", speaker.server),
        _text("platform", speaker.platform),
    )


def with_owner(claim: Claim | None, owner: str | None) -> Claim | None:
    """The claim with the owner's id in place of the alias, so that both name the same room."""
    return (
        replace(claim, uid=owner) if claim is not None and owner is not None and claim.uid == OWNER else claim
    )


def local_standing(door: Local | Browser, home_account: int | None, owner: str | None) -> Standing:
    """On this machine the owner is the account that the home belongs to; every other one is a stranger.

    A browser is its server's: it came by a link that was printed for that account alone.
    """
    if door.account == home_account:
        return Standing(owner or OWNER, is_owner=True, believed=False, caller=owner or OWNER)
    return Standing(STRANGER, is_owner=False, believed=False, caller=STRANGER)


def stdio_standing(
    door: Stdio, key: Key | None, home_account: int | None, owner: str | None, claim: Claim | None
) -> Standing:
    """A host on stdio is the owner only when told so under the owner's account, else its key's or nobody."""
    if door.as_owner and door.account == home_account:
        return Standing(owner or OWNER, is_owner=True, believed=False, caller=owner or OWNER)
    if key is None:
        return Standing(STRANGER, is_owner=False, believed=False, caller=f"{STRANGER}:{door.session}")
    if KeyScope.SPEAKS_FOR in key.scopes:
        return _spoken_for(key, owner, claim)
    return Standing(key.id, is_owner=False, believed=False, caller=key.id)


def begun_standing(door: Begun, owner: str | None) -> Standing:
    """Who work is for that was begun earlier: the owner only if they still are the owner."""
    is_owner = door.viewer in {OWNER, owner}
    viewer = (owner or OWNER) if is_owner else door.viewer
    return Standing(viewer, is_owner=is_owner, believed=False, caller=viewer)


def http_standing(door: Http, key: Key | None, owner: str | None, claim: Claim | None) -> Standing:
    """A request is its key's. A key that speaks for others is the speaker's, where the route names one."""
    if key is None:
        caller = f"{STRANGER}:{door.session}" if door.session else STRANGER
        return Standing(STRANGER, is_owner=False, believed=False, caller=caller)
    if claim is not None and KeyScope.SPEAKS_FOR in key.scopes:
        return _spoken_for(key, owner, claim)
    is_owner = KeyScope.OWNER in key.scopes
    return Standing((owner or OWNER) if is_owner else key.id, is_owner, believed=False, caller=key.id)


def room_of(claim: Claim | None, standing: Standing, fresh: str) -> RoomKey:
    """The room of a call: the one named if that is believed, else the caller's own one of that name.

    Absent or empty ids give a room that nobody had before, named by `fresh`. The three sorts share no key:
    a believed room has no empty part, a caller's own has an empty uid, a fresh one has only a server.
    """
    if claim is None or not claim.names_a_room:
        return RoomKey("", "", fresh)
    named = RoomKey(claim.uid, claim.channel, claim.server)
    return named if standing.believed else RoomKey("", named.digest(), standing.caller)


def is_anonymous(room: RoomKey) -> bool:
    """Whether the room was made for one call because none was named; surfaces say so in the result."""
    return not room.uid and not room.channel


def check_name(what: str, name: str) -> str:
    """`name` without spaces around it. Raises `InvalidInput` if it is empty, long, or not one line."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise InvalidInput(
            f"The name of {what} must be one line of 1 to {LONGEST_NAME} characters.",
            not_done="Nothing was changed.",
            next_step="Give another name.",
        )
    return name


def shown_name(name: str) -> str:
    """`name` as one line that is not too long: what a platform calls someone is not theirs to be refused."""
    line = " ".join("".join(char if char.isprintable() else " " for char in name).split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1] + "…"


def amended(change: Amendment) -> dict[str, str | int]:
    """What `change` says, by column. Raises `InvalidInput` for a value of a wrong form."""
    values: dict[str, str | int] = {}
    if change.display_name is not None:
        values["display_name"] = check_name("a contact", change.display_name)
    if change.trust_tier is not None:
        values["trust_tier"] = str(change.trust_tier)
    if change.may_contact is not None:
        values["may_contact"] = str(change.may_contact)
    if change.cadence_minutes is not None:
        if not 0 < change.cadence_minutes <= LONGEST_CADENCE:
            raise _wrong(f"A cadence is 1 to {LONGEST_CADENCE} minutes.")
        values["cadence_minutes"] = change.cadence_minutes
    if change.digest is not None:
        if len(change.digest) > LONGEST_DIGEST:
            raise _wrong(f"A digest has at most {LONGEST_DIGEST} characters.")
        values["digest"] = change.digest
    if change.timezone is not None:
        if not is_zone(change.timezone):
            raise _wrong("A time zone is a name such as Europe/Berlin.")
        values["timezone"] = change.timezone
    return values


def is_zone(name: str) -> bool:
    """Whether `name` has the form of a time zone's (IANA: parts of letters, digits, `_`, `+`, `-`)."""
    return _ZONE.fullmatch(name) is not None


def check_platform(platform: str) -> str:
    """`platform` itself. Raises `InvalidInput` unless it is a lower-case word such as `telegram`."""
    if not _PLATFORM.fullmatch(platform):
        raise InvalidInput(
            "A platform is a lower-case word such as telegram.",
            not_done="Nothing was changed.",
            next_step="Give the platform's name as Hermes writes it.",
        )
    return platform


def is_secret(text: str) -> bool:
    """Whether `text` has the form of a key that Numen gives out."""
    return _SECRET.fullmatch(text) is not None


def secret_digest(secret: str) -> str:
    """What is kept of a secret: its SHA-256, enough because the secret is 256 random bits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _spoken_for(key: Key, owner: str | None, claim: Claim | None) -> Standing:
    if claim is None or not claim.uid:
        return Standing(STRANGER, is_owner=False, believed=True, caller=key.id)
    if claim.uid in {OWNER, owner}:
        platform = claim.platform or claim.server.partition(":")[0]
        if platform not in key.owner_platforms:
            raise OwnerNotGranted(
                "This key may not speak for the owner on this platform.",
                not_done="Nothing was done in the owner's name.",
                next_step="Let the owner grant the platform to the key: numen credentials.",
            )
        return Standing(owner or OWNER, is_owner=True, believed=True, caller=key.id)
    if EVERYONE not in key.contacts and claim.uid not in key.contacts:
        raise ContactNotGranted(
            "This key may not speak for this contact.",
            not_done="Nothing was done in the contact's name.",
            next_step="Let the owner grant the contact to the key: numen credentials.",
        )
    return Standing(claim.uid, is_owner=False, believed=True, caller=key.id)


def _wrong(what: str) -> InvalidInput:
    return InvalidInput(what, not_done="Nothing was changed.")


def _text(what: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(
            f"{what} must be a text.", not_done="Nothing was done.", next_step="Leave it out, or send a text."
        )
    if len(value) > LONGEST_ID:
        raise InvalidInput(
            f"{what} is longer than {LONGEST_ID} characters.",
            not_done="Nothing was done.",
            next_step="Send the platform's own id.",
        )
    return value
