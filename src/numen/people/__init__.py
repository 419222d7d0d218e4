"""Who is speaking: the owner, contacts, keys, and the one place where a `Scope` is made."""

from numen.people.rules import STRANGER, is_anonymous
from numen.people.service import People
from numen.people.types import (
    Contact,
    ContactNotGranted,
    Household,
    Http,
    IssuedKey,
    Key,
    KeyScope,
    Local,
    OwnerNotGranted,
    Speaker,
    Stdio,
    TrustTier,
)

__all__ = [
    "STRANGER",
    "Contact",
    "ContactNotGranted",
    "Household",
    "Http",
    "IssuedKey",
    "Key",
    "KeyScope",
    "Local",
    "OwnerNotGranted",
    "People",
    "Speaker",
    "Stdio",
    "TrustTier",
    "is_anonymous",
]
