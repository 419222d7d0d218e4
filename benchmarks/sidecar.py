"""What a turn costs: latency, CPU and bytes of each call of the wire, resident memory, and what idling costs.

    python -m benchmarks.sidecar [--turns 2200] [--calls 200] [--json]
                                 [--peer URL --peer-key KEY --peer-pid PID --peer-owner ID]

Starts `numen up` on a home of its own. The client keeps one connection, as ours does. The server's CPU and
bytes are read from /proc of its process (write_bytes less cancelled ones), so the client's work is not in
them. With a peer's sidecar the calls go to both by turns, and the ratio is printed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

NUMEN = str(Path(sys.executable).with_name("numen"))
IDLE_SECONDS = 10
BARS = {
    "turns/sync": "p50 <= 4 ms, cpu <= 3 ms, <= 64 KiB",
    "context/assemble": "p50 <= 8 ms, p95 <= 15 ms, writes nothing",
    "memory/search": "p50 <= 5 ms",
}
"""From numbers.md and issue 5."""

SYLLABLES = (
    "ba co di fu ge ha jo ki lu ma ne po qui ra se to u ve wi xa yo zu bra cle dri flo gra plu sti tre"
).split()
WORDS = [f"{a}{b}{c}" for a in SYLLABLES for b in SYLLABLES for c in ("", "n", "rt", "l", "st")]
RANKS = [1 / (place + 2) for place in range(len(WORDS))]
"""Words as often as those of a language are: the n-th most common one is said 1/n as often as the first."""


@dataclass(frozen=True)
class Cost:
    """What one kind of call costs, over all its calls."""

    name: str
    calls: int
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    kib: float


class Sidecar:
    """A server that speaks the wire, with its process."""

    def __init__(self, url: str, key: str, pid: int, owner: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
        self._key = key
        self.pid = pid
        self.owner = owner

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One call; raises for anything but success."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        said = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {said[:300]!r}")
        return json.loads(said)

    def cpu(self) -> float:
        """CPU seconds of the process."""
        parts = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def written(self) -> int:
        """Bytes that the process had written to the disk."""
        rows = dict(line.split(": ") for line in Path(f"/proc/{self.pid}/io").read_text().splitlines())
        return int(rows["write_bytes"]) - int(rows["cancelled_write_bytes"])

    def resident(self) -> float:
        """MiB that the process has in memory."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


def sentence(dice: random.Random) -> str:
    """Something that a person might say."""
    return " ".join(dice.choices(WORDS, RANKS, k=dice.randint(8, 24))).capitalize() + "."


def question(dice: random.Random) -> str:
    """What a person might ask: a few words that are neither common nor never said."""
    return f"What about the {' '.join(dice.sample(WORDS[30:1500], 3))}?"


def turn(sidecar: Sidecar, dice: random.Random, number: int) -> Callable[[], object]:
    """A turn as the stock client sends it."""
    body = {
        "identity": {"host_id": "hermes"},
        "context": {
            "session_id": f"bench-{number // 20}",
            "contact_id": sidecar.owner,
            "turn_id": f"bench-{os.getpid()}-{number}",
            "channel_id": "cli",
            "metadata": {"occurred_at": "2026-01-02T03:04:05Z"},
        },
        "user_message": {"role": "user", "content": sentence(dice)},
        "assistant_message": {"role": "assistant", "content": sentence(dice)},
        "model": "bench",
    }
    return lambda: sidecar.call("POST", "/v1/host/turns/sync", body)


def assemble(sidecar: Sidecar, dice: random.Random, number: int) -> Callable[[], object]:
    """The context of a turn."""
    body = {
        "identity": {"host_id": "hermes"},
        "context": {"session_id": f"bench-{number}", "contact_id": sidecar.owner},
        "incoming_message": {"role": "user", "content": question(dice)},
        "include_initiatives": True,
        "inline_chars": 9744,
        "wait_ms": 7500,
        "shown": [],
    }
    return lambda: sidecar.call("POST", "/v1/host/context/assemble", body)


def search(sidecar: Sidecar, dice: random.Random, number: int) -> Callable[[], object]:
    """A search."""
    body = {
        "identity": {"host_id": "hermes"},
        "person_id": sidecar.owner,
        "session_id": f"bench-{number}",
        "query": question(dice),
        "limit": 5,
    }
    return lambda: sidecar.call("POST", "/v1/host/memory/search", body)


CALLS = {"turns/sync": turn, "context/assemble": assemble, "memory/search": search}


def measure(sidecar: Sidecar, name: str, calls: int, first: int, seed: int) -> Cost:
    """`calls` calls of one kind, one after the other."""
    dice = random.Random(seed)
    made = [CALLS[name](sidecar, dice, first + n) for n in range(calls)]
    for one in made[:5]:
        one()
    cpu, written = sidecar.cpu(), sidecar.written()
    times: list[float] = []
    for one in made[5:]:
        began = time.perf_counter()
        one()
        times.append((time.perf_counter() - began) * 1000)
    count = len(times)
    spent, wrote = (sidecar.cpu() - cpu) * 1000 / count, (sidecar.written() - written) / 1024 / count
    times.sort()
    return Cost(name, count, statistics.median(times), times[int(count * 0.95)], spent, wrote)


@contextmanager
def numen(home: Path, *, semantic: bool = True) -> Iterator[Sidecar]:
    """A running Numen on a fresh home; without `semantic` as where that extra is not installed."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("NUMEN_")}
    environ["NUMEN_HOME"] = str(home)
    if not semantic:
        hidden = home.parent / "hidden"
        hidden.mkdir()
        (hidden / "onnxruntime.py").write_text("raise ImportError('hidden by the benchmark')\n")
        environ["PYTHONPATH"] = str(hidden)
    subprocess.run(
        [NUMEN, "init", "--yes", "--owner", "Pat"], env=environ, check=True, stdout=subprocess.DEVNULL
    )
    process = subprocess.Popen(
        [NUMEN, "up", "--port", "0"], env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        line = next(line for line in process.stdout if "http://" in line)
        url = "http" + line.split("http", 1)[1].split()[0]
        key = (home / "api.key").read_text().strip()
        sidecar = Sidecar(url, key, process.pid, "owner")
        for _ in range(100):
            try:
                sidecar.call("GET", "/v1/host/health")
                break
            except (OSError, RuntimeError):
                time.sleep(0.1)
                sidecar = Sidecar(url, key, process.pid, "owner")
        yield sidecar
    finally:
        process.terminate()
        process.wait(20)


def idle(sidecar: Sidecar) -> dict[str, float]:
    """What the process does when nobody asks it anything."""
    cpu, written = sidecar.cpu(), sidecar.written()
    time.sleep(IDLE_SECONDS)
    return {
        "cpu_percent": (sidecar.cpu() - cpu) * 100 / IDLE_SECONDS,
        "bytes_per_second": (sidecar.written() - written) / IDLE_SECONDS,
        "resident_mib": sidecar.resident(),
    }


def run(sidecars: dict[str, Sidecar], turns: int, calls: int) -> dict[str, Any]:
    """Fill every sidecar with `turns` turns, then measure each kind of call by turns."""
    for sidecar in sidecars.values():
        dice = random.Random(1)
        for number in range(turns):
            turn(sidecar, dice, number)()
    report: dict[str, Any] = {"turns": turns, "load": os.getloadavg()[0], "calls": {}, "idle": {}}
    for place, name in enumerate(CALLS):
        for who, sidecar in sidecars.items():
            cost = measure(sidecar, name, calls, turns + place * calls, place)
            report["calls"].setdefault(who, []).append(asdict(cost))
    for who, sidecar in sidecars.items():
        report["idle"][who] = idle(sidecar)
    return report


def show(report: dict[str, Any]) -> None:
    """The report as a table."""
    print(f"{report['turns']} turns stored, load {report['load']:.1f}")
    for who, costs in report["calls"].items():
        print(f"\n{who:<18} {'p50 ms':>8} {'p95 ms':>8} {'cpu ms':>8} {'KiB':>8}  bar")
        for cost in costs:
            numbers = " ".join(f"{cost[key]:8.2f}" for key in ("p50_ms", "p95_ms", "cpu_ms", "kib"))
            print(f"{cost['name']:<18} {numbers}  {BARS[cost['name']]}")
        rest = report["idle"][who]
        print(
            f"idle: {rest['cpu_percent']:.2f} % of a core, {rest['bytes_per_second']:.0f} bytes/s written, "
            f"{rest['resident_mib']:.0f} MiB resident"
        )
    if len(report["calls"]) > 1:
        ours, theirs = report["calls"].values()
        print(
            "\nratio to the peer  "
            + ", ".join(
                f"{mine['name']} {other['p50_ms'] / mine['p50_ms']:.1f}x"
                for mine, other in zip(ours, theirs, strict=True)
            )
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=2200)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--semantic", action="store_true", help="with the extra, where it is installed")
    parser.add_argument("--peer")
    parser.add_argument("--peer-key", default="")
    parser.add_argument("--peer-pid", type=int, default=0)
    parser.add_argument("--peer-owner", default="owner")
    asked = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="numen-sidecar-") as folder,
        numen(Path(folder) / "home", semantic=asked.semantic) as ours,
    ):
        sidecars = {"numen": ours}
        if asked.peer:
            sidecars["peer"] = Sidecar(asked.peer, asked.peer_key, asked.peer_pid, asked.peer_owner)
        report = run(sidecars, asked.turns, asked.calls)
    print(json.dumps(report, indent=1)) if asked.json else show(report)


if __name__ == "__main__":
    main()
