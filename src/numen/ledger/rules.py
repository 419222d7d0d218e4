"""How events are chained, and how a break in the chain shows: values in, a verdict out (decision 2)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from numen.kernel import InvalidInput, Scope, canonical_bytes, parse_id
from numen.ledger.types import Fault

VERSION = 1
"""The form of an event row."""

GENESIS = "0" * 64
"""What the first event is linked to."""

SALT_BYTES = 16
"""Random bytes in the digest of a body, so that forgotten words cannot be guessed (NIST SP 800-132)."""

CHAINED = (
    "seq", "event_id", "v", "at", "stream", "kind",
    "correlation_id", "actor", "scope", "payload", "prev_hash",
)  # fmt: skip
"""The columns that the hash covers: all but itself."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}")
_VIEWERS = frozenset({"owner", "stranger"})


@dataclass(frozen=True, slots=True)
class Link:
    """Where the chain stands: the number and the hash of an event."""

    seq: int
    hash: str


START = Link(0, GENESIS)
"""Before the first event."""


def row_hash(row: Mapping[str, object]) -> str:
    """The hash of an event row: SHA-256 of `prev_hash` and the canonical JSON of the other columns.

    A column of a type that no event has (a changed row of an untyped database) is hashed as its description.
    """
    columns = {name: _plain(row[name]) for name in CHAINED if name != "prev_hash"}
    return hashlib.sha256(str(row["prev_hash"]).encode() + canonical_bytes(columns)).hexdigest()


def fault_of(row: Mapping[str, object], before: Link) -> Fault | None:
    """What is wrong with the event that follows `before`, None if nothing is.

    `CHANGED` may be `REORDERED`, which only a look at the other events tells.
    """
    seq = row["seq"]
    if not isinstance(seq, int) or seq <= before.seq:
        return Fault.CHANGED
    if seq != before.seq + 1:
        return Fault.MISSING
    if row_hash(row) != row["hash"]:
        return Fault.CHANGED
    return None if row["prev_hash"] == before.hash else Fault.REPLACED


def head_fault(head: Link, last: Link) -> Fault | None:
    """What is wrong with the head of the chain, None if it is the `last` event that was found."""
    if head == last:
        return None
    return Fault.MISSING if str(head.seq).isdecimal() and head.seq > last.seq else Fault.REPLACED


def body_digest(salt: bytes, scope: str, text: bytes) -> str:
    """The digest that stands for words in the chain: salted, and bound to the room they were said in."""
    return hashlib.sha256(salt + scope.encode() + b"\n" + text).hexdigest()


def body_fault(body: Mapping[str, object], recorded: str | None) -> Fault | None:
    """What is wrong with a body, None if nothing is. `recorded` is how it went, by the ledger, if it did."""
    match body:
        case {"gone": None, "salt": bytes(salt), "scope": str(scope), "text": bytes(text)}:
            return None if body_digest(salt, scope, text) == body["digest"] else Fault.BODY_CHANGED
        case {"gone": str(gone), "salt": None, "scope": None, "text": None}:
            return None if gone == recorded else Fault.BODY_GONE_UNRECORDED
        case _:
            return Fault.BODY_CHANGED


def check_name(what: str, name: str) -> None:
    """Raise `InvalidInput` unless `name` can stand in the ledger: letters, digits and `_.:-`, at most 128."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"The {what} of an event may hold letters, digits and _.:- only, 128 at most.",
            not_done="The event was not recorded.",
            next_step="Use an id, or the digest of a name from outside.",
        )


def actor_of(scope: Scope) -> str:
    """Who acted, as the ledger may name it. Raises `InvalidInput` for a viewer that is not an id of ours."""
    if scope.viewer not in _VIEWERS and parse_id(scope.viewer) is None:
        raise InvalidInput(
            "The one who acted is not named by an id.",
            not_done="The event was not recorded.",
            next_step="Take the scope from people.resolve.",
        )
    return scope.viewer


def sentence(fault: Fault, seq: int | None) -> str:
    """What `fault` at event `seq` means, for a person."""
    where = "an event" if seq is None else f"event {seq}"
    return _SENTENCES[fault].format(where=where)


_SENTENCES = {
    Fault.CHANGED: "What {where} says was changed after it was recorded.",
    Fault.MISSING: "{where} is missing.",
    Fault.REORDERED: "{where} stands in another place than where it was recorded.",
    Fault.REPLACED: "{where} is not linked to the one before it: one of the two was replaced.",
    Fault.BODY_CHANGED: "The words of {where} were changed after they were recorded.",
    Fault.BODY_MISSING: "The words of {where} are missing, and nothing says that they were forgotten.",
    Fault.BODY_GONE_UNRECORDED: "The words of {where} were taken away without a record of it.",
}


def _plain(value: object) -> str | int:
    return value if isinstance(value, str | int) else repr(value)
