"""Finding: the row that was meant, for whom it is, and never a word of one that is gone."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.kernel import Audience, SystemClock, Unavailable
from numen.memory import Item, Sort
from numen.memory.finding import Encoder
from numen.memory.fit import Weights, recall_fit
from numen.memory.search import Search, Sight
from numen.store import Store
from tests.database import Server
from tests.memory.rows import NOW, OWNER, ask, guest, ids, item, put, talk


def outspoken(weights: Weights) -> Weights:
    """The same weights, never silent."""
    return replace(weights, named=replace(weights.named, floor=0.0), plain=replace(weights.plain, floor=0.0))


NEVER_SILENT = replace(
    recall_fit(), words=outspoken(recall_fit().words), meaning=outspoken(recall_fit().meaning)
)
"""The shipped weights, without silence: a store of a few rows is not what the floor was fitted on."""

PLAIN = talk(
    "I took the dog to the park.",
    "The weather was fine.",
    "My sister is learning the violin.",
    "We had soup for lunch.",
    "The car needs new tyres.",
    session="plain",
)


@pytest.fixture
def search(store: Store) -> Search:
    return Search(store, fit=NEVER_SILENT)


@pytest.mark.promise("recall.one-word-many-forms")
@pytest.mark.parametrize(
    ("kept", "question"),
    [
        ("I have two dentist appointments.", "appointment dentists"),
        ("Ich wohne in der Lindenstraße.", "Lindenstrasse"),
        ("Wir haben gestern die Bücher bestellt.", "Wann wurde das Buch bestellt?"),
        ("We met at the café.", "cafe"),
        ("ＦＵＬＬ width Ｋarpfen", "karpfen"),
        ("私は東京に住んでいます", "東京"),
        ("Rename get_user_name first.", "getUserName"),
        ("Rename getUserName first.", "get_user_name"),
        ("Caroline's violin is broken.", "violins"),
        ("Мы купили новую машину", "машины"),
        ("Mañana compramos los billetes", "billete"),
    ],
)
def test_a_row_is_found_whichever_form_its_words_have(
    store: Store, search: Search, kept: str, question: str
) -> None:
    put(store, search, [*PLAIN, item("kept", kept, session="other")])
    assert ids(ask(store, search, question))[0] == "kept"


@pytest.mark.promise("recall.neighbours")
def test_a_row_is_found_by_what_was_said_around_it(store: Store, search: Search) -> None:
    put(store, search, PLAIN)
    put(store, search, talk("How is the garden?", "Good. Tulips mostly.", "Nice weather too.", session="b"))
    assert ids(ask(store, search, "garden"))[:2] in (["b-0", "b-1"], ["b-1", "b-0"])


def test_what_was_said_in_another_session_or_room_is_not_around(store: Store, search: Search) -> None:
    put(store, search, talk("Tulips in the garden.", session="one"))
    put(store, search, talk("Nice weather.", session="two", start=1))
    put(store, search, [replace(talk("Indeed.", session="one", start=1)[0], id="elsewhere", room="other")])
    assert ids(ask(store, search, "garden")) == ["one-0"]


@pytest.mark.promise("recall.scope")
def test_a_guest_finds_their_own_and_everyones_rows_only(store: Store, search: Search) -> None:
    put(store, search, [
        item("owners", "The violin code is 4711.", position=0),
        item("mine", "My violin is red.", contact="contact_guest", position=1),
        item("others", "My violin is blue.", contact="contact_other", position=2),
        item("all", "The violin shop opens at nine.", audience=Audience.EVERYONE, position=3),
    ])  # fmt: skip
    assert set(ids(ask(store, search, "violin"))) == {"owners", "mine", "others", "all"}
    assert set(ids(ask(store, search, "violin", guest("contact_guest")))) == {"mine", "all"}
    assert ask(store, search, "violin", guest("contact_guest")).searched["items"] == 2
    assert set(ids(ask(store, search, "violin", guest("stranger")))) == {"all"}


words = st.sampled_from("violin garden dentist soup peanuts code 4711 Anna blue park tulip".split())
lines = st.lists(
    st.tuples(st.sampled_from(["owner", "contact_a", "contact_b"]), st.lists(words, max_size=5)),
    min_size=1,
    max_size=8,
)


@pytest.mark.timeout(60)
@pytest.mark.slow
@pytest.mark.promise("recall.scope")
@given(said=lines, question=st.lists(words, min_size=1, max_size=3))
@settings(max_examples=40)
def test_what_a_guest_gets_does_not_depend_on_rows_that_are_not_theirs(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, list[str]]], question: list[str]
) -> None:
    made = [
        item(f"row-{place}", " ".join(text), contact=whose, position=place)
        for place, (whose, text) in enumerate(said)
    ]
    answers = []
    for kept in (made, [one for one in made if one.contact == "contact_a"]):
        with Store.open(tmp_path_factory.mktemp("home"), SystemClock()) as store:
            search = Search(store, fit=NEVER_SILENT)
            put(store, search, kept)
            answers.append(ask(store, search, " ".join(question), guest("contact_a")))
    assert answers[0] == answers[1]


@pytest.mark.promise("recall.forgotten-words")
def test_a_row_that_was_removed_is_found_by_no_word_and_leaves_none_with_its_neighbours(
    store: Store, search: Search
) -> None:
    put(store, search, talk("How are you?", "The canarybird sings.", "Good to hear.", session="c"))
    assert ids(ask(store, search, "canarybird"))
    with store.transaction() as connection:
        assert search.remove(OWNER, connection, ["c-1", "c-9"]) == 1
        assert search.remove(OWNER, connection, ["c-1"]) == 0
    found = ask(store, search, "canarybird")
    assert (found.rows, found.abstained, found.searched["items"]) == ((), True, 2)


@pytest.mark.promise("recall.forgotten-words")
def test_the_words_of_a_removed_row_are_no_longer_in_any_file(tmp_path: Path) -> None:
    with Store.open(tmp_path, SystemClock()) as store:
        search = Search(store)
        for one in talk(*(f"zyxquatch number {n}" if n == 7 else f"line {n}" for n in range(20))):
            put(store, search, [one])
        assert _in_files(tmp_path, b"zyxquatch")
        with store.transaction() as connection:
            search.remove(OWNER, connection, ["s-7"])
        store.scrub()
        assert not _in_files(tmp_path, b"zyxquatch")


def _in_files(folder: Path, word: bytes) -> bool:
    return any(word in path.read_bytes() for path in folder.iterdir() if path.is_file())


def test_a_search_without_its_model_keeps_nothing_of_what_it_saw(store: Store) -> None:
    def missing() -> Encoder:
        raise Unavailable("The extra `semantic` is not installed.")

    without = Search(store, missing, NEVER_SILENT)
    put(store, without, PLAIN)
    for _ in range(3):
        assert ask(store, without, "the dog").degraded == ("meaning: The extra `semantic` is not installed.",)
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, Sight)]


def test_a_row_put_in_again_replaces_what_it_was(store: Store, search: Search) -> None:
    put(store, search, [item("a", "violin"), item("b", "dentist", position=1)])
    put(store, search, [item("a", "trumpet")])
    assert ids(ask(store, search, "violin")) == []
    assert ids(ask(store, search, "trumpet"))[0] == "a"
    assert ask(store, search, "trumpet").searched["items"] == 2


@pytest.mark.promise("recall.who-and-when")
def test_of_two_who_said_the_same_the_one_asked_about_comes_first(store: Store, search: Search) -> None:
    put(store, search, talk("Ann: My favourite dish is soup.", session="one"))
    put(store, search, talk("Ben: My favourite dish is soup.", session="two"))
    assert ids(ask(store, search, "What is Ann's favourite dish?"))[0] == "one-0"
    assert ids(ask(store, search, "What is Ben's favourite dish?"))[0] == "two-0"


@pytest.mark.promise("recall.who-and-when")
def test_of_two_days_the_one_asked_about_comes_first(store: Store, search: Search) -> None:
    put(store, search, [
        item("may", "We went to the lake.", session="one", at="2023-05-08T10:00:00Z"),
        item("june", "We went to the lake.", session="two", at="2023-06-09T10:00:00Z"),
        item("past", "We went to the lake.", session="three", at="2024-01-31T10:00:00Z"),
    ])  # fmt: skip
    assert ids(ask(store, search, "the lake in May 2023"))[0] == "may"
    assert ids(ask(store, search, "the lake on 9 June 2023"))[0] == "june"
    assert ids(ask(store, search, "Who went to the lake last summer?"))[0] == "june"
    assert ids(ask(store, search, "Who went to the lake yesterday?"))[0] == "past"


def test_a_search_can_be_narrowed(store: Store, search: Search) -> None:
    put(store, search, [
        item("turn", "violin", room="x"),
        item("other", "violin", room="y"),
        replace(item("claim", "violin", kind=Sort.CLAIM, session=None), tier="project", brain="b"),
    ])  # fmt: skip
    assert ids(ask(store, search, "violin", kinds=[Sort.CLAIM])) == ["claim"]
    assert ids(ask(store, search, "violin", room="y")) == ["other"]
    assert ids(ask(store, search, "violin", tier="project", brain="b")) == ["claim"]
    assert ids(ask(store, search, "violin", tier="medulla")) == []


@pytest.mark.parametrize(
    "text",
    ["", "\0", "\ud800 violin", "🎻" * 50, "שלום עולם violin", "a" * 5000, "?", "\u202eviolin", "[photo: x]"],
)
def test_odd_text_is_taken_and_asked_as_it_is(store: Store, search: Search, text: str) -> None:
    put(store, search, [item("odd", text, speaker=text)])
    assert ask(store, search, text, at=NOW).searched["items"] == 1


@pytest.mark.promise("recall.nothing-found-is-said")
def test_an_empty_store_and_a_question_without_words_give_nothing_and_say_so(
    store: Store, search: Search
) -> None:
    assert ask(store, search, "violin").abstained
    put(store, search, PLAIN)
    assert ask(store, search, "the of and").abstained


@pytest.mark.promise("recall.same-on-both-stores")
@pytest.mark.postgres
def test_both_databases_give_the_same_rows_with_the_same_scores(postgres: Server, tmp_path: Path) -> None:
    made: list[Item] = []
    for session in range(12):
        text = [
            f"{a} {b} and the {a}"
            for a, b in zip("violin dentist garden soup".split(), "blue park red tulip".split(), strict=True)
        ]
        made += talk(
            *(f"Ann: {line} {session}" if n % 2 else f"Ben: {line}?" for n, line in enumerate(text)),
            session=f"s{session}",
        )
    with (
        postgres.database() as url,
        Store.open(url, SystemClock()) as there,
        Store.open(tmp_path, SystemClock()) as here,
    ):
        for store in (there, here):
            put(store, Search(store), made)
        for question in ("When did Ann see the violin?", "blue dentists 7", "soup in May 2023", "tulips"):
            answers = [ask(store, Search(store, fit=NEVER_SILENT), question) for store in (there, here)]
            assert answers[0] == answers[1]
            assert answers[0].rows


class Broken:
    """A model that is not there."""

    tried = 0

    def __call__(self) -> Encoder:
        self.tried += 1
        raise Unavailable("The model file is damaged.")


@pytest.mark.promise("recall.degraded-is-said")
def test_without_a_model_words_are_searched_and_the_answer_says_so(store: Store) -> None:
    put(store, Search(store), PLAIN)
    assert ask(store, Search(store, fit=NEVER_SILENT), "violin").degraded == ("meaning: not installed",)
    broken = Broken()
    search = Search(store, broken, NEVER_SILENT)
    for _ in range(2):
        found = ask(store, search, "violin")
        assert found.degraded == ("meaning: The model file is damaged.",)
        assert ids(found)[0] == "plain-2"
    assert broken.tried == 1
    with pytest.raises(Unavailable):
        search.embed_pending(lambda *_: {}, 1)
