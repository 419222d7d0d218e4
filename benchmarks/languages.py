"""How well each language is read: definitions and calls against labels that were checked by hand.

`python -m benchmarks.languages --repositories DIR [--json] [--show] [LANGUAGE ...]`. DIR holds clones named
by the last part of the repository's name, at the commits that the labels name (others are skipped).
The labels are `tests/languages/<language>.json`: names and line numbers only.

A definition is found when a node of its name begins on its line. A node that begins on a labelled line is
right when it bears a labelled name. A call is found when there is an edge from its caller to its callee. An
edge that comes of a labelled line counts as wrong when it leads to another node of the labelled callee's
name, or to a node named as something that the labels say is called outside the repository there. Of equal
uses in one definition only the first is in the index: where a line has none, any edge of that name counts.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from numen.graph import Graph, Snapshot
from numen.graph.rows import EDGE_NUMBER, KINDS, key_of
from numen.graph.types import Certainty, EdgeKind
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via

LABELS = Path(__file__).parent.parent / "tests" / "languages"
SCOPE = Scope("owner", True, RoomKey("owner", "benchmark", "local"), Audience.OWNER, Via.CLI, False)
SURE = (Certainty.EXACT, Certainty.IMPORT_RESOLVED)
CALLS = EDGE_NUMBER[EdgeKind.CALLS]


class Label(TypedDict, total=False):
    """One row of a label file; `definitions`, `calls` and `not_calls` have different fields."""

    repo: str
    path: str
    name: str
    kind: str
    start: int
    end: int
    line: int
    caller: str
    callee_path: str
    callee: str
    how: str
    why: str


@dataclass(slots=True)
class Share:
    """So many of so many."""

    right: int = 0
    all: int = 0

    def count(self, is_right: bool) -> None:
        """Count one more."""
        self.right += is_right
        self.all += 1

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.right / self.all if self.all else None

    def __str__(self) -> str:
        return f"{self.right / self.all:.3f} ({self.right}/{self.all})" if self.all else "- (0/0)"


@dataclass(slots=True)
class Result:
    """What one language came to. `faults` are lines for a person."""

    language: str
    definitions: Share = field(default_factory=Share)
    spans: Share = field(default_factory=Share)
    kinds: Share = field(default_factory=Share)
    names: Share = field(default_factory=Share)
    sure: Share = field(default_factory=Share)
    unique: Share = field(default_factory=Share)
    found: Share = field(default_factory=Share)
    found_sure: Share = field(default_factory=Share)
    by_how: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    skipped: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def rows(self) -> Iterable[tuple[str, Share]]:
        """Every number with its name."""
        yield "definitions recall", self.definitions
        yield "definitions precision", self.names
        yield "definitions, whole span right", self.spans
        yield "definitions, kind right", self.kinds
        yield "edge precision, exact and import-resolved", self.sure
        yield "edge precision, unique-name", self.unique
        yield "call recall", self.found
        yield "call recall, exact and import-resolved", self.found_sure
        for how in sorted(self.by_how):
            yield f"call recall, {how}", self.by_how[how]


class Index:
    """The index of one clone, looked up the way labels speak."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        nodes = snapshot.nodes
        self.qualified = [re.sub(r"#\d+$", "", name) for name in nodes.rows.qualified]
        self.by_place: dict[tuple[str, int], list[int]] = defaultdict(list)
        self.by_name: dict[tuple[str, str], list[int]] = defaultdict(list)
        for node in range(len(nodes)):
            path = self.path(node)
            self.by_place[path, int(nodes.start[node])].append(node)
            self.by_name[path, self.qualified[node]].append(node)

    def path(self, node: int) -> str:
        """The file of `node`."""
        return self.snapshot.files.paths[int(self.snapshot.nodes.file[node])]

    def around(self, path: str, line: int) -> int:
        """The innermost definition that holds a line."""
        nodes = self.snapshot.nodes
        file = self.snapshot.files.index(path)
        assert file is not None, path
        best = first = int(nodes.rows.ends[file])
        for node in range(first, int(nodes.rows.ends[file + 1])):
            if nodes.start[node] <= line <= nodes.end[node]:
                best = node
        return best

    def calls(self, node: int) -> list[tuple[int, Certainty]]:
        """What `node` calls."""
        edges = self.snapshot.edges
        return [
            (int(edges.target[edge]), Certainty(int(edges.certainty[edge])))
            for edge in edges.out(node)
            if edges.kind[edge] == CALLS
        ]

    def lines(self, source: int, target: int) -> set[int]:
        """The lines that the edge from `source` to `target` comes of; of equal references the first."""
        refs, links = self.snapshot.tables.references, self.snapshot.links
        return {int(refs.line[row]) for row in self._rows(source) if links.node[row] == target}

    def uses(self, source: int, name: str) -> set[int]:
        """The lines on which `source` uses `name`; of equal references the first."""
        refs, key = self.snapshot.tables.references, key_of(name)
        return {
            int(refs.line[row])
            for row in self._rows(source)
            if key in (int(refs.first[row]), int(refs.second[row]), int(refs.third[row]))
        }

    def _rows(self, source: int) -> list[int]:
        refs = self.snapshot.tables.references
        file = int(self.snapshot.nodes.file[source])
        inside = source - int(self.snapshot.nodes.rows.ends[file])
        return [
            row for row in range(int(refs.ends[file]), int(refs.ends[file + 1])) if refs.source[row] == inside
        ]


def measured(language: str, repositories: Path, indexes: dict[str, Index]) -> Result:
    """One language against its labels. `indexes` is filled as clones are read."""
    labels = json.loads((LABELS / f"{language}.json").read_text(encoding="utf-8"))
    result = Result(language)
    for repository in labels["repositories"]:
        name, commit = repository["name"], repository["commit"]
        clone = repositories / name.rpartition("/")[2]
        if not clone.is_dir() or _head(clone) != commit:
            result.skipped.append(f"{name}: no clone at {commit[:12]}")
            continue
        if name not in indexes:
            indexes[name] = Index(_snapshot(clone))
        index = indexes[name]
        _definitions(result, index, [row for row in labels["definitions"] if row["repo"] == name])
        calls = [row for row in labels["calls"] if row["repo"] == name]
        _calls(result, index, calls)
        _edges(result, index, calls, [row for row in labels["not_calls"] if row["repo"] == name])
    return result


def _head(clone: Path) -> str:
    done = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], capture_output=True, check=False)
    return done.stdout.decode().strip()


def _snapshot(clone: Path) -> Snapshot:
    """The index of the clone's files; its history is left out, which says nothing of languages."""
    with tempfile.TemporaryDirectory(prefix="numen-bench-") as folder:
        tree = Path(folder) / clone.name
        shutil.copytree(clone, tree, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        graph = Graph(Path(folder) / "brains", SystemClock(), workers=2)
        graph.ingest(SCOPE, tree)
        return graph.open(SCOPE, tree)


def _definitions(result: Result, index: Index, labels: list[Label]) -> None:
    nodes = index.snapshot.nodes
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for row in labels:
        names[row["path"], row["start"]].add(row["name"])
    for row in labels:
        here = index.by_place[row["path"], row["start"]]
        node = next((one for one in here if index.qualified[one] == row["name"]), -1)
        result.definitions.count(node >= 0)
        if node < 0:
            said = [(index.qualified[one], int(nodes.start[one])) for one in here] or [
                (row["name"], int(nodes.start[one])) for one in index.by_name[row["path"], row["name"]]
            ]
            result.faults.append(f"definition {row['path']}:{row['start']} {row['name']} not found: {said}")
            continue
        result.spans.count(int(nodes.end[node]) == row["end"])
        if int(nodes.end[node]) != row["end"]:
            result.faults.append(
                f"span {row['path']}:{row['start']} {row['name']}: {nodes.end[node]}, not {row['end']}"
            )
        kind = KINDS[int(nodes.kind[node])].value
        result.kinds.count(kind == row["kind"])
        if kind != row["kind"]:
            result.faults.append(
                f"kind {row['path']}:{row['start']} {row['name']}: {kind}, not {row['kind']}"
            )
    for (path, start), right in names.items():
        for node in index.by_place[path, start]:
            if nodes.parent[node] >= 0:
                result.names.count(index.qualified[node] in right)


def _calls(result: Result, index: Index, labels: list[Label]) -> None:
    for row in labels:
        callers = index.by_name.get((row["path"], row["caller"]), [])
        callees = set(index.by_name.get((row["callee_path"], row["callee"]), []))
        found = [sure for one in callers for to, sure in index.calls(one) if to in callees]
        if callees & set(callers) and row["callee"] == row["caller"]:  # an edge to itself says nothing
            continue
        result.found.count(bool(found))
        result.by_how[row["how"]].count(bool(found))
        result.found_sure.count(any(one in SURE for one in found))
        if not found:
            result.faults.append(
                f"call {row['path']}:{row['line']} {row['caller']} -> {row['callee_path']} {row['callee']}"
                f" ({row['how']}) not found"
            )


def _edges(result: Result, index: Index, calls: list[Label], others: list[Label]) -> None:
    right: dict[tuple[int, str], set[int]] = defaultdict(set)
    lines: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in calls:
        callees = index.by_name.get((row["callee_path"], row["callee"]), [])
        for caller in index.by_name.get((row["path"], row["caller"]), []):
            right[caller, _bare(row["callee"])].update(callees)
            lines[caller, _bare(row["callee"])].add(row["line"])
    for row in others:
        caller, name = index.around(row["path"], row["line"]), _bare(row["name"])
        uses = index.uses(caller, name)
        lines[caller, name] |= {row["line"]} if row["line"] in uses else uses
    nodes = index.snapshot.nodes
    for caller, name in sorted(lines):
        for target, certainty in index.calls(caller):
            if nodes.name(target) != name:
                continue
            is_right = target in right[caller, name]
            if not is_right and not index.lines(caller, target) & lines[caller, name]:
                continue  # it comes of another line, of which the labels say nothing
            (result.sure if certainty in SURE else result.unique).count(is_right)
            if not is_right:
                result.faults.append(
                    f"edge {nodes.id(caller)} -> {nodes.id(target)} ({certainty.label}) is wrong"
                )


def _bare(name: str) -> str:
    return name.removesuffix(" itself").rpartition(".")[2]


def main() -> None:
    """Print a table a language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("languages", nargs="*", default=sorted(path.stem for path in LABELS.glob("*.json")))
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true", help="every label that was not met")
    given = parser.parse_args()
    indexes: dict[str, Index] = {}
    results = [measured(language, given.repositories, indexes) for language in given.languages]
    if given.json:
        print(
            json.dumps({one.language: {name: [s.right, s.all] for name, s in one.rows()} for one in results})
        )
        return
    for one in results:
        print(one.language, *(f"(skipped {what})" for what in one.skipped))
        for name, share in one.rows():
            print(f"  {name:44} {share}")
        for fault in one.faults if given.show else ():
            print("   ", fault)


if __name__ == "__main__":
    main()
