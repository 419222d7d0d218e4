"""What the house tells a caller beside the code: who waits, who is at work, whether the map holds."""

from __future__ import annotations

from dataclasses import dataclass

from numen.north.blocks import MapSign
from numen.north.types import Gap, GapCode


@dataclass(frozen=True, slots=True)
class Signs:
    """`bell` counts missions whose head is merge_wait; `map` is None where none was made.

    `gaps` are the sentences: a collision, the bell, a map that differs.
    """

    bell: int = 0
    map: MapSign | None = None
    gaps: tuple[Gap, ...] = ()

    def said(self, code: GapCode) -> str | None:
        """The sentence of one of its gaps, None while it is quiet."""
        return next((each.text for each in self.gaps if each.code is code), None)


NO_SIGNS = Signs()
"""Nothing to tell."""
