"""How often is each state of `sufficiency` right? `python -m benchmarks.sufficiency REPO... [--write]`.

The questions are those of `benchmarks.localise`: commits of each repository, asked of the state before them.
A state is right where the first focus node lies in a file that the commit changed. `--write` keeps the result
as `src/numen/north/fits/sufficiency.json`, from which packets take `reliability`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.localise_bench import Bench
from benchmarks.localise_measures import interval
from numen.graph.fit import localise_fit
from numen.kernel import canonical_bytes, canonical_text, digest
from numen.north.fit import weights_of

FIT = Path(__file__).parent.parent / "src/numen/north/fits/sufficiency.json"


def judged(bench: Bench) -> list[tuple[str, bool]]:
    """For each question the state that the packet gave, and whether its first focus node was right."""
    found: list[tuple[str, bool]] = []
    for case in bench.cases:
        packet = bench.packet(case.text)
        if packet.sufficiency is None or packet.context is None:
            continue
        focus = packet.context.focus
        found.append((packet.sufficiency.state.value, bool(focus) and focus[0].path in case.files))
    return found


def main() -> None:
    """Measure, print, and write where asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.sufficiency")
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--last", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows: list[tuple[str, bool]] = []
    commits: list[str] = []
    for repository in asked.repositories:
        with tempfile.TemporaryDirectory() as home:
            bench = Bench(repository, Path(home), asked.last, 0)
            mine = judged(bench)
        rows += mine
        commits.append(bench.commit)
        print(f"{repository}: {len(mine)} questions, {sum(right for _, right in mine)} right")
    states = {state: [right for one, right in rows if one == state] for state, _ in sorted(rows)}
    value = {
        state: {
            "reliability": round(sum(rights) / len(rights), 2),
            "questions": len(rights),
            "interval": [round(end, 2) for end in interval([float(right) for right in rights])],
        }
        for state, rights in states.items()
    }
    for state, said in value.items():
        print(state, said)
    fit = {
        "value": {state: said for state, said in value.items() if state != "absent"},
        "model": weights_of(localise_fit()),
        "data_digest": digest(canonical_bytes({"states": sorted(commits), "last": asked.last})),
        "report": (
            f"By state, the share of {len(rows)} questions from {len(commits)} repositories whose first "
            "focus node lay in a file that the commit changed; python -m benchmarks.sufficiency."
        ),
    }
    if asked.write:
        FIT.write_text(json.dumps(json.loads(canonical_text(fit)), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
