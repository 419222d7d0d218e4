"""Whether tracked files differ from their commit: asked of git itself, while the rest is being looked up."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from numen.graph.walk import git_environment
from numen.north.gitdir import names_programs

PATIENCE = 1.0
"""Seconds after which the answer is given up as unknown. Django's tree takes about 0.01."""

_COMMAND = (
    "git",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "safe.directory=*",
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--no-ahead-behind",
    "--untracked-files=no",
    "--ignore-submodules=dirty",
)


@dataclass(frozen=True, slots=True)
class Worktree:
    """A question to git that is under way.

    Nothing is written (`--no-optional-locks`), and no program that the repository names is run, as its
    file-system monitor or as a filter of contents. Use as a context manager: no process is left behind.
    """

    process: subprocess.Popen[bytes] | None

    @staticmethod
    def ask(root: Path) -> Worktree:
        """Ask about the tree at `root`; where git cannot be run safely the answer will be unknown."""
        if names_programs(root):
            return Worktree.unasked()
        try:
            process = subprocess.Popen(
                [*_COMMAND],
                cwd=root,
                env=git_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            process = None
        return Worktree(process)

    @staticmethod
    def unasked() -> Worktree:
        """No question: for a tree that is not git's, or whose git may not be asked."""
        return Worktree(None)

    def dirty(self) -> bool | None:
        """Whether a tracked file differs from the commit; None where git does not say, or not in time."""
        if self.process is None:
            return None
        try:
            changed, _ = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        return bool(changed) if self.process.returncode == 0 else None

    def __enter__(self) -> Worktree:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.kill()
        with self.process:
            pass
