"""A process with an engine over rows that are files: `python -m tests.work.labourer PLACE FOLDER [BODY]`.

FOLDER/wanted/ID is a row that is wanted; its text says what to do: `hang` never ends, `fail` fails, `quick`
ends at once. What was done is a line in FOLDER/log.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from numen.kernel import SystemClock
from numen.store import Store
from numen.work.durable import DbosDurable
from numen.work.engine import Engine
from numen.work.types import Job, Run


class Rows:
    """The rows of a folder."""

    def __init__(self, folder: Path, body: str) -> None:
        self.wanted_in = folder / "wanted"
        self.wanted_in.mkdir(parents=True, exist_ok=True)
        self.log = folder / "log"
        self.body = body

    def note(self, word: str, run: Run) -> None:
        line = f"{self.body} {word} {run.id} n={run.n} epoch={run.epoch} pid={os.getpid()}\n"
        with self.log.open("a") as file:
            file.write(line)

    def wanted(self) -> list[str]:
        return sorted(path.name for path in self.wanted_in.iterdir() if path.stat().st_size)

    def done(self, identifier: str) -> None:
        (self.wanted_in / identifier).unlink(missing_ok=True)

    async def run(self, run: Run) -> None:
        """What the row says; a second attempt always ends."""
        what = (self.wanted_in / run.id).read_text()
        self.note("began", run)
        if what == "hang" and run.epoch == 1:
            await asyncio.Event().wait()
        if what == "fail":
            raise ValueError("as the row says")
        self.note("ended", run)
        self.done(run.id)

    def failed(self, identifier: str, error: Exception) -> None:
        self.done(identifier)


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def engine(store: Store, home: Path, rows: Rows, at_once: int | None = None) -> Engine:
    made = Engine(store, SystemClock(), home, lambda: DbosDurable, say)
    made.register(Job("row", rows.run, rows.wanted, frozenset({"rows"}), rows.failed, at_once))
    return made


def main(place: str, folder: str, body: str = "first") -> None:
    home = Path(folder)
    with Store.open(place, SystemClock()) as store:
        made = engine(store, home, Rows(home, body))
        held = made.start()
        say("holds" if held else "waits")
        for line in sys.stdin:
            if line.strip() == "look":
                made.poke()
            else:
                break
        made.close()
        say("closed")


if __name__ == "__main__":
    main(*sys.argv[1:])
