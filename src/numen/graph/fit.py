"""The numbers that ranking uses and did not choose: read from `fits/localise.json`, with their report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights by feature, and what is known of where they come from.

    `spoken` is what a test or document weighs where the task speaks of such. `second` is what the
    second-best definition of a file is worth beside the best, were it as good.
    `sharpness` turns differences of weighted sums into odds. `match` holds a logistic for trees with history
    (`past`) and without (`present`), and its `bars`. `model` says what was fitted and what was set by hand,
    `data_digest` names the data (None where there was none), `report` says how good the numbers are.
    """

    files: Mapping[str, float]
    nodes: Mapping[str, float]
    second: float
    sharpness: float
    classes: Mapping[str, float]
    spoken: float
    match: Mapping[str, Mapping[str, float]]
    model: str
    data_digest: str | None
    report: Mapping[str, object]


@cache
def localise_fit() -> Fit:
    """The fit that this version of Numen ships."""
    return read_fit(files("numen.graph").joinpath("fits/localise.json").read_text("utf-8"))


def read_fit(text: str) -> Fit:
    """The fit that the JSON `text` holds. Raises KeyError when a part is missing."""
    data = json.loads(text)
    value = data["value"]
    return Fit(
        files=value["files"],
        nodes=value["nodes"],
        second=value["second"],
        sharpness=value["sharpness"],
        classes=value["classes"],
        spoken=value["spoken"],
        match=value["match"],
        model=data["model"],
        data_digest=data["data_digest"],
        report=data["report"],
    )
