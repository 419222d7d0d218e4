"""Edges: the links of references, imports and containment as one sorted table, and what stayed ambiguous."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, I64, U8, U64, Arrays, Column
from numen.graph.link import Linking, LinkRows, Tables, last_name
from numen.graph.lookup import Answers, Table
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import Head, RefKind
from numen.graph.places import CLASSES
from numen.graph.rows import CLASS_NUMBER, EDGE_NUMBER, key_of
from numen.graph.types import Certainty, EdgeKind, FileClass

_KINDS = {
    RefKind.CALLS: EdgeKind.CALLS,
    RefKind.INHERITS: EdgeKind.INHERITS,
    RefKind.REFERENCES: EdgeKind.REFERENCES,
    RefKind.EXTENDS: EdgeKind.INHERITS,
}
_SEEN = [int(kind) for kind in _KINDS]
_CONVERTING = [i for i, family in enumerate(FAMILIES) if not family.constructs]
_TESTING = [EDGE_NUMBER[kind] for kind in (EdgeKind.CALLS, EdgeKind.REFERENCES, EdgeKind.IMPORTS)]


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges, sorted by (source, target, kind), and the references that stayed ambiguous.

    `unsettled_*` are (source node, name key, edge kind, how many candidates), sorted.
    """

    source: I32
    target: I32
    kind: U8
    certainty: U8
    unsettled_source: I32
    unsettled_name: U64
    unsettled_kind: U8
    unsettled_count: I32

    def arrays(self) -> dict[str, Column]:
        """Every column by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    @staticmethod
    def from_arrays(arrays: Arrays) -> Edges:
        """The edges that `arrays` was made of. Raises KeyError if a column is missing."""
        return Edges(**{name: arrays[name] for name in Edges.__slots__})  # pyright: ignore[reportArgumentType]


def drawn(tables: Tables, linking: Linking, together: tuple[I32, I32]) -> Edges:
    """All edges of a tree. `together` are pairs of files that change together."""
    links = linking.links
    found = [
        _contained(tables),
        _referred(tables, links),
        *_imported(tables, links, linking.bound),
        _co_changed(tables, together),
    ]
    packed = np.concatenate([*found, _tested(tables, np.concatenate(found))])
    packed.sort()
    if len(packed):
        packed = packed[np.concatenate(([True], packed[1:] >> 2 != packed[:-1] >> 2))]
    source, name, kind, count = _unsettled(tables, links)
    return Edges(
        source=(packed >> 34).astype(np.int32),
        target=(packed >> 5 & 0x1FFFFFFF).astype(np.int32),
        kind=(packed >> 2 & 7).astype(np.uint8),
        certainty=(packed & 3).astype(np.uint8),
        unsettled_source=source,
        unsettled_name=name,
        unsettled_kind=kind,
        unsettled_count=count,
    )


def _packed(source: I64, target: I64 | I32, kind: EdgeKind | U8, certainty: Certainty | U8) -> I64:
    """Edges as sortable numbers; an edge to itself says nothing and is left out."""
    number = EDGE_NUMBER[kind] if isinstance(kind, EdgeKind) else kind.astype(np.int64)
    sure = int(certainty) if isinstance(certainty, Certainty) else certainty.astype(np.int64)
    edges = source << 34 | target.astype(np.int64) << 5 | number << 2 | sure
    return edges[source != target]


def _contained(tables: Tables) -> I64:
    nodes = tables.nodes
    inner = np.flatnonzero(nodes.parent >= 0)
    parent = nodes.parent[inner] + nodes.ends[nodes.file_of_row()[inner]]
    return _packed(parent, inner, EdgeKind.CONTAINS, Certainty.EXACT)


def _referred(tables: Tables, links: LinkRows) -> I64:
    refs = tables.references
    rows = np.flatnonzero((links.node >= 0) & np.isin(refs.kind, _SEEN))
    source = tables.nodes.ends[refs.file_of_row()[rows]] + refs.source[rows]
    kind = _edge_kinds(refs.kind[rows])
    converted = (refs.kind[rows] == RefKind.CALLS) & np.isin(tables.nodes.kind[links.node[rows]], CLASSES)
    converted &= np.isin(tables.files.family[refs.file_of_row()[rows]], _CONVERTING)
    kind[converted] = EDGE_NUMBER[EdgeKind.REFERENCES]
    return _packed(source, links.node[rows], kind, links.certainty[rows])


def _imported(tables: Tables, links: LinkRows, bound: Answers) -> list[I64]:
    """A file imports the files that it names; where it names a definition, it refers to that."""
    files, nodes, imports = tables.files, tables.nodes, tables.imports
    target, file = tables.wiring.targets.target, imports.file_of_row()
    own = np.array([key_of(path) for path in files.path], dtype=np.uint64)
    shared = np.flatnonzero(own != files.unit)  # an import may name a file of a unit of several
    every = np.arange(files.files, dtype=np.int64)
    by_unit = Table.of(np.concatenate((files.unit, own[shared])), np.concatenate((every, every[shared])))
    found: list[I64] = []
    for unit in (target, bound.unit):
        rows = np.flatnonzero(unit != 0)
        first, count = by_unit.spans(unit[rows])
        rows, first = rows[count == 1], first[count == 1]
        source, to = nodes.ends[file[rows]], nodes.ends[by_unit.rows[first]]
        found.append(_packed(source, to, EdgeKind.IMPORTS, Certainty.IMPORT_RESOLVED))
    rows = np.flatnonzero((bound.node >= 0) & (target != files.unit[file]))
    shared = rows[by_unit.spans(target[rows])[1] != 1]  # a unit of several files: the one that defines it
    home = nodes.ends[nodes.file_of_row()[bound.node[shared]]]
    found.append(_packed(nodes.ends[file[shared]], home, EdgeKind.IMPORTS, Certainty.IMPORT_RESOLVED))
    source = nodes.ends[file[rows]] + imports.scope[rows]
    found.append(_packed(source, bound.node[rows], EdgeKind.REFERENCES, Certainty.IMPORT_RESOLVED))
    refs = tables.references
    rows = np.flatnonzero((links.node >= 0) & (refs.head == Head.IMPORT))
    user = refs.file_of_row()[rows]
    unit = bound.unit[imports.ends[user] + refs.at[rows]]
    used = (unit != 0) & (by_unit.spans(unit)[1] > 1)  # of a package of several files those that are used
    home = nodes.ends[nodes.file_of_row()[links.node[rows[used]]]]
    found.append(_packed(nodes.ends[user[used]], home, EdgeKind.IMPORTS, Certainty.IMPORT_RESOLVED))
    return found


def _co_changed(tables: Tables, together: tuple[I32, I32]) -> I64:
    first = tables.nodes.ends[:-1]
    one, other = first[together[0]], first[together[1]]
    source, target = np.concatenate((one, other)), np.concatenate((other, one))
    return _packed(source, target, EdgeKind.CO_CHANGES, Certainty.EXACT)


def _tested(tables: Tables, packed: I64) -> I64:
    """What a test calls, refers to or imports, it tests."""
    in_test = tables.files.file_class == CLASS_NUMBER[FileClass.TEST]
    file = tables.nodes.file_of_row()
    source, target = packed >> 34, packed >> 5 & 0x1FFFFFFF
    rows = np.isin(packed >> 2 & 7, _TESTING) & in_test[file[source]] & ~in_test[file[target]]
    return packed[rows] & ~np.int64(7 << 2) | EDGE_NUMBER[EdgeKind.TESTS] << 2


def _unsettled(tables: Tables, links: LinkRows) -> tuple[I32, U64, U8, I32]:
    refs = tables.references
    rows = np.flatnonzero((links.count > 0) & np.isin(refs.kind, _SEEN))
    source = tables.nodes.ends[refs.file_of_row()[rows]] + refs.source[rows]
    name, kind = last_name(refs, tables.imports)[rows], _edge_kinds(refs.kind[rows])
    count = links.count[rows]
    order = np.lexsort((-count, kind, name, source))
    source, name, kind, count = source[order], name[order], kind[order], count[order]
    if len(source):
        same = (source[1:] == source[:-1]) & (name[1:] == name[:-1]) & (kind[1:] == kind[:-1])
        fresh = np.concatenate(([True], ~same))
        source, name, kind, count = source[fresh], name[fresh], kind[fresh], count[fresh]
    return source.astype(np.int32), name, kind, count


def _edge_kinds(kinds: U8) -> U8:
    numbers = np.zeros(len(RefKind), dtype=np.uint8)
    for kind, edge in _KINDS.items():
        numbers[kind] = EDGE_NUMBER[edge]
    return numbers[kinds]
