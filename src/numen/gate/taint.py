"""Whether the arguments of a call come from words that nobody vouches for.

A web page, a mail, a tool's output or a guest may say what to do; a call that takes an argument from there
and not from the owner's own words is asked about. What the owner said themself taints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from numen.kernel import Json

SHORTEST = 4
"""Characters of a value from which on it is looked for: shorter ones stand everywhere by chance (ours)."""

_SPACES = re.compile(r"\s+")
_PIECES = re.compile(r"[\w.+@:/%-]{4,}")


def sources(
    args: Mapping[str, Json], owner_said: Sequence[str], others: Mapping[str, str]
) -> tuple[str, ...]:
    """The names of the `others` from whose text an argument comes that the owner did not say.

    A value comes from a text that holds it, or holds a piece of it that is an address, a path, a number or
    a name; a value of several words also where most of its words stand there in a row.
    """
    own = _flat(" ".join(owner_said))
    texts = {name: _flat(text) for name, text in others.items()}
    found: set[str] = set()
    for value in _values(args):
        flat = _flat(value)
        if len(flat) < SHORTEST or flat in own:
            continue
        pieces = [piece for piece in {flat, *_telling(flat)} if piece not in own]
        found.update(name for name, text in texts.items() if any(piece in text for piece in pieces))
    return tuple(sorted(found))


def _values(value: Json) -> Iterator[str]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _values(part)
    elif isinstance(value, str | int | float):
        yield str(value)
    else:
        for part in value:
            yield from _values(part)


def _telling(flat: str) -> Iterator[str]:
    """Pieces that hardly stand in two texts by chance: with a digit or a mark, or four words in a row."""
    for piece in _PIECES.findall(flat):
        if any(not char.isalpha() for char in piece.strip(".:-")):
            yield piece.strip(".:-,")
    words = flat.split(" ")
    for at in range(len(words) - 3):
        yield " ".join(words[at : at + 4])


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text.casefold()).strip()
