"""Statements on the path of every turn: made ready once, then run by the driver itself on SQLite.

Going through SQLAlchemy costs 60 to 250 microseconds a statement, SQLite itself about ten; a turn takes
twenty of them (measured with `python -m benchmarks.sidecar`). On PostgreSQL they are run as any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler

from numen.store.db import ReadConnection, WriteConnection
from numen.store.types import Dialect

_NAMED = sqlite.dialect(paramstyle="named")

Columns: TypeAlias = Mapping[str, Any] | sa.RowMapping
"""A row by the names of its columns."""

Process = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class _Ready:
    """A statement for SQLite's driver: its text, constants, and what turns values into what is kept."""

    text: str
    constants: Mapping[str, object]
    binds: tuple[tuple[str, Process], ...]
    lists: tuple[str, ...]
    names: tuple[str, ...]
    results: tuple[tuple[int, Process], ...]

    def bound(self, values: Mapping[str, object]) -> dict[str, object]:
        """The parameters of one execution."""
        given = {**self.constants, **values}
        for name, process in self.binds:
            given[name] = process(given[name])
        for name in self.lists:
            given[name] = json.dumps(given[name])
        return given

    def found(self, row: Sequence[object]) -> tuple[object, ...]:
        """A row as it was given."""
        if not self.results:
            return tuple(row)
        cells = list(row)
        for place, process in self.results:
            cells[place] = process(cells[place])
        return tuple(cells)


class Prepared:
    """A statement whose parameters are all named; one that is `expanding` takes a list of texts or numbers.

    `names` are the columns that an `insert` is given, where it names none itself.
    """

    def __init__(self, statement: sa.Executable, names: Iterable[str] | None = None) -> None:
        self._statement = statement
        self._names = None if names is None else list(names)
        self._ready: _Ready | None = None

    def rows(self, connection: ReadConnection, values: Mapping[str, object]) -> Sequence[Any]:
        """The rows that it gives, each a tuple."""
        if connection.dialect.name != Dialect.SQLITE:
            return connection.execute(self._statement, dict(values)).fetchall()
        ready = self._made()
        found = _driver(connection).execute(ready.text, ready.bound(values)).fetchall()
        return [ready.found(row) for row in found] if ready.results else found

    def one(self, connection: ReadConnection, values: Mapping[str, object]) -> Mapping[str, Any] | None:
        """Its first row by the names of its columns, None without one."""
        if connection.dialect.name != Dialect.SQLITE:
            first = connection.execute(self._statement, dict(values)).mappings().first()
            return None if first is None else _named(first)
        ready = self._made()
        row = _driver(connection).execute(ready.text, ready.bound(values)).fetchone()
        return None if row is None else dict(zip(ready.names, ready.found(row), strict=True))

    def each(self, connection: ReadConnection, values: Mapping[str, object]) -> Sequence[Mapping[str, Any]]:
        """Its rows, each by the names of its columns."""
        if connection.dialect.name != Dialect.SQLITE:
            return [_named(row) for row in connection.execute(self._statement, dict(values)).mappings()]
        names = self._made().names
        return [dict(zip(names, row, strict=True)) for row in self.rows(connection, values)]

    def write(self, connection: WriteConnection, values: Mapping[str, object]) -> int:
        """Run it; how many rows it changed."""
        if connection.dialect.name != Dialect.SQLITE:
            return connection.execute(self._statement, dict(values)).rowcount
        ready = self._made()
        return _driver(connection).execute(ready.text, ready.bound(values)).rowcount

    def write_all(self, connection: WriteConnection, values: Sequence[Mapping[str, object]]) -> None:
        """Run it once for each of `values`."""
        if connection.dialect.name != Dialect.SQLITE:
            connection.execute(self._statement, [dict(one) for one in values])
            return
        ready = self._made()
        _driver(connection).executemany(ready.text, [ready.bound(one) for one in values])

    def _made(self) -> _Ready:
        if self._ready is None:
            self._ready = _ready(self._statement, self._names)
        return self._ready


def _ready(statement: sa.Executable, names: list[str] | None) -> _Ready:
    compiled = cast("sa.ClauseElement", statement)
    made = cast("SQLCompiler", compiled.compile(dialect=_NAMED, column_keys=names))
    text, binds = str(made), {name: bind for bind, name in made.bind_names.items()}
    lists = [name for name, bind in binds.items() if bind.expanding]
    for name in lists:
        text = text.replace(f"(__[POSTCOMPILE_{name}])", f"(SELECT value FROM json_each(:{name}))")
    processes = [
        (name, process)
        for name, bind in binds.items()
        if (process := bind.type.dialect_impl(_NAMED).bind_processor(_NAMED)) is not None
    ]
    constants = {name: bind.effective_value for name, bind in binds.items() if not bind.required}
    columns = list(getattr(statement, "exported_columns", ()))
    results = [
        (place, process)
        for place, column in enumerate(columns)
        if (process := column.type.dialect_impl(_NAMED).result_processor(_NAMED, None)) is not None
    ]
    keys = tuple(str(one.key) for one in columns)
    return _Ready(text, constants, tuple(processes), tuple(lists), keys, tuple(results))


def _named(row: sa.RowMapping) -> Mapping[str, Any]:
    return {str(name): value for name, value in row.items()}


def _driver(connection: ReadConnection) -> Any:
    return connection.connection.driver_connection
