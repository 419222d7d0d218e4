"""What a text shows by itself, before anybody asks: kept with its row as a small number."""

from __future__ import annotations

import re
from enum import IntFlag

_TIME = re.compile(
    r"""\b(yesterday|today|tonight|tomorrow|last|ago|next|since|recently|earlier|later|now|soon|when|years?|months?|
    weeks?|weekend|days?|hours?|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|
    march|april|june|july|august|september|october|november|december|spring|summer|autumn|winter|gestern|heute|
    morgen|woche|monat|jahr|hier|demain|semaine|mois|année|ayer|hoy|mañana|semana|ieri|oggi|domani)\b""",
    re.VERBOSE,
)
_DISTANT = re.compile(
    r"\b(yesterday|ago|last|next|since|tomorrow|gestern|hier|ayer|ieri|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|\b20\d\d\b"
)
_ATTACHED = re.compile(r"\s*\[[^\[\]]*\]\s*$")
_QUESTION_MARKS = ("?", "？", "؟")
_READ = 4096
"""Characters of a text that are looked at, from its end for what it ends in."""


class Marks(IntFlag):
    """What a text shows of itself. The numbers are stored: they never change."""

    ASKS = 1
    """It ends in a question; what stands in square brackets after it is an attachment."""
    HAS_QUESTION = 2
    """There is a question in it."""
    TIME = 4
    """It has a word of time."""
    DISTANT = 8
    """It tells how far away in time something is, or names a weekday or year."""


def marks_of(text: str) -> Marks:
    """What `text` shows of itself."""
    plain = _ATTACHED.sub("", text[-_READ:])
    lowered = text[:_READ].casefold()
    found = Marks(0)
    if plain.rstrip(" \n\t\"'”)!").endswith(_QUESTION_MARKS):
        found |= Marks.ASKS
    if any(mark in plain for mark in _QUESTION_MARKS):
        found |= Marks.HAS_QUESTION
    if _TIME.search(lowered):
        found |= Marks.TIME
    if _DISTANT.search(lowered):
        found |= Marks.DISTANT
    return found
