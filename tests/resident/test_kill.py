"""A turn that is killed at every point: it goes on as it would have, and nothing is done twice.

A point is before or after the commit of each transaction, and before, within and after the tool's own act.
The process kills itself there with SIGKILL; the next one takes the turn up from the store.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from numen.resident import CallState, TurnState
from numen.resident.types import ReadBack
from tests.crashes import At, copied, killed, watched
from tests.mind.test_kill import lines, write
from tests.resident.rooms import House, call, house
from tests.resident.test_loop import ACTING

SOAK = os.environ.get("NUMEN_SOAK") == "1"
RUNS = 60 if SOAK else 12

STEPS = (
    {"text": "Let me look.", "calls": [call("lab__health")]},
    {"text": "", "calls": [call("lab__restart", service="wiki"), call("lab__wipe", service="wiki")]},
    {"text": "I restarted the wiki."},
)


@contextmanager
def opened(home: Path, world: Path, at: At) -> Generator[House]:
    """A house whose tools write into a world, which outlives the process."""

    def act(name: str) -> Callable[..., str]:
        def done(*_: object) -> str:
            at(f"before {name}")
            write(world / name, "x")
            at(f"after {name}")
            return "ok"

        return done

    def inspect(*_: object) -> str:
        return json.dumps({"done": bool(lines(world / "restart"))})

    with house(home, home, *STEPS, mind=ACTING) as it:
        it.bench.add("health", lambda *_: "the wiki is unwell", reads=True)
        it.bench.add("inspect", inspect, reads=True)
        it.bench.add("restart", act("restart"), back=ReadBack("inspect", {}, {"/done": True}))
        it.bench.add("wipe", act("wipe"))
        yield it


def one_life(it: House, at: At) -> TurnState:
    """What one process does: say it, run it, answer what is asked, run it on."""
    said = it.resident.sessions.say(it.me, "restart the wiki, and wipe the wiki", key="k1")
    state = it.run(said)
    while state is TurnState.ASKING:
        at("asked")
        for ask in it.app.asks.open(it.me):
            it.app.asks.answer(it.me, ask.code, True)
        state = it.run(said)
    return state


def counted(home: Path, world: Path, die_at: int) -> int:
    """One life, killed at its `die_at`-th point; how many points it had, if it was not."""
    seen = 0

    def at(_: str) -> None:
        nonlocal seen
        seen += 1
        if seen == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    with opened(home, world, at) as it, watched(at):
        one_life(it, at)
    return seen


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.timeout(60 + 5 * RUNS)
@pytest.mark.promise("resident.crash", "resident.receipts")
def test_a_turn_goes_on_wherever_it_is_killed_and_no_changing_call_is_run_twice(tmp_path: Path) -> None:
    template = tmp_path / "template"
    with opened(template, tmp_path, lambda _: None):
        pass
    whole = counted(*copied(template, tmp_path / "whole"), die_at=0)
    assert whole > 12, "there are fewer points than this test is for"
    step = max(whole / RUNS, 1.0)
    for run in range(RUNS):
        point = 1 + int(run * step) % whole
        home, world = copied(template, tmp_path / f"run{run}")
        assert killed(counted, home, world, point) == signal.SIGKILL, f"point {point} of {whole}"
        with opened(home, world, lambda _: None) as it:
            state = one_life(it, lambda _: None)
            check(it, world, state, f"killed at point {point} of {whole}")
        shutil.rmtree(home.parent)


def check(it: House, world: Path, state: TurnState, where: str) -> None:
    assert state is TurnState.DONE, where
    (session,) = it.resident.sessions.list(it.me)
    its = it.resident.sessions.get(it.me, session.id)
    assert len(its.turns) == 1, where
    assert [one.role for one in its.messages] == ["user", "assistant", "assistant", "assistant"], where
    by_name = {one.name: one.state for one in its.calls}
    for name in ("restart", "wipe"):
        times, receipt = len(lines(world / name)), by_name[f"lab__{name}"]
        assert times <= 1, f"{where}: {name} was run twice"
        if receipt in {CallState.EXECUTED, CallState.VERIFIED}:
            assert times == 1, f"{where}: {name} is said to be done and was not"
        assert receipt in {CallState.EXECUTED, CallState.VERIFIED, CallState.UNCERTAIN}, (where, receipt)
    if lines(world / "restart"):
        assert by_name["lab__restart"] is CallState.VERIFIED, f"{where}: a look would have told"
    assert it.app.ledger.verify(it.me).ok, where
