"""What happened: an append-only, hash-chained log of events without words in it."""

from numen.ledger.service import Ledger
from numen.ledger.subscription import Subscription
from numen.ledger.types import (
    Body,
    Departure,
    Entry,
    Event,
    Fault,
    Kind,
    Recorded,
    Verification,
)

__all__ = [
    "Body",
    "Departure",
    "Entry",
    "Event",
    "Fault",
    "Kind",
    "Ledger",
    "Recorded",
    "Subscription",
    "Verification",
]
