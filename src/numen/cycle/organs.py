"""The organs of a turn in a room: what it finds, may spend, and is shown, and what becomes of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from numen.cycle import packing, rules, voting
from numen.cycle.retrieval import Source, retrieve
from numen.cycle.turning import Found
from numen.cycle.types import (
    Chain,
    Curve,
    Deed,
    Energy,
    Intent,
    Label,
    Packed,
    Passage,
    Plan,
    Routed,
    Signal,
    Snapshot,
    Tank,
    ToolDoc,
)
from numen.gate import Call, Decision, EffectClass, Gate, Lineage, NotAllowed, Outcome, Run, Surroundings
from numen.gate.taint import sources as tainting
from numen.kernel import Clock, InvalidInput, NumenError, Scope

_DEEDS: Mapping[EffectClass, Deed] = {
    EffectClass.READ: Deed.READ,
    EffectClass.INTERNAL: Deed.WRITE,
    EffectClass.EXEC: Deed.EXEC,
    EffectClass.CREDENTIAL: Deed.READ_SECRET,
}
"""What a class of the gate is in a chain; each other one reaches outside."""


class Gauge(Protocol):
    """Who knows something of how things stand."""

    def read(self, scope: Scope) -> Sequence[Signal]:
        """What the caller may know of it, counted. Writes nothing."""
        ...


class Tools(Protocol):
    """The tools of a turn, and who runs them once the gate allowed it."""

    def docs(self) -> Sequence[ToolDoc]:
        """How they are described."""
        ...

    def check(self, intent: Intent) -> None:
        """Raise `InvalidInput` unless the arguments are of the tool's form; nothing is done."""
        ...

    def run(self, intent: Intent) -> str:
        """Do it; what it gave, in words. Raises `NumenError`."""
        ...


class Bucket(Protocol):
    """The energy of a room, kept elsewhere."""

    def level(self) -> Energy:
        """What the room has now."""
        ...

    def reserve(self, choose: Callable[[int], int]) -> bool:
        """Set aside as many tokens as `choose` says of what is there; False where there are not so many."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """What goes into a turn at most, in tokens; `pairs` is for measuring (see `rules.plan`)."""

    found: int = 1_500
    tools: int = 800
    pairs: int | None = None


class RoomOrgans:
    """What a turn works with, for one caller in one room."""

    def __init__(
        self,
        scope: Scope,
        turn: str,
        sources: Sequence[Source],
        gauges: Sequence[Gauge],
        tools: Tools,
        gate: Gate,
        bucket: Bucket,
        tank: Tank,
        clock: Clock,
        curve: Curve | None,
        *,
        model: bool,
        bounds: Bounds,
    ) -> None:
        self._scope = scope
        self._turn = turn
        self._sources = sources
        self._gauges = gauges
        self._tools = tools
        self._gate = gate
        self._bucket = bucket
        self._tank = tank
        self._clock = clock
        self._curve = curve
        self._model = model
        self._bounds = bounds
        self._question = ""
        self._passages: tuple[Passage, ...] = ()
        self.paid = 0
        """Tokens of energy that tools took."""

    def enrich(self, question: str) -> Found:
        """How things stand, and what is known of the question; who could not be asked is named."""
        signals: list[Signal] = []
        notes: list[str] = []
        for gauge in self._gauges:
            try:
                signals += gauge.read(self._scope)
            except NumenError as error:
                notes.append(f"state: {error.what}")
        found = retrieve(self._scope, question, self._sources, self._bounds.found)
        self._question, self._passages = question, found.passages
        return Found(found.passages, rules.joined([Snapshot(tuple(signals))]), (*notes, *found.silent))

    def decide(self, first: int) -> Plan:
        """How deep to think with the energy that is there; so much is set aside."""
        kind = voting.kind_of(self._question)
        plans: list[Plan] = []

        def choose(level: int) -> int:
            plans.append(
                rules.plan(level, first, self._curve, kind, model=self._model, asked=self._bounds.pairs)
            )
            return plans[-1].tokens

        self._bucket.reserve(choose)
        return plans[-1]

    def more(self, amount: int) -> bool:
        """Set so many more tokens aside; False where there are none."""
        return self._bucket.reserve(lambda _: amount)

    def pack(self, question: str) -> tuple[Packed, ...]:
        """The tools that fit; those that the room has not the energy for are locked, and say so."""
        docs = self._tools.docs()
        energy, now = self._bucket.level(), self._clock.now()
        waits = {doc.name: rules.unlocks_in(energy, self._tank, doc.price, now) for doc in docs}
        return packing.pack(question, docs, self._bounds.tools, packing.locks(docs, energy.level, waits))

    def route(self, intents: Sequence[Intent], packed: Sequence[Packed]) -> tuple[Routed, ...]:
        """What became of each intent, in their order: only here one becomes a call, and only by the gate."""
        done: list[Deed] = []
        return tuple(self._routed(intent, packed, done) for intent in intents)

    def _routed(self, intent: Intent, packed: Sequence[Packed], done: list[Deed]) -> Routed:
        shown = {one.doc.name: one for one in packed}
        reason = rules.refusal(intent, {name: one.locked for name, one in shown.items()})
        if reason:
            return Routed(intent.tool, "refused", reason)
        try:
            self._tools.check(intent)
        except InvalidInput as error:
            return Routed(intent.tool, "refused", error.sentences())
        if not self.more(shown[intent.tool].doc.price):
            return Routed(intent.tool, "refused", "the room has not the energy for it")
        self.paid += shown[intent.tool].doc.price
        return self._judged(intent, done)

    def _judged(self, intent: Intent, done: list[Deed]) -> Routed:
        """The call, if the gate allows it. Words that are not the caller's own taint its arguments."""
        texts = {f"{one.source} {one.ref}": one for one in self._passages}
        taint = tainting(intent.args, [self._question], {name: one.text for name, one in texts.items()})
        labels = frozenset({Label.USER, *(texts[name].label for name in taint)})
        call = Call(intent.tool, intent.args)
        effect = self._gate.effect(call, Surroundings(taint=taint))
        deed = _DEEDS.get(effect.cls, Deed.FETCH)
        if rules.chain(done, deed, labels) is Chain.STOP:
            return Routed(intent.tool, "refused", "after a secret was read nothing leaves in the same turn")
        run = Run.OWNER if self._scope.is_owner else Run.GUEST
        lineage = Lineage(self._turn, run, session=self._scope.room.digest())
        verdict = self._gate.judge(self._scope, effect, lineage)
        if verdict.decision is not Decision.ALLOW:
            state = "asked" if verdict.decision is Decision.ASK else "refused"
            return Routed(intent.tool, state, verdict.reason, verdict.ask.code if verdict.ask else None)
        try:
            claim = self._gate.claim(self._scope, verdict, effect.digest)
        except NotAllowed as error:
            return Routed(intent.tool, "refused", error.sentences())
        done.append(deed)
        try:
            words = self._tools.run(intent)
        except NumenError as error:
            self._gate.settle(self._scope, claim, Outcome.FAILED)
            return Routed(intent.tool, "failed", error.sentences())
        self._gate.settle(self._scope, claim, Outcome.DONE)
        return Routed(intent.tool, "done", words)
