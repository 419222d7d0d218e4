"""A question as search reads it: what to look for, what kind of answer it wants, of whom, and of when."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Flag, auto

from numen.memory.languages import FUNCTION_WORDS
from numen.memory.terms import day_term, folded, language, parts, terms, words

_FILLER = frozenset(
    """kind kinds type types mention mentioned many much thing things get got go gone went say said tell told
    talk talked describe described according name called someone something anything way time times
    ever""".split()
)
"""Words of English questions that say what form an answer has and not what it is about."""

_MONTHS = "january february march april may june july august september october november december".split()
_SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}
_WHEN = re.compile(
    r"\b(when|what (?:time|date|day|year|month)|which (?:year|month|day)|how long|how old|since)\b"
)
_LIST = re.compile(r"\b(?:what|which)\b[^?]*?\b\w{2,}s\b")
_MAYBE = re.compile(r"\b(would|might|could|likely|probably|considered)\b")
_YES_NO = re.compile(r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|will|would|could|should)\b")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_ISO_DAY = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")


class Wants(Flag):
    """What kind of answer a question asks for."""

    NOTHING = 0
    WHEN = auto()
    LIST = auto()
    GUESS = auto()
    YES_NO = auto()


@dataclass(frozen=True, slots=True)
class Question:
    """A question read. `groups` are the terms to look for, each with the forms it may have; `dates` those of
    them that are days, months or years. `names` are words that may be the name of someone who speaks.
    `mine`: the asker asks about themselves."""

    text: str
    groups: tuple[tuple[str, ...], ...]
    dates: tuple[str, ...]
    names: tuple[str, ...]
    wants: Wants
    mine: bool


def read_question(text: str, at: str, languages: Collection[str]) -> Question:
    """Read `text`, asked at the moment `at` (ISO), of rows that are in `languages`."""
    own = language(text)
    groups: dict[tuple[str, ...], None] = {}
    for word in words(text):
        if own == "english" and word.casefold() in _FILLER:
            continue
        forms = _forms(word, own, languages)
        groups.update(dict.fromkeys(forms))
    lowered = text.casefold()
    return Question(
        text=text,
        groups=tuple(groups),
        dates=tuple(dict.fromkeys(_dates(lowered, at))),
        names=tuple(dict.fromkeys(folded(text))),
        wants=_wants(lowered),
        mine=bool({"i", "my", "me", "mine"} & set(lowered.replace("'", " ").split())),
    )


def _forms(word: str, own: str, languages: Collection[str]) -> Iterable[tuple[str, ...]]:
    """Per part of `word` the stems it has in each language; nothing where it is a small word of its own."""
    small = FUNCTION_WORDS.get(own, frozenset[str]())
    for part in parts(word):
        if part in small:
            continue
        found = dict.fromkeys(term for each in sorted({own, *languages}) for term in terms(part, each)[:1])
        if found:
            yield tuple(found)
    if len(parts(word)) > 1:
        whole = terms(word, own)[-1:]
        if whole:
            yield tuple(whole)


def _wants(lowered: str) -> Wants:
    found = Wants.NOTHING
    for pattern, wanted in (
        (_WHEN, Wants.WHEN),
        (_LIST, Wants.LIST),
        (_MAYBE, Wants.GUESS),
        (_YES_NO, Wants.YES_NO),
    ):
        if pattern.search(lowered):
            found |= wanted
    return found


def _dates(lowered: str, at: str) -> Iterable[str]:
    """The days, months and years that the words of a question name, seen from `at`."""
    years = _YEAR.findall(lowered)
    for year, month, day in _ISO_DAY.findall(lowered):
        yield day_term(year, month, day)
    for number, name in enumerate(_MONTHS, 1):
        # "may" alone is a verb more often than a month
        if not re.search(rf"\b{name}\b", lowered) or (
            name == "may" and not re.search(r"\b(in|of|last|this|next|\d+) may\b|\bmay,? \d", lowered)
        ):
            continue
        month = f"{number:02}"
        day = re.search(
            rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {name}\b|\b{name} (\d{{1,2}})(?:st|nd|rd|th)?\b", lowered
        )
        for year in years:
            yield day_term(year, month)
            if day:
                yield day_term(year, month, f"{int(day[1] or day[2]):02}")
        if not years:
            yield day_term(month=month)
    if years and not any(name in lowered for name in _MONTHS):
        yield from (day_term(year=year) for year in years)
    yield from _relative(lowered, date.fromisoformat(at[:10]))


def _relative(lowered: str, today: date) -> Iterable[str]:
    if "yesterday" in lowered:
        yield _day(today - timedelta(1))
    if re.search(r"\btoday\b", lowered):
        yield _day(today)
    if re.search(r"\b(last|past|this) week\b", lowered):
        back = 0 if "this week" in lowered else 7
        monday = today - timedelta(today.weekday() + back)
        yield from (_day(monday + timedelta(i)) for i in range(7))
    if re.search(r"\b(last|this) month\b", lowered):
        first = today.replace(day=1)
        month = first if "this month" in lowered else first - timedelta(1)
        yield day_term(f"{month.year}", f"{month.month:02}")
    if re.search(r"\blast year\b", lowered):
        yield day_term(year=str(today.year - 1))
    if re.search(r"\bthis year\b", lowered):
        yield day_term(year=str(today.year))
    for season, months in _SEASONS.items():
        if re.search(rf"\b(last|this|past) {season}\b", lowered):
            yield from _season(months, today)


def _season(months: tuple[int, int, int], today: date) -> Iterable[str]:
    """The latest season of these months that has begun."""
    begins = date(today.year, months[0], 1)
    year = today.year if begins <= today else today.year - 1
    for month in months:
        yield day_term(str(year + (month < months[0])), f"{month:02}")


def _day(day: date) -> str:
    return day_term(f"{day.year}", f"{day.month:02}", f"{day.day:02}")
