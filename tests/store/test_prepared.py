"""A prepared statement gives what the same statement gives, on either database, and keeps what it kept."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from numen.kernel import Unavailable
from numen.store import Prepared, Store
from numen.store.db import Words

metadata = sa.MetaData()
sayings = sa.Table(
    "sayings",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("text", Words, nullable=True),
)

PUT = Prepared(sayings.insert(), ("id", "who", "text"))
OF = sa.select(sayings).where(
    sayings.c.who != "nobody", sayings.c.id.in_(sa.bindparam("ids", expanding=True))
)
RENAME = Prepared(sayings.update().where(sayings.c.id == sa.bindparam("of")).values(who=sa.bindparam("to")))
TEXTS = ("plain", "", None, "a\x00b", "\ud800 alone", "'; DROP TABLE sayings; --", "שלום 😀")


@pytest.fixture
def board(store: Store) -> Store:
    with store.transaction() as connection:
        metadata.create_all(connection)
        rows = [{"id": n, "who": f"w{n}'\"", "text": text} for n, text in enumerate(TEXTS)]
        PUT.write_all(connection, rows)
    return store


@pytest.mark.promise("store.prepared")
def test_what_a_prepared_statement_gives_is_what_the_statement_itself_gives(board: Store) -> None:
    wanted = {"ids": [0, 1, 2, 3, 4, 5, 6, 99]}
    with board.reading() as connection:
        plain = {tuple(row) for row in connection.execute(OF, wanted)}
        assert {tuple(row) for row in Prepared(OF).rows(connection, wanted)} == plain
        each = {row["id"]: row["text"] for row in Prepared(OF).each(connection, wanted)}
        assert each == dict(enumerate(TEXTS))
        assert Prepared(OF).one(connection, {"ids": [3]}) == {"id": 3, "who": "w3'\"", "text": "a\x00b"}
        assert Prepared(OF).one(connection, {"ids": [99]}) is None
        assert Prepared(OF).rows(connection, {"ids": []}) == []


def rename_and_fail(board: Store) -> None:
    with board.transaction() as connection:
        RENAME.write(connection, {"of": 2, "to": "y"})
        raise KeyError


@pytest.mark.promise("store.prepared")
def test_a_prepared_write_is_undone_with_its_transaction_and_tells_how_many_rows_it_changed(
    board: Store,
) -> None:
    with board.transaction() as connection:
        assert RENAME.write(connection, {"of": 1, "to": "x"}) == 1
        assert RENAME.write(connection, {"of": 99, "to": "x"}) == 0
    with pytest.raises(KeyError):
        rename_and_fail(board)
    with board.reading() as connection:
        assert {row["who"] for row in Prepared(OF).each(connection, {"ids": [1, 2]})} == {"x", "w2'\""}


@pytest.mark.promise("store.reads-cannot-write")
def test_a_prepared_write_in_a_reading_connection_changes_nothing(board: Store) -> None:
    with pytest.raises(Unavailable, match="only be read"), board.reading() as connection:
        RENAME.write(connection, {"of": 1, "to": "x"})  # pyright: ignore[reportArgumentType]
