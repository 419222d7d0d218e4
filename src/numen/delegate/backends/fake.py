"""The backend without a model: what it answers follows from the name of the model, for trials and tests."""

from __future__ import annotations

import sys
from pathlib import Path

from numen.delegate.types import Command, Ended, Failed, Fault, Job, Reply, Worker

PROGRAM = Path(__file__).with_name("fake_program.py")


class Fake:
    """A process that reads the prompt and answers at once."""

    def refusal(self, worker: Worker) -> Failed | None:
        """Nothing is ever against it, but for the model `absent`."""
        return Failed("hermes_not_installed", Fault.AVAILABILITY) if worker.model == "absent" else None

    def command(self, job: Job) -> Command:
        """The program, with the prompt on stdin."""
        return Command((sys.executable, "-I", "-S", str(PROGRAM), job.worker.model), job.prompt_file)

    def read(self, job: Job, ended: Ended, stdout: bytes, stderr: bytes) -> Reply | Failed:
        """What it said."""
        if ended.exit == 75:
            return Failed("hermes_exit_75", Fault.CAPACITY)
        if ended.exit:
            return Failed(f"hermes_exit_{ended.exit}", Fault.AVAILABILITY)
        return Reply(stdout.decode("utf-8", "replace"))
