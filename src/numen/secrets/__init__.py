"""What must not be seen: values are sealed before anyone sees them, and a reference stands in their place."""

from numen.secrets.bindings import Bindings, Bound
from numen.secrets.keys import Place
from numen.secrets.ports import Nods, Outbox
from numen.secrets.rules import OWNER, WITHHELD, named_in, refs_in, variable
from numen.secrets.service import Secrets
from numen.secrets.types import (
    Ask,
    Demand,
    Entry,
    Find,
    Finding,
    Guarded,
    Health,
    Outgoing,
    Purpose,
    Reference,
    Rekeyed,
    Resolution,
    Sealed,
    State,
    ToolCall,
    VaultLocked,
)

__all__ = [
    "OWNER",
    "WITHHELD",
    "Ask",
    "Bindings",
    "Bound",
    "Demand",
    "Entry",
    "Find",
    "Finding",
    "Guarded",
    "Health",
    "Nods",
    "Outbox",
    "Outgoing",
    "Place",
    "Purpose",
    "Reference",
    "Rekeyed",
    "Resolution",
    "Sealed",
    "Secrets",
    "State",
    "ToolCall",
    "VaultLocked",
    "named_in",
    "refs_in",
    "variable",
]
