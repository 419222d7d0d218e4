"""What runs later: jobs that others declare, and the runs of their rows."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from numen.kernel import Conflict


class Superseded(Conflict):
    """Another run of the same row began since; what this one wanted to write was not written."""

    code: ClassVar[str] = "superseded"


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt to carry out a row. `epoch` grows with every attempt, wherever it is made."""

    job: str
    id: str
    """The row's own id."""
    n: int
    """How many times the row was wanted."""
    epoch: int
    closing: threading.Event = field(default_factory=threading.Event, compare=False)
    """Set when the process is to end: a body on a thread ends soon; one on the loop is cancelled."""

    @property
    def workflow(self) -> str:
        """The id of its workflow."""
        return f"{self.id}:{self.n}"


Body = Callable[[Run], None] | Callable[[Run], Awaitable[None]]
"""What carries out a row: a function, on a thread of its own, or a coroutine, on the engine's loop."""


@dataclass(frozen=True, slots=True)
class Job:
    """Rows of one kind that are carried out by themselves. Registered in `app` before the engine starts.

    The row is the truth: `wanted` reads the ids of those that can go on now, and `run` takes one on from
    where it stands. It is called again after a crash, so all that it does is either repeatable or claimed
    first. A body that must wait for a person ends, and its row is wanted again once it is answered: what
    waits costs nothing. A row whose body has ended without a change is not wanted any more.
    """

    name: str
    """Stable: open runs are found by it after a restart."""
    run: Body
    wanted: Callable[[], Sequence[str]]
    topics: frozenset[str]
    """Touched in the store whenever what is wanted changes."""
    failed: Callable[[str, Exception], None]
    """Told of a fault that left the body: it settles the row, which is not tried again by this process."""
    at_once: int | None = None
    """How many run at the same time, on all machines together; None is no limit and no queue."""


Attempt = Callable[[str, int], str]
"""One attempt at a run, of a row's id and its number; the word says how it ended."""


class Durable(Protocol):
    """What keeps runs across crashes, and shares them out."""

    def launch(self) -> None:
        """Begin, and recover what this executor had begun. Once."""
        ...

    def start(self, job: str, identifier: str, n: int) -> None:
        """Have a run carried out; one that was started already is left as it is."""
        ...

    def resume(self, job: str, identifier: str, n: int) -> None:
        """Have a run carried out again that a dead executor had."""
        ...

    def close(self) -> None:
        """End; what is not done stays open."""
        ...


class MakeDurable(Protocol):
    """Makes a `Durable` at a database `url`, as `executor`, for jobs by name; some have a queue."""

    def __call__(
        self, url: str, executor: str, bodies: Mapping[str, Attempt], queues: Mapping[str, int]
    ) -> Durable:
        """Made, not launched."""
        ...
