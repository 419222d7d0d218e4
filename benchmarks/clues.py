"""What the fits of secrets and of opt-outs share: rows of clues, and weights written into a module."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SEEN, UNIT = 3, 20
"""The fewest times that a clue is seen, and the parts of a logit in which weights are written."""


def rows(cases: Sequence[Set[str]]) -> tuple[list[str], NDArray[np.float64]]:
    """The clues that are seen often enough, and for each case a row of 1 where it has one, else 0."""
    seen = Counter(clue for clues in cases for clue in clues)
    names = sorted(clue for clue, count in seen.items() if count >= SEEN)
    place = {clue: column for column, clue in enumerate(names)}
    told = np.zeros((len(cases), len(names)))
    for row, clues in enumerate(cases):
        told[row, [place[clue] for clue in clues if clue in place]] = 1.0
    return names, told


def write(
    module: Path, table: str, bar: str, weights: Mapping[str, float], enough: float, width: int
) -> None:
    """Put weights into the text `table` of a module, lines of `width`, and what sum is enough into `bar`."""
    whole = {clue: round(weight * UNIT) for clue, weight in weights.items()}
    listed = " ".join(f"{clue.replace(' ', '~')}:{weight}" for clue, weight in whole.items() if weight)
    text = "\n".join(textwrap.wrap(listed, width, break_on_hyphens=False, break_long_words=False))
    code = module.read_text("utf-8")
    code = re.sub(rf'(?<={table} = """\n).*?(?=\n""")', lambda _: text, code, count=1, flags=re.DOTALL)
    code = re.sub(rf"^{bar} = .*$", f"{bar} = {round(enough * UNIT)}", code, flags=re.MULTILINE)
    module.write_text(code, "utf-8")
