"""Each organ run alone, with stubs in place of all others: `numen cycle selftest`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import product

from numen.cycle import contrast, identity, lenses, packing, prompts, retrieval, rules, tape, voting
from numen.cycle.prompts import Composer, Garbled
from numen.cycle.requirements import checked
from numen.cycle.turning import Asked, Found, Turning
from numen.cycle.types import (
    Arm,
    Curve,
    Deed,
    Depth,
    Energy,
    Intent,
    Label,
    Packed,
    Passage,
    Plan,
    Prompt,
    Routed,
    Said,
    Side,
    Signal,
    Snapshot,
    Step,
    Tank,
    Thought,
    ToolDoc,
    Why,
)
from numen.kernel import Clock, Json, RoomKey, canonical_bytes, tokens


class EchoThinker:
    """A stub of the model: says the user's part of its prompt."""

    name = "echo"
    """As it is shown."""

    def think(self, prompt: Prompt, seed: int) -> Thought:
        """The words it was given."""
        return Thought(prompt.user, tokens(prompt.text), tokens(prompt.user))


class Echo:
    """A stub of every organ: finds the question, shows one tool, and says each intent again."""

    def __init__(self, pairs: int = 0) -> None:
        self._plan = Plan(Arm.PAIRS, pairs, 0, Why.ASKED) if pairs else Plan(Arm.SINGLE, 1, 0, Why.ASKED)

    def enrich(self, question: str) -> Found:
        """The question itself."""
        return Found((Passage("echo", "1", question, Label.USER),))

    def decide(self, first: int) -> Plan:
        """As many pairs as it was made for."""
        return self._plan

    def more(self, amount: int) -> bool:
        """Always."""
        return True

    def pack(self, question: str) -> tuple[Packed, ...]:
        """One tool, whatever is asked."""
        return (Packed(ToolDoc("echo", "says it again", {"type": "object"})),)

    def route(self, intents: Sequence[Intent], packed: Sequence[Packed]) -> tuple[Routed, ...]:
        """Each intent's name."""
        return tuple(Routed(one.tool, "done", one.tool) for one in intents)


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of an organ that was run alone: whether it did what it is for, and what it did."""

    organ: str
    ok: bool
    says: str

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"organ": self.organ, "ok": self.ok, "says": self.says}


def selftest(clock: Clock) -> tuple[Trial, ...]:
    """Run every organ alone: each on two inputs, whose answers must differ as they should."""
    trials: list[tuple[str, Callable[[], tuple[bool, str]]]] = [
        ("machine", partial(_machine, clock)),
        ("energy", partial(_energy, clock)),
        ("depth", _depth),
        ("state", _state),
        ("retrieval", _retrieval),
        ("lenses", _lenses),
        ("pairs", _pairs),
        ("keep_best", _keep_best),
        ("voting", _voting),
        ("packing", _packing),
        ("admission", _admission),
        ("contrast", _contrast),
        ("identity", partial(_identity, clock)),
        ("replay", partial(_replay, clock)),
    ]
    return tuple(Trial(name, *trial()) for name, trial in trials)


def _machine(clock: Clock) -> tuple[bool, str]:
    moves = sum(rules.may_move(*pair) for pair in product(Step, Step))
    machine = Turning(
        Asked("a question", 1, dict.fromkeys(Step, ())),
        Echo(4),
        EchoThinker(),
        Composer("An echo.", "mark", 64),
        clock,
    )
    result = machine.run()
    calls = sum(mark.calls for mark in result.marks)
    ok = moves == len(Step) and [mark.step for mark in result.marks] == list(Step)
    return ok, f"{moves} of {len(Step) ** 2} moves allowed; {len(result.marks)} steps, {calls} calls"


def _energy(clock: Clock) -> tuple[bool, str]:
    tank, now = Tank(1_000, 500), clock.now()
    held = rules.reserve(Energy(800, now), tank, 300, now)
    left = None if held is None else rules.settle(held, tank, 300, 100, now)
    later = None if left is None else rules.refilled(left, tank, now + timedelta(hours=2))
    ok = left is not None and left.level == 700 and later is not None and later.level == 1_000
    return (
        ok,
        f"800 less 100 spent is {left.level if left else '?'}, and {later.level if later else '?'} later",
    )


def _depth() -> tuple[bool, str]:
    curve = Curve("m", "d", {"open": (Depth(Arm.PAIRS, 1, 500), Depth(Arm.PAIRS, 2, 900))})
    found = [rules.passes(rules.plan(level, 100, curve, "open", model=True)) for level in (50, 200, 600, 999)]
    return found == [0, 1, 2, 3], f"passes at 50, 200, 600, 999 tokens: {found}"


def _state() -> tuple[bool, str]:
    one, two = Signal("commitments", 2, "memory"), Signal("contradictions", 1, "memory")
    here = canonical_bytes(rules.joined([Snapshot((one, two))]).as_json())
    same = canonical_bytes(rules.joined([Snapshot((two,)), Snapshot((one,))]).as_json())
    other = canonical_bytes(rules.joined([Snapshot((one,))]).as_json())
    return here == same != other, f"{len(here)} bytes, equal for equal states"


def _retrieval() -> tuple[bool, str]:
    rows = {
        "memory": [Passage("memory", "1", "the red house on the hill", Label.MEMORY)],
        "graph": [Passage("graph", "2", "def red_house(): ...", Label.TOOL)],
    }
    question = "who owns the red house on the hill"
    weights = {name: retrieval.weight(question, found) for name, found in rows.items()}
    kept, refused = retrieval.admit(retrieval.fused(rows, weights), tokens(rows["memory"][0].text))
    ok = [row.source for row in kept] == ["memory"] and refused == (("2", "no_room"),)
    return ok, ", ".join(f"{name} {weight:.2f}" for name, weight in sorted(weights.items()))


def _lenses() -> tuple[bool, str]:
    ada, bob = (RoomKey(name, "c", "s").digest() for name in ("ada", "bob"))
    dealt = lenses.deal(ada, 1)
    ok = dealt == lenses.deal(ada, 1) and dealt != lenses.deal(bob, 1) and dealt != lenses.deal(ada, 2)
    return ok and len(lenses.DECK) == 56, f"{len(lenses.DECK)} lenses, {sum(map(len, dealt.values()))} dealt"


def _pairs() -> tuple[bool, str]:
    row = {"target": "it", "severity": "low", "evidence": "none", "check": "look"}
    heard = prompts.objections(Side.DOUBT, json.dumps({"pass": "doubt", "objections": [row]}))
    refused = 0
    for text in ("", "no", json.dumps({"pass": "flow", "objections": []})):
        try:
            prompts.objections(Side.DOUBT, text)
        except Garbled:
            refused += 1
    return len(heard) == 1 and refused == 3, f"1 objection heard; {refused} garbled answers refused"


def _keep_best() -> tuple[bool, str]:
    asked = "Answer yes or no."
    worse, better = checked(asked, "perhaps"), checked(asked, "yes")
    ok = rules.keeps(worse, better, None) and not rules.keeps(better, worse, preferred=True)
    return ok, f"{worse.met} of {worse.of} gives way to {better.met} of {better.of}, and not back"


def _voting() -> tuple[bool, str]:
    answers = [voting.normal(voting.NUMBER, text) for text in ("It is 7.", "8", "3 + 4 = 7")]
    return rules.voted(answers) == "7", f"{answers} gives {rules.voted(answers)}"


def _packing() -> tuple[bool, str]:
    docs = [
        ToolDoc("recall", "What was said or is known.", {}, ("what did Ada say",)),
        ToolDoc("seek", "Find code by words.", {}, ("find the code of a function",)),
    ]
    found = [[one.doc.name for one in packing.pack(text, docs, 200, {})] for text in _QUESTIONS]
    return found == [["recall"], ["seek"], []], f"{found}"


_QUESTIONS = ("what did Ada say", "find the code of a function", "the weather on Mars")


def _admission() -> tuple[bool, str]:
    web = Said("x", frozenset({Label.WEB}))
    mine = Said("y", frozenset({Label.USER}))
    labels = rules.join([web, mine])
    said = [rules.chain([], Deed.WRITE, labels), rules.chain([Deed.READ_SECRET], Deed.FETCH, mine.labels)]
    return said == ["ask", "stop"], f"a write from the web: {said[0]}; a fetch after a secret: {said[1]}"


def _contrast() -> tuple[bool, str]:
    thought = "The house in Berlin has 3 rooms."
    same = contrast.contrast(contrast.Answered("Where is it?", thought, thought))
    other = contrast.contrast(contrast.Answered("Where is it?", thought, "The house in Paris has 4 rooms."))
    return not same.findings and len(other.findings) == 4, f"{len(other.findings)} findings in a changed one"


def _identity(clock: Clock) -> tuple[bool, str]:
    who = identity.fresh(clock.now())
    ada, bob = (identity.soul(identity.Character(name), who) for name in ("Ada", "Bob"))
    return ada.startswith(identity.MARK) and ada != bob, f"version {who.version}, {', '.join(who.held)}"


def _replay(clock: Clock) -> tuple[bool, str]:
    blank = tape.Tape(
        "a question", 1, lenses.deal("00", 1), "An echo.", "mark", 64, True, True, 3, EchoThinker.name
    )
    recorder = tape.Recorder(Echo(4), EchoThinker(), blank)
    composer = Composer(blank.preface, blank.mark, blank.reply)
    first = Turning(Asked(blank.question, 1, blank.draws), recorder, recorder, composer, clock).run()
    again = tape.replay(tape.read(tape.write(recorder.tape)), clock)
    return first.content == again.content, f"{len(recorder.tape.thoughts)} thoughts played again"
