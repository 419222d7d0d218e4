"""What a sealed value is to those who never see it: a reference, an entry, a demand and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from numen.kernel import Json, Unavailable

Span = tuple[int, int]
"""Where something stands in a text: from, and up to but not including, in characters."""


class Finding(Protocol):
    """A value that was found in a text: where, of which kind, and what it is called (never the value)."""

    @property
    def start(self) -> int:
        """Where it begins, in characters."""
        ...

    @property
    def end(self) -> int:
        """Where it has ended."""
        ...

    @property
    def kind(self) -> str:
        """The rule that found it."""
        ...

    @property
    def label(self) -> str:
        """What it is for, in the words around it or of its kind."""
        ...


Find = Callable[[str], Sequence[Finding]]
"""Finds every value in a text; finds none in a reference, nor in what stands for a withheld one."""


class VaultLocked(Unavailable):
    """The vault cannot be used: its key is missing or another one, or what is kept is damaged."""

    code = "vault_locked"


class State(StrEnum):
    """What became of a value.

    `sealed`: kept, and never shown. `released`: the owner said that it is no secret, so it is left as it is
    where it is said again. `forgotten`: gone for good; its reference stays. `unavailable`: kept, but it
    cannot be opened now.
    """

    SEALED = "sealed"
    RELEASED = "released"
    FORGOTTEN = "forgotten"
    UNAVAILABLE = "unavailable"


class Purpose(StrEnum):
    """What a value is wanted for (secrets contract, Resolve)."""

    SEND = "send"
    FILL = "fill"
    USE = "use"
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True)
class Reference:
    """What stands for a value in words."""

    ref: str
    label: str

    def __str__(self) -> str:
        """As it is written in a text."""
        return f"[secret {self.ref}: {self.label}]"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A text in which references stand for the values that were in it.

    `references` are those of this text's own values, in order; one that somebody typed is not among them.
    `released` says where, in `text`, a value stands as it came because the owner released it. `withheld`
    counts the values that could not be sealed and stand nowhere any more, and `why` says the reason.
    """

    text: str
    references: tuple[Reference, ...] = ()
    released: tuple[Span, ...] = ()
    withheld: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the owner is told of a value. `whose` is `owner`, a contact or key id, a handle, or a room."""

    ref: str
    label: str
    state: State
    whose: str
    created_at: datetime
    uses: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The complete call that a value is to go into, with references in it; `target` is where it leads."""

    tool: str
    arguments: Mapping[str, Json]
    target: str = ""


@dataclass(frozen=True, slots=True)
class Demand:
    """Values that are wanted, and what for.

    `own_refs` are those that the caller saw sealed from the owner's latest message in this chat. `call` is
    needed to fill, `message` (an outgoing message's id) to send.
    """

    refs: tuple[str, ...]
    purpose: Purpose
    own_refs: frozenset[str] = frozenset()
    call: ToolCall | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that the owner answers with one tap: its code, and its words."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of each reference of a demand: it is in exactly one of the four."""

    values: Mapping[str, str] = field(repr=False)
    refused: Mapping[str, str]
    asks: Mapping[str, Ask]
    unavailable: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A sealed value, for the output filter alone, which takes it out of whatever leaves."""

    reference: Reference
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Comparable:
    """What the output filter can compare with: values, and the references of those that it cannot open.

    `why` says what is wrong where some cannot be opened, and is empty where all are.
    """

    guarded: tuple[Guarded, ...] = field(default=(), repr=False)
    lost: frozenset[str] = frozenset()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """What a rotation did: the ids of both keys, how many values moved, and which could not be opened."""

    before: str | None
    after: str
    moved: int
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoneThrough:
    """What was found in words kept from before: how many texts were seen, and how many held values."""

    seen: int
    sealed: int


@dataclass(frozen=True, slots=True)
class Health:
    """How the vault stands: `key_id` and `place` of its key, the values kept, those that cannot be opened.

    `why` says what is wrong, and is empty where nothing is. A vault that was never needed has no key.
    """

    key_id: str | None
    place: str
    kept: int
    unavailable: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message about to be sent: whether to the owner, and the references in words that he dictated."""

    to_owner: bool
    dictated: frozenset[str] = frozenset()
