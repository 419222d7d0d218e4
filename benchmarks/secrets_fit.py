"""Fits the weights by which the detector tells a secret from its sentence, to the corpora in view.

`python -m benchmarks.secrets_fit [--show]` prints how well weights do that were fitted without a corpus, or
without a language, on what was left out; `--write` puts those fitted to everything into the detector.
A value that no shape and no label gives away has clues (`detector.clues`); each clue has a weight: logistic
regression, ridge of `RIDGE`, clues seen fewer than `SEEN` times left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.clues import rows, write
from benchmarks.secrets import CORPORA, TALK, read
from numen.secrets.detector import clues

DETECTOR = Path("src/numen/secrets/detector.py")
RIDGE, STEPS = 1.0, 8
"""The ridge, and the steps of Newton's method, after the last of which nothing moves."""
ENOUGH = 0.0
"""The logit from which a value is a secret: with it precision is .97 on each corpus in view."""


@dataclass(frozen=True)
class Case:
    """A value that only its sentence can tell: where it was seen, its clues, whether it is a secret."""

    corpus: str
    lang: str
    clues: frozenset[str]
    secret: bool
    text: str


def cases(paths: Sequence[Path]) -> list[Case]:
    """Those of the corpora."""
    found: list[Case] = []
    for path in paths:
        for line in read(path):
            spans = set(line.spans)
            found += [
                Case(
                    path.stem,
                    line.lang,
                    frozenset(seen),
                    (start, end) in spans,
                    line.text[start:end] + " | " + line.text,
                )
                for start, end, seen in clues(line.text)
            ]
    for text in Path(TALK).read_text("utf-8").splitlines():
        found += [Case("talk", "", frozenset(seen), False, text) for _, _, seen in clues(text)]
    return found


def fitted(given: Sequence[Case]) -> dict[str, float]:
    """A weight for each clue that is seen often enough."""
    names, told = rows([case.clues for case in given])
    wanted = np.array([1.0 if case.secret else 0.0 for case in given])
    weights = np.zeros(len(names))
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-(told @ weights)))
        slope = told.T @ (chance - wanted) + 2 * RIDGE * weights
        bend = (told.T * (chance * (1 - chance))) @ told + 2 * RIDGE * np.eye(len(names))
        weights -= np.linalg.solve(bend, slope)
    return dict(zip(names, map(float, weights), strict=True))


def rates(given: Sequence[Case], weights: dict[str, float], *, show: bool) -> str:
    """How many of the secrets are told, and how much else."""
    said = [sum(weights.get(clue, 0.0) for clue in case.clues) > ENOUGH for case in given]
    if show:
        for case, told in zip(given, said, strict=True):
            if told != case.secret:
                print(f"   {'false' if told else 'missed'} {case.lang} {case.text!r}"[:200], file=sys.stderr)
    right = sum(told and case.secret for told, case in zip(said, given, strict=True))
    secrets = sum(case.secret for case in given)
    return f"{right} of {secrets} secrets, {sum(said) - right} of {len(given) - secrets} others"


def _left_out(known: Sequence[Case], *, show: bool) -> None:
    """Print what weights do on a corpus, or on a language, that they were not fitted to."""
    for corpus in sorted({case.corpus for case in known}):
        rest = fitted([case for case in known if case.corpus != corpus])
        print(f"without {corpus}: {rates([c for c in known if c.corpus == corpus], rest, show=show)}")
    for lang in ("en", "de", "fr", "es", "it", "pt"):
        rest = fitted([case for case in known if case.lang != lang])
        print(f"without {lang}: {rates([c for c in known if c.lang == lang], rest, show=False)}")


def main() -> int:
    """Print what the weights do on what they were not fitted to; write them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    options.add_argument("--show", action="store_true")
    options.add_argument("--data", type=Path, action="append", default=[])
    asked = options.parse_args()
    known = cases([*map(Path, CORPORA), *asked.data])
    if not asked.write:
        _left_out(known, show=asked.show)
    weights = fitted(known)
    print(f"{len(weights)} weights: {rates(known, weights, show=False)} that they were fitted to")
    if asked.write:
        write(DETECTOR, "_WEIGHED", "_ENOUGH", weights, ENOUGH, 106)
    return 0


if __name__ == "__main__":
    sys.exit(main())
