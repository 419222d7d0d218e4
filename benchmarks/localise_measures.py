"""How good a ranked list is, and how sure one can be of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

DRAWS = 2000


@dataclass(slots=True)
class Tally:
    """Ranks of the first right answer, and shares of right answers found, over many questions."""

    ranks: list[int | None] = field(default_factory=list)
    recalls: list[tuple[float, float, float]] = field(default_factory=list)

    def add(self, answer: Sequence[str], right: Collection[str]) -> None:
        """Count one question."""
        self.ranks.append(next((i for i, one in enumerate(answer) if one in right), None))
        found = [sum(one in right for one in answer[:k]) / len(right) for k in (1, 5, 10)]
        self.recalls.append((found[0], found[1], found[2]))

    def report(self) -> dict[str, float]:
        """any@k: a right answer among the first k; recall@k: the share of right answers there; MRR."""
        if not self.ranks:
            return {"n": 0}
        numbers: dict[str, float] = {"n": len(self.ranks)}
        for k in (1, 5, 10):
            numbers[f"any@{k}"] = share([rank is not None and rank < k for rank in self.ranks])
        for place, k in enumerate((1, 5, 10)):
            numbers[f"recall@{k}"] = round(float(np.mean([row[place] for row in self.recalls])), 3)
        numbers["mrr"] = round(float(np.mean(self.reciprocal())), 3)
        return numbers

    def reciprocal(self) -> list[float]:
        """For each question one over the rank of the first right answer, 0 where there is none."""
        return [0.0 if rank is None else 1 / (rank + 1) for rank in self.ranks]


def share(flags: Sequence[bool]) -> float:
    """How many of `flags` hold, as a share."""
    return round(sum(flags) / len(flags), 3) if flags else 0.0


def interval(differences: Sequence[float], seed: int = 7) -> tuple[float, float]:
    """The 95 % paired bootstrap interval of the mean of `differences`, one a question."""
    values = np.array(differences)
    drawn = np.random.default_rng(seed).choice(values, size=(DRAWS, len(values))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return round(float(low), 3), round(float(high), 3)


def auroc(own: Sequence[float], strange: Sequence[float]) -> float:
    """How often a question about this tree scores above one about another; ties count half."""
    mine, theirs = np.array(own)[:, None], np.array(strange)[None, :]
    return round(float(np.mean((mine > theirs) + 0.5 * (mine == theirs))), 3)


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    return {
        "p50": round(float(np.percentile(values, 50)), 2),
        "p95": round(float(np.percentile(values, 95)), 2),
    }
