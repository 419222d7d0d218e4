"""The rows of search: what may be seen of them, and the index over their terms on either database."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from numen.kernel import Audience, Scope
from numen.memory import rules
from numen.memory.finding import Sort
from numen.store.db import ReadConnection, WriteConnection, metadata
from numen.store.prepared import Prepared

Longs = NDArray[np.int64]

items = sa.Table(
    "search_items",
    metadata,
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("contact", sa.Text, nullable=False),
    sa.Column("audience", sa.Text, nullable=False),
    sa.Column("room", sa.Text, nullable=False),
    sa.Column("place", sa.BigInteger, nullable=False),
    sa.Column("voice", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("tier", sa.Text, nullable=False),
    sa.Column("brain", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    sa.Column("words", sa.Integer, nullable=False),
    sa.Column("marks", sa.Integer, nullable=False),
    sa.Column("terms", sa.Text, nullable=False),
    sa.Index("search_items_by_place", "place"),
)

counts = sa.Table(
    "search_counts",
    metadata,
    sa.Column("contact", sa.Text, primary_key=True),
    sa.Column("audience", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("room", sa.Text, primary_key=True),
    sa.Column("tier", sa.Text, primary_key=True),
    sa.Column("brain", sa.Text, primary_key=True),
    sa.Column("language", sa.Text, primary_key=True),
    sa.Column("voice", sa.Text, primary_key=True),
    sa.Column("amount", sa.Integer, nullable=False),
    sa.Column("length", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

revision = sa.Table(
    "search_revision",
    metadata,
    sa.Column("only", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, nullable=False),
)

wholes = sa.Table(
    "search_wholes",
    metadata,
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
)

parts = sa.Table(
    "search_parts",
    metadata,
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("vectors", sa.LargeBinary, nullable=False),
)

_vocabulary = sa.table("search_vocabulary", sa.column("term", sa.Text), sa.column("doc", sa.Integer))
_PUT_WORDS = Prepared(sa.text("INSERT INTO search_words (rowid, terms) VALUES (:n, :terms)"))
_DROP_WORDS = sa.text("INSERT INTO search_words (search_words, rowid, terms) VALUES ('delete', :n, :terms)")
_REWRITE_WORDS = sa.text("INSERT INTO search_words (search_words) VALUES ('optimize')")


_COUNTED = ("contact", "audience", "kind", "room", "tier", "brain", "language", "voice")


def _put(make: Callable[[sa.Table], Any]) -> sa.Executable:
    return make(items).on_conflict_do_nothing(index_elements=["id"]).returning(items.c.n)


def _count(make: Callable[[sa.Table], Any]) -> sa.Executable:
    new = make(counts).values({name: sa.bindparam(name) for name in (*_COUNTED, "length")} | {"amount": 1})
    more = {"amount": counts.c.amount + 1, "length": counts.c.length + new.excluded.length}
    return new.on_conflict_do_update(index_elements=list(_COUNTED), set_=more)


_MAKERS = {True: sqlite_insert, False: postgres_insert}
_REVISE = revision.update().values(number=revision.c.number + 1)
_REVISION = sa.select(revision.c.number)
_COLUMNS = [one.name for one in items.c if one.name != "n"]
_PUT = {lite: Prepared(_put(make), _COLUMNS) for lite, make in _MAKERS.items()}
_COUNT = {lite: Prepared(_count(make)) for lite, make in _MAKERS.items()}
_AT = items.c.n.in_(sa.bindparam("numbers", expanding=True))
_NAMED = Prepared(sa.select(items.c.n, items.c.id, items.c.kind).where(_AT))
_SPOKEN = Prepared(sa.select(items.c.n, items.c.voice, items.c.contact, items.c.role).where(_AT))
_DISCOUNT = (
    counts.update()
    .where(*(counts.c[name] == sa.bindparam(f"of_{name}") for name in _COUNTED))
    .values(amount=counts.c.amount - 1, length=counts.c.length - sa.bindparam("of_length"))
)


@dataclass(frozen=True, slots=True)
class Filter:
    """What of a caller's rows is searched; empty or None means all."""

    kinds: tuple[Sort, ...] = ()
    room: str | None = None
    tier: str | None = None
    brain: str | None = None


@dataclass(frozen=True, slots=True)
class Census:
    """The rows that may be seen: how many, their mean length in terms, in which languages, whose voices."""

    items: int
    mean_length: float
    languages: frozenset[str]
    voices: frozenset[str]


@dataclass(frozen=True, slots=True)
class Near:
    """Rows beside the ones proposed, ordered by place; one array a column, one element a row."""

    n: Longs
    place: Longs
    length: Longs
    words: Longs
    marks: Longs


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row that has no meaning yet."""

    n: int
    id: str
    voice: str
    language: str
    terms: str


def put(connection: WriteConnection, row: Mapping[str, object]) -> None:
    """Add a row, with its terms; one with the same id is replaced."""
    lite = _sqlite(connection)
    put = _PUT[lite].one(connection, row)
    if put is None:
        drop(connection, [str(row["id"])])
        put = _PUT[lite].one(connection, row)
    assert put is not None, "what stood in the way was dropped"
    _COUNT[lite].write(connection, {name: row[name] for name in (*_COUNTED, "length")})
    if lite:
        _PUT_WORDS.write(connection, {"n": put["n"], "terms": row["terms"]})


def drop(connection: WriteConnection, ids: Collection[str]) -> int:
    """Take rows out with everything that was made of them; how many there were."""
    gone = connection.execute(sa.select(items).where(_among(connection, items.c.id, ids))).mappings().all()
    if not gone:
        return 0
    for row in gone:
        connection.execute(_DISCOUNT, {f"of_{name}": row[name] for name in (*_COUNTED, "length")})
    connection.execute(counts.delete().where(counts.c.amount == 0))
    connection.execute(_REVISE)
    numbers = [row["n"] for row in gone]
    for table in (wholes, parts, items):
        connection.execute(table.delete().where(_among(connection, table.c.n, numbers)))
    if _sqlite(connection):
        connection.execute(_DROP_WORDS, [{"n": row["n"], "terms": row["terms"]} for row in gone])
    return len(gone)


def rewrite(connection: WriteConnection) -> None:
    """Write the term index anew, so that no segment of it holds a term of a row that is gone."""
    if _sqlite(connection):
        connection.execute(_REWRITE_WORDS)


def census(connection: ReadConnection, scope: Scope, wanted: Filter) -> Census:
    """Count the rows that may be seen."""
    shape, values = _asked(scope, wanted)
    rows = _census(shape).rows(connection, values)
    count = sum(row[2] for row in rows)
    return Census(
        count,
        float(sum(row[3] for row in rows)) / count if count else 0.0,
        frozenset(row[0] for row in rows),
        frozenset(row[1] for row in rows if row[1]),
    )


def hits(
    connection: ReadConnection, scope: Scope, wanted: Filter, terms: Collection[str]
) -> Sequence[tuple[str, int, int]]:
    """Term, row and its place for each time that one of `terms` stands in a row that may be seen."""
    if not terms:
        return []
    shape, values = _asked(scope, wanted)
    return _hits(shape, _sqlite(connection)).rows(connection, {**values, "terms": list(terms)})


def near(connection: ReadConnection, scope: Scope, wanted: Filter, places: Collection[int]) -> Near:
    """The rows at `places` that may be seen."""
    shape, values = _asked(scope, wanted)
    rows = _near(shape, _sqlite(connection)).rows(connection, {**values, "places": list(places)})
    return Near(*np.fromiter(chain.from_iterable(rows), np.int64, 5 * len(rows)).reshape(-1, 5).T.copy())


def named(connection: ReadConnection, numbers: Sequence[int]) -> list[tuple[str, str]]:
    """Id and kind of rows that were seen to be visible, in the order of `numbers`."""
    rows = {n: (name, kind) for n, name, kind in _NAMED.rows(connection, {"numbers": numbers})}
    return [rows[n] for n in numbers]


def spoken(connection: ReadConnection, numbers: Sequence[int]) -> list[tuple[str, str, str]]:
    """Voice, contact and role of rows that were seen to be visible, in the order of `numbers`."""
    rows = {
        n: (voice, contact, role)
        for n, voice, contact, role in _SPOKEN.rows(connection, {"numbers": numbers})
    }
    return [rows[n] for n in numbers]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which conditions a query over what may be seen has; their values are its parameters."""

    owner: bool
    kinds: bool
    room: bool
    tier: bool
    brain: bool


def _asked(scope: Scope, wanted: Filter) -> tuple[_Shape, dict[str, object]]:
    """The shape of a query over what `scope` may see of what is `wanted`, and its values."""
    values: dict[str, object] = {"room": wanted.room, "tier": wanted.tier, "brain": wanted.brain}
    values = {name: value for name, value in values.items() if value is not None}
    shape = _Shape(scope.is_owner, bool(wanted.kinds), "room" in values, "tier" in values, "brain" in values)
    if wanted.kinds:
        values["kinds"] = [str(kind) for kind in wanted.kinds]
    return shape, values if scope.is_owner else values | {"whose": rules.whose(scope)}


def _seen(table: sa.Table, shape: _Shape) -> sa.ColumnElement[bool]:
    """Which rows a caller may see: the owner's are all; another's are their own and everyone's."""
    conditions: list[sa.ColumnElement[bool]] = []
    if not shape.owner:
        own = table.c.contact == sa.bindparam("whose")
        conditions.append(sa.or_(own, table.c.audience == str(Audience.EVERYONE)))
    if shape.kinds:
        conditions.append(table.c.kind.in_(sa.bindparam("kinds", expanding=True)))
    narrowed = {"room": shape.room, "tier": shape.tier, "brain": shape.brain}
    conditions += [table.c[name] == sa.bindparam(name) for name, is_asked in narrowed.items() if is_asked]
    return sa.and_(sa.true(), *conditions)


@cache
def _census(shape: _Shape) -> Prepared:
    c = counts.c
    sums = (sa.cast(sa.func.sum(each), sa.BigInteger) for each in (c.amount, c.length))
    query = sa.select(c.language, c.voice, *sums).where(_seen(counts, shape))
    return Prepared(query.group_by(c.language, c.voice))


@cache
def _hits(shape: _Shape, lite: bool) -> Prepared:
    if lite:
        return Prepared(
            sa.select(_vocabulary.c.term, items.c.n, items.c.place)
            .select_from(_vocabulary.join(items, items.c.n == _vocabulary.c.doc))
            .where(_vocabulary.c.term.in_(sa.bindparam("terms", expanding=True)), _seen(items, shape))
        )
    array = sa.func.string_to_array(items.c.terms, " ", type_=sa.ARRAY(sa.Text))
    unnested = sa.func.unnest(array).table_valued("term").render_derived("each")
    asked = sa.cast(sa.bindparam("terms"), sa.ARRAY(sa.Text))
    return Prepared(
        sa.select(unnested.c.term, items.c.n, items.c.place)
        .select_from(items.join(unnested, sa.true()))
        .where(array.op("&&")(asked), unnested.c.term == sa.any_(asked), _seen(items, shape))
    )


@cache
def _near(shape: _Shape, lite: bool) -> Prepared:
    c = items.c
    at = c.place.in_(sa.bindparam("places", expanding=True))
    if not lite:
        at = c.place == sa.any_(sa.cast(sa.bindparam("places"), sa.ARRAY(sa.BigInteger)))
    return Prepared(
        sa.select(c.n, c.place, c.length, c.words, c.marks)
        .where(at, _seen(items, shape))
        .order_by(c.place, c.n)
    )


def meanings_revision(connection: ReadConnection) -> int:
    """A number that another set of meanings never had: it rises with each that comes, goes or changes."""
    return connection.scalar(_REVISION) or 0


def whole_vectors(
    connection: ReadConnection, scope: Scope, wanted: Filter, model: str
) -> tuple[Longs, Longs, bytes]:
    """Rows, their places, and the bytes of their whole vectors, by place, of all that may be seen.

    The database joins them into three texts: ten thousand rows come four times as fast as one by one.
    """
    shape, values = _asked(scope, wanted)
    lite = _sqlite(connection)
    data = sa.func.hex(wholes.c.vector) if lite else sa.func.encode(wholes.c.vector, "hex")
    query = (
        sa.select(
            sa.func.aggregate_strings(sa.cast(items.c.n, sa.Text), ","),
            sa.func.aggregate_strings(sa.cast(items.c.place, sa.Text), ","),
            sa.func.aggregate_strings(data, ""),
        )
        .select_from(wholes.join(items, items.c.n == wholes.c.n))
        .where(wholes.c.model == model, _seen(items, shape))
    )
    numbers, places, vectors = (text or "" for text in connection.execute(query, values).one())
    if not numbers:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), b""
    n, place = (np.array(text.split(","), np.int64) for text in (numbers, places))
    order = np.lexsort((n, place))
    rows = np.frombuffer(bytes.fromhex(vectors), np.uint8).reshape(len(n), -1)
    return n[order], place[order], rows[order].tobytes()


def part_vectors(connection: ReadConnection, numbers: Collection[int]) -> dict[int, bytes]:
    """The bytes of the part vectors of rows that were seen to be visible."""
    query = sa.select(parts.c.n, parts.c.vectors).where(_among(connection, parts.c.n, numbers))
    return {n: bytes(vectors) for n, vectors in connection.execute(query).all()}


def waiting(connection: ReadConnection, model: str, limit: int) -> list[Waiting]:
    """The oldest rows without a meaning by `model`. It reads everybody's rows, and shows them to nobody."""
    c = items.c
    query = (
        sa.select(c.n, c.id, c.voice, c.language, c.terms)
        .select_from(items.outerjoin(wholes, sa.and_(wholes.c.n == c.n, wholes.c.model == model)))
        .where(wholes.c.n.is_(None))
        .order_by(c.n)
        .limit(limit)
    )
    return [Waiting(*row) for row in connection.execute(query)]


def put_meaning(connection: WriteConnection, row: Waiting, model: str, vector: bytes, vectors: bytes) -> bool:
    """Keep a row's meaning, unless the row was removed or replaced meanwhile."""
    still = sa.select(items.c.n).where(items.c.n == row.n, items.c.id == row.id, items.c.terms == row.terms)
    if connection.execute(still).first() is None:
        return False
    for table in (wholes, parts):
        connection.execute(table.delete().where(table.c.n == row.n))
    connection.execute(_REVISE)
    connection.execute(wholes.insert().values(n=row.n, model=model, vector=vector))
    connection.execute(parts.insert().values(n=row.n, vectors=vectors))
    return True


def _among(
    connection: ReadConnection, column: sa.Column[int] | sa.Column[str], values: Collection[object]
) -> sa.ColumnElement[bool]:
    """`column` is one of `values`, given as one parameter however many there are."""
    if _sqlite(connection):
        each = sa.func.json_each(json.dumps(list(values))).table_valued("value")
        return column.in_(sa.select(each.c.value))
    return column == sa.any_(sa.cast(list(values), sa.ARRAY(column.type)))


def _sqlite(connection: ReadConnection) -> bool:
    return connection.dialect.name == "sqlite"
