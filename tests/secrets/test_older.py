"""Words that were kept before they were sealed are gone through once, and cut off they go on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from numen.kernel import Forbidden, Scope
from numen.secrets import OlderWords, Secrets, VaultLocked
from numen.secrets.rules import REFERENCE
from numen.store import ReadConnection, Store, WriteConnection
from tests.secrets.vaults import OWNER, guest, ref_of, said, vault


class Notes:
    """A table of words by number."""

    name = "notes"

    def __init__(self, store: Store, count: int) -> None:
        self.breaks_at: str | None = None
        with store.transaction() as connection:
            connection.execute(sa.text("CREATE TABLE notes (id TEXT PRIMARY KEY, whose TEXT, words TEXT)"))
            rows = [
                {
                    "id": f"{number:05}",
                    "whose": "owner" if number % 2 else "handle:telegram:222",
                    "words": f"see you at {number}" if number % 9 else said(f"Hunter{number:04}x"),
                }
                for number in range(count)
            ]
            connection.execute(sa.text("INSERT INTO notes VALUES (:id, :whose, :words)"), rows)

    def older(self, connection: ReadConnection, after: str, limit: int) -> Sequence[OlderWords]:
        query = sa.text("SELECT * FROM notes WHERE id > :after ORDER BY id LIMIT :limit")
        rows = connection.execute(query, {"after": after, "limit": limit}).all()
        return [OlderWords(*row) for row in rows]

    def replace(self, scope: Scope, connection: WriteConnection, words: OlderWords, sealed: str) -> None:
        if words.id == self.breaks_at:
            raise KeyboardInterrupt
        query = sa.text("UPDATE notes SET words = :sealed WHERE id = :id AND words = :words")
        connection.execute(query, {"sealed": sealed, "id": words.id, "words": words.text})

    def all(self, store: Store) -> list[str]:
        with store.reading() as connection:
            return list(connection.scalars(sa.text("SELECT words FROM notes ORDER BY id")))


@pytest.fixture
def secrets(store: Store, tmp_path: Path) -> Secrets:
    return vault(store, tmp_path / "home")


@pytest.mark.promise("secrets.older-words")
def test_older_words_are_sealed_once_as_whose_they_are(store: Store, secrets: Secrets) -> None:
    notes = Notes(store, 450)
    done = secrets.seal_older(OWNER, notes)
    assert (done.seen, done.sealed) == (450, 50)
    kept = notes.all(store)
    assert sum(REFERENCE.search(words) is not None for words in kept) == 50
    assert not any("Hunter" in words for words in kept)
    assert kept[1] == "see you at 1"
    assert ref_of(secrets, OWNER, "Hunter0009x") in kept[9]
    assert ref_of(secrets, guest(), "Hunter0000x") in kept[0]
    assert secrets.seal_older(OWNER, notes).seen == 0
    again = secrets.seal_older(OWNER, notes, again=True)
    assert (again.seen, again.sealed) == (450, 0)
    assert notes.all(store) == kept
    assert all(one.uses == 0 for one in secrets.entries(OWNER))
    with pytest.raises(Forbidden):
        secrets.seal_older(guest(), notes)


@pytest.mark.promise("secrets.older-words-cut-off")
def test_going_through_older_words_goes_on_where_it_was_cut_off(store: Store, secrets: Secrets) -> None:
    notes = Notes(store, 450)
    notes.breaks_at = "00306"
    with pytest.raises(KeyboardInterrupt):
        secrets.seal_older(OWNER, notes)
    half = notes.all(store)
    assert sum("Hunter" in words for words in half) == 27
    assert len(secrets.entries(OWNER)) == 23
    notes.breaks_at = None
    done = secrets.seal_older(OWNER, notes)
    assert (done.seen, done.sealed) == (250, 27)
    assert not any("Hunter" in words for words in notes.all(store))


@pytest.mark.promise("secrets.older-words-cut-off")
def test_without_a_key_older_words_stay_as_they_are(store: Store, secrets: Secrets, tmp_path: Path) -> None:
    notes = Notes(store, 10)
    ref_of(secrets, OWNER, "Zebra4821y")
    (tmp_path / "home" / "vault.key").rename(tmp_path / "kept")
    before = notes.all(store)
    with pytest.raises(VaultLocked):
        secrets.seal_older(OWNER, notes)
    assert notes.all(store) == before
    (tmp_path / "kept").rename(tmp_path / "home" / "vault.key")
    assert secrets.seal_older(OWNER, notes).sealed == 2
