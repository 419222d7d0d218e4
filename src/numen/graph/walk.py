"""Which files a tree has: what git tracks or would track, or a plain walk where there is no git."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterable, Mapping, Sequence
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


class Known(NamedTuple):
    """What an earlier walk found, and until when the times of its folders prove anything.

    `paths` are those of its files; the rest is as in `Tree`.
    """

    paths: Sequence[str]
    folders: Sequence[tuple[str, int]]
    passed: Mapping[str, int]
    until_ns: int


def walk(root: Path, is_git: bool, known: Known | None = None) -> Tree:
    """The files of the tree at `root`.

    Inside git: tracked and untracked-not-ignored files that exist. Outside: everything but the folders
    that tools make. Links are not followed and submodules are trees of their own; both are counted.
    `known` only saves time: the folders of a tree whose names are the same keep their known times.
    Raises `InvalidInput` when `root` cannot be read, `Unavailable` when git fails.
    """
    base = f"{root}/"
    looks: dict[str, os.stat_result | None] = {}
    visited: set[str] = set()
    if is_git:
        listing = _Listing(root)
        if known is not None:  # while git is at work
            looks = _looks(base, known.paths)
        names = listing.names()
    elif known is not None and same_names(root, known):
        files = _files(_looks(base, known.paths))
        if len(files) == len(known.paths):
            return Tree(files, tuple(known.folders), dict(known.passed))
        names = _walked(root, visited)
    else:
        names = _walked(root, visited)
    if names != list(looks):
        looks = {name: looks[name] if name in looks else _look(base + name) for name in names}
    files = _files(looks)
    if known is not None and [found.path for found in files] == known.paths:
        return Tree(files, tuple(known.folders), _passed(looks))
    return Tree(files, tuple(stamped(root, visited | _holding(files))), _passed(looks))


def same_names(root: Path, known: Known) -> bool:
    """Whether no folder that held files gained or lost a name since an earlier walk."""
    base = f"{root}/"
    for folder, mtime_ns in known.folders:
        seen = _look(base + folder)
        if seen is None or not seen.st_mtime_ns == mtime_ns <= known.until_ns:
            return False
    return True


def stamped(root: Path, folders: Iterable[str]) -> Iterable[tuple[str, int]]:
    """Each folder, sorted, with the time at which names in it were last added or removed."""
    for folder in sorted(folders):
        seen = _look(f"{root}/{folder}")
        yield folder, seen.st_mtime_ns if seen is not None else -1  # no time will ever equal that


def _look(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def _looks(base: str, names: Iterable[str]) -> dict[str, os.stat_result | None]:
    return {name: _look(base + name) for name in names}


def _files(looks: Mapping[str, os.stat_result | None]) -> tuple[Found, ...]:
    regular = stat.S_IFREG
    return tuple(
        Found(name, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        for name, seen in looks.items()
        if seen is not None and stat.S_IFMT(seen.st_mode) == regular
    )


def _passed(looks: Mapping[str, os.stat_result | None]) -> dict[str, int]:
    passed: dict[str, int] = {}
    for seen in looks.values():
        if seen is not None and not stat.S_ISREG(seen.st_mode):
            kind = _KINDS.get(stat.S_IFMT(seen.st_mode), "special")
            passed[kind] = passed.get(kind, 0) + 1
    return passed


def _holding(files: Iterable[Found]) -> set[str]:
    """The folders that hold files, and those that hold them."""
    folders = {""}
    for found in files:
        folder = found.path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def git_environment() -> dict[str, str]:
    """This environment, less what would point git elsewhere, plus what keeps it quiet and offline."""
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTIONS}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }


class _Listing:
    """`git ls-files`, started at once and waited for when its answer is needed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        command = ["git", "-C", str(root), "-c", "core.fsmonitor=false", "-c", "safe.directory=*"]
        command += ["ls-files", "-z", "-co", "--exclude-standard"]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=git_environment(),
            )
        except FileNotFoundError as error:
            raise Unavailable(
                f"{root} is a git repository and no git program was found.",
                not_done="Nothing was ingested.",
                next_step="Install git and ingest again.",
            ) from error

    def names(self) -> list[str]:
        """What git lists, sorted, each name once."""
        with self._process as process:
            listed, said = process.communicate()
        if process.returncode != 0:
            raise Unavailable(
                f"git ls-files failed in {self._root}: {said.decode('utf-8', 'replace').strip()}",
                not_done="Nothing was ingested; an index that was there still stands.",
                next_step="Run the same command by hand, mend what it names, and ingest again.",
            )
        # A repository inside this one that is not a submodule is listed as `name/`.
        return sorted({os.fsdecode(name.rstrip(b"/")) for name in listed.split(b"\0") if name})


def _walked(root: Path, visited: set[str]) -> list[str]:
    """Every name below `root` that is no folder, sorted; the folders go into `visited`."""
    try:
        with os.scandir(root) as entries:
            top = list(entries)
    except OSError as error:
        raise InvalidInput(
            f"{root} cannot be read: {error.strerror}.",
            not_done="Nothing was ingested.",
            next_step="Give a folder that exists and may be read.",
        ) from error
    names: list[str] = []
    pending = [(entry, "") for entry in top]
    while pending:
        entry, prefix = pending.pop()
        name = prefix + entry.name
        if not entry.is_dir(follow_symlinks=False):
            names.append(name)
        elif entry.name not in SKIPPED_FOLDERS:
            visited.add(name)
            try:
                with os.scandir(entry.path) as entries:
                    pending.extend((inner, f"{name}/") for inner in entries)
            except OSError:  # a folder that may not be read holds nothing for us
                continue
    return sorted(names)
