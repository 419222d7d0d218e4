"""Fitting what finding uses: a softmax over the candidates of each question, and a logistic for silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Matrix = NDArray[np.float64]

L2 = 3.0
"""Penalty on standardised weights, chosen among 3, 10 and 30 by leaving one fitting dialogue out."""

SILENCED = 0.042
"""Share of answerable questions that may be silenced in fitting; the bar is .05 on other dialogues."""


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one question as rows of features, and which of them hold its evidence."""

    dialogue: str
    rows: Matrix
    right: NDArray[np.bool_]


def fit_ranking(cases: Sequence[Case], names: Sequence[str]) -> dict[str, float]:
    """Weights under which the right candidates of each question come first; each question counts the same."""
    used = [case for case in cases if case.right.any()]
    rows = np.concatenate([case.rows for case in used])
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    rows = (rows - middle) / spread
    sizes = np.array([len(case.rows) for case in used])
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    owner = np.repeat(np.arange(len(used)), sizes)
    wanted = np.concatenate([case.right / case.right.sum() for case in used])

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        scores = rows @ weights
        top = np.maximum.reduceat(scores, starts)
        odds = np.exp(scores - top[owner])
        total = np.add.reduceat(odds, starts)
        logs = scores - top[owner] - np.log(total)[owner]
        slope = rows.T @ (odds / total[owner] - wanted)
        return float(-(wanted * logs).sum() + L2 * weights @ weights / 2), slope + L2 * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x / spread
    return {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)}


def fit_silence(
    own: Sequence[Mapping[str, float]], strange: Sequence[Mapping[str, float]], names: Sequence[str]
) -> tuple[dict[str, float], float]:
    """Weights that tell a dialogue's own questions from strange ones, and the chance under which to be
    silent. Both kinds count the same as a whole."""
    rows = np.array([[one[name] for name in names] for one in (*own, *strange)])
    truth = np.r_[np.ones(len(own)), np.zeros(len(strange))]
    heavy = np.r_[np.ones(len(own)), np.full(len(strange), len(own) / max(len(strange), 1))]
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    rows = np.c_[(rows - middle) / spread, np.ones(len(rows))]
    held = np.r_[np.full(len(names), 10.0), 0.0]

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        chance = 1 / (1 + np.exp(-(rows @ weights)))
        likely = np.where(truth == 1, chance, 1 - chance)
        cost = -(heavy * np.log(likely + 1e-12)).sum() + (held * weights * weights).sum() / 2
        return float(cost), rows.T @ (heavy * (chance - truth)) + held * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x
    scaled = found[:-1] / spread
    weights = {name: round(float(weight), 4) for name, weight in zip(names, scaled, strict=True)}
    weights["bias"] = round(float(found[-1] - middle @ scaled), 4)
    sums = np.array([[one[name] for name in names] for one in own]) @ scaled + weights["bias"]
    chances = 1 / (1 + np.exp(-sums))
    return weights, round(float(np.quantile(chances, SILENCED)), 4)
