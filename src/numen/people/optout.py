"""Whether a contact asks not to be written to any more: rules over their own words, in six languages.

A message is cut into clauses. It asks so when it is nothing but a keyword ("STOP", "unsubscribe"), or when a
clause of it begins with such a demand ("stop texting me") that nothing narrows to a time, a place or a matter
("before 9", "in class"). What others say, what is quoted and what is asked about is no demand. A reader of
words errs on either side; here the cost of a miss is a message to someone who asked for none, so a demand
that stands in a whole clause of its own counts whatever stands around it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from numen.people.phrases import DEMANDS, FILLERS, KEYWORDS, LEADS, NARROWING, NEUTRAL, WIDENING

LONGEST = 2000
"""Characters of a message that are looked at (ours): who asks to be left alone does so at once."""

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’(?!\w)")
_CUT = re.compile(r"[.!?;:\n,()¡¿…|]+|\s[-–—]+\s")
_SPACES = re.compile(r"[^\w']+")
_EMOJI = re.compile(r"[^\w\s.,;:!?¡¿'()\"“”„«»‘’…|/&+@#-]")

_FILLER = re.compile(rf"\b(?:{'|'.join(FILLERS)})\b")
_KEYWORDS = frozenset(KEYWORDS)
_LEAD = re.compile(rf"(?:(?:{'|'.join(LEADS)}|{'|'.join(FILLERS)})\s+)*")
_NEUTRAL = re.compile(rf"(?:(?:{'|'.join(NEUTRAL)})(?: |$))*")
_WIDENING = re.compile(rf"\b(?:{'|'.join(WIDENING)})\b")
_NARROWING = {
    language: re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])")
    for language, words in NARROWING.items()
}
_DEMANDS = [
    (f"{language}.{name}", _NARROWING[language], re.compile(rf"(?:{pattern})(?!\w)"))
    for language, demands in DEMANDS.items()
    for name, pattern in demands.items()
]


@dataclass(frozen=True, slots=True)
class OptOut:
    """Whether it is one, and by which rule: `keyword`, or language and demand such as `en.stop-sending`."""

    asked: bool
    rule: str | None = None


def opt_out(text: str) -> OptOut:
    """Whether the words of a contact ask that nothing be sent to them any more. Never raises."""
    shown = _folded(text[:LONGEST])
    if _is_keyword(_plain(shown)):
        return OptOut(True, "keyword")
    told = _QUOTED.sub(" ", shown)
    if not _plain(told):
        told = shown.strip('"“”«»„‘’ ')
    clauses = [clause for clause in map(_plain, _CUT.split(told)) if clause]
    told_apart = [clause for clause in clauses if not _NEUTRAL.fullmatch(_unpadded(clause))]
    if told_apart and all(map(_is_keyword, told_apart)):
        return OptOut(True, "keyword")
    for clause in clauses:
        rule = _demand(clause)
        if rule is not None:
            return OptOut(True, rule)
    return OptOut(False)


def _is_keyword(clause: str) -> bool:
    bare = _unpadded(clause)
    return bare in _KEYWORDS or bare.replace(" ", "") in _KEYWORDS


def _unpadded(clause: str) -> str:
    return _plain(_FILLER.sub(" ", clause))


def _demand(clause: str) -> str | None:
    """The rule by which a clause is a demand."""
    start = _LEAD.match(clause + " ")
    begins = {0, 0 if start is None else min(start.end(), len(clause))}
    for name, narrowing, pattern in _DEMANDS:
        for begin in begins:
            match = pattern.match(clause, begin)
            if match is None:
                continue
            rest = _WIDENING.sub(" ", clause[:begin] + " " + clause[match.end() :])
            inner = match.groupdict().get("inner") or ""
            if narrowing.search(rest) is None and narrowing.search(_WIDENING.sub(" ", inner)) is None:
                return name
    return None


def _folded(text: str) -> str:
    """Lower case, without accents and marks, with one form of the apostrophe."""
    text = _EMOJI.sub(" ", text.replace("’", "'").replace("`", "'").replace("´", "'").replace("ß", "ss"))
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in spread if not unicodedata.combining(char))


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" '")
