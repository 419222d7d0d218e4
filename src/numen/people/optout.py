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
_WORD = re.compile(r"[\w']+")
_SPACES = re.compile(r"[^\w']+")
_EMOJI = re.compile(r"[^\w\s.,;:!?¡¿'()\"“”„«»‘’…|/&+@#-]")

_SHORT = {
    re.compile(rf"\b{short}\b"): whole
    for short, whole in {
        "txt": "text", "txts": "texts", "txting": "texting", "dont": "don't", "u": "you", "ur": "your", "msg": "message",
        "msgs": "messages", "pls": "please", "w": "with",
    }.items()
}  # fmt: skip
"""Words as they are typed in haste."""

_INVITING = re.compile(
    r"(?:just |please |but |rather |lieber |mejor |better )*(?:text|call|e ?mail|message|write|use|whatsapp|dm|ring|schreib|ruf|nutze?|ecris|appelle|utilise|"
    r"escribeme|llamame|usa|escreve|liga|scrivimi|chiamami)(?: (?:me|us|the|mir|mich|moi|instead|l|le|la|o|an)\b|$)"
)
"""A clause that asks for another way to be reached: what stands beside it is about the way."""

_OF_THE_WAY = (".do-not", ".no-me", ".nao-me", ".non-piu", ".nicht-mehr", ".ne-plus")
"""Demands that may be about the way alone."""

_REPORTING = re.compile(
    r"\b(?:he|she|they|we|him|her|them|people|someone|somebody|mom|dad|boss|told|said|says|tells?|asked|asks|wants?|wanted|can't|cannot|"
    r"couldn't|don't|didn't|not|never|how|why|when|where|who|what|if|i'll|i'd|will|would|should|let|makes?|made|needs?|need|to|trying|try|"
    r"keep|did|does|do|is|was|for|about|of|the|a|and)\b"
)
"""What makes the words after it a report, a question or a plan."""

_ANYWHERE = frozenset({"en.stop-doing", "en.alone", "en.stop-sending", "en.off-list", "en.lose-number", "en.do-not-send"})
"""Demands that are one wherever in a clause they stand, unless it reports."""

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
    if told_apart and all(_is_keyword(one) or _is_keyword(_led(one)) for one in told_apart):
        return OptOut(True, "keyword")
    for place, clause in enumerate(clauses):
        rule = _demand(clause)
        others = (one for at, one in enumerate(clauses) if at != place)
        if rule is not None and not (rule.endswith(_OF_THE_WAY) and any(map(_INVITING.match, others))):
            return OptOut(True, rule)
    return OptOut(False)


def _is_keyword(clause: str) -> bool:
    bare = _unpadded(clause)
    return bare in _KEYWORDS or bare.replace(" ", "") in _KEYWORDS


def _led(clause: str) -> str:
    """The clause without what may stand before a demand."""
    start = _LEAD.match(clause + " ")
    return clause if start is None else clause[min(start.end(), len(clause)) :]


def _unpadded(clause: str) -> str:
    return _plain(_FILLER.sub(" ", clause))


def _demand(clause: str) -> str | None:
    """The rule by which a clause is a demand."""
    lead = len(clause) - len(_led(clause))
    for name, narrowing, pattern in _DEMANDS:
        starts = {0: "", lead: ""}
        if name in _ANYWHERE:
            words = (word.start() for word in _WORD.finditer(clause))
            starts |= {at: clause[:at] for at in words if at not in starts and not _REPORTING.search(clause[:at])}
        for at, before in starts.items():
            match = pattern.match(clause, at)
            if match is None:
                continue
            rest = _WIDENING.sub(" ", before + " " + clause[match.end() :])
            inner = match.groupdict().get("inner") or ""
            if narrowing.search(rest) is None and narrowing.search(_WIDENING.sub(" ", inner)) is None:
                return name
    return None


def _folded(text: str) -> str:
    """Lower case, without accents and marks, with one form of the apostrophe."""
    text = _EMOJI.sub(" ", text.replace("’", "'").replace("`", "'").replace("´", "'").replace("ß", "ss"))
    spread = unicodedata.normalize("NFKD", text.casefold())
    folded = "".join(char for char in spread if not unicodedata.combining(char))
    for short, whole in _SHORT.items():
        folded = short.sub(whole, folded)
    return folded


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" '")
