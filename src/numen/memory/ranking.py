"""How well rows answer a question, as numbers: pure arithmetic over what the index gave.

A row is weighed with its neighbours in the same session, whose words count less the farther they stand. They
are put together here, at each question, from what the index holds of single rows: so a row that was forgotten
is in nobody's window. The shapes below are from a study of conversations (R@10 .66 for a row alone, .80 with
its window); what each number is worth was fitted and is in `fits/recall.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numen.memory.questions import Question, Wants
from numen.memory.signals import Marks

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

WORDS_BESIDE = {-4: 0.31, -3: 0.36, -2: 0.43, -1: 0.5, 0: 1.0, 1: 0.4, 2: 0.28, 3: 0.2, 4: 0.14}
"""What a word counts in the window of the row that stands so many rows after it."""

WHOLES_BESIDE = {-2: 0.35, -1: 0.5, 0: 1.0, 1: 0.4, 2: 0.28}
"""The same for the whole meaning of a row."""

PARTS_BESIDE = {-2: 0.8, -1: 0.9, 0: 1.0, 1: 0.85, 2: 0.75}
"""What a part's nearness counts from a neighbour; the best one is taken."""

REACH = max(WORDS_BESIDE)
"""Rows to each side that a window takes in."""

_SATURATION, _LENGTH_SHARE = 1.2, 0.6
"""BM25's k1 and b; flat between .8 and 2.5, and .3 and .75."""

WORD_FEATURES = (
    "win", "own", "prev", "next", "answers", "asks", "speaker", "time", "distant", "when_time",
    "when_distant", "length", "length_list", "date",
)  # fmt: skip
"""What is told of a row without its meaning."""

MEANING_FEATURES = (
    "cos", "cos_win", "cos_prev", "cos_next", "cos_answers", "parts", "parts_win", "parts_prev",
    "parts_answers", "parts_least", "parts_win_least",
)  # fmt: skip
"""What its meaning adds."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Where the terms asked for stand: each time one does, its group, and the row's number and place."""

    group: Longs
    n: Longs
    place: Longs


@dataclass(frozen=True, slots=True)
class Field:
    """The rows that are weighed and their neighbours, by place; `candidate` marks the former.

    `said` is 1 where the person asked about speaks, -1 where another does, 0 where nobody or several are
    asked about. `length` is in terms, `words` in words.
    """

    n: Longs
    place: Longs
    length: Longs
    words: Longs
    marks: Longs
    said: Longs
    candidate: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Corpus:
    """How much there is to search: rows, and their mean length in terms."""

    items: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near rows of the field are to the question in meaning; NaN where a row has none yet.

    `parts` has a row each and a column for each telling part of the question. `spread` is how far the best
    whole stands above all others, in standard deviations.
    """

    whole: Floats
    window: Floats
    parts: Floats
    spread: float


@dataclass(frozen=True, slots=True)
class Weighed:
    """Features of the candidates, one row each in the order of the field, and of the whole question."""

    features: Mapping[str, Floats]
    counts: Mapping[str, Floats]


def proposals(hits: Hits, groups: int, corpus: Corpus, limit: int) -> Longs:
    """The places whose windows hold most of what is asked for, best first. Some may have no row."""
    if not len(hits.n):
        return np.zeros(0, np.int64)
    offsets = np.array(sorted(WORDS_BESIDE), np.int64)
    weights = np.array([WORDS_BESIDE[int(o)] for o in offsets])
    places, which = np.unique((hits.place[:, None] - offsets).ravel(), return_inverse=True)
    cells = np.repeat(hits.group, len(offsets)) * len(places) + which
    window = np.bincount(cells, np.tile(weights, len(hits.n)), groups * len(places)).reshape(groups, -1)
    common = (window > 0).sum(1)
    scores = (window / (window + _SATURATION) * rarity(common, corpus.items)[:, None]).sum(0)
    order = np.lexsort((places, -scores.round(9)))
    return places[order[:limit]]


def rarity(common: Longs, items: int) -> Floats:
    """What a term tells that stands in `common` of so many rows: never negative, most for one in none."""
    seen = np.minimum(common, items)
    return np.log(1 + (items - seen + 0.5) / (seen + 0.5))


class Beside:
    """Who stands so many places from each row of a field, in the same session."""

    def __init__(self, place: Longs) -> None:
        self._at: dict[int, tuple[Longs, NDArray[np.bool_]]] = {}
        for offset in WORDS_BESIDE:
            found = np.searchsorted(place, place + offset)
            found[found == len(place)] = 0
            self._at[offset] = found, place[found] == place + offset

    def __call__(self, values: Floats, offset: int, missing: float = 0.0) -> Floats:
        """The value of the row at `offset` of each row, along the last axis."""
        found, there = self._at[offset]
        return np.where(there, values[..., found], missing)


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a question tell of the rows of a field."""

    own: Floats
    window: Floats
    covered: Floats
    covered_own: Floats
    unseen: float
    mass: float
    date: Floats
    has_date: bool


def weigh_words(
    question: Question, hits: Hits, groups: int, field: Field, corpus: Corpus, beside: Beside
) -> Words:
    """BM25 of each row alone and of its window. Dates do not spread: neighbours have the same."""
    dates = len(question.dates)
    by_n = np.argsort(field.n)
    at = by_n[np.searchsorted(field.n, hits.n, sorter=by_n).clip(max=len(by_n) - 1)]
    there = field.n[at] == hits.n
    cells = hits.group[there] * len(by_n) + at[there]
    counts = np.bincount(cells, minlength=groups * len(by_n)).reshape(groups, len(by_n)).astype(np.float64)
    spread = sum((w * beside(counts, o) for o, w in WORDS_BESIDE.items()), np.zeros_like(counts))
    is_date = np.arange(groups) >= groups - dates
    spread[is_date] = counts[is_date]
    alone, around = _common(hits, groups)
    around[is_date] = alone[is_date]
    rare_own, rare = rarity(alone, corpus.items), rarity(around, corpus.items)
    mean = max(corpus.mean_length, 1.0)
    length = field.length.astype(np.float64)
    lengths = sum((w * beside(length, o) for o, w in WORDS_BESIDE.items()), np.zeros_like(length))
    own = (_saturated(counts, length / mean) * rare_own[:, None]).sum(0)
    window = (_saturated(spread, lengths / mean / sum(WORDS_BESIDE.values())) * rare[:, None]).sum(0)
    mass = max(float(rare[~is_date].sum()), 1e-9)
    return Words(
        own=own,
        window=window,
        covered=((spread[~is_date] > 0) * rare[~is_date, None]).sum(0) / mass,
        covered_own=((counts[~is_date] > 0) * rare_own[~is_date, None]).sum(0)
        / max(float(rare_own[~is_date].sum()), 1e-9),
        unseen=float((alone[~is_date] == 0).mean()) if groups > dates else 0.0,
        mass=mass,
        date=(counts[is_date] > 0).mean(0) if dates else np.zeros(len(field.n)),
        has_date=dates > 0,
    )


def _common(hits: Hits, groups: int) -> tuple[Longs, Longs]:
    """In how many rows each group stands, and in how many windows (those at the ends counted in)."""
    alone = np.bincount(_distinct(hits.group, hits.n), minlength=groups)
    offsets = np.array(sorted(WORDS_BESIDE), np.int64)
    around = np.bincount(
        _distinct(np.repeat(hits.group, len(offsets)), (hits.place[:, None] - offsets).ravel()),
        minlength=groups,
    )
    return alone.astype(np.int64), around.astype(np.int64)


def _distinct(group: Longs, value: Longs) -> Longs:
    """The groups of distinct pairs."""
    if not len(group):
        return group
    order = np.lexsort((value, group))
    group, value = group[order], value[order]
    fresh = np.r_[True, (np.diff(group) != 0) | (np.diff(value) != 0)]
    return group[fresh]


def _saturated(counts: Floats, length: Floats) -> Floats:
    norm = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
    return counts * (_SATURATION + 1) / (counts + norm)


def features(
    question: Question, field: Field, words: Words, near: Nearness | None, beside: Beside
) -> dict[str, Floats]:
    """What speaks for each row of the field."""
    best, best_own = max(words.window.max(), 1e-9), max(words.own.max(), 1e-9)
    own = words.own / best_own
    asked_before = beside(_marked(field, Marks.HAS_QUESTION), -1)
    time, distant = _marked(field, Marks.TIME), _marked(field, Marks.DISTANT)
    when = float(Wants.WHEN in question.wants)
    length = np.log1p(field.words)
    found = {
        "win": words.window / best,
        "own": own,
        "prev": beside(own, -1),
        "next": beside(own, 1),
        "answers": beside(own, -1) * asked_before,
        "asks": _marked(field, Marks.ASKS),
        "speaker": field.said.astype(np.float64),
        "time": time,
        "distant": distant,
        "when_time": when * time,
        "when_distant": when * distant,
        "length": length,
        "length_list": length * float(Wants.LIST in question.wants),
        "date": words.date,
    }
    if near is not None:
        whole, window = _filled(near.whole), _filled(near.window)
        rare = _rare(near.parts)
        parts = np.where(np.isnan(near.parts), np.nanmean(near.parts, 0), near.parts)
        around = _parts_window(parts, beside)
        told = parts @ rare
        found |= {
            "cos": whole,
            "cos_win": window,
            "cos_prev": beside(whole, -1),
            "cos_next": beside(whole, 1),
            "cos_answers": beside(whole, -1) * asked_before,
            "parts": told,
            "parts_win": around @ rare,
            "parts_prev": beside(told, -1),
            "parts_answers": beside(told, -1) * asked_before,
            "parts_least": parts.min(1),
            "parts_win_least": around.min(1),
        }
    return found


SILENCE_WORDS = (
    "covered", "covered_first", "covered_own", "unseen", "window", "window_first", "even", "named",
    "said_first", "said_five", "guess", "yes_no", "date_first", "asked",
)  # fmt: skip
"""What is told of a question without meanings."""

SILENCE_MEANINGS = (
    "cos_win", "cos_first", "cos_win_first", "cos_spread", "parts_win", "parts_spread", "rarest", "left_over",
    "parts_said",
)  # fmt: skip
"""What meanings add."""


def answerability(
    question: Question,
    field: Field,
    words: Words,
    near: Nearness | None,
    found: Mapping[str, Floats],
    beside: Beside,
    scores: Floats,
) -> dict[str, float]:
    """What speaks for an answer being here at all. `scores` are those of the candidates, in field order."""
    rows = np.flatnonzero(field.candidate)
    order = rows[np.argsort(-scores, kind="stable")]
    first, five, three = order[0], order[:5], order[:3]
    odds = np.exp(scores - scores.max())
    odds /= odds.sum()
    told = {
        "covered": float(words.covered[rows].max()),
        "covered_first": float(words.covered[first]),
        "covered_own": float(words.covered_own[rows].max()),
        "unseen": words.unseen,
        "window": float(words.window[rows].max()) / words.mass,
        "window_first": float(words.window[first]) / words.mass,
        "even": float(-(odds * np.log(odds + 1e-12)).sum()),
        "named": float((field.said != 0).any()),
        "said_first": float(field.said[first]),
        "said_five": float(field.said[five].mean()),
        "guess": float(Wants.GUESS in question.wants),
        "yes_no": float(Wants.YES_NO in question.wants),
        "date_first": float(words.date[three].max()),
        "asked": float(len(question.text.split())),
    }
    if near is not None:
        rare = _rare(near.parts)
        parts = np.where(np.isnan(near.parts), np.nanmean(near.parts, 0), near.parts)
        around = _parts_window(parts, beside)
        mine, others = parts[field.said > 0] @ rare, parts[field.said < 0] @ rare
        told |= {
            "cos_win": float(found["cos_win"][rows].max()),
            "cos_first": float(found["cos"][first]),
            "cos_win_first": float(found["cos_win"][first]),
            "cos_spread": near.spread,
            "parts_win": float(found["parts_win"][rows].max()),
            "parts_spread": _spread(found["parts"]),
            "rarest": float(rare.max()),
            "left_over": float((parts.max(0) - around[first]) @ rare),
            "parts_said": float(mine.max() - others.max()) if len(mine) and len(others) else 0.0,
        }
    return told


def weighed(values: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted sum of features; a feature without a weight tells nothing."""
    sums = [weight * values[name] for name, weight in weights.items()]
    return np.sum(sums, axis=0)


def chance(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How likely the question has an answer here; `bias` is the weight of nothing."""
    total = weights["bias"] + sum(w * values[name] for name, w in weights.items() if name != "bias")
    return float(1 / (1 + np.exp(-total)))


def beyond_chance(nearest: float, rows: int, mean: float, deviation: float) -> float:
    """How far the nearest of `rows` rows is nearer than the nearest of as many at random would be, which
    grows with the square root of twice the logarithm of how many there are."""
    return (nearest - mean) / deviation - float(np.sqrt(2 * np.log(1 + rows)))


def window_wholes(place: Longs, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row's meaning with its neighbours', of unit length."""
    total = np.zeros_like(vectors)
    for offset, weight in WHOLES_BESIDE.items():
        found = np.searchsorted(place, place + offset)
        found[found == len(place)] = 0
        there = place[found] == place + offset
        total[there] += np.float32(weight) * vectors[found[there]]
    return total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), np.float32(1e-9))


def nearest_parts(asked: NDArray[np.float32], parts: NDArray[np.float32], sizes: Longs) -> Floats:
    """How near to each asked part the nearest part of each row is; a row has so many of `parts`, in order."""
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    return np.maximum.reduceat(parts @ asked.T, starts, axis=0).astype(np.float64)


def _marked(field: Field, mark: Marks) -> Floats:
    return ((field.marks & int(mark)) > 0).astype(np.float64)


def _filled(values: Floats) -> Floats:
    """A row without a meaning is taken to be as near as rows are on average."""
    return np.where(np.isnan(values), np.nanmean(values), values)


def _rare(parts: Floats) -> Floats:
    """How much each part of the question tells: less, the more rows are near it."""
    distance = np.clip(1 - np.nanmean(parts, 0), 0.01, None)
    return distance / distance.sum()


def _parts_window(parts: Floats, beside: Beside) -> Floats:
    each = [beside(parts.T, offset, -1.0) * weight for offset, weight in PARTS_BESIDE.items()]
    return np.max(each, axis=0).T


def _spread(values: Floats) -> float:
    return float((values.max() - values.mean()) / max(values.std(), 1e-9))
