"""Whether the query has anything to do with this code: signals that look at no answer."""

from __future__ import annotations

from math import exp

import numpy as np

from numen.graph.columns import F32
from numen.graph.features import Voices
from numen.graph.fit import Fit


def signals_of(voices: Voices, files: F32) -> dict[str, float]:
    """Each signal 0 to 1.

    `coverage`: share of the query's IDF that the best single chunk holds. `pairs`: share of its word pairs
    that stand side by side anywhere in the tree. `known`: share of its terms that the tree holds.
    `agreement`: the best file's score, 1 when every arm names it first.
    """
    known, paired = voices.asked["file"].known, voices.asked["pair"].known
    share = float(known.mean()) if len(known) else 0.0
    return {
        "coverage": _rounded(float(voices.asked["chunk"].coverage().max(initial=0))),
        "pairs": _rounded(float(paired.mean()) if len(paired) else share),
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
