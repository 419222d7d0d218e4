"""The scripted day runs, and the command line explains each entry of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.processes import environment, numen

DAY = Path(__file__).parents[2] / "examples" / "day.py"


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("mind.why")
def test_a_day_is_told_and_every_entry_is_explained_by_the_command_line(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ran = subprocess.run(
        [sys.executable, str(DAY), str(home)], capture_output=True, check=True, env=environment(home)
    )
    told, _, why = ran.stdout.decode().partition("\nWhy:\n")
    for said in (
        "the owner answers no",
        "Bo writes: STOP",
        "quiet hours: 0 messages",
        "the body dies",
        "in the inbox",
    ):
        assert said in told
    entries = set(re.findall(r"intention_\w+", told))
    assert len(entries) >= 5
    for entry in entries:
        explained = numen(home, "mind", "why", entry).stdout.decode()
        assert entry in explained.splitlines()[0]
        assert explained.strip() in why, "the same words at both doors"
    sent = re.findall(r"sent to \S+: “[^”]*” \((intention_\w+)\)", told)
    assert len(sent) == len(set(sent)), "nothing is sent twice"
