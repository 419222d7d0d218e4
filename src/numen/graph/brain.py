"""Which working tree a path belongs to, read from git's own files without starting git."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from numen.graph.types import BrainId
from numen.kernel import InvalidInput

_REMOTE = re.compile(r'^\s*\[remote "([^"]*)"\]\s*$|^\s*\[|^\s*url\s*=\s*(\S.*?)\s*$', re.MULTILINE)


def locate(path: Path | str) -> BrainId:
    """The working tree that holds `path`, a folder or a file that exists; outside git, `path` itself.

    Two clones, two worktrees and two branches checked out in two places are told apart; a path through a
    link is the path it leads to. Raises `InvalidInput` if there is nothing at `path`.
    """
    start = Path(os.path.realpath(path))
    if not os.path.exists(start):
        raise InvalidInput(
            f"There is nothing at {path}, or it may not be looked at.",
            not_done="No repository was looked at.",
            next_step="Give the path of a folder that exists.",
        )
    folder = start if os.path.isdir(start) else start.parent
    for root in (folder, *folder.parents):
        gitdir = _git_dir(root / ".git")
        if gitdir is not None:
            return _of_worktree(root, gitdir)
    return BrainId(_id(folder, folder), folder, None, None, None, is_git=False)


def _git_dir(dot_git: Path) -> Path | None:
    """The git directory that `.git` is or points at, if it is a real one."""
    found = dot_git
    if os.path.isfile(dot_git):
        text = _read(dot_git)
        if not text.startswith("gitdir:"):
            return None
        found = Path(os.path.realpath(dot_git.parent / text[len("gitdir:") :].strip()))
    return found if os.path.isfile(found / "HEAD") else None


def _of_worktree(root: Path, gitdir: Path) -> BrainId:
    common = gitdir
    pointer = _read(gitdir / "commondir").strip()
    if pointer:
        common = Path(os.path.realpath(gitdir / pointer))
    head = _read(gitdir / "HEAD").strip()
    branch = commit = None
    if head.startswith("ref:"):
        ref = head[len("ref:") :].strip()
        branch = ref.removeprefix("refs/heads/")
        commit = _commit_of(ref, gitdir, common)
    elif re.fullmatch(r"[0-9a-f]{40,64}", head):
        commit = head
    return BrainId(_id(common, root), root, branch, commit, _remote(common), is_git=True)


def _commit_of(ref: str, gitdir: Path, common: Path) -> str | None:
    for folder in (gitdir, common):
        text = _read(folder / ref).strip()
        if re.fullmatch(r"[0-9a-f]{40,64}", text):
            return text
    for line in _read(common / "packed-refs").splitlines():
        commit, _, name = line.partition(" ")
        if name == ref:
            return commit
    return None


def _remote(common: Path) -> str | None:
    """The address of `origin`, else of the first remote; credentials in it are left out."""
    found: dict[str, str] = {}
    section: str | None = None
    for match in _REMOTE.finditer(_read(common / "config")):
        name, url = match.groups()
        if url is None:
            section = name
        elif section is not None:
            found.setdefault(section, re.sub(r"(?<=://)[^/@\s]*@", "", url))
    return found.get("origin") or next(iter(found.values()), None)


def _id(common: Path, root: Path) -> str:
    parts = b"".join(len(part).to_bytes(4, "big") + part for part in (os.fsencode(common), os.fsencode(root)))
    return hashlib.sha256(parts).hexdigest()[:16]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
