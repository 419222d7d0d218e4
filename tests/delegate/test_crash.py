"""kill -9 after each step: no paid answer is lost, nothing is recorded twice, nothing stays open."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from numen.delegate import Step
from tests.delegate.rooms import opened

ROUNDS = 17 if os.environ.get("NUMEN_SOAK") else 1
"""200 ends in the soak, one at each step in every run."""

PROGRAM = """
import json, os, signal, sys
from pathlib import Path
from numen.delegate import Step
from tests.delegate.rooms import opened

def killed(step):
    if step == wanted:
        os.kill(os.getpid(), signal.SIGKILL)

place, count = Path(sys.argv[1]), int(sys.argv[2])
for n in range(count):
    for wanted in Step:
        if os.fork() == 0:
            with opened(place / f"{wanted}-{n}", passed=killed) as here:
                here.run(write_to="out.md", append_with_separator="§")
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.wait()[1]) == -signal.SIGKILL, wanted
"""

UNPAID = {Step.READ, Step.HASHED, Step.LOCKED}
NEVER_ASKED = {Step.RESERVED, Step.PREPARED}


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.timeout(600)
@pytest.mark.promise("delegate.nothing-paid-is-lost")
def test_a_killed_delegation_is_brought_to_its_end(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path), str(ROUNDS)], check=True)
    for number in range(ROUNDS):
        for step in Step:
            place = tmp_path / f"{step}-{number}"
            with opened(place) as here:
                while any(one["state"] == "running" for one in here.delegate.runs(here.house.me)):
                    here.delegate.recover(here.house.me)
                rows = here.delegate.runs(here.house.me)
                assert [one["state"] for one in rows] == ([] if step in UNPAID else ["settled"]), step
                assert len(here.lines()) == len(rows), step
                out = place / "project/out.md"
                if step in UNPAID | NEVER_ASKED:
                    assert not out.exists(), step
                else:
                    told = here.delegate.result(here.house.me, str(rows[0]["run_id"]))
                    assert told.exit == 0, step
                    assert out.read_text().count("# Done") == 1, step
                assert here.house.ledger.verify(here.house.me).ok
                assert here.run().exit == 0, "and the next one runs"


RACE = """
import json, os, sys
from pathlib import Path
from numen.delegate import Caps
from tests.delegate.rooms import opened

place, count = Path(sys.argv[1]), int(sys.argv[2])
with opened(place):
    pass
for n in range(count):
    if os.fork() == 0:
        with opened(place, caps=Caps(day_micros=45_000)) as here:
            done = here.run(intent=f"Task {n}.", max_output_tokens=4_400, model="fail-1")
        os._exit(done.exit)
print([os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(count)])
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.promise("delegate.budgets")
def test_many_processes_at_one_cap_overspend_nothing(tmp_path: Path) -> None:
    """A call is reckoned at 4,442 millionths and keeps that, because it fails and does not tell; ten fit."""
    count = 64 if os.environ.get("NUMEN_SOAK") else 16
    done = subprocess.run(
        [sys.executable, "-c", RACE, str(tmp_path), str(count)], check=True, capture_output=True
    )
    codes = json.loads(done.stdout)
    assert set(codes) == {1, 3}
    assert codes.count(1) == 10
