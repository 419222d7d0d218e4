"""What a task says outright is read out of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.graph.query import read_query
from numen.graph.terms import term_key, terms


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("http: close the body", "http"),
        ("fix(parser): close the body", "parser"),
        ("feat(css, html)!: inline styles", "css html"),
        ("net/http, io: close the body", "net http io"),
        ("fix: close the body", ""),
        ("Fix the parser: it eats tabs", ""),
        ("close the body", ""),
    ],
)
def test_the_area_before_a_colon_is_read(text: str, area: str) -> None:
    assert read_query(text).area == tuple(term_key(term) for term in terms(area))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("call `Session.send` twice", ("Session.send",)),
        ("call send() twice", ("send",)),
        ("Session.send and std::vec::Vec", ("Session.send", "std::vec::Vec")),
        ("quote 'rebuild_auth' and \"should_strip\"", ("rebuild_auth", "should_strip")),
        ("send it twice", ()),
    ],
)
def test_identifiers_that_are_pointed_at_are_read(text: str, names: tuple[str, ...]) -> None:
    assert set(names) <= set(read_query(text).names)
    assert "send" not in read_query("send it twice").names


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("see src/app.py", (("src/app.py", 0),)),
        ("see src/app.py:12 and ./lib/b.ts#L7", (("src/app.py", 12), ("lib/b.ts", 7))),
        ('File "src/app.py", line 12, in run', (("src/app.py", 12),)),
        ("at Object.<anonymous> (lib/index.js:3:9)", (("lib/index.js", 3),)),
        ("nothing here", ()),
    ],
)
def test_paths_and_lines_are_read(text: str, paths: tuple[tuple[str, int], ...]) -> None:
    assert read_query(text).paths == paths


@pytest.mark.parametrize(
    ("text", "of_tests", "of_documents"),
    [
        ("fix the flaky login test", True, False),
        ("add tests for the parser", True, False),
        ("tests/test_app.py fails on Windows", True, False),
        ("typo in the README", False, True),
        ("Close the body, and add a test for it", False, False),
        ("Close the body.\n\nAdd tests. Update the docs.", False, False),
        ("make the test client follow redirects", False, False),
    ],
)
def test_a_task_is_about_tests_or_documents_if_it_begins_so(
    text: str, of_tests: bool, of_documents: bool
) -> None:
    query = read_query(text)
    assert (query.of_tests, query.of_documents) == (of_tests, of_documents)


@given(st.text(alphabet="ab_XY09 \n`'\".:/#(){}-é検索\ud800\0", max_size=80))
def test_any_text_is_read_with_one_word_a_key(text: str) -> None:
    query = read_query(text)
    assert len(query.keys) == len(query.terms) == len(query.words) == len(set(query.keys))
    assert len(query.pairs) == len(set(query.pairs))
