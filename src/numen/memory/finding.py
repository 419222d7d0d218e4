"""What is put into the search of memory, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from numen.kernel import Audience
from numen.store import ReadConnection

Vectors = NDArray[np.float32]
"""Rows of unit length: their dot products tell how near two meanings are."""


class Sort(StrEnum):
    """What a row of memory is."""

    TURN = "turn"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Item:
    """A row of memory as search takes it in; its words are read and not kept.

    `contact` is whose row it is, `room` the digest of its room. `session` and `position` (counted from 0 in
    its session) say which rows stand beside it; a row without a session stands alone. `occurred_at` is ISO
    time in UTC. `speaker` is the name of who said it, as people call them, or "" where nobody is named.
    """

    id: str
    kind: Sort
    contact: str
    audience: Audience
    room: str
    text: str
    occurred_at: str
    session: str | None = None
    position: int = 0
    speaker: str = ""
    role: str = ""
    tier: str = ""
    brain: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A row that was found. `score` orders rows of one answer and says nothing across answers."""

    id: str
    kind: Sort
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave: rows best first, or none and `abstained`: nothing here answers the question.

    `searched` tells how much was looked at: `items` that the caller may see and that fit the filters,
    `weighed` rows of them that were scored, `embedded` ones that were compared by meaning. `degraded` names
    each arm that could not help, with the reason after a colon. `chance` is how likely the question has an
    answer here, None where no fit tells.
    """

    rows: tuple[Scored, ...]
    abstained: bool
    searched: Mapping[str, int]
    degraded: tuple[str, ...]
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A text by its meaning: as a `whole`, and part by part; `tokens` are what the parts were made of."""

    whole: NDArray[np.float32]
    parts: Vectors
    tokens: tuple[str, ...]


class Encoder(Protocol):
    """Tells the meanings of texts."""

    @property
    def model(self) -> str:
        """The name of what tells them: meanings of two models cannot be compared."""
        ...

    def encode(self, texts: Sequence[str]) -> Sequence[Meaning]:
        """The meaning of each text; of a long one, of its beginning."""
        ...


MakeEncoder = Callable[[], Encoder]
"""Makes the encoder at its first use. Raises `Unavailable` where its parts are missing or damaged."""

Texts = Callable[[ReadConnection, Sequence[str]], Mapping[str, str]]
"""The words of rows by id, read from where they are kept; a row that is gone is left out."""
