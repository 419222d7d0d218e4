"""Does Numen find the code that a task is about? `python -m benchmarks.localise REPO [--last N] [--json]`.

Each question is the subject and first paragraph of a bug-fix or feature commit of any git repository; right
answers are the production files and functions that the commit changed. One state is ingested: the parent of
the oldest commit asked about, so nothing that is asked about is in the index, its history included. Plain
rankings over the same words answer in the same run; programs that `scripts/bench-peers` installed answer the
same questions in turns with Numen's own process (`benchmarks.peers`). Nothing is written to REPO: it is
cloned into a temporary folder, which is removed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from benchmarks.localise_baselines import NAMES, Baselines
from benchmarks.localise_bench import OWNER, TOP_K, Bench, strange_questions
from benchmarks.localise_cases import Case
from benchmarks.localise_measures import Tally, auroc, interval, share, spread
from benchmarks.peers import beside
from benchmarks.peers import table as peers_table
from numen.graph import Ranking
from numen.graph.corpus import Corpus
from numen.graph.fit import localise_fit
from numen.graph.signals import likelihood
from numen.graph.types import FileClass
from numen.kernel import canonical_text, tokens
from numen.north import Packet

HIDDEN = "numen, none named"
"""The row of those questions that name no right file by a word."""
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class Timed:
    """Milliseconds by what was timed."""

    spent: dict[str, list[float]] = field(default_factory=dict)

    def run(self, name: str, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `call` gives; how long it took is kept under `name`."""
        began = time.perf_counter()
        given = call(*args, **kwargs)
        self.spent.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        return given


def measure(bench: Bench, strangers: Sequence[str]) -> dict[str, object]:
    """Everything that one run reports."""
    baselines = Baselines(Corpus(bench.snapshot))
    files = {name: Tally() for name in ("numen", *NAMES, HIDDEN)}
    symbols = {name: Tally() for name in ("numen", *NAMES)}
    packets: list[tuple[Packet, Case]] = []
    own: list[Ranking] = []
    timed = Timed()
    for case in bench.cases:
        bench.search.rank(OWNER, bench.snapshot, case.text, top_k=TOP_K)  # warm, as a second question is
    for case in bench.cases:
        timed.run("rank", bench.search.rank, OWNER, bench.snapshot, case.text, top_k=TOP_K)
        timed.run("seek", bench.search.seek, OWNER, bench.tree, case.text[:4000], k=10)
        packets.append((timed.run("north", bench.packet, case.text), case))
        ranking = bench.rank(case.text)
        own.append(ranking)
        files["numen"].add([hit.node.path for hit in ranking.files], case.files)
        if not case.gives_away:
            files[HIDDEN].add([hit.node.path for hit in ranking.files], case.files)
        if case.symbols:
            symbols["numen"].add([hit.node.id for hit in ranking.hits], case.symbols)
        for name, answer in baselines.ask(case.text).items():
            files[name].add(answer.files, case.files)
            if case.symbols:
                symbols[name].add(answer.symbols, case.symbols)
    return {
        "state": _state(bench),
        "files": {name: tally.report() for name, tally in files.items()},
        "symbols": {name: tally.report() for name, tally in symbols.items()},
        "mrr ahead of": {name: _ahead(files["numen"], files[name]) for name in NAMES},
        "packet": _packets(packets),
        "abstention": _abstention(bench, own, strangers),
        "milliseconds": {name: spread(spent) for name, spent in timed.spent.items()},
        "fit": {"model": localise_fit().model, "data": localise_fit().data_digest},
    }


def _state(bench: Bench) -> dict[str, object]:
    classes = bench.snapshot.files.classes
    return {
        "commit": bench.commit,
        "questions": len(bench.cases),
        "files": len(bench.snapshot.files),
        "source files": int((classes == list(FileClass).index(FileClass.SOURCE)).sum()),
        "nodes": len(bench.snapshot.nodes),
        "ingest seconds": round(bench.report.seconds, 2),
    }


def _ahead(numen: Tally, other: Tally) -> dict[str, object]:
    """How far Numen's reciprocal ranks are ahead, with the paired 95 % interval."""
    gains = [a - b for a, b in zip(numen.reciprocal(), other.reciprocal(), strict=True)]
    return {"by": round(sum(gains) / len(gains), 3), "interval": interval(gains)}


def _packets(packets: Sequence[tuple[Packet, Case]]) -> dict[str, object]:
    """What the packet shows, what it costs, and how often each state of sufficiency was right."""
    tally, shown = Tally(), list[bool]()
    states: dict[str, list[tuple[bool, bool]]] = {}
    for packet, case in packets:
        places = (*packet.context.focus, *packet.context.anchors) if packet.context else ()
        paths = list(dict.fromkeys(place.path for place in places))
        tally.add(paths, case.files)
        shown.append(any(path in case.files for path in paths))
        state = packet.sufficiency.state.value if packet.sufficiency else "none"
        focus = [place.path for place in packet.context.focus] if packet.context else []
        right = (bool(focus) and focus[0] in case.files, any(path in case.files for path in focus))
        states.setdefault(state, []).append(right)
    return {
        "files": tally.report(),
        "shows a right file": share(shown),
        "tokens": spread([tokens(canonical_text(packet.as_json())) for packet, _ in packets]),
        "sufficiency": {
            state: {
                "n": len(rows),
                "first is right": share([first for first, _ in rows]),
                "focus holds a right file": share([held for _, held in rows]),
            }
            for state, rows in sorted(states.items())
        },
    }


def _abstention(bench: Bench, own: Sequence[Ranking], strangers: Sequence[str]) -> dict[str, object]:
    """How often Numen is silent on questions about this tree, and on those about another."""
    fit = localise_fit()
    report: dict[str, object] = {"own": _matches(own)}
    if not strangers:
        return report | {"strangers": "not measured: name another repository with --strangers"}
    others = [bench.rank(text) for text in strangers]
    past = Corpus(bench.snapshot).past
    told = past is not None and past.tells
    mine = [likelihood(ranking.signals, fit, told=told) for ranking in own]
    theirs = [likelihood(ranking.signals, fit, told=told) for ranking in others]
    bar = sorted(mine)[int(0.05 * len(mine))]
    return report | {
        "strangers": _matches(others),
        "auroc": auroc(mine, theirs),
        "silent at 5 % of own": share([chance < bar for chance in theirs]),
    }


def _matches(rankings: Sequence[Ranking]) -> dict[str, object]:
    found = [ranking.match for ranking in rankings]
    return {"n": len(found)} | {
        kind: share([one == kind for one in found]) for kind in ("strong", "weak", "none")
    }


def shown(report: dict[str, Any]) -> str:
    """The report for a person."""
    lines: list[str] = []
    for part, content in report.items():
        if part == "peers" and "rows" in content:
            lines += ["peers:", peers_table(content)]
            continue
        lines.append(f"{part}:")
        rows = content.items() if isinstance(content, dict) else [("", content)]
        for name, row in rows:
            text = "  ".join(f"{key} {value}" for key, value in row.items()) if isinstance(row, dict) else row
            lines.append(f"  {name:<20} {text}")
    return "\n".join(lines)


def run(repository: Path, last: int, skip: int, strangers: Sequence[str], peers: Path) -> dict[str, Any]:
    """Measure one repository in a temporary home, then beside the peers that are in `peers`."""
    with tempfile.TemporaryDirectory(prefix="numen-localise-") as home:
        report = measure(Bench(repository, Path(home), last, skip), strangers)
    return report | {"peers": beside(repository, peers, last, skip, strangers)}


def main() -> None:
    """Read the command line, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.localise", description=__doc__)
    parser.add_argument("repository", type=Path, help="any git repository, bare or not")
    parser.add_argument("--last", type=int, default=50, metavar="N", help="ask about the last N such commits")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="pass over the newest N such commits"
    )
    parser.add_argument("--strangers", type=Path, metavar="REPO", help="another repository, for abstention")
    parser.add_argument(
        "--peers", type=Path, default=Path("build/peers"), metavar="DIR", help="where the peers are installed"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    strangers = strange_questions(arguments.strangers, arguments.last)
    report = run(arguments.repository, arguments.last, arguments.skip, strangers, arguments.peers)
    print(json.dumps(report, indent=2) if arguments.json else shown(report))


if __name__ == "__main__":
    main()
