"""The outer surface is what the snapshot says: a changed name is a decision, not an accident."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import numen

SNAPSHOT = Path(__file__).parent / "surface.txt"


def offered() -> str:
    """One line a room: what its `__all__` offers."""
    lines: list[str] = []
    for room in sorted(info.name for info in pkgutil.iter_modules(numen.__path__) if info.ispkg):
        names = getattr(importlib.import_module(f"numen.{room}"), "__all__", [])
        lines.append(f"{room}: {' '.join(sorted(names))}".rstrip())
    return "\n".join(lines) + "\n"


def test_the_rooms_offer_what_the_snapshot_says() -> None:
    assert offered() == SNAPSHOT.read_text(encoding="utf-8"), (
        "the surface moved: if that is meant, write it down with `python -m tests.test_surface`"
    )


if __name__ == "__main__":
    SNAPSHOT.write_text(offered(), encoding="utf-8")
