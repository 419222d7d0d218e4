"""Questions with known answers, drawn from any git repository: a commit's words, and the code it changed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from numen.graph.parse import read
from numen.graph.rules import class_by_path, class_of, language_of, text_of
from numen.graph.snapshot import Snapshot
from numen.graph.terms import content_terms
from numen.graph.types import FileClass, NodeKind

CHORES = re.compile(
    r"^(?:merge|bump|release|prepare|revert|version|v?\d+\.\d+|chore|ci|build|style|format|rename|move|cleanup"
    r"|clean up|drop support|use uv|happy new year)\b|^\W{0,2}(?:docs?|tests?|lint)\b"
    r"|\b(?:typos?|spelling|changelog|readme|copyright|licen[cs]e|dependenc\w+|deps|devdeps|pre-commit|mypy|pyright"
    r"|linter|linting|flake8|pylint|ruff|black|isort|eslint|prettier|rustfmt|clippy|gofmt|rubocop|travis|appveyor"
    r"|github actions?|dependabot|type annotations?|type hints?|typing|whitespace|unused imports?)\b",
    re.IGNORECASE,
)
"""Subjects that announce neither a fix nor a feature."""

WIDEST = 8
"""A commit that changed more source files than this asks no single question."""

FEWEST = 2
"""A question with fewer telling words than this could be asked of any repository."""

_NOISE = re.compile(r"\(?(?:#|GH-)\d+\)?|https?://\S+|\b[0-9a-f]{12,40}\b")
_TRAILER = re.compile(
    r"^(?:[A-Z][\w-]+-by|Change-Id|Closes|Fixes|Refs?|See|PR|Co-authored-by|git-svn-id)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """One question: `text` is asked; `files` and `symbols` (node ids of the snapshot) are right answers."""

    commit: str
    text: str
    files: tuple[str, ...]
    symbols: tuple[str, ...]

    @property
    def gives_away(self) -> bool:
        """Whether a word of the question is the name of a right file, its ending aside."""
        words = set(re.findall(r"\w+", self.text.lower()))
        return any(Path(file).name.partition(".")[0].lower() in words for file in self.files)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its message, the files it changed that were there before, new names with their old ones."""

    id: str
    subject: str
    body: str
    files: list[str]
    renames: dict[str, str]


def question(subject: str, body: str) -> str:
    """Subject and first paragraph of the body, without numbers of issues, links and trailers."""
    first = _TRAILER.sub("", body).strip().split("\n\n")[0].strip()
    return " ".join(_NOISE.sub(" ", f"{subject}\n{first}").split())


def commits(root: Path, end: str = "HEAD", limit: int = 20_000) -> list[Commit]:
    """The newest `limit` commits up to `end` that are no merges, newest first."""
    asked = ("log", end, "-z", f"-n{limit}", "--no-merges", "--name-status", "--format=%x01%H%x00%s%x00%b")
    log = (git_bytes(root, *asked, "-M") or git_bytes(root, *asked, "-M100%") or b"").decode(
        "utf-8", "replace"
    )
    fields = iter(log.split("\0"))
    token = next(fields, "")
    found: list[Commit] = []
    while token.startswith("\x01"):
        commit = Commit(token[1:], next(fields), next(fields), [], {})
        token = next(fields, "")
        while token and not token.startswith("\x01"):
            status, path = token.lstrip("\n"), next(fields)
            if status[0] in "RC":
                new = next(fields)
                if status[0] == "R":
                    commit.renames[new] = path
            if status[0] in "MDR":
                commit.files.append(path)
            token = next(fields, "")
        found.append(commit)
    return found


def asks(commit: Commit) -> bool:
    """Whether a commit is a bug fix or a feature of production code, and narrow enough to be one question."""
    sources = [path for path in commit.files if _is_source(path)]
    telling = len(set(content_terms(question(commit.subject, commit.body)))) >= FEWEST
    return 0 < len(sources) <= WIDEST and telling and not CHORES.search(commit.subject)


def chosen(history: list[Commit], last: int, skip: int = 0) -> tuple[str, list[Commit], list[Commit]]:
    """The state to ingest, the `last` commits that ask a question after `skip` newer ones, and all since.

    The state is the parent of the oldest of them, so that no commit that is asked about is known to it.
    """
    asking = [commit for commit in history if asks(commit)][skip : skip + last]
    if not asking:
        raise SystemExit(
            "No commit of this repository asks a question: none is a narrow change of source files."
        )
    since = history[: history.index(asking[-1]) + 1]
    return f"{asking[-1].id}^", asking, since


def origins(since: list[Commit]) -> dict[str, dict[str, str]]:
    """For each commit since the snapshot (oldest last): what its files were called in the snapshot."""
    today: dict[str, str] = {}
    found: dict[str, dict[str, str]] = {}
    for commit in reversed(since):
        found[commit.id] = {path: today.get(path, path) for path in commit.files}
        for new, old in commit.renames.items():
            today[new] = today.get(old, old)
    return found


def case_of(root: Path, commit: Commit, called: dict[str, str], snapshot: Snapshot) -> Case | None:
    """The question that `commit` asks of `snapshot`; None if none of its source files is in it.

    `called` tells what a file of the commit is called in the snapshot.
    """
    source = FileClass.SOURCE
    files: list[str] = []
    symbols: list[str] = []
    for path in commit.files:
        home = called[path]
        at = snapshot.files.index(home)
        if at is None or snapshot.files.entry(at).file_class is not source:
            continue
        files.append(home)
        ids = [f"{home}::{name}" for name in _touched(root, commit.id, path)]
        symbols += [one for one in ids if snapshot.nodes.index(one) is not None]
    text = question(commit.subject, commit.body)
    if not files or not text:
        return None
    return Case(commit.id, text, tuple(files), tuple(dict.fromkeys(symbols)))


def _touched(root: Path, commit: str, path: str) -> Iterator[str]:
    """The qualified names of the innermost definitions that the commit changed, as they were before it."""
    before = git_bytes(root, "show", f"{commit}^:{path}")
    if before is None:
        return
    source = text_of(before)[0].encode("utf-8", "replace")
    facts = read(path, language_of(path, before[:200]), source, is_test=False)
    diff = git(
        root, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames", f"{commit}^", commit, "--", path
    )
    held = [one for one in facts.definitions[1:] if one.kind is not NodeKind.SECTION]
    for start, count in _HUNK.findall(diff):
        first = int(start)
        last = first + max(int(count or 1), 1) - 1
        inside = [one for one in held if one.start <= last and first <= one.end]
        for one in inside:
            parts = [
                other
                for other in inside
                if other is not one and one.start <= other.start and other.end <= one.end
            ]
            if not parts:
                yield one.qualified


def _is_source(path: str) -> bool:
    if class_by_path(path) is not None:
        return False
    return class_of(path, language_of(path), b"") is FileClass.SOURCE


def git(root: Path, *arguments: str) -> str:
    """What git says, as text."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def git_bytes(root: Path, *arguments: str) -> bytes | None:
    """What git says, as bytes; None if it refuses."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None
