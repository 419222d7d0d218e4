"""Where are we? The packet `numen-north-v1` and the card: which tree, how fresh, where to start."""

from numen.north.budget import dedupe, pack_to_budget, rank_key
from numen.north.card import CardFacts, compose
from numen.north.collisions import Hand
from numen.north.memories import MemoryRow, MemorySource, Tier
from numen.north.service import North
from numen.north.types import (
    Budget,
    Call,
    Context,
    Gap,
    GapCode,
    HumanView,
    NorthRequest,
    Packet,
    Place,
    Reception,
    Severity,
    State,
    Sufficiency,
    SufficiencyState,
    Verdict,
)

__all__ = [
    "Budget",
    "Call",
    "CardFacts",
    "Context",
    "Gap",
    "GapCode",
    "Hand",
    "HumanView",
    "MemoryRow",
    "MemorySource",
    "North",
    "NorthRequest",
    "Packet",
    "Place",
    "Reception",
    "Severity",
    "State",
    "Sufficiency",
    "SufficiencyState",
    "Tier",
    "Verdict",
    "compose",
    "dedupe",
    "pack_to_budget",
    "rank_key",
]
