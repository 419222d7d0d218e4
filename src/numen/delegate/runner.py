"""Runs one attempt under a warden: a new session, a deadline, an idle limit, and nothing of it left after."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from numen.delegate.types import Command, Ended, How
from numen.kernel import canonical_bytes

WARDEN = Path(__file__).with_name("warden.py")

GRACE = 2.0
"""Seconds between asking a process tree to end and killing it (ours)."""

MOST_OUTPUT = 8 * 1024 * 1024
"""Bytes of output at which an attempt is ended (ours: no answer is that long)."""

PATIENCE = 10.0
"""Seconds beyond grace and deadline after which a warden that does not answer is given up (ours)."""

CANCEL = "cancel"
"""The file in a run's folder that asks its warden to stop."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where the files of one attempt lie."""

    folder: Path
    number: int

    def of(self, suffix: str) -> Path:
        """One of them."""
        return self.folder / f"attempt-{self.number}.{suffix}"


@dataclass(frozen=True, slots=True)
class Limits:
    """When an attempt is ended: seconds in all, and seconds without a sign of life."""

    seconds: float
    idle: float | None = None


class Running:
    """An attempt that runs."""

    def __init__(self, process: subprocess.Popen[bytes], files: Files, limits: Limits) -> None:
        self._process = process
        self._files = files
        self._limits = limits

    def wait(self) -> Ended:
        """How it ended. Never raises; a warden that is lost is an end too."""
        with self._process:
            try:
                _wait(self._process, self._limits.seconds + GRACE + PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
        return ended(self._files)


def start(
    command: Command, files: Files, limits: Limits, environment: Mapping[str, str], locks: Sequence[int]
) -> Running:
    """Start `command` under a warden, which holds `locks` until all is over, whatever becomes of us."""
    spec = {
        "argv": list(command.argv),
        "cwd": str(command.cwd or files.folder),
        "stdin": str(command.stdin or os.devnull),
        "stdout": str(files.of("out")),
        "stderr": str(files.of("err")),
        "ended": str(files.of("ended")),
        "cancel": str(files.folder / CANCEL),
        "seconds": limits.seconds,
        "idle": limits.seconds if limits.idle is None else limits.idle,
        "grace": GRACE,
        "most": MOST_OUTPUT,
        "locks": list(locks),
    }
    place = files.of("spec")
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "wb") as file:
        file.write(canonical_bytes(spec))
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(WARDEN), str(place)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
        pass_fds=tuple(locks),
        start_new_session=True,
    )
    return Running(process, files, limits)


def ended(files: Files) -> Ended:
    """How an attempt ended, as its warden wrote it down; `LOST` where it did not."""
    try:
        said = json.loads(files.of("ended").read_bytes())
        return Ended(How(said["how"]), said["exit"], said["millis"], said["left"], said["why"])
    except (OSError, ValueError, KeyError):
        return Ended(How.LOST, None, 0)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait without polling where the system can; `subprocess` itself looks up to 50 ms too late."""
    if hasattr(os, "pidfd_open") and process.poll() is None:
        descriptor = os.pidfd_open(process.pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            os.close(descriptor)
        seconds = 0.1
    process.wait(seconds)
