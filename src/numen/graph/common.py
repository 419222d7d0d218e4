"""Which words every project uses, counted over many: they tell nothing about whether this one is meant."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import numpy as np

from numen.graph.columns import F32


def specificity(terms: Iterable[str]) -> F32:
    """For each term the share of other projects that do not use it: 1 for a word of few, 0 for one of all."""
    counts, projects = _table()
    return np.array([1 - counts.get(term, 0) / projects for term in terms], dtype=np.float32)


@cache
def _table() -> tuple[dict[str, int], int]:
    value = json.loads(files("numen.graph").joinpath("fits/common.json").read_text("utf-8"))["value"]
    return value["words"], value["repositories"]
