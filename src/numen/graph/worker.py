"""Workers: other processes that turn files into rows, and the parent that works beside them.

A worker is this program started anew on two pipes. It never imports from the folder it was started in,
ends when its parent does, and leaves Ctrl-C to the parent.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, cast

from numen.graph.batch import Batch, batch_of
from numen.graph.rules import LARGEST
from numen.graph.terms import Lexicon
from numen.graph.walk import Found
from numen.kernel import Unavailable

BATCH_BYTES = 1 << 20
"""Bytes of text in one batch: large enough to merge few, small enough to share them out evenly."""
BATCH_FILES = 256
WORDS_KEPT = 1 << 14
"""Distinct words, of 0.5 KB each (measured), up to which a lexicon is kept for the next ingest (ours).

Whoever saves a file again then need not wait until its words are learned again.
"""
ALONE_BYTES = 1 << 20
"""Work that is done before another process has started (about 0.3 s, measured) needs none."""

_spare: deque[Lexicon] = deque(maxlen=1)
"""The lexicon that no ingest has in hand."""


def _lexicon() -> Lexicon:
    try:
        return _spare.pop()
    except IndexError:
        return Lexicon()


def shares(found: Sequence[Found]) -> list[Sequence[Found]]:
    """`found` cut into runs of about `BATCH_BYTES`, in order; one empty run of nothing."""
    cut: list[Sequence[Found]] = []
    first = size = 0
    for i, one in enumerate(found):
        size += min(one.size, LARGEST)
        if size >= BATCH_BYTES or i + 1 - first >= BATCH_FILES:
            cut.append(found[first : i + 1])
            first, size = i + 1, 0
    if first < len(found) or not cut:
        cut.append(found[first:])
    return cut


def batches(root: Path, found: Sequence[Found], workers: int, done: Callable[[int], None]) -> list[Batch]:
    """Rows of all `found`, in order, by this process and up to `workers - 1` others.

    `done` is told how many files are finished. Raises `Unavailable` when a worker ends by itself.
    """
    cut = shares(found)
    others = 0 if sum(one.size for one in found) < ALONE_BYTES else min(workers, len(cut)) - 1
    pool = _Pool(root, cut)
    lexicon = _lexicon()
    for _ in range(others):
        pool.start()
    try:
        for number in pool:
            pool.finished[number] = batch_of(root, cut[number], lexicon)
            done(sum(len(cut[i]) for i in tuple(pool.finished)))
        pool.wait()
    finally:
        pool.stop()
    if len(lexicon) <= WORDS_KEPT:
        _spare.append(lexicon)
    done(len(found))
    return [pool.finished[i] for i in range(len(cut))]


class _Pool:
    """Batches that wait, batches that are finished, and the processes between them."""

    def __init__(self, root: Path, cut: Sequence[Sequence[Found]]) -> None:
        self._root = root
        self._cut = cut
        self._waiting = deque(range(len(cut)))
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        self._fault: str | None = None
        self.finished: dict[int, Batch] = {}

    def __iter__(self) -> _Pool:
        return self

    def __next__(self) -> int:
        if self._fault is not None:
            raise self._unavailable()
        number = self._take()
        if number is None:
            raise StopIteration
        return number

    def start(self) -> None:
        """Start one more process."""
        path = os.pathsep.join(entry for entry in sys.path if entry)
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from numen.graph.worker import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path},
            process_group=0,
        )
        thread = threading.Thread(target=self._feed, args=(process,), daemon=True)
        self._processes.append(process)
        self._threads.append(thread)
        thread.start()

    def wait(self) -> None:
        """Wait for what the other processes have in hand."""
        for thread in self._threads:
            thread.join()
        if self._fault is not None:
            raise self._unavailable()

    def stop(self) -> None:
        """End the processes; whatever they had in hand is dropped."""
        self._waiting.clear()
        for process in self._processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        for thread in self._threads:
            thread.join()

    def _take(self) -> int | None:
        """The next batch that nobody has in hand; asking and taking are one step, for many threads ask."""
        try:
            return self._waiting.popleft()
        except IndexError:
            return None

    def _feed(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in iter(self._take, None):
            try:
                _send(process.stdin, (self._root, list(self._cut[number])))
                self.finished[number] = cast("Batch", _receive(process.stdout))
            except (OSError, EOFError, ValueError):
                self._fault = f"A worker process ended in the middle of its work (exit {process.poll()})."
                return

    def _unavailable(self) -> Unavailable:
        return Unavailable(
            self._fault or "",
            not_done="Nothing was changed; an index that was there still stands.",
            next_step="If memory is short, free some; then ingest again.",
        )


def serve() -> None:
    """Do what the parent sends until it sends no more."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that prints can spoil the answers
    lexicon = Lexicon()
    while True:
        try:
            root, found = cast("tuple[Path, list[Found]]", _receive(source))
        except EOFError:
            return
        _send(sink, batch_of(root, found, lexicon))


def _send(pipe: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, protocol=5)
    pipe.write(len(data).to_bytes(8, "little"))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> object:
    size = pipe.read(8)
    if len(size) < 8:
        raise EOFError
    data = pipe.read(int.from_bytes(size, "little"))
    if len(data) < int.from_bytes(size, "little"):
        raise EOFError
    return pickle.loads(data)  # from our own child or parent
