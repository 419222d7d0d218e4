"""Of which class a question is, and when two answers to it are the same: what a vote needs to be counted."""

from __future__ import annotations

import re

NUMBER, CHOICE, OPEN = "number", "choice", "open"
"""Classes of questions. Answers to an open one are never the same, so none is voted on."""

_HOW_MANY = re.compile(
    r"\b(how (?:many|much|old|far|long|tall)|what is the (?:sum|total|value|result|remainder|difference)|"
    r"calculate|compute|evaluate|solve)\b",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"^\s*\(?([A-H])[).:]\s+\S", re.MULTILINE)
_YES_NO = re.compile(r"\b(yes or no|true or false)\b", re.IGNORECASE)
_FIGURE = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_LETTER = re.compile(r"\b([A-H])\b|\b(yes|no|true|false)\b", re.IGNORECASE)


def kind_of(question: str) -> str:
    """The class of a question, by its form alone."""
    if len(set(_OPTIONS.findall(question))) > 1 or _YES_NO.search(question):
        return CHOICE
    if _HOW_MANY.search(question) and re.search(r"\d", question):
        return NUMBER
    return OPEN


def normal(kind: str, answer: str) -> str:
    """The part of an answer by which it is the same as another: its last figure or choice; empty for none."""
    if kind == NUMBER:
        found = _FIGURE.findall(answer)
        return _plain(found[-1]) if found else ""
    if kind == CHOICE:
        found = [letter or word for letter, word in _LETTER.findall(answer) if letter.isupper() or word]
        return found[-1].casefold() if found else ""
    return answer.strip()


def _plain(figure: str) -> str:
    number = figure.replace(",", "")
    return number.rstrip("0").rstrip(".") if "." in number else number
