"""The vault's key: private, rotated without a gap, and never replaced where something is kept under it."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest
import sqlalchemy as sa

from numen.kernel import Conflict, Forbidden, InvalidInput, SystemClock
from numen.ledger import Kind, Ledger
from numen.secrets import WITHHELD, Demand, Place, Purpose, Secrets, State, VaultLocked
from numen.secrets.rules import REFERENCE
from numen.store import Store
from tests.secrets.vaults import OWNER, guest, ref_of, said, vault

REKEY = """
import os, signal, sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.ledger import Ledger
from numen.secrets import tables
from numen.secrets.keys import Keys
from numen.store import Store
from tests.secrets.vaults import OWNER, vault
place, home, moment = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
kept = Keys.keep
def keep(self, *arguments):
    keep.times += 1
    if moment == "before the old key goes" and keep.times == 2:
        die()
    kept(self, *arguments)
    if moment == "after the new key is kept" and keep.times == 1:
        die()
keep.times = 0
Keys.keep = keep
if moment == "before the first value moves":
    tables.all_secrets = die
if moment == "between two values":
    moved = tables.move
    def move(*arguments):
        moved(*arguments)
        die()
    tables.move = move
if moment == "before commit":
    Ledger.record = die
with Store.open(place, SystemClock()) as store:
    vault(store, home, SystemClock()).rekey(OWNER)
"""
REKEYS = """
import sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.store import Store
from tests.secrets.vaults import OWNER, vault
with Store.open(sys.argv[1], SystemClock()) as store:
    secrets = vault(store, Path(sys.argv[2]), SystemClock())
    for _ in range(20):
        assert secrets.rekey(OWNER).left == ()
"""
MOMENTS = [
    "after the new key is kept",
    "before the first value moves",
    "between two values",
    "before commit",
    "before the old key goes",
]


class Ring(keyring.backend.KeyringBackend):
    """A keyring that works, in memory; taken for a real one where a test says so."""

    priority = 0.5  # pyright: ignore

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise keyring.errors.KeyringLocked("locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring() -> Iterator[Ring]:
    """A real keyring for this test."""
    before, made = keyring.get_keyring(), Ring()
    made.priority = 5  # pyright: ignore
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def secrets(store: Store, home: Path) -> Secrets:
    return vault(store, home)


def values(secrets: Secrets) -> set[str]:
    return {one.value for one in secrets.guarded()}


@pytest.mark.promise("secrets.key-is-private")
@pytest.mark.parametrize("umask", [0o000, 0o077, 0o277])
def test_the_key_is_its_owners_alone_whatever_the_umask(
    store: Store, home: Path, secrets: Secrets, umask: int
) -> None:
    before = os.umask(umask)
    try:
        ref_of(secrets, OWNER, "Hunter1700x")
        secrets.rekey(OWNER)
    finally:
        os.umask(before)
    for name in ("vault.key", "vault.lock"):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600
    assert [path.name for path in home.glob(".vault*")] == []


@pytest.mark.promise("secrets.key-missing")
def test_a_missing_key_makes_no_new_one_over_what_is_kept(store: Store, home: Path, secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    (home / "vault.key").rename(home / "elsewhere")
    sealed = secrets.seal(OWNER, said("Zebra4821y"))
    assert sealed.text == said(WITHHELD)
    assert "missing" in sealed.why
    [entry] = secrets.entries(OWNER)
    assert (entry.state, entry.why) == (State.UNAVAILABLE, sealed.why)
    found = secrets.resolve(OWNER, Demand((ref,), Purpose.REVEAL))
    assert found.unavailable == {ref: sealed.why}
    with pytest.raises(VaultLocked):
        secrets.rekey(OWNER)
    assert not (home / "vault.key").exists()
    assert secrets.health(OWNER).unavailable == 1
    (home / "elsewhere").rename(home / "vault.key")
    assert values(secrets) == {"Hunter1700x"}


@pytest.mark.promise("secrets.key-wrong")
def test_the_key_of_another_vault_opens_nothing_and_seals_nothing(
    store: Store, home: Path, secrets: Secrets, tmp_path: Path
) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    with Store.open(tmp_path / "second", SystemClock()) as other:
        ref_of(vault(other, tmp_path / "second"), OWNER, "Hunter1700x")
    own = (home / "vault.key").read_bytes()
    shutil.copy(tmp_path / "second" / "vault.key", home / "vault.key")
    assert secrets.seal(OWNER, said("Zebra4821y")).text == said(WITHHELD)
    assert [one.state for one in secrets.entries(OWNER)] == [State.UNAVAILABLE]
    assert ref in secrets.resolve(OWNER, Demand((ref,), Purpose.REVEAL)).unavailable
    (home / "vault.key").write_bytes(own)
    assert values(secrets) == {"Hunter1700x"}


@pytest.mark.promise("secrets.key-wrong")
@pytest.mark.parametrize("junk", [b"", b"hello\n", b"numen-vault-1 AAAA\n", b"\xff\xfe\x00"])
def test_a_key_file_that_holds_no_key_is_left_as_it_is(
    store: Store, home: Path, secrets: Secrets, junk: bytes
) -> None:
    ref_of(secrets, OWNER, "Hunter1700x")
    (home / "vault.key").write_bytes(junk)
    assert secrets.seal(OWNER, said("Zebra4821y")).text == said(WITHHELD)
    assert [one.state for one in secrets.entries(OWNER)] == [State.UNAVAILABLE]
    assert secrets.health(OWNER).why
    for lost in (False, True):
        with pytest.raises(Conflict):
            secrets.rekey(OWNER, lost_key=lost)
    assert (home / "vault.key").read_bytes() == junk


@pytest.mark.promise("secrets.damaged-row-stays")
@pytest.mark.parametrize("column", ["ciphertext", "nonce"])
def test_a_damaged_value_is_unavailable_and_stays_until_it_is_said_again(
    store: Store, home: Path, secrets: Secrets, column: str
) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    good = ref_of(secrets, OWNER, "Zebra4821y")
    with store.transaction() as connection:
        connection.execute(
            sa.text(f"UPDATE secrets SET {column} = :junk WHERE ref = :ref"), {"junk": b"junk", "ref": ref}
        )
    states = {one.ref: (one.state, one.why) for one in secrets.entries(OWNER)}
    assert states[ref] == (State.UNAVAILABLE, "The stored value is damaged.")
    assert states[good][0] is State.SEALED
    found = secrets.resolve(OWNER, Demand((ref, good), Purpose.REVEAL))
    assert (found.values, set(found.unavailable)) == ({good: "Zebra4821y"}, {ref})
    done = secrets.rekey(OWNER)
    assert (done.moved, done.left) == (1, (ref,))
    assert secrets.resolve(OWNER, Demand((good,), Purpose.REVEAL)).values == {good: "Zebra4821y"}
    assert len(secrets.entries(OWNER)) == 2
    assert (home / "vault.key").read_text().count("numen-vault-1") == 2


def test_a_damaged_value_is_mended_by_saying_it_again(store: Store, secrets: Secrets) -> None:
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    with store.transaction() as connection:
        connection.execute(sa.text("UPDATE secrets SET ciphertext = :junk"), {"junk": b"junk"})
    assert ref_of(secrets, OWNER, "Hunter1700x") == ref
    assert values(secrets) == {"Hunter1700x"}


@pytest.mark.promise("secrets.bound-to-its-row")
def test_a_value_that_was_moved_to_another_persons_row_does_not_open(store: Store, secrets: Secrets) -> None:
    mine, theirs = ref_of(secrets, OWNER, "Hunter1700x"), ref_of(secrets, guest(), "Zebra4821y")
    with store.transaction() as connection:
        connection.execute(
            sa.text(
                "UPDATE secrets SET nonce = (SELECT nonce FROM secrets WHERE ref = :theirs),"
                " ciphertext = (SELECT ciphertext FROM secrets WHERE ref = :theirs) WHERE ref = :mine"
            ),
            {"mine": mine, "theirs": theirs},
        )
    assert mine in secrets.resolve(OWNER, Demand((mine,), Purpose.REVEAL)).unavailable
    with store.transaction() as connection:
        connection.execute(sa.text("UPDATE secrets SET whose = 'owner' WHERE ref = :ref"), {"ref": theirs})
    assert theirs in secrets.resolve(OWNER, Demand((theirs,), Purpose.REVEAL)).unavailable


@pytest.mark.promise("secrets.rekey")
def test_a_new_key_takes_every_value_and_the_old_one_goes(store: Store, home: Path, secrets: Secrets) -> None:
    refs = {value: ref_of(secrets, OWNER, value) for value in ("Hunter1700x", "Zebra4821y")}
    theirs = ref_of(secrets, guest(), "Hunter1700x")
    forgotten = ref_of(secrets, OWNER, "Apple9931z")
    secrets.forget(OWNER, forgotten)
    before = (home / "vault.key").read_text()
    done = secrets.rekey(OWNER)
    after = (home / "vault.key").read_text()
    assert (done.moved, done.left) == (3, ())
    assert after.count("numen-vault-1") == 1
    assert before != after
    assert {value: ref_of(secrets, OWNER, value) for value in refs} == refs
    assert ref_of(secrets, guest(), "Hunter1700x") == theirs
    assert values(secrets) == {"Hunter1700x", "Zebra4821y"}
    (home / "vault.key").write_text(before)
    assert {one.state for one in secrets.entries(OWNER)} == {State.UNAVAILABLE, State.FORGOTTEN}
    assert [one.kind for one in Ledger(store, SystemClock()).tail(OWNER)].count(Kind.VAULT_REKEYED) == 1


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("secrets.rekey-half-way")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_rotation_that_is_killed_anywhere_loses_no_value_and_can_be_repeated(
    place: str | Path, home: Path, moment: str
) -> None:
    said_values = {f"Hunter170{n}x" for n in range(5)}
    with Store.open(place, SystemClock()) as store:
        secrets = vault(store, home)
        refs = {value: ref_of(secrets, OWNER, value) for value in said_values}
    killed = subprocess.run([sys.executable, "-c", REKEY, str(place), str(home), moment], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Store.open(place, SystemClock()) as store:
        secrets = vault(store, home)
        assert values(secrets) == said_values
        assert {value: ref_of(secrets, OWNER, value) for value in said_values} == refs
        fresh = ref_of(secrets, OWNER, "Apple9931z")
        assert secrets.rekey(OWNER).left == ()
        assert values(secrets) == said_values | {"Apple9931z"}
        assert ref_of(secrets, OWNER, "Apple9931z") == fresh
        assert (home / "vault.key").read_text().count("numen-vault-1") == 1
        assert Ledger(store, SystemClock()).verify(OWNER).ok


@pytest.mark.promise("secrets.lost-key")
def test_with_a_lost_key_new_values_are_sealed_and_old_ones_wait_for_it(
    store: Store, home: Path, secrets: Secrets
) -> None:
    old = ref_of(secrets, OWNER, "Hunter1700x")
    lost = (home / "vault.key").read_text()
    (home / "vault.key").unlink()
    done = secrets.rekey(OWNER, lost_key=True)
    assert (done.moved, done.left) == (0, (old,))
    new = ref_of(secrets, OWNER, "Hunter1700x")
    assert new != old
    states = {one.ref: one.state for one in secrets.entries(OWNER)}
    assert states == {old: State.UNAVAILABLE, new: State.SEALED}
    (home / "vault.key").write_text((home / "vault.key").read_text() + lost)
    assert {one.state for one in secrets.entries(OWNER)} == {State.SEALED}
    assert secrets.rekey(OWNER).moved == 2
    found = secrets.resolve(OWNER, Demand((old, new), Purpose.REVEAL))
    assert found.values == {old: "Hunter1700x", new: "Hunter1700x"}


def test_a_vault_that_was_never_needed_has_no_key_to_change(secrets: Secrets, home: Path) -> None:
    with pytest.raises(VaultLocked):
        secrets.rekey(OWNER)
    assert not (home / "vault.key").exists()
    assert secrets.health(OWNER).key_id is None


def test_only_the_owner_sees_or_changes_anything(secrets: Secrets) -> None:
    ref = ref_of(secrets, guest(), "Hunter1700x")
    for call in (
        lambda: secrets.entries(guest()),
        lambda: secrets.release(guest(), ref),
        lambda: secrets.forget(guest(), ref),
        lambda: secrets.rekey(guest()),
        lambda: secrets.health(guest()),
        lambda: secrets.release(OWNER, ref),
    ):
        with pytest.raises(Forbidden):
            call()
    assert secrets.forget(OWNER, ref).state is State.FORGOTTEN
    with pytest.raises(Forbidden):
        secrets.release(OWNER, ref)


@pytest.mark.promise("secrets.keyring")
def test_where_there_is_a_keyring_the_key_lies_there_and_nowhere_else(
    store: Store, home: Path, ring: Ring
) -> None:
    secrets = vault(store, home)
    ref = ref_of(secrets, OWNER, "Hunter1700x")
    assert not (home / "vault.key").exists()
    assert len(ring.kept) == 1
    assert secrets.health(OWNER).place == Place.KEYRING
    ring.locked = True
    assert secrets.seal(OWNER, said("Zebra4821y")).text == said(WITHHELD)
    assert [one.state for one in secrets.entries(OWNER)] == [State.UNAVAILABLE]
    ring.locked = False
    secrets.rekey(OWNER, place=Place.FILE)
    assert (home / "vault.key").exists()
    assert ring.kept == {}
    secrets.rekey(OWNER, place=Place.KEYRING)
    assert not (home / "vault.key").exists()
    assert secrets.resolve(OWNER, Demand((ref,), Purpose.REVEAL)).values == {ref: "Hunter1700x"}


@pytest.mark.promise("secrets.no-keyring")
def test_without_a_keyring_the_key_is_a_file_and_can_be_nowhere_else(secrets: Secrets, home: Path) -> None:
    ref_of(secrets, OWNER, "Hunter1700x")
    assert (home / "vault.key").exists()
    with pytest.raises(InvalidInput):
        secrets.rekey(OWNER, place=Place.KEYRING)
    assert values(secrets) == {"Hunter1700x"}


def test_a_backup_carries_ciphertext_only(store: Store, secrets: Secrets) -> None:
    ref_of(secrets, OWNER, "Hunter1700x")
    with store.reading() as connection:
        rows = connection.execute(sa.text("SELECT * FROM secrets")).all()
    assert "Hunter1700x" not in str(rows)
    assert REFERENCE.search(secrets.seal(OWNER, said("Hunter1700x")).text)


@pytest.mark.slow
@pytest.mark.timeout(90)
@pytest.mark.promise("secrets.rekey-while-sealing")
def test_a_value_sealed_while_another_process_changes_the_key_can_be_opened(
    place: str | Path, home: Path
) -> None:
    with Store.open(place, SystemClock()) as store:
        secrets = vault(store, home, SystemClock())
        ref_of(secrets, OWNER, "Hunter0000x")
        changing = subprocess.Popen([sys.executable, "-c", REKEYS, str(place), str(home)])
        count = 0
        while changing.poll() is None:
            count += 1
            assert not secrets.seal(OWNER, said(f"Hunter{count:04}x")).withheld
        assert changing.returncode == 0
        assert values(secrets) == {f"Hunter{number:04}x" for number in range(count + 1)}
        assert (home / "vault.key").read_text().count("numen-vault-1") == 1
