"""Whether the query has anything to do with this code: signals that look at no answer."""

from __future__ import annotations

from collections.abc import Collection
from math import exp

import numpy as np

from numen.graph.bm25 import Asked
from numen.graph.columns import F32
from numen.graph.common import specificity
from numen.graph.features import Voices
from numen.graph.fit import Fit
from numen.graph.query import Query
from numen.graph.types import Ranking

MANY = 3.0
"""Specific words after which more of them say no more."""

GENERIC = 0.3
"""A query whose words weigh less than this all together is made of words that every project uses."""


def signals_of(query: Query, voices: Voices, files: F32) -> dict[str, float]:
    """Each signal, 0 to 1. A word weighs what `specificity` says: little if every project uses it.

    `coverage`: share of the query's weight that the best single definition holds. `met`: weight that the
    best past commit message holds (without a long history, the best definition), in words, up to `MANY`.
    `missing`: weight that no past message (without a long history, no file) holds, likewise. `phrases`:
    share of the IDF of its word pairs that one file holds side by side. `known`: share of its terms that the
    tree holds. `agreement`: the best file's score, 1 when every arm names it first. `literal`: 1 when the
    task names something of the tree outright and nothing else has that name.
    """
    weights = specificity(query.terms)
    total = float(weights.sum())
    chunk, file, pair = (voices.asked[arm] for arm in ("chunk", "file", "pair"))
    told, heard = voices.asked.get("past", chunk), voices.asked.get("past", file)
    known = float(file.known.mean()) if query.keys else 0.0
    return {
        "coverage": _rounded(_most(chunk, weights) / total if total >= GENERIC else 1.0),
        "met": _rounded(_most(told, weights) / MANY),
        "missing": _rounded(float(weights[~heard.known].sum()) / MANY),
        "phrases": _rounded(_most(pair, pair.idf) / float(pair.idf.sum()) if query.pairs else known),
        "known": _rounded(known),
        "agreement": _rounded(float(files.max(initial=0))),
        "literal": _rounded(float(voices.files["literal"].max(initial=0))),
    }


def odds_of(voices: Voices, files: F32, reach: float, fit: Fit) -> dict[str, float]:
    """How sure the first place is, from the scores alone.

    `lead`: the best candidate's share when scores are read as odds; on the repositories of the fit report
    it is about how often the first file was right. `sharpness`: the power by which a score counts.
    """
    sharpness = fit.sharpness * reach
    scores = files[voices.candidates]
    best = float(scores.max(initial=0))
    lead = 1 / float(np.exp(sharpness * (scores - best)).sum()) if best > 0 else 0.0
    return {"lead": _rounded(lead), "sharpness": round(sharpness, 4)}


def captured(ranking: Ranking, paths: Collection[str]) -> float:
    """How likely it is that a right file is among `paths`, of files that `ranking` lists; 0 to 1."""
    if not ranking.files:
        return 0.0
    lead, sharpness = ranking.signals["lead"], ranking.signals["sharpness"]
    best = ranking.files[0].score
    shares = [lead * exp(sharpness * (hit.score - best)) for hit in ranking.files if hit.node.path in paths]
    return _rounded(sum(shares))


def likelihood(signals: dict[str, float], fit: Fit, *, told: bool) -> float:
    """How likely it is that the query is about this tree at all: a logistic of the signals.

    `told`: whether they come from a long history (`Past.tells`).
    """
    weights = fit.match["past" if told else "present"]
    total = weights["bias"] + sum(weights[name] * signals[name] for name in weights if name != "bias")
    return 1 / (1 + exp(-total))


def match_of(signals: dict[str, float], fit: Fit, *, told: bool) -> str:
    """`strong`, `weak` or `none`: where the likelihood stands to the fit's two bars.

    Without a single known term there is nothing to answer with; a thing that is named outright is at least
    a weak match.
    """
    chance = likelihood(signals, fit, told=told)
    bars = fit.match["bars"]
    if signals["known"] == 0:
        return "none"
    if chance < bars["none_below"]:
        return "weak" if signals["literal"] == 1 else "none"
    return "weak" if chance < bars["weak_below"] else "strong"


def _most(asked: Asked, weights: F32) -> float:
    return float(asked.met(weights).max(initial=0))


def _rounded(value: float) -> float:
    return round(float(np.clip(value, 0, 1)), 4)
