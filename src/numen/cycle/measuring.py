"""What thinking longer is worth with a model: arms on labelled questions, and the curve that follows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from numen.cycle import fit, lenses, voting
from numen.cycle.prompts import Composer
from numen.cycle.selftest import Echo
from numen.cycle.turning import Asked, Found, Habits, Thinker, Turning
from numen.cycle.types import DEEPEST, Arm, Plan, Why
from numen.kernel import Clock, InvalidInput, Json, NumenError, RoomKey, canonical_bytes, digest

SURE = 1.96
"""Standard deviations of a 95 % interval."""

VOTES = (3, 5, 9, 13)
"""Sizes of votes: as many calls as one to four pairs take without comparisons."""

MECHANISM = ("echo", "scripted")
"""Models that follow a script: with them only the mechanism runs, and no number says anything."""


@dataclass(frozen=True, slots=True)
class Task:
    """A question whose answer is known, of a class in which two answers can be told to be the same."""

    id: str
    question: str
    answer: str

    @property
    def kind(self) -> str:
        """Its class, by its form alone, as a turn would tell it."""
        return voting.kind_of(self.question)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to think: an arm and its size, with or without lenses and the keep-best gate."""

    arm: Arm
    size: int
    lenses: bool = True
    keep_best: bool = True

    @property
    def name(self) -> str:
        """As it stands in a table."""
        return (
            f"{self.arm} {self.size}{'' if self.lenses else ' -lenses'}{'' if self.keep_best else ' -keep'}"
        )


WAYS = (
    Way(Arm.SINGLE, 1),
    *(Way(Arm.VOTE, size) for size in VOTES),
    *(Way(Arm.PAIRS, size) for size in range(1, DEEPEST + 1)),
    Way(Arm.PAIRS, DEEPEST, lenses=False),
    Way(Arm.PAIRS, DEEPEST, keep_best=False),
)
"""What is measured (cycle contract, Honest numbers)."""


@dataclass(frozen=True, slots=True)
class Run:
    """One task in one way: whether it was answered rightly, what it took; `failed`: there was no answer."""

    task: str
    kind: str
    way: Way
    right: bool
    tokens: int
    millis: int
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A way over all tasks of a class; `harm`: right in one call and wrong in this way."""

    way: Way
    kind: str
    tasks: int
    right: int
    low: float
    high: float
    harm: int
    mended: int
    tokens: int
    most: int
    millis: int

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "way": self.way.name, "kind": self.kind, "tasks": self.tasks, "right": self.right,
            "low": round(self.low, 3), "high": round(self.high, 3), "harm": self.harm, "mended": self.mended,
            "tokens": self.tokens, "p95_tokens": self.most, "millis": self.millis,
        }  # fmt: skip


def read_tasks(path: Path) -> tuple[Task, ...]:
    """Labelled tasks, `{"id", "input", "answer"}` a line. Raises `InvalidInput`, for open questions too."""
    tasks: list[Task] = []
    try:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            given = cast("Mapping[str, object]", json.loads(line))
            tasks.append(Task(str(given.get("id", number)), str(given["input"]), str(given["answer"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"{path} does not hold tasks: {type(error).__name__}.",
            not_done="Nothing was measured.",
            next_step='One JSON object a line: {"id", "input", "answer"}.',
        ) from error
    still_open = [task.id for task in tasks if task.kind == voting.OPEN]
    if not tasks or still_open:
        raise InvalidInput(
            f"{len(still_open)} of {len(tasks)} tasks are open questions, whose answers cannot be compared.",
            not_done="Nothing was measured.",
            next_step="Ask for a number, or give options A) B) C).",
        )
    return tuple(tasks)


class _Bare(Echo):
    """Nothing around the model: no state, no retrieval, no tools."""

    def __init__(self, way: Way) -> None:
        super().__init__()
        self._plan = Plan(way.arm, way.size, 0, Why.ASKED)

    def enrich(self, question: str) -> Found:
        """Nothing."""
        return Found()

    def pack(self, question: str) -> tuple[()]:
        """Nothing."""
        return ()


def measure(
    thinker: Thinker,
    tasks: Sequence[Task],
    clock: Clock,
    reply: int,
    ways: Sequence[Way] = WAYS,
    told: Callable[[Run], None] = lambda _: None,
) -> tuple[Run, ...]:
    """Every task in every way, with nothing around the model; the same seed for the same task."""
    runs: list[Run] = []
    for task in tasks:
        seed = int(digest(task.id.encode())[:7], 16)
        draws = lenses.deal(RoomKey("measure", task.id, "").digest(), 1)
        for way in ways:
            run = _run(thinker, task, way, Asked(task.question, seed, draws), clock, reply)
            told(run)
            runs.append(run)
    return tuple(runs)


def table(runs: Iterable[Run]) -> tuple[Row, ...]:
    """Each way over each class: accuracy with its 95 % interval (Wilson), harm, tokens and time."""
    by_way: dict[tuple[str, Way], list[Run]] = {}
    for run in runs:
        by_way.setdefault((run.kind, run.way), []).append(run)
    rows: list[Row] = []
    for (kind, way), found in by_way.items():
        base = {run.task: run.right for run in by_way.get((kind, WAYS[0]), [])}
        right = sum(run.right for run in found)
        low, high = wilson(right, len(found))
        costs = sorted(run.tokens for run in found)
        rows.append(
            Row(
                way,
                kind,
                len(found),
                right,
                low,
                high,
                sum(base.get(run.task, False) and not run.right for run in found),
                sum(not base.get(run.task, True) and run.right for run in found),
                sum(costs) // len(costs),
                costs[math.ceil(0.95 * len(costs)) - 1],
                sum(run.millis for run in found) // len(found),
            )
        )
    return tuple(rows)


def curve(runs: Sequence[Run]) -> dict[str, Json]:
    """By class the ways that pay off, cheapest first: each surely better than the best that costs less.

    So pairs are taken only where they beat a vote of the same cost, and nothing where one call does as well.
    """
    rows = sorted(table(runs), key=lambda row: (row.most, row.way.size))
    chosen: dict[str, Json] = {}
    for kind in sorted({row.kind for row in rows}):
        best, depths = WAYS[0], list[Json]()
        for row in rows:
            plain = row.way.lenses and row.way.keep_best and row.way.arm is not Arm.SINGLE
            if row.kind == kind and plain and surely_better(runs, kind, row.way, best):
                depths.append({"arm": row.way.arm, "size": row.way.size, "tokens": row.most})
                best = row.way
        chosen[kind] = depths
    return chosen


def surely_better(runs: Sequence[Run], kind: str, way: Way, than: Way) -> bool:
    """Whether the 95 % interval of the difference on the same tasks lies above 0."""
    here, there = (
        {run.task: run.right for run in runs if run.kind == kind and run.way == one} for one in (way, than)
    )
    gained = sum(right and not there[task] for task, right in here.items() if task in there)
    lost = sum(there[task] and not right for task, right in here.items() if task in there)
    spread = gained + lost - (gained - lost) ** 2 / max(len(here), 1)
    return gained - lost > SURE * math.sqrt(max(spread, 0.0)) and gained > lost


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = right / of, SURE**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = SURE * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def fitted(model: str, tasks: Sequence[Task], runs: Sequence[Run]) -> dict[str, Json]:
    """A fit as it is kept: value, model, digest of the data, report."""
    data: list[Json] = [[task.id, task.question, task.answer] for task in tasks]
    report: list[Json] = [row.as_json() for row in table(runs)]
    return {
        "schema": "numen-cycle-fit-v1",
        "model": model,
        "data_digest": digest(canonical_bytes(data)),
        "value": curve(runs),
        "report": report,
    }


def keep(home: Path, made: Mapping[str, Json]) -> Path:
    """Write a fit into the home, whole or not at all."""
    path = home / fit.FILE
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(canonical_bytes(dict(made)) + b"\n")
    part.replace(path)
    return path


def _run(thinker: Thinker, task: Task, way: Way, asked: Asked, clock: Clock, reply: int) -> Run:
    composer = Composer("You answer questions.", digest(task.id.encode())[:16], reply)
    habits = Habits(lenses=way.lenses, keep_best=way.keep_best)
    turning = Turning(asked, _Bare(way), thinker, composer, clock, habits)
    began = clock.monotonic()
    try:
        content = turning.run().content
    except NumenError:
        return Run(task.id, task.kind, way, False, turning.spent, _millis(clock, began), failed=True)
    right = voting.normal(task.kind, content) == voting.normal(task.kind, task.answer) != ""
    return Run(task.id, task.kind, way, right, turning.spent, _millis(clock, began))


def _millis(clock: Clock, began: float) -> int:
    return round((clock.monotonic() - began) * 1000)
