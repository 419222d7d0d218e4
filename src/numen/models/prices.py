"""What an answer costs: what the provider says, else what the owner says, else the public price lists.

The lists are those of the package `genai-prices`, which follows the providers' pages; its version is the
version of our table. A model that neither knows has no price, and no number is made up for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import genai_prices

from numen.models.types import Card, Usage

VERSION = f"genai-prices {genai_prices.__version__}"
"""Which lists a price is by."""

MICROS = 1_000_000
"""Millionths of a dollar; also tokens that a price of the owner's is for."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer cost."""

    micros: int | None
    """Millionths of a US dollar; None is unknown."""
    source: str
    """`provider`, `settings`, `free` (it runs on this machine), a version of the lists, or `unknown`."""


def cost(card: Card, usage: Usage, owner: Mapping[str, Mapping[str, float]], at: datetime) -> Cost:
    """What `usage` cost with this model at that moment.

    `owner` is the section `model.prices`: dollars for a million tokens, `input`, `output`, `cached`, by the
    model's id or by its shown name.
    """
    if usage.cost_micros is not None:
        return Cost(usage.cost_micros, "provider")
    for name in (card.name, card.model):
        if name in owner:
            return Cost(_by(owner[name], usage), "settings")
    if card.place == "here":
        return Cost(0, "free")
    asked = genai_prices.Usage(
        input_tokens=usage.input, output_tokens=usage.output, cache_read_tokens=usage.cached
    )
    try:
        found = genai_prices.calc_price(
            asked, card.model, provider_api_url=card.place, genai_request_timestamp=at
        )
    except LookupError:
        return Cost(None, "unknown")
    return Cost(round(found.total_price * MICROS), VERSION)


def _by(prices: Mapping[str, float], usage: Usage) -> int:
    """Dollars for a million tokens are millionths of a dollar for one."""
    fresh = usage.input - usage.cached
    dear = prices.get("input", 0.0)
    return round(
        fresh * dear + usage.cached * prices.get("cached", dear) + usage.output * prices.get("output", 0.0)
    )
