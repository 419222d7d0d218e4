"""What of an earlier linking still stands after some files changed.

A reference must be asked again when its file changed, or when a name in it means something else by now:
a definition or a bound import of that name came, went or moved to another holder in a changed file. Names
that stand for such a name elsewhere (`import x as y`) count as changed too, through any number of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import I32, U64, integers
from numen.graph.link import DEFAULT, LinkRows, Tables
from numen.graph.lookup import Bools
from numen.graph.parse.facts import Head, ImportForm, RefKind
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
        if _bases(before, file) != _bases(now, file):
            return None
        names |= _names(_offered(before, file) ^ _offered(now, file))
    if DEFAULT in names:  # a call of a module may mean its default export
        return None
    moved = _moved(before.nodes, now.nodes, changed)
    carried = _carried(links, before.references, now.references, changed, moved)
    doubtful = _mentioning(now, _spread(now.imports, names))
    for file in changed:
        doubtful[now.references.ends[file] : now.references.ends[file + 1]] = True
    return Standing(carried, doubtful | (carried.certainty == GONE))


GONE = 255
"""Stands for the certainty of a reference whose node is gone, until it is asked again."""


def _treatment(files: FileRows, file: int) -> tuple[int, int, int]:
    return int(files.file_class[file]), int(files.family[file]), int(files.unit[file])


def _stars(imports: ImportRows, file: int) -> list[str]:
    rows = imports.part(file, file + 1)
    forms = zip(rows.module, integers(rows.form), integers(rows.scope), strict=True)
    return [module for module, form, scope in forms if form == ImportForm.STAR and scope == 0]


def _bases(tables: Tables, file: int) -> list[tuple[object, ...]]:
    """The base classes that a file names, by what they are called, not by where they stand."""
    refs, nodes = tables.references.part(file, file + 1), tables.nodes.part(file, file + 1)
    found: list[tuple[object, ...]] = []
    for row in integers(np.flatnonzero(refs.kind == RefKind.INHERITS)):
        path = (int(refs.first[row]), int(refs.second[row]), int(refs.third[row]))
        head, at = int(refs.head[row]), int(refs.at[row])
        what = nodes.qualified[at] if head == Head.LOCAL else _import(tables.imports, file, at, head)
        found.append((nodes.qualified[int(refs.source[row])], head, what, path))
    return found


def _import(imports: ImportRows, file: int, at: int, head: int) -> object:
    if head != Head.IMPORT:
        return at
    row = int(imports.ends[file]) + at
    return imports.module[row], int(imports.name_key[row]), int(imports.form[row])


def _offered(tables: Tables, file: int) -> set[tuple[object, ...]]:
    """All that a file binds to names, as rows that begin with the name's key."""
    nodes, imports = tables.nodes.part(file, file + 1), tables.imports.part(file, file + 1)
    qualified = list(nodes.qualified)
    columns = (integers(nodes.name_key), qualified, integers(nodes.kind), integers(nodes.trait))
    found: set[tuple[object, ...]] = {
        (key, name, kind, trait, qualified[parent] if parent > 0 else "")
        for key, name, kind, trait, parent in zip(*columns, integers(nodes.parent), strict=True)
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


def _carried(
    links: LinkRows, old: ReferenceRows, refs: ReferenceRows, changed: Sequence[int], moved: I32
) -> LinkRows:
    """`links` in step with `refs`, nodes renumbered; the rows of changed files are blank but for bases."""
    pieces: list[LinkRows] = []
    at = 0
    for file in changed:
        pieces.append(links.part(at, file))
        kind = refs.part(file, file + 1).kind
        node, away = np.full(len(kind), -1, np.int32), np.zeros(len(kind), np.uint8)
        count, certainty = np.zeros(len(kind), np.int32), np.zeros(len(kind), np.uint8)
        bases = kind == RefKind.INHERITS
        were = old.part(file, file + 1).kind == RefKind.INHERITS
        led = links.part(file, file + 1)
        node[bases], away[bases] = led.node[were], led.open_ended[were]
        pieces.append(LinkRows(np.array([0, len(kind)], np.int64), node, certainty, count, away))
        at = file + 1
    pieces.append(links.part(at, refs.files))
    joined = LinkRows.joined(pieces)
    node = np.where(joined.node < 0, -1, moved[np.maximum(joined.node, 0)]).astype(np.int32)
    gone = (node < 0) & (joined.node >= 0)
    certainty = np.where(gone, GONE, joined.certainty).astype(np.uint8)
    return LinkRows(refs.ends, node, certainty, joined.count, joined.open_ended)
