"""Which files a tree has: what git tracks or would track, or a plain walk where there is no git."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from numen.graph.rules import SKIPPED_FOLDERS
from numen.kernel import InvalidInput, Unavailable

_KINDS = {stat.S_IFLNK: "symlink", stat.S_IFDIR: "submodule"}
_REDIRECTIONS = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
)


class Found(NamedTuple):
    """One regular file: its path below the root (POSIX-style), its size, when it and its entry changed."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a tree, sorted by path, and counts of what was passed over (`symlink`, `submodule`).

    `folders` are those that hold files or hold folders that do, with the times at which names in them were
    last added or removed; the root is the empty path.
    """

    files: tuple[Found, ...]
    folders: tuple[tuple[str, int], ...]
    passed: dict[str, int]


def walk(root: Path, is_git: bool) -> Tree:
    """The files of the tree at `root`.

    Inside git: tracked and untracked-not-ignored files that exist. Outside: everything but the folders
    that tools make. Links are not followed and submodules are trees of their own; both are counted.
    Raises `InvalidInput` when `root` cannot be read, `Unavailable` when git fails.
    """
    names = _listed(root) if is_git else _walked(root)
    files: list[Found] = []
    passed: dict[str, int] = {}
    base = f"{root}/"
    for name in sorted(set(names)):
        try:
            seen = os.lstat(base + name)
        except OSError:  # deleted, or its folder became a file
            continue
        if stat.S_ISREG(seen.st_mode):
            files.append(Found(name, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns))
        else:
            kind = _KINDS.get(stat.S_IFMT(seen.st_mode), "special")
            passed[kind] = passed.get(kind, 0) + 1
    return Tree(tuple(files), tuple(_stamped(base, files)), passed)


def _stamped(base: str, files: Iterable[Found]) -> Iterable[tuple[str, int]]:
    folders = {""}
    for found in files:
        folder = found.path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    for folder in sorted(folders):
        try:
            yield folder, os.lstat(base + folder).st_mtime_ns
        except OSError:  # it went while we looked: no time will ever equal this one
            yield folder, -1


def git_environment() -> dict[str, str]:
    """This environment, less what would point git elsewhere, plus what keeps it quiet and offline."""
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTIONS}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }


def _listed(root: Path) -> Iterable[str]:
    command = ["git", "-C", str(root), "-c", "core.fsmonitor=false", "-c", "safe.directory=*"]
    command += ["ls-files", "-z", "-co", "--exclude-standard"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=git_environment(), check=False
        )
    except FileNotFoundError as error:
        raise Unavailable(
            f"{root} is a git repository and no git program was found.",
            not_done="Nothing was ingested.",
            next_step="Install git and ingest again.",
        ) from error
    if done.returncode != 0:
        raise Unavailable(
            f"git ls-files failed in {root}: {done.stderr.decode('utf-8', 'replace').strip()}",
            not_done="Nothing was ingested; an index that was there still stands.",
            next_step="Run the same command by hand, mend what it names, and ingest again.",
        )
    # A repository inside this one that is not a submodule is listed as `name/`.
    return (os.fsdecode(name.rstrip(b"/")) for name in done.stdout.split(b"\0") if name)


def _walked(root: Path) -> Iterable[str]:
    try:
        with os.scandir(root) as entries:
            top = list(entries)
    except OSError as error:
        raise InvalidInput(
            f"{root} cannot be read: {error.strerror}.",
            not_done="Nothing was ingested.",
            next_step="Give a folder that exists and may be read.",
        ) from error
    pending = [(entry, "") for entry in top]
    while pending:
        entry, prefix = pending.pop()
        name = prefix + entry.name
        if not entry.is_dir(follow_symlinks=False):
            yield name
        elif entry.name not in SKIPPED_FOLDERS:
            try:
                with os.scandir(entry.path) as entries:
                    pending.extend((inner, f"{name}/") for inner in entries)
            except OSError:  # a folder that may not be read holds nothing for us
                continue
