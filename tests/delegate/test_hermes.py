"""Hermes as a backend, with a program in its place that says how it was called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from numen.delegate import BackendName, Ended, Fault, How, Job, Reply, Worker
from numen.delegate.backends.hermes import Hermes

WORKER = Worker(BackendName.HERMES, "MiniMax-M3", "hub")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "hermes/profiles/hub").mkdir(parents=True)
    program = tmp_path / "bin/hermes"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return tmp_path


def hermes(home: Path, provider: str | None = "minimax", **more: str) -> Hermes:
    environ = {"PATH": str(home / "bin"), **more}
    return Hermes(home / "hermes", provider, environ, home / "sessions.json")


def job(home: Path, words: str = "Sum it up.", session: str | None = None) -> Job:
    return Job(WORKER, words, home / "prompt-1.txt", home, home, 10.0, session_name=session)


@pytest.mark.promise("delegate.hermes")
def test_what_is_missing_has_its_reason(home: Path) -> None:
    def reason(one: Hermes, worker: Worker = WORKER) -> str | None:
        failed = one.refusal(worker)
        return None if failed is None else failed.reason

    assert reason(hermes(home)) == "no_minimax_key"
    assert reason(hermes(home, "deepseek")) == "no_key:deepseek"
    assert reason(hermes(home, None)) is None
    assert reason(hermes(home, MINIMAX_API_KEY="k")) is None
    assert reason(hermes(home, MINIMAX_API_KEY="k", PATH="/nowhere")) == "hermes_not_installed"
    absent = Worker(BackendName.HERMES, "MiniMax-M3", "absent")
    assert reason(hermes(home, MINIMAX_API_KEY="k"), absent) == "profile_not_found"
    (home / "hermes/.env").write_text("# keys\nMINIMAX_API_KEY=k\n")
    assert reason(hermes(home)) is None


@pytest.mark.promise("delegate.hermes")
def test_it_is_called_with_its_profile_provider_and_model_and_goes_on_by_the_sessions_id(home: Path) -> None:
    one = hermes(home)
    called = one.command(job(home, session="weekly"))
    assert called.argv == (
        "hermes", "--profile", "hub", "chat", "-Q", "--provider", "minimax", "--model", "MiniMax-M3",
        "-q", "Sum it up.",
    )  # fmt: skip
    assert "MINIMAX_API_KEY" in called.keep
    reply = one.read(job(home, session="weekly"), Ended(How.EXITED, 0, 5), b"Done.", b"session_id: s_1\n")
    assert reply == Reply("Done.", session="s_1")
    assert one.command(job(home, session="weekly")).argv[-4:] == ("--resume", "s_1", "-q", "Sum it up.")
    assert "--resume" not in one.command(job(home, session="other")).argv


@pytest.mark.promise("delegate.hermes")
def test_a_prompt_that_no_argument_holds_is_read_from_its_file(home: Path) -> None:
    long = hermes(home).command(job(home, "word " * 30_000)).argv[-1]
    assert len(long) < 1_000
    assert str(home / "prompt-1.txt") in long
    assert os.fspath(home) in long


def test_busy_is_a_want_of_capacity_and_another_exit_one_of_the_provider(home: Path) -> None:
    one = hermes(home)
    busy = one.read(job(home), Ended(How.EXITED, 75, 5), b"", b"")
    failed = one.read(job(home), Ended(How.EXITED, 1, 5), b"HTTP 401", b"")
    assert not isinstance(busy, Reply)
    assert not isinstance(failed, Reply)
    assert (busy.fault, failed.fault) == (Fault.CAPACITY, Fault.AVAILABILITY)
    assert failed.reason == "hermes_exit_1"
