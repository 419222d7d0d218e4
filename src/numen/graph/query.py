"""A task or question, read once: its terms, its word pairs, and what it names literally."""

from __future__ import annotations

import re
from dataclasses import dataclass

from numen.graph.terms import pair_keys_of, term_key, terms

_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([\w$.:#/-]{2,200})\"|'([\w$.:#/-]{2,200})'")
_PATH = re.compile(r"[\w@.+-]*(?:/[\w@.+-]+)+|\b[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_LINE = re.compile(r"(?::|\", line |#L)(\d{1,7})")
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)+|[^\W\d][\w$]*(?=\(\))")
_WHOLE = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*(?:\(\))?")

_TESTS = frozenset(
    terms("test tests testing tested unittest pytest spec specs fixture fixtures coverage mock mocks")
)
_DOCUMENTS = frozenset(terms("documentation docs doc readme changelog manual tutorial typo guide markdown"))


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, in the form in which the index can be asked.

    `keys` (of `terms`, which the text spells as `words`) and `pairs` are distinct and in order of
    appearance. `names` are identifiers that the text points at (in backticks, dotted, or called), `paths`
    are (path, line or 0). `of_tests` and `of_documents` say that the task speaks of tests or of documents.
    """

    text: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    keys: tuple[int, ...]
    pairs: tuple[int, ...]
    names: tuple[str, ...]
    paths: tuple[tuple[str, int], ...]
    of_tests: bool
    of_documents: bool


def read_query(text: str) -> Query:
    """Read `text`. Any text is a query; one without a telling word has no keys and finds nothing."""
    found = tuple(dict.fromkeys(terms(text)))
    quoted = ["".join(parts) for parts in _QUOTED.findall(text)]
    names = [part.removesuffix("()") for part in quoted if _WHOLE.fullmatch(part)]
    names += _NAME.findall(text)
    stems = set(found)
    return Query(
        text=text,
        terms=found,
        words=_spelled(text, found),
        keys=tuple(term_key(term) for term in found),
        pairs=tuple(dict.fromkeys(pair_keys_of(text).tolist())),
        names=tuple(dict.fromkeys(names)),
        paths=tuple(dict.fromkeys(_paths(text))),
        of_tests=bool(stems & _TESTS),
        of_documents=bool(stems & _DOCUMENTS),
    )


def _paths(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for match in _PATH.finditer(text):
        line = _LINE.match(text, match.end())
        found.append((match.group().removeprefix("./"), int(line.group(1)) if line else 0))
    return found


def _spelled(text: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """For each term the word of the text that it came from, where that word is one term; else the term."""
    spelled: dict[str, str] = {}
    for word in re.findall(r"\w+", text):
        made = terms(word)
        if len(made) == 1:
            spelled.setdefault(made[0], word.casefold())
    return tuple(spelled.get(term, term) for term in found)
