"""Many processes at one budget and at one yes: nothing is spent twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from numen.gate import Limits, Policy
from numen.kernel import FixedClock
from numen.ledger import Kind
from numen.store import Store
from tests.gate.rooms import START, TASK, house

PROCESSES = 64 if os.environ.get("NUMEN_SOAK") else 12
"""Each takes a second of a processor only to start."""

PROGRAM = """
import sys
from pathlib import Path
from numen.gate import Limits, Lineage, NotAllowed, Policy, Run
from numen.kernel import FixedClock
from numen.store import Store
from tests.gate.rooms import START, TASK, house
home, number = Path(sys.argv[1]), sys.argv[2]
clock = FixedClock(START)
with Store.open(home, clock) as store:
    rooms = house(store, home, Policy(limits=Limits(owner_messages_per_day=5)), clock)
    print("ready", flush=True)
    sys.stdin.readline()
    sent, nodded = 0, 0
    for n in range(2):
        effect = rooms.effect("send_message", (rooms.me.viewer,), message=f"{number} {n}")
        verdict = rooms.gate.judge(rooms.me, effect, Lineage("mind", Run.MIND))
        try:
            rooms.gate.claim(rooms.me, verdict, effect.digest)
            sent += 1
        except NotAllowed:
            pass
    effect = rooms.run("touch once")
    try:
        rooms.gate.claim(rooms.me, rooms.gate.judge(rooms.me, effect, TASK), effect.digest)
        nodded += 1
    except NotAllowed:
        pass
    print(sent, nodded)
"""


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.promise("gate.budgets")
def test_many_processes_overspend_nothing_and_use_a_yes_once(tmp_path: Path) -> None:
    clock = FixedClock(START)
    home = tmp_path / "home"
    with Store.open(home, clock) as store:
        rooms = house(store, home, Policy(limits=Limits(owner_messages_per_day=5)), clock)
        verdict = rooms.gate.judge(rooms.me, rooms.run("touch once"), TASK)
        assert verdict.ask is not None
        rooms.asks.answer(rooms.me, verdict.ask.code, True)
        runs = [
            subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(home), str(n)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for n in range(PROCESSES)
        ]
        for run in runs:
            assert run.stdout is not None
            assert run.stdout.readline() == "ready\n"
        said = [run.communicate("go\n")[0].split() for run in runs]
        assert [run.returncode for run in runs] == [0] * PROCESSES
        assert sum(int(sent) for sent, _ in said) == 5
        assert sum(int(nodded) for _, nodded in said) == 1
        assert rooms.count(Kind.TOOL_CLAIMED) == 6
        assert rooms.ledger.verify(rooms.me).ok
