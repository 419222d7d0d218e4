"""How long a judgement takes: idle, and while two writers store events as fast as they can.

`python -m benchmarks.gate [--calls N] [--json]`. Bars: p95 <= 10 ms idle, <= 20 ms under two writers (mind
contract, Gate). A call is what the guard does: the command is read, judged, and claimed where it is allowed.
The writers are threads of the same process, as in `numen up`, and never rest.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
from contextlib import suppress

from numen.app import App, build
from numen.gate import Autonomy, Call, Decision, Lineage, NotAllowed, Run
from numen.kernel import Scope
from numen.ledger import Event, Kind
from numen.settings import load
from numen.surfaces.household import local_door

BARS = {"idle": 10.0, "two writers": 20.0}
COMMANDS = (
    "ls -la",
    "touch a{}",
    "git status && git diff",
    "curl https://example.com/{}",
    "rm -rf build{}",
    "make test",
)
WRITERS = 2

TURN = "words of a turn " * 40


def write(app: App, scope: Scope, done: threading.Event) -> None:
    """Store one turn after the other, as the server does for a client that never rests."""
    while not done.is_set():
        with app.store.transaction() as connection:
            call = app.store.ids.new("change")
            app.ledger.put_body(scope, connection, TURN)
            app.ledger.record(scope, connection, Event(call, Kind.SECRET_RELEASED, "bench", call, {}))


def timed(app: App, scope: Scope, calls: int, name: str) -> dict[str, float]:
    """Milliseconds of `calls` judgements, each of another call."""
    took: list[float] = []
    for n in range(calls):
        command = COMMANDS[n % len(COMMANDS)].format(n)
        start = time.perf_counter()
        effect = app.gate.effect(Call("terminal", {"command": command}))
        verdict = app.gate.judge(scope, effect, Lineage(f"{name} {n // 25}", Run.MIND, f"{name} {n // 25}"))
        if verdict.decision is Decision.ALLOW:
            with suppress(NotAllowed):
                app.gate.claim(scope, verdict, effect.digest)
        took.append((time.perf_counter() - start) * 1000)
    took.sort()
    return {
        "calls": calls,
        "p50_ms": round(statistics.median(took), 2),
        "p95_ms": round(took[int(0.95 * calls)], 2),
        "max_ms": round(took[-1], 2),
    }


def measured(calls: int) -> dict[str, dict[str, float]]:
    """The table: idle, and with two writers."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMEN_HOME"] = folder
        app = build(load())
        app.people.init(app.people.resolve(local_door()), "Ada")
        scope = app.people.resolve(local_door())
        app.gate.set_level(scope, Autonomy.TRUSTED)
        timed(app, scope, 20, "warm")
        table = {"idle": timed(app, scope, calls, "idle")}
        done = threading.Event()
        writers = [threading.Thread(target=write, args=(app, scope, done)) for _ in range(WRITERS)]
        for writer in writers:
            writer.start()
        try:
            table["two writers"] = timed(app, scope, calls, "busy")
        finally:
            done.set()
            for writer in writers:
                writer.join()
        app.close()
    return table


def main() -> int:
    """Print the table; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    table = measured(asked.calls)
    if asked.json:
        print(json.dumps(table))
    else:
        for name, row in table.items():
            times = f"p50 {row['p50_ms']} ms  p95 {row['p95_ms']} ms  max {row['max_ms']} ms"
            print(f"{name:<12}  calls {row['calls']}  {times}  bar {BARS[name]} ms")
    return int(any(row["p95_ms"] > BARS[name] for name, row in table.items()))


if __name__ == "__main__":
    raise SystemExit(main())
