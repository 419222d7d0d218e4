"""A body and a mind that are killed at every point of dispatch and outbox: nothing is sent or made twice.

A point is before or after the commit of each transaction, and before and after the send itself. The process
kills itself there with SIGKILL; what it leaves is opened again, eleven minutes later, until all is settled.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from numen.kernel import FixedClock
from numen.mind import NotYours, Outcome, State, Told
from tests.crashes import At, copied, killed, watched
from tests.mind.rooms import START, Head, head

RUNS = 200 if os.environ.get("NUMEN_SOAK") == "1" else 20
BEGUN = START + timedelta(hours=1)


def prepared(folder: Path) -> Path:
    """A home in which two promises are due and two tasks are wanted."""
    mind = head(folder, folder)
    mind.pull()
    mind.owe("call Ana", 0)
    mind.owe("pay the rent", 0.1)
    for title in ("Sort the photos", "Write the letter"):
        mind.app.mind.set_task(mind.me, title)
    mind.app.close()
    return folder


def one_pass(mind: Head, world: Path, at: At) -> None:
    """What a body does in one pass: work onto its board, messages out, outcomes back."""
    mind.tick(forced=True)
    for one in mind.app.dispatch.offer(mind.me):
        at("made")
        if one.id not in lines(world / "board"):  # the board's own key: the same task is made once
            write(world / "board", one.id)
        mind.app.dispatch.bound(mind.me, one.id, f"t_{one.id}")
    for letter in mind.app.outbox.offer(mind.me):
        name = letter.intention.id
        try:
            mind.app.outbox.sending(mind.me, name, "telegram:111")
        except NotYours:
            continue
        at("claimed")
        write(world / "sent", name)
        at("sent")
        mind.app.outbox.sent(mind.me, name, State.SENT)
    for name in lines(world / "board"):
        mind.app.outcomes.record(mind.me, name, Told(Outcome.DONE, True, f"t_{name}", "done"))


def write(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def counted(home: Path, world: Path, die_at: int) -> int:
    """One pass, killed at its `die_at`-th point; how many points it had, if it was not."""
    seen = 0

    def at(_: str) -> None:
        nonlocal seen
        seen += 1
        if seen == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    mind = head(home, home, clock=FixedClock(BEGUN))
    with watched(at):
        one_pass(mind, world, at)
    mind.app.close()
    return seen


@pytest.mark.slow
@pytest.mark.timeout(60 + 5 * RUNS)
@pytest.mark.promise("mind.outbox-once", "mind.kill")
def test_nothing_is_sent_or_made_twice_wherever_it_is_killed_and_all_is_accounted_for(tmp_path: Path) -> None:
    template = prepared(tmp_path / "template")
    whole = counted(*copied(template, tmp_path / "whole"), die_at=0)
    assert whole > RUNS // 2, "there are fewer points than this test is for"
    step = max(whole / RUNS, 1.0) if whole > RUNS else 1.0
    points = [1 + int(n * step) % whole for n in range(RUNS)]
    for run, point in enumerate(points):
        folder = tmp_path / f"run{run}"
        home, world = copied(template, folder)
        assert killed(counted, home, world, point) == signal.SIGKILL, f"point {point} of {whole}"
        clock = FixedClock(BEGUN)
        for _ in range(3):
            clock.move(timedelta(minutes=11))
            mind = head(home, home, clock=clock)
            one_pass(mind, world, lambda _: None)
            check(mind, world, f"killed at point {point} of {whole}")
            mind.app.close()
        mind = head(home, home, clock=clock)
        ended = {one.state for one in mind.all()}
        assert ended <= {State.SENT, State.UNCERTAIN, State.DONE}, (point, ended)
        assert mind.app.ledger.verify(mind.me).ok
        mind.app.close()
        shutil.rmtree(folder)


def check(mind: Head, world: Path, where: str) -> None:
    sent, made = Counter(lines(world / "sent")), Counter(lines(world / "board"))
    assert max(sent.values(), default=0) <= 1, (where, sent)
    assert max(made.values(), default=0) <= 1, (where, made)
    for one in mind.all():
        if one.state is State.SENT:
            assert sent[one.id] == 1, f"{where}: said to be sent and was not"
        if sent[one.id]:
            assert one.state in {State.SENT, State.UNCERTAIN, State.SENDING}, (where, one)
