"""The mind as a whole: what is on it, what it has done, whether it is on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from numen.gate import Ask, Autonomy, EffectClass
from numen.kernel import InvalidInput, Scope
from numen.mind import rules, tables
from numen.mind.intentions import Intentions, Means, owner_only
from numen.mind.narrative import narrative
from numen.mind.tick import LAST, Tick
from numen.mind.types import Concern, Intention, IntentionKind, Proposal, State
from numen.people import NotOwner

MOST = 100
"""Entries of a log at most (wire contract, 1.5)."""

TURNS = 20
"""Turns that a goal is worked on at most, where its owner says nothing else (ours)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the mind is on, and how far; the rest is the owner's alone and None for others."""

    enabled: bool
    level: Autonomy
    queued: int | None = None
    asks: tuple[Ask, ...] | None = None
    concerns: int | None = None
    last_tick: datetime | None = None
    last_pull: datetime | None = None
    breaker: tuple[EffectClass, ...] | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries of the log are meant; empty is all of them."""

    limit: int = rules.LATEST
    states: Collection[State] = ()
    kinds: Collection[IntentionKind] = ()
    recipient: str | None = None
    since: timedelta | None = None


class Mind:
    """What the owner may see and say of the mind."""

    def __init__(self, means: Means, intentions: Intentions, tick: Tick) -> None:
        self._means = means
        self._intentions = intentions
        self._tick = tick

    def state(self, scope: Scope) -> Standing:
        """How the mind stands; whoever is not the owner is told whether it is on and at what level."""
        level = self._means.gate.level()
        enabled = not self._means.gate.is_off() and level is not Autonomy.OFF
        if not scope.is_owner:
            return Standing(enabled, level)
        with self._means.store.reading() as connection:
            queued = tables.standing(connection, {State.APPROVED, State.SENDING})
            concerns = tables.known_concerns(connection, self._means.now())
            return Standing(
                enabled,
                level,
                len(queued),
                self._means.asks.waiting(scope, connection),
                sum(one.resolved_at is None for one in concerns),
                self._tick.last or tables.beat(connection, LAST),
                tables.beat(connection, "pull"),
                self._means.gate.tripped(connection),
            )

    def log(self, scope: Scope, wanted: Wanted | None = None) -> tuple[Intention, ...]:
        """What was intended, the newest first. Raises `NotOwner`, `InvalidInput` for a wrong limit."""
        owner_only(scope)
        asked = wanted or Wanted()
        if not 1 <= asked.limit <= MOST:
            raise InvalidInput(f"`limit` must be 1..{MOST}.", not_done="Nothing was read.")
        since = None if asked.since is None else self._means.now() - asked.since
        with self._means.store.reading() as connection:
            return tables.latest(connection, asked.limit, asked.states, asked.kinds, asked.recipient, since)

    def concerns(self, scope: Scope) -> tuple[tuple[Concern, float], ...]:
        """The open concerns and what is left of their salience, the weightiest first. Raises `NotOwner`."""
        owner_only(scope)
        at = self._means.now()
        with self._means.store.reading() as connection:
            known = tables.known_concerns(connection, at)
        left = [(one, rules.felt(one.salience, one.felt_at, at)) for one in known if one.resolved_at is None]
        return tuple(sorted(left, key=lambda pair: (-pair[1], pair[0].id)))

    def goals(self, scope: Scope) -> tuple[Intention, ...]:
        """The goals that were set, the newest first. Raises `NotOwner`."""
        owner_only(scope)
        with self._means.store.reading() as connection:
            return tables.latest(connection, MOST, (), {IntentionKind.GOAL})

    def set_goal(self, scope: Scope, title: str, body: str = "", turns: int = TURNS) -> Intention:
        """Let something be worked on until it is reached. Raises `NotOwner`, `InvalidInput`.

        A run of the mind sets none: only the owner says what is worth so much.
        """
        if scope.via == "mind":
            raise NotOwner("Only the owner sets goals.", not_done="Nothing was set.")
        if not title.strip() or not 1 <= turns <= 1_000:
            raise InvalidInput("A goal has a title, and 1..1000 turns.", not_done="Nothing was set.")
        return self._intentions.propose(scope, Proposal(IntentionKind.GOAL, title, body, turns=turns))

    def set_task(self, scope: Scope, title: str, body: str = "") -> Intention:
        """Let something be done once. Raises `NotOwner`, `InvalidInput`."""
        if not title.strip():
            raise InvalidInput("A task has a title.", not_done="Nothing was set.")
        return self._intentions.propose(scope, Proposal(IntentionKind.TASK, title, body))

    def narrative(self, scope: Scope) -> str:
        """What the mind has done of late, in at most 800 characters, each line with its id; may be empty.

        Raises `NotOwner`.
        """
        owner_only(scope)
        with self._means.store.reading() as connection:
            since = self._means.now() - rules.REST
            return narrative(tables.latest(connection, rules.LATEST, since=since))

    def switch_off(self, scope: Scope) -> int:
        """Switch acting off, and let go of what was not begun; how many. Raises `Forbidden` for others."""
        self._means.gate.turn_off(scope)
        return self._tick.let_go(scope)
