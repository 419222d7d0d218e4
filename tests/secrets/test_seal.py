"""A value is sealed before anyone sees it, once, and never lost, on both databases."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from numen.kernel import FixedClock, Json, SystemClock, Unavailable
from numen.ledger import Kind, Ledger
from numen.secrets import OWNER as OWNERS
from numen.secrets import TOPIC, WITHHELD, Demand, Purpose, Secrets, State
from numen.secrets.detector import find
from numen.secrets.rules import REFERENCE
from numen.store import Store
from tests.secrets.vaults import AT, IN_CHAT, OWNER, guest, ref_of, said, vault

SEAL = """
import os, signal, sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.ledger import Ledger
from numen.secrets import Secrets
from numen.secrets.detector import find
from numen.store import Store
from tests.secrets.vaults import OWNER, said, vault
place, home, moment = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
store = Store.open(place, SystemClock())
secrets = vault(store, home, SystemClock())
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
if moment == "before commit":
    Ledger.record = die
print("ready", flush=True)
value = sys.stdin.readline().strip()
sealed = secrets.seal(OWNER, said(value))
if moment == "after commit":
    die()
print(sealed.text, flush=True)
"""


def sealer(place: str | Path, home: Path, moment: str = "") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SEAL, str(place), str(home), moment],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def secrets(store: Store, home: Path) -> Secrets:
    return vault(store, home)


def everything(store: Store) -> str:
    """All that the store holds, as text."""
    with store.reading() as connection:
        tables = sa.inspect(connection).get_table_names()
        if connection.dialect.name == "sqlite":  # what a virtual table holds is in tables beside it
            tables = connection.scalars(
                sa.text("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
            ).all()
        rows = [connection.execute(sa.text(f'SELECT * FROM "{name}"')).all() for name in tables]
    return str(rows)


@pytest.mark.promise("secrets.reference")
def test_a_value_leaves_a_text_and_a_reference_stands_in_its_place(secrets: Secrets, store: Store) -> None:
    sealed = secrets.seal(OWNER, said("Hunter1700x"))
    match = REFERENCE.search(sealed.text)
    assert match is not None
    assert sealed.text == f"my password is {match[0]} ok"
    assert [str(one) for one in sealed.references] == [match[0]]
    assert not find(sealed.text)
    assert "Hunter1700x" not in everything(store)
    assert secrets.seal(OWNER, sealed.text) == replace(sealed, references=())


@pytest.mark.promise("secrets.same-value-same-reference")
def test_the_same_value_of_the_same_person_has_one_reference(secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    assert ref_of(secrets, IN_CHAT, "Hunter1700x") == ref
    assert ref_of(secrets, guest(), "Hunter1700x") != ref
    assert ref_of(secrets, guest("handle:telegram:333"), "Hunter1700x") != ref_of(
        secrets, guest(), "Hunter1700x"
    )
    assert ref_of(secrets, OWNER, "Hunter1700y") != ref
    twice = secrets.seal(OWNER, f"{said('Hunter1700x')}. {said('Hunter1700x')}")
    assert [one.ref for one in twice.references] == [ref]
    assert twice.text.count(ref) == 2


def test_a_text_without_a_value_is_not_touched_and_writes_nothing(secrets: Secrets, home: Path) -> None:
    assert secrets.seal(OWNER, "see you at noon").text == "see you at noon"
    assert not (home / "vault.key").exists()


def test_arguments_are_sealed_wherever_a_text_stands_in_them(secrets: Secrets) -> None:
    given_arguments: Json = {
        "task": said("Hunter1700x"),
        "n": 3,
        "deep": [{"x": said("Hunter1700x")}, None, True],
    }
    sealed = secrets.seal_all(OWNER, given_arguments)
    assert "Hunter1700x" not in str(sealed)
    assert isinstance(sealed, dict)
    assert (sealed["n"], sealed["deep"][1:]) == (3, [None, True])  # pyright: ignore


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=30), st.integers(1000, 9999))
def test_with_the_values_back_in_place_a_sealed_text_is_what_it_was(
    secrets: Secrets, around: str, number: int
) -> None:
    text = f"{around}\n{said(f'Hunter{number}x')}\n{around}"
    sealed = secrets.seal(OWNER, text)
    assert f"Hunter{number}x" not in sealed.text
    back = sealed.text
    for one in secrets.guarded():
        back = back.replace(str(one.reference), one.value)
    assert back == text


@pytest.mark.parametrize("value", ["Ab1\ud800cdefgh9", "Ab1cdefgh9" * 400])
def test_a_value_of_any_form_comes_back_as_it_was(secrets: Secrets, store: Store, value: str) -> None:
    text = f'token = "{value}"'
    sealed = secrets.seal(OWNER, text)
    assert value not in sealed.text
    assert {one.value for one in secrets.guarded()} == {text[one.start : one.end] for one in find(text)}


@pytest.mark.promise("secrets.released-stays")
def test_a_released_value_stays_as_it_is_and_is_marked(secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    assert secrets.release(OWNER, ref).state is State.RELEASED
    text = f"{said('Zebra4821y')}, {said('Hunter1700x')}"
    sealed = secrets.seal(OWNER, text)
    assert "Zebra4821y" not in sealed.text
    assert [sealed.text[start:end] for start, end in sealed.released] == ["Hunter1700x"]
    assert "Hunter1700x" not in secrets.seal(guest(), text).text
    assert all(one.value != "Hunter1700x" for one in secrets.guarded() if one.reference.ref == ref)


@pytest.mark.promise("secrets.forgotten-is-gone")
def test_a_forgotten_value_is_gone_and_is_sealed_again_when_it_is_said_again(
    secrets: Secrets, store: Store
) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    assert secrets.forget(OWNER, ref).state is State.FORGOTTEN
    assert secrets.forget(OWNER, ref).state is State.FORGOTTEN
    with store.reading() as connection:
        row = connection.execute(sa.text("SELECT fingerprint, nonce, ciphertext FROM secrets")).one()
    assert tuple(row) == (None, None, None)
    assert secrets.guarded() == ()
    assert ref_of(secrets, OWNER, "Hunter1700x") == ref
    assert [one.state for one in secrets.entries(OWNER)] == [State.SEALED]


def test_what_happened_to_a_value_is_in_the_ledger_without_it(secrets: Secrets, store: Store) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    ref_of(secrets, OWNER, "Hunter1700x")
    secrets.release(OWNER, ref)
    secrets.forget(OWNER, ref)
    ledger = Ledger(store, SystemClock())
    kinds = [one.kind for one in ledger.tail(OWNER)]
    assert kinds == [
        Kind.STORE_CREATED,
        Kind.VAULT_CREATED,
        Kind.SECRET_SEALED,
        Kind.SECRET_RELEASED,
        Kind.SECRET_FORGOTTEN,
    ]
    assert ledger.verify(OWNER).ok


@pytest.mark.slow
@pytest.mark.timeout(90)
@pytest.mark.promise("secrets.two-processes-one-reference")
def test_processes_that_seal_one_value_at_once_find_one_reference(place: str | Path, home: Path) -> None:
    processes = [sealer(place, home) for _ in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("Hunter1700x\n")
        process.stdin.flush()
    texts = {process.communicate()[0] for process in processes}
    assert len(texts) == 1
    assert REFERENCE.search(texts.pop())
    with Store.open(place, SystemClock()) as store:
        assert len(vault(store, home).entries(OWNER)) == 1


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("secrets.killed-while-sealing")
@pytest.mark.parametrize("moment", ["before commit", "after commit"])
def test_a_process_killed_while_it_seals_leaves_no_plain_word_and_the_next_one_seals(
    place: str | Path, home: Path, moment: str
) -> None:
    process = sealer(place, home, moment)
    out, _ = process.communicate("Hunter1700x\n")
    assert (process.returncode, out) == (-signal.SIGKILL, "")
    again, _ = sealer(place, home).communicate("Hunter1700x\n")
    assert REFERENCE.search(again)
    with Store.open(place, SystemClock()) as store:
        secrets = vault(store, home)
        assert [one.state for one in secrets.entries(OWNER)] == [State.SEALED]
        assert "Hunter1700x" not in everything(store)
        assert [one.value for one in secrets.guarded()] == ["Hunter1700x"]
    for file in home.rglob("*"):
        assert file.is_dir() or b"Hunter1700x" not in file.read_bytes()


@pytest.mark.promise("secrets.withheld")
def test_without_room_to_keep_it_a_value_is_withheld_and_the_words_stay(secrets: Secrets, home: Path) -> None:
    (home / "vault.key").mkdir(parents=True)
    sealed = secrets.seal(OWNER, f"{said('Hunter1700x')} and {said('Zebra4821y')}")
    assert sealed.text == f"{said(WITHHELD)} and {said(WITHHELD)}"
    assert (sealed.withheld, sealed.references) == (2, ())
    assert "vault.key" in sealed.why
    assert not find(sealed.text)


@pytest.mark.promise("secrets.clock-back")
def test_a_clock_that_goes_back_loses_no_value_and_makes_none_fresh(store: Store, home: Path) -> None:
    clock = FixedClock(AT)
    secrets = vault(store, home, clock)
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    clock.move(-timedelta(days=400))
    assert ref_of(secrets, OWNER, "Zebra4821y") != ref
    assert ref_of(secrets, OWNER, "Hunter1700x") == ref
    assert [one.state for one in secrets.entries(OWNER)] == [State.SEALED] * 2
    assert {one.whose for one in secrets.entries(OWNER)} == {OWNERS}


@pytest.mark.promise("secrets.guarded-is-told")
def test_whoever_guards_the_doors_is_told_of_a_new_value_and_has_it(secrets: Secrets, store: Store) -> None:
    notices: list[object] = []
    watch = store.watch(notices.append, (TOPIC,))
    ref_of(secrets, guest(), "Hunter1700x")
    watch.close()
    assert notices
    assert [one.value for one in secrets.guarded()] == ["Hunter1700x"]


@pytest.mark.promise("secrets.withheld")
def test_on_a_full_disk_a_value_is_withheld_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path, SystemClock()) as store:
        secrets = vault(store, tmp_path)
        ref = ref_of(secrets, OWNER, "Hunter1700x")
        with store.transaction() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        texts = [secrets.seal(OWNER, said(f"Hunter{number:04}x")) for number in range(200)]
        assert texts[-1].text == said(WITHHELD)
        assert "full" in texts[-1].why
        kept = sum(not one.withheld for one in texts)
        assert len(secrets.entries(OWNER)) == kept + (
            ref not in {one.ref for t in texts for one in t.references}
        )
        assert Ledger(store, SystemClock()).verify(OWNER).ok
        with store.transaction() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        assert not secrets.seal(OWNER, said("Hunter0199x")).withheld


@pytest.mark.promise("secrets.withheld")
def test_while_the_ledger_cannot_be_written_nothing_is_sealed_or_used(store: Store, secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    with store.transaction() as connection:
        connection.execute(sa.text("UPDATE ledger_head SET seq = seq + 7"))
    assert secrets.seal(OWNER, said("Zebra4821y")).text == said(WITHHELD)
    for call in (
        lambda: secrets.resolve(OWNER, Demand((ref,), Purpose.REVEAL)),
        lambda: secrets.release(OWNER, ref),
        lambda: secrets.forget(OWNER, ref),
    ):
        with pytest.raises(Unavailable):
            call()
    assert [(one.state, one.uses) for one in secrets.entries(OWNER)] == [(State.SEALED, 0)]


@pytest.mark.promise("secrets.sealed-to-the-end")
@example("is 8D0E Eggplant!33 Eggplant!33 code is code 8D0E".split(), False)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from("password pin code is é to 8D0E 3059 4821 Eggplant!33 otp , : =".split()), max_size=12
    ),
    st.booleans(),
)
def test_nothing_is_found_in_what_was_sealed_but_what_was_released(
    secrets: Secrets, words: list[str], is_released: bool
) -> None:
    text = " ".join(["password 8D0E é 3059", *words])
    if is_released:
        for one in secrets.seal(OWNER, text).references[:1]:
            secrets.release(OWNER, one.ref)
    sealed = secrets.seal(OWNER, text)
    for one in find(sealed.text):
        assert any(one.start < end and start < one.end for start, end in sealed.released)
    assert secrets.seal(OWNER, sealed.text).text == sealed.text
    assert [str(one) for one in sealed.references] == sorted(
        map(str, sealed.references), key=sealed.text.index
    )


@pytest.mark.promise("secrets.said-again")
def test_a_value_that_is_said_again_without_a_word_for_it_is_sealed_for_the_same_person_alone(
    secrets: Secrets, store: Store
) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x#Quince")
    again = secrets.seal(OWNER, "try Hunter1700x#Quince, or Hunter1700x#Quinces")
    assert again.text == f"try {again.references[0]}, or Hunter1700x#Quinces"
    assert again.references[0].ref == ref
    assert secrets.seal(guest(), "is it Hunter1700x#Quince").references == ()
    secrets.forget(OWNER, ref)
    assert secrets.seal(OWNER, "try Hunter1700x#Quince").references == ()
    ref_of(secrets, OWNER, "sommerregen")
    assert secrets.seal(OWNER, "nach dem sommerregen").references == ()
    assert "Hunter1700x#Quince" not in everything(store)
