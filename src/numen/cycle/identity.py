"""Who thinks: fixed when a home is first used, the same for every model, and written down as `SOUL.md`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from numen.cycle import lenses
from numen.kernel import Json, Unavailable, digest, iso

MARK = "<!-- numen soul"
"""How a file of ours begins; another's does not."""


@dataclass(frozen=True, slots=True)
class Character:
    """Who the agent is in the owner's words (`identity.yaml`)."""

    name: str
    values: tuple[str, ...] = ()
    boundaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """What was fixed: the three lenses that are always held, of which deck, and since when."""

    version: int
    held: tuple[str, ...]
    since: datetime

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": "numen-identity-v1",
            "version": self.version,
            "lenses": list(self.held),
            "since": iso(self.since),
        }


def fresh(at: datetime) -> Identity:
    """The identity of a home that has none yet."""
    return Identity(lenses.VERSION, tuple(lenses.FIXED), at)


def preface(who: Character, identity: Identity) -> str:
    """What stands before every prompt: the operator's own words."""
    parts = [f"You are {who.name}."]
    parts += [f"You value: {'; '.join(who.values)}."] if who.values else []
    parts += [f"You never: {'; '.join(who.boundaries)}."] if who.boundaries else []
    parts.append(f"Always ask yourself: {' '.join(lenses.DECK[name] for name in identity.held)}")
    return "\n".join(parts)


def soul(who: Character, identity: Identity) -> str:
    """`SOUL.md`: the same bytes for the same identity, whatever model thinks."""
    lines = [f"# {who.name}", ""]
    lines += _section("What I value", who.values)
    lines += _section("What I never do", who.boundaries)
    lines += _section("What I always ask", [lenses.DECK[name] for name in identity.held])
    body = "\n".join(lines)
    return f"{MARK} v{identity.version} {digest(body.encode())[:16]} -->\n{body}"


def write_soul(path: Path, text: str) -> str:
    """Put `text` at `path` whole or not at all: `unchanged`, `written`, or `replaced PATH`, where a text
    that was not ours is kept. Raises `Unavailable` where it cannot be written.
    """
    try:
        before = path.read_text("utf-8") if path.exists() else None
        if before == text:
            return "unchanged"
        kept = ""
        if before is not None and not before.startswith(MARK):
            backup = _free(path)
            os.link(path, backup)
            kept = str(backup)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.{os.getpid()}")
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(
            f"{path} cannot be written: {error}.",
            not_done="The soul was not written; what was there still is.",
            next_step="Mend the file, or take `cycle.soul` out of numen.yaml.",
        ) from error
    return f"replaced {kept}" if kept else "written"


def _free(path: Path) -> Path:
    """A name beside `path` that nobody has."""
    number = 1
    while (place := path.with_name(f"{path.name}.before-numen-{number}")).exists():
        number += 1
    return place


def _section(title: str, rows: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *(f"- {row}" for row in rows), ""] if rows else []
