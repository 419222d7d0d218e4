"""The numbers that finding uses and did not choose: read from `fits/recall.json`, with their report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Near:
    """How near in meaning a row must be to be an answer by that alone: farther above the nearest of as many
    rows at random than `margin` of `deviation`, where rows at random are at `mean`."""

    mean: float
    deviation: float
    margin: float


@dataclass(frozen=True, slots=True)
class Silence:
    """What each feature of a question counts for there being an answer (with its `bias`), and the chance
    under which nothing is given, unless a row is `near`."""

    weights: Mapping[str, float]
    floor: float
    near: Near | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a row counts, and when to be silent: where a question names someone who speaks,
    and where it names nobody."""

    rank: Mapping[str, float]
    named: Silence
    plain: Silence


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights for finding by words alone, and by words and meaning.

    `model` names what tells the meanings that `meaning` was fitted with: with another the weights say
    nothing. `data_digest` names the data, `report` says how good the numbers are.
    """

    words: Weights
    meaning: Weights
    model: str
    data_digest: str
    report: Mapping[str, object]


@cache
def recall_fit() -> Fit:
    """The fit that this version of Numen ships."""
    return read_fit(files("numen.memory").joinpath("fits/recall.json").read_text("utf-8"))


def read_fit(text: str) -> Fit:
    """The fit that the JSON `text` holds. Raises KeyError when a part is missing."""
    data = json.loads(text)
    value = data["value"]
    return Fit(
        words=_weights(value["words"]),
        meaning=_weights(value["meaning"]),
        model=data["model"],
        data_digest=data["data_digest"],
        report=data["report"],
    )


def _weights(data: Mapping[str, Any]) -> Weights:
    return Weights(data["rank"], _silence(data["named"]), _silence(data["plain"]))


def _silence(data: Mapping[str, Any]) -> Silence:
    near = data["near"]
    return Silence(data["weights"], data["floor"], None if near is None else Near(**near))
