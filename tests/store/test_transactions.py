"""Transactions: one a use case, durable when it returns, and never in the way of a read."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from numen.kernel import SystemClock, Unavailable
from numen.store import Notice, ReadConnection, Store, WriteConnection
from numen.store.db import Words, insert_new
from tests.database import Server

metadata = sa.MetaData()
notes = sa.Table("notes", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("text", Words))

WRITE_ONE = """
import sys
import sqlalchemy as sa
from numen.kernel import SystemClock
from numen.store import Store
with Store.open(sys.argv[1], SystemClock()) as store:
    print("ready", flush=True)
    for line in sys.stdin:
        with store.transaction() as connection:
            store.touches(connection, ["notes"])
            connection.execute(sa.text("INSERT INTO notes (id) VALUES (:id)"), {"id": int(line)})
        print("done", flush=True)
"""


@pytest.fixture
def board(store: Store) -> Store:
    """A store with a table of notes."""
    with store.transaction() as connection:
        metadata.create_all(connection)
    return store


@pytest.fixture
def other(board: Store, place: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes a note for each number it is told."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITE_ONE, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert told(process) == "ready"
    yield process
    process.communicate()
    assert process.returncode == 0


def add(connection: WriteConnection, number: int, text: str = "") -> None:
    connection.execute(notes.insert().values(id=number, text=text))


def count(connection: ReadConnection) -> int:
    return connection.scalar(sa.select(sa.func.count()).select_from(notes)) or 0


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str], number: int) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{number}\n")
    process.stdin.flush()


def test_an_error_inside_a_transaction_leaves_nothing(board: Store) -> None:
    def half() -> None:
        with board.transaction() as connection:
            add(connection, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    with board.reading() as connection:
        assert count(connection) == 0


def test_a_read_sees_one_moment_and_does_not_wait_for_a_writer(board: Store) -> None:
    with board.reading() as before:
        assert count(before) == 0
        with board.transaction() as connection:
            add(connection, 1)
            with board.reading() as beside:
                assert count(beside) == 0
        assert count(before) == 0
    with board.reading() as after:
        assert count(after) == 1


@pytest.mark.promise("store.reads-cannot-write")
def test_a_read_cannot_write(board: Store) -> None:
    with pytest.raises((Unavailable, DBAPIError)), board.reading() as connection:
        add(WriteConnection(connection), 1)
    with board.reading() as connection:
        assert count(connection) == 0


def test_a_transaction_inside_a_transaction_is_refused(board: Store) -> None:
    with board.transaction() as connection:
        add(connection, 1)
        with pytest.raises(RuntimeError, match="pass the connection on"), board.transaction():
            pass
    with board.reading() as connection:
        assert count(connection) == 1


def test_scrubbing_inside_a_transaction_is_refused(board: Store) -> None:
    with board.transaction(), pytest.raises(RuntimeError, match="pass the connection on"):
        board.scrub()


def test_an_error_of_another_file_is_not_told_as_one_of_the_store(board: Store, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), board.transaction():
        (tmp_path / "letter").read_text()


def test_threads_that_read_and_then_write_lose_no_update(board: Store) -> None:
    """The deferred transaction that reads first is the one that fails under a second writer."""

    def one_more(_: int) -> None:
        with board.transaction() as connection:
            if board.dialect == "postgresql":
                connection.execute(sa.text("LOCK TABLE notes IN EXCLUSIVE MODE"))
            add(connection, count(connection) + 1)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one_more, range(100)))
    with board.reading() as connection:
        assert count(connection) == 100


def test_insert_new_tells_whether_the_row_was_new(board: Store) -> None:
    with board.transaction() as connection:
        assert insert_new(connection, notes, {"id": 1, "text": "first"})
        assert not insert_new(connection, notes, {"id": 1, "text": "second"})
    with board.reading() as connection:
        assert connection.scalar(sa.select(notes.c.text)) == "first"


@given(text=st.text(st.characters(exclude_categories=())))
def test_words_come_back_exactly_as_they_were_given(text: str) -> None:
    kept = Words().process_bind_param(text, sqlite.dialect())
    assert Words().process_result_value(kept, sqlite.dialect()) == text


def test_words_with_nul_and_lone_surrogates_are_kept(board: Store) -> None:
    text = "a\0b \udce4 é 漢"
    with board.transaction() as connection:
        add(connection, 1, text)
    with board.reading() as connection:
        assert connection.scalar(sa.select(notes.c.text)) == text


@pytest.mark.promise("store.disk-full")
def test_a_full_disk_is_said_and_the_store_goes_on_when_there_is_space(tmp_path: Path) -> None:
    with Store.open(tmp_path, SystemClock()) as board:
        with board.transaction() as connection:
            metadata.create_all(connection)
        with board.transaction() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(Unavailable, match="full") as refusal, board.transaction() as connection:
            add(connection, 1, "x" * 100_000)
        assert refusal.value.not_done == "Nothing was changed."
        with board.transaction() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
            add(connection, 2, "y" * 100_000)
        with board.reading() as connection:
            assert count(connection) == 1


def test_a_committed_note_is_told_to_those_who_watch_its_topic(board: Store) -> None:
    heard: list[str] = []
    seen: list[Notice] = []
    with_topic = board.watch(lambda _: heard.append("notes"), ["notes"])
    without = board.watch(lambda _: heard.append("other"), ["other"])
    everything = board.watch(seen.append)
    with board.transaction() as connection:
        add(connection, 1)
        board.touches(connection, ["notes"])
        assert seen == [Notice(None)] * len(seen)
    assert Notice(frozenset({"notes"})) in seen
    assert "notes" in heard
    for watch in (with_topic, without, everything):
        watch.close()
        watch.close()
    heard.clear()
    with board.transaction() as connection:
        board.touches(connection, ["notes"])
    assert heard == []


@pytest.mark.slow
@pytest.mark.timeout(30)
@pytest.mark.promise("store.other-processes-are-noticed")
def test_a_commit_of_another_process_is_noticed(board: Store, other: subprocess.Popen[str]) -> None:
    started = threading.Event()
    noticed = threading.Event()
    watch = board.watch(lambda _: (noticed if started.is_set() else started).set())
    assert started.wait(5)
    tell(other, 1)
    assert told(other) == "done"
    assert noticed.wait(5)
    watch.close()


@pytest.mark.slow
@pytest.mark.timeout(30)
def test_nothing_runs_when_nobody_watches(board: Store) -> None:
    before = set(threading.enumerate())
    watch = board.watch(lambda _: None)
    assert len(set(threading.enumerate()) - before) == 1
    watch.close()
    assert set(threading.enumerate()) == before


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.postgres
def test_a_lost_server_is_said_and_used_again_when_it_is_back(postgres: Server) -> None:
    noticed = threading.Semaphore(0)
    with postgres.database() as url, Store.open(url, SystemClock()) as board:
        watch = board.watch(lambda _: noticed.release())
        assert noticed.acquire(timeout=10)
        postgres.stop()
        with pytest.raises(Unavailable, match="reached"), board.transaction():
            pass
        postgres.start()
        assert noticed.acquire(timeout=20)
        with board.transaction() as connection:
            metadata.create_all(connection)
            add(connection, 1)
        watch.close()
