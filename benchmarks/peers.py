"""Numen and its peers on the same questions, in turns: `python -m benchmarks.peers REPO... [--last N]`.

The questions, the state that is indexed and the right answers are those of `benchmarks.localise`. Each
program has a clone of its own at that state, indexes it once, and then answers every question in a process
that stays open, one after the other; who goes first changes with each question. Peers come from
`scripts/bench-peers`; those that are not there are named and left out.

Only production files can be right, so in every list, Numen's too, other files are passed over: a search that
shows tests first is not blamed for it. Tokens are of the whole answer as the program gave it, bytes over
four. Strangers are questions about the other repositories named, or about those of `--strangers`: a program
is silent when it names no file. Nothing is written to REPO.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.localise_bench import Bench, strange_questions
from benchmarks.localise_cases import Case, git_bytes
from benchmarks.localise_measures import Tally, interval, share, spread
from benchmarks.peers_programs import PROGRAMS, ROWS, Answer, Indexed, Program, ProgramFailed, opened
from numen.graph.types import FileClass

SCHEMA = "numen-peers-v1"
LONGEST = 4000
"""Characters of a question that are asked: as many as `north` takes."""

STRANGERS = 20
"""Questions about other repositories that each repository is asked."""


@dataclass(slots=True)
class Row:
    """What one way of asking answered, over all questions."""

    files: Tally = field(default_factory=Tally)
    own: list[Answer] = field(default_factory=list)
    strange: list[Answer] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, other: Row) -> None:
        """Count the answers of another row too."""
        self.files.ranks += other.files.ranks
        self.files.recalls += other.files.recalls
        self.own += other.own
        self.strange += other.strange
        self.milliseconds += other.milliseconds

    def report(self, numen: Row | None) -> dict[str, object]:
        """The numbers of the row; `numen` is the row that it is compared with."""
        report: dict[str, object] = {
            "files": self.files.report(),
            "tokens": spread([one.tokens for one in self.own]),
            "milliseconds": spread(self.milliseconds),
            "silent": _shares(self, lambda one: one.silent),
            "weak": _shares(self, lambda one: one.weak),
        }
        if numen is not None and numen is not self and len(numen.own) == len(self.own):
            gains = [a - b for a, b in zip(numen.files.reciprocal(), self.files.reciprocal(), strict=True)]
            report["numen ahead in MRR"] = {
                "by": round(sum(gains) / len(gains), 3),
                "interval": interval(gains),
            }
        return report


def _shares(row: Row, holds: Callable[[Answer], bool]) -> dict[str, float | None]:
    return {
        "own": share([holds(one) for one in row.own]),
        "strangers": share([holds(one) for one in row.strange]) if row.strange else None,
    }


@dataclass(slots=True)
class Repository:
    """What was measured on one repository."""

    name: str
    commit: str
    files: int
    sources: int
    questions: int
    strangers: int
    rows: dict[str, Row] = field(default_factory=dict)
    indexed: dict[str, Indexed] = field(default_factory=dict)
    answering_mb: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def report(self) -> dict[str, object]:
        """The numbers of the repository."""
        return {
            "name": self.name,
            "commit": self.commit,
            "files": self.files,
            "source files": self.sources,
            "questions": self.questions,
            "strangers": self.strangers,
            "rows": {name: row.files.report() for name, row in self.rows.items()},
            "silent": {name: _shares(row, lambda one: one.silent) for name, row in self.rows.items()},
            "index": {name: asdict(cost) for name, cost in self.indexed.items()},
            "answering MB": self.answering_mb,
            "failed": self.failed,
        }


def measure(repository: Path, peers: Path, last: int, skip: int, strangers: Sequence[str]) -> Repository:
    """One repository: index with each program, then ask each in turn."""
    with tempfile.TemporaryDirectory(prefix="numen-peers-") as folder:
        home = Path(folder)
        bench = Bench(repository, home, last, skip)
        classes = bench.snapshot.files.classes == list(FileClass).index(FileClass.SOURCE)
        sources = {path for path, source in zip(bench.snapshot.files.paths, classes, strict=True) if source}
        seen = Repository(
            called(repository), bench.commit, len(classes), len(sources), len(bench.cases), len(strangers)
        )
        programs: list[Program] = []
        for kind in PROGRAMS:
            if kind.version(peers / kind.name) is None:
                seen.failed[kind.name] = "not installed"
                continue
            tree = home / "trees" / kind.name
            _clone(repository, bench.commit, tree)
            programs.append(kind(peers, tree, home / "homes" / kind.name))
        with opened(programs):
            ready = [one for one in programs if _indexed(one, seen)]
            _ask_all(ready, bench.cases, strangers, sources, seen)
        for one in ready:
            seen.answering_mb[one.name] = one.peak_mb
        return seen


def _indexed(program: Program, seen: Repository) -> bool:
    """Index and open; a program that cannot is named with what it said."""
    _say(f"{seen.name}: {program.name} indexes")
    try:
        seen.indexed[program.name] = program.index()
        program.open()
    except ProgramFailed as error:
        seen.failed[program.name] = str(error)
        return False
    return True


def _ask_all(
    programs: list[Program],
    cases: Sequence[Case],
    strangers: Sequence[str],
    sources: set[str],
    seen: Repository,
) -> None:
    """Each question to each program, in turns. The first is asked once before, and not counted."""
    going = list(programs)
    asked = [(case.text, case) for case in cases] + [(text, None) for text in strangers]
    for number, (text, case) in enumerate([asked[0], *asked]):
        if number % 10 == 1:
            _say(f"{seen.name}: question {number} of {len(asked)}")
        first = number % max(1, len(going))
        for program in (*going[first:], *going[:first]):
            try:
                answers = _answers(program, text[:LONGEST])
            except ProgramFailed as error:
                seen.failed[program.name] = f"at question {number}: {error}"
                for row in program.rows:
                    seen.rows.pop(row, None)
                going.remove(program)
                continue
            if number:
                _count(answers, case, sources, seen)


def _answers(program: Program, text: str) -> dict[str, tuple[Answer, float]]:
    found: dict[str, tuple[Answer, float]] = {}
    for row in program.rows:
        began = time.perf_counter()
        answer = program.ask(row, text)
        found[row] = answer, (time.perf_counter() - began) * 1000
    return found


def _count(
    answers: Mapping[str, tuple[Answer, float]], case: Case | None, sources: set[str], seen: Repository
) -> None:
    for name, (answer, took) in answers.items():
        row = seen.rows.setdefault(name, Row())
        if case is None:
            row.strange.append(answer)
            continue
        row.files.add([path for path in answer.files if path in sources], case.files)
        row.own.append(answer)
        row.milliseconds.append(took)


def beside(repository: Path, peers: Path, last: int, skip: int, strangers: Sequence[str]) -> dict[str, Any]:
    """The report of one repository if a peer is in the folder `peers`; else what to do to have one."""
    peers = peers.resolve()
    if not any(kind.version(peers / kind.name) for kind in PROGRAMS[1:]):
        return {"not run": {"why": "no peer is installed; run scripts/bench-peers"}}
    return report([measure(repository, peers, last, skip, strangers)], peers)


def report(measured: Sequence[Repository], peers: Path) -> dict[str, Any]:
    """Everything that one run found, with what it ran on."""
    pooled: dict[str, Row] = {}
    for name in ROWS:
        rows = [one.rows[name] for one in measured if name in one.rows]
        # A pooled row is over the same questions as the others, or is not shown.
        if rows and len(rows) == len(measured):
            pooled[name] = Row()
            for row in rows:
                pooled[name].add(row)
    numen = pooled.get(ROWS[0])
    return {
        "schema": SCHEMA,
        "machine": _machine(),
        "versions": {kind.name: kind.version(peers / kind.name) for kind in PROGRAMS},
        "questions": sum(one.questions for one in measured),
        "strangers": sum(one.strangers for one in measured),
        "rows": {name: row.report(numen) for name, row in pooled.items()},
        "programs": {kind.name: _costs(kind.name, measured) for kind in PROGRAMS},
        "repositories": [one.report() for one in measured],
    }


def _costs(name: str, measured: Sequence[Repository]) -> dict[str, float] | None:
    """Sums of times and the largest memory over the repositories; None where the program missed one."""
    costs = [one.indexed[name] for one in measured if name in one.indexed]
    answering = [one.answering_mb[name] for one in measured if name in one.answering_mb]
    if not costs or len(costs) < len(measured):
        return None
    seconds = sum(one.seconds for one in costs)
    return {
        "index seconds": round(seconds, 2),
        "index processor seconds": round(sum(one.cpu_seconds for one in costs), 2),
        "files a second": round(sum(one.files for one in measured) / seconds, 1),
        "index MB": max(one.peak_mb for one in costs),
        "answering MB": max(answering, default=0.0),
    }


def _machine() -> dict[str, object]:
    return {
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "load average": round(os.getloadavg()[0], 1),
    }


def table(found: Mapping[str, Any]) -> str:
    """The report as tables of Markdown, which a person can read as they are."""
    rows = [
        [
            name,
            *(f"{row['files'][key]:.2f}" for key in ("any@1", "any@5", "any@10", "mrr")),
            f"{row['tokens']['p50']:,.0f}",
            f"{row['milliseconds']['p50']:,.0f}",
            _percent(row["silent"]["own"]),
            _percent(row["silent"]["strangers"]),
            _percent(row["weak"]["own"]),
            _percent(row["weak"]["strangers"]),
        ]
        for name, row in found["rows"].items()
    ]
    head = ["asked by", "any@1", "any@5", "any@10", "MRR", "tokens", "ms", "silent", "on strangers"]
    costs = [
        [name, found["versions"][name] or "–", *(f"{value:,.1f}" for value in cost.values())]
        for name, cost in found["programs"].items()
        if cost
    ]
    cost_head = ["program", "version", "index s", "processor s", "files/s", "index MB", "answering MB"]
    by_repository = [
        [
            name,
            *(
                f"{one['rows'][name]['mrr']:.2f}" if name in one["rows"] else "–"
                for one in found["repositories"]
            ),
        ]
        for name in found["rows"]
    ]
    parts = [
        f"{found['questions']} questions, {found['strangers']} strangers; medians of tokens and milliseconds",
        markdown([*head, "weak", "on strangers"], rows),
        markdown(cost_head, costs),
        markdown(["MRR", *(one["name"] for one in found["repositories"])], by_repository),
        *(
            f"{one['name']}: {name} was not measured: {why}"
            for one in found["repositories"]
            for name, why in one["failed"].items()
        ),
    ]
    return "\n\n".join(parts)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown with columns of equal width."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    drawn = [
        "| "
        + " | ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in lines
    ]
    rule = "|" + "|".join("-" * (width + 1) + (":" if i else "-") for i, width in enumerate(widths)) + "|"
    return "\n".join([drawn[0], rule, *drawn[1:]])


def called(repository: Path) -> str:
    """A short name: the folder's, or that of the folder above where it is called only `repo` or `.git`."""
    place = repository.resolve()
    if place.name in ("repo", ".git", "repo.git"):
        place = place.parent
    return place.name.removesuffix(".git").replace("+", "/")


def _clone(repository: Path, commit: str, tree: Path) -> None:
    tree.parent.mkdir(parents=True, exist_ok=True)
    command = ["git", "clone", "-q", "--shared", "--no-checkout", str(repository.resolve()), str(tree)]
    subprocess.run(command, check=True, capture_output=True)
    git_bytes(tree, "checkout", "-q", "--detach", commit)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Read the command line, measure, print, and keep the JSON where asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+", help="any git repositories, bare or not")
    parser.add_argument(
        "--peers", type=Path, default=Path("build/peers"), metavar="DIR", help="where they are"
    )
    parser.add_argument("--last", type=int, default=20, metavar="N", help="questions of each repository")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="pass over the newest N")
    parser.add_argument(
        "--strangers", type=Path, nargs="*", default=[], metavar="REPO", help="for abstention"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the report, for benchmarks.charts")
    given = parser.parse_args()
    pool: list[Path] = [*given.repositories, *given.strangers]
    measured: list[Repository] = []
    for one in given.repositories:
        others = [other for other in pool if other.resolve() != one.resolve()]
        lent = -(-STRANGERS // max(1, len(others)))
        strange = [text for other in others for text in strange_questions(other, lent)][:STRANGERS]
        measured.append(measure(one, given.peers.resolve(), given.last, given.skip, strange))
    found = report(measured, given.peers.resolve())
    print(table(found))
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
