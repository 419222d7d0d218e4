"""Other programs asked the same questions, where they are installed. They run as their users run them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from benchmarks.localise_baselines import DEEP, Answer
from numen.graph import Snapshot
from numen.graph.types import FileClass

PROGRAM = "code-review-graph"


class CodeReviewGraph:
    """code-review-graph's `search` over a tree that it has built its own graph of.

    Only production files and what they define are kept of its answers, as for the plain rankings.
    """

    name = PROGRAM

    def __init__(self, tree: Path, snapshot: Snapshot) -> None:
        self._tree = tree
        self._snapshot = snapshot
        self._run("build", "--quiet")

    @staticmethod
    def installed() -> bool:
        """Whether the program is on the path."""
        return shutil.which(PROGRAM) is not None

    def ask(self, text: str) -> Answer:
        """Its files and symbols for `text`, best first; empty where it finds nothing."""
        told = json.loads(self._run("search", text, "--limit", str(DEEP)) or "{}")
        files: dict[str, None] = {}
        symbols: list[str] = []
        for row in told.get("results", []):
            path = row["file_path"].removeprefix(f"{self._tree}/")
            at = self._snapshot.files.index(path)
            if at is None or self._snapshot.files.entry(at).file_class is not FileClass.SOURCE:
                continue
            files[path] = None
            if row["kind"] != "File":
                symbols.append(row["qualified_name"].removeprefix(f"{self._tree}/"))
        return Answer(list(files), symbols)

    def _run(self, *arguments: str) -> str:
        command = [PROGRAM, *arguments, "--repo", str(self._tree)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=self._tree)
        return done.stdout
