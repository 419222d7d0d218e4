"""One turn: its 23 steps in their one order, what each cost, and the best answer that came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from numen.cycle import prompts, rules, voting
from numen.cycle.contrast import Answered, contrast
from numen.cycle.prompts import Composer, Garbled
from numen.cycle.requirements import checked
from numen.cycle.types import (
    DRAWS,
    SIDES,
    Arm,
    CycleFailed,
    Drift,
    Intent,
    Mark,
    Objection,
    Packed,
    Passage,
    Plan,
    Prompt,
    Routed,
    Snapshot,
    Step,
    Thought,
    Why,
)
from numen.kernel import Clock, NumenError, digest, tokens


class Thinker(Protocol):
    """A model, as the cycle asks it."""

    @property
    def name(self) -> str:
        """As it is configured; what a fit names."""
        ...

    def think(self, prompt: Prompt, seed: int) -> Thought:
        """Its answer. Raises `NumenError` where there is none."""
        ...


NOTHING = Snapshot(())
"""Of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a turn is told before it thinks."""

    passages: tuple[Passage, ...] = ()
    snapshot: Snapshot = NOTHING
    notes: tuple[str, ...] = ()


class Organs(Protocol):
    """What a turn works with beside the model; each can be put in alone (`numen cycle selftest`)."""

    def enrich(self, question: str) -> Found:
        """How things stand, and what is known of the question."""
        ...

    def decide(self, first: int) -> Plan:
        """How deep to think, where one call takes `first` tokens; they are set aside."""
        ...

    def more(self, amount: int) -> bool:
        """Set so many more tokens aside; False where there are none."""
        ...

    def pack(self, question: str) -> tuple[Packed, ...]:
        """The tools that fit."""
        ...

    def route(self, intents: Sequence[Intent], packed: Sequence[Packed]) -> tuple[Routed, ...]:
        """What became of what the model would have done."""
        ...


@dataclass(frozen=True, slots=True)
class Habits:
    """How a turn is thought: settings, and the arms of a measurement."""

    lenses: bool = True
    keep_best: bool = True
    calls: int = 3
    """Calls of tools that one turn may make at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a turn is about. `seed` makes its draws, `draws` are its lenses."""

    question: str = field(repr=False)
    seed: int
    draws: Mapping[Step, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a turn."""

    content: str = field(repr=False)
    plan: Plan
    drift: Drift
    routed: tuple[Routed, ...]
    marks: tuple[Mark, ...]
    notes: tuple[str, ...]

    @property
    def spent(self) -> int:
        """Tokens, in and out."""
        return sum(mark.input + mark.output for mark in self.marks)


class NoEnergy(Exception):
    """There is not enough set aside for one more call."""


class Turning:
    """The machine of one turn; made for it and used once.

    `told` hears of each step as it begins, and may end the turn by raising. `late` says that time is up:
    what is left is then passed through, and the best answer so far is given.
    """

    def __init__(
        self,
        asked: Asked,
        organs: Organs,
        thinker: Thinker | None,
        composer: Composer,
        clock: Clock,
        habits: Habits | None = None,
        told: Callable[[Step], None] = lambda _: None,
        late: Callable[[], bool] = lambda: False,
    ) -> None:
        self._asked = asked
        self._organs = organs
        self._thinker = thinker
        self._composer = composer
        self._clock = clock
        self._habits = habits or Habits()
        self._told = told
        self._late = late
        self._at = Step.CONTRAST
        self._found = Found()
        self._plan = Plan(Arm.NONE, 0, 0, Why.NO_MODEL)
        self._best = ""
        self._objections: list[Objection] = []
        self._dealt: tuple[str, ...] = ()
        self._packed: tuple[Packed, ...] = ()
        self._intents: tuple[Intent, ...] = ()
        self._routed: tuple[Routed, ...] = ()
        self._answer = ""
        self._drift = Drift(0, 0, ())
        self._notes: list[str] = []
        self._thoughts: list[tuple[str, Thought]] = []
        self._calls = 0
        self._set_aside = 0
        self.marks: list[Mark] = []
        """Of the steps so far: what a turn that is broken off has spent."""

    @property
    def spent(self) -> int:
        """Tokens so far, those of the step that is under way too."""
        done = sum(mark.input + mark.output for mark in self.marks)
        return done + sum(one.input + one.output for _, one in self._thoughts)

    def run(self) -> Result:
        """Go through all 23 steps. Raises `CycleFailed` where a model was asked and there is no answer."""
        for step in Step:
            self.move(step)
        return Result(
            self._answer, self._plan, self._drift, self._routed, tuple(self.marks), tuple(self._notes)
        )

    def move(self, step: Step) -> None:
        """Do the next step. Raises `ValueError` for any other: nothing is skipped, nothing done twice."""
        if not rules.may_move(self._at, step):
            raise ValueError(f"{step.label} does not follow {self._at.label}")
        self._at = step
        self._told(step)
        began = self._clock.monotonic()
        self._thoughts, note, runs = [], "", rules.runs(step, self._plan.pairs)
        draws = self._asked.draws[step] if step in DRAWS and runs and self._habits.lenses else ()
        self._dealt += draws
        if not runs:
            note = "not at this depth"
        elif self._late() and step not in _ALWAYS:
            runs, note = False, "out of time"
        else:
            try:
                note = self._work(step)
            except NoEnergy:
                runs, note = False, "no energy left for it"
            except CycleFailed:
                raise
            except NumenError as error:
                if step is Step.FIRST_THOUGHT:
                    raise _failed(step, error.what) from error
                runs, note = False, error.code
                self._notes.append(f"{step.label}: {error.what}")
        self.marks.append(self._mark(step, runs, note, draws, began))
        self._thoughts = []

    def _work(self, step: Step) -> str:
        """What a step does; what is to be noted of it."""
        if step in SIDES:
            return self._side(step)
        match step:
            case Step.ENRICH:
                return self._enrich()
            case Step.FIRST_THOUGHT:
                return self._first()
            case Step.INTEGRATE_1 | Step.INTEGRATE_2 | Step.FINAL:
                return self._integrate(step)
            case Step.PACK:
                self._packed = self._organs.pack(self._asked.question) if self._thinker is not None else ()
                return f"{len(self._packed)} tools fit" if self._packed else "no tool fits"
            case Step.GATE:
                return self._intend()
            case Step.ROUTE:
                self._routed = self._organs.route(self._intents, self._packed) if self._intents else ()
                return ", ".join(f"{one.tool}: {one.state}" for one in self._routed) or "nothing was meant"
            case Step.SYNTHESISE:
                return self._synthesise()
            case Step.CONTRAST:
                return self._contrast()
            case _:
                return ""

    def _enrich(self) -> str:
        self._found = self._organs.enrich(self._asked.question)
        self._notes += self._found.notes
        first = self._composer.first(self._asked.question, self._found.passages, self._found.snapshot)
        self._plan = self._organs.decide(tokens(first.text) + first.reply)
        self._set_aside = self._plan.tokens
        return f"{self._plan.arm}: {self._plan.why}"

    def _first(self) -> str:
        if self._plan.arm is Arm.NONE:
            return str(self._plan.why)
        prompt = self._composer.first(self._asked.question, self._found.passages, self._found.snapshot)
        votes = self._plan.size if self._plan.arm is Arm.VOTE else 1
        drafts = [self._think(prompt).text.strip() for _ in range(votes)]
        kind = voting.kind_of(self._asked.question)
        won = rules.voted([voting.normal(kind, one) for one in drafts])
        self._best = next((one for one in drafts if voting.normal(kind, one) == won), "") or drafts[0]
        if not self._best:
            raise _failed(Step.FIRST_THOUGHT, "The model answered with nothing.")
        return f"{votes} votes" if votes > 1 else ""

    def _side(self, step: Step) -> str:
        side = SIDES[step]
        prompt = self._composer.side(side, self._asked.question, self._best, self._dealt)
        try:
            found = prompts.objections(side, self._think(prompt).text)
        except Garbled as why:
            return f"not heard: {why}"
        self._objections += found
        return f"{len(found)} objections"

    def _integrate(self, step: Step) -> str:
        """Answer what was objected; the new draft stays only where it is better."""
        objections, self._objections = self._objections, []
        dealt, self._dealt = self._dealt, ()
        if not objections:
            return "nothing was objected"
        prompt = self._composer.integrate(self._asked.question, self._best, objections, dealt)
        try:
            draft = prompts.integrated(len(objections), self._think(prompt).text)
        except Garbled as why:
            return f"the draft stays: {why}"
        if draft == self._best:
            return "the draft stays: nothing changed"
        if not self._habits.keep_best or self._is_better(draft):
            self._best = draft
            return "the new draft is kept"
        return "the earlier draft is kept"

    def _is_better(self, draft: str) -> bool:
        earlier = checked(self._asked.question, self._best)
        later = checked(self._asked.question, draft)
        preferred = None if rules.keeps(earlier, later, None) else self._preferred(draft)
        return rules.keeps(earlier, later, preferred)

    def _preferred(self, draft: str) -> bool | None:
        """Whether a comparison prefers `draft`, in both orders; None where the two do not agree."""
        try:
            ahead = prompts.preferred(
                self._think(self._composer.compare(self._asked.question, draft, self._best)).text
            )
            behind = prompts.preferred(
                self._think(self._composer.compare(self._asked.question, self._best, draft)).text
            )
        except (Garbled, NoEnergy):
            return None
        return {("A", "B"): True, ("B", "A"): False}.get((ahead, behind))

    def _intend(self) -> str:
        if not self._packed or not self._best:
            return "nothing to hand over"
        prompt = self._composer.intent(self._asked.question, self._best, self._packed)
        try:
            self._intents = prompts.intents(self._think(prompt).text, self._habits.calls)
        except Garbled as why:
            return f"no intent: {why}"
        return ", ".join(one.tool for one in self._intents) or "no tool is wanted"

    def _synthesise(self) -> str:
        self._answer = self._best or self._unthought()
        if not self._routed:
            return ""
        prompt = self._composer.synthesise(self._asked.question, self._best, self._routed)
        said = self._think(prompt).text.strip()
        if not said:
            return "the final cognition stays: it is empty"
        self._answer = said
        return "with what the tools gave"

    def _contrast(self) -> str:
        grounds = [one.text for one in self._found.passages] + [one.words for one in self._routed]
        self._drift = contrast(
            Answered(
                self._asked.question,
                self._best or self._answer,
                self._answer,
                grounds,
                [one.tool for one in self._intents],
                [one.tool for one in self._routed],
                [one.doc.name for one in self._packed],
            )
        )
        return f"{self._drift.held} of {self._drift.checks} held"

    def _unthought(self) -> str:
        """What is answered where no model was asked: why, and what is known."""
        rows = [f"- {' '.join(one.text.split())} ({one.source} {one.ref})" for one in self._found.passages]
        why = (
            "No model is configured, so nothing was thought through; `numen model use` names one."
            if self._plan.why is Why.NO_MODEL
            else "This room has not the energy for one call now, so nothing was thought through."
        )
        known = "What is known of it:" if rows else "Nothing is known here of what was asked."
        return "\n".join((why, known, *rows))

    def _think(self, prompt: Prompt) -> Thought:
        """One call of the model, for which so much is set aside as it can take."""
        if self._thinker is None or (self._late() and self._best):
            raise NoEnergy
        need = tokens(prompt.text) + prompt.reply
        missing = self.spent + need - self._set_aside
        if missing > 0:
            if not self._organs.more(missing):
                raise NoEnergy
            self._set_aside += missing
        self._calls += 1
        thought = self._thinker.think(prompt, self._asked.seed + self._calls)
        self._thoughts.append((digest(prompt.text.encode("utf-8", "backslashreplace")), thought))
        return thought

    def _mark(self, step: Step, runs: bool, note: str, draws: tuple[str, ...], began: float) -> Mark:
        return Mark(
            step,
            runs,
            note,
            len(self._thoughts),
            sum(one.input for _, one in self._thoughts),
            sum(one.output for _, one in self._thoughts),
            tuple(name for name, _ in self._thoughts),
            draws,
            tuple(one.ref for one in self._found.passages) if step is Step.ENRICH else (),
            round((self._clock.monotonic() - began) * 1000),
        )


_ALWAYS = frozenset({Step.INPUT, Step.ENRICH, Step.FIRST_THOUGHT, Step.SYNTHESISE, Step.CONTRAST})
"""Steps without which there is no answer; those of them that ask a model look at the time themselves."""


def _failed(step: Step, what: str) -> CycleFailed:
    return CycleFailed(
        f"The cycle failed at step {int(step)}, {step.label}: {what}",
        not_done="There is no answer; what was spent is counted.",
        next_step="Ask again, or look at the model with `numen model test`.",
    )
