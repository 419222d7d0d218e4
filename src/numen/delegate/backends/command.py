"""A program of the owner's choice: it reads the prompt on stdin and writes the answer to stdout."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from numen.delegate.rules import brief
from numen.delegate.types import Command, Ended, Failed, Fault, Job, Reply, Worker

BUSY = 75
"""EX_TEMPFAIL of sysexits.h: it may be tried again."""


class Program:
    """`argv` as the owner's settings give it; `{model}` and `{prompt_file}` in it are filled in."""

    def __init__(self, argv: Sequence[str], keep: Sequence[str] = ()) -> None:
        self._argv = tuple(argv)
        self._keep = tuple(keep)

    def refusal(self, worker: Worker) -> Failed | None:
        """That nothing was set, or that it is not installed."""
        if not self._argv or shutil.which(self._argv[0]) is None:
            return Failed("command_not_installed", Fault.AVAILABILITY)
        return None

    def command(self, job: Job) -> Command:
        """The program; an intent gives it no argument but the model's name."""
        filled = {"{model}": job.worker.model, "{prompt_file}": str(job.prompt_file)}
        argv = tuple(_filled(one, filled) for one in self._argv)
        return Command(argv, job.prompt_file, self._keep, cwd=job.project_root)

    def read(self, job: Job, ended: Ended, stdout: bytes, stderr: bytes) -> Reply | Failed:
        """What it wrote to stdout; 75 says that it is busy."""
        if ended.exit:
            reason = f"command_exit_{ended.exit}"
            said = brief(stderr.decode("utf-8", "replace"), 120)
            kind = Fault.CAPACITY if ended.exit == BUSY else Fault.REQUEST
            return Failed(f"{reason}: {said}" if said else reason, kind)
        return Reply(stdout.decode("utf-8", "replace"))


def _filled(argument: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        argument = argument.replace(name, value)
    return argument
