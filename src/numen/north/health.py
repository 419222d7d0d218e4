"""Whether what an answer rests on is sound: index, store, clock, git, disk, versions. It changes nothing."""

from __future__ import annotations

import platform
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from numen import __version__
from numen.graph import BrainId, Graph, IndexCondition
from numen.kernel import Clock, Json, NumenError, Scope, Unavailable, from_iso
from numen.ledger import Ledger
from numen.store import SCHEMA, Store

LITTLE = 1024**3
"""Bytes free below which the disk is said to be getting full (ours)."""

TOO_LITTLE = 100 * 1024**2
"""Bytes free below which an ingest may fail (ours: an index of a large repository is about as large)."""

ASKEW = timedelta(minutes=2)
"""By how much the clock may stand before the last thing that was recorded (ours: as long as a presence)."""

_GIT_SECONDS = 5.0


class Condition(StrEnum):
    """How it stands with one thing."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, what was found, and the command that mends it."""

    about: str
    condition: Condition
    what: str
    mend: str = ""

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"about": self.about, "state": self.condition, "what": self.what, "mend": self.mend or None}


class Health:
    """Looks at everything that the picture of one tree rests on. `home` is where Numen keeps its own."""

    def __init__(self, graph: Graph, store: Store, ledger: Ledger, clock: Clock, home: Path) -> None:
        self._graph = graph
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._home = home

    def examined(self, scope: Scope, brain: BrainId) -> tuple[Finding, ...]:
        """Everything, in the order in which it would have to be mended. What cannot be told is said to be so;
        sizes and times are told in steps, so that the same state is told in the same words."""
        versions = (
            f"numen {__version__}, schema {SCHEMA}, Python {platform.python_version()}, "
            f"SQLite {sqlite3.sqlite_version}"
        )
        return (
            *self._disk(),
            *self._stored(scope),
            *self._clocked(scope),
            *_git(),
            *self._index(scope, brain),
            Finding("versions", Condition.GOOD, versions),
        )

    def _disk(self) -> Iterator[Finding]:
        try:
            free = shutil.disk_usage(self._home).free
        except OSError as error:
            yield Finding("disk", Condition.BAD, f"It cannot be looked at: {error.strerror}.")
            return
        if free < TOO_LITTLE:
            yield Finding("disk", Condition.BAD, "Less than 100 MiB are free.", "free some room")
        elif free < LITTLE:
            yield Finding("disk", Condition.WARN, "Less than 1 GiB is free.", "free some room")
        else:
            yield Finding("disk", Condition.GOOD, "more than 1 GiB is free")

    def _stored(self, scope: Scope) -> Iterator[Finding]:
        try:
            self._ledger.tail(scope, limit=1)
        except Unavailable as damage:
            yield Finding("store", Condition.BAD, damage.what, damage.next_step)
            return
        yield Finding("store", Condition.GOOD, f"{self._store.dialect}, it can be read")

    def _clocked(self, scope: Scope) -> Iterator[Finding]:
        try:
            last = self._ledger.tail(scope, limit=1)
        except Unavailable:
            yield Finding("clock", Condition.WARN, "There is nothing to hold it against.")
            return
        if last and from_iso(last[0].at) - self._clock.now() > ASKEW:
            yield Finding(
                "clock", Condition.BAD, f"It stands before the last event, of {last[0].at}.", "set the clock"
            )
        else:
            yield Finding("clock", Condition.GOOD, "it stands after the last event")

    def _index(self, scope: Scope, brain: BrainId) -> Iterator[Finding]:
        mend = f"numen ingest {brain.root}"
        try:
            state = self._graph.state(scope, brain.root)
            if state.condition is not IndexCondition.READY:
                told = {IndexCondition.ABSENT: Condition.WARN, IndexCondition.EMPTY: Condition.WARN}
                yield Finding("index", told.get(state.condition, Condition.BAD), state.reason, mend)
                return
            drift = self._graph.drift(self._graph.open(scope, brain.root))
        except NumenError as damage:
            yield Finding("index", Condition.BAD, damage.what, damage.next_step or mend)
            return
        if drift:
            count = len(drift.changed) + len(drift.added) + len(drift.removed)
            what = f"{count:,} files moved since ingest" if count else "HEAD moved since ingest"
            yield Finding("index", Condition.WARN, f"{what}.", mend)
        else:
            yield Finding("index", Condition.GOOD, "it is what is in the tree")


def _git() -> Iterator[Finding]:
    try:
        done = subprocess.run(
            ["git", "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        yield Finding(
            "git", Condition.WARN, "There is no git that runs: histories are not read.", "install git"
        )
        return
    yield Finding("git", Condition.GOOD, done.stdout.decode("utf-8", "replace").strip())
