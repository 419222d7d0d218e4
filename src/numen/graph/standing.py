"""What of an earlier linking still stands after some files changed.

A reference must be asked again when its file changed, or when a name in it means something else by now:
a definition or a bound import of that name came, went or moved to another holder in a changed file, or what
is held or given under it is said to be of another class. Names that stand for such a name elsewhere (`import
x as y`) count as changed too, through any number of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, U64, integers
from numen.graph.link import DEFAULT, UNTOLD, LinkRows, Tables
from numen.graph.lookup import Bools
from numen.graph.parse.facts import Head, ImportForm, RefKind, Trait
from numen.graph.places import CLASSES
from numen.graph.rows import FileRows, ImportRows, NodeRows, ReferenceRows


@dataclass(frozen=True, slots=True)
class Standing:
    """An earlier linking in the numbers of the new tables, and which references are in doubt."""

    links: LinkRows
    doubtful: Bools


def standing(before: Tables, links: LinkRows, now: Tables, changed: Sequence[int]) -> Standing | None:
    """What of `links`, made from `before`, still stands when only the files in `changed` differ.

    Paths and manifests are the same in both. None if too much moved to say.
    """
    names: set[int] = set()
    for file in changed:
        if _treatment(before.files, file) != _treatment(now.files, file):
            return None
        if _stars(before.imports, file) != _stars(now.imports, file):
            return None
        old, new = _said(before, file), _said(now, file)
        if [row for row in old if row[0] in _BASES] != [row for row in new if row[0] in _BASES]:
            return None
        names |= _names({row[1:] for row in {*old} ^ {*new}})
        if _parts(before.nodes, file) != _parts(now.nodes, file):
            return None
        names |= _names(_offered(before, file) ^ _offered(now, file))
    if DEFAULT in names:  # a call of a module may mean its default export
        return None
    moved = _moved(before.nodes, now.nodes, changed)
    carried = _carried(links, before, now, changed, moved)
    doubtful = _mentioning(now, _spread(now.imports, names))
    for file in changed:
        doubtful[now.references.ends[file] : now.references.ends[file + 1]] = True
    return Standing(carried, doubtful | (carried.certainty == GONE))


_BASES = (RefKind.INHERITS, RefKind.EXTENDS)
GONE, GONE_NODE = 255, -3
"""Stand for the certainty and the node of a reference whose node is gone, until it is asked again."""


def _treatment(files: FileRows, file: int) -> tuple[int, int, int]:
    return int(files.file_class[file]), int(files.family[file]), int(files.unit[file])


def _stars(imports: ImportRows, file: int) -> list[str]:
    rows = imports.part(file, file + 1)
    forms = zip(rows.module, integers(rows.form), integers(rows.scope), strict=True)
    return [module for module, form, scope in forms if form == ImportForm.STAR and scope == 0]


def _said(tables: Tables, file: int) -> list[tuple[object, ...]]:
    """What a file says of classes, by what things are called, not by where they stand, in order.

    A row begins with its kind and the key of the name under which something is said.
    """
    refs, nodes = tables.references.part(file, file + 1), tables.nodes.part(file, file + 1)
    found: list[tuple[object, ...]] = []
    for row in integers(np.flatnonzero(_is_said(refs))):
        kind, source = int(refs.kind[row]), int(refs.source[row])
        path = (int(refs.first[row]), int(refs.second[row]), int(refs.third[row]))
        head, at = int(refs.head[row]), int(refs.at[row])
        what = _import(tables.imports, file, at) if head == Head.IMPORT else nodes.qualified[at]
        name = (
            next(key for key in (*path[::-1], 0) if key) if kind == RefKind.HOLDS else _sought(nodes, source)
        )
        found.append((kind, name, nodes.qualified[source], int(nodes.home[source]), head, what, path))
    return found


def _is_said(refs: ReferenceRows) -> Bools:
    return (refs.kind == RefKind.INHERITS) | (refs.kind >= RefKind.MEMBER)


def _sought(nodes: NodeRows, node: int) -> int:
    return int(nodes.sought[node]) or int(nodes.name_key[node])


def _parts(nodes: NodeRows, file: int) -> list[tuple[object, ...]]:
    """The classes of a file that others may be parts of."""
    rows = nodes.part(file, file + 1)
    shared = np.flatnonzero((rows.trait & int(Trait.SHARED) != 0) & np.isin(rows.kind, CLASSES))
    return [(rows.qualified[i], int(rows.home[i]), _sought(rows, i)) for i in integers(shared)]


def _import(imports: ImportRows, file: int, at: int) -> object:
    row = int(imports.ends[file]) + at
    return imports.module[row], int(imports.name_key[row]), int(imports.form[row])


def _offered(tables: Tables, file: int) -> set[tuple[object, ...]]:
    """All that a file binds to names, as rows that begin with the name's key."""
    nodes, imports = tables.nodes.part(file, file + 1), tables.imports.part(file, file + 1)
    qualified = list(nodes.qualified)
    columns = (
        integers(np.where(nodes.sought != 0, nodes.sought, nodes.name_key)),
        qualified,
        *map(integers, (nodes.kind, nodes.trait, nodes.least, nodes.most, nodes.home)),
    )
    found: set[tuple[object, ...]] = {
        (*row, qualified[parent] if parent > 0 else "")
        for *row, parent in zip(*columns, integers(nodes.parent), strict=True)
    }
    columns = (
        integers(imports.local_key),
        integers(imports.name_key),
        integers(imports.form),
        imports.module,
    )
    for local, name, form, module, scope in zip(*columns, integers(imports.scope), strict=True):
        if scope == 0:
            found.add((local, name, form, module))
    return found


def _names(rows: Iterable[tuple[object, ...]]) -> set[int]:
    return {key for key, *_ in rows if isinstance(key, int) and key}


def _spread(imports: ImportRows, names: set[int]) -> U64:
    """`names` and every name that an import gives to one of them."""
    keys = np.array(sorted(names), dtype=np.uint64)
    while len(keys):
        rows = (imports.form == ImportForm.NAME) & np.isin(imports.name_key, keys)
        wider = np.union1d(keys, imports.local_key[rows])
        wider = wider[wider != 0]
        if len(wider) == len(keys):
            break
        keys = wider
    return keys


def _mentioning(tables: Tables, keys: U64) -> Bools:
    refs, imports = tables.references, tables.imports
    if not len(keys):
        return np.zeros(len(refs), np.bool_)
    found = np.isin(refs.first, keys) | np.isin(refs.second, keys) | np.isin(refs.third, keys)
    bound = np.flatnonzero(refs.head == Head.IMPORT)
    rows = imports.ends[refs.file_of_row()[bound]] + refs.at[bound]
    found[bound] |= np.isin(imports.name_key[rows], keys) | np.isin(imports.local_key[rows], keys)
    return found


def _moved(before: NodeRows, now: NodeRows, changed: Sequence[int]) -> I32:
    """For each old node its new number, -1 if it is gone."""
    shift = now.ends[:-1] - before.ends[:-1]
    moved = (np.arange(len(before), dtype=np.int64) + np.repeat(shift, np.diff(before.ends))).astype(np.int32)
    for file in changed:
        first = int(now.ends[file])
        place = {name: first + i for i, name in enumerate(now.qualified.part(first, int(now.ends[file + 1])))}
        old = before.qualified.part(int(before.ends[file]), int(before.ends[file + 1]))
        moved[before.ends[file] : before.ends[file + 1]] = [place.get(name, -1) for name in old]
    return moved


def _carried(links: LinkRows, before: Tables, now: Tables, changed: Sequence[int], moved: I32) -> LinkRows:
    """`links` in step with the references of `now`, nodes renumbered.

    In changed files only what is said of classes is carried over, and marked where it was not said before.
    """
    pieces: list[LinkRows] = []
    at = 0
    for file in changed:
        pieces.append(links.part(at, file))
        refs, led = now.references.part(file, file + 1), links.part(file, file + 1)
        node, away = np.full(len(refs), -1, np.int32), np.zeros(len(refs), np.uint8)
        count, certainty = np.zeros(len(refs), np.int32), np.zeros(len(refs), np.uint8)
        old = np.flatnonzero(_is_said(before.references.part(file, file + 1)))
        were = dict(zip(_said(before, file), integers(old), strict=True))
        for row, said in zip(integers(np.flatnonzero(_is_said(refs))), _said(now, file), strict=True):
            was = were.get(said, -1)
            node[row] = led.node[was] if was >= 0 else UNTOLD
            away[row] = led.open_ended[was] if was >= 0 else 0
        pieces.append(LinkRows(np.array([0, len(refs)], np.int64), node, certainty, count, away))
        at = file + 1
    refs = now.references
    pieces.append(links.part(at, refs.files))
    joined = LinkRows.joined(pieces)
    node = np.where(joined.node < 0, joined.node, moved[np.maximum(joined.node, 0)]).astype(np.int32)
    gone = (node < 0) & (joined.node >= 0)
    node[gone] = GONE_NODE  # unlike -1: what led there leads elsewhere now, or nowhere
    certainty = np.where(gone, GONE, joined.certainty).astype(np.uint8)
    return LinkRows(refs.ends, node, certainty, joined.count, joined.open_ended)
