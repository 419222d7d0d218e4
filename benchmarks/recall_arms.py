"""What finding is compared with: plain BM25, meaning alone, and itself with fewer signals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from benchmarks.recall_data import Dialogue
from numen.memory import ranking
from numen.memory.terms import terms

SATURATION, LENGTH_SHARE = 1.5, 0.75
"""BM25's k1 and b as they are commonly set."""

BESIDE = 2
"""Neighbours to each side that the second baseline puts to a row, whose own words then count twice."""

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("words of the window", ("win",)),
    ("+ words of the row and its neighbours", ("own", "prev", "next")),
    ("+ who is asked about", ("speaker",)),
    ("+ answers to a question", ("answers",)),
    ("+ is a question itself", ("asks",)),
    ("+ words of time", ("time", "distant", "when_time", "when_distant")),
    ("+ length", ("length", "length_list")),
    ("+ date = words", ("date",)),
    ("+ whole meanings", ("cos", "cos_win", "cos_prev", "cos_next", "cos_answers")),
    (
        "+ meanings part by part = meaning",
        ("parts", "parts_win", "parts_prev", "parts_answers", "parts_least", "parts_win_least"),
    ),
)
"""Signals in the order in which they are added; each step is fitted anew."""


def bm25(dialogue: Dialogue, beside: int) -> list[list[str]]:
    """The rows of a dialogue for each of its questions by BM25, of rows alone or with neighbours."""
    own = [terms(f"{item.speaker} {item.text}", "english") for item in dialogue.items]
    bags: list[Counter[str]] = []
    for place, item in enumerate(dialogue.items):
        bag = Counter(own[place])
        if beside:
            bag.update(own[place])
            for other in range(max(0, place - beside), min(len(own), place + beside + 1)):
                if other != place and dialogue.items[other].session == item.session:
                    bag.update(own[other])
        bags.append(bag)
    common = Counter(term for bag in bags for term in bag)
    sizes = [sum(bag.values()) for bag in bags]
    mean = sum(sizes) / len(sizes)
    ranked: list[list[str]] = []
    for asked in dialogue.asked:
        scores = [0.0] * len(bags)
        for term in set(terms(asked.text, "english")):
            rarity = math.log(1 + (len(bags) - common[term] + 0.5) / (common[term] + 0.5))
            for place, bag in enumerate(bags):
                if count := bag[term]:
                    norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * sizes[place] / mean)
                    scores[place] += rarity * count * (SATURATION + 1) / (count + norm)
        order = sorted(range(len(bags)), key=lambda place: (-scores[place], place))
        ranked.append([dialogue.items[place].id for place in order])
    return ranked


def steps(features: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The steps that can be taken with these features, each with all features up to it."""
    taken: list[str] = []
    found: list[tuple[str, tuple[str, ...]]] = []
    for name, added in STEPS:
        if set(added) <= set(features):
            taken.extend(added)
            found.append((name, tuple(taken)))
    return found


ALONE = {
    "meaning of the row": "cos",
    "meaning with neighbours": "cos_win",
    "parts of the meaning": "parts_win",
}
"""Single features by which the candidates are ranked."""

assert {name for _, added in STEPS for name in added} == {*ranking.WORD_FEATURES, *ranking.MEANING_FEATURES}
