"""How deep a model is worth asking, as measured: `fits/cycle.json` in the home, written by `numen cycle fit`.

Numen ships no such fit: what a model gains by thinking longer is that model's, and a number that was not
measured with it is not used (decision 29).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from numen.cycle.types import Arm, Curve, Depth
from numen.kernel import InvalidInput, Json

FILE = Path("fits") / "cycle.json"
"""Below the home."""


def read_curve(home: Path, model: str) -> Curve | None:
    """The curve of `model`; None where none was measured with it.

    Raises `InvalidInput` for a file that is not what `numen cycle fit` writes.
    """
    path = home / FILE
    try:
        given = cast("Mapping[str, Json]", json.loads(path.read_text("utf-8")))
        curve = curve_of(given)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"{path} cannot be read: {type(error).__name__}.",
            not_done="Nothing was thought through.",
            next_step="Write it anew with `numen cycle fit`, or remove it.",
        ) from error
    return curve if curve.model == model else None


def curve_of(given: Mapping[str, Json]) -> Curve:
    """The curve in a fit. Raises `ValueError`, `KeyError`, `TypeError` for what is none.

    Depths of a class rise in tokens: one that costs more than a deeper one is left out of the prefix.
    """
    value = cast("Mapping[str, list[Mapping[str, Json]]]", given["value"])
    classes: dict[str, tuple[Depth, ...]] = {}
    for kind, rows in value.items():
        depths = [Depth(Arm(str(row["arm"])), _count(row["size"]), _count(row["tokens"])) for row in rows]
        if depths != sorted(depths, key=lambda one: (one.tokens, one.size)):
            raise ValueError(f"the depths of {kind} do not rise")
        classes[kind] = tuple(depths)
    return Curve(str(given["model"]), str(given["data_digest"]), classes)


def _count(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("not a count")
    return value
