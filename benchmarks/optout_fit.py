"""Fits the weights by which an opt-out is told from other messages, to the corpora in view.

`python -m benchmarks.optout_fit [--show]` prints how well weights do that were fitted without a corpus,
or without a language, on what was left out (minutes); `--write` puts those fitted to everything into
`people/weights.py`; `--data FILE` only scores a corpus with the rules as they are. `optout_dev.jsonl` is
what the forms were written for, so there each message is taken twice, with its form and without, at the
weight of three quarters: a form must not count for more than it says of words that nobody has seen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.clues import rows, write
from numen.people.optout import clues, opt_out

CORPORA = tuple(Path(f"tests/corpora/optout_{name}.jsonl") for name in ("dev", "seen", "more"))
WEIGHTS = Path("src/numen/people/weights.py")
RIDGE, STEPS = 2.0, 10
"""The ridge, and the steps of Newton's method, after the last of which nothing moves."""
ENOUGH = 0.9
"""The logit from which a message is an opt-out: above the middle, where few others are."""


@dataclass(frozen=True)
class Case:
    """A message of a corpus, its clues, whether it is an opt-out, and how much it counts."""

    corpus: str
    lang: str
    text: str
    asked: bool
    clues: frozenset[str]
    weight: float


def cases(path: Path) -> list[Case]:
    """The messages of a corpus, those that the forms were written for twice."""
    found: list[Case] = []
    for row in path.read_text("utf-8").splitlines():
        line = json.loads(row)
        seen = frozenset(clues(line["text"])[1])
        shapes = [(seen, 2.0)]
        if path.stem == "optout_dev":
            shapes = [(seen, 0.75), (frozenset(clue for clue in seen if not clue.startswith("form")), 0.75)]
        found += [Case(path.stem, line["lang"], line["text"], line["optout"], *shape) for shape in shapes]
    return found


def fitted(given: Sequence[Case]) -> dict[str, float]:
    """A weight for each clue that is seen often enough."""
    names, told = rows([case.clues for case in given])
    wanted = np.array([1.0 if case.asked else 0.0 for case in given])
    counts = np.array([case.weight for case in given])
    # as many unknowns as messages: the weights are a mix of the messages, which are the fewer
    kernel = told @ told.T
    mix = np.zeros(len(given))
    for _ in range(STEPS):
        logit = kernel @ mix
        chance = 1 / (1 + np.exp(-logit))
        bend = np.maximum(counts * chance * (1 - chance), 1e-9)
        aim = logit + counts * (wanted - chance) / bend
        mix = np.linalg.solve(kernel + 2 * RIDGE * np.diag(1 / bend), aim)
    return dict(zip(names, map(float, told.T @ mix), strict=True))


def rates(given: Sequence[Case], weights: dict[str, float], *, show: bool) -> str:
    """How many opt-outs are heard, and how many others are taken for one."""
    said = [sum(weights.get(clue, 0.0) for clue in case.clues) > ENOUGH for case in given]
    for case, told in zip(given, said, strict=True):
        if show and told != case.asked:
            print(f"   {'false' if told else 'missed'} {case.lang} {case.text!r}", file=sys.stderr)
    return _counted([case.asked for case in given], said)


def _counted(asked: Sequence[bool], said: Sequence[bool]) -> str:
    both = Counter(zip(asked, said, strict=True))
    return (
        f"{both[True, True]} of {both[True, True] + both[True, False]} opt-outs, "
        f"{both[False, True]} of {both[False, True] + both[False, False]} others"
    )


def _left_out(known: Sequence[Case], whole: Sequence[Case], *, show: bool) -> None:
    """Print what weights do on a corpus, or on a language, that they were not fitted to."""
    for corpus in sorted({case.corpus for case in known} - {"optout_dev"}):
        rest = fitted([case for case in known if case.corpus != corpus])
        print(f"without {corpus}: {rates([c for c in whole if c.corpus == corpus], rest, show=show)}")
    for lang in ("en", "de", "fr", "es", "it", "pt"):
        left = [case for case in known if case.lang == lang and case.corpus != "optout_dev"]
        rest = fitted([case for case in known if case.lang != lang])
        print(f"without {lang}: {rates(left, rest, show=False)}")


def main() -> int:
    """Print what the weights do on what they were not fitted to; write them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    options.add_argument("--show", action="store_true")
    options.add_argument("--data", type=Path)
    asked = options.parse_args()
    if asked.data:
        lines = [json.loads(row) for row in asked.data.read_text("utf-8").splitlines()]
        for lang in ("", *sorted({line["lang"] for line in lines})):
            some = [line for line in lines if lang in ("", line["lang"])]
            heard = [opt_out(line["text"]).asked for line in some]
            print(f"{lang or 'all'}: {_counted([line['optout'] for line in some], heard)}")
        return 0
    known = [case for path in CORPORA for case in cases(path)]
    whole = [case for case in known if case.corpus != "optout_dev" or "form" in case.clues or not case.asked]
    if not asked.write:
        _left_out(known, whole, show=asked.show)
    weights = fitted(known)
    print(f"{len(weights)} weights: {rates(known, weights, show=False)} that they were fitted to")
    if asked.write:
        write(WEIGHTS, "_LISTED", "ENOUGH", weights, ENOUGH, 108)
    return 0


if __name__ == "__main__":
    sys.exit(main())
