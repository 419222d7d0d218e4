"""Whether the query has anything to do with this code: signals that look at no answer."""

from __future__ import annotations

from math import exp

import numpy as np

from numen.graph.columns import F32
from numen.graph.corpus import Corpus
from numen.graph.fit import Fit
from numen.graph.query import Query


def signals_of(corpus: Corpus, query: Query, files: F32) -> dict[str, float]:
    """Each signal 0 to 1.

    `coverage`: share of the query's IDF that the best single chunk holds. `pairs`: share of its word pairs
    that stand side by side anywhere in the tree. `known`: share of its terms that the tree holds.
    `agreement`: the best file's score, 1 when every arm names it first.
    """
    known = [corpus.files.postings.df(key) > 0 for key in query.keys]
    paired = [corpus.pairs.postings.df(key) > 0 for key in query.pairs]
    share = sum(known) / len(known) if known else 0.0
    return {
        "coverage": _rounded(float(corpus.chunks.coverage(query.keys).max(initial=0))),
        "pairs": _rounded(sum(paired) / len(paired) if paired else share),
        "known": _rounded(share),
        "agreement": _rounded(float(files.max(initial=0))),
    }


def likelihood(signals: dict[str, float], fit: Fit) -> float:
    """How likely it is that the query is about this tree at all: a logistic of three signals."""
    names = ("coverage", "pairs", "known")
    total = fit.match["bias"] + sum(fit.match[name] * signals[name] for name in names)
    return 1 / (1 + exp(-total))


def match_of(signals: dict[str, float], fit: Fit) -> str:
    """`strong`, `weak` or `none`: where the likelihood stands to the fit's two bars."""
    chance = likelihood(signals, fit)
    if chance < fit.match["none_below"]:
        return "none"
    return "weak" if chance < fit.match["weak_below"] else "strong"


def _rounded(value: float) -> float:
    return round(float(np.clip(value, 0, 1)), 4)
