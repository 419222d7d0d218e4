"""How long a search takes: `python -m benchmarks.seek TREE [--tasks 200]`.

Tasks are the repository's own words, as in `benchmarks.north`; each is asked once after a warm-up of ten.
`rank` is the ranking alone, `seek` adds the text and freshness of ten results. The index is built in a
temporary home, which is removed.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.localise_measures import spread
from benchmarks.north import OWNER, WARM_UP, tasks_of, timed
from numen.graph import Graph, Search
from numen.kernel import SystemClock, canonical_text, tokens


def run(tree: Path, count: int) -> dict[str, object]:
    """Milliseconds and tokens over `count` tasks."""
    with tempfile.TemporaryDirectory(prefix="numen-seek-") as home:
        graph = Graph(Path(home), SystemClock())
        graph.ingest(OWNER, tree)
        search, snapshot = Search(graph), graph.open(OWNER, tree)
        tasks = tasks_of(snapshot, count)
        for task in tasks[:WARM_UP]:
            search.seek(OWNER, tree, task)
        ranked = [timed(lambda task=task: search.rank(OWNER, snapshot, task, top_k=8))[1] for task in tasks]
        sought = [
            timed(lambda task=task: search.seek(OWNER, tree, task, budget_tokens=300)) for task in tasks
        ]
        answers = [tokens(canonical_text(answer.as_json())) for answer, _ in sought if answer.found]
        return {
            "files": len(snapshot.files),
            "nodes": len(snapshot.nodes),
            "tasks": len(tasks),
            "rank ms": spread(ranked),
            "seek ms": spread([spent for _, spent in sought]),
            "tokens of ten, compact": spread(answers),
        }


def main() -> None:
    """Read the command line, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seek", description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--tasks", type=int, default=200)
    arguments = parser.parse_args()
    for name, value in run(arguments.tree, arguments.tasks).items():
        print(f"{name:<24} {value}")


if __name__ == "__main__":
    main()
