"""Whether a contact asks not to be written to any more: rules over their words, in six languages.

A message that is nothing but a keyword ("STOP", "unsubscribe") asks so. Any other is weighed: each clause
is a row of the parts that its words play (`lexicon`), and what stands in it, what beside what, and
whether one of the forms of `wishes` is there that nothing around makes a report, a question or narrows
("before 9", "in class"), each has a weight (`weights`), fitted to the corpora in view. What is quoted is
none. A reader of words errs on either side; here the cost of a miss is a message to someone who asked for
none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from numen.people.lexicon import PARTS
from numen.people.phrases import (
    FILLERS,
    INVITING,
    KEYWORDS,
    LEADS,
    NAMED,
    NARROWING,
    NEUTRAL,
    PLAIN,
    REQUEST,
    TAGGED,
    WIDENING,
)
from numen.people.weights import ENOUGH, WEIGHTS
from numen.people.wishes import AGENTS, BEFORE, CONTRAST, FORMS, VOCABULARY

LONGEST = 2000
"""Characters of a message that are looked at (ours): who asks to be left alone does so at once."""

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’(?!\w)")
_SENTENCE = re.compile(r"([^.!?;:\n()¡¿…|]+)([.!?;:\n()¡¿…|]*)")
_CUT = re.compile(r",|\s[-–—]+\s|\s(?:but|aber|pero)\s")
_SPACES = re.compile(r"[^\w']+")
_EMOJI = re.compile(r"[^\w\s.,;:!?¡¿'()\"“”„«»‘’…|/&+@#-]")
_SPELT = re.compile(r"\b(?:\w ){2,}\w\b")

_SHORT = {
    re.compile(rf"\b{short}\b"): whole
    for short, whole in {
        "txt": "text", "txts": "texts", "txting": "texting", "dont": "don't", "u": "you", "ur": "your",
        "msg": "message", "msgs": "messages", "pls": "please", "plz": "please", "w": "with", "nn": "non",
        "hoer": "hor", "hoert": "hort", "hoeren": "horen", "moechte": "mochte", "moechten": "mochten",
        "stoer": "stor", "stoeren": "storen", "belaestigen": "belastigen", "ñ": "nao",
    }.items()
}  # fmt: skip
"""Words as they are typed in haste."""

_TAGGED = re.compile(TAGGED)
_INVITING = re.compile(INVITING)
_REQUEST = re.compile(REQUEST)
_NAMED = re.compile(NAMED)
_NEGATED = re.compile(r"(?<![\w'])(?:(?:do |to )?not|don't|never|nicht|non|no|nao|n'|ne|won't|can't)\s?$")
"""What denies the demand after it."""

_BEFORE = {language: re.compile(rf"(?<![\w'])(?:{words})(?![\w'])") for language, words in BEFORE.items()}
_CONTRAST = re.compile(rf"(?<![\w'])(?:{CONTRAST})(?![\w'])")
_FILLER = re.compile(rf"\b(?:{'|'.join(FILLERS)})\b")
_KEYWORDS = frozenset(KEYWORDS)
_LONG_KEYWORDS = tuple(word for word in KEYWORDS if " " not in word and len(word) > 9)
_NEAR = 0.9
"""How alike a word is to one of the long keywords to be it, misspelt (ours): one letter in ten."""

_PLAIN = frozenset(PLAIN)
_TRAIL = re.compile(rf"(?: (?:{'|'.join(FILLERS)}))+$")
_LEAD = re.compile(rf"(?:(?:{'|'.join((*AGENTS, *LEADS, *FILLERS))})\s+)*")
_NEUTRAL = re.compile(rf"(?:(?:{'|'.join(NEUTRAL)})(?: |$))*")
_WIDENING = re.compile(rf"\b(?:{'|'.join(WIDENING)})\b")
_NARROWING = {
    language: re.compile(rf"(?<![\w'])(?:{'|'.join(words)})(?![\w'])")
    for language, words in NARROWING.items()
}
_AGENT = re.compile("|".join(AGENTS))


_OPTIONAL = re.compile(r"(?:<\w+>|\((?:[^()]|\([^()]*\))*\))\?")
_GAP = r"((?:(?!(?:nicht|pas)\b)[\w']+ ){0,3}?)"


def _words(form: str) -> Iterator[str]:
    """The words of a form: what stands between spaces outside of its brackets."""
    word, depth = "", 0
    for char in form:
        depth += (char == "(") - (char == ")")
        if char == " " and depth == 0:
            yield word
            word = ""
        else:
            word += char
    yield word


def _compiled(form: str, vocabulary: Mapping[str, str]) -> tuple[bool, bool, re.Pattern[str]]:
    """Whether a form stands first, whether it takes in all that follows, and its expression.

    That is one over a clause with a space at its end.
    """
    whole = ""
    for word in _words(form.removeprefix("^")):
        if word in {"~", "~~"}:
            whole += _GAP * len(word)
        elif word.startswith("(?:$|"):
            whole += word
        elif word in {"$", "…"}:
            whole += {"$": "$", "…": ".*"}[word]
        else:
            whole += f"(?:{word[:-1]} )?" if _OPTIONAL.fullmatch(word) else f"{word} "
    whole = whole.replace(" ~ ", f" {_GAP}")
    while "<" in whole:
        name = whole.split("<", 1)[1].split(">", 1)[0]
        whole = whole.replace(f"<{name}>", f"(?:{vocabulary[name]})")
    return form.startswith("^"), form.endswith("…"), re.compile(rf"(?<![\w']){whole}")


@cache
def forms() -> Sequence[tuple[str, str, bool, bool, re.Pattern[str]]]:
    """Every form: its language and rule, then as `_compiled`. Made at first use, for it takes 0.15 s."""
    return [
        (language, f"{language}.{name}", *_compiled(form, VOCABULARY[language]))
        for language, ways in FORMS.items()
        for name, written in ways.items()
        for form in written
    ]


@dataclass(frozen=True, slots=True)
class OptOut:
    """Whether it is one, and by which rule: `keyword`, language and way such as `en.do-not`, or `words`."""

    asked: bool
    rule: str | None = None


def opt_out(text: str) -> OptOut:
    """Whether the words of a contact ask that nothing be sent to them any more. Never raises."""
    if _is_keyword(_plain(_folded(text[:LONGEST]))):
        return OptOut(True, "keyword")
    form, seen = clues(text)
    if _plain(text) and sum(WEIGHTS.get(clue, 0) for clue in seen) > ENOUGH:
        return OptOut(True, form or "words")
    return OptOut(False)


def clues(text: str) -> tuple[str | None, set[str]]:
    """The form that a message has, if any, and all that says something about its being an opt-out."""
    shown = _folded(text[:LONGEST])
    told = _QUOTED.sub(' " ', shown)
    form = _form(shown)
    seen = {"any", *({"form", f"form {form.rpartition('.')[2]}"} if form else ())}
    if '"' in told:
        seen.add("quoted")
    if not _plain(told):
        told = shown
    rows = [
        (row, end)
        for words, end in _SENTENCE.findall(told)
        for clause in _CUT.split(words)
        if (row := "".join(map(_parts_of, _WORD.findall(clause))))
    ]
    for row, end in rows:
        seen.update(_of_row(row, asked="?" in end))
    whole = sorted({part for row, _ in rows for part in row} - {"_"})
    seen.update(whole)
    seen.update(f"{one}&{other}" for place, one in enumerate(whole) for other in whole[place + 1 :])
    size, strange = sum(len(row) for row, _ in rows), sum(row.count("_") for row, _ in rows)
    return form, seen | {
        f"words {min(size // 3, 7)}",
        f"strange {min(strange, 7)}",
        f"clauses {min(len(rows), 4)}",
    }


def _of_row(row: str, *, asked: bool) -> Iterator[str]:
    """What a clause says, given the parts that its words play."""
    known = row.replace("_", "")
    if asked:
        yield "?"
    for part in set(known):
        yield f"{part}{'?' if asked else '.'}"
        if part in "SWXGAB":
            yield f"{part} strange {min(row.count('_'), 4)}"
    for place, one in enumerate(known):
        for other in known[place + 1 : place + 5]:
            yield f"{one}..{other}"
    for near, gram in ((f"^{known}$", "="), (f"^{row}$", "-")):
        for place in range(len(near) - 1):
            yield f"{gram}{near[place : place + 2]}"
            yield f"{gram}{near[place : place + 3]}"


_WORD = re.compile(r"[a-z]+|\d+|\"")
_ENCLITIC = re.compile(r".{3,}(?:me|nos|mi|ci)")
"""A verb with the writer at its end, in three languages: escribirme, deixem-nos, scrivermi."""

_PART_OF: dict[str, str] = {}
_PART_BY_STEM: dict[str, str] = {}
for _part, _listed in PARTS.items():
    for _one in _listed.split():
        (_PART_BY_STEM if _one[-1] == "*" else _PART_OF).setdefault(_one.rstrip("*"), _part)
_STEM_SIZES = sorted(set(map(len, _PART_BY_STEM)), reverse=True)


def _parts_of(word: str) -> str:
    """The part that a word plays, and I behind it for an enclitic; _ for none, 0 for a number."""
    part = _PART_OF.get(word) or next(
        (found for size in _STEM_SIZES if size <= len(word) and (found := _PART_BY_STEM.get(word[:size]))),
        "0" if word[0].isdigit() else "_",
    )
    return f"{part}I" if part in "WXASR" and _ENCLITIC.fullmatch(word) else part


def _form(shown: str) -> str | None:
    """The form by which a folded message asks to be left alone."""
    told = _QUOTED.sub(" ", shown)
    if not _plain(told):
        told = shown.strip('"“”«»„‘’ ')
    sentences = [(words, end) for words, end in _SENTENCE.findall(told) if _plain(words)]
    clauses = [clause for words, _ in sentences for clause in map(_plain, _CUT.split(words)) if clause]
    if _ends_in_keyword(clauses, sentences):
        return "keyword"
    if _CONTRAST.search(_plain(told)) or any(
        _INVITING.match(one) and _demand(one) is None for one in clauses
    ):
        return None
    for words, end in sentences:
        if "?" in end and not _TAGGED.search(words) and _REQUEST.match(_plain(words)) is None:
            continue
        for clause in {_plain(words): 0, **dict.fromkeys(map(_plain, _CUT.split(words)), 0)}:
            rule = _demand(clause)
            if rule is not None:
                return rule
    return None


def _ends_in_keyword(clauses: list[str], sentences: list[tuple[str, str]]) -> bool:
    """Whether all clauses that say anything are keywords, or the last sentence is a plain one."""
    telling = [clause for clause in clauses if not _NEUTRAL.fullmatch(_unpadded(clause))]
    if telling and all(_is_keyword(one) or _is_keyword(_led(one)) for one in telling):
        return "?" not in sentences[-1][1] or _REQUEST.match(_plain(sentences[-1][0])) is not None
    if not telling or "?" in sentences[-1][1] or _CONTRAST.search(" ".join(clauses)):
        return False
    return _unpadded(clauses[-1]) in _PLAIN or _unpadded(_led(clauses[-1])) in _PLAIN


def _is_keyword(clause: str) -> bool:
    bare = _unpadded(clause)
    near = get_close_matches(bare, _LONG_KEYWORDS, 1, _NEAR) if " " not in bare else []
    return bare in _KEYWORDS or bare.replace(" ", "") in _KEYWORDS or bool(near)


def _led(clause: str) -> str:
    """The clause without what may stand before a demand."""
    start = _LEAD.match(clause + " ")
    return clause if start is None else clause[min(start.end(), len(clause)) :]


def _unpadded(clause: str) -> str:
    return _plain(_FILLER.sub(" ", clause))


def _demand(clause: str) -> str | None:
    """The rule by which a clause is a demand."""
    clause = _TRAIL.sub("", clause)
    lead = len(clause) - len(_led(clause))
    for language, name, first, whole, form in forms():
        for match in form.finditer(clause + " "):
            before = _AGENT.sub(" ", clause[: match.start()]) if match.start() > lead else ""
            if before and (first or _BEFORE[language].search(before)):
                continue
            if _NEGATED.search(clause[: match.start()]):
                continue
            if whole:
                return name
            if _NAMED.search(match[0] + clause[match.end() :]):
                continue
            gaps = " ".join(gap for gap in match.groups() if gap)
            rest = _WIDENING.sub(" ", f"{before} {gaps} {clause[match.end() :]}")
            if _NARROWING[language].search(rest) is None:
                return name
    return None


def _folded(text: str) -> str:
    """Lower case, without accents and marks, with one form of the apostrophe."""
    text = _EMOJI.sub(" ", text.replace("’", "'").replace("`", "'").replace("´", "'").replace("ß", "ss"))
    spread = unicodedata.normalize("NFKD", text.casefold())
    folded = "".join(char for char in spread if not unicodedata.combining(char))
    folded = _SPELT.sub(lambda word: word[0].replace(" ", ""), folded)
    for short, whole in _SHORT.items():
        folded = short.sub(whole, folded)
    return folded


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" '")
