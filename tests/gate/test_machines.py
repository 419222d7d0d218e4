"""Asks, nods, grants and claims under any order of moves, restarts and duplicates, beside a plain model."""

from __future__ import annotations

import os
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from numen.gate import Claim, Decision, Lineage, NotAllowed, Outcome, Rule, Run, Verdict
from numen.kernel import Conflict, FixedClock, NotFound
from numen.store import Store
from tests.gate.rooms import START, House, house

commands = st.sampled_from(["touch a", "touch b", "rm a", "git push"])
tasks = st.sampled_from(["task_1", "task_2"])


class Gates(RuleBasedStateMachine):
    """What may run is exactly what was nodded to and not used yet; a claim ends once."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FixedClock(START)
        self.rooms = self.opened()
        self.nods: dict[tuple[str, str], list[object]] = {}
        self.open: dict[str, tuple[str, set[str], object]] = {}
        self.claims: dict[str, tuple[Claim, Outcome | None]] = {}

    def opened(self) -> House:
        home = Path(self.folder.name)
        return house(Store.open(home, self.clock), home, clock=self.clock)

    def judged(self, command: str, task: str) -> Verdict:
        return self.rooms.gate.judge(self.rooms.me, self.rooms.run(command), Lineage(task, Run.MIND, task))

    @rule(command=commands, task=tasks)
    def judge(self, command: str, task: str) -> None:
        verdict = self.judged(command, task)
        if self.nods.get((command, task)):
            assert verdict.rule is Rule.NOD
        else:
            assert verdict.decision is Decision.ASK
            assert verdict.ask is not None
            _, asked, _ = self.open.setdefault(verdict.ask.code, (task, set(), self.clock.now()))
            asked.add(command)

    @precondition(lambda self: self.open)
    @rule(data=st.data(), yes=st.booleans(), twice=st.booleans())
    def answer(self, data: st.DataObject, yes: bool, twice: bool) -> None:
        code = data.draw(st.sampled_from(sorted(self.open)))
        task, asked, _ = self.open.pop(code)
        self.rooms.asks.answer(self.rooms.me, code, yes)
        for command in asked if yes else ():
            self.nods.setdefault((command, task), []).append(code)
        if twice:
            with pytest.raises((Conflict, NotFound)):
                self.rooms.asks.answer(self.rooms.me, code, not yes)

    @rule(command=commands, task=tasks, duplicate=st.booleans())
    def claim(self, command: str, task: str, duplicate: bool) -> None:
        held = self.nods.get((command, task), [])
        if not held:
            return
        verdict = self.judged(command, task)
        claim = self.rooms.gate.claim(self.rooms.me, verdict, verdict.effect.digest)
        held.pop()
        self.claims[claim.id] = (claim, None)
        if duplicate and not held:
            with pytest.raises(NotAllowed):
                self.rooms.gate.claim(self.rooms.me, verdict, verdict.effect.digest)

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), outcome=st.sampled_from([Outcome.DONE, Outcome.UNCERTAIN]))
    def settle(self, data: st.DataObject, outcome: Outcome) -> None:
        name = data.draw(st.sampled_from(sorted(self.claims)))
        claim, ended = self.claims[name]
        if ended in {None, outcome}:
            self.rooms.gate.settle(self.rooms.me, claim, outcome)
            self.claims[name] = (claim, outcome)
        else:
            with pytest.raises(Conflict):
                self.rooms.gate.settle(self.rooms.me, claim, outcome)

    @rule()
    def restart(self) -> None:
        self.rooms.store.close()
        self.rooms = self.opened()

    @rule()
    def wait(self) -> None:
        self.clock.move(timedelta(hours=72))
        self.nods.clear()
        self.open.clear()
        self.rooms.gate.sweep(self.rooms.me)
        for name, (claim, ended) in self.claims.items():
            self.claims[name] = (claim, ended or Outcome.UNCERTAIN)

    @invariant()
    def the_open_asks_are_those_that_were_asked(self) -> None:
        shown = {one.code: len(one.calls) for one in self.rooms.asks.open(self.rooms.me)}
        assert shown == {code: len(asked) for code, (_, asked, _) in self.open.items()}
        assert self.rooms.ledger.verify(self.rooms.me).ok

    def teardown(self) -> None:
        self.rooms.store.close()
        self.folder.cleanup()


TestGates = pytest.mark.promise("gate.asks-machine")(
    pytest.mark.timeout(120)(pytest.mark.slow(Gates.TestCase))
)
Gates.TestCase.settings = settings(
    max_examples=200 if os.environ.get("NUMEN_SOAK") else 10, stateful_step_count=15, deadline=None
)
