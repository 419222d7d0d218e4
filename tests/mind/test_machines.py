"""Intentions under every move, in every order, with duplicates and restarts: what is so at all times."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from numen.kernel import NumenError
from numen.mind import Outcome, State, Told, rules
from numen.people import MayContact
from tests.mind.rooms import Head, head


class Minds(RuleBasedStateMachine):
    """A body that pulls, works, sends, forgets to answer, answers twice; an owner; a clock; restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.mind: Head = head(Path(self.folder.name), Path(self.folder.name) / "home")
        self.claims: dict[str, int] = {}
        self.ended: dict[str, State] = {}
        self.promises = 0

    @initialize()
    def begin(self) -> None:
        self.ana = self.mind.contact("sms:+15550100").id
        self.bo = self.mind.contact("sms:+15550111", MayContact.AUTO).id

    @rule(work=st.booleans())
    def owner_wants(self, work: bool) -> None:
        if work:
            self.mind.app.mind.set_task(self.mind.me, "Sort the photos")
        else:
            self.promises += 1
            self.mind.owe(f"call {self.promises}", 0)

    @rule(who=st.sampled_from(["owner", "ana", "bo"]))
    def mind_wants(self, who: str) -> None:
        self.mind.message("Hello.", {"owner": None, "ana": self.ana, "bo": self.bo}[who])

    @rule(forced=st.booleans())
    def tick(self, forced: bool) -> None:
        self.mind.tick(forced=forced)

    @rule()
    def pull(self) -> None:
        offered = self.mind.pull()
        at_work = [one for one in self.mind.all() if one.state is State.DISPATCHED]
        assert len(offered) + len(at_work) <= 2

    @rule(data=st.data(), twice=st.booleans())
    def bind(self, data: st.DataObject, twice: bool) -> None:
        one = self._some(data)
        for _ in range(1 + twice):
            with suppress(NumenError):
                self.mind.app.dispatch.bound(self.mind.me, one, f"t_{one}")

    @rule(data=st.data(), outcome=st.sampled_from(Outcome), final=st.booleans(), twice=st.booleans())
    def report(self, data: st.DataObject, outcome: Outcome, final: bool, twice: bool) -> None:
        one = self._some(data)
        for _ in range(1 + twice):
            with suppress(NumenError):
                told = Told(outcome, final, f"t_{one}", error="x", verified="hermes_failure")
                self.mind.app.outcomes.record(self.mind.me, one, told)

    @rule(data=st.data(), twice=st.booleans())
    def claim(self, data: st.DataObject, twice: bool) -> None:
        one = self._some(data)
        for _ in range(1 + twice):
            try:
                self.mind.app.outbox.sending(self.mind.me, one, "telegram:111")
            except NumenError:
                continue
            self.claims[one] = self.claims.get(one, 0) + 1

    @rule(data=st.data(), after=st.sampled_from([State.SENT, State.FAILED, State.UNCERTAIN]))
    def settle(self, data: st.DataObject, after: State) -> None:
        with suppress(NumenError):
            self.mind.app.outbox.sent(self.mind.me, self._some(data), after)

    @rule(data=st.data(), yes=st.booleans())
    def answer(self, data: st.DataObject, yes: bool) -> None:
        open_asks = self.mind.app.asks.open(self.mind.me)
        if open_asks:
            asked = data.draw(st.sampled_from(open_asks))
            with suppress(NumenError):
                self.mind.app.asks.answer(self.mind.me, asked.code, yes)

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        with suppress(NumenError):
            self.mind.app.intentions.cancel(self.mind.me, self._some(data))

    @rule()
    def opt_out(self) -> None:
        self.mind.app.changes.heard(self.mind.me, self.bo, "STOP")

    @rule(on=st.booleans())
    def switch(self, on: bool) -> None:
        if on:
            self.mind.app.gate.turn_on(self.mind.me)
        else:
            self.mind.app.mind.switch_off(self.mind.me)

    @rule(minutes=st.sampled_from([1, 11, 120, 1500, 4400]))
    def wait(self, minutes: int) -> None:
        self.mind.wait(minutes=minutes)

    @rule()
    def restart(self) -> None:
        self.mind.app.close()
        self.mind = head(Path(self.folder.name), Path(self.folder.name) / "home", clock=self.mind.clock)

    @precondition(lambda self: bool(self.mind.all()))
    @rule()
    def look(self) -> None:
        self.mind.letters()
        self.mind.app.mind.narrative(self.mind.me)

    @invariant()
    def each_message_is_claimed_once_and_what_ended_stays(self) -> None:
        assert all(count == 1 for count in self.claims.values()), self.claims
        for one in self.mind.all():
            before = self.ended.get(one.id)
            assert before is None or before is one.state, (before, one)
            if rules.is_ended(one.kind, one.state):
                self.ended[one.id] = one.state

    def teardown(self) -> None:
        for one in self.mind.all():
            account = self.mind.app.intentions.account(self.mind.me, one.id)
            path = [move.after for move in account.moves]
            assert path[-1] is one.state
            for before, after in pairwise(path):
                assert rules.may_move(one.kind, before, after), path
        assert self.mind.app.ledger.verify(self.mind.me).ok
        self.mind.app.close()
        self.folder.cleanup()

    def _some(self, data: st.DataObject) -> str:
        known = [one.id for one in self.mind.all()] or ["intention_nobody"]
        return data.draw(st.sampled_from(sorted(known)))


TestMinds = pytest.mark.promise("mind.machine", "mind.outbox-once")(
    pytest.mark.timeout(300)(pytest.mark.slow(Minds.TestCase))
)
Minds.TestCase.settings = settings(
    max_examples=200 if os.environ.get("NUMEN_SOAK") == "1" else 15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
