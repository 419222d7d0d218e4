"""The words every room shares. No I/O, no third-party import."""

from numen.kernel.canonical import Json, canonical_bytes, canonical_text, digest, tokens
from numen.kernel.clock import Clock, FixedClock, SystemClock, from_iso, iso
from numen.kernel.errors import (
    Conflict,
    Forbidden,
    Interrupted,
    InvalidInput,
    NotFound,
    NumenError,
    StateUnavailable,
    Unauthorized,
    Unavailable,
)
from numen.kernel.ids import CountingIds, IdSource, ParsedId, UlidSource, new_epoch, parse_id
from numen.kernel.lazy import lazily
from numen.kernel.scope import Audience, RoomKey, Scope, Via

__all__ = [
    "Audience",
    "Clock",
    "Conflict",
    "CountingIds",
    "FixedClock",
    "Forbidden",
    "IdSource",
    "Interrupted",
    "InvalidInput",
    "Json",
    "NotFound",
    "NumenError",
    "ParsedId",
    "RoomKey",
    "Scope",
    "StateUnavailable",
    "SystemClock",
    "UlidSource",
    "Unauthorized",
    "Unavailable",
    "Via",
    "canonical_bytes",
    "canonical_text",
    "digest",
    "from_iso",
    "iso",
    "lazily",
    "new_epoch",
    "parse_id",
    "tokens",
]
