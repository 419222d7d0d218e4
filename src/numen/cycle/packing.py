"""Which tools a turn is shown: those that its words are about, within a budget, and none on a guess."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from numen.cycle.types import Packed, ToolDoc
from numen.kernel import Json, canonical_text, tokens
from numen.memory.terms import language, terms

K1, B = 1.2, 0.75
"""Of BM25, as usual (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3.5)."""

SHARE = 0.5
"""Of the words of a question that a tool's description must know before it is shown (ours)."""

_NAME = re.compile(r"(?<=\s)[^\W\d_a-z]\w+")
"""Names within a question are what a tool is asked about, and not what it does."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well a tool fits: its score, the share of the question that it knows, whether it is named there."""

    doc: ToolDoc
    score: float
    share: float
    named: bool


def matches(question: str, docs: Sequence[ToolDoc]) -> tuple[Match, ...]:
    """Every tool by BM25 over name, summary, arguments and examples, the best first, ties by name."""
    asked = dict.fromkeys(_terms(question))
    bags = [Counter(_terms(_words(doc))) for doc in docs]
    mean = sum(bag.total() for bag in bags) / len(bags) if bags else 0.0
    weights = {term: _idf(sum(term in bag for bag in bags), len(bags)) for term in asked}
    about = frozenset(_terms(_NAME.sub(" ", question)))
    said = set(question.casefold().replace("`", " ").replace(",", " ").split())
    found: list[Match] = []
    for doc, bag in zip(docs, bags, strict=True):
        norm = K1 * (1 - B + B * bag.total() / mean) if mean else K1
        score = sum(w * bag[term] * (K1 + 1) / (bag[term] + norm) for term, w in weights.items())
        share = sum(bag[term] > 0 for term in about) / len(about) if about else 0.0
        found.append(Match(doc, score, share, doc.name.casefold() in said))
    return tuple(sorted(found, key=lambda one: (-one.score, one.doc.name)))


def pack(question: str, docs: Sequence[ToolDoc], budget: int, locks: Mapping[str, str]) -> tuple[Packed, ...]:
    """The tools that a question is about, within `budget` tokens; none where none is known to be.

    `locks` says of some tools why they cannot be called now: they are listed all the same.
    """
    packed: list[Packed] = []
    left = budget
    for one in matches(question, docs):
        size = tokens(shown(Packed(one.doc)))
        if one.score > 0 and (one.named or one.share >= SHARE) and size <= left:
            packed.append(Packed(one.doc, locks.get(one.doc.name, "")))
            left -= size
    return tuple(packed)


def locks(docs: Sequence[ToolDoc], level: int, waits: Mapping[str, timedelta]) -> dict[str, str]:
    """Why tools are locked: each that a room has not the energy for, and when it will have it."""
    return {
        doc.name: f"locked: it needs {doc.price} tokens of energy and {max(level, 0)} are left; "
        f"open again in {math.ceil(waits[doc.name].total_seconds())} s"
        for doc in docs
        if doc.price > level
    }


def shown(packed: Packed) -> str:
    """A tool as the model is shown it: one line of JSON."""
    said: dict[str, Json] = {
        "tool": packed.doc.name,
        "does": packed.doc.summary,
        "args": dict(packed.doc.schema),
    }
    if packed.locked:
        said["locked"] = packed.locked
    return canonical_text(said)


def _words(doc: ToolDoc) -> str:
    properties = doc.schema.get("properties")
    parts = [doc.name.replace("_", " "), doc.summary, *doc.examples]
    if isinstance(properties, Mapping):
        for name, about in properties.items():
            parts.append(name)
            if isinstance(about, Mapping) and isinstance(about.get("description"), str):
                parts.append(str(about["description"]))
    return "\n".join(parts)


def _terms(text: str) -> list[str]:
    return terms(text, language(text))


def _idf(holders: int, documents: int) -> float:
    return math.log1p((documents - holders + 0.5) / (holders + 0.5))
