"""What the commits of a repository say about its files: one `git log`, read once and kept as arrays.

Past messages vote for the files they changed, whatever those files were called then: renames are
followed. Everything here is a function of the commit at HEAD, so it is kept until HEAD moves.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numen.graph.columns import I32, I64, U8, Arrays, Column, Texts
from numen.graph.postings import Postings
from numen.graph.terms import COMMIT_VERBS, Lexicon, keys_of
from numen.graph.walk import git_environment
from numen.kernel import Unavailable

LIMIT = 6000
"""Commits read, newest first. Reading 6,000 with renames followed takes about a quarter of a second."""
LONGEST_MESSAGE = 4000
"""Characters of a body that are read; what follows in a longer one is a list of squashed commits."""
WIDEST_PAIRING = 30
"""A commit that changed more files than this says nothing about which of them belong together."""

FIX = 1
REVERT = 2

_FIX = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bugs?|defects?|regressions?|crash(?:e[sd])?|hotfix)\b", re.IGNORECASE
)
_REVERT = re.compile(r"^revert\b|^this reverts commit [0-9a-f]{7,}", re.IGNORECASE | re.MULTILINE)
_TRAILER = re.compile(
    r"^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+|git-svn-id): .*$|https?://\S+|\(#\d+\)", re.MULTILINE
)

_TEXTS = ("paths", "hashes", "subjects")
_NUMBERS = ("starts", "touched", "widths", "times", "flags")
_VERB_KEYS = keys_of(" ".join(sorted(COMMIT_VERBS)))


@dataclass(frozen=True, eq=False)
class History:
    """The commits that changed files which still exist at `head`, newest first.

    `paths` are those files, sorted; commit c changed `paths[touched[starts[c]:starts[c + 1]]]`. `widths`
    counts all files of the commit, also those that are gone. `messages` are the words of the messages
    (subject twice, body once), documents being commits. `times` are commit times in seconds since 1970.
    `shallow` says that the clone has no more than its newest commits.
    """

    head: str
    shallow: bool
    paths: Texts
    starts: I64
    touched: I32
    widths: I32
    times: I64
    flags: U8
    hashes: Texts
    subjects: Texts
    messages: Postings

    @cached_property
    def commits(self) -> I32:
        """For each entry of `touched`, its commit."""
        return np.repeat(np.arange(len(self.widths), dtype=np.int32), np.diff(self.starts))

    @cached_property
    def changes(self) -> I32:
        """For each path, in how many commits it changed."""
        return self._tally(np.ones(len(self.touched), dtype=bool))

    @cached_property
    def fixes(self) -> I32:
        """For each path, how many of its commits say that they fix something."""
        return self._tally(self.flags[self.commits] & FIX != 0)

    @cached_property
    def reverts(self) -> I32:
        """For each path, how many of its commits undo another."""
        return self._tally(self.flags[self.commits] & REVERT != 0)

    @cached_property
    def last_changed(self) -> I64:
        """For each path, the time of its newest commit, in seconds since 1970."""
        newest = np.zeros(len(self.paths), dtype=np.int64)
        np.maximum.at(newest, self.touched, self.times[self.commits])
        return newest

    def bind(self, files: Sequence[str]) -> I32:
        """For each path of the history its position in the sorted list `files`, -1 where it is not in it."""
        position = {path: i for i, path in enumerate(files)}
        return np.array([position.get(path, -1) for path in self.paths], dtype=np.int32)

    def co_changes(self, *, at_least: int = 3, share: float = 0.25) -> list[tuple[str, str, int, float]]:
        """Pairs of files that change together, as (path, path, commits in common, share of the rarer one's).

        A pair needs `at_least` commits in common and that share; wide commits are passed over.
        """
        together: dict[tuple[int, int], int] = {}
        alone = np.zeros(len(self.paths), dtype=np.int64)
        for commit, width in enumerate(self.widths.tolist()):
            if width > WIDEST_PAIRING:
                continue
            row = self.touched[self.starts[commit] : self.starts[commit + 1]].tolist()
            alone[row] += 1
            for pair in combinations(row, 2):
                together[pair] = together.get(pair, 0) + 1
        found: list[tuple[str, str, int, float]] = []
        for (a, b), count in sorted(together.items()):
            ratio = count / int(min(alone[a], alone[b]))
            if count >= at_least and ratio >= share:
                found.append((self.paths[a], self.paths[b], count, round(ratio, 4)))
        return found

    def to_arrays(self) -> dict[str, Column]:
        """Everything as arrays that can be saved and mapped; `from_arrays` is its inverse."""
        arrays: dict[str, Column] = {
            "head": np.frombuffer(self.head.encode(), dtype=np.uint8),
            "shallow": np.array([self.shallow]),
        }
        for name in _TEXTS:
            texts: Texts = getattr(self, name)
            arrays |= {f"{name}.data": texts.data, f"{name}.ends": texts.ends}
        arrays |= {name: getattr(self, name) for name in _NUMBERS}
        return arrays | {f"messages.{name}": column for name, column in self.messages.arrays().items()}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> History:
        """The history that `to_arrays` took apart. Raises KeyError if a column is missing."""
        columns: dict[str, object] = {name: arrays[name] for name in _NUMBERS}
        for name in _TEXTS:
            columns[name] = Texts(arrays[f"{name}.data"], arrays[f"{name}.ends"])  # pyright: ignore[reportArgumentType]
        words = {name[9:]: column for name, column in arrays.items() if name.startswith("messages.")}
        return cls(
            head=arrays["head"].tobytes().decode(),
            shallow=bool(arrays["shallow"][0]),
            messages=Postings.from_arrays(words),
            **columns,  # pyright: ignore[reportArgumentType]
        )

    def _tally(self, which: NDArray[np.bool_]) -> I32:
        return np.bincount(self.touched[which], minlength=len(self.paths)).astype(np.int32)


def read_history(root: Path, limit: int = LIMIT) -> History | None:
    """The history of the tree at `root`, or None where there is no git or no commit yet.

    Reads at most `limit` commits, without merges. Hooks, external differs, signatures and downloads are
    off. Raises `Unavailable` when git is there and fails.
    """
    probe = _run(root, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
    if probe is None or probe.returncode != 0:
        return None
    flag, head = probe.stdout.decode().split()
    partial = _run(root, "config", "--get", "extensions.partialClone")
    exact = partial is not None and partial.returncode == 0
    log = _log(root, limit, "-M100%" if exact else "-M")
    tree = _git(root, "ls-tree", "-r", "-z", "--name-only", "HEAD")
    commits = list(_commits(log))
    shallow = flag == "true"
    if shallow:  # the oldest commits of a shallow clone seem to add every file
        commits = [commit for commit in commits if commit.parents]
    return _history(head, shallow, commits, sorted(set(tree.split("\0")) - {""}))


def _log(root: Path, limit: int, renames: str) -> str:
    arguments = (
        "log", "HEAD", "-z", f"-n{limit}", "--no-merges", "--name-status", "--relative", "--no-ext-diff",
        "--no-textconv", "--no-color", "--encoding=UTF-8", "--format=tformat:%x01%H%x00%ct%x00%P%x00%s%x00%b",
    )  # fmt: skip
    done = _run(root, *arguments, renames, "--", ".")
    if done is not None and done.returncode == 0:
        return done.stdout.decode("utf-8", "surrogateescape")
    # A clone that lacks old contents cannot compare them; whole renames show in the trees alone.
    return _git(root, *arguments, "-M100%", "--", ".")


@dataclass(slots=True)
class _Commit:
    id: str
    time: int
    parents: str
    subject: str
    body: str
    files: list[str]
    renames: list[tuple[str, str]]


def _git(root: Path, *arguments: str) -> str:
    done = _run(root, *arguments)
    if done is None or done.returncode != 0:
        why = done.stderr.decode("utf-8", "replace").strip() if done else "no git program was found"
        raise Unavailable(
            f"git {arguments[0]} failed in {root}: {why}",
            not_done="The history of this repository was not read.",
            next_step="Run the same git command by hand and mend what it names, then ingest again.",
        )
    return done.stdout.decode("utf-8", "surrogateescape")


def _run(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes] | None:
    """What git answers; None where there is no git program."""
    settings = ("log.showSignature=false", "core.fsmonitor=false", "safe.directory=*")
    command = [
        "git",
        "-C",
        str(root),
        *(part for setting in settings for part in ("-c", setting)),
        *arguments,
    ]
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=git_environment(), check=False
        )
    except FileNotFoundError:
        return None


def _commits(log: str) -> Iterator[_Commit]:
    """Read `git log -z --name-status`: five fields, then a status and one or two paths a file."""
    fields = iter(log.split("\0"))
    token = next(fields, "")
    while token.startswith("\x01"):
        time, parents, subject, body = (next(fields) for _ in range(4))
        commit = _Commit(token[1:], int(time), parents, subject, body, [], [])
        token = next(fields, "")
        while token and not token.startswith("\x01"):
            status, path = token.lstrip("\n"), next(fields)
            if status[0] in "RC":
                old, path = path, next(fields)
                if status[0] == "R":
                    commit.renames.append((old, path))
            commit.files.append(path)
            token = next(fields, "")
        yield commit


def _history(head: str, shallow: bool, commits: list[_Commit], living: list[str]) -> History:
    number = {path: i for i, path in enumerate(living)}
    rows = _followed(commits, number)
    kept = [(commit, row) for commit, row in zip(commits, rows, strict=True) if row]
    used = sorted({path for _, row in kept for path in row})
    place = {path: i for i, path in enumerate(used)}
    sizes = [len(row) for _, row in kept]
    flags = [_flags(commit) for commit, _ in kept]
    return History(
        head=head,
        shallow=shallow,
        paths=Texts.of([living[path] for path in used]),
        starts=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
        touched=np.array([place[path] for _, row in kept for path in row], dtype=np.int32),
        widths=np.array([len(commit.files) for commit, _ in kept], dtype=np.int32),
        times=np.array([commit.time for commit, _ in kept], dtype=np.int64),
        flags=np.array(flags, dtype=np.uint8),
        hashes=Texts.of([commit.id for commit, _ in kept]),
        subjects=Texts.of([commit.subject for commit, _ in kept]),
        messages=_messages([commit for commit, _ in kept]),
    )


def _followed(commits: list[_Commit], number: dict[str, int]) -> list[list[int]]:
    """For each commit, newest first, the numbers of the living files that it changed, sorted.

    A path is read as what it is called today; a name that lives on after its file moved away, as when a
    file is split, keeps its commits too. On parallel branches a commit may be listed before the
    rename that moved its file, so a path that leads nowhere is tried again with all renames known.
    """
    today: dict[str, str] = {}
    resolved: list[list[str]] = []
    for commit in commits:
        resolved.append([name for path in commit.files for name in (path, today.get(path, path))])
        for old, new in commit.renames:
            today[old] = today.get(new, new)
    rows: list[list[int]] = []
    for paths in resolved:
        row = {number[path] for path in paths if path in number}
        for path in paths:
            seen = {path}
            while path not in number and path in today and today[path] not in seen:
                path = today[path]
                seen.add(path)
            if path in number:
                row.add(number[path])
        rows.append(sorted(row))
    return rows


def _flags(commit: _Commit) -> int:
    fixes = FIX if _FIX.search(commit.subject) or _FIX.search(commit.body) else 0
    reverts = REVERT if _REVERT.search(commit.subject) or _REVERT.search(commit.body) else 0
    return fixes | reverts


def _messages(commits: list[_Commit]) -> Postings:
    lines: list[str] = []
    for commit in commits:
        subject = _TRAILER.sub(" ", commit.subject)
        body = _TRAILER.sub(" ", commit.body[:LONGEST_MESSAGE])
        lines.append(f"{subject} {subject} {body}".replace("\n", " "))
    lexicon = Lexicon()
    scan = lexicon.scan("\n".join(lines))
    bag = lexicon.bag(scan.tokens, scan.lines - np.int32(1))
    telling = ~np.isin(bag.keys, _VERB_KEYS)
    return Postings.of(bag.docs[telling], bag.keys[telling], bag.counts[telling], len(commits))
