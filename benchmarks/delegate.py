"""What delegating costs: over the bare program, for each cost line, for each kind of answer.

`python -m benchmarks.delegate [ROUNDS]`
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from numen.delegate import extracted, lines
from tests.delegate.rooms import opened

COMMAND = ("cat",)


def main(rounds: int) -> None:
    """Print the three tables."""
    with tempfile.TemporaryDirectory() as place:
        _overhead(Path(place), rounds)
        _lines(Path(place) / "lines")
    _answers()


def _overhead(place: Path, rounds: int) -> None:
    bare: list[float] = []
    ours: list[float] = []
    with opened(place, command=COMMAND) as yard:
        for n in range(rounds):
            began = time.perf_counter()
            subprocess.run(COMMAND, input=b"x" * 1000, capture_output=True, check=True)
            bare.append(time.perf_counter() - began)
            began = time.perf_counter()
            assert yard.run(backend="command", intent=f"Task {n}.").exit == 0
            ours.append(time.perf_counter() - began)
    over = (statistics.median(ours) - statistics.median(bare)) * 1000
    print(
        f"overhead: {over:.1f} ms, median of {rounds} "
        f"(bare {statistics.median(bare) * 1000:.1f}, delegated {statistics.median(ours) * 1000:.1f})"
    )


def _lines(root: Path) -> None:
    root.mkdir()
    for upto in (1_000, 4_000):
        began, cpu = time.perf_counter(), time.process_time()
        for n in range(1_000):
            lines.append(root, {"run_id": str(n), "words": "x" * 400})
        took, spent = time.perf_counter() - began, time.process_time() - cpu
        print(f"cost line {upto}: {took:.3f} ms each, {spent:.3f} ms of CPU")
        for n in range(upto * 2):
            lines.append(root, {"run_id": str(n), "words": "x" * 400})


def _answers() -> None:
    answer = "Here it is:\n" + json.dumps([{"id": n, "text": "a word {and} more"} for n in range(20_000)])
    for size in (len(answer) // 4, len(answer)):
        began = time.process_time()
        extracted(answer[:size] if size == len(answer) else answer[:size] + "]")
        print(f"answer of {size} characters: {(time.process_time() - began) * 1000:.0f} ms of CPU")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
