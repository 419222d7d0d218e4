"""The numbers that finding uses and did not choose: read from `fits/recall.json`, with their report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature of a row counts, what each feature of a question counts for there being an answer
    (with its `bias`), and the chance under which nothing is given."""

    rank: Mapping[str, float]
    silence: Mapping[str, float]
    floor: float


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
        words=Weights(**value["words"]),
        meaning=Weights(**value["meaning"]),
        model=data["model"],
        data_digest=data["data_digest"],
        report=data["report"],
    )
