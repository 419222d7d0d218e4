"""The reference says what the program does, because it is written from it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("docs.reference-is-current")
def test_the_reference_is_what_the_verb_table_and_the_commands_say() -> None:
    done = subprocess.run([ROOT / "scripts" / "docs", "--check"], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
