"""Measures of recall: the share of a question's evidence among the first rows, over all and by kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.recall_data import ADVERSARIAL, KINDS, Asked

DEPTHS = (1, 5, 10, 25)


def measured(asked: Sequence[Asked], ranked: Sequence[Sequence[str]]) -> dict[str, float]:
    """R@1, 5, 10 and 25, how often all evidence is in the first ten, R@10 by kind, and without the
    questions about the wrong person."""
    share = {
        depth: np.array(
            [len(one.gold & set(row[:depth])) / len(one.gold) for one, row in zip(asked, ranked, strict=True)]
        )
        for depth in DEPTHS
    }
    kinds = np.array([one.kind for one in asked])
    found = {f"recall@{depth}": share[depth].mean() for depth in DEPTHS}
    found["all@10"] = (share[10] == 1).mean()
    for kind, name in KINDS.items():
        if (kinds == kind).any():
            found[f"{name}_recall@10"] = share[10][kinds == kind].mean()
    found["answerable_recall@10"] = share[10][kinds != ADVERSARIAL].mean()
    return {name: round(float(value), 4) for name, value in found.items()}
