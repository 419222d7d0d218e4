"""When a peer is held for dead: values in, a verdict out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

VERSION = "numen-work-1"
"""What the engine calls the shape of open workflows; raised only with a migration for them (decision 9)."""

BEAT = 2.0
"""Seconds between two heartbeats (ours: two may be lost before a peer is held for dead)."""

SILENT = 5.0
"""Seconds of silence after which a peer's work is taken up (decision 9)."""


@dataclass(frozen=True, slots=True)
class Heard:
    """When a peer's count of beats was last seen to grow, by our own monotonic clock."""

    beats: int
    at: float


def listen(
    heard: Mapping[str, Heard], beats: Mapping[str, int], now: float
) -> tuple[Mapping[str, Heard], Iterable[str]]:
    """What we have heard of our peers by now, and which of them are dead.

    Counts are compared, never clocks: two machines need not agree on the time.
    """
    fresh = {
        name: heard[name] if name in heard and heard[name].beats == count else Heard(count, now)
        for name, count in beats.items()
    }
    return fresh, [name for name, last in fresh.items() if now - last.at >= SILENT]
