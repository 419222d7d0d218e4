"""Where git keeps what belongs to a tree, and whether its configuration names programs: read, never run."""

from __future__ import annotations

import os
import re
from pathlib import Path

_PROGRAMS = re.compile(r"\[\s*(?:filter|include)", re.IGNORECASE)
"""Sections by which a repository's own configuration can name programs that `git status` would run."""


def common_dir(root: Path) -> Path | None:
    """The git directory that all worktrees of the repository at `root` share; None if there is none."""
    dot_git = root / ".git"
    if dot_git.is_dir():
        gitdir = dot_git
    else:
        pointer = _text(dot_git)
        if not pointer.startswith("gitdir:"):
            return None
        gitdir = root / pointer.removeprefix("gitdir:").strip()
    shared = gitdir / _text(gitdir / "commondir").strip()
    return Path(os.path.realpath(shared))


def names_programs(root: Path) -> bool:
    """Whether the repository's own configuration may name a program for file contents, or cannot be read.

    A filter that the person configured for all repositories does not count: they chose it.
    """
    folder = common_dir(root)
    if folder is None or not (config := _text(folder / "config")):
        return True
    worktrees = [root / ".git" / "config.worktree", *folder.glob("worktrees/*/config.worktree")]
    return any(_PROGRAMS.search(text) for text in (config, *map(_text, worktrees)))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
