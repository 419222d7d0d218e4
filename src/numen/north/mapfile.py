"""The one file of a map: read as what anybody may have written. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from numen.kernel import Json
from numen.north.blocks import (
    LONGEST_NAME,
    LONGEST_PURPOSE,
    MOST_BLOCKS,
    MOST_GLOBS,
    Block,
    BlockState,
    block_id,
    check_glob,
    refused,
)

MAP_SCHEMA = "numen-map-v1"

_KINDS = frozenset({"folder", "cluster"})
_TOLD = frozenset({"id", "name", "purpose", "kind", "state", "membership", "sockets"})
_DERIVED = frozenset({"faults", "files"})


def read_file(file: Json, now: datetime) -> tuple[str | None, list[Block]]:
    """The branch that a map was made on, and its blocks, all of them candidates.

    What is derived from the tree (`files`, `faults`, `coherence`, ...) is passed over. Raises `InvalidInput`
    that names the block and the field, for anything else that is not of the form.
    """
    whole = _object(file, "The file")
    if whole.get("schema") != MAP_SCHEMA:
        raise refused(f"The file is no {MAP_SCHEMA}.")
    branch = _object(whole.get("brain"), "`brain`").get("branch")
    if branch is not None and not isinstance(branch, str):
        raise refused("`brain.branch` is no text.")
    rows = _list(whole.get("blocks"), "`blocks`", MOST_BLOCKS)
    blocks = [
        _block(_object(row, f"Block {number}"), number, branch, now) for number, row in enumerate(rows, 1)
    ]
    ids = [block.id for block in blocks]
    for block in blocks:
        if ids.count(block.id) > 1:
            raise refused(f"Two blocks have the id {block.id}.")
        unknown = sorted(set(block.sockets) - set(ids))
        if unknown:
            raise refused(f"Block {block.id} has a socket to {unknown[0]}, which is no block.")
    return branch, blocks


def _block(row: Mapping[str, Json], number: int, branch: str | None, now: datetime) -> Block:
    odd = sorted(set(row) - _TOLD - _DERIVED)
    if odd:
        raise refused(f"Block {number} has a field that is not known: {odd[0][:40]!r}.")
    identifier = block_id(_text(row, "id", 64, number))
    parts = _texts(row.get("membership"), f"`membership` of {identifier}", MOST_GLOBS)
    if not parts:
        raise refused(f"Block {identifier} has no membership.")
    kind, state = _text(row, "kind", 20, number), _text(row, "state", 20, number)
    if kind not in _KINDS:
        raise refused(f"Block {identifier} is of no known kind.")
    if state not in list(BlockState):
        raise refused(f"Block {identifier} is in no known state.")
    return Block(
        identifier,
        _text(row, "name", LONGEST_NAME, number) or identifier,
        _text(row, "purpose", LONGEST_PURPOSE, number),
        kind,
        BlockState.CANDIDATE,
        tuple(sorted({check_glob(part) for part in parts})),
        tuple(sorted(set(_texts(row.get("sockets"), f"`sockets` of {identifier}", MOST_BLOCKS)))),
        branch,
        now,
    )


def _text(row: Mapping[str, Json], name: str, most: int, number: int) -> str:
    value = row.get(name)
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise refused(f"`{name}` of block {number} is no line of at most {most} characters.")
    return value


def _object(value: Json, what: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise refused(f"{what} is no object.")
    return cast("Mapping[str, Json]", value)


def _list(value: Json, what: str, most: int) -> Sequence[Json]:
    if not isinstance(value, list) or len(value) > most:
        raise refused(f"{what} is no list of at most {most:,}.")
    return value


def _texts(value: Json, what: str, most: int) -> list[str]:
    found = _list(value, what, most)
    if not all(isinstance(one, str) for one in found):
        raise refused(f"{what} is no list of texts.")
    return [cast("str", one) for one in found]
