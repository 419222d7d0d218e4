"""`numen ingest`: build or refresh an index, with a bar that says how fast and how long yet."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from numen.app import build
from numen.settings import load
from numen.surfaces.cli.show import show_report
from numen.surfaces.cli.terminal import answered, parsed, write_json
from numen.surfaces.household import local_door

if TYPE_CHECKING:
    from numen.graph import Progress


def ingest(
    path: Annotated[
        Path | None, Parameter(help="A path in the repository; by default where you stand.")
    ] = None,
    /,
    *,
    full: Annotated[bool, Parameter(help="Rebuild from nothing.")] = False,
    dump: Annotated[bool, Parameter(help="Then print the whole index, sorted.")] = False,
    json: Annotated[bool, Parameter(name="--json", help="Print the report as JSON.")] = False,
) -> None:
    """Build or refresh the index of a repository; only what changed is parsed.

    Ctrl-C leaves the last good index.
    """
    place = Path(os.path.realpath(path or os.getcwd()))
    with _bar(shown=sys.stderr.isatty() and not json) as progress:
        answer = answered("ingest", {"path": str(place), "full": full or None}, progress)
    if dump:
        _dump(place)
    elif json:
        write_json(answer)
    else:
        show_report(parsed(answer))


def _dump(place: Path) -> None:
    with closing(build(load())) as app:
        for line in app.graph.dump(app.people.resolve(local_door()), place):
            sys.stdout.write(line if line.endswith("\n") else f"{line}\n")


@contextmanager
def _bar(*, shown: bool) -> Generator[Progress | None]:
    """What is to be told of progress: a bar on stderr, gone when it is done, or nothing."""
    if not shown:
        yield None
        return
    speed = TextColumn("{task.fields[speed]:,.0f} files/s")
    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), speed, TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, speed=0.0)

        def told(done: int, total: int, speed: float) -> None:
            bar.update(task, completed=done, total=total, speed=speed)

        yield told
