"""How fast a repository is read, how fast one saved file is fresh again, and what that costs in memory.

`python -m benchmarks.ingest PATH [--json] [--repeat N]`. PATH is only read: the edits are made in a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_typescript
from tree_sitter import Language, Parser

from numen.graph import Graph, IngestReport, Snapshot
from numen.graph.parse import NO_FAMILY
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via

SCOPE = Scope("owner", True, RoomKey("owner", "benchmark", "local"), Audience.OWNER, Via.CLI, False)
SAVES = 15


class Memory:
    """Peak resident memory of this process, of each child, and of all together, looked at every 20 ms."""

    def __init__(self) -> None:
        self.parent = self.child = self.together = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look while the body runs."""
        over = threading.Event()
        thread = threading.Thread(target=self._look, args=(over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _look(self, over: threading.Event) -> None:
        me = psutil.Process()
        while not over.wait(0.02):
            own = me.memory_info().rss
            children: list[int] = []
            for child in me.children(recursive=True):
                try:
                    children.append(child.memory_info().rss)
                except psutil.Error:
                    continue
            self.parent = max(self.parent, own)
            self.child = max(self.child, *children, 0)
            self.together = max(self.together, own + sum(children))


def measured(path: Path, repeat: int) -> dict[str, float | int | str]:
    """Every number of one repository."""
    with tempfile.TemporaryDirectory(prefix="numen-bench-") as name:
        folder = Path(name)
        tree = folder / "tree"
        shutil.copytree(path, tree, symlinks=True)
        memory = Memory()
        seconds: list[float] = []
        processor: list[float] = []
        for _ in range(repeat):
            shutil.rmtree(folder / "brains", ignore_errors=True)
            before = _processor()
            with memory.watched():
                report, took = _full(folder / "brains", tree)
            seconds.append(took)
            processor.append(_processor() - before)
        best = min(seconds)
        graph = Graph(folder / "brains", SystemClock())
        graph.ingest(SCOPE, tree)
        snapshot = graph.open(SCOPE, tree)
        read = int((snapshot.files.rows.family != NO_FAMILY).sum())
        saves = _saves(graph, tree, snapshot)
        bare = _bare_parse(tree, snapshot)
        graph.drift(snapshot)  # the second question begins the watch, as in a process that stays
        graph.drift(snapshot)
        drifts = [_timed(lambda: graph.drift(snapshot)) for _ in range(20)]
        looks = [_timed(lambda: [os.lstat(tree / path) for path in snapshot.files.paths]) for _ in range(5)]
        opens = [_timed(lambda: Graph(folder / "brains", SystemClock()).open(SCOPE, tree)) for _ in range(10)]
        size = sum(file.stat().st_size for file in (folder / "brains").rglob("arrays.bin"))
        generations = len(list((folder / "brains").glob("*/gen-*")))
    return {
        "repository": path.name,
        "cores": len(os.sched_getaffinity(0)),
        "load before": round(os.getloadavg()[0], 2),
        "files": report.files,
        "files in a parsed language": read,
        "nodes": report.nodes,
        "edges": report.edges,
        "ambiguous references": report.ambiguous,
        "full ingest, best s": round(best, 3),
        "full ingest, median s": round(statistics.median(seconds), 3),
        "full ingest, processor s": round(min(processor), 3),
        "files/s, all": round(report.files / best),
        "files/s, parsed languages only": round(read / best),
        "bare parse of those, processor s": round(bare, 3),
        "bare lstat of all files, median ms": round(statistics.median(looks) * 1000, 1),
        "peak RSS, parent MB": memory.parent >> 20,
        "peak RSS, largest child MB": memory.child >> 20,
        "peak RSS, together MB": memory.together >> 20,
        "save to fresh, median ms": round(statistics.median(saves) * 1000, 1),
        "save to fresh, worst ms": round(max(saves) * 1000, 1),
        "drift scan, median ms": round(statistics.median(drifts) * 1000, 1),
        "open, median ms": round(statistics.median(opens) * 1000, 1),
        "index on disk, MB": round(size / max(1, generations) / 1e6, 1),
    }


def _full(brains: Path, tree: Path) -> tuple[IngestReport, float]:
    graph = Graph(brains, SystemClock())
    began = time.perf_counter()
    report = graph.ingest(SCOPE, tree, full=True)
    return report, time.perf_counter() - began


def _saves(graph: Graph, tree: Path, snapshot: Snapshot) -> list[float]:
    """The longest file of code is given one more function, again and again: each time until it is fresh."""
    rows = snapshot.files.rows
    longest = max(
        range(len(snapshot.files)),
        key=lambda i: int(rows.size[i]) * (int(rows.family[i]) > 1) * (int(rows.family[i]) != NO_FAMILY),
    )
    file = tree / snapshot.files.paths[longest]
    comment = "#" if file.suffix == ".py" else "//"
    took: list[float] = []
    for step in range(SAVES):
        with open(file, "a", encoding="utf-8") as handle:
            handle.write(f"{comment} saved {step}\n")
            handle.write(
                f"def saved_{step}():\n    return {step}\n"
                if comment == "#"
                else f"function saved{step}() {{}}\n"
            )
        took.append(_timed(lambda: graph.ingest(SCOPE, tree)))
        assert (
            graph.open(SCOPE, tree).nodes.by_name(f"saved_{step}" if comment == "#" else f"saved{step}").size
        )
    return took


def _bare_parse(tree: Path, snapshot: Snapshot) -> float:
    """Processor seconds in which one process does nothing but parse the files of parsed languages."""
    grammars = {
        "python": Language(tree_sitter_python.language()),
        "javascript": Language(tree_sitter_javascript.language()),
        "typescript": Language(tree_sitter_typescript.language_typescript()),
        "tsx": Language(tree_sitter_typescript.language_tsx()),
    }
    rows = snapshot.files.rows
    known = [
        (grammars[rows.language[i]], tree / path)
        for i, path in enumerate(snapshot.files.paths)
        if rows.language[i] in grammars
    ]
    texts = [(grammar, path.read_bytes()) for grammar, path in known]
    began = time.process_time()
    for grammar, text in texts:
        Parser(grammar).parse(text)
    return time.process_time() - began


def _timed(what: object) -> float:
    assert callable(what)
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def _processor() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    numbers = measured(given.path.resolve(), given.repeat)
    if given.json:
        print(json.dumps(numbers))
        return
    for name, value in numbers.items():
        print(f"{name:34} {value}")


if __name__ == "__main__":
    main()
