"""Reception: is the repository that was asked about the one that the caller works in?"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from numen.graph.types import BrainId
from numen.north.gitdir import common_dir
from numen.north.types import Relation

_ADDRESS = re.compile(r"(?:\w[\w+.-]*://)?(?:[^@/]*@)?(?P<host>[\w.-]+)(?::\d+(?=/))?[:/]+(?P<path>.+)")


def relation(bound: BrainId, caller_root: str, locate: Callable[[Path], BrainId | None]) -> Relation | None:
    """What `caller_root` is to `bound`; None where it lies in that very tree.

    Paths are compared as what they lead to, so a link into the tree is in it. Another worktree, another
    clone and a repository inside the tree are not it, however alike their files are. `locate` gives None
    for a path at which there is nothing.
    """
    caller = Path(os.path.realpath(caller_root))
    inside = caller.is_relative_to(bound.root)
    mine = locate(caller)
    if inside and (mine is None or not mine.is_git or mine.id == bound.id):
        return None
    if mine is not None and bound.is_git and mine.is_git:
        if (store := common_dir(bound.root)) is not None and store == common_dir(mine.root):
            return Relation.WORKTREE
        if _same_origin(bound, mine):
            return Relation.CLONE
    return _place(bound, caller, inside=inside)


def _place(bound: BrainId, caller: Path, *, inside: bool) -> Relation:
    if inside:
        return Relation.NESTED
    return Relation.OUTER if bound.root.is_relative_to(caller) else Relation.OTHER


def _same_origin(one: BrainId, two: BrainId) -> bool:
    """Whether both were cloned from one place, or one from the other."""
    return bool(_origins(one) & _origins(two) - {None})


def _origins(brain: BrainId) -> set[str | None]:
    return {str(brain.root), origin(brain.remote) if brain.remote else None}


def origin(remote: str) -> str:
    """`remote` without what tells no repositories apart: scheme, user, port, `.git`, case of the host."""
    path = remote.removeprefix("file://").rstrip("/").removesuffix(".git").rstrip("/")
    if path.startswith("/"):
        return os.path.realpath(path)
    match = _ADDRESS.fullmatch(path)
    return f"{match['host'].lower()}/{match['path'].lstrip('/')}" if match else path
