"""The one place that builds and wires objects: who knows whom."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar, cast

from numen.kernel import Clock, Scope
from numen.settings import Settings, clock

if TYPE_CHECKING:
    from numen.graph import Graph, Progress, Search
    from numen.graph.types import IngestReport
    from numen.ledger import Ledger
    from numen.north import North
    from numen.people import People
    from numen.people.directory import Directory
    from numen.secrets import Secrets
    from numen.store import Store

T = TypeVar("T")

LAZY = {
    "detector": "numen.secrets.detector",
    "directory": "numen.people.directory",
    "filter": "numen.secrets.filter",
    "graph": "numen.graph",
    "handles": "numen.people.handles",
    "keyfile": "numen.people.keyfile",
    "ledger": "numen.ledger",
    "mcp": "numen.surfaces.mcp.mounted",
    "north": "numen.north",
    "people": "numen.people",
    "secrets": "numen.secrets",
    "store": "numen.store",
}
"""What is imported at first use, because its import alone costs time and memory (decision 24)."""


def load(name: str) -> ModuleType:
    """The module behind a name of the lazy table."""
    return importlib.import_module(LAZY[name])


def build(settings: Settings) -> App:
    """The services over the home that `settings` name. Nothing is opened before it is asked for."""
    return App(settings, clock())


class App:
    """Every service, each made once at first use; safe to use from many threads."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self._made: dict[str, object] = {}
        self._lock = threading.RLock()
        self._open = ExitStack()

    @property
    def store(self) -> Store:
        """Where durable state is kept."""
        return self._once("store", self._opened_store)

    @property
    def ledger(self) -> Ledger:
        """What happened."""
        return self._once("ledger", lambda: load("ledger").Ledger(self.store, self.clock))

    @property
    def people(self) -> People:
        """Who is speaking."""
        return self._once("people", self._made_people)

    @property
    def directory(self) -> Directory:
        """Whom we know."""
        return self._once("directory", self._made_directory)

    @property
    def secrets(self) -> Secrets:
        """What must not be seen."""
        return self._once("secrets", self._made_secrets)

    @property
    def graph(self) -> Graph:
        """What the code is."""
        return self._once("graph", lambda: load("graph").Graph(self.settings.home / "brains", self.clock))

    @property
    def search(self) -> Search:
        """Where in the code something is."""
        return self._once("search", lambda: load("graph").Search(self.graph))

    @property
    def north(self) -> North:
        """Where a caller is, and what to do next."""
        return self._once("north", lambda: load("north").North(self.graph, self.search, self.clock))

    @property
    def has_store(self) -> bool:
        """Whether there may be a store, told without making or opening one."""
        if "store" in self._made or self.settings.database_url is not None:
            return True
        return (self.settings.home / "numen.db").exists()

    def ingest(
        self, scope: Scope, place: Path, *, full: bool = False, progress: Progress | None = None
    ) -> IngestReport:
        """Build or refresh the index of the repository at `place`, and record that it was done."""
        report = self.graph.ingest(scope, place, full=full, progress=progress)
        rooms = load("ledger")
        call = self.store.ids.new("ingest")
        event = rooms.Event(
            call,
            rooms.Kind.INGEST_FINISHED,
            "graph",
            call,
            {
                "brain": report.brain.id,
                "full": report.full,
                "files": report.files,
                "parsed": report.parsed,
                "removed": report.removed,
                "nodes": report.nodes,
                "edges": report.edges,
                "ambiguous": report.ambiguous,
                "skipped": sum(report.skipped.values()),
                "problems": len(report.problems),
                "millis": round(report.seconds * 1000),
            },
        )
        with self.store.transaction() as connection:
            self.ledger.record(scope, connection, event)
        return report

    def warm(self) -> None:
        """Open what a first call would have to wait for."""
        _ = (self.people, self.north, self.secrets)

    def close(self) -> None:
        """Let everything go that was opened."""
        self._open.close()

    def _made_people(self) -> People:
        make = cast("type[People]", load("people").People)
        return make(self.store, self.ledger, self.clock, self.settings.home)

    def _made_directory(self) -> Directory:
        make = cast("type[Directory]", load("directory").Directory)
        return make(self.store, self.ledger, self.clock)

    def _made_secrets(self) -> Secrets:
        load("secrets").Bindings(self.settings.home, self.clock).sweep()
        make = cast("type[Secrets]", load("secrets").Secrets)
        return make(self.store, self.ledger, self.clock, self.settings.home, load("detector").find)

    def _opened_store(self) -> Store:
        self.settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        where = self.settings.database_url or self.settings.home
        store = cast("Store", load("store").Store.open(where, self.clock))
        self._open.callback(store.close)
        return store

    def _once(self, name: str, make: Callable[[], T]) -> T:
        with self._lock:
            if name not in self._made:
                self._made[name] = make()
            return cast("T", self._made[name])
