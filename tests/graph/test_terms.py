"""Words and identifiers become the same terms however they are written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from hashlib import blake2b
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.graph.terms import Bag, Lexicon, content_terms, keys_of, pair_key, pair_keys_of, term_key, terms

words = st.text(alphabet="abcXYZ019_ \n.-éßÄ検索ใดन्हпМ'", max_size=60)


@pytest.mark.promise("retrieval.one-word-many-spellings")
@pytest.mark.parametrize(
    "spelling", ["get_user_name", "getUserName", "GetUserName", "GET_USER_NAME", "get_userName"]
)
def test_an_identifier_is_found_however_it_is_spelled(spelling: str) -> None:
    assert set(terms(spelling)) == {"get", "user", "name", "getusername"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("utf8", ["utf", "8", "utf8"]),
        ("__init__", ["init"]),
        ("parsing parsed parses", ["pars", "pars", "pars"]),
        ("the file of this", ["file"]),
        ("ﬁle ＦＩＬＥ", ["file", "file"]),
        ("検索する", ["検索", "索す", "する"]),
        ("索", ["索"]),
        ("नमस्ते", ["नमस्ते"]),
        ("ÄnderungsDatum", ["änderung", "datum", "änderungsdatum"]),
        ("ПриветМир", ["привет", "мир", "приветмир"]),
        ("x = y", []),
        ("", []),
    ],
)
def test_terms_of_many_scripts_and_spellings(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_word_pairs_skip_filler_and_commit_verbs() -> None:
    assert content_terms("Fix the redirect of a stream") == ["redirect", "stream"]
    assert pair_keys_of("Fix the redirect of a stream").tolist() == [pair_key("redirect", "stream")]


def test_a_pair_has_an_order() -> None:
    assert pair_key("a", "b") != pair_key("b", "a")


def test_a_blob_of_letters_is_not_a_word() -> None:
    assert terms("A1b" * 200) == []


def test_keys_are_the_same_in_every_process() -> None:
    code = "from numen.graph.terms import keys_of; print(keys_of('Session.rebuild_auth').tolist())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert seen == {str(keys_of("Session.rebuild_auth").tolist())}


@given(words)
def test_case_folding_is_settled_terms_are_terms_again(text: str) -> None:
    assert terms(text) == terms(normalize("NFKC", text))
    assert all(term and not term.isspace() for term in terms(text))


@given(words)
def test_the_ascii_path_and_the_general_path_agree(text: str) -> None:
    """A non-ASCII word elsewhere in the text does not change how the other words are read."""
    assert (
        terms(f"{text} é")[:-1] == terms(text)
        if not text.isascii()
        else terms(f"{text}\né")[:-1] == terms(text)
    )


@given(st.lists(words, min_size=1, max_size=4))
def test_counting_many_texts_at_once_is_counting_each(texts: list[str]) -> None:
    lexicon = Lexicon()
    scans = [lexicon.scan(text) for text in texts]
    tokens = np.concatenate([scan.tokens for scan in scans])
    docs = np.repeat(np.arange(len(texts), dtype=np.int32), [len(scan.tokens) for scan in scans])
    assert rows(lexicon.bag(tokens, docs)) == counted([keys_of(text).tolist() for text in texts])
    assert rows(lexicon.pairs(tokens, docs)) == counted([pair_keys_of(text).tolist() for text in texts])
    tripled = lexicon.bag(tokens, docs, np.full(len(tokens), 3, np.int32))
    assert rows(tripled) == {row: 3 * count for row, count in rows(lexicon.bag(tokens, docs)).items()}


@given(st.lists(words, max_size=6))
def test_tokens_know_their_lines(lines: list[str]) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    lexicon = Lexicon()
    scan = lexicon.scan("\n".join(lines))
    bag = lexicon.bag(scan.tokens, scan.lines)
    expected = [[]] + [keys_of(line).tolist() for line in lines]
    assert rows(bag) == counted(expected)


def rows(bag: Bag) -> dict[tuple[int, int], int]:
    found = list(
        zip(zip(bag.docs.tolist(), bag.keys.tolist(), strict=True), bag.counts.tolist(), strict=True)
    )
    assert len(dict(found)) == len(found), "a row stands once"
    assert bag.docs.tolist() == sorted(bag.docs.tolist())
    return dict(found)


def counted(keys: list[list[int]]) -> dict[tuple[int, int], int]:
    return dict(Counter((doc, key) for doc, row in enumerate(keys) for key in row))


def test_a_term_has_one_key() -> None:
    assert term_key("session") == int.from_bytes(bytes.fromhex(digest_of("session")), "little")


def digest_of(term: str) -> str:

    return blake2b(term.encode(), digest_size=8).hexdigest()
