"""Missions as values: letters that follow one another, and which phase may follow which. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from numen.kernel import Conflict, InvalidInput, Json, iso

LONGEST_TEXT = 4_000
"""Characters of a letter: as of a task (`rules.MAX_TASK`)."""

LONGEST_TITLE = 120
"""Characters of a title and of a receipt's or command's line in a menu: one and a half lines (ours)."""

LONGEST_RECEIPT = 500
"""Characters of a receipt or of a gate's command (ours)."""

LONGEST_NAME = 80
"""Characters of an agent's name that are kept (ours)."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_HASH = re.compile(r"(?:[a-z0-9]{1,16}:)?[0-9a-f]{7,128}")


class Phase(StrEnum):
    """Where a mission stands, in the order in which it usually goes."""

    JUDGING = "judging"
    EXECUTING = "executing"
    GATE = "gate"
    REVIEW = "review"
    MERGE_WAIT = "merge_wait"
    LANDED = "landed"
    FAILED = "failed"
    ARCHIVED = "archived"


_WORK = frozenset({Phase.JUDGING, Phase.EXECUTING, Phase.GATE, Phase.REVIEW, Phase.MERGE_WAIT, Phase.FAILED})

MOVES: Mapping[Phase | None, frozenset[Phase]] = {
    None: frozenset({Phase.JUDGING, Phase.EXECUTING}),
    Phase.JUDGING: _WORK,
    Phase.EXECUTING: _WORK,
    Phase.GATE: _WORK,
    Phase.REVIEW: _WORK,
    Phase.FAILED: _WORK,
    Phase.MERGE_WAIT: _WORK | {Phase.LANDED, Phase.ARCHIVED},
    Phase.LANDED: frozenset({Phase.ARCHIVED}),
    Phase.ARCHIVED: frozenset(),
}
"""Phase of the head -> phases that a letter may bring; None is a mission that is not there yet."""

CLOSED = frozenset({Phase.LANDED, Phase.ARCHIVED})
"""Phases in which nothing is left to be done."""


class StaleHead(Conflict):
    """Another letter came first: the head that was named is not the mission's head."""

    code = "stale_head"


@dataclass(frozen=True, slots=True)
class Gate:
    """What was run to see whether the work holds, how it ended, and what it was run on."""

    command: str
    exit_status: int
    artifact_hash: str

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "command": self.command,
            "exit_status": self.exit_status,
            "artifact_hash": self.artifact_hash,
        }


@dataclass(frozen=True, slots=True)
class NewLetter:
    """A letter to post. `head` is the letter that it follows, None where it opens the mission."""

    mission: str
    phase: Phase
    text: str = field(default="", repr=False)
    agent: str = ""
    head: str | None = None
    title: str = field(default="", repr=False)
    gate: Gate | None = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter of a mission, the `n`-th; letters are ordered by `n`, whatever the clock said."""

    id: str
    mission: str
    n: int
    phase: Phase
    text: str = field(repr=False)
    agent: str
    gate: Gate | None
    receipt: str | None
    at: datetime

    def as_json(self) -> dict[str, Json]:
        """The wire form; what a letter does not have is absent."""
        body: dict[str, Json] = {
            "id": self.id,
            "n": self.n,
            "phase": self.phase,
            "agent": self.agent,
            "at": iso(self.at),
        }
        if self.text:
            body["text"] = self.text
        if self.gate is not None:
            body["gate"] = self.gate.as_json()
        if self.receipt is not None:
            body["receipt"] = self.receipt
        return body


@dataclass(frozen=True, slots=True)
class Mission:
    """Where a mission stands: its head is the id of its last letter, `n` how many letters it has."""

    id: str
    whose: str
    title: str = field(repr=False)
    head: str
    phase: Phase
    n: int
    opened_at: datetime
    moved_at: datetime

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "mission": self.id,
            "title": self.title,
            "phase": self.phase,
            "head": self.head,
            "letters": self.n,
            "opened_at": iso(self.opened_at),
            "moved_at": iso(self.moved_at),
        }


def mission_id(text: str) -> str:
    """`text` as the name of a mission. Raises `InvalidInput` for a path, a space, or anything longer."""
    if _ID.fullmatch(text) is None:
        raise _refused(
            "A mission's name has 1 to 64 letters, digits, - and _.", "Name it as fix-login, not as a path."
        )
    return text


def checked(new: NewLetter) -> NewLetter:
    """`new`, if it says all that its phase needs. Raises `InvalidInput` that says what is missing."""
    mission_id(new.mission)
    for what, text, most in (
        ("text", new.text, LONGEST_TEXT),
        ("title", new.title, LONGEST_TITLE),
        ("receipt", new.receipt or "", LONGEST_RECEIPT),
        ("gate's command", new.gate.command if new.gate else "", LONGEST_RECEIPT),
        ("agent's name", new.agent, LONGEST_NAME),
    ):
        if len(text) > most:
            raise _refused(f"The {what} has more than {most:,} characters.", "Say it more briefly.")
    if new.phase is Phase.MERGE_WAIT and new.gate is None:
        raise _refused("merge_wait needs a gate.", "Give its command, exit status and artifact hash.")
    if new.phase is Phase.LANDED and not (new.receipt or "").strip():
        raise _refused("landed needs a receipt.", "Name the commit that landed, or where it can be seen.")
    if new.gate is not None:
        _check_gate(new.gate, new.phase)
    return new


def check_move(before: Phase | None, after: Phase) -> None:
    """Raise `InvalidInput` where a letter may not bring a mission from `before` to `after`."""
    if after in MOVES[before]:
        return
    where = "A mission that is not there yet" if before is None else f"A mission in {before}"
    may = ", ".join(phase for phase in Phase if phase in MOVES[before])
    raise _refused(f"{where} cannot be {after} next.", f"It can be: {may}." if may else "It is over.")


def _check_gate(gate: Gate, phase: Phase) -> None:
    if not gate.command.strip():
        raise _refused("The gate names no command.", "Name what was run.")
    if _HASH.fullmatch(gate.artifact_hash) is None:
        raise _refused(
            "The gate's artifact hash is no hash.", "Give the commit, or a digest of what was judged."
        )
    if phase is Phase.MERGE_WAIT and gate.exit_status != 0:
        raise _refused(
            f"The gate ended with {gate.exit_status}: this is not ready for a person.",
            "Post it as gate or failed.",
        )


def _refused(what: str, next_step: str) -> InvalidInput:
    return InvalidInput(what, not_done="No letter was posted.", next_step=next_step)
