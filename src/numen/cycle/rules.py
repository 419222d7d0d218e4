"""What may follow what, what may be spent, and which answer stays: values in, a verdict out.

There is no number here but 0 and 1: each other one is a setting or was fitted (decision 29).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from numen.cycle.types import (
    DEEPEST,
    INTEGRATES,
    PAIR_OF,
    SIDES,
    Arm,
    Chain,
    Curve,
    Deed,
    Depth,
    Energy,
    Intent,
    Label,
    Plan,
    Said,
    Snapshot,
    Step,
    Tank,
    Why,
)

_HOUR = timedelta(hours=1)
_LEAVES = frozenset({Deed.FETCH, Deed.WRITE, Deed.EXEC})
"""Deeds by which something that was read can get out or do harm."""
_FOREIGN = frozenset({Label.TOOL, Label.WEB, Label.MODEL, Label.MEMORY})
"""Words that nobody in the room vouches for."""


def following(step: Step) -> Step:
    """The step that comes after `step`; after the last one comes the first of the next turn."""
    return Step(step % len(Step) + 1)


def may_move(before: Step, after: Step) -> bool:
    """Whether a turn may go from one step to another: forward by one, and in no other way."""
    return after is following(before)


def runs(step: Step, pairs: int) -> bool:
    """Whether a step has anything to do in a turn of so many pairs; the others are passed through.

    The pairs that run are the first ones: what is left out is left out at the end.
    """
    if step in PAIR_OF:
        return PAIR_OF[step] < pairs
    if step in INTEGRATES and step is not Step.FINAL:
        return any(pair < pairs for pair in INTEGRATES[step])
    return True


def passes(plan: Plan) -> int:
    """How much thinking a plan holds: 0 none, 1 the first thought, and 1 more a pair or a further vote."""
    match plan.arm:
        case Arm.NONE:
            return 0
        case Arm.SINGLE:
            return 1
        case Arm.VOTE:
            return plan.size
        case Arm.PAIRS:
            return 1 + plan.size


def asks_of(pairs: int) -> int:
    """How often a model is asked in a turn of so many pairs: the first thought, two sides a pair, and each
    integration with its two comparisons."""
    sides = sum(runs(step, pairs) for step in SIDES)
    integrations = sum(any(pair < pairs for pair in answered) for answered in INTEGRATES.values())
    return 1 + sides + integrations + integrations + integrations


# Energy


def refilled(energy: Energy, tank: Tank, now: datetime) -> Energy:
    """What a room has at `now`. Parts of a token are kept as time; a clock that goes back takes nothing."""
    elapsed = now - energy.at
    if elapsed <= timedelta(0) or energy.level >= tank.capacity:
        return Energy(min(energy.level, tank.capacity), max(now, energy.at))
    gained = elapsed * tank.per_hour // _HOUR
    if energy.level + gained >= tank.capacity:
        return Energy(tank.capacity, now)
    return Energy(energy.level + gained, energy.at + gained * _HOUR / tank.per_hour if gained else energy.at)


def reserve(energy: Energy, tank: Tank, amount: int, now: datetime) -> Energy | None:
    """What is left when `amount` is set aside before it is spent; None where there is not so much."""
    have = refilled(energy, tank, now)
    return replace(have, level=have.level - amount) if have.level >= amount else None


def settle(energy: Energy, tank: Tank, reserved: int, spent: int, now: datetime) -> Energy:
    """What is left when `spent` is known of what was `reserved`: the rest comes back, more is owed."""
    have = refilled(energy, tank, now)
    return replace(have, level=min(tank.capacity, have.level + reserved - spent))


def unlocks_in(energy: Energy, tank: Tank, price: int, now: datetime) -> timedelta:
    """How long until a room has `price`: finite, since none asks for more than the tank holds."""
    missing = min(price, tank.capacity) - refilled(energy, tank, now).level
    return max(timedelta(0), missing * _HOUR / tank.per_hour)


# Depth


def plan(
    level: int, first: int, curve: Curve | None, kind: str, *, model: bool, asked: int | None = None
) -> Plan:
    """How deep a turn thinks: the longest measured depth that it can afford, else one call, else none.

    `first` is what one call takes at most. Without a fit for the model it is one call (decision 29). `asked`
    is for measuring: so many pairs, whatever was fitted, as long as there is energy for them.
    """
    if not model:
        return Plan(Arm.NONE, 0, 0, Why.NO_MODEL)
    if level < first:
        return Plan(Arm.NONE, 0, 0, Why.NO_ENERGY)
    single = Plan(Arm.SINGLE, 1, first, Why.NO_FIT)
    if asked is not None:
        depths = [Depth(Arm.PAIRS, size, first * asks_of(size)) for size in range(1, min(asked, DEEPEST) + 1)]
        return _deepest(level, replace(single, why=Why.ASKED), depths)
    if curve is None or kind not in curve.classes:
        return single
    return _deepest(level, replace(single, why=Why.FIT), curve.classes[kind])


def _deepest(level: int, single: Plan, depths: Sequence[Depth]) -> Plan:
    found = single
    for depth in depths:
        if depth.tokens > level:
            return replace(found, why=Why.ENERGY)
        found = Plan(depth.arm, depth.size, depth.tokens, single.why)
    return found


# Admission


def join(parts: Iterable[Said]) -> frozenset[Label]:
    """From whom words come that were made of `parts`: from everyone of theirs."""
    return frozenset[Label]().union(*(part.labels for part in parts))


def may_instruct(said: Said) -> bool:
    """Whether words may stand where they instruct: only what comes from an operator and from nobody else."""
    return said.labels == frozenset({Label.OPERATOR})


def chain(done: Iterable[Deed], deed: Deed, labels: frozenset[Label]) -> Chain:
    """Whether a call may follow on what was done, judged by what the calls do and never by their words.

    After a secret was read nothing leaves; what foreign words ask for is asked about unless it only reads.
    """
    if deed is Deed.READ:
        return Chain.GO
    if deed in _LEAVES and Deed.READ_SECRET in set(done):
        return Chain.STOP
    if deed is Deed.READ_SECRET or labels & _FOREIGN:
        return Chain.ASK
    return Chain.GO


def refusal(intent: Intent, packed: Mapping[str, str]) -> str:
    """Why an intent is not routed: its tool was not packed, or is locked; empty where it may be.

    `packed` holds the tools that the model was shown, each with why it is locked.
    """
    if intent.tool not in packed:
        return f"`{intent.tool}` is not among the tools of this turn."
    return packed[intent.tool]


# Which answer stays


@dataclass(frozen=True, slots=True)
class Checked:
    """How many of the requirements an answer meets."""

    met: int
    of: int


def keeps(earlier: Checked, later: Checked, preferred: bool | None) -> bool:
    """Whether a later answer takes the place of an earlier one.

    Only where it meets more requirements, or as many and a comparison that does not know which is which
    prefers it. `preferred` is None where the comparison did not come to one end.
    """
    if later.met * earlier.of != earlier.met * later.of:
        return later.met * earlier.of > earlier.met * later.of
    return preferred is True


def voted(answers: Sequence[str]) -> str | None:
    """The answer that most gave, the earliest of equals; None where there is none."""
    given = [one for one in answers if one]
    return max(given, key=lambda one: (given.count(one), -given.index(one)), default=None)


def error_rate(outcomes: Sequence[bool], whole: int) -> int:
    """The share of failures among `outcomes`, in parts of `whole`."""
    return outcomes.count(False) * whole // len(outcomes) if outcomes else 0


def joined(snapshots: Iterable[Snapshot]) -> Snapshot:
    """All signals of several snapshots, each once, in one order."""
    rows = {one for snapshot in snapshots for one in snapshot.signals}
    return Snapshot(tuple(sorted(rows, key=lambda one: (one.name, one.source, one.value))))
