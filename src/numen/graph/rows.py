"""The tables of an index: what files say, row by row. All but the links are a function of one file alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I8, I32, I64, U8, U64, Rows, Texts
from numen.graph.parse.facts import CLASS_SIDE, PATH_LIMIT, Facts
from numen.graph.terms import term_key
from numen.graph.types import EdgeKind, FileClass, NodeKind

CLASSES: tuple[FileClass, ...] = tuple(FileClass)
KINDS: tuple[NodeKind, ...] = tuple(NodeKind)
EDGES: tuple[EdgeKind, ...] = tuple(EdgeKind)
CLASS_NUMBER = {one: i for i, one in enumerate(CLASSES)}
KIND_NUMBER = {one: i for i, one in enumerate(KINDS)}
EDGE_NUMBER = {one: i for i, one in enumerate(EDGES)}


@dataclass(frozen=True, slots=True)
class FileRows(Rows):
    """One row a file. `digest` is 32 bytes, all zero for a file that was not read."""

    path: Texts
    language: Texts
    problem: Texts
    unit: U64
    family: U8
    file_class: U8
    size: I64
    mtime_ns: I64
    ctime_ns: I64
    lines: I32
    digest: U8


@dataclass(frozen=True, slots=True)
class NodeRows(Rows):
    """One row a definition; the first of each file is the file itself. `parent` counts inside the file.

    `sought` and `home` are keys, 0 where they are those of the name and of the file's unit.
    """

    kind: U8
    trait: U8
    least: I8
    most: I8
    start: I32
    end: I32
    parent: I32
    name_key: U64
    sought: U64
    home: U64
    name: Texts
    qualified: Texts
    signature: Texts


@dataclass(frozen=True, slots=True)
class ImportRows(Rows):
    """One row an imported name. `scope` counts inside the file; keys are of names, 0 where there is none."""

    form: U8
    scope: I32
    line: I32
    name_key: U64
    local_key: U64
    module: Texts


@dataclass(frozen=True, slots=True)
class ReferenceRows(Rows):
    """One row a use of a name. `source` and `at` count inside the file; unused attributes are 0."""

    kind: U8
    head: U8
    inferred: U8
    given: I8
    source: I32
    at: I32
    line: I32
    first: U64
    second: U64
    third: U64


@dataclass(frozen=True, slots=True)
class AliasRows(Rows):
    """One row a module name that a manifest gives a place."""

    everywhere: U8
    name: Texts
    target: Texts


def ends_of(sizes: Sequence[int]) -> I64:
    """Where the rows of each file end, led by 0."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(np.array(sizes, dtype=np.int64), out=ends[1:])
    return ends


ON_CLASS = 0x5DEECE66D5DEECE6
"""Turns the key of a name into that of the same name on the side of the class, and back."""


def key_of(name: str) -> int:
    """The key of a name: that of the term it is, unsplit and unfolded; 0 for the empty name."""
    if name.startswith(CLASS_SIDE):
        return term_key(name[1:]) ^ ON_CLASS
    return term_key(name) if name else 0


def keys_of(names: Iterable[str]) -> U64:
    """The keys of several names, sorted."""
    return np.array(sorted(map(key_of, names)), dtype=np.uint64)


def node_rows(facts: Sequence[Facts]) -> NodeRows:
    """The definitions of several files."""
    rows = [one for fact in facts for one in fact.definitions]
    return NodeRows(
        ends=ends_of([len(fact.definitions) for fact in facts]),
        kind=np.array([KIND_NUMBER[row.kind] for row in rows], dtype=np.uint8),
        trait=np.array([row.trait for row in rows], dtype=np.uint8),
        least=np.array([row.least for row in rows], dtype=np.int8),
        most=np.array([row.most for row in rows], dtype=np.int8),
        start=np.array([row.start for row in rows], dtype=np.int32),
        end=np.array([row.end for row in rows], dtype=np.int32),
        parent=np.array([row.parent for row in rows], dtype=np.int32),
        name_key=np.array([key_of(row.name) for row in rows], dtype=np.uint64),
        sought=np.array([key_of(row.sought) for row in rows], dtype=np.uint64),
        home=np.array([key_of(row.home) for row in rows], dtype=np.uint64),
        name=Texts.of([row.name for row in rows]),
        qualified=Texts.of([row.qualified for row in rows]),
        signature=Texts.of([row.signature for row in rows]),
    )


def import_rows(facts: Sequence[Facts]) -> ImportRows:
    """The imports of several files."""
    rows = [one for fact in facts for one in fact.imports]
    return ImportRows(
        ends=ends_of([len(fact.imports) for fact in facts]),
        form=np.array([row.form for row in rows], dtype=np.uint8),
        scope=np.array([row.scope for row in rows], dtype=np.int32),
        line=np.array([row.line for row in rows], dtype=np.int32),
        name_key=np.array([key_of(row.name) for row in rows], dtype=np.uint64),
        local_key=np.array([key_of(row.local) for row in rows], dtype=np.uint64),
        module=Texts.of([row.module for row in rows]),
    )


def reference_rows(facts: Sequence[Facts]) -> ReferenceRows:
    """The references of several files."""
    rows = [one for fact in facts for one in fact.references]
    padding = ("",) * PATH_LIMIT
    first, second, third = (
        zip(*[(row.path + padding)[:PATH_LIMIT] for row in rows], strict=True) if rows else ((), (), ())
    )
    return ReferenceRows(
        ends=ends_of([len(fact.references) for fact in facts]),
        kind=np.array([row.kind for row in rows], dtype=np.uint8),
        head=np.array([row.head for row in rows], dtype=np.uint8),
        inferred=np.array([row.inferred for row in rows], dtype=np.uint8),
        given=np.array([row.given for row in rows], dtype=np.int8),
        source=np.array([row.source for row in rows], dtype=np.int32),
        at=np.array([row.at for row in rows], dtype=np.int32),
        line=np.array([row.line for row in rows], dtype=np.int32),
        first=np.array([key_of(name) for name in first], dtype=np.uint64),
        second=np.array([key_of(name) for name in second], dtype=np.uint64),
        third=np.array([key_of(name) for name in third], dtype=np.uint64),
    )


def alias_rows(facts: Sequence[Facts]) -> AliasRows:
    """The aliases that the manifests among several files declare."""
    rows = [one for fact in facts for one in fact.aliases]
    return AliasRows(
        ends=ends_of([len(fact.aliases) for fact in facts]),
        everywhere=np.array([row.everywhere for row in rows], dtype=np.uint8),
        name=Texts.of([row.name for row in rows]),
        target=Texts.of([row.target for row in rows]),
    )


def same_aliases(one: AliasRows, other: AliasRows) -> bool:
    """Whether two trees of the same paths declare the same module names."""
    return all(np.array_equal(column, other.arrays()[name]) for name, column in one.arrays().items())
