"""How often each file had to be mended, from git: counts, and no judgement of the code. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from numen.graph import EdgeKind, FileClass, Snapshot
from numen.graph.rows import CLASS_NUMBER, EDGE_NUMBER
from numen.kernel import Json, iso


@dataclass(frozen=True, slots=True)
class FileTrust:
    """One file of code: in how many commits it changed, how many of them say that they mend or undo
    something, how many test files reach it, and when it changed last."""

    path: str
    changes: int
    fixes: int
    reverts: int
    tested_by: int
    last_changed: datetime | None

    @property
    def fix_density(self) -> float:
        """The share of its commits that say that they mend something."""
        return round(self.fixes / self.changes, 2) if self.changes else 0.0

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "path": self.path,
            "changes": self.changes,
            "fixes": self.fixes,
            "fix_density": self.fix_density,
            "reverts": self.reverts,
            "tested_by": self.tested_by,
            "last_changed": None if self.last_changed is None else iso(self.last_changed),
        }


@dataclass(frozen=True, slots=True)
class Trust:
    """The files of a tree, those that were mended most first; `commits` is how many were read."""

    commits: int
    shallow: bool
    files: tuple[FileTrust, ...]

    @property
    def mended(self) -> int:
        """How many files have a commit that mends or undoes something."""
        return sum(bool(one.fixes or one.reverts) for one in self.files)

    @property
    def untested(self) -> int:
        """How many files no test file reaches, as far as the index can see."""
        return sum(not one.tested_by for one in self.files)

    def basis(self) -> str:
        """What the counts rest on, in a sentence."""
        part = ", all that this shallow clone has" if self.shallow else ""
        return f"Counted in {self.commits:,} commits of git{part}; it says nothing of the code itself."


def trust_of(snapshot: Snapshot, within: str | None = None) -> Trust | None:
    """The files of code in `snapshot`, below `within` where it is given; None where there is no history."""
    history = snapshot.history
    if history is None:
        return None
    paths = snapshot.files.paths
    place = history.bind(paths)
    known = place >= 0
    counts = {name: np.zeros(len(paths), dtype=np.int64) for name in ("changes", "fixes", "reverts", "last")}
    for name, values in (
        ("changes", history.changes),
        ("fixes", history.fixes),
        ("reverts", history.reverts),
        ("last", history.last_changed),
    ):
        counts[name][place[known]] = values[known]
    tested = _tested(snapshot)
    is_code = snapshot.files.classes == CLASS_NUMBER[FileClass.SOURCE]
    found = [
        FileTrust(
            paths[number],
            int(counts["changes"][number]),
            int(counts["fixes"][number]),
            int(counts["reverts"][number]),
            int(tested[number]),
            datetime.fromtimestamp(int(counts["last"][number]), UTC) if counts["last"][number] else None,
        )
        for number in np.flatnonzero(is_code).tolist()
        if within is None or paths[number] == within or paths[number].startswith(f"{within}/")
    ]
    found.sort(key=lambda one: (-one.fixes - one.reverts, -one.fix_density, one.path))
    return Trust(len(history.widths), history.shallow, tuple(found))


def _tested(snapshot: Snapshot) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each file, how many test files reach it."""
    edges, file = snapshot.edges, snapshot.nodes.file
    rows = np.flatnonzero(edges.kind == EDGE_NUMBER[EdgeKind.TESTS])
    size = max(len(snapshot.files), 1)
    pairs = np.unique(file[edges.source[rows]].astype(np.int64) * size + file[edges.target[rows]])
    return np.bincount(pairs % size, minlength=size).astype(np.int64)
