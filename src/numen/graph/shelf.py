"""Where an index is kept: generations side by side in one folder, one of them current.

A generation is written beside the others, then named, then pointed at by `CURRENT`: whoever is killed
between two of these steps leaves the last good one. Readers map files that are never written again.
"""

from __future__ import annotations

import errno
import fcntl
import json
import math
import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import numpy as np

from numen.graph.columns import Column
from numen.graph.parse import FAMILIES
from numen.graph.snapshot import Snapshot
from numen.graph.types import BrainId
from numen.kernel import Json, Unavailable, canonical_text

FORMAT = 4
"""Raised when the meaning of a saved column changes; older generations are then made anew."""

_CURRENT = "CURRENT"
_META = "meta.json"
_ARRAYS = "arrays.bin"
_ALIGNED = 64
"""Bytes at whose multiples an array begins, a line of the processor's cache."""


class Damaged(Exception):
    """A generation that must not be read; the argument is the reason, as half a sentence."""


class Shelf:
    """The folder of one brain. `passing` is told of each step: tests end the process there."""

    def __init__(self, folder: Path, passing: Callable[[str], None]) -> None:
        self.folder = folder
        self._passing = passing

    def current(self) -> int | None:
        """The number of the current generation, None if there is no index. Raises `Damaged`."""
        try:
            text = (self.folder / _CURRENT).read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Damaged(f"its pointer cannot be read ({error.strerror})") from error
        if not text.isdecimal():
            raise Damaged("its pointer names no generation")
        return int(text)

    def moved(self, generation: int | None) -> bool:
        """Whether another generation than `generation` is current by now."""
        try:
            return self.current() != generation
        except Damaged:
            return False

    def next(self) -> int:
        """The number of the generation to be published; damaged ones are counted too. Hold the lock."""
        numbers = [path.name.partition("-")[2] for path in self.folder.glob("gen-*")]
        return max((int(number) for number in numbers if number.isdecimal()), default=0) + 1

    def load(self, brain: BrainId, generation: int, *, is_new: bool = False) -> Snapshot:
        """Map generation `generation`. Raises `Damaged` if anything saved is not there as it was saved.

        What this process has just saved (`is_new`) need not be summed up to be believed.
        """
        folder = self.folder / f"gen-{generation}"
        meta = _meta(folder)
        if meta.get("format") != _format():
            raise Damaged("it was written by another version of Numen")
        arrays = _mapped(folder / _ARRAYS, cast("dict[str, list[Json]]", meta["arrays"]), is_new=is_new)
        edges = len(arrays["edges.source"])
        if edges != meta["edges"] or len(arrays["nodes.kind"]) != meta["nodes"]:
            raise Damaged("it holds other counts than were saved")
        ingested = BrainId(
            brain.id,
            brain.root,
            _text(meta, "branch"),
            _text(meta, "commit"),
            _text(meta, "remote"),
            brain.is_git,
        )
        seen, passed = cast("int", meta["seen_ns"]), cast("dict[str, int]", meta["passed"])
        try:
            return Snapshot.from_arrays(arrays, ingested, generation, seen, passed)
        except KeyError as error:
            raise Damaged(f"the part {error} is missing") from error

    @contextmanager
    def alone(self) -> Generator[int]:
        """Hold the brain against every other writer, waiting for one that is at work.

        Gives the time of the file system's own clock in nanoseconds. Raises `Unavailable` where nothing can
        be written.
        """
        try:
            _make(self.folder)
            descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise unwritable(self.folder, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            os.utime(descriptor)
            yield os.fstat(descriptor).st_mtime_ns
        finally:
            os.close(descriptor)

    def publish(self, snapshot: Snapshot) -> None:
        """Save `snapshot` and make it current; the one before it is kept, older ones go. Hold the lock."""
        self._sweep(keep=set())
        making = self.folder / f"making-{snapshot.generation}"
        making.mkdir(mode=0o700)
        try:
            self._write(making, snapshot)
            self._passing("written")
            final = self.folder / f"gen-{snapshot.generation}"
            if final.exists():  # left by a process that ended before it pointed here
                shutil.rmtree(final)
            making.rename(final)
            self._passing("named")
            _put(self.folder / _CURRENT, str(snapshot.generation))
        except OSError as error:
            shutil.rmtree(making, ignore_errors=True)
            raise unwritable(self.folder, error) from error
        self._passing("current")
        self._sweep(keep={snapshot.generation, snapshot.generation - 1})

    def _write(self, folder: Path, snapshot: Snapshot) -> None:
        listed: dict[str, Json] = {}
        with open(folder / _ARRAYS, "wb", opener=_private) as file:
            for name, array in snapshot.arrays().items():
                file.write(bytes(-file.tell() % _ALIGNED))
                listed[name] = [array.dtype.str, list(array.shape), file.tell(), _sum(array)]
                file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
                if name == "nodes.kind":
                    file.flush()
                    self._passing("half")
        brain = snapshot.brain
        meta: dict[str, Json] = {
            "format": _format(),
            "root": os.fsencode(brain.root).decode("utf-8", "backslashreplace"),
            "branch": brain.branch,
            "commit": brain.commit,
            "remote": brain.remote,
            "seen_ns": snapshot.seen_ns,
            "passed": snapshot.passed,
            "nodes": len(snapshot.nodes),
            "edges": len(snapshot.edges),
            "arrays": listed,
        }
        _put(folder / _META, canonical_text(meta))

    def _sweep(self, keep: set[int]) -> None:
        """Remove what no reader is pointed at: half-made generations, and all but `keep` if that is given."""
        for path in self.folder.iterdir():
            kind, _, number = path.name.partition("-")
            old = kind == "gen" and keep and number.isdecimal() and int(number) not in keep
            if kind == "making" or old:
                shutil.rmtree(path, ignore_errors=True)


def unwritable(folder: Path, error: OSError) -> Unavailable:
    """The error that a person sees when the index cannot be saved."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what, step = "The disk is full", "Free some space and ingest again."
    elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        what, step = "It may not be written", "Give this account the right to write there, or set NUMEN_HOME."
    else:
        what, step = str(error.strerror or error), "Mend that and ingest again."
    return Unavailable(
        f"The index cannot be saved in {folder}: {what[0].lower()}{what[1:]}.",
        not_done="Nothing was changed; an index that was there still stands.",
        next_step=step,
    )


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for one in (folder, folder.parent):
        if one.stat().st_mode & 0o077:
            one.chmod(0o700)


def _meta(folder: Path) -> dict[str, Json]:
    try:
        found = json.loads((folder / _META).read_text(encoding="utf-8"))
    except OSError as error:
        raise Damaged(f"its contents list cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise Damaged("its contents list is broken") from error
    if not isinstance(found, dict) or "arrays" not in found:
        raise Damaged("its contents list is broken")
    return cast("dict[str, Json]", found)


def _mapped(path: Path, listed: dict[str, list[Json]], *, is_new: bool) -> dict[str, Column]:
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    except (OSError, ValueError) as error:
        raise Damaged("its arrays cannot be read") from error
    arrays: dict[str, Column] = {}
    for name, (kind, shape, first, said) in cast(
        "dict[str, tuple[str, list[int], int, int]]", listed
    ).items():
        try:
            dtype = np.dtype(kind)
            last = first + math.prod(shape) * dtype.itemsize
            arrays[name] = data[first:last].view(dtype).reshape(shape)
        except (TypeError, ValueError) as error:
            raise Damaged(f"the part {name} is cut short") from error
        if not (is_new or _sum(arrays[name]) == said):
            raise Damaged(f"the part {name} is not what was saved")
    return arrays


def _sum(array: Column) -> int:
    """A sum over the bytes that notices zeroed, lost and flipped ones at the speed of memory."""
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    whole = len(data) // 8 * 8
    total = int(np.add.reduce(data[:whole].view(np.uint64))) if whole else 0
    return (total + int(data[whole:].sum())) & 0xFFFF_FFFF_FFFF_FFFF


def _format() -> str:
    return f"{FORMAT}:{','.join(family.name for family in FAMILIES)}"


def _text(meta: dict[str, Json], name: str) -> str | None:
    found = meta.get(name)
    return found if isinstance(found, str) else None


def _put(path: Path, text: str) -> None:
    """Replace a small file in one step."""
    fresh = path.with_name(f"{path.name}.new")
    with open(fresh, "w", encoding="utf-8", errors="surrogateescape", opener=_private) as file:
        file.write(text)
    fresh.replace(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
