"""What a worker's answers cost: what the owner says, else the public price lists; else nobody knows."""

from __future__ import annotations

from collections.abc import Mapping

from numen.delegate.spend import UNIT, Price
from numen.delegate.types import BackendName, Worker
from numen.kernel import Clock
from numen.models import Card, Usage
from numen.models.prices import VERSION, cost

_SAMPLE = 10_000
"""Tokens that a price is asked for: lists of steps begin far above it (ours)."""

_FREE = frozenset({BackendName.FAKE, BackendName.LOCAL})


class Lists:
    """The price table of the models that Numen knows."""

    def __init__(self, owner: Mapping[str, Mapping[str, float]], clock: Clock) -> None:
        self._owner = owner
        self._clock = clock

    @property
    def version(self) -> str:
        """The version of the table."""
        return VERSION

    def of(self, worker: Worker) -> Price | None:
        """The price of a worker, None where it is not known; the owner's own word counts before any list."""
        if worker.model not in self._owner and worker.backend in _FREE:
            return Price(0, 0)
        card = Card(worker.model, worker.model, "")
        parts = (Usage(input=_SAMPLE), Usage(output=_SAMPLE), Usage(input=_SAMPLE, cached=_SAMPLE))
        costs = [cost(card, one, self._owner, self._clock.now()).micros for one in parts]
        fresh, written, cached = (None if one is None else one * UNIT // _SAMPLE for one in costs)
        if fresh is None or written is None:
            return None
        return Price(fresh, written, fresh if cached is None else cached)
