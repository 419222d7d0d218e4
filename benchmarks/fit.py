"""Fit what can be fitted, and say how good it is: `python -m benchmarks.fit REPO...`.

Prints `fits/localise.json`. Each repository is asked twice: its newest questions are for validation, the
ones before them, of an older state, for training. The weights of files and nodes stay round numbers set by
hand: the report says what fitted ones would have done. Fitted is the logistic that tells questions about a
tree from questions about another, with its bars; measured is how often each state of sufficiency was right.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.localise_bench import TOP_K, Bench, strange_questions
from benchmarks.localise_cases import git
from benchmarks.localise_measures import auroc, share
from numen.graph.corpus import Corpus
from numen.graph.features import FILE_FEATURES, listen
from numen.graph.fit import Fit, localise_fit
from numen.graph.query import read_query
from numen.graph.rank import weighed
from numen.graph.signals import captured, signals_of
from numen.graph.types import FileClass
from numen.kernel import digest

Matrix = NDArray[np.float64]

SIGNALS = ("coverage", "met", "missing", "phrases", "agreement")
FILES = tuple(name for name in FILE_FEATURES if name not in ("area", "literal"))
STRANGERS = 12
"""Questions that each other repository lends."""

SILENCED = 0.045
"""Share of a tree's own questions that the lower bar may silence on the training half."""

DOUBTED = 0.1
"""Share of them that may be called weak or silent."""

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97)
"""Where the bins of `lead` and `captured` begin."""


@dataclass(frozen=True, slots=True)
class State:
    """What one answer said of itself, whether its first place is right, and whether any place shown is."""

    state: str
    lead: float
    captured: float
    first: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question's candidate files: features, which are right, and the sums that the shipped fit gives."""

    features: Matrix
    right: NDArray[np.bool_]
    shipped: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Half:
    """One repository at one state: its own questions and those of others, as numbers."""

    repository: str
    own: Matrix
    strange: Matrix
    own_blind: Matrix
    strange_blind: Matrix
    ranked: list[Ranked]
    states: list[State]


def name_of(repository: Path) -> str:
    """What a repository is called in the report: its folder, or the one above a folder called `repo`."""
    folder = repository.resolve()
    return (folder.parent if folder.name == "repo" else folder).name.removesuffix(".git").replace("+", "/")


def half(repository: Path, others: Sequence[Path], last: int, skip: int) -> Half:
    """Ask one repository its own questions and the others'."""
    with tempfile.TemporaryDirectory(prefix="numen-fit-") as home:
        bench = Bench(repository, Path(home), last, skip)
        corpus, blind = Corpus(bench.snapshot), Corpus(bench.snapshot)
        blind.past = None
        own = [case.text for case in bench.cases]
        strange = [text for other in others for text in _lent(other)]
        return Half(
            name_of(repository),
            _signals(corpus, own),
            _signals(corpus, strange),
            _signals(blind, own),
            _signals(blind, strange),
            [_features(corpus, bench, i) for i in range(len(bench.cases))],
            [_state(bench, i) for i in range(len(bench.cases))],
        )


@cache
def _lent(repository: Path) -> list[str]:
    return strange_questions(repository, STRANGERS)


def _signals(corpus: Corpus, texts: Sequence[str]) -> Matrix:
    rows: list[list[float]] = []
    for text in texts:
        query = read_query(text)
        voices = listen(corpus, query)
        found = signals_of(query, voices, weighed(corpus, voices, localise_fit()).files)
        rows.append([found[name] for name in SIGNALS])
    return np.array(rows).reshape(len(rows), len(SIGNALS))


def _features(corpus: Corpus, bench: Bench, i: int) -> Ranked:
    voices = listen(corpus, read_query(bench.cases[i].text))
    scores = weighed(corpus, voices, localise_fit())
    files = np.flatnonzero(corpus.of_class(FileClass.SOURCE))
    return Ranked(
        features=np.stack([voices.files[name][files] for name in FILES], axis=1).astype(np.float64),
        right=np.isin(files, [bench.snapshot.files.index(path) for path in bench.cases[i].files]),
        shipped=scores.files[files].astype(np.float64) * scores.reach,
    )


def _state(bench: Bench, i: int) -> State:
    case = bench.cases[i]
    sufficiency = bench.packet(case.text).sufficiency
    ranking = bench.rank(case.text)
    paths = [hit.node.path for hit in ranking.hits[:TOP_K]]
    return State(
        state=sufficiency.state.value if sufficiency else "absent",
        lead=ranking.signals["lead"],
        captured=captured(ranking, set(paths)),
        first=bool(paths) and paths[0] in case.files,
        shown=any(path in case.files for path in paths),
    )


def logistic(own: Matrix, strange: Matrix, l2: float = 1.0) -> NDArray[np.float64]:
    """Weights and, last, the bias; both classes weigh the same, features are standardised for the penalty."""
    rows, truth = np.concatenate([own, strange]), np.r_[np.ones(len(own)), np.zeros(len(strange))]
    weight = np.r_[np.full(len(own), 1.0), np.full(len(strange), len(own) / len(strange))]
    mean, sd = rows.mean(0), rows.std(0) + 1e-9
    scaled = np.c_[(rows - mean) / sd, np.ones(len(rows))]

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        chance = 1 / (1 + np.exp(-(scaled @ w)))
        cost = -(weight * np.log(np.where(truth == 1, chance, 1 - chance) + 1e-12)).sum()
        penalty = np.r_[w[:-1], 0]
        return cost + l2 * (penalty**2).sum() / 2, scaled.T @ (weight * (chance - truth)) + l2 * penalty

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B").x
    plain = found[:-1] / sd
    return np.r_[plain, found[-1] - (plain * mean).sum()]


def chance(rows: Matrix, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The likelihood of each row."""
    return 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))


def choice(ranked: Sequence[Ranked], l2: float = 1.0) -> NDArray[np.float64]:
    """Conditional logit: the weights, none below 0, under which right files are most likely chosen."""

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        cost, slope = l2 * (w**2).sum() / 2, l2 * w
        for one in ranked:
            scores = one.features @ w
            odds = np.exp(scores - scores.max())
            cost -= np.log(odds[one.right].sum() / odds.sum())
            slope = slope - (odds * one.right / odds[one.right].sum() - odds / odds.sum()) @ one.features
        return cost, slope

    bounds = [(0, None)] * len(FILES)
    return minimize(loss, np.ones(len(FILES)), jac=True, method="L-BFGS-B", bounds=bounds).x


def sharpness(ranked: Sequence[Ranked]) -> float:
    """The power under which the shipped sums' odds are most likely right, in steps of a twentieth."""

    def cost(power: float) -> float:
        lost = 0.0
        for one in ranked:
            odds = np.exp(power * (one.shipped - one.shipped.max()))
            lost -= float(np.log(odds[one.right].sum() / odds.sum()))
        return lost

    return min((round(step / 20, 2) for step in range(4, 61)), key=cost)


def places(ranked: Sequence[Ranked], weights: Sequence[float] | None = None) -> dict[str, float]:
    """any@1, any@5 and MRR of files in the order of a weighted sum, or of the shipped one."""
    ranks: list[int] = []
    for one in ranked:
        scores = one.shipped if weights is None else one.features @ np.array(weights)
        ranks.append(int(np.flatnonzero(one.right[np.argsort(-scores, kind="stable")])[0]))
    return {
        "any@1": share([rank < 1 for rank in ranks]),
        "any@5": share([rank < 5 for rank in ranks]),
        "mrr": round(float(np.mean([1 / (rank + 1) for rank in ranks])), 3),
    }


def fitted(train: Sequence[Half], check: Sequence[Half], shipped: Fit, data: str) -> dict[str, object]:
    """The fit file, from the training half, with a report from the validation half."""
    match: dict[str, dict[str, float]] = {}
    report: dict[str, object] = {"questions": {"train": _count(train), "validation": _count(check)}}
    bars: dict[str, float] = {}
    for name, own, strange in (("past", "own", "strange"), ("present", "own_blind", "strange_blind")):
        weights = logistic(_joined(train, own), _joined(train, strange))
        match[name] = {key: round(float(w), 3) for key, w in zip((*SIGNALS, "bias"), weights, strict=True)}
        mine, theirs = (chance(_joined(check, part), weights) for part in (own, strange))
        if name == "past":
            low, doubtful = np.quantile(chance(_joined(train, own), weights), [SILENCED, DOUBTED])
            bars = {"none_below": round(float(low), 3), "weak_below": round(float(doubtful), 3)}
        report[f"match, {name}"] = {
            "auroc": auroc(list(mine), list(theirs)),
            "own silent": share(list(mine < bars["none_below"])),
            "strange silent": share(list(theirs < bars["none_below"])),
            "own weak or silent": share(list(mine < bars["weak_below"])),
            "strange weak or silent": share(list(theirs < bars["weak_below"])),
        }
    report |= _ordering(train, check)
    states = [state for one in check for state in one.states]
    report["sufficiency"] = _reliability(states, [one.state for one in states])
    report["lead"] = _reliability(states, [_bin(one.lead) for one in states])
    report["captured"] = _reliability(states, [_bin(one.captured) for one in states])
    value = {
        "files": dict(shipped.files),
        "second": shipped.second,
        "sharpness": sharpness([row for one in train for row in one.ranked]),
        "nodes": dict(shipped.nodes),
        "classes": dict(shipped.classes),
        "spoken": shipped.spoken,
        "match": match | {"bars": bars},
    }
    return {
        "value": value,
        "model": "weights by hand; match by logistic regression (L2 1, classes balanced)",
        "data_digest": data,
        "report": report,
    }


def _ordering(train: Sequence[Half], check: Sequence[Half]) -> dict[str, object]:
    learned = choice([row for one in train for row in one.ranked])
    checked = [row for one in check for row in one.ranked]
    return {
        "files, shipped": places(checked),
        "files, shipped, by repository": {one.repository: list(places(one.ranked).values()) for one in check},
        "files, all weights 1": places(checked, [1.0] * len(FILES)),
        "files, fitted weights": places(checked, list(learned)),
        "fitted weights": {name: round(float(w), 2) for name, w in zip(FILES, learned, strict=True)},
    }


def _bin(value: float) -> str:
    return f"from {max(edge for edge in EDGES if edge <= value)}"


def _reliability(states: Sequence[State], names: Sequence[str]) -> dict[str, object]:
    """By name: how many answers, how often the first place was right, and how often any shown was."""
    grouped: dict[str, list[State]] = {}
    for name, state in zip(names, states, strict=True):
        grouped.setdefault(name, []).append(state)
    return {
        name: {
            "n": len(rows),
            "first": share([row.first for row in rows]),
            "shown": share([row.shown for row in rows]),
        }
        for name, rows in sorted(grouped.items())
    }


def _joined(halves: Sequence[Half], part: str) -> Matrix:
    return np.concatenate([getattr(one, part) for one in halves])


def _count(halves: Sequence[Half]) -> dict[str, int]:
    return {one.repository: len(one.own) for one in halves} | {
        "strange": sum(len(one.strange) for one in halves)
    }


def main() -> None:
    """Read the command line, fit, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit", description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument(
        "--strangers", type=Path, nargs="*", default=[], help="further sources of strange questions"
    )
    parser.add_argument("--last", type=int, default=60)
    arguments = parser.parse_args()
    repositories: list[Path] = arguments.repositories
    pool = [*repositories, *arguments.strangers]

    def halves(skip: int) -> list[Half]:
        return [
            half(one, [other for other in pool if other != one], arguments.last, skip) for one in repositories
        ]

    heads = "\n".join(git(one, "rev-parse", "HEAD").strip() for one in pool)
    made = fitted(halves(arguments.last), halves(0), localise_fit(), digest(heads.encode()))
    print(json.dumps(made, indent=2))


if __name__ == "__main__":
    main()
