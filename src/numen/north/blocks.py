"""The blocks of a map: which files each holds, and whether map and tree still agree. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from numen.kernel import InvalidInput, Json

LONGEST_NAME = 80
"""Characters of a block's name (ours)."""

LONGEST_PURPOSE = 300
"""Characters of what a block is for (ours)."""

LONGEST_GLOB = 400
"""Characters of a glob (ours)."""

MOST_BLOCKS = 200
"""Blocks of a map: more are no picture (ours)."""

MOST_GLOBS = 2_000
"""Globs of a block (ours)."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BELOW = "/**"
_DIRECT = "/*"


class BlockState(StrEnum):
    """What a block is: proposed, ratified by a person, or ratified and no longer true of the tree."""

    CANDIDATE = "candidate"
    RATIFIED = "ratified"
    DRIFTED = "drifted"


class Coherence(StrEnum):
    """Whether the ratified blocks are true of the tree."""

    OK = "ok"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class Block:
    """One part of a system. Its files are those that one of `globs` matches; `sockets` are the ids of the
    blocks that it may use. `branch` is the one on which it was made.

    `dir/**` is everything below a directory, `dir/*` what lies directly in it; `**` and `*` are those of the
    root. Inside a name `*` is any run of signs and `?` any one.
    """

    id: str
    name: str
    purpose: str
    kind: str
    state: BlockState
    globs: tuple[str, ...]
    sockets: tuple[str, ...]
    branch: str | None
    made_at: datetime
    ratified_at: datetime | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form, and that of an export."""
        return {
            "id": self.id,
            "name": self.name,
            "purpose": self.purpose,
            "kind": self.kind,
            "state": self.state,
            "membership": list(self.globs),
            "sockets": list(self.sockets),
        }


@dataclass(frozen=True, slots=True)
class MapSign:
    """How many blocks a person ratified, and whether they are true of the tree."""

    ratified_blocks: int
    coherence: Coherence

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {"ratified_blocks": self.ratified_blocks, "coherence": self.coherence}


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which a ratified block is no longer true: the block's id, and what is so, in words."""

    block: str
    text: str


@dataclass(frozen=True, slots=True)
class Sorted:
    """Globs sorted by what they need: most are one look into a table, a few have to be tried one by one."""

    exact: Mapping[str, list[int]] = field(default_factory=dict[str, list[int]])
    below: Mapping[str, list[int]] = field(default_factory=dict[str, list[int]])
    direct: Mapping[str, list[int]] = field(default_factory=dict[str, list[int]])
    tried: Sequence[tuple[Sequence[str], int]] = ()

    @staticmethod
    def of(globs: Iterable[tuple[str, int]]) -> Sorted:
        """`globs`, each with the number of what it belongs to."""
        exact: dict[str, list[int]] = {}
        below: dict[str, list[int]] = {}
        direct: dict[str, list[int]] = {}
        tried: list[tuple[Sequence[str], int]] = []
        for glob, number in globs:
            rooted = f"/{glob}"
            for end, table in ((_BELOW, below), (_DIRECT, direct)):
                if rooted.endswith(end) and not _is_wild(rooted[: -len(end)]):
                    table.setdefault(rooted[1 : -len(end)], []).append(number)
                    break
            else:
                if _is_wild(glob):
                    tried.append((glob.split("/"), number))
                else:
                    exact.setdefault(glob, []).append(number)
        return Sorted(exact, below, direct, tried)

    def holders(self, path: str) -> list[int]:
        """The numbers of all that match `path`, each once, in order."""
        found = set(self.exact.get(path, ()))
        folder = posixpath.dirname(path)
        found.update(self.direct.get(folder, ()))
        found.update(self.below.get("", ()))
        while folder:
            found.update(self.below.get(folder, ()))
            folder = posixpath.dirname(folder)
        if self.tried:
            parts = path.split("/")
            found.update(number for pattern, number in self.tried if _fits(pattern, parts))
        return sorted(found)


def holders(blocks: Sequence[Block], paths: Sequence[str]) -> list[list[int]]:
    """For each path the places in `blocks` of those that hold it."""
    table = Sorted.of((glob, number) for number, block in enumerate(blocks) for glob in block.globs)
    return [table.holders(path) for path in paths]


def living(blocks: Sequence[Block], paths: Sequence[str]) -> set[str]:
    """The globs of `blocks` that match one of `paths`."""
    every = sorted({glob for block in blocks for glob in block.globs})
    table = Sorted.of((glob, number) for number, glob in enumerate(every))
    return {every[number] for path in paths for number in table.holders(path)}


def faults(
    blocks: Sequence[Block],
    paths: Sequence[str],
    sources: Sequence[str],
    uses: Iterable[tuple[str, str]],
) -> tuple[Fault, ...]:
    """How the ratified ones of `blocks` differ from a tree, in the order of the blocks.

    `paths` are all its files, `sources` those of code, `uses` which file needs which. A block is wrong
    where a glob matches nothing, where another ratified block holds a file of code that it holds, and where
    it uses a ratified block that is none of its sockets.
    """
    ratified = [block for block in blocks if block.state is not BlockState.CANDIDATE]
    found: dict[str, list[str]] = {block.id: [] for block in ratified}
    met = living(ratified, paths)
    for block in ratified:
        gone = [glob for glob in block.globs if glob not in met]
        if gone:
            found[block.id].append(f"nothing is left of {gone[0]}{_more(len(gone) - 1)}")
    home = dict(zip(sources, holders(ratified, sources), strict=True))
    twice = [path for path, held in home.items() if len(held) > 1]
    for path in twice:
        first, second = (ratified[number] for number in home[path][:2])
        told = f"{path} is in {second.id} too"
        if not any(text.endswith(" too") for text in found[first.id]):
            found[first.id].append(told)
    for source, target in sorted(set(uses)):
        for a in home.get(source, ()):
            for b in home.get(target, ()):
                user, used = ratified[a], ratified[b]
                told = f"it now uses {used.id}"
                if a != b and used.id not in user.sockets and told not in found[user.id]:
                    found[user.id].append(told)
    return tuple(Fault(identifier, text) for identifier, texts in found.items() for text in texts)


def block_id(text: str) -> str:
    """`text` as a block's id. Raises `InvalidInput` if it is none."""
    if _ID.fullmatch(text) is None:
        raise refused(f"This is no block's id: {text[:80]!r}.")
    return text


def slug(name: str, taken: Iterable[str]) -> str:
    """An id for a block of this name that is none of `taken`."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:48].strip("-") or "block"
    known, number, found = set(taken), 1, plain
    while found in known:
        number += 1
        found = f"{plain}-{number}"
    return found


def check_glob(glob: str) -> str:
    """`glob` itself. Raises `InvalidInput` where it leads out of the tree, or is no path."""
    normal = posixpath.normpath(glob) if glob else ""
    if (
        not glob
        or len(glob) > LONGEST_GLOB
        or glob != normal
        or glob.startswith(("/", "../"))
        or glob in {".", ".."}
        or not glob.isprintable()
    ):
        raise refused(f"This is no glob of a path below the root: {glob[:80]!r}.")
    return glob


def refused(what: str) -> InvalidInput:
    """The map as it was given cannot be used."""
    return InvalidInput(what, not_done="The map was not changed.", next_step="Mend it, or propose one anew.")


def _is_wild(glob: str) -> bool:
    return "*" in glob or "?" in glob


def _fits(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the parts of a path fit those of a glob, `**` being any number of parts; at most |a| x |b|."""
    at = place = 0
    star, mark = -1, 0
    while place < len(parts):
        if at < len(pattern) and pattern[at] == "**":
            star, mark = at, place
            at += 1
        elif at < len(pattern) and _fits_name(pattern[at], parts[place]):
            at, place = at + 1, place + 1
        elif star >= 0:
            mark += 1
            at, place = star + 1, mark
        else:
            return False
    return all(part == "**" for part in pattern[at:])


def _fits_name(pattern: str, name: str) -> bool:
    at = place = 0
    star, mark = -1, 0
    while place < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, mark = at, place
            at += 1
        elif at < len(pattern) and pattern[at] in {"?", name[place]}:
            at, place = at + 1, place + 1
        elif star >= 0:
            mark += 1
            at, place = star + 1, mark
        else:
            return False
    return all(sign == "*" for sign in pattern[at:])


def _more(count: int) -> str:
    return f" and {count} more" if count else ""
