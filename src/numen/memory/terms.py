"""The words of a text as terms: what search compares.

A term is a word's stem without accents, an identifier's unsplit form, two neighbouring characters of a
script that writes no spaces, or a mark of the day on which the row came to be. Terms hold no ASCII
character but letters and digits, so that every database takes them whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

from numen.memory.languages import DEFAULT, FUNCTION_WORDS, language_of, stem

LONGEST_WORD = 64
"""A longer run of letters is data (base64, a hash), not a word, and is passed over."""

# Marks that belong to the letter before them, and vowel signs that Python's `\w` leaves out.
_JOINED = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(rf"[\w{_JOINED}]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
_DAY = "\u00a4"
"""Stands in the terms that are days, months and years, so that no word is one."""


def terms(text: str, language: str) -> list[str]:
    """The terms of `text`, in order, as they are in `language`; its function words are left out.

    The text is folded by NFKC and case: `Lindenstraße` and `LINDENSTRASSE` are one term.
    """
    small = FUNCTION_WORDS.get(language, frozenset[str]())
    return [
        term
        for word in words(text)
        for part in parts(word)
        if part not in small and _telling(part)
        for term in (_plain(stem(part, language)),)
    ] + [whole for word in words(text) if (whole := _whole(word))]


def words(text: str) -> list[str]:
    """The words of `text` as they are written, composed by NFKC."""
    return _WORD.findall(text if text.isascii() else normalize("NFKC", text))


def language(text: str) -> str:
    """The language that `text` is taken to be in."""
    return language_of(word.casefold() for word in words(text))


@lru_cache(maxsize=1 << 15)
def parts(word: str) -> tuple[str, ...]:
    """The folded parts of a word: split at underscores, changes of case, digits and unspaced scripts."""
    if len(word) > LONGEST_WORD:
        return tuple(_pairs(word)) if _UNSPACED.fullmatch(word) else ()
    if word.isascii():
        return tuple(part.lower() for part in _PART.findall(word))
    found: list[str] = []
    for piece in word.split("_"):
        at = 0
        for run in _UNSPACED.finditer(piece):
            found.append(piece[at : run.start()].casefold())
            found.extend(_pairs(run.group()))
            at = run.end()
        found.append(piece[at:].casefold())
    return tuple(part for part in found if part)


def folded(text: str) -> tuple[str, ...]:
    """The words of a name, each folded and without accents, so that two spellings of it are the same."""
    return tuple(_plain(part) for word in words(text) for part in parts(word))


def days(occurred_at: str) -> tuple[str, ...]:
    """The terms of a moment (ISO): its year, month, month of that year, and day."""
    year, month, day = occurred_at[:4], occurred_at[5:7], occurred_at[8:10]
    return day_term(year=year), day_term(month=month), day_term(year, month), day_term(year, month, day)


def day_term(year: str = "", month: str = "", day: str = "") -> str:
    """The term of a year, of a month whatever the year, of a month of a year, or of a day."""
    return _DAY + _DAY.join((year, month, day)).rstrip(_DAY)


def _whole(word: str) -> str:
    """An identifier without its joints, `getuser` of `get_user`; nothing for a plain word."""
    if len(word) > LONGEST_WORD or _UNSPACED.search(word) or len(parts(word)) < 2:
        return ""
    return _plain(word.replace("_", "").casefold())


def _pairs(run: str) -> list[str]:
    return [run] if len(run) < 3 else [run[i : i + 2] for i in range(len(run) - 1)]


def _telling(part: str) -> bool:
    """A single Latin letter names nothing; a single digit or a single Han character may."""
    return len(part) > 1 or not (part.isascii() and part.isalpha())


@lru_cache(maxsize=1 << 15)
def _plain(part: str) -> str:
    """Without accents: people write `cafe` for `café`."""
    if part.isascii():
        return part
    bare = "".join(c for c in normalize("NFD", part) if not combining(c) or _UNSPACED.match(c))
    return normalize("NFC", bare)


__all__ = ["DEFAULT", "LONGEST_WORD", "day_term", "days", "folded", "language", "parts", "terms", "words"]
