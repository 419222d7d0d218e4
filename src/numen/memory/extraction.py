"""What a person's words plainly say, told without a model: promises, facts about themselves, corrections.

Unsure is not extracted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from numen.memory.types import Promise

CORRECTION = "correction"
"""The predicate of a claim that says that something was wrong."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as words say it: `sentence` as it stands there, `subject` one of the family or empty."""

    sentence: str
    predicate: str
    value: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What was found in a message, in the order of the words."""

    facts: tuple[Fact, ...] = ()
    promises: tuple[Promise, ...] = ()


def may_say(text: str) -> bool:
    """Whether it is worth looking closer."""
    return False


def said(text: str, at: datetime, zone: str) -> Said:
    """What `text`, said at `at` by someone whose clock stands in `zone`, plainly says."""
    return Said()
