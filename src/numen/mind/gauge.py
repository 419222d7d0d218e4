"""What the mind tells a turn of how things stand: what went wrong of late, as far as it is felt."""

from __future__ import annotations

from collections.abc import Sequence

from numen.cycle import Signal
from numen.kernel import Scope
from numen.mind.service import Mind

SHOWN = 5
"""Concerns that a turn is told of, the weightiest (ours)."""

PART = 1_000
"""Salience is told in parts of it."""


class Failures:
    """The open concerns of the mind, each with what is left of its salience."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def read(self, scope: Scope) -> Sequence[Signal]:
        """The owner's alone."""
        if not scope.is_owner:
            return ()
        rows = self._mind.concerns(scope)[:SHOWN]
        return tuple(Signal("concern", round(left * PART), one.id) for one, left in rows)
