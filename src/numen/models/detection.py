"""Models that run on this machine already: Ollama and LM Studio, asked over loopback alone."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from numen.models.presets import PRESETS

LOCAL = ("ollama", "lmstudio")
"""The presets that are looked for."""

PATIENCE = 0.5
"""Seconds: whoever listens on this machine answers in a few milliseconds (ours)."""

LARGEST = 1_000_000
"""Bytes of an answer that are read (ours: a list of a thousand models is a tenth of it)."""


@dataclass(frozen=True, slots=True)
class Running:
    """A server of models on this machine."""

    use: str
    """The preset, or the URL that was asked."""
    models: tuple[str, ...]
    """The ids of what it has."""


def running(places: Sequence[str] = LOCAL) -> Sequence[Running]:
    """Those of `places` (presets or URLs) that answer now; what does not answer is not there."""
    found = ((place, _models(PRESETS[place].url if place in PRESETS else place)) for place in places)
    return [Running(place, models) for place, models in found if models is not None]


def _models(url: str | None) -> tuple[str, ...] | None:
    where = urlsplit(url or "")
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE)
    try:
        line.request("GET", f"{where.path}/models")
        answer = line.getresponse()
        said = cast("object", json.loads(answer.read(LARGEST))) if answer.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        line.close()
    listed = cast("Mapping[str, object]", said).get("data") if isinstance(said, dict) else None
    if not isinstance(listed, list):
        return None
    rows = cast("list[object]", listed)
    ids = (cast("Mapping[str, object]", row).get("id") for row in rows if isinstance(row, dict))
    return tuple(sorted(one for one in ids if isinstance(one, str)))
