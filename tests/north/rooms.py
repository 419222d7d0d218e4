"""The house over a store of either database: missions, presences, maps, the cockpit; and callers of it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from numen.graph import BrainId, Graph, Search
from numen.kernel import Audience, FixedClock, RoomKey, Scope, Via
from numen.ledger import Ledger
from numen.memory import Memory
from numen.memory import Search as Finding
from numen.memory.projects import Projects
from numen.north import North
from numen.north.cockpit import Cockpit
from numen.north.health import Health
from numen.north.lookout import Lookout
from numen.north.maps import Maps, MapView
from numen.north.missions import Missions
from numen.north.presences import Presences
from numen.north.remembered import Remembered
from numen.north.survey import Survey
from numen.people.directory import Directory
from numen.secrets import Secrets
from numen.secrets.detector import find
from numen.store import Store

MOMENT = datetime(2026, 3, 10, 16, 30, tzinfo=UTC)
ROOM = RoomKey("owner", "s", "cli")
OWNER = Scope("owner", True, ROOM, Audience.OWNER, Via.CLI, True)
AGENT = Scope("owner", True, ROOM, Audience.OWNER, Via.MCP, False)
"""An agent that speaks for the owner: the owner by right, and no person."""
KEY = Scope(f"key_TEST_{1:026d}", False, RoomKey("", "", "k"), Audience.EVERYONE, Via.MCP, False)
OTHER_KEY = Scope(f"key_TEST_{2:026d}", False, RoomKey("", "", "l"), Audience.EVERYONE, Via.MCP, False)
STRANGER = Scope("stranger", False, RoomKey("", "", "x"), Audience.EVERYONE, Via.MCP, False)


@dataclass(frozen=True)
class House:
    """Everything of north over one store and one folder of indexes."""

    store: Store
    clock: FixedClock
    ledger: Ledger
    graph: Graph
    memory: Memory
    missions: Missions
    presences: Presences
    maps: Maps
    survey: Survey
    north: North
    cockpit: Cockpit

    def brain(self, root: Path) -> BrainId:
        return self.graph.locate(root)

    def ingest(self, root: Path) -> None:
        self.graph.ingest(OWNER, root)

    def propose(self, root: Path) -> MapView:
        return self.maps.propose(OWNER, self.brain(root), self.graph.open(OWNER, root))

    def ratify(self, root: Path, *ids: str, scope: Scope = OWNER) -> MapView:
        return self.maps.ratify(scope, self.brain(root), self.graph.open(OWNER, root), ids)

    def view(self, root: Path) -> MapView:
        return self.maps.view(OWNER, self.brain(root), self.graph.open(OWNER, root))


@contextmanager
def house_over(store: Store, home: Path) -> Generator[House]:
    """The house over `store`, its clock standing at `MOMENT`."""
    clock = FixedClock(MOMENT)
    ledger = Ledger(store, clock)
    graph = Graph(home / "brains", clock)
    finding = Finding(store)
    directory = Directory(store, ledger, clock, "UTC")
    projects = Projects(store, clock, finding)
    missions, presences = Missions(store, ledger, clock), Presences(store, clock)
    maps, survey = Maps(store, ledger, clock, graph), Survey(graph, projects)
    lookout = Lookout(store, missions, maps, presences)
    yield House(
        store,
        clock,
        ledger,
        graph,
        Memory(store, ledger, clock, Secrets(store, ledger, clock, home, find), finding, directory),
        missions,
        presences,
        maps,
        survey,
        North(graph, Search(graph), clock, memory=Remembered(projects), lookout=lookout),
        Cockpit(graph, ledger, missions, maps, presences, survey, Health(graph, store, ledger, clock, home)),
    )
