"""A day of the mind: an owner, two guests, a worker, asks, an opt-out, quiet hours and an outage.

    python examples/day.py [HOME]

Prints a line for each thing that happens, by a clock of its own, and then why each intention came to stand
where it stands: what `numen mind why ID` says in the home that is left behind.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from numen.app import App
from numen.gate import Call, Lineage, Run, Surroundings
from numen.kernel import Conflict, FixedClock, Scope, Via
from numen.memory.types import Debtor, Due, Promise
from numen.mind import Drive, IntentionKind, Outcome, Proposal, State, Told
from numen.mind.narrative import explained
from numen.people import Contact, Local, MayContact
from numen.people.changes import Change, Operation
from numen.people.handles import read
from numen.settings import Settings
from numen.surfaces.household import found

MORNING = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
OWNER = "telegram:111"


@dataclass
class Day:
    """The services of one home, their owner, and a clock that only this script moves."""

    app: App
    clock: FixedClock
    me: Scope

    @property
    def mind(self) -> Scope:
        """The mind's own scope."""
        return replace(self.me, via=Via.MIND, interactive=False)

    def at(self, hour: int, minute: int = 0, day: int = 0) -> None:
        """Let it become that time, and take the step that the mind would have taken."""
        wanted = MORNING.replace(hour=hour, minute=minute) + timedelta(days=day)
        self.clock.move(wanted - self.clock.now())

    def say(self, what: str) -> None:
        """One line of the timeline."""
        sys.stdout.write(f"{self.clock.now():%a %H:%M}  {what}\n")

    def step(self, *, forced: bool = False) -> None:
        """One tick, and what it did."""
        done = self.app.tick.tick(self.mind, forced=forced)
        told = f"{done.formed} formed, {done.moved} moved, {done.delivered} into the inbox"
        self.say(f"tick: {told}" + (f" ({done.asleep})" if done.asleep else ""))

    def send(self, *, answer: bool = True) -> None:
        """What a body does with the outbox; without `answer` it dies between sending and saying so."""
        for letter in self.app.outbox.offer(self.me):
            target = str(letter.handles[0]) if letter.handles else None
            try:
                self.app.outbox.sending(self.me, letter.intention.id, target)
            except Conflict as error:
                self.say(f"held: “{letter.intention.title}”: {error.what}")
                continue
            self.say(f"sent to {target}: “{letter.intention.title}” ({letter.intention.id})")
            if answer:
                self.app.outbox.sent(self.me, letter.intention.id, State.SENT)
            else:
                self.say("the body dies before it says so")

    def write(self, to: Contact, words: str) -> str:
        """The mind would like to write to somebody; the gate decides."""
        wanted = Proposal(IntentionKind.MESSAGE, words, words, to.id)
        with self.app.store.transaction() as connection:
            key = self.app.store.ids.new("wish")
            made = self.app.intentions.form(self.mind, connection, wanted, key, Drive.SOCIAL)
        judged = self.app.intentions.judge(self.mind, made)
        self.say(f"wants to write to {to.display_name}: {judged.state} ({judged.id})")
        return judged.id


def begin(home: Path) -> Day:
    """A home with its owner."""
    clock = FixedClock(MORNING)
    app = App(Settings.model_validate({"home": home}), clock)
    found(app, "Pat", [read(OWNER)])
    return Day(app, clock, app.people.resolve(Local(home.stat().st_uid, interactive=True)))


def morning(day: Day) -> tuple[Contact, Contact]:
    """Two guests, promises, work."""
    meet = day.app.directory.find
    ana = meet(day.me, read("sms:+15550100"), create=True, name="Ana").contact
    bo = meet(day.me, read("sms:+15550111"), create=True, name="Bo").contact
    day.say("Ana and Bo write for the first time; both may be written to after asking")
    change = Change(Operation.PERMIT, bo.id, MayContact.AUTO)
    day.app.changes.change(day.me, change)
    day.say("the owner lets Numen write to Bo by itself")
    due = MORNING.replace(hour=10)
    lease = Promise("call Ana about the lease", Debtor.OWNER, due, Due.MINUTE)
    day.app.commitments.make(day.me, lease, "UTC")
    day.say("the owner promises to call Ana at 10")
    task = day.app.mind.set_task(day.me, "Sort the photos", "All of last year.")
    day.say(f"the owner wants work done: “{task.title}” ({task.id})")
    return ana, bo


def work(day: Day) -> None:
    """A worker takes what is offered; what it may do is judged call by call."""
    [task] = day.app.dispatch.offer(day.me)
    day.app.dispatch.bound(day.me, task.id, "t_1")
    day.say(f"a worker has it as t_1 ({task.id})")
    lineage = Lineage("t_1", Run.MIND, task="t_1")
    for command in ("ls photos", "rm -rf photos/2019"):
        effect = day.app.gate.effect(
            Call("terminal", {"command": command}), Surroundings(owner=day.me.viewer)
        )
        verdict = day.app.gate.judge(day.mind, effect, lineage)
        day.say(f"the worker wants to run `{command}`: {verdict.decision} ({verdict.rule})")
        if verdict.ask is not None:
            day.step()
            day.send()
            day.app.asks.answer(day.me, verdict.ask.code, yes=False)
            day.say(f"the owner answers no {verdict.ask.code}")
    day.app.outcomes.record(
        day.me, task.id, Told(Outcome.DONE, True, "t_1", "done", summary="Sorted by month.")
    )
    day.say(f"the worker is done ({task.id})")


def main(home: Path) -> None:
    """The day."""
    day = begin(home)
    day.app.dispatch.offer(day.me)
    ana, bo = morning(day)
    day.at(9)
    day.app.dispatch.offer(day.me)
    work(day)
    day.at(10)
    day.app.dispatch.offer(day.me)
    day.step()
    day.send()
    asked = day.write(ana, "Shall we meet on Thursday?")
    [ask] = day.app.asks.open(day.me)
    day.app.asks.answer(day.me, ask.code, yes=True, message=f"yes {ask.code}")
    day.say(f"the owner writes: yes {ask.code} ({asked})")
    day.send()
    day.at(13)
    day.write(bo, "Here are the photos.")
    day.app.changes.heard(day.me, bo.id, "STOP")
    day.say("Bo writes: STOP")
    day.send()
    day.say("nothing goes to Bo any more")
    day.at(20, 30)
    day.app.dispatch.offer(day.me)
    rent = Promise("pay the rent", Debtor.OWNER, MORNING.replace(hour=23) + timedelta(days=1), Due.DAY)
    day.app.commitments.make(day.me, rent, "UTC")
    day.say("the owner promises to pay the rent tomorrow")
    day.at(0, 30, day=1)
    day.app.dispatch.offer(day.me)
    day.step()
    day.say(f"quiet hours: {len(day.app.outbox.offer(day.me))} messages may be sent")
    day.at(8, 0, day=1)
    day.app.dispatch.offer(day.me)
    day.send(answer=False)
    day.at(8, 20, day=1)
    day.step()
    day.say("the body is away: what it claimed is uncertain, and nothing new is formed")
    day.at(9, 0, day=2)
    day.step()
    for one in day.app.outbox.inbox(day.me):
        day.say(f"in the inbox: {one.body.splitlines()[0]}")
    sys.stdout.write("\nWhy:\n")
    for one in reversed(day.app.mind.log(day.me)):
        sys.stdout.write("\n" + explained(day.app.intentions.account(day.me, one.id)) + "\n")
    sys.stdout.write(f"\nThe home is {home}: NUMEN_HOME={home} numen mind log\n")
    day.app.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="numen-day-")))
