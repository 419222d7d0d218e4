"""`numen ingest`: build or refresh an index, with a bar that says how fast and how long yet."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from numen.kernel import Interrupted, Scope
from numen.surfaces.cli.show import show_report
from numen.surfaces.cli.terminal import asked, opened, parsed, write_json
from numen.surfaces.desk import Desk
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
    watch: Annotated[bool, Parameter(help="Then go on, at each change, until Ctrl-C.")] = False,
) -> None:
    """Build or refresh the index of a repository; only what changed is parsed.

    Ctrl-C leaves the last good index.
    """
    place = Path(os.path.realpath(path or os.getcwd()))
    with opened() as desk:
        _once(desk, place, full=full, dump=dump, json=json)
        with suppress(KeyboardInterrupt, Interrupted):
            while watch:
                desk.app.graph.await_change(_scope(desk), place)
                _once(desk, place, full=False, dump=dump, json=json)


def _once(desk: Desk, place: Path, *, full: bool, dump: bool, json: bool) -> None:
    with _bar(shown=sys.stderr.isatty() and not json) as progress:
        answer = asked(desk, "ingest", {"path": str(place), "full": full or None}, progress)
    if dump:
        for line in desk.app.graph.dump(_scope(desk), place):
            sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
    elif json:
        write_json(answer)
    else:
        show_report(parsed(answer))
    sys.stdout.flush()


def _scope(desk: Desk) -> Scope:
    return desk.app.people.resolve(local_door())


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
