"""Who else can do it: bounded work for cheaper agents, with an envelope that never fakes success."""

from numen.delegate.accounts import Means
from numen.delegate.envelopes import bare
from numen.delegate.extraction import extracted
from numen.delegate.rules import FLAG, TOKEN, is_nested
from numen.delegate.service import BY, Delegate, Done
from numen.delegate.spend import Price, Prices
from numen.delegate.types import (
    Backend,
    BackendName,
    BudgetRefused,
    Caps,
    Command,
    Ended,
    Failed,
    Fault,
    Habits,
    How,
    Intent,
    InvalidIntent,
    Job,
    LockHeld,
    Nested,
    Reply,
    State,
    Status,
    Step,
    Usage,
    Worker,
)

__all__ = [
    "BY",
    "FLAG",
    "TOKEN",
    "Backend",
    "BackendName",
    "BudgetRefused",
    "Caps",
    "Command",
    "Delegate",
    "Done",
    "Ended",
    "Failed",
    "Fault",
    "Habits",
    "How",
    "Intent",
    "InvalidIntent",
    "Job",
    "LockHeld",
    "Means",
    "Nested",
    "Price",
    "Prices",
    "Reply",
    "State",
    "Status",
    "Step",
    "Usage",
    "Worker",
    "bare",
    "extracted",
    "is_nested",
]
