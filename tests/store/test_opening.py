"""Opening a store: created once, private, and refused in plain words when it is not ours."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import numen.cycle
import numen.delegate.tables
import numen.gate
import numen.ledger
import numen.memory
import numen.memory.opinions
import numen.mind
import numen.north.tables
import numen.people
import numen.resident.tables
import numen.secrets
import numen.work.tables  # noqa: F401
from numen.kernel import InvalidInput, NotFound, NumenError, StateUnavailable, SystemClock, Unavailable
from numen.store import SCHEMA, Store, StoreTooNew, WrongFile, migration, revision
from numen.store.db import metadata
from tests.database import Server

CLOCK = SystemClock()
WORDS_ALONE = ("search_words", "search_vocabulary", "search_items_by_term")
"""What the databases' own text search is kept in: made by the migration, in no other language than theirs."""
OPEN_AND_TELL = """
import sys
from numen.kernel import SystemClock
from numen.store import Store
sys.stdin.readline()
with Store.open(sys.argv[1], SystemClock()) as store:
    print(store.epoch)
"""


def test_a_store_keeps_its_epoch(place: str | Path) -> None:
    with Store.open(place, CLOCK) as first, Store.open(place, CLOCK) as second:
        assert first.epoch == second.epoch
        assert first.ids.new("turn").startswith(f"turn_{first.epoch}_")


class AskingClock(SystemClock):
    """Asks for the store that is being made before it tells the time, as a warning that is screened does."""

    def __init__(self, place: str | Path) -> None:
        self.place = place
        self.answers: list[str] = []

    def now(self) -> datetime:
        with pytest.raises(Unavailable) as caught:
            Store.open(self.place, CLOCK)
        self.answers.append(caught.value.what)
        return super().now()


def test_a_store_that_is_asked_for_by_what_makes_it_is_refused_and_not_waited_for(place: str | Path) -> None:
    clock = AskingClock(place)
    with Store.open(place, clock):
        assert clock.answers == ["A store is being made by the thread that asks for it."]


def test_an_id_of_another_epoch_is_unknown_and_one_of_this_does_not_exist(store: Store) -> None:
    other = "0000" if store.epoch != "0000" else "1111"
    assert isinstance(store.absence(store.ids.new("ask"), "ask"), NotFound)
    assert isinstance(
        store.absence(store.ids.new("ask").replace(store.epoch, other, 1), "ask"), StateUnavailable
    )
    assert isinstance(store.absence("no id", "ask"), NotFound)


@pytest.mark.promise("store.schema")
def test_the_migrations_make_exactly_the_tables_that_the_code_uses(store: Store) -> None:
    with store.reading() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "version_table": revision.VERSION_TABLE,
                "compare_type": False,
                "include_name": lambda name, *_: not str(name).startswith(WORDS_ALONE),
            },
        )
        assert compare_metadata(context, metadata) == []
        assert ScriptDirectory.from_config(migration.scripts(connection)).get_heads() == [SCHEMA]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("store.opening-at-once")
def test_processes_that_open_a_new_store_at_once_find_one_store(place: str | Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN_AND_TELL, str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate() for process in processes]
    assert [error for _, error in answers] == [""] * 6
    assert len({epoch for epoch, _ in answers}) == 1


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("store.half-made")
def test_a_store_whose_making_was_killed_is_made_whole_by_the_next(place: str | Path) -> None:
    """Kill -9 at twenty moments of the making, spread over twice the time that it takes."""
    began = time.perf_counter()
    Store.open(place if isinstance(place, str) else place / "first", CLOCK).close()
    took = time.perf_counter() - began
    for step in range(20):
        if isinstance(place, str):
            with psycopg.connect(place, autocommit=True) as connection:
                connection.execute("DROP SCHEMA public CASCADE")
                connection.execute("CREATE SCHEMA public")
        at = place if isinstance(place, str) else place / str(step)
        child = os.fork()
        if child == 0:
            try:
                Store.open(at, CLOCK)
            finally:
                os._exit(0)
        threading.Event().wait(took * step / 10)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with Store.open(at, CLOCK) as store, store.reading() as connection:
            assert connection.scalar(sa.text("SELECT count(*) FROM epochs")) == 1
            assert revision.is_current(connection, store.place)


@pytest.mark.promise("store.newer-refused")
def test_a_store_of_a_newer_numen_is_refused_and_left_alone(place: str | Path) -> None:
    with Store.open(place, CLOCK) as store, store.transaction() as connection:
        connection.execute(sa.text(f"UPDATE {revision.VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(StoreTooNew) as refusal:
        Store.open(place, CLOCK)
    assert_told(refusal.value)


@pytest.mark.promise("store.private")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_the_files_are_their_owners_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    home = tmp_path / "above" / "home"
    home.parent.mkdir()
    before = os.umask(umask)
    try:
        with Store.open(home, CLOCK) as store:
            with store.transaction() as connection:
                connection.execute(sa.text("CREATE TABLE something (a)"))
            found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()}
    finally:
        os.umask(before)
    assert found == {"numen.db": 0o600, "numen.db-wal": 0o600, "numen.db-shm": 0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.promise("store.private")
def test_a_store_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    Store.open(tmp_path, CLOCK).close()
    (tmp_path / "numen.db").chmod(0o644)
    Store.open(tmp_path, CLOCK).close()
    assert stat.S_IMODE((tmp_path / "numen.db").stat().st_mode) == 0o600


def test_a_directory_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Store.open(tmp_path, CLOCK).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.promise("store.bad-places")
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "numen.db"
    file.write_text("a letter to a friend\n" * 100)
    with pytest.raises(WrongFile) as refusal:
        Store.open(tmp_path, CLOCK)
    assert_told(refusal.value)
    assert file.read_text() == "a letter to a friend\n" * 100


@pytest.mark.promise("store.bad-places")
def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "numen.db") as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    before = (tmp_path / "numen.db").read_bytes()
    with pytest.raises(WrongFile) as refusal:
        Store.open(tmp_path, CLOCK)
    assert_told(refusal.value)
    assert (tmp_path / "numen.db").read_bytes() == before


@pytest.mark.promise("store.bad-places")
def test_a_damaged_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path, CLOCK).close()
    file = tmp_path / "numen.db"
    content = file.read_bytes()
    damaged = content[:100] + b"\xff" * (len(content) - 100)
    file.write_bytes(damaged)
    with pytest.raises(WrongFile) as refusal:
        Store.open(tmp_path, CLOCK)
    assert_told(refusal.value)
    assert file.read_bytes() == damaged


@pytest.mark.promise("store.bad-places")
def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(Unavailable) as refusal:
        Store.open(tmp_path / "home", CLOCK)
    assert_told(refusal.value)


@pytest.fixture
def other_account(tmp_path: Path) -> Iterator[Path]:
    """A home that this process may not write to; root, who may write anywhere, becomes nobody for a while."""
    home = Path(tempfile.mkdtemp(prefix="numen-home-"))
    Store.open(tmp_path, CLOCK).close()
    Store.open(home, CLOCK).close()
    home.chmod(0o555)
    (home / "numen.db").chmod(0o444)
    if os.geteuid() == 0:
        os.seteuid(65534)
        yield home
        os.seteuid(0)
    else:
        yield home
    home.chmod(0o755)
    shutil.rmtree(home)


@pytest.mark.promise("store.bad-places")
@pytest.mark.parametrize("where", [".", "new", "new/below"])
def test_a_home_that_can_only_be_read_is_refused(other_account: Path, where: str) -> None:
    with pytest.raises(Unavailable) as refusal:
        Store.open(other_account / where, CLOCK)
    assert_told(refusal.value)


@pytest.mark.promise("store.bad-places")
@pytest.mark.parametrize(
    "given", ["mysql://root@localhost/x", "sqlite://", "sqlite:///:memory:", "://", "postgresql://[::1/x"]
)
def test_a_url_that_names_no_store_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Store.open(given, CLOCK)
    assert_told(refusal.value)


@pytest.mark.postgres
@pytest.mark.promise("store.bad-places")
def test_a_server_that_cannot_be_used_is_named_without_its_password(postgres: Server) -> None:
    nobody = f"postgresql://numen:swordfish@127.0.0.1:{postgres.port}/nothing_here"
    stranger = f"postgresql://someone:swordfish@127.0.0.1:{postgres.port}/postgres"
    silent = "postgresql://numen:swordfish@127.0.0.1:1/postgres"
    said = []
    for url in (nobody, stranger, silent):
        with pytest.raises(Unavailable) as refusal:
            Store.open(url, CLOCK)
        assert_told(refusal.value)
        assert "swordfish" not in str(refusal.value.as_mapping())
        said.append(refusal.value.what)
    assert ["does not exist" in said[0], "someone" in said[1], "refused" in said[2]] == [True] * 3


def assert_told(error: NumenError) -> None:
    """A person reads what happened, what was not done, and what to do."""
    assert error.what
    assert error.not_done
    assert error.next_step
