"""`python -m benchmarks.cycle`: what deliberation costs, what the drift check finds, what depth is worth.

Without `--model` it prints the cost of the machinery with the echo model, and the drift check on seeded
mutations; no accuracy. With one (as NUMEN_MODEL takes it) it asks public tasks of the package
`reasoning-gym`, or of `--tasks FILE`, in every way of `cycle.measuring.WAYS`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.cycle_mutations import scored
from numen.app import App, build
from numen.cycle import Ask, measuring
from numen.cycle.types import Step
from numen.settings import load
from numen.surfaces.household import local_door

SETS = (
    "chain_sum",
    "basic_arithmetic",
    "gcd",
    "lcm",
    "number_sorting",
    "prime_factorization",
    "count_primes",
)
"""Generators of reasoning-gym whose answer is one number are taken; the others are passed over."""

SEED = 20_260_301


class NoTools:
    """No tools."""

    def docs(self) -> tuple[()]:
        """None."""
        return ()

    def check(self, intent: object) -> None:
        """Nothing."""

    def run(self, intent: object) -> str:
        """Nothing."""
        return ""


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="as NUMEN_MODEL takes it: PRESET:MODEL, or URL#MODEL")
    parser.add_argument("--tasks", type=Path, help="labelled tasks instead of reasoning-gym's")
    parser.add_argument("--each", type=int, default=30, help="tasks of each generator")
    given = parser.parse_args()
    drift()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMEN_HOME"] = folder
        os.environ["NUMEN_MODEL"] = given.model or "echo"
        app = build(load())
        try:
            overhead(app) if given.model is None else worth(app, given.tasks, given.each)
        finally:
            app.close()
    return 0


def drift() -> None:
    """The drift check on seeded mutations."""
    precision, recall, by_kind = scored(SEED)
    print(f"drift check: precision {precision:.2f}, recall {recall:.2f} (seed {SEED})")
    for kind, (told, of) in sorted(by_kind.items()):
        print(f"  {kind:<16} {told}/{of}")


def overhead(app: App) -> None:
    """Processor time a step with the echo model: a turn of one pass through the real services, 50 times."""
    scope = app.people.resolve(local_door())
    question = Ask("What did Ada say about the red house in Berlin?")
    app.cycle.turn(scope, question, NoTools())
    rounds: list[float] = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(10):
            app.cycle.turn(scope, question, NoTools())
        rounds.append((time.process_time() - began) / 10 / len(Step) * 1000)
    print(f"machinery with the echo model: {min(rounds):.2f} ms of processor a step (best of 5 rounds of 10)")
    print("The echo model follows a script: no accuracy is printed. Give --model to measure one.")


def worth(app: App, path: Path | None, each: int) -> None:
    """Every way on every task, and what the fit would be."""
    tasks = measuring.read_tasks(path) if path is not None else tuple(generated(each))
    scope = app.people.resolve(local_door())
    done = 0

    def told(run: measuring.Run) -> None:
        nonlocal done
        done += 1
        sys.stderr.write(f"\r{done}/{len(tasks) * len(measuring.WAYS)} {run.way.name:<20}")

    made, place = app.cycle.fit(scope, tasks, told)
    print(f"\nmodel {made['model']}, {len(tasks)} tasks, data {str(made['data_digest'])[:16]}")
    if place is None:
        print("It follows a script: the mechanism ran, and no accuracy is printed.")
        return
    print("| class | way | right | 95 % | harm | mended | tokens | ms |\n|---|---|---|---|---|---|---|---|")
    for row in made["report"]:  # type: ignore[union-attr]
        share = f"{row['low']:.2f}-{row['high']:.2f}"
        cost = f"{row['harm']} | {row['mended']} | {row['tokens']} | {row['millis']}"
        print(f"| {row['kind']} | {row['way']} | {row['right']}/{row['tasks']} | {share} | {cost} |")
    print(f"what would be used: {made['value']}")


def generated(each: int) -> list[measuring.Task]:
    """Tasks of reasoning-gym, by fixed seeds; those whose form or answer is no number are passed over."""
    try:
        gym = importlib.import_module("reasoning_gym")
    except ImportError:
        sys.exit("pip install reasoning-gym, or give --tasks FILE")
    found: list[measuring.Task] = []
    for name in SETS:
        for number, row in enumerate(gym.create_dataset(name, size=each, seed=SEED)):
            question = f"{row['question'].strip()}\nCalculate it and end with the number alone."
            task = measuring.Task(f"{name}-{number}", question, str(row["answer"]).strip())
            if task.kind == "number" and task.answer.lstrip("-").replace(".", "", 1).isdigit():
                found.append(task)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
