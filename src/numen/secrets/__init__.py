"""What must not be seen: values are sealed before anyone sees them, and a reference stands in their place."""

from numen.secrets.bindings import REVEAL_LIFE, Bindings, Bound
from numen.secrets.keys import Place
from numen.secrets.placing import fill_file, set_variable
from numen.secrets.ports import Nods, OlderWords, Outbox, Shelf
from numen.secrets.rules import HIDDEN, OWNER, WITHHELD, hidden, named_in, refs_in, variable
from numen.secrets.service import TOPIC, Secrets
from numen.secrets.types import (
    Ask,
    Comparable,
    Demand,
    Entry,
    Find,
    Finding,
    GoneThrough,
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
from numen.secrets.wrapping import for_python, for_shell

__all__ = [
    "HIDDEN",
    "OWNER",
    "REVEAL_LIFE",
    "TOPIC",
    "WITHHELD",
    "Ask",
    "Bindings",
    "Bound",
    "Comparable",
    "Demand",
    "Entry",
    "Find",
    "Finding",
    "GoneThrough",
    "Guarded",
    "Health",
    "Nods",
    "OlderWords",
    "Outbox",
    "Outgoing",
    "Place",
    "Purpose",
    "Reference",
    "Rekeyed",
    "Resolution",
    "Sealed",
    "Secrets",
    "Shelf",
    "State",
    "ToolCall",
    "VaultLocked",
    "fill_file",
    "for_python",
    "for_shell",
    "hidden",
    "named_in",
    "refs_in",
    "set_variable",
    "variable",
]
