"""Who else is at work in a tree, and whether two hands would get in each other's way. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from numen.kernel import InvalidInput, Json, iso

TTL = timedelta(seconds=120)
"""How long a hand counts as there after its last beat (north contract, "Missions, presences, map, tiers")."""

BEAT = timedelta(seconds=30)
"""How often a beat is written at most while nothing else changes (decision 22)."""

MOST_PATHS = 50
"""Paths of a working set that are kept (ours)."""

LONGEST_THEME = 120
"""Characters of a theme that are kept (ours: a line and a half of a terminal)."""

_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Hand:
    """What a caller is about to do here: in which of its sessions, on which paths, and whether it writes.

    An agent that orients itself is taken to be about to change things unless it says that it only reads.
    """

    session: str = ""
    working_set: tuple[str, ...] = ()
    mutating: bool = True


@dataclass(frozen=True, slots=True)
class Presence:
    """One hand at work: an agent in one of its sessions.

    `caller_root` is where it stands, empty where it does not say. `worktree` is the root of the tree that it
    works in. `working_set` are paths below that root, `.` the whole of it.
    """

    brain: str
    agent: str
    session: str
    caller_root: str
    worktree: str
    theme: str = field(repr=False)
    working_set: tuple[str, ...]
    mutating: bool
    first_seen: datetime
    last_beat: datetime

    @property
    def hand(self) -> tuple[str, str]:
        """What tells this hand from another in the same brain."""
        return (self.agent, self.session)

    def as_json(self, *, words: bool) -> dict[str, Json]:
        """The wire form; what it is about only where `words` may be shown."""
        body: dict[str, Json] = {
            "agent_id": self.agent,
            "caller_root": self.caller_root or None,
            "worktree": self.worktree,
            "working_set": list(self.working_set),
            "mutating": self.mutating,
            "first_seen": iso(self.first_seen),
            "last_beat": iso(self.last_beat),
        }
        return body | {"theme": self.theme} if words else body


@dataclass(frozen=True, slots=True)
class Collision:
    """Two hands that may get in each other's way: the other one's name, and where, in words."""

    agent: str
    where: str


def is_live(presence: Presence, now: datetime) -> bool:
    """Whether a hand still counts as there; a clock that went back a little makes nobody vanish."""
    return abs(now - presence.last_beat) <= TTL


def overlap(one: Sequence[str], other: Sequence[str]) -> str | None:
    """The first path in which two working sets meet, None if they do not: a directory meets all below it."""
    for a in one:
        for b in other:
            if a == b or a == "." or b.startswith(f"{a}/"):
                return b
            if b == "." or a.startswith(f"{b}/"):
                return a
    return None


def collision(one: Presence, other: Presence) -> Collision | None:
    """Whether `other` is in the way of `one`, and where: both change things, in one place of one brain."""
    if one.brain != other.brain or one.hand == other.hand or not (one.mutating and other.mutating):
        return None
    met = overlap(one.working_set, other.working_set)
    if met is not None:
        return Collision(shown(other.agent), shown(met))
    same_root = one.caller_root != "" and one.caller_root == other.caller_root
    if same_root or one.worktree == other.worktree:
        return Collision(shown(other.agent), "this worktree")
    return None


def collisions(mine: Presence, others: Iterable[Presence], now: datetime) -> tuple[Collision, ...]:
    """Whoever lives and is in the way of `mine`, by name."""
    found = (collision(mine, other) for other in others if is_live(other, now))
    return tuple(one for one in found if one is not None)


def is_due(before: Presence | None, after: Presence) -> bool:
    """Whether a beat is to be written: the first, 30 s after the last, or where it tells others of a change.

    A last beat in the future is the mark of a clock that went back: it is written anew.
    """
    if before is None or after.last_beat - before.last_beat >= BEAT or before.last_beat > after.last_beat:
        return True
    told = (before.working_set, before.mutating, before.caller_root, before.worktree)
    return told != (after.working_set, after.mutating, after.caller_root, after.worktree)


def working_set(paths: Sequence[str]) -> tuple[str, ...]:
    """`paths` once each, sorted. Raises `InvalidInput` for more than are kept."""
    unique = sorted(set(paths))
    if len(unique) > MOST_PATHS:
        raise InvalidInput(
            f"The working set has {len(unique)} paths; at most {MOST_PATHS} are kept.",
            not_done="Nothing was looked up.",
            next_step="Name the directories that hold them.",
        )
    return tuple(unique)


def shown(text: str, most: int = _LONGEST_SHOWN) -> str:
    """Another's words as they may stand in a sentence: one line, no signs that are not seen, not long."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"
