"""How fast Numen starts, and what it weighs when it has nothing to do.

`python -m benchmarks.start [--runs N] [--json]`: the median and the worst of N runs of each. Every process is
a real one on a home of its own; nothing leaves the machine.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

NUMEN = [str(Path(sys.executable).with_name("numen"))]
BARS = {
    "healthz_seconds": 1.0,
    "readyz_seconds": 2.5,
    "idle_rss_mb": 150.0,
    "help_seconds": 0.25,
    "mcp_first_answer_seconds": 1.5,
    "idle_written_bytes": 0.0,
}
"""What decision 24 and the architecture ask for."""

IDLE_SECONDS = 3.0
"""How long an idle server is watched for writes."""

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


def environment(home: Path) -> dict[str, str]:
    """The environment of a process with a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMEN_")}
    return kept | {"NUMEN_HOME": str(home)}


def help_seconds(home: Path) -> dict[str, float]:
    """From the start of `numen --help` to its end."""
    began, used = time.perf_counter(), sum(os.times()[2:4])
    subprocess.run([*NUMEN, "--help"], env=environment(home), check=True, capture_output=True)
    return {"help_seconds": time.perf_counter() - began, "help_cpu": sum(os.times()[2:4]) - used}


def mcp_seconds(home: Path) -> dict[str, float]:
    """From the start of `numen mcp` to its answer to `initialize`, and what it weighs then."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [*NUMEN, "mcp"], env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        took = time.perf_counter() - began
        seen = psutil.Process(process.pid)
        weight, cpu = seen.memory_info().rss / 1e6, sum(seen.cpu_times()[:2])
        process.stdin.close()
    assert answer["result"]["serverInfo"]["name"] == "numen"
    return {"mcp_first_answer_seconds": took, "mcp_cpu": cpu, "mcp_rss_mb": weight}


def up_seconds(home: Path) -> dict[str, float]:
    """From the start of `numen up` to its first healthy and ready answers; then its weight and its writes."""
    began = time.perf_counter()
    with serving(home) as (process, port):
        seen = psutil.Process(process.pid)
        healthy = waited(port, "/healthz", began)
        healthy_cpu = sum(seen.cpu_times()[:2])
        ready = waited(port, "/readyz", began)
        ready_cpu = sum(seen.cpu_times()[:2])
        time.sleep(1.0)
        before, busy = seen.io_counters().write_bytes, sum(seen.cpu_times()[:2])
        time.sleep(IDLE_SECONDS)
        return {
            "healthz_seconds": healthy,
            "healthz_cpu": healthy_cpu,
            "readyz_seconds": ready,
            "readyz_cpu": ready_cpu,
            "idle_rss_mb": seen.memory_info().rss / 1e6,
            "idle_written_bytes": float(seen.io_counters().write_bytes - before),
            "idle_cpu_percent": 100 * (sum(seen.cpu_times()[:2]) - busy) / IDLE_SECONDS,
        }


@contextmanager
def serving(home: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`numen up` on a free port."""
    process = subprocess.Popen(
        [*NUMEN, "up", "--port", "0"], env=environment(home), stdout=subprocess.PIPE, text=True, cwd=home
    )
    assert process.stdout is not None
    with process:
        try:
            found = re.search(r":(\d+)$", process.stdout.readline().strip())
            assert found, "numen up did not say where it listens"
            yield process, int(found.group(1))
        finally:
            process.terminate()


def waited(port: int, path: str, began: float) -> float:
    """Seconds since `began` until `path` answers 200."""
    while time.perf_counter() - began < 30:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return time.perf_counter() - began
        except OSError:
            pass
        time.sleep(0.01)
    raise TimeoutError(path)


def measured(runs: int) -> dict[str, dict[str, float]]:
    """Median and worst of each number over `runs`; the first run, which compiles, is thrown away."""
    seen: dict[str, list[float]] = {}
    steps: list[Callable[[Path], dict[str, float]]] = [help_seconds, mcp_seconds, up_seconds]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs + 1):
            for step in steps:
                for name, value in step(Path(folder)).items():
                    if number:
                        seen.setdefault(name, []).append(value)
    return {name: {"median": statistics.median(them), "worst": max(them)} for name, them in seen.items()}


def main() -> None:
    """Print what was measured beside its bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measured(options.runs)
    if options.json:
        print(
            json.dumps(
                {"runs": options.runs, "load": os.getloadavg()[0], "bars": BARS, "measured": found},
                sort_keys=True,
            )
        )
        return
    print(
        f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; `_cpu` is processor seconds, which"
    )
    print("wait for nobody: what the wall clock says on a machine with nothing else to do")
    print(f"{'':28}{'median':>10}{'worst':>10}{'bar':>10}")
    for name, numbers in found.items():
        bar = f"{BARS[name]:10.2f}" if name in BARS else f"{'':>10}"
        print(f"{name:28}{numbers['median']:10.3f}{numbers['worst']:10.3f}{bar}")


if __name__ == "__main__":
    main()
