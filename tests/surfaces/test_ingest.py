"""`numen ingest` for a person: a bar on a terminal, silence in a pipe, and a Ctrl-C that breaks nothing."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.surfaces.processes import NUMEN, environment, make_repository, numen

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


def plant(place: Path, count: int) -> None:
    """More files, so many that reading them can be watched."""
    for number in range(count):
        lines = "\n".join(f"def fruit_{number}_{n}(basket):\n    return basket.add({n})\n" for n in range(40))
        (place / f"fruit_{number}.py").write_text(lines)


def on_a_terminal(home: Path, place: Path) -> tuple[subprocess.Popen[bytes], int]:
    """`numen ingest` whose stderr is a terminal, and the other end of that."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*NUMEN, "ingest"],
        cwd=place,
        env=environment(home, TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    return process, ours


def shown(terminal: int) -> str:
    """All that the terminal is sent until it is closed."""
    seen = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is gone
            part = b""
        if not part:
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
        seen += part


@pytest.mark.promise("ingest.progress-on-a-terminal")
def test_a_terminal_sees_files_a_second_and_the_time_left(tmp_path: Path) -> None:
    place, home = make_repository(tmp_path / "repository"), tmp_path / "home"
    home.mkdir()
    plant(place, 300)
    process, terminal = on_a_terminal(home, place)
    with process:
        text = shown(terminal)
        assert process.stdout is not None
        report = process.stdout.read().decode()
        assert process.wait() == 0
    os.close(terminal)
    assert re.search(r"\d+/305", text)
    assert re.search(r"[\d,]+ files/s", text)
    assert re.search(r"\d:\d\d:\d\d|-:--:--", text)
    assert re.search(r"^305 files, ", report, re.MULTILINE)


@pytest.mark.promise("ingest.progress-on-a-terminal")
def test_a_pipe_sees_no_bar(tmp_path: Path) -> None:
    place = make_repository(tmp_path / "repository")
    done = numen(tmp_path, "ingest", cwd=place)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"5 files, " in done.stdout


@pytest.mark.promise("ingest.ctrl-c-keeps-the-last-good")
def test_ctrl_c_in_the_middle_leaves_the_last_good_index(tmp_path: Path) -> None:
    place, home = make_repository(tmp_path / "repository"), tmp_path / "home"
    home.mkdir()
    assert numen(home, "ingest", cwd=place).returncode == 0
    plant(place, 1500)
    process, terminal = on_a_terminal(home, place)
    with process:
        seen = b""
        while b"reading" not in seen:
            seen += os.read(terminal, 65536)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to its workers too
        rest = shown(terminal)
        assert process.wait() == 130
    os.close(terminal)
    assert "Traceback" not in rest
    packet = json.loads(numen(home, "north", "add an apple", "--json", cwd=place).stdout)
    assert packet["verdict"]["state"] == "stale"
    assert packet["context"]["coverage"]["files"] == 5


@pytest.mark.promise("ingest.dump")
def test_the_dump_after_an_edit_is_that_of_a_full_rebuild(tmp_path: Path) -> None:
    place, home, other = make_repository(tmp_path / "repository"), tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    assert numen(home, "ingest", cwd=place).returncode == 0
    (place / "orchard" / "pear.py").write_text(
        "from orchard.basket import Basket\n\n\nclass Pear(Basket):\n    pass\n"
    )
    (place / "orchard" / "harvest.py").unlink()
    kept_up = numen(home, "ingest", "--dump", cwd=place)
    rebuilt = numen(other, "ingest", "--full", "--dump", cwd=place)
    assert kept_up.returncode == rebuilt.returncode == 0
    assert kept_up.stdout == rebuilt.stdout
    assert b"Pear" in kept_up.stdout


@pytest.mark.promise("ingest.recorded")
def test_an_ingest_is_recorded_in_the_ledger(tmp_path: Path) -> None:
    place = make_repository(tmp_path / "repository")
    before = json.loads(numen(tmp_path, "ledger", "verify", "--json").stdout)
    report = json.loads(numen(tmp_path, "ingest", "--json", cwd=place).stdout)
    after = json.loads(numen(tmp_path, "ledger", "verify", "--json").stdout)
    assert (report["files"], report["parsed"], report["problems"]) == (5, 5, [])
    assert after["ok"] is True
    assert after["events"] > before["events"]


def test_a_path_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    done = numen(tmp_path, "ingest", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "nowhere" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
