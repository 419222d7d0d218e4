"""How long `north` takes, and what a packet costs: `python -m benchmarks.north REPO [--tasks 200]`.

Tasks are the repository's own words: subjects of its newest commits, else headings and names of its index.
Each is asked once, after a warm-up of ten, and the clock runs around the whole call: drift scan, ranking,
git, composition. The index is built in a temporary home, which is removed.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from numen.graph import Graph, Search
from numen.graph.snapshot import Snapshot
from numen.graph.types import NodeKind
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via, canonical_text, tokens
from numen.north import North, NorthRequest, Packet

OWNER = Scope("owner", True, RoomKey("owner", "cli", ""), Audience.OWNER, Via.CLI, False)
WARM_UP = 10
T = TypeVar("T")


def tasks_of(snapshot: Snapshot, count: int) -> list[str]:
    """`count` things that one may want to do here, the same ones every time."""
    root = snapshot.brain.root
    if snapshot.brain.is_git:
        told = subprocess.run(
            ["git", "log", "--no-merges", f"-{count}", "--format=%s"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
        subjects = [line for line in told.stdout.splitlines() if len(line.split()) > 2]
        if len(subjects) >= count // 2:
            return subjects
    nodes = snapshot.nodes
    named = nodes.kinds(NodeKind.SECTION, NodeKind.CLASS, NodeKind.FUNCTION)
    names = [nodes.name(int(at)) for at in named]
    step = max(1, len(names) // (count * 3))
    picked = names[::step]
    return [" ".join(picked[at : at + 3]) for at in range(0, len(picked) - 2, 3)][:count]


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What `call` gives, and how many milliseconds it took."""
    start = time.perf_counter()
    given = call()
    return given, (time.perf_counter() - start) * 1000


def spread(name: str, values: Sequence[float], unit: str) -> str:
    """The middle, the 95th percentile and the most of `values`."""
    p50, p95, most = np.percentile(values, [50, 95, 100])
    return f"{name:<28} p50 {p50:8.1f}   p95 {p95:8.1f}   max {most:8.1f} {unit}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.north")
    parser.add_argument("repo", type=Path)
    parser.add_argument("--tasks", type=int, default=200)
    asked = parser.parse_args()
    repo: Path = asked.repo.resolve()
    clock = SystemClock()
    with tempfile.TemporaryDirectory() as home:
        graph = Graph(Path(home) / "brains", clock)
        search = Search(graph)
        north = North(graph, search, clock)

        def ask(task: str) -> Packet:
            return north.packet(OWNER, NorthRequest(task, "benchmark", repo, caller_root=str(repo)))

        cold, cold_ms = timed(lambda: ask("find where settings are read"))
        report = graph.ingest(OWNER, repo)
        snapshot = graph.open(OWNER, repo)
        tasks = tasks_of(snapshot, asked.tasks)
        _, first_ms = timed(lambda: ask(tasks[0]))
        for task in tasks[:WARM_UP]:
            ask(task)
        answers = [timed(lambda task=task: ask(task)) for task in tasks]
        parts = {
            "of it: drift scan": lambda _: graph.drift(snapshot),
            "of it: ranking": lambda task: search.rank(OWNER, snapshot, task, top_k=16),
        }
        split = {name: [timed(lambda: call(task))[1] for task in tasks] for name, call in parts.items()}  # noqa: B023

    packets = [packet for packet, _ in answers]
    sizes = [tokens(canonical_text(packet.as_json())) for packet in packets]
    print(f"{repo.name}: {report.files:,} files, {report.nodes:,} nodes; {len(tasks)} tasks")
    print(f"cold packet                  {cold.budget.used} tokens, {cold_ms:.1f} ms")
    print(f"first packet of a process    {first_ms:.1f} ms")
    print(spread("north, warm", [ms for _, ms in answers], "ms"))
    for name, values in split.items():
        print(spread(name, values, "ms"))
    print(spread("packet", sizes, "tokens"))
    shown = [len(packet.context.focus) + len(packet.context.anchors) for packet in packets if packet.context]
    print(spread("places shown", shown, ""))
    print("verdicts", dict(Counter(packet.verdict.state.value for packet in packets)))
    print("sufficiency", dict(Counter(p.sufficiency.state.value for p in packets if p.sufficiency)))


if __name__ == "__main__":
    main()
