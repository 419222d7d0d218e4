"""Ids that tell their kind and the store they were born in: `<kind>_<epoch4>_<ulid>` (decision 3)."""

from __future__ import annotations

import re
import secrets
import threading
from dataclasses import dataclass
from typing import Protocol

from numen.kernel.clock import Clock

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ID = re.compile(r"([a-z]+)_([0-9A-HJKMNP-TV-Z]{4})_([0-9A-HJKMNP-TV-Z]{26})")


@dataclass(frozen=True, slots=True)
class ParsedId:
    """The three parts of an id."""

    kind: str
    epoch: str
    ulid: str


class IdSource(Protocol):
    """Where new ids come from."""

    def new(self, kind: str) -> str:
        """A fresh id of `kind` (lower-case letters), later ones sorting after earlier ones."""
        ...


class UlidSource:
    """Ids from the clock and the machine's randomness, in rising order within this process."""

    def __init__(self, clock: Clock, epoch: str) -> None:
        self._clock = clock
        self._epoch = epoch
        self._last = 0
        self._lock = threading.Lock()

    def new(self, kind: str) -> str:
        """A fresh id of `kind`; a clock that goes back does not break the order."""
        fresh = (int(self._clock.now().timestamp() * 1000) << 80) | secrets.randbits(80)
        with self._lock:
            self._last = max(fresh, self._last + 1)
            value = self._last
        return f"{kind}_{self._epoch}_{encode(value, 26)}"


class CountingIds:
    """Ids 1, 2, 3, ... for tests and byte-equal answers."""

    def __init__(self, epoch: str = "TEST") -> None:
        self._epoch = epoch
        self._count = 0

    def new(self, kind: str) -> str:
        """The next id of `kind`."""
        self._count += 1
        return f"{kind}_{self._epoch}_{encode(self._count, 26)}"


def encode(value: int, length: int) -> str:
    """`value` in Crockford base 32, `length` characters, leading zeros kept."""
    digits: list[str] = []
    for _ in range(length):
        value, rest = divmod(value, 32)
        digits.append(_CROCKFORD[rest])
    return "".join(reversed(digits))


def new_epoch() -> str:
    """Four random characters that name a store from its creation or restore on."""
    return encode(secrets.randbits(20), 4)


def parse_id(text: str) -> ParsedId | None:
    """The parts of `text`, or None if it is not an id of this form."""
    match = _ID.fullmatch(text)
    return ParsedId(*match.groups()) if match else None
