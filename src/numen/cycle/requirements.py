"""What an answer was asked to be, as far as words say it plainly: each a check that a machine can make."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from numen.cycle.rules import Checked

_NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_N = rf"(?P<n>\d{{1,4}}|{'|'.join(_NUMBERS)})"
_LENGTH = re.compile(
    r"\b(?P<how>at most|no more than|under|within|fewer than|less than|exactly|in|max(?:imum)?(?: of)?)\s+"
    rf"{_N}\s+"
    r"(?P<unit>words?|sentences?|lines?|characters?)\b",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    rf"\b(?:list|name|give(?: me)?|suggest|propose)\s+(?:exactly\s+)?{_N}\s+\w+", re.IGNORECASE
)
_JSON = re.compile(r"\b(?:as|in|only|valid)\s+json\b", re.IGNORECASE)
_LIST = re.compile(r"\b(?:bullet(?:ed)?\s+(?:list|points)|as a list|as bullets)\b", re.IGNORECASE)
_TABLE = re.compile(r"\bas a (?:markdown )?table\b", re.IGNORECASE)
_YES_NO = re.compile(r"\b(?:answer|say|reply)(?: only)?(?: with)? yes or no\b", re.IGNORECASE)
_QUOTED = r"[\"'“‘`](?P<what>[^\"'”’`\n]{1,80})[\"'”’`]"
_WITHOUT = re.compile(
    r"\b(?:do not|don't|never|without|avoid)\s+(?:mention(?:ing)?|us(?:e|ing)|say(?:ing)?|includ(?:e|ing))?"
    rf"\s*(?:the (?:words?|names?|phrase)\s+)?{_QUOTED}",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"(?<!not )(?<!n't )(?<!never )\b"
    r"(?:must (?:mention|include|contain|say)|include|mention|end with|start with)"
    rf"\s+(?:the (?:words?|names?|phrase)\s+)?{_QUOTED}",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+\S", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?…]+(?:[.!?…]+(?=\s|$)|$)")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that was asked: `kind` says how it is checked, `words` how it was said."""

    kind: str
    words: str
    value: str = ""


def requirements(text: str) -> tuple[Requirement, ...]:
    """What `text` plainly asks of its answer, in the order in which it says so."""
    return tuple(dict.fromkeys(_found(text)))


def is_met(one: Requirement, answer: str) -> bool:
    """Whether an answer is as it was asked to be."""
    kind, _, unit = one.kind.partition(":")
    match kind:
        case "most":
            return _size(answer, unit) <= int(one.value)
        case "exact":
            return _size(answer, unit) == int(one.value)
        case "items":
            return len(_ITEM.findall(answer)) == int(one.value) or len(_parts(answer)) == int(one.value)
        case "json":
            return _is_json(answer)
        case "list":
            return bool(_ITEM.search(answer))
        case "table":
            return answer.count("|") > 1 and "---" in answer
        case "yes_no":
            return answer.strip().casefold().rstrip(".!") in {"yes", "no"}
        case "without":
            return one.value.casefold() not in answer.casefold()
        case _:
            return one.value.casefold() in answer.casefold()


def checked(question: str, answer: str) -> Checked:
    """How many of the requirements of `question` the `answer` meets."""
    asked = requirements(question)
    return Checked(sum(is_met(one, answer) for one in asked), len(asked))


def _found(text: str) -> Iterator[Requirement]:
    for match in _LENGTH.finditer(text):
        how, unit = match["how"].casefold(), match["unit"].casefold().rstrip("s")
        number = _number(match["n"])
        strict = how in {"under", "fewer than", "less than"}
        exact = how == "exactly" or (how == "in" and unit in {"sentence", "line"})
        kind = f"exact:{unit}" if exact else f"most:{unit}"
        yield Requirement(kind, match[0], str(number - strict))
    for match in _ITEMS.finditer(text):
        yield Requirement("items", match[0], str(_number(match["n"])))
    for kind, pattern in (("json", _JSON), ("list", _LIST), ("table", _TABLE), ("yes_no", _YES_NO)):
        if match := pattern.search(text):
            yield Requirement(kind, match[0])
    for kind, pattern in (("without", _WITHOUT), ("with", _WITH)):
        for match in pattern.finditer(text):
            yield Requirement(kind, match[0], match["what"])


def _number(text: str) -> int:
    return _NUMBERS.get(text.casefold()) or int(text)


def _size(text: str, unit: str) -> int:
    match unit:
        case "word":
            return len(text.split())
        case "sentence":
            return sum(bool(part.strip()) for part in _SENTENCE.findall(text))
        case "line":
            return sum(bool(line.strip()) for line in text.splitlines())
        case _:
            return len(text)


def _parts(text: str) -> list[str]:
    """The items of a text that lists them in a line: `a, b and c`."""
    return [part for part in re.split(r",\s*(?:and\s+)?|\s+and\s+|\n+", text.strip()) if part.strip()]


def _is_json(text: str) -> bool:
    inner = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        json.loads(inner)
    except ValueError:
        return False
    return True
