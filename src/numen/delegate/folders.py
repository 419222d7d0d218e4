"""The folder of one run: the prompts, each attempt's output as it came, the write's plan, the envelope."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

from numen.delegate import artifact
from numen.delegate.places import Refused, folder
from numen.delegate.runner import Files
from numen.kernel import Json, canonical_bytes

_STATE = (".agents", "state")
_RUNS = (*_STATE, "runs")


class Lock:
    """A lock that the process tree of a run holds until all of it has ended."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @classmethod
    def take(cls, root: Path, way: tuple[str, ...], name: str, *, wait: bool = False) -> Self | None:
        """The lock of that file, None where another holds it. Raises `Refused`."""
        with folder(root, way, make=True) as parent:
            try:
                descriptor = os.open(
                    name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=parent
                )
            except OSError as error:
                raise Refused("lock") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        return cls(descriptor)

    def release(self) -> None:
        """Let go of it; may be called twice."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def intent_lock(root: Path, intent_hash: str, *, wait: bool = False) -> Lock | None:
    """The lock of an intent in its project (seed, invariant 5). Raises `Refused`."""
    return Lock.take(root, _STATE, f"autobot.{intent_hash[:16]}.lock", wait=wait)


@dataclass(frozen=True, slots=True)
class Folder:
    """`<project>/.agents/state/runs/<run>`, open to its owner alone."""

    root: Path
    run: str

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.root.joinpath(*_RUNS, self.run)

    @property
    def shown(self) -> str:
        """Where it is, from the project."""
        return "/".join((*_RUNS, self.run))

    @property
    def plan_file(self) -> Path:
        """What the write of the artifact is about to do."""
        return self.path / "write.json"

    def lock(self) -> Lock | None:
        """The lock of the run, None while it is being worked on. Makes the folder. Raises `Refused`."""
        return Lock.take(self.root, (*_RUNS, self.run), "lock")

    def exists(self) -> bool:
        """Whether it is there."""
        return self.path.is_dir()

    def files(self, attempt: int) -> Files:
        """The files of an attempt, from 1."""
        return Files(self.path, attempt)

    def last_attempt(self) -> int:
        """The number of the last attempt that was prepared, 0 for none."""
        numbers = [one.name.split("-")[1].split(".")[0] for one in self.path.glob("attempt-*.spec")]
        return max((int(one) for one in numbers if one.isdecimal()), default=0)

    def keep(self, name: str, value: Mapping[str, Json]) -> None:
        """Keep values, whole or not at all. Raises `OSError`."""
        artifact.keep(self.path / name, canonical_bytes(value))

    def kept(self, name: str) -> Mapping[str, Json] | None:
        """What was kept under that name, None where nothing is."""
        try:
            return cast("Mapping[str, Json]", json.loads((self.path / name).read_bytes()))
        except (OSError, ValueError):
            return None

    def write(self, name: str, text: str) -> Path:
        """Write a text for this run. Raises `OSError`."""
        place = self.path / name
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
        return place

    def text(self, name: str) -> str:
        """A text that was written for this run; empty where there is none."""
        return _read(self.path / name).decode("utf-8", "replace")

    def output(self, attempt: int) -> tuple[bytes, bytes]:
        """stdout and stderr of an attempt, put on the disk first; empty where there are none."""
        files = self.files(attempt)
        return _read(files.of("out")), _read(files.of("err"))


def _read(place: Path) -> bytes:
    try:
        with place.open("rb") as file:
            os.fsync(file.fileno())
            return file.read()
    except OSError:
        return b""
