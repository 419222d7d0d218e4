"""Words of text and code as terms, and terms as 64-bit keys.

A term is what search compares: a stemmed word, an identifier's unsplit form, or two neighbouring
characters of a script that writes no spaces. There is no lexicon on disk: a term is its key, so two
processes that never met agree on it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, chain
from typing import Generic, NamedTuple, TypeVar
from unicodedata import normalize

import numpy as np
import Stemmer
from numpy.typing import NDArray

from numen.graph.columns import mixed

Keys = NDArray[np.uint64]
Ints = NDArray[np.int32]
Scalar = TypeVar("Scalar", np.uint64, np.int64, np.int32)

LONGEST_TOKEN = 256
"""A longer run of letters is data (base64, a packed table), not a word, and is passed over."""

# Marks that belong to the letter before them, and scripts whose vowel signs Python's `\w` leaves out.
_JOINED = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u0900-\u0963\u0966-\u0dff\u0e00-\u0e4e\u0e50-\u0eff\u0f18-\u0f39\u0f71-\u0fbc\u1000-\u1049"
    "\u1050-\u109f\u1780-\u17d3\u17dd-\u17ff"
)
_TOKEN = re.compile(rf"[\w{_JOINED}]+")
_TOKEN_OR_LINE = re.compile(rf"[\w{_JOINED}]+|\n")
_ASCII_GAPS = bytes(i if chr(i).isalnum() or chr(i) in "_\n" else 32 for i in range(256))
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Scripts that put no space between words: kana, Han, Hangul, Thai, Lao, Khmer, Myanmar.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)

_FILLER = """
a an the this that these those it its itself they them their we us our you your he she his her i me my
is are was were be been being am do does did done doing has have had having can could will would shall
should may might must and or but nor if else then than so as at by for from in into of off on onto out
over to up upon with without within about above after again against all also any because before below
between both down during each few further here there how just more most no not now only other own same
some such too under until very what when where which while who whom why via per etc ie eg
don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven hadn ain ll ve re
"""
FILLER = frozenset(_FILLER.split())
"""Words of English that say nothing about where a thing is."""

_VERBS = """
add adds added adding fix fixes fixed fixing bug bugfix remove removes removed removing update updates
updated updating change changes changed changing use uses used using make makes made making allow allows
allowed allowing improve improves improved improving support supports supported supporting ensure ensures
avoid avoids prevent prevents handle handles handled handling implement implements implemented feat chore
refactor docs doc perf ci merge merges merged revert reverts reverted bump minor small
better correct corrects corrected correctly issue issues pr closes close resolves resolve
"""
COMMIT_VERBS = frozenset(_VERBS.split())
"""Words with which a change is announced, whatever it changes. They are left out of word pairs."""

_STEMMER = Stemmer.Stemmer("english", 0)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
_STEMMING = threading.Lock()


def terms(text: str) -> list[str]:
    """The terms of `text` in order: stemmed parts of each word, and the whole identifier when it has parts.

    The text is folded by NFKC and case, so `ﬁle`, `FILE` and `File` are one term, and so are `get_user`
    and `getUser`. Filler words are left out. Stems are Snowball's English (PyStemmer).
    """
    return [term for token in _TOKEN.findall(_composed(text)) for term in _word(token).terms]


def spellings(text: str) -> dict[str, str]:
    """For each term of `text` what it was first made of: `queri` of `query`, `getuser` of `get_user`."""
    spelled: dict[str, str] = {}
    for token in _TOKEN.findall(_composed(text)):
        for part in _parts(token):
            spelled.setdefault(_stem(part), part)
        for term in _word(token).terms:
            spelled.setdefault(term, token)
    return spelled


def content_terms(text: str) -> list[str]:
    """The stemmed parts of `text` in order, less filler and commit verbs: word pairs are made of them."""
    return [term for token in _TOKEN.findall(_composed(text)) for term in _word(token).content]


@lru_cache(maxsize=1 << 16)
def term_key(term: str) -> int:
    """The stable 64-bit key of `term`: the first eight bytes of its BLAKE2b digest, little-endian."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def pair_key(first: str, second: str) -> int:
    """The key of two terms that stand side by side, in this order."""
    keys = np.array([term_key(first), term_key(second)], dtype=np.uint64)
    return int(mixed(keys[:1], keys[1:])[0])


def keys_of(text: str) -> Keys:
    """The keys of `terms(text)`, in order."""
    return np.array([term_key(term) for term in terms(text)], dtype=np.uint64)


def pair_keys_of(text: str) -> Keys:
    """The keys of the adjacent pairs of `content_terms(text)`, in order."""
    keys = np.array([term_key(term) for term in content_terms(text)], dtype=np.uint64)
    return mixed(keys[:-1], keys[1:])


@dataclass(frozen=True, slots=True)
class Scan:
    """A text as token numbers of one `Lexicon`; `lines` holds the 1-based line of each token."""

    tokens: Ints
    lines: Ints


@dataclass(frozen=True, slots=True)
class Bag:
    """Counted keys of documents, sorted by document: `docs[i]` holds `keys[i]` `counts[i]` times."""

    docs: Ints
    keys: Keys
    counts: Ints


class Lexicon:
    """Turns many texts into counted keys quickly: each distinct token is split, stemmed and hashed once.

    It belongs to one thread of one process and is never stored; token numbers mean nothing outside it.
    """

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self._terms = _Rows()
        self._content = _Rows()
        self._vocabulary: dict[str, int] = {}
        self._keys = _Column(np.uint64)
        self._parts = _Memo(self._part)

    def __len__(self) -> int:
        """How many distinct tokens it knows."""
        return len(self._numbers)

    def scan(self, text: str) -> Scan:
        """The tokens of `text` with their lines. Lines end at a line feed, as in `git` and editors."""
        numbers = self._numbers
        found = _tokens_and_lines(text)
        raw = np.fromiter(map(numbers.__getitem__, found), dtype=np.int32, count=len(found))
        self._learn()
        breaks = raw == 0
        lines = np.cumsum(breaks, dtype=np.int32) + np.int32(1)
        return Scan(raw[~breaks], lines[~breaks])

    def bag(self, tokens: Ints, docs: Ints, weights: Ints | None = None) -> Bag:
        """Count the terms of `tokens`; token i is of document `docs[i]` and counts `weights[i]` times."""
        owners, numbers = self._terms.expand(tokens)
        counted = None if weights is None else weights[owners]
        return _counted(docs[owners], numbers, self._keys.view(), counted)

    def pairs(self, tokens: Ints, docs: Ints) -> Bag:
        """Count the adjacent pairs of content terms inside each document."""
        owners, numbers = self._content.expand(tokens)
        keys = self._keys.view()[numbers]
        inside = docs[owners]
        same = inside[:-1] == inside[1:]
        paired = mixed(keys[:-1], keys[1:])[same]
        inside = inside[:-1][same]
        if len(inside) == 0 or np.all(inside == inside[0]):
            distinct, counts = np.unique(paired, return_counts=True)
            return Bag(np.full(len(distinct), inside[:1].sum(), np.int32), distinct, counts.astype(np.int32))
        distinct, which = np.unique(paired, return_inverse=True)
        return _counted(inside, which.astype(np.int32), distinct, None)

    def _learn(self) -> None:
        terms: list[list[int]] = []
        content: list[list[int]] = []
        for token in self._numbers.take():
            if token.isascii() and len(token) <= LONGEST_TOKEN:  # the same as `_analysed`, part by part
                found = [self._parts[part] for part in _ASCII_PART.findall(token)]
                row = [term for term, _ in found if term >= 0]
                if len(found) > 1:
                    row.append(self._number(token.replace("_", "").lower()))
                terms.append(row)
                content.append([term for _, term in found if term >= 0])
            else:
                word = _analysed(token)
                terms.append([self._number(term) for term in word.terms])
                content.append([self._number(term) for term in word.content])
        self._terms.extend(terms)
        self._content.extend(content)

    def _part(self, part: str) -> tuple[int, int]:
        """The numbers of an ASCII part as a term and as a content term, -1 where it is none."""
        part = part.lower()
        if part in FILLER or not _telling(part):
            return -1, -1
        number = self._number(_stem(part))
        return number, -1 if part in COMMIT_VERBS else number

    def _number(self, term: str) -> int:
        number = self._vocabulary.get(term)
        if number is None:
            number = self._vocabulary[term] = len(self._vocabulary)
            self._keys.extend([term_key(term)])
        return number


class _Memo(dict[str, tuple[int, int]]):
    """What a function gives for each string it was asked for."""

    def __init__(self, function: Callable[[str], tuple[int, int]]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: str) -> tuple[int, int]:
        value = self[key] = self._function(key)
        return value


class _Numbers(dict[str, int]):
    """Token -> number, given out in order of appearance; 0 is the line break."""

    def __init__(self) -> None:
        super().__init__({"\n": 0, "\0": 0})
        self._unseen: list[str] = ["\n"]

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self) - 1
        self._unseen.append(token)
        return number

    def take(self) -> list[str]:
        """The tokens met since the last call, in order of their numbers."""
        taken, self._unseen = self._unseen, []
        return taken


class _Column(Generic[Scalar]):
    """A numpy array that grows by doubling."""

    def __init__(self, dtype: type[Scalar]) -> None:
        self._values: NDArray[Scalar] = np.zeros(1024, dtype=dtype)
        self._pending: list[int] = []
        self._size = 0

    def extend(self, values: list[int]) -> None:
        self._pending.extend(values)

    def view(self) -> NDArray[Scalar]:
        if self._pending:
            size = self._size + len(self._pending)
            if size > len(self._values):
                grown = np.zeros(max(size, 2 * len(self._values)), dtype=self._values.dtype)
                grown[: self._size] = self._values[: self._size]
                self._values = grown
            self._values[self._size : size] = np.array(self._pending, dtype=self._values.dtype)
            self._size, self._pending = size, []
        return self._values[: self._size]


class _Rows:
    """Short lists of numbers, one a token, end to end in one array."""

    def __init__(self) -> None:
        self._ends = _Column(np.int64)
        self._values = _Column(np.int32)
        self._end = 0

    def extend(self, rows: list[list[int]]) -> None:
        ends = list(accumulate(map(len, rows), initial=self._end))
        self._end = ends[-1]
        self._ends.extend(ends[1:])
        self._values.extend(list(chain.from_iterable(rows)))

    def expand(self, tokens: Ints) -> tuple[NDArray[np.int64], Ints]:
        """For each value of each token's row: the position of the token in `tokens`, and the value."""
        ends, values = self._ends.view(), self._values.view()
        stops = ends[tokens]
        starts = np.where(tokens > 0, ends[tokens - 1], 0)
        sizes = stops - starts
        owners = np.repeat(np.arange(len(tokens), dtype=np.int64), sizes)
        within = np.arange(len(owners), dtype=np.int64) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owners, values[starts[owners] + within]


def _counted(docs: Ints, numbers: Ints, keys: Keys, weights: Ints | None) -> Bag:
    """Count equal (document, number) rows; `keys[number]` is the key that a number stands for."""
    combined = docs.astype(np.int64) << 32 | numbers
    if weights is None:
        distinct, counts = np.unique(combined, return_counts=True)
    else:
        distinct, which = np.unique(combined, return_inverse=True)
        counts = np.bincount(which, weights=weights, minlength=len(distinct))
    return Bag((distinct >> 32).astype(np.int32), keys[distinct & 0xFFFFFFFF], counts.astype(np.int32))


def _tokens_and_lines(text: str) -> list[str]:
    """The tokens of `text` and a line feed or NUL for each line feed, in order."""
    if text.isascii():  # the same as the pattern, four times as fast
        spaced = text.encode("ascii").translate(_ASCII_GAPS).replace(b"\n", b" \0 ")
        return spaced.decode("ascii").split()
    return _TOKEN_OR_LINE.findall(normalize("NFKC", text))


def _composed(text: str) -> str:
    return text if text.isascii() else normalize("NFKC", text)


class _Word(NamedTuple):
    terms: tuple[str, ...]
    content: tuple[str, ...]


def _analysed(token: str) -> _Word:
    parts = _parts(token)
    telling = [(part, _stem(part)) for part in parts if part not in FILLER and _telling(part)]
    found = [stem for _, stem in telling]
    if len(parts) > 1 and not _UNSPACED.search(token):
        found.append(token.replace("_", "").casefold())
    return _Word(tuple(found), tuple(stem for part, stem in telling if part not in COMMIT_VERBS))


_word = lru_cache(maxsize=1 << 16)(_analysed)


def _telling(part: str) -> bool:
    """A single Latin letter names nothing; a single digit or a single Han character may."""
    return len(part) > 1 or not (part.isascii() and part.isalpha())


def _parts(token: str) -> list[str]:
    """The folded parts of one token: split at underscores, changes of case, digits and unspaced scripts."""
    if len(token) > LONGEST_TOKEN:
        return []
    if token.isascii():
        return [part.lower() for part in _ASCII_PART.findall(token)]
    parts: list[str] = []
    for word in token.split("_"):
        at = 0
        for run in _UNSPACED.finditer(word):
            parts.extend(_cased(word[at : run.start()]))
            parts.extend(_bigrams(run.group()))
            at = run.end()
        parts.extend(_cased(word[at:]))
    return parts


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) < 3 else [run[i : i + 2] for i in range(len(run) - 1)]


def _cased(word: str) -> list[str]:
    """Split `word` where `_ASCII_PART` would, in any script that has case; marks stay with their letter."""
    parts: list[str] = []
    start = 0
    for i in range(1, len(word)):
        before, here, after = word[i - 1], word[i], word[i + 1 : i + 2]
        digits = before.isdecimal() != here.isdecimal()
        opens = here.isupper() and not before.isupper()
        closes = here.isupper() and before.isupper() and after.islower()
        if digits or opens or closes:
            parts.append(word[start:i])
            start = i
    parts.append(word[start:])
    return [part.casefold() for part in parts if part]


def _stem(part: str) -> str:
    if len(part) < 3 or not part.isalpha():
        return part
    with _STEMMING:
        return str(_STEMMER.stemWord(part))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
