"""What git says moved since a commit: files, and which lines of them. Nothing is written, no program is run
that the repository names."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from numen.graph.walk import git_environment
from numen.kernel import InvalidInput, Unavailable
from numen.north.gitdir import names_programs

PATIENCE = 10.0
"""Seconds after which a difference is given up (ours: Django against its first release takes about 2)."""

_SETTINGS = ("core.fsmonitor=false", "safe.directory=*", "core.quotePath=false")
_SAFE = ("--no-optional-locks", *(part for setting in _SETTINGS for part in ("-c", setting)))
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--relative")
_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Difference:
    """The tree beside a commit. `lines` are, for each changed file, the spans that changed, 1-based.

    A span where lines were only taken out is the two lines between which they stood.
    """

    commit: str
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    lines: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])


def difference(root: Path, since: str | None) -> Difference:
    """How the tree at `root` differs from what `since` names: a commit, or a moment in ISO 8601; else HEAD.

    Raises `InvalidInput` where `since` names nothing, `Unavailable` where git fails or may not be run.
    """
    if names_programs(root):
        raise Unavailable(
            "This repository's git configuration names programs, and they are not run.",
            not_done="What moved was not looked up.",
        )
    commit = _commit(root, since)
    status = _git(root, *_DIFF, "--name-status", "-z", commit, "--", ".").split("\0")
    letters = dict(zip(status[1::2], status[0::2], strict=False))
    fresh = _git(root, "ls-files", "-z", "--others", "--exclude-standard", "--", ".").split("\0")
    found = {"A": [path for path in fresh if path], "D": list[str](), "M": list[str]()}
    for path, letter in letters.items():
        found.setdefault(letter[:1] if letter[:1] in "AD" else "M", []).append(path)
    return Difference(
        commit,
        tuple(sorted(found["M"])),
        tuple(sorted(set(found["A"]))),
        tuple(sorted(found["D"])),
        _spans(_git(root, *_DIFF, "-U0", "--src-prefix=a/", "--dst-prefix=b/", commit, "--", ".")),
    )


def _commit(root: Path, since: str | None) -> str:
    asked = (since or "HEAD").strip()
    at = _moment(asked)
    if at is None:
        found = _try(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{asked}^{{commit}}")
    else:
        found = _try(root, "rev-list", "-1", f"--before={int(at.timestamp())}", "HEAD")
    name = (found or "").strip()
    if not name:
        what = f"no commit {asked[:80]!r}" if at is None else f"no commit before {asked[:40]}"
        raise InvalidInput(
            f"There is {what} here.",
            not_done="What moved was not looked up.",
            next_step="Give a commit, a tag, or a moment as 2026-01-31.",
        )
    return name


def _moment(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _spans(diff: str) -> dict[str, list[tuple[int, int]]]:
    """The spans of the new side; a name that git has to quote has none, and so is a change of the file."""
    found: dict[str, list[tuple[int, int]]] = {}
    path, is_head = "", True
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            path, is_head = "", True
        elif is_head and line.startswith("+++ b/"):
            path = line[6:].removesuffix("\t")
        elif (hunk := _HUNK.match(line)) is not None:
            is_head = False
            if path:
                start, count = int(hunk[1]), int(hunk[2] or 1)
                found.setdefault(path, []).append((start, start + (count - 1 if count else 1)))
    return found


def _git(root: Path, *words: str) -> str:
    said = _try(root, *words)
    if said is None:
        raise Unavailable(f"git {words[0]} failed here.", not_done="What moved was not looked up.")
    return said


def _try(root: Path, *words: str) -> str | None:
    """What git says; None where it fails. Raises `Unavailable` where it cannot be run, or not in time."""
    try:
        done = subprocess.run(
            ["git", *_SAFE, *words],
            cwd=root,
            env=git_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, ValueError) as error:
        raise Unavailable("git cannot be run here.", not_done="What moved was not looked up.") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable("git took too long.", not_done="What moved was not looked up.") from error
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
