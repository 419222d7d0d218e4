"""What was measured of sufficiency: read from `fits/sufficiency.json`, with its report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

from numen.graph.fit import Fit, localise_fit
from numen.kernel import Json, canonical_bytes, digest
from numen.north.types import SufficiencyState


@cache
def measured() -> Mapping[SufficiencyState, float]:
    """For each state that was measured, how often it was right; see `benchmarks/sufficiency.py`."""
    text = files("numen.north").joinpath("fits/sufficiency.json").read_text("utf-8")
    return read_fit(text, localise_fit())


def read_fit(text: str, ranking: Fit) -> Mapping[SufficiencyState, float]:
    """The shares that the JSON `text` holds; none where they were measured under other ranking weights.

    Raises KeyError when a part is missing.
    """
    told = json.loads(text)
    if told["model"] != weights_of(ranking):
        return {}
    value = cast("dict[str, dict[str, float]]", told["value"])
    return {SufficiencyState(state): said["reliability"] for state, said in value.items()}


def weights_of(ranking: Fit) -> str:
    """A name for the weights of a ranking: the same numbers have the same one."""
    weights: dict[str, Json] = {
        "files": dict(ranking.files),
        "nodes": dict(ranking.nodes),
        "classes": dict(ranking.classes),
        "match": dict(ranking.match),
    }
    return f"localise:{ranking.model}:{digest(canonical_bytes(weights))[:16]}"
