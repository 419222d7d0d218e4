"""What the mind decides: values in, values out. Constants are of the mind contract, Mind, unless said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from numen.mind.types import (
    Concern,
    Drive,
    IntentionKind,
    Judgement,
    Outcome,
    Quiet,
    Signal,
    State,
)

HALF_LIFE = timedelta(hours=12)
"""After which a concern is half as salient."""

CAPACITY = 24
"""Open concerns at most."""

REST = timedelta(days=7)
"""How long a concern that was resolved is not raised again."""

UNSETTLED = timedelta(minutes=10)
"""After which a claimed message of which nothing was heard is uncertain."""

AWAKE = timedelta(minutes=5)
"""How long after the body's last pull intentions are formed."""

ALONE = timedelta(days=1)
"""After which a body that was not heard of is gone, and Numen is its own body again (ours: a night is
shorter, and a reminder is still worth reading a day later)."""

LIFE = timedelta(hours=72)
"""How long an intention may wait before it is done; as long as an ask (mind contract, Asks)."""

SILENT = timedelta(days=7)
"""After which a task that was given away and not heard of is uncertain (ours: as long as a concern rests)."""

DEFERRED = timedelta(minutes=1)
"""After which what is still proposed was held back by a budget (the tick that forms it judges it)."""

MOST_FORMED = 3
"""Intentions that one tick forms (ours: as many as the owner may be written to in a day)."""

FLOOR = 0.1
"""Salience under which nothing is done (ours: what was raised at 0.5 falls below it after 28 hours)."""

LATEST = 20
"""Entries of a log (wire contract, 1.3)."""

_WAITING = frozenset({State.EXPIRED, State.CANCELLED, State.DROPPED})
_ENDED: frozenset[State] = frozenset()

_COMMON: dict[State, frozenset[State]] = {
    State.PROPOSED: frozenset({State.ASKED, State.APPROVED}) | _WAITING,
    State.ASKED: frozenset({State.APPROVED}) | _WAITING,
    State.EXPIRED: _ENDED,
    State.CANCELLED: _ENDED,
    State.DROPPED: _ENDED,
    State.FAILED: _ENDED,
    State.UNCERTAIN: _ENDED,
}
_TASK = _COMMON | {
    State.APPROVED: frozenset({State.DISPATCHED}) | _WAITING,
    State.DISPATCHED: frozenset(
        {State.DONE, State.FAILED, State.CANCELLED, State.EXPIRED, State.DROPPED, State.UNCERTAIN}
    ),
    State.DONE: _ENDED,
}
_MESSAGE = _COMMON | {
    State.APPROVED: frozenset({State.SENDING}) | _WAITING,
    State.SENDING: frozenset({State.SENT, State.UNCERTAIN, State.FAILED}),
    State.SENT: _ENDED,
}
_NOTE = _COMMON | {State.APPROVED: frozenset({State.DONE}) | _WAITING, State.DONE: _ENDED}

MOVES: Mapping[IntentionKind, Mapping[State, frozenset[State]]] = {
    IntentionKind.TASK: _TASK,
    IntentionKind.GOAL: _TASK,
    IntentionKind.MESSAGE: _MESSAGE,
    IntentionKind.NOTE: _NOTE,
}
"""Every move that an intention of each kind can make; all others are refused."""

WORK = frozenset({IntentionKind.TASK, IntentionKind.GOAL})
"""What is given to a body to be worked on."""

UNSTARTED = frozenset({State.PROPOSED, State.ASKED, State.APPROVED})
"""Where nothing of an intention was done yet."""

_OF_OUTCOME: Mapping[Outcome, State] = {
    Outcome.DONE: State.DONE,
    Outcome.FAILED: State.FAILED,
    Outcome.CANCELLED: State.CANCELLED,
    Outcome.UNCERTAIN: State.UNCERTAIN,
}


def may_move(kind: IntentionKind, before: State, after: State) -> bool:
    """Whether an intention of that kind can make that move."""
    return after in MOVES[kind].get(before, _ENDED)


def is_ended(kind: IntentionKind, state: State) -> bool:
    """Whether nothing can follow on that state."""
    return not MOVES[kind].get(state, _ENDED)


def state_of(outcome: Outcome, final: bool) -> State | None:
    """Where an outcome leads; None where the work goes on."""
    return _OF_OUTCOME.get(outcome) if final else None


def felt(salience: float, since: datetime, now: datetime) -> float:
    """What is left of a salience. Time that goes back leaves it as it was."""
    passed = max((now - since) / HALF_LIFE, 0.0)
    return salience * 0.5**passed


def factor(said: Iterable[tuple[Drive, Judgement]], drive: Drive) -> float:
    """How much a drive is listened to, in (0, 1], by what the owner said of what came of it."""
    good = bad = 0
    for one, judgement in said:
        if one is drive:
            good, bad = good + judgement.is_good, bad + (not judgement.is_good)
    return (1 + good) / (1 + good + bad)


def is_awake(last_pull: datetime | None, now: datetime, *, forced: bool = False) -> bool:
    """Whether intentions are formed: not while a body that was there has gone silent, unless it is forced."""
    return forced or is_own_body(last_pull, now) or (last_pull is not None and now - last_pull <= AWAKE)


def is_own_body(last_pull: datetime | None, now: datetime) -> bool:
    """Whether no body is there, so that what is for the owner goes to the inbox."""
    return last_pull is None or now - last_pull > ALONE


def quiet_until(quiet: Quiet | None, zone: str, now: datetime) -> datetime | None:
    """When quiet hours that hold now will end, in the clock of `zone`; None where they do not hold."""
    if quiet is None or quiet.start == quiet.end:
        return None
    local = now.astimezone(ZoneInfo(zone))
    clock = local.time().replace(tzinfo=None)
    over_night = quiet.start > quiet.end
    inside = clock >= quiet.start or clock < quiet.end if over_night else quiet.start <= clock < quiet.end
    if not inside:
        return None
    day = local.date() + timedelta(days=1 if over_night and clock >= quiet.start else 0)
    return datetime.combine(day, quiet.end, ZoneInfo(zone)).astimezone(now.tzinfo)


def read_quiet(text: str | None) -> Quiet | None:
    """Quiet hours as `22:00-08:00`; None for none. Raises `ValueError`."""
    if text is None or not text.strip():
        return None
    start, dash, end = text.partition("-")
    if not dash:
        raise ValueError("quiet hours are written as 22:00-08:00")
    return Quiet(time.fromisoformat(start.strip()), time.fromisoformat(end.strip()))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to become of concerns, and about which signals something is to be done, the weightiest first.

    `again` are open concerns that stand at another stage now.
    """

    raised: tuple[Signal, ...]
    again: tuple[tuple[Concern, Signal], ...]
    resolved: tuple[Concern, ...]
    crowded: tuple[Concern, ...]
    chosen: tuple[Signal, ...]

    @property
    def changes(self) -> bool:
        """Whether anything is to be written."""
        return bool(self.raised or self.again or self.resolved or self.crowded or self.chosen)


def plan(
    signals: Sequence[Signal],
    known: Sequence[Concern],
    done: Collection[str],
    weights: Mapping[Drive, float],
    now: datetime,
) -> Plan:
    """What follows from what the drives see.

    `known` are the open concerns and those resolved of late; `done` are the keys (`told`) that something was
    intended about. A drive of weight 0 raises nothing, and its concerns are resolved.
    """
    seen: dict[str, Signal] = {}
    for one in signals:
        if weights.get(one.drive, 0.0) > 0.0:
            seen.setdefault(one.key, one)
    opened = {one.key: one for one in known if one.resolved_at is None}
    rests = {
        one.key for one in known if one.resolved_at is not None and now - one.resolved_at < REST
    } - opened.keys()
    fresh = [one for key, one in seen.items() if key not in opened and key not in rests]
    again = [
        (opened[key], one) for key, one in seen.items() if key in opened and opened[key].stage != one.stage
    ]
    resolved = [one for key, one in opened.items() if key not in seen]

    def weight(key: str) -> float:
        one = seen[key]
        before = opened.get(key)
        stays = before is not None and before.stage == one.stage
        salience = felt(before.salience, before.felt_at, now) if before is not None and stays else one.weight
        return salience * weights[one.drive]

    kept = sorted((key for key in seen if key not in rests), key=lambda key: (-weight(key), key))
    over = set(kept[CAPACITY:])
    chosen = [seen[key] for key in kept[:CAPACITY] if weight(key) >= FLOOR and told(seen[key]) not in done]
    return Plan(
        tuple(one for one in fresh if one.key not in over),
        tuple(pair for pair in again if pair[1].key not in over),
        tuple(resolved),
        tuple(opened[key] for key in sorted(over) if key in opened),
        tuple(chosen[:MOST_FORMED]),
    )


def told(signal: Signal) -> str:
    """By which an intention about a signal is known again, so that nothing is said twice."""
    return f"{signal.key}|{signal.stage}"
