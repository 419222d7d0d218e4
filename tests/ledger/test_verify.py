"""Verifying: whatever one row is changed to, it shows; what was forgotten lawfully does not."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.kernel import InvalidInput, SystemClock, Unavailable
from numen.ledger import Departure, Event, Fault, Kind, Ledger, Verification, rules, schemas, tables
from numen.ledger.schemas import Field, Form
from numen.store import Store
from tests.ledger.scopes import OWNER, revoked

WORDS = ("the first thing that was said", "the second", "the third")


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key events that also point at words, as the events of turns do."""
    monkeypatch.setitem(schemas.SCHEMAS, Kind.KEY_REVOKED, {"key": Field(Form.ID), "said": Field(Form.BODY)})


@pytest.fixture
def ledger(store: Store, spoken: None) -> Ledger:
    """A ledger of eight events: the store's, six with words, and one that tells of the words forgotten."""
    ledger = Ledger(store, SystemClock())
    for number in range(6):
        said = {"said": WORDS[number % 3]}
        with store.transaction() as connection:
            ledger.record(OWNER, connection, dataclasses.replace(revoked(number), words=said))
    said_first = ledger.tail(OWNER, after=1, limit=1)[0].payload["said"]
    with store.transaction() as connection:
        ledger.forget_body(OWNER, connection, str(said_first), Departure.FORGOTTEN, "forget:1")
    return ledger


def tampered(store: Store, *statements: str) -> Verification:
    with store.transaction() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
    return Ledger(store, SystemClock()).verify(OWNER)


def test_an_untouched_ledger_is_true(ledger: Ledger) -> None:
    verification = ledger.verify(OWNER)
    assert verification.ok, verification.why
    assert (verification.events, verification.bodies, verification.gone) == (8, 6, 1)
    assert verification.head == ledger.tail(OWNER)[-1].hash


def test_an_empty_ledger_is_true(store: Store) -> None:
    assert Ledger(store, SystemClock()).verify(OWNER).ok


@pytest.mark.promise("ledger.tampering-shows")
@pytest.mark.parametrize(
    ("statements", "fault", "seq"),
    [
        (["UPDATE events SET payload = '{}' WHERE seq = 4"], Fault.CHANGED, 4),
        (["UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 1"], Fault.CHANGED, 1),
        (["UPDATE events SET hash = prev_hash WHERE seq = 5"], Fault.CHANGED, 5),
        (["UPDATE events SET seq = 99 WHERE seq = 8"], Fault.MISSING, 8),
        (["DELETE FROM events WHERE seq = 1"], Fault.MISSING, 1),
        (["DELETE FROM events WHERE seq = 4"], Fault.MISSING, 4),
        (["DELETE FROM events WHERE seq = 8"], Fault.MISSING, 8),
        (["DELETE FROM events WHERE seq > 2"], Fault.MISSING, 3),
        (["DELETE FROM ledger_head"], Fault.REPLACED, 8),
        (["UPDATE ledger_head SET seq = 7"], Fault.REPLACED, 8),
        (
            [
                "UPDATE events SET seq = 99 WHERE seq = 4",
                "UPDATE events SET seq = 4 WHERE seq = 6",
                "UPDATE events SET seq = 6 WHERE seq = 99",
            ],
            Fault.REORDERED,
            4,
        ),
    ],
)
def test_the_first_fault_is_named(
    store: Store, ledger: Ledger, statements: list[str], fault: Fault, seq: int
) -> None:
    verification = tampered(store, *statements)
    assert (verification.fault, verification.seq) == (fault, seq)
    assert str(seq) in verification.why


@pytest.mark.promise("ledger.tampering-shows")
def test_words_that_were_changed_or_taken_away_show(store: Store, ledger: Ledger) -> None:
    third = str(ledger.tail(OWNER, after=2, limit=1)[0].payload["said"])
    tombstone = "salt = NULL, scope = NULL, text = NULL, gone = 'forgotten'"
    for change, fault in (
        (f"UPDATE bodies SET text = '' WHERE digest = '{third}'", Fault.BODY_CHANGED),
        (f"UPDATE bodies SET {tombstone} WHERE digest = '{third}'", Fault.BODY_GONE_UNRECORDED),
        (f"UPDATE bodies SET gone = 'forgotten' WHERE digest = '{third}'", Fault.BODY_CHANGED),
        (f"DELETE FROM bodies WHERE digest = '{third}'", Fault.BODY_MISSING),
    ):
        assert undone(store, change) == (fault, 3)
    assert undone(store, "UPDATE bodies SET gone = 'sealed' WHERE gone = 'forgotten'") == (
        Fault.BODY_GONE_UNRECORDED,
        2,
    )
    assert ledger.verify(OWNER).ok


def undone(store: Store, change: str) -> tuple[Fault | None, int | None]:
    """What verifying says after `change`, which is then taken back."""
    with store.reading() as connection:
        before = connection.execute(sa.select(tables.bodies)).mappings().all()
    verification = tampered(store, change)
    with store.transaction() as connection:
        connection.execute(tables.bodies.delete())
        connection.execute(tables.bodies.insert(), [dict(row) for row in before])
    return verification.fault, verification.seq


@pytest.mark.promise("ledger.tampering-shows")
def test_a_replaced_event_with_a_hash_of_its_own_breaks_the_chain(store: Store, ledger: Ledger) -> None:
    with store.reading() as connection:
        row = dict(tables.after(connection, 3, tables.Selection(), 1)[0])
    row["actor"] = "stranger"
    row["hash"] = rules.row_hash(row)
    with store.transaction() as connection:
        connection.execute(tables.events.update().where(tables.events.c.seq == 4).values(**row))
    assert ledger.verify(OWNER).fault is Fault.REPLACED
    assert ledger.verify(OWNER).seq == 5


@pytest.fixture
def small(tmp_path: Path, spoken: None) -> Iterator[tuple[Ledger, sqlite3.Connection]]:
    """A small ledger, and a way around it."""
    with Store.open(tmp_path, SystemClock()) as store:
        ledger = Ledger(store, SystemClock())
        for number in range(4):
            said = {"said": WORDS[number % 3]}
            with store.transaction() as connection:
                ledger.record(OWNER, connection, dataclasses.replace(revoked(number), words=said))
        with store.transaction() as connection:
            digest = str(ledger.tail(OWNER, limit=1)[0].payload["said"])
            ledger.forget_body(OWNER, connection, digest, Departure.SEALED, "seal:1")
        around = sqlite3.connect(tmp_path / "numen.db", isolation_level=None)
        yield ledger, around
        around.close()


VALUES = st.one_of(st.text(max_size=6), st.integers(-3, 9), st.binary(max_size=6), st.none())


@pytest.mark.promise("ledger.tampering-shows")
@settings(
    max_examples=300 if os.environ.get("NUMEN_SOAK") else 80,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(data=st.data())
@pytest.mark.timeout(60)
@pytest.mark.slow
def test_any_change_of_any_one_row_shows(
    small: tuple[Ledger, sqlite3.Connection], data: st.DataObject
) -> None:
    """Any column of any row of the ledger, set to anything that the database takes, or the row taken away."""
    ledger, around = small
    table = data.draw(st.sampled_from(["events", "bodies", "ledger_head"]))
    rows = around.execute(f"SELECT rowid, * FROM {table}").fetchall()
    columns = [column[1] for column in around.execute(f"PRAGMA table_info({table})")]
    row = data.draw(st.sampled_from(rows))
    if data.draw(st.booleans()):
        column = data.draw(st.sampled_from(columns))
        with contextlib.suppress(sqlite3.IntegrityError):
            around.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (data.draw(VALUES), row[0]))
    else:
        around.execute(f"DELETE FROM {table} WHERE rowid = ?", (row[0],))
    touched = around.execute(f"SELECT * FROM {table}").fetchall() != [row[1:] for row in rows]
    verification = ledger.verify(OWNER)
    restore(around, table, rows)
    assert verification.ok is not touched


def restore(connection: sqlite3.Connection, table: str, rows: list[tuple[object, ...]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"DELETE FROM {table}")
    for _, *values in rows:
        connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)
    connection.execute("COMMIT")


@pytest.mark.promise("ledger.forgetting-keeps-it-true")
@settings(
    max_examples=300 if os.environ.get("NUMEN_SOAK") else 20,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(steps=st.lists(st.tuples(st.text(max_size=20), st.booleans(), st.sampled_from(Departure)), max_size=6))
@pytest.mark.timeout(60)
@pytest.mark.slow
def test_whatever_is_said_and_forgotten_the_ledger_stays_true(
    store: Store, ledger: Ledger, steps: list[tuple[str, bool, Departure]]
) -> None:
    before = ledger.verify(OWNER)
    for number, (text, forget, reason) in enumerate(steps, before.events + 100):
        with store.transaction() as connection:
            ledger.record(OWNER, connection, dataclasses.replace(revoked(number), words={"said": text}))
        digest = str(ledger.tail(OWNER, limit=1)[0].payload["said"])
        assert ledger.body(OWNER, digest).text == text
        if forget:
            with store.transaction() as connection:
                ledger.forget_body(OWNER, connection, digest, reason, "forget:1")
    verification = ledger.verify(OWNER)
    assert verification.ok, verification.why
    assert verification.gone == before.gone + sum(forget for _, forget, _ in steps)


def test_words_go_only_into_a_field_for_a_body(store: Store) -> None:
    ledger = Ledger(store, SystemClock())
    for words in ({"key": "hello"}, {"other": "hello"}):
        event = Event("e", Kind.KEY_REVOKED, "keys", "c", {}, words)
        with (
            pytest.raises(InvalidInput),
            store.transaction() as connection,
        ):
            ledger.record(OWNER, connection, event)


@pytest.mark.parametrize("change", ["DELETE FROM ledger_head", "DELETE FROM events WHERE seq = 8"])
def test_nothing_is_recorded_on_a_broken_head(store: Store, ledger: Ledger, change: str) -> None:
    assert not tampered(store, change).ok
    with pytest.raises(Unavailable, match="changed from outside"), store.transaction() as connection:
        ledger.record(OWNER, connection, dataclasses.replace(revoked(50), words={"said": "anew"}))


def test_a_damaged_event_is_not_shown_as_if_it_were_whole(store: Store, ledger: Ledger) -> None:
    assert not tampered(store, "UPDATE events SET payload = 'no json' WHERE seq = 4").ok
    with pytest.raises(Unavailable, match="Event 4"):
        ledger.tail(OWNER)


@pytest.mark.promise("ledger.anyone-can-check")
def test_the_chain_can_be_checked_with_nothing_but_a_hash_and_a_json_writer(
    store: Store, ledger: Ledger
) -> None:
    """What decision 2 says, written anew: SHA-256 of prev_hash and the JSON of the other columns."""
    with store.reading() as connection:
        rows = [
            dict(row) for row in connection.execute(sa.text("SELECT * FROM events ORDER BY seq")).mappings()
        ]
    before = "0" * 64
    for row in rows:
        told = row.pop("hash")
        assert row.pop("prev_hash") == before
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256((before + text).encode()).hexdigest()
        assert told == before
