"""Rows are carried out once, across crashes, upgrades and machines."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import SystemClock
from numen.store import Store
from numen.work import Job, Run, Superseded, tables
from numen.work.durable import DbosDurable
from numen.work.engine import Engine
from numen.work.rules import SILENT, Heard, listen
from tests.surfaces.processes import environment
from tests.work.labourer import Rows

ROOT = Path(__file__).parents[2]


class Labourer:
    """One process with an engine."""

    def __init__(self, place: str, folder: Path, body: str = "first") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.work.labourer", place, str(folder), body],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment(folder),
        )  # fmt: skip
        self.word = self.read()

    def read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def end(self) -> None:
        if self.process.poll() is None:
            self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def close(self) -> str:
        self.tell("close")
        word = self.read()
        self.process.wait(10)
        return word


@pytest.fixture
def hire(tmp_path: Path) -> Iterator[Callable[..., Labourer]]:
    with ExitStack() as stack:

        def hired(place: str | None = None, body: str = "first") -> Labourer:
            one = Labourer(place or str(tmp_path), tmp_path, body)
            stack.callback(one.end)
            return one

        yield hired


def want(folder: Path, identifier: str, what: str) -> None:
    part = folder / "part"
    part.write_text(what)
    (folder / "wanted").mkdir(exist_ok=True)
    part.replace(folder / "wanted" / identifier)


def logged(folder: Path, word: str, seconds: float = 15.0) -> str:
    """The first line of the log that has `word`; waits for it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for line in (folder / "log").read_text().splitlines() if (folder / "log").exists() else ():
            if word in line:
                return line
        time.sleep(0.02)
    raise AssertionError(f"{word!r} is not in the log: {(folder / 'log').read_text()}")


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.timeout(60)
@pytest.mark.promise("work.recovery", "work.upgrade")
def test_a_killed_process_leaves_its_work_to_the_next_one_even_with_other_code(
    tmp_path: Path, hire: Callable[..., Labourer]
) -> None:
    want(tmp_path, "a", "hang")
    first = hire()
    assert first.word == "holds"
    assert "n=1 epoch=1" in logged(tmp_path, "began a")
    first.kill()
    began = time.monotonic()
    hire(body="second")
    line = logged(tmp_path, "ended a")
    assert time.monotonic() - began < 10
    assert line.startswith("second ended a n=1 epoch=2 ")
    assert (tmp_path / "work.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("work.alone")
def test_one_process_has_the_engine_and_the_next_takes_it_when_it_has_gone(
    tmp_path: Path, hire: Callable[..., Labourer]
) -> None:
    first, second = hire(), hire()
    assert (first.word, second.word) == ("holds", "waits")
    want(tmp_path, "a", "quick")
    second.tell("look")
    first.tell("look")
    assert f"pid={first.process.pid}" in logged(tmp_path, "ended a")
    want(tmp_path, "b", "hang")
    first.tell("look")
    assert f"pid={first.process.pid}" in logged(tmp_path, "began b")
    assert first.close() == "closed"
    line = logged(tmp_path, "ended b")
    assert f"n=2 epoch=2 pid={second.process.pid}" in line
    assert (tmp_path / "log").read_text().count("ended a") == 1


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("work.failure")
def test_a_fault_is_told_to_its_row_once_and_the_others_go_on(tmp_path: Path) -> None:
    for name, what in (("a", "fail"), ("b", "quick"), ("c", "quick")):
        want(tmp_path, name, what)
    told: list[str] = []
    rows = Rows(tmp_path, "here")
    with Store.open(tmp_path, SystemClock()) as store:
        made = Engine(store, SystemClock(), tmp_path, lambda: DbosDurable, told.append)
        made.register(Job("row", rows.run, rows.wanted, frozenset({"rows"}), rows.failed, at_once=1))
        try:
            assert made.start(patient=False)
            for name in "bc":
                logged(tmp_path, f"ended {name}")
            logged(tmp_path, "began a")
            until = time.monotonic() + 10
            while rows.wanted() and time.monotonic() < until:
                time.sleep(0.02)
            assert rows.wanted() == []
        finally:
            made.close()
        with store.reading() as connection:
            assert tables.open_of(connection, made.executor) == []
    assert (tmp_path / "log").read_text().count("began a") == 1
    assert told == ["row a failed. ValueError: as the row says"]


@pytest.mark.promise("work.idle")
def test_nothing_is_launched_or_written_before_something_is_wanted(tmp_path: Path) -> None:
    rows = Rows(tmp_path, "here")
    looked: list[int] = []

    def wanted() -> list[str]:
        looked.append(1)
        return rows.wanted()

    with Store.open(tmp_path, SystemClock()) as store:
        made = Engine(store, SystemClock(), tmp_path, lambda: DbosDurable)
        made.register(Job("row", rows.run, wanted, frozenset({"rows"}), rows.failed))
        assert made.start()
        until = time.monotonic() + 5
        while not looked and time.monotonic() < until:
            time.sleep(0.01)
        made.close()
        assert looked
        assert not made.launched
        assert not (tmp_path / "work.db").exists()


@pytest.mark.promise("work.fence")
def test_an_attempt_that_was_overtaken_cannot_write(store: Store, tmp_path: Path) -> None:
    made = Engine(store, SystemClock(), tmp_path, lambda: DbosDurable)
    with store.transaction() as connection:
        assert tables.want(connection, "row", "a", "one") == 1
        assert tables.want(connection, "row", "a", "two") is None
        first = tables.take(connection, "a", 1, "one")
        assert first == 1
        made.hold(connection, Run("row", "a", 1, first))
        assert tables.inherit(connection, "a", 1, "one", "two")
        assert not tables.inherit(connection, "a", 1, "one", "three")
        with pytest.raises(Superseded):
            made.hold(connection, Run("row", "a", 1, first))
        second = tables.take(connection, "a", 1, "two")
        assert second is not None
        assert not tables.end(connection, "a", first)
        assert tables.end(connection, "a", second)
        assert tables.take(connection, "a", 1, "two") is None
        assert tables.want(connection, "row", "a", "one") == 2


@given(st.lists(st.tuples(st.booleans(), st.floats(0.1, 4.0)), max_size=30))
@pytest.mark.promise("work.dead")
def test_a_peer_is_dead_exactly_when_its_beats_stood_still_long_enough(
    moves: list[tuple[bool, float]],
) -> None:
    now, beats, last, heard = 0.0, 1, 0.0, {}
    heard, dead = listen(heard, {"peer": beats}, now)
    assert list(dead) == []
    for beat, seconds in moves:
        now += seconds
        if beat:
            beats, last = beats + 1, now
        heard, dead = listen(heard, {"peer": beats}, now)
        assert (list(dead) == ["peer"]) == (now - last >= SILENT)
    assert listen({"gone": Heard(1, 0)}, {}, 99)[0] == {}


@pytest.mark.slow
@pytest.mark.crash
@pytest.mark.timeout(90)
@pytest.mark.promise("work.dead")
def test_on_one_database_the_work_of_a_killed_process_is_taken_up_by_another(
    place: str | Path, tmp_path: Path, hire: Callable[..., Labourer]
) -> None:
    if isinstance(place, Path):
        pytest.skip("a home has one engine")
    first = hire(place)
    want(tmp_path, "a", "hang")
    first.tell("look")
    logged(tmp_path, "began a")
    second = hire(place)
    want(tmp_path, "b", "quick")
    second.tell("look")
    logged(tmp_path, "ended b")
    first.kill()
    began = time.monotonic()
    line = logged(tmp_path, "ended a", 25)
    assert f"pid={second.process.pid}" in line
    assert time.monotonic() - began < 20
