"""Recording and reading: one history, without gaps, without doubles, without words."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import Conflict, Forbidden, InvalidInput, NotFound, RoomKey, Scope, SystemClock, parse_id
from numen.ledger import Departure, Event, Kind, Ledger
from numen.ledger.schemas import SCHEMAS, Field, Form, check
from numen.store import Store
from tests.ledger.scopes import OWNER, guest, revoked

EACH = 1000 if os.environ.get("NUMEN_SOAK") else 250
"""Events that each of two processes appends."""

APPEND = """
import sys
from numen.kernel import SystemClock
from numen.ledger import Ledger
from numen.store import Store
from tests.ledger.scopes import OWNER, revoked
start, count = int(sys.argv[2]), int(sys.argv[3])
with Store.open(sys.argv[1], SystemClock()) as store:
    ledger = Ledger(store, SystemClock())
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(start, start + count):
        with store.transaction() as connection:
            ledger.record(OWNER, connection, revoked(number))
        print(number, flush=True)
"""


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return Ledger(store, SystemClock())


def record(store: Store, ledger: Ledger, *events: Event, scope: Scope = OWNER) -> None:
    for event in events:
        with store.transaction() as connection:
            ledger.record(scope, connection, event)


def appender(place: str | Path, start: int, count: int) -> subprocess.Popen[str]:
    """Another process that will append `count` events, and prints each number once it is committed."""
    return subprocess.Popen(
        [sys.executable, "-c", APPEND, str(place), str(start), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def test_the_first_event_tells_that_the_store_was_made(store: Store, ledger: Ledger) -> None:
    record(store, ledger, revoked(1))
    first, second = ledger.tail(OWNER)
    assert (first.seq, first.kind, first.payload) == (1, "store.created", {"epoch": store.epoch})
    assert (second.seq, second.kind, second.prev_hash) == (2, "key.revoked", first.hash)


@pytest.mark.promise("ledger.one-transaction")
def test_an_event_stands_and_falls_with_its_use_case(store: Store, ledger: Ledger) -> None:
    def half() -> None:
        with store.transaction() as connection:
            ledger.record(OWNER, connection, revoked(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert ledger.tail(OWNER) == ()
    assert ledger.verify(OWNER).ok


@pytest.mark.promise("ledger.once")
def test_a_step_that_runs_again_records_nothing(store: Store, ledger: Ledger) -> None:
    event = dataclasses.replace(revoked(1))
    with store.transaction() as connection:
        first = ledger.record(OWNER, connection, event)
    with store.transaction() as connection:
        again = ledger.record(OWNER, connection, event)
    assert (first.fresh, again.fresh, again.seq) == (True, False, first.seq)
    assert len(ledger.tail(OWNER)) == 2


def test_an_event_id_cannot_stand_for_two_things(store: Store, ledger: Ledger) -> None:
    record(store, ledger, revoked(1))
    with pytest.raises(Conflict):
        record(store, ledger, revoked(1, stream="elsewhere"))


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("ledger.no-gaps")
def test_two_processes_that_append_at_once_leave_no_gap(place: str | Path) -> None:
    processes = [appender(place, 0, EACH), appender(place, EACH, EACH)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate()[0].split() for process in processes]
    assert sorted(map(int, told[0] + told[1])) == list(range(2 * EACH))
    with Store.open(place, SystemClock()) as store:
        ledger = Ledger(store, SystemClock())
        seen = [
            entry
            for after in range(0, 2 * EACH + 1, EACH)
            for entry in ledger.tail(OWNER, after=after, limit=EACH)
        ]
        assert [entry.seq for entry in seen] == list(range(1, 2 * EACH + 2))
        assert len({entry.event_id for entry in seen}) == 2 * EACH + 1
        verification = ledger.verify(OWNER)
    assert (verification.ok, verification.events) == (True, 2 * EACH + 1)


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("ledger.survives-kill")
@pytest.mark.parametrize("after", [1, 7, 40, 150])
def test_what_was_acknowledged_before_kill_9_is_there(place: str | Path, after: int) -> None:
    process = appender(place, 0, 100_000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert process.stdout.readline() == "ready\n"
    for _ in range(after):
        process.stdout.readline()
    process.kill()
    acknowledged = after + len(process.stdout.read().split())
    process.communicate()
    with Store.open(place, SystemClock()) as store:
        ledger = Ledger(store, SystemClock())
        verification = ledger.verify(OWNER)
        assert verification.ok, verification.why
        assert verification.events >= acknowledged + 1
        record(store, ledger, revoked(200_000))
        assert ledger.verify(OWNER).events == verification.events + 1


@pytest.mark.promise("ledger.everyone-sees-their-own")
def test_the_owner_sees_all_and_others_what_they_did_in_their_own_room(store: Store, ledger: Ledger) -> None:
    record(store, ledger, revoked(1))
    record(store, ledger, revoked(2), scope=guest("ann"))
    record(store, ledger, revoked(3), scope=guest("ben"))
    assert [entry.seq for entry in ledger.tail(OWNER)] == [1, 2, 3, 4]
    assert [entry.event_id for entry in ledger.tail(guest("ann"))] == ["key.revoked:2"]
    assert ledger.tail(guest("someone new")) == ()
    key = dataclasses.replace(guest("ann"), viewer=store.ids.new("key"))
    assert ledger.tail(key) == ()
    with pytest.raises(Forbidden):
        ledger.verify(guest("ann"))


def test_tail_gives_the_last_events_or_those_after_a_number(store: Store, ledger: Ledger) -> None:
    record(store, ledger, *(revoked(number, "ab"[number % 2]) for number in range(6)))
    assert [entry.seq for entry in ledger.tail(OWNER, limit=2)] == [6, 7]
    assert [entry.seq for entry in ledger.tail(OWNER, after=3, limit=2)] == [4, 5]
    assert [entry.seq for entry in ledger.tail(OWNER, after=7)] == []
    assert [entry.seq for entry in ledger.tail(OWNER, stream="b")] == [3, 5, 7]
    assert [entry.seq for entry in ledger.tail(OWNER, correlation_id="turn:4")] == [6]
    assert [entry.seq for entry in ledger.tail(OWNER, kinds=[Kind.STORE_CREATED])] == [1]
    for bad in ({"limit": 0}, {"limit": 1001}, {"after": -1}):
        with pytest.raises(InvalidInput):
            ledger.tail(OWNER, **bad)


@pytest.mark.parametrize("name", ["", "two words", "é", "x" * 129, "-x", "a\nb"])
def test_a_name_from_outside_cannot_carry_words_into_the_chain(
    store: Store, ledger: Ledger, name: str
) -> None:
    for field in ("event_id", "stream", "correlation_id"):
        with pytest.raises(InvalidInput):
            record(store, ledger, dataclasses.replace(revoked(1), **{field: name}))
    with pytest.raises(InvalidInput):
        record(store, ledger, revoked(1), scope=dataclasses.replace(OWNER, viewer=name))


def test_every_kind_has_a_schema() -> None:
    assert set(SCHEMAS) == set(Kind)


@pytest.mark.promise("ledger.no-words")
@given(st.sampled_from(list(Form)), st.booleans(), st.text(min_size=1))
def test_no_form_admits_a_text_that_is_not_an_id_a_digest_or_a_listed_code(
    form: Form, many: bool, text: str
) -> None:
    field = Field(form, frozenset({"done"}), many)
    if field.admits([text] if many else text):
        assert parse_id(text) or text == "done" or set(text) <= set("0123456789abcdefABCDEFGHJKMNPQRSTVWXYZ")


@pytest.mark.promise("ledger.no-words")
@given(st.sampled_from(list(Kind)), st.text(), st.text())
def test_no_kind_takes_a_field_that_its_schema_does_not_name(kind: Kind, name: str, text: str) -> None:
    if name not in SCHEMAS[kind]:
        with pytest.raises(InvalidInput) as refusal:
            check(Event("e", kind, "s", "c", {name: text}))
        assert len(text) < 4 or text not in refusal.value.sentences().replace(repr(name), "")


@pytest.mark.promise("ledger.words-apart")
def test_words_are_kept_apart_and_can_be_forgotten(store: Store, ledger: Ledger) -> None:
    scope = guest("ann")
    with store.transaction() as connection:
        digest = ledger.put_body(scope, connection, "my door code is 4711 \0\udce4")
        twin = ledger.put_body(scope, connection, "my door code is 4711 \0\udce4")
    assert digest != twin
    assert (
        ledger.body(scope, digest).text == ledger.body(OWNER, digest).text == "my door code is 4711 \0\udce4"
    )
    with pytest.raises(NotFound):
        ledger.body(guest("ben"), digest)
    with store.transaction() as connection:
        assert ledger.forget_body(OWNER, connection, digest, Departure.FORGOTTEN, "forget:1")
        assert not ledger.forget_body(OWNER, connection, digest, Departure.FORGOTTEN, "forget:2")
        with pytest.raises(NotFound):
            ledger.forget_body(OWNER, connection, "0" * 64, Departure.FORGOTTEN, "forget:3")
    assert ledger.body(OWNER, digest).text is None
    assert ledger.body(OWNER, digest).gone is Departure.FORGOTTEN
    assert ledger.tail(OWNER, limit=1)[0].payload == {"body": digest, "reason": "forgotten"}
    verification = ledger.verify(OWNER)
    assert (verification.ok, verification.bodies, verification.gone) == (True, 2, 1)


@pytest.mark.promise("ledger.forgotten-leaves-the-files")
def test_forgotten_words_are_in_no_file_of_the_store(tmp_path: Path) -> None:
    word = b"swordfish-of-the-seven-seas"
    with Store.open(tmp_path, SystemClock()) as store:
        ledger = Ledger(store, SystemClock())
        with store.transaction() as connection:
            digest = ledger.put_body(OWNER, connection, word.decode() * 3)
        assert any(word in path.read_bytes() for path in tmp_path.iterdir())
        with store.transaction() as connection:
            ledger.forget_body(OWNER, connection, digest, Departure.FORGOTTEN, "forget:1")
        store.scrub()
        assert [path.name for path in tmp_path.iterdir() if word in path.read_bytes()] == []
        assert ledger.verify(OWNER).ok


def test_a_followed_ledger_gives_every_event_once_and_in_order(store: Store, ledger: Ledger) -> None:
    record(store, ledger, revoked(0))
    woken: list[bool] = []
    with ledger.subscribe(OWNER, wake=lambda: woken.append(True)) as subscription:
        assert [entry.seq for entry in subscription.pending()] == [1, 2]
        assert subscription.pending() == ()
        woken.clear()
        record(store, ledger, revoked(1), revoked(2))
        assert woken
        assert subscription.wait(0)
        follow = iter(subscription)
        assert [next(follow).seq, next(follow).seq] == [3, 4]
        assert subscription.after == 4
    assert not subscription.wait(0)
    assert list(subscription) == []


def test_a_guest_follows_only_their_own(store: Store, ledger: Ledger) -> None:
    with ledger.subscribe(guest("ann"), 0, stream="keys") as subscription:
        record(store, ledger, revoked(1))
        record(store, ledger, revoked(2), scope=guest("ann"))
        assert [entry.event_id for entry in subscription.pending()] == ["key.revoked:2"]
        assert subscription.after == 3


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("ledger.followed-across-processes")
def test_what_another_process_records_is_followed(store: Store, ledger: Ledger, place: str | Path) -> None:
    process = appender(place, 0, 50)
    assert process.stdin is not None
    with ledger.subscribe(OWNER, 0) as subscription:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        seen: list[int] = []
        for entry in subscription:
            seen.append(entry.seq)
            if entry.seq == 51:
                break
    process.communicate()
    assert seen == list(range(1, 52))


def test_rooms_in_the_ledger_are_digests(store: Store, ledger: Ledger) -> None:
    record(store, ledger, revoked(1), scope=guest("+49 171 5550123"))
    room = RoomKey("+49 171 5550123", "c", "telegram")
    assert ledger.tail(OWNER)[-1].scope == room.digest()
    with store.reading() as connection:
        rows = connection.execute(sa.text("SELECT * FROM events")).all()
    assert "5550123" not in str(rows)
