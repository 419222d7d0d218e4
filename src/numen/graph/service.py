"""The index of each working tree: built, opened, compared with the tree."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np

from numen.graph import dump as dumping
from numen.graph import freshness as looking
from numen.graph.brain import locate
from numen.graph.columns import integers
from numen.graph.ingest import Outcome, ingested
from numen.graph.rows import CLASSES
from numen.graph.rules import WORDED
from numen.graph.shelf import Damaged, Shelf
from numen.graph.snapshot import Snapshot
from numen.graph.types import (
    BrainId,
    Freshness,
    IndexCondition,
    IndexState,
    IngestReport,
    TreeDrift,
)
from numen.kernel import Clock, Interrupted, NotFound, Scope, Unavailable

Progress: TypeAlias = Callable[[int, int, float], None]
"""Told while an ingest reads: files done, files to do, files per second so far."""

_TRIES = 5


class Graph:
    """The indexes under the folder `brains`. Safe to share between threads."""

    def __init__(
        self,
        brains: Path,
        clock: Clock,
        *,
        workers: int | None = None,
        passing: Callable[[str], None] = lambda _step: None,
    ) -> None:
        self._brains = brains
        self._clock = clock
        self._workers = workers or len(os.sched_getaffinity(0))
        self._passing = passing
        self._held: dict[str, Snapshot] = {}
        self._watches = looking.Watches()

    def locate(self, path: Path | str) -> BrainId:
        """The working tree that holds `path`; see `brain.locate`."""
        return locate(path)

    def ingest(
        self, scope: Scope, path: Path | str, *, progress: Progress | None = None, full: bool = False
    ) -> IngestReport:
        """Bring the index of the tree that holds `path` up to date; `full` reads every file again.

        Only changed files are read; the result is that of a full ingest. One ingest of a brain runs at a
        time, another waits for it. Raises `InvalidInput` when there is no such path, `Unavailable` when git
        fails or nothing can be saved, `Interrupted` on Ctrl-C: in each case the index that was there stands.
        """
        began = self._clock.monotonic()
        brain = locate(path)
        shelf = self._shelf(brain)
        try:
            with shelf.alone() as seen_ns:
                previous = None if full else self._previous(brain, shelf)
                outcome = self._ingested(brain, shelf, previous, seen_ns, progress, began)
        except KeyboardInterrupt as stop:
            raise Interrupted(
                "The ingest was stopped.",
                not_done="The index was not changed; the last good one still stands.",
                next_step=f"numen ingest {brain.root}",
            ) from stop
        return _report(outcome, full=full, seconds=self._clock.monotonic() - began)

    def open(self, scope: Scope, path: Path | str) -> Snapshot:
        """The current generation of the index of the tree that holds `path`. It never waits for an ingest.

        Raises `NotFound` when the tree was never ingested, `Unavailable` with the reason and the repair when
        its index is damaged, `InvalidInput` when there is no such path.
        """
        brain = locate(path)
        shelf = self._shelf(brain)
        generation: int | None = None
        for attempt in range(_TRIES):
            try:
                generation = shelf.current()
                if generation is None:
                    raise NotFound(
                        f"{brain.root} was never ingested.",
                        not_done="There is no index to answer from.",
                        next_step=f"numen ingest {brain.root}",
                    )
                held = self._held.get(brain.id)
                if held is not None and held.generation == generation:
                    return held
                snapshot = shelf.load(brain, generation)
            except Damaged as damage:
                if attempt + 1 < _TRIES and shelf.moved(generation):  # it was replaced while we read it
                    continue
                raise Unavailable(
                    f"The index of {brain.root} cannot be used: {damage}.",
                    not_done="Nothing was answered from it.",
                    next_step=f"numen ingest {brain.root} --full",
                ) from damage
            self._held[brain.id] = snapshot
            return snapshot
        raise Unavailable(f"The index of {brain.root} changes too fast.", next_step="Try again.")

    def state(self, scope: Scope, path: Path | str) -> IndexState:
        """Whether there is an index to answer from: absent, empty, ready and damaged are four answers."""
        try:
            snapshot = self.open(scope, path)
        except NotFound as absent:
            return IndexState(IndexCondition.ABSENT, absent.sentences())
        except Unavailable as damage:
            return IndexState(IndexCondition.DAMAGED, damage.sentences())
        if not len(snapshot.files):
            return IndexState(
                IndexCondition.EMPTY, f"{snapshot.brain.root} held no file when it was ingested."
            )
        return IndexState(IndexCondition.READY)

    def drift(self, snapshot: Snapshot) -> TreeDrift:
        """How the tree differs from `snapshot` now; see `freshness.drift`.

        A tree that is asked about again is watched where the system can do so; the answer is the same.
        """
        return self._watches.drift(snapshot, self._clock.monotonic())

    def stillness(self, brain: BrainId) -> tuple[int, int] | None:
        """A value that stays the same only while nothing in the tree is touched; None where unknown."""
        return self._watches.stillness(brain, self._clock.monotonic())

    def await_change(self, scope: Scope, path: Path | str) -> None:
        """Return once the tree that holds `path` may differ from its index. Raises as `open` does."""
        looking.await_change(self.open(scope, path))

    def freshness(self, snapshot: Snapshot, path: str) -> Freshness:
        """Whether one file is what was indexed; see `freshness.freshness`."""
        return looking.freshness(snapshot, path)

    def dump(self, scope: Scope, path: Path | str) -> Iterator[str]:
        """The current index as sorted lines of JSON; see `dump.dump`. Raises as `open` does."""
        return dumping.dump(self.open(scope, path))

    def _shelf(self, brain: BrainId) -> Shelf:
        return Shelf(self._brains / brain.id, self._passing)

    def _previous(self, brain: BrainId, shelf: Shelf) -> Snapshot | None:
        """The snapshot to start from; a damaged one is as good as none."""
        try:
            generation = shelf.current()
            held = self._held.get(brain.id)
            if generation is None or (held is not None and held.generation == generation):
                return held if generation is not None else None
            return shelf.load(brain, generation)
        except Damaged:
            return None

    def _ingested(
        self,
        brain: BrainId,
        shelf: Shelf,
        previous: Snapshot | None,
        seen_ns: int,
        progress: Progress | None,
        began: float,
    ) -> Outcome:
        def told(done: int, total: int) -> None:
            if progress is not None:
                seconds = self._clock.monotonic() - began
                progress(done, total, done / seconds if seconds > 0 else 0.0)

        self._passing("locked")
        touched = None if previous is None else self._watches.touched(previous, self._clock.monotonic())
        tree = None
        if previous is not None and touched is not None:
            tree = looking.touched_tree(previous, touched)
        outcome = ingested(brain, previous, shelf.next(), seen_ns, self._workers, told, tree)
        self._passing("read")
        if touched is not None and tree is not None:
            self._watches.renewed(outcome.snapshot, touched)
        if previous is not None and outcome.snapshot is previous:
            self._held[brain.id] = previous
            return outcome
        shelf.publish(outcome.snapshot)
        # What was built is let go; what was saved is mapped, and costs memory only where it is read.
        mapped = shelf.load(brain, outcome.snapshot.generation, is_new=True)
        self._held[brain.id] = mapped
        return Outcome(mapped, outcome.parsed, outcome.removed)


def _report(outcome: Outcome, *, full: bool, seconds: float) -> IngestReport:
    snapshot = outcome.snapshot
    counts = Counter(CLASSES[number] for number in integers(snapshot.files.classes))
    skipped = {kind.value: count for kind, count in sorted(counts.items()) if kind not in WORDED}
    problems = integers(np.flatnonzero(np.diff(snapshot.files.rows.problem.ends)))
    return IngestReport(
        brain=snapshot.brain,
        files=len(snapshot.files),
        parsed=outcome.parsed,
        removed=outcome.removed,
        nodes=len(snapshot.nodes),
        edges=len(snapshot.edges),
        ambiguous=len(snapshot.ambiguous),
        seconds=seconds,
        skipped=skipped | snapshot.passed,
        problems=tuple((snapshot.files.paths[i], snapshot.files.rows.problem[i]) for i in problems),
        full=full,
    )
