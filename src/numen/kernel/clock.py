"""Time is passed in: nothing below the surfaces asks the machine what time it is."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> datetime:
        """The moment, with time zone UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back; only differences mean anything."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The moment, with time zone UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()


class FixedClock:
    """A clock that stands still until it is moved: for tests and for byte-equal answers (decision 6)."""

    def __init__(self, at: datetime) -> None:
        self._at = at.astimezone(UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        """The moment that was set."""
        return self._at

    def monotonic(self) -> float:
        """Seconds moved so far."""
        return self._elapsed

    def move(self, by: timedelta) -> None:
        """Go forward, or back: `by` may be negative, and `monotonic` then stays where it is."""
        self._at += by
        self._elapsed += max(0.0, by.total_seconds())


def iso(at: datetime) -> str:
    """`at` as ISO 8601 in UTC with milliseconds and `Z`: the one written form of a moment."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_iso(text: str) -> datetime:
    """The moment that `text` names. Raises `ValueError` if it is not ISO 8601 with a zone."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"no time zone in {text!r}")
    return at.astimezone(UTC)
