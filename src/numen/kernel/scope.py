"""On whose behalf, and in which room: the first argument of every read and write (architecture, rule 4)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class Audience(StrEnum):
    """Whose words may be shown."""

    OWNER = "owner"
    EVERYONE = "everyone"


class Via(StrEnum):
    """The door through which a caller came."""

    CLI = "cli"
    MCP = "mcp"
    HTTP = "http"
    PAGE = "page"
    MIND = "mind"


@dataclass(frozen=True, slots=True)
class RoomKey:
    """The room of a conversation. Keys that differ in any part share nothing (cycle contract, L1)."""

    uid: str
    channel: str
    server: str

    def digest(self) -> str:
        """A hex name of the room: SHA-256 over the parts, each led by its length, so none can spill."""
        hasher = hashlib.sha256()
        for part in (self.uid, self.channel, self.server):
            data = part.encode("utf-8", "surrogatepass")
            hasher.update(len(data).to_bytes(8, "big"))
            hasher.update(data)
        return hasher.hexdigest()


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks, and what that lets them see. Built only by `people.resolve`; there is no default.

    `viewer` is a contact id, a key id, or `stranger`. Whoever cannot be shown to be the owner has
    `is_owner` False and the audience `everyone`.
    """

    viewer: str
    is_owner: bool
    room: RoomKey
    audience: Audience
    via: Via
    interactive: bool
