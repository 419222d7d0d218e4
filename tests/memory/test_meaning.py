"""Meanings: found without a common word, made in the background, gone with their row."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import Unavailable
from numen.memory import Item, meaning, search_tables
from numen.memory.embedding import MiniLm
from numen.memory.finding import Meaning
from numen.memory.search import Search
from numen.memory.tending import TOPIC, Tending
from numen.store import ReadConnection, Store
from tests.memory.rows import OWNER, ask, ids, put, talk
from tests.memory.test_search import NEVER_SILENT

SAID = talk(
    "My daughter is allergic to peanuts.",
    "We painted the kitchen yellow.",
    "The train to Rome leaves at noon.",
    "He plays chess on Sundays.",
    session="m",
)


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm()


def texts(
    items: Sequence[Item],
) -> Callable[[ReadConnection, Sequence[str]], Mapping[str, str]]:
    words = {one.id: one.text for one in items}
    return lambda _, wanted: {one: words[one] for one in wanted if one in words}


def vectors(store: Store) -> list[int]:
    with store.reading() as connection:
        return [
            connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for table in (search_tables.wholes, search_tables.parts)
        ]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("recall.meaning")
def test_a_question_without_a_common_word_finds_what_it_means(store: Store, model: MiniLm) -> None:
    search = Search(store, lambda: model, NEVER_SILENT)
    put(store, search, SAID)
    assert search.embed_pending(texts(SAID), 3) == 3
    assert ask(store, search, "violin").degraded == ("meaning: 1 of 4 rows wait for it",)
    assert search.embed_pending(texts(SAID), 100) == 1
    assert search.embed_pending(texts(SAID), 100) == 0
    found = ask(store, search, "What can my kid not eat?")
    assert ids(found)[0] == "m-0"
    assert found.degraded == ()
    assert found.searched["embedded"] == 4
    for wordless in ("?!", "0", "…", "🎻", "\x01"):
        assert ask(store, search, wordless).searched["embedded"] == 4, "it is weighed by what it means alone"


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("recall.meaning", "recall.nothing-found-is-said")
def test_with_the_shipped_weights_what_is_meant_is_found_and_what_is_foreign_is_not(
    store: Store, model: MiniLm
) -> None:
    search = Search(store, lambda: model)
    put(store, search, SAID)
    search.embed_pending(texts(SAID), 100)
    assert ids(ask(store, search, "What can my kid not eat?"))[0] == "m-0"
    for foreign in ("How do I cook rice?", "Who discovered penicillin?"):
        found = ask(store, search, foreign)
        assert (found.rows, found.abstained) == ((), True)
        assert found.searched["items"] == 4


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("recall.forgotten-words")
def test_a_meaning_goes_with_its_row_also_when_that_goes_while_it_is_made(
    store: Store, model: MiniLm
) -> None:
    class Slow:
        model = MiniLm.model

        def encode(self, told: Sequence[str]) -> Sequence[Meaning]:
            with store.transaction() as connection:
                search.remove(OWNER, connection, ["m-1"])
            put(store, search, [talk("Something else.", session="n")[0]])
            return model.encode(told)

    search = Search(store, Slow)
    put(store, search, SAID[:2])
    assert search.embed_pending(texts(SAID), 2) == 2
    assert vectors(store) == [1, 1]
    assert ask(store, search, "peanuts").searched["embedded"] == 1
    with store.transaction() as connection:
        search.remove(OWNER, connection, ["m-0"])
    assert vectors(store) == [0, 0]
    assert ask(store, search, "peanuts").searched["embedded"] == 0


def test_a_model_file_that_is_missing_or_damaged_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read"):
        MiniLm(tmp_path / "model.onnx")
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(Unavailable, match="damaged"):
        MiniLm(tmp_path / "model.onnx")


@given(st.lists(st.lists(st.integers(-99, 99), min_size=64, max_size=64), min_size=1, max_size=4))
def test_a_packed_meaning_comes_back_within_the_width_of_its_steps(rows: list[list[int]]) -> None:
    given_rows = meaning.unit(np.array(rows, np.float32))
    back = meaning.unpacked(meaning.packed(given_rows))
    for before, after in zip(given_rows, back, strict=True):
        if np.linalg.norm(before) > 0.5:
            assert float(before @ after) > 0.99


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("recall.meaning")
def test_rows_get_their_meaning_in_the_background_and_the_thread_ends_when_told(
    store: Store, model: MiniLm
) -> None:
    search = Search(store, lambda: model, NEVER_SILENT)
    put(store, search, SAID[:2])
    done = threading.Event()

    def told(connection: ReadConnection, wanted: Sequence[str]) -> Mapping[str, str]:
        if not wanted:
            done.set()
        return texts(SAID)(connection, wanted)

    tending = Tending(store, search, told)
    assert done.wait(30)
    done.clear()
    with store.transaction() as connection:
        search.add(OWNER, connection, SAID[2:])
        store.touches(connection, [TOPIC])
    assert done.wait(30)
    tending.close()
    assert vectors(store) == [4, 4]


def test_the_model_is_not_loaded_where_nothing_waits(store: Store) -> None:
    def refused() -> MiniLm:
        raise Unavailable("loaded")

    search = Search(store, refused)
    assert search.embed_pending(texts([]), 1) == 0
    put(store, search, SAID)
    with pytest.raises(Unavailable, match="loaded"):
        search.embed_pending(texts(SAID), 1)


def test_odd_texts_have_a_meaning(model: MiniLm) -> None:
    for found in model.encode(["", "\0", "\ud800", "🎻", "x" * 10_000]):
        assert np.isfinite(found.whole).all()
        assert len(found.parts) == len(found.tokens)
