"""A task or question, read once: its terms, its word pairs, and what it names literally."""

from __future__ import annotations

import re
from dataclasses import dataclass

from numen.graph.terms import pair_keys_of, spellings, term_key, terms

_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([\w$.:#/-]{2,200})\"|'([\w$.:#/-]{2,200})'")
_PATH = re.compile(r"[\w@.+-]*(?:/[\w@.+-]+)+|\b[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_LINE = re.compile(r"(?::|\", line |#L)(\d{1,7})")
_NAME = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)+|[^\W\d][\w$]*(?=\(\))")
_WHOLE = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#)[^\W\d][\w$]*)*(?:\(\))?")

_SENTENCE = re.compile(r"\n|[.;!?]\s|\s[*-]\s|,\s(?:and\s)?")
_AREA = re.compile(r"\s*(?:\w+\(([^()\n]{2,40})\)!?|([\w/.*-]{2,40}(?:, ?[\w/.*-]{2,40}){0,3})):\s")
_KINDS = frozenset(
    "feat feature fix bug bugfix perf refactor chore docs test build ci style add note todo wip".split()
)
_OF_TESTS = re.compile(
    r"\b(?:add|write|extend|fix|failing|flaky|broken|skip\w*|missing|unit|regression|integration|slow)\s+"
    r"(?:\w+\s+){0,2}tests?\b|\btests?\s+(?:for|of|fail\w*|suite|coverage|fixtures?)\b|\btests?[/_]\w|_test\b"
    r"|\b\w+\.(?:test|spec)\.\w+|\b(?:pytest|unittest|conftest|testcases?)\b",
    re.IGNORECASE,
)
_OF_DOCUMENTS = re.compile(
    r"\b(?:docs?|documentation|readme|changelog|tutorial|manual|typos?)\b|\.(?:md|rst)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, in the form in which the index can be asked.

    `keys` (of `terms`, which the text spells as `words`) and `pairs` are distinct and in order of
    appearance. `names` are identifiers that the text points at (in backticks, dotted, or called), `paths`
    are (path, line or 0). `area` are the keys of the place that a task names before a colon, as subjects of
    commits do (`http: ..`, `fix(parser): ..`). `of_tests` and `of_documents` say that the task speaks of
    tests or of documents.
    """

    text: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    keys: tuple[int, ...]
    pairs: tuple[int, ...]
    names: tuple[str, ...]
    paths: tuple[tuple[str, int], ...]
    area: tuple[int, ...]
    of_tests: bool
    of_documents: bool


def read_query(text: str) -> Query:
    """Read `text`. Any text is a query; one without a telling word has no keys and finds nothing."""
    found, spelled = tuple(dict.fromkeys(terms(text))), spellings(text)
    first = _SENTENCE.split(text.strip(), maxsplit=1)[0]  # what else is said of tests is said by the way
    quoted = ["".join(parts) for parts in _QUOTED.findall(text)]
    names = [part.removesuffix("()") for part in quoted if _WHOLE.fullmatch(part)]
    names += _NAME.findall(text)
    return Query(
        text=text,
        terms=found,
        words=tuple(spelled[term] for term in found),
        keys=tuple(term_key(term) for term in found),
        pairs=tuple(dict.fromkeys(pair_keys_of(text).tolist())),
        names=tuple(dict.fromkeys(names)),
        paths=tuple(dict.fromkeys(_paths(text))),
        area=tuple(dict.fromkeys(term_key(term) for term in terms(_area(text)))),
        of_tests=bool(_OF_TESTS.search(first)),
        of_documents=bool(_OF_DOCUMENTS.search(first)),
    )


def _area(text: str) -> str:
    found = _AREA.match(text)
    area = (found.group(1) or found.group(2) or "") if found else ""
    return "" if area.casefold() in _KINDS else area


def _paths(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for match in _PATH.finditer(text):
        line = _LINE.match(text, match.end())
        found.append((match.group().removeprefix("./"), int(line.group(1)) if line else 0))
    return found
