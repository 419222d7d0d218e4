"""Everything that went into a turn, kept where a room was told to keep it: what a replay is made from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import cast

from pydantic import TypeAdapter

from numen.cycle.prompts import Composer
from numen.cycle.turning import Asked, Found, Habits, Organs, Result, Thinker, Turning
from numen.cycle.types import Intent, Packed, Plan, Prompt, Routed, Step, Thought, ToolDoc
from numen.kernel import Clock, Conflict, Json, canonical_text, digest


@dataclass(frozen=True, slots=True)
class PackedRow:
    """A tool as it was shown: `schema` as canonical JSON."""

    name: str
    summary: str
    schema: str
    locked: str


@dataclass(frozen=True, slots=True)
class Tape:
    """What a turn was given and what it heard. `prompts` are the digests that the thoughts answer."""

    question: str
    seed: int
    draws: Mapping[Step, tuple[str, ...]]
    preface: str
    mark: str
    reply: int
    lenses: bool
    keep_best: bool
    calls: int
    model: str | None
    found: Found = field(default_factory=Found)
    plan: Plan | None = None
    more: tuple[bool, ...] = ()
    packed: tuple[PackedRow, ...] = ()
    routed: tuple[Routed, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    prompts: tuple[str, ...] = ()


def write(tape: Tape) -> str:
    """The tape as text."""
    return _adapter().dump_json(tape).decode("utf-8")


def read(text: str) -> Tape:
    """The tape that a text holds. Raises `ValueError` for one that is none."""
    return _adapter().validate_json(text)


class Recorder:
    """Organs and a thinker that pass everything on and remember it."""

    def __init__(self, organs: Organs, thinker: Thinker | None, blank: Tape) -> None:
        self._organs = organs
        self._thinker = thinker
        self.tape = blank
        """What was heard so far."""

    @property
    def name(self) -> str:
        """The thinker's."""
        return "" if self._thinker is None else self._thinker.name

    def think(self, prompt: Prompt, seed: int) -> Thought:
        """As the thinker does."""
        assert self._thinker is not None, "without a thinker nobody asks it"
        thought = self._thinker.think(prompt, seed)
        asked = (*self.tape.prompts, digest(prompt.text.encode("utf-8", "backslashreplace")))
        self.tape = replace(self.tape, thoughts=(*self.tape.thoughts, thought), prompts=asked)
        return thought

    def enrich(self, question: str) -> Found:
        """As the organs do."""
        found = self._organs.enrich(question)
        self.tape = replace(self.tape, found=found)
        return found

    def decide(self, first: int) -> Plan:
        """As the organs do."""
        plan = self._organs.decide(first)
        self.tape = replace(self.tape, plan=plan)
        return plan

    def more(self, amount: int) -> bool:
        """As the organs do."""
        given = self._organs.more(amount)
        self.tape = replace(self.tape, more=(*self.tape.more, given))
        return given

    def pack(self, question: str) -> tuple[Packed, ...]:
        """As the organs do."""
        packed = self._organs.pack(question)
        rows = tuple(
            PackedRow(one.doc.name, one.doc.summary, canonical_text(one.doc.schema), one.locked)
            for one in packed
        )
        self.tape = replace(self.tape, packed=rows)
        return packed

    def route(self, intents: Sequence[Intent], packed: Sequence[Packed]) -> tuple[Routed, ...]:
        """As the organs do."""
        routed = self._organs.route(intents, packed)
        self.tape = replace(self.tape, routed=routed)
        return routed


class Player:
    """Organs and a thinker that say again what a tape holds, and do nothing."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._thoughts = iter(zip(tape.prompts, tape.thoughts, strict=True))
        self._more: Iterator[bool] = iter(tape.more)
        self.name = tape.model or ""
        """The model's that spoke then."""

    def think(self, prompt: Prompt, seed: int) -> Thought:
        """What was answered then. Raises `Conflict` where something else would be asked now."""
        asked, thought = next(self._thoughts, ("", None))
        if thought is None or asked != digest(prompt.text.encode("utf-8", "backslashreplace")):
            raise Conflict(
                "This turn would ask its model something else now.", not_done="It was not replayed."
            )
        return thought

    def enrich(self, question: str) -> Found:
        """What was found then."""
        return self._tape.found

    def decide(self, first: int) -> Plan:
        """What was decided then."""
        assert self._tape.plan is not None, "a tape is kept of a turn that came to its end"
        return self._tape.plan

    def more(self, amount: int) -> bool:
        """What was granted then."""
        return next(self._more, False)

    def pack(self, question: str) -> tuple[Packed, ...]:
        """What was shown then."""
        return tuple(
            Packed(
                ToolDoc(row.name, row.summary, cast("Mapping[str, Json]", json.loads(row.schema))), row.locked
            )
            for row in self._tape.packed
        )

    def route(self, intents: Sequence[Intent], packed: Sequence[Packed]) -> tuple[Routed, ...]:
        """What became of it then; nothing is called again."""
        return self._tape.routed


def replay(tape: Tape, clock: Clock) -> Result:
    """The turn once more, from its tape alone. Raises `Conflict` where it would go another way now."""
    player = Player(tape)
    return Turning(
        Asked(tape.question, tape.seed, tape.draws),
        player,
        None if tape.model is None else player,
        Composer(tape.preface, tape.mark, tape.reply),
        clock,
        Habits(tape.lenses, tape.keep_best, tape.calls),
    ).run()


@cache
def _adapter() -> TypeAdapter[Tape]:
    return TypeAdapter(Tape)
