"""One repository at one state with its questions: what `localise`, `peers` and the fits measure on."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.localise_cases import Case, asks, case_of, chosen, commits, git, origins, question
from numen.graph import Graph, Ranking, Search, Snapshot
from numen.kernel import Audience, RoomKey, Scope, SystemClock, Via
from numen.north import North, NorthRequest, Packet

OWNER = Scope("owner", True, RoomKey("owner", "cli", ""), Audience.OWNER, Via.CLI, False)
TOP_K = 8


class Bench:
    """One repository at one state, with its questions."""

    def __init__(self, repository: Path, home: Path, last: int, skip: int) -> None:
        self.source = repository
        history = commits(repository)
        state, asking, since = chosen(history, last, skip)
        tree = home / "tree"
        clone = ["git", "clone", "-q", "--shared", "--no-checkout", str(repository.resolve()), str(tree)]
        subprocess.run(clone, check=True, capture_output=True)
        self.commit = git(repository, "rev-parse", state).strip()
        git(tree, "checkout", "-q", "--detach", self.commit)
        clock = SystemClock()
        graph = Graph(home / "brains", clock)
        self.report = graph.ingest(OWNER, tree)
        self.snapshot: Snapshot = graph.open(OWNER, tree)
        self.search = Search(graph)
        self.north = North(graph, self.search, clock)
        self.tree = tree
        called = origins(since)
        found = (case_of(repository, commit, called[commit.id], self.snapshot) for commit in asking)
        self.cases: list[Case] = [case for case in found if case is not None]

    def rank(self, text: str) -> Ranking:
        """What Numen ranks."""
        return self.search.rank(OWNER, self.snapshot, text, top_k=50)

    def packet(self, text: str) -> Packet:
        """What Numen tells an agent."""
        return self.north.packet(OWNER, NorthRequest(text[:4000], "bench", self.tree, top_k=TOP_K))


def strange_questions(repository: Path | None, count: int) -> list[str]:
    """Subjects of another repository, for which this one has no answer."""
    if repository is None:
        return []
    asking = [commit for commit in commits(repository, limit=50 * count) if asks(commit)][:count]
    return [text for commit in asking if (text := question(commit.subject, commit.body))]
