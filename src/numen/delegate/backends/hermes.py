"""Hermes: `hermes chat -Q -q` with a profile, a provider and a model; sessions go on by their id."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from numen.delegate import artifact
from numen.delegate.types import Command, Ended, Failed, Fault, Job, Reply, Worker
from numen.kernel import canonical_bytes

LONGEST = 120_000
"""Bytes of one argument that are used: Linux takes 128 KiB (execve(2), MAX_ARG_STRLEN)."""

BUSY = 75
"""EX_TEMPFAIL of sysexits.h: rate limited."""

_SESSION = re.compile(r"^session_id: *([\w.:-]{1,128})\s*$", re.MULTILINE)
_ROOT = "default"


class Hermes:
    """The installed `hermes`. `home` is its root, `sessions` the file in which ids of sessions are kept.

    `provider` None leaves provider and model to the profile.
    """

    def __init__(self, home: Path, provider: str | None, environ: Mapping[str, str], sessions: Path) -> None:
        self._home = home
        self._provider = provider
        self._environ = environ
        self._sessions = sessions

    def refusal(self, worker: Worker) -> Failed | None:
        """That it is not installed, has no such profile, or no key for its provider."""
        if shutil.which("hermes", path=self._environ.get("PATH")) is None:
            return Failed("hermes_not_installed", Fault.AVAILABILITY)
        if worker.profile != _ROOT and not self._profile(worker).is_dir():
            return Failed("profile_not_found", Fault.REQUEST)
        if self._provider is not None and not self._has_key(worker):
            name = "no_minimax_key" if self._provider == "minimax" else f"no_key:{self._provider}"
            return Failed(name, Fault.REQUEST)
        return None

    def command(self, job: Job) -> Command:
        """`hermes`: it takes a prompt in an argument only, and one that is too long for that from a file."""
        words = job.prompt
        if len(words.encode("utf-8", "replace")) > LONGEST:
            words = (
                f"Read the file {job.prompt_file} to its end: it is long, so read on until nothing follows. "
                "Do what it says, and answer with the answer alone."
            )
        argv = ["hermes"]
        if job.worker.profile != _ROOT:
            argv += ["--profile", job.worker.profile]
        argv += ["chat", "-Q"]
        if self._provider is not None:
            argv += ["--provider", self._provider, "--model", job.worker.model]
        session = self._known().get(_key(job))
        if session is not None:
            argv += ["--resume", session]
        variables = ("HERMES_HOME", *self._variables())
        return Command((*argv, "-q", words), None, variables, cwd=job.project_root)

    def read(self, job: Job, ended: Ended, stdout: bytes, stderr: bytes) -> Reply | Failed:
        """The final answer on stdout; the session's id is the last line of stderr."""
        if ended.exit:
            kind = Fault.CAPACITY if ended.exit == BUSY else Fault.AVAILABILITY
            return Failed(f"hermes_exit_{ended.exit}", kind)
        found = _SESSION.findall(stderr.decode("utf-8", "replace"))
        session = found[-1] if found else None
        if session is not None and job.session_name is not None:
            artifact.keep(self._sessions, canonical_bytes({**self._known(), _key(job): session}))
        return Reply(stdout.decode("utf-8", "replace"), session=session)

    def _profile(self, worker: Worker) -> Path:
        return self._home / "profiles" / worker.profile

    def _variables(self) -> tuple[str, ...]:
        return () if self._provider is None else (f"{self._provider.upper().replace('-', '_')}_API_KEY",)

    def _has_key(self, worker: Worker) -> bool:
        """Whether the provider's key is in the environment, or in an `.env` that hermes reads."""
        (name,) = self._variables()
        if self._environ.get(name):
            return True
        line = re.compile(rf"^\s*(?:export\s+)?{re.escape(name)}\s*=\s*\S", re.MULTILINE)
        for place in (self._profile(worker) / ".env", self._home / ".env"):
            try:
                if line.search(place.read_text("utf-8", "replace")):
                    return True
            except OSError:
                continue
        return False

    def _known(self) -> dict[str, str]:
        try:
            said = cast("object", json.loads(self._sessions.read_bytes()))
        except (OSError, ValueError):
            return {}
        known = cast("dict[str, object]", said) if isinstance(said, dict) else {}
        return {name: str(one) for name, one in known.items()}


def _key(job: Job) -> str:
    return f"{job.worker.profile}/{job.session_name}"
