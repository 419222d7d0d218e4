"""The JSON value in an answer: in a fence first, else the largest that stands by itself, in linear time."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import cast

from numen.kernel import Json

_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_JSON_NAMES = frozenset({"", "json", "jsonc", "json5", "jsonl", "geojson", "javascript", "js"})
_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r'(?P<text>"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")'
    r"|(?P<plain>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity)"
    r"|(?P<mark>[{}\[\],:]))"
)
_OPENING = re.compile(r"[{\[]")
_BRACKET = re.compile(r"[{}\[\]]")
_OPENS = {"}": "{", "]": "["}

_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _COLON, _NEXT = range(6)
"""What may come next inside of a value that is open."""


def extracted(answer: str) -> tuple[bool, Json]:
    """Whether there is a value in `answer`, and the value.

    The whole answer where it is JSON; else the largest value in a fence of JSON; else the largest object or
    array that stands by itself in the text. What is part of something broken or cut off is no answer, so it
    is not taken out of it. NaN, infinities and keys that stand twice are refused.
    """
    text = answer.removeprefix("\ufeff").strip()
    whole = _read(text)
    if whole is not None:
        return whole
    fenced = [found for part in _fenced(text) for found in _of_fence(part)]
    best = max(fenced or _values(text), key=lambda one: one[0], default=None)
    return (False, None) if best is None else (True, best[1])


def strict(text: str) -> Json:
    """`text` as JSON. Raises `ValueError` for what RFC 8259 does not know, and a key that stands twice."""
    try:
        return cast(
            "Json", json.loads(text, object_pairs_hook=_once, parse_constant=_refuse, parse_float=_finite)
        )
    except RecursionError:
        raise ValueError("nested too deep") from None


def _read(text: str) -> tuple[bool, Json] | None:
    try:
        return True, strict(text)
    except ValueError:
        return None


def _fenced(text: str) -> Iterator[str]:
    """The inside of each fence whose name may be JSON's; one that is not closed goes to the end."""
    mark, wanted, begins = "", False, 0
    for line in _FENCE.finditer(text):
        if not mark:
            mark, wanted, begins = line[1], line[2].lower() in _JSON_NAMES, line.end()
        elif line[1][0] == mark[0] and len(line[1]) >= len(mark) and not line[2]:
            if wanted:
                yield text[begins : line.start()]
            mark = ""
    if mark and wanted:
        yield text[begins:]


def _of_fence(part: str) -> Iterator[tuple[int, Json]]:
    whole = _read(part.strip())
    if whole is None:
        yield from _values(part)
    else:
        yield len(part), whole[1]


def _values(text: str) -> Iterator[tuple[int, Json]]:
    """Every object and array of `text` that stands by itself and is JSON, with its length."""
    pairs: dict[int, int] | None = None
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        end, is_whole, had_member = _followed(text, start)
        at = end
        if is_whole:
            value = _read(text[start:end])
            if value is not None:
                yield end - start, value[1]
            continue
        pairs = _pairs(text) if pairs is None else pairs
        closing = pairs.get(start)
        if closing is not None:
            at = max(end, closing + 1)
        elif had_member:
            return


def _followed(text: str, start: int) -> tuple[int, bool, bool]:
    """How far the value that opens at `start` goes by the grammar, whether it is whole, whether an object had
    a member.

    What cannot follow here cannot follow for any value that is open, so no character is looked at again but
    those of one string that does not end.
    """
    opens: list[str] = []
    state, at, had_member = _VALUE, start, False
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            return max(at, start + 1), False, had_member
        mark = token["mark"]
        if mark is None:
            if state in {_KEY, _KEY_OR_END} and token["text"] is not None:
                state = _COLON
            elif state in {_VALUE, _VALUE_OR_END}:
                state = _NEXT
            else:
                return max(at, start + 1), False, had_member
        elif mark in "{[" and state in {_VALUE, _VALUE_OR_END}:
            opens.append(mark)
            state = _KEY_OR_END if mark == "{" else _VALUE_OR_END
        elif mark in "}]" and opens[-1] == _OPENS[mark] and state in {_NEXT, _KEY_OR_END, _VALUE_OR_END}:
            opens.pop()
            state = _NEXT
            if not opens:
                return token.end(), True, had_member
        elif mark == ":" and state == _COLON:
            state = _VALUE
        elif mark == "," and state == _NEXT:
            had_member = had_member or opens[0] == "{"
            state = _KEY if opens[-1] == "{" else _VALUE
        else:
            return max(at, start + 1), False, had_member
        at = token.end()


def _pairs(text: str) -> dict[int, int]:
    """Which bracket closes which, strings or not: how far something reaches that is broken."""
    pairs: dict[int, int] = {}
    open_at: list[int] = []
    for bracket in _BRACKET.finditer(text):
        opens = _OPENS.get(bracket[0])
        if opens is None:
            open_at.append(bracket.start())
        elif open_at and text[open_at[-1]] == opens:
            pairs[open_at.pop()] = bracket.start()
    return pairs


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _refuse(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number without end")
    return number
