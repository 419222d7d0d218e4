"""Wiring: which unit each import names. A function of the imports, of the paths, and of the manifests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from numen.graph.columns import U64, Arrays, Column, Rows, integers
from numen.graph.parse import FAMILIES
from numen.graph.parse.facts import Alias, ImportForm, Units
from numen.graph.rows import AliasRows, FileRows, ImportRows, key_of


@dataclass(frozen=True, slots=True)
class TargetRows(Rows):
    """One row an import, in step with `ImportRows`: the key of the unit it names, 0 for none of this tree."""

    target: U64


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where imports lead.

    `unit`, `name`, `child` are the units that are an attribute of another without any import there.
    """

    targets: TargetRows
    unit: U64
    name: U64
    child: U64

    def arrays(self) -> dict[str, Column]:
        """Every column by name."""
        inner = {"unit": self.unit, "name": self.name, "child": self.child}
        return inner | {f"targets.{name}": column for name, column in self.targets.arrays().items()}

    @staticmethod
    def from_arrays(arrays: Arrays) -> Wiring:
        """The wiring that `arrays` was made of. Raises KeyError if a column is missing."""
        rows = {name[8:]: column for name, column in arrays.items() if name.startswith("targets.")}
        inner = {name: arrays[name] for name in ("unit", "name", "child")}
        return Wiring(TargetRows.from_arrays(rows), **inner)  # pyright: ignore[reportArgumentType]


def wired(files: FileRows, imports: ImportRows, aliases: AliasRows) -> Wiring:
    """The wiring of a whole tree."""
    book = _Book(files, aliases)
    children: list[tuple[int, int, int]] = []
    for number in sorted(set(integers(files.family))):
        units = book.units(number)
        for unit, name, child in units.children() if units is not None else ():
            children.append((key_of(unit), key_of(name), key_of(child)))
    columns = np.array(children, dtype=np.uint64).reshape(len(children), 3)
    targets = book.targets(imports, range(imports.files), {})
    return Wiring(
        targets=TargetRows(imports.ends, np.array(targets, dtype=np.uint64)),
        unit=columns[:, 0].copy(),
        name=columns[:, 1].copy(),
        child=columns[:, 2].copy(),
    )


def rewired(
    files: FileRows,
    imports: ImportRows,
    aliases: AliasRows,
    changed: Sequence[int],
    before: ImportRows,
    wiring: Wiring,
) -> Wiring:
    """The wiring of a tree whose paths and manifests are those of `wiring`.

    Only the files in `changed` have other imports than `before`.
    """
    book = _Book(files, aliases)
    pieces: list[TargetRows] = []
    at = 0
    for file in changed:
        pieces.append(wiring.targets.part(at, file))
        old, new = before.part(file, file + 1), imports.part(file, file + 1)
        led = integers(wiring.targets.part(file, file + 1).target)
        known = dict(zip(zip(old.module, integers(old.form), strict=True), led, strict=True))
        targets = np.array(book.targets(imports, (file,), known), dtype=np.uint64)
        pieces.append(TargetRows(new.ends, targets))
        at = file + 1
    pieces.append(wiring.targets.part(at, imports.files))
    return Wiring(TargetRows.joined(pieces), wiring.unit, wiring.name, wiring.child)


class _Book:
    """Looks imports up, each (folder, module) once."""

    def __init__(self, files: FileRows, aliases: AliasRows) -> None:
        self._files = files
        self._aliases = aliases
        self._known: dict[int, Units | None] = {}
        self._memo: dict[tuple[int, str, str], int] = {}

    def units(self, number: int) -> Units | None:
        """How family `number` finds units; None if it has no imports."""
        if number not in self._known:
            make = FAMILIES[number].units if number < len(FAMILIES) else None
            self._known[number] = make(list(self._files.path), self._declared()) if make is not None else None
        return self._known[number]

    def targets(
        self, imports: ImportRows, files: Iterable[int], known: dict[tuple[str, int], int]
    ) -> list[int]:
        """The targets of the imports of some files, in order; `known` are those of (module, form)."""
        found: list[int] = []
        for file in files:
            rows = imports.part(file, file + 1)
            if not len(rows):
                continue
            path, family, own = (
                self._files.path[file],
                int(self._files.family[file]),
                int(self._files.unit[file]),
            )
            folder = path.rpartition("/")[0]
            for module, form in zip(rows.module, integers(rows.form), strict=True):
                if not module:
                    found.append(own)
                elif (module, form) in known:
                    found.append(known[module, form])
                else:
                    wanted = module.partition(".")[0] if form == ImportForm.PACKAGE else module
                    key = (family, folder, wanted)
                    if key not in self._memo:
                        self._memo[key] = self._unit(family, path, wanted)
                    found.append(self._memo[key])
        return found

    def _unit(self, family: int, path: str, module: str) -> int:
        units = self.units(family)
        unit = units.find(path, module) if units is not None else None
        return key_of(unit) if unit is not None else 0

    def _declared(self) -> list[tuple[str, Alias]]:
        rows = self._aliases
        columns = (integers(rows.file_of_row()), rows.name, rows.target, integers(rows.everywhere))
        return [
            (self._files.path[file].rpartition("/")[0], Alias(name, target, bool(everywhere)))
            for file, name, target, everywhere in zip(*columns, strict=True)
        ]
