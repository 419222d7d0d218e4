"""The one table of verbs: MCP tools, HTTP routes and CLI commands are made from it (decision 20)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from pydantic import Field

from numen.app import App, load
from numen.kernel import Audience, InvalidInput, from_iso
from numen.settings import nearest
from numen.surfaces import errands, house, thinking
from numen.surfaces.nods import ask_json, asks_json
from numen.surfaces.verb import Answer, Arguments, Budget, Call, Reach, Verb, Within
from numen.surfaces.verb import Caller as Caller

if TYPE_CHECKING:
    from numen.graph.types import IngestReport
    from numen.north import NorthRequest


class NorthArguments(Arguments):
    """What `north` takes."""

    task: str = Field(description="what you are about to do, in words")
    agent_id: str | None = Field(None, description="your name")
    top_k: int | None = Field(None, description="1..50, default 8")
    within: Within = None
    tier: str | None = Field(None, description="project | medulla | project+medulla | all-brains")
    caller_root: str | None = Field(None, description="your working directory")
    budget_tokens: int | None = Field(None, description="default 900")
    ascii: bool | None = Field(None, description="draw the card in ASCII")
    working_set: list[str] | None = Field(None, description="paths you will change")
    mutating: bool | None = Field(None, description="false: you only read")


class SeekArguments(Arguments):
    """What `seek` takes."""

    query: str = Field(description="words or identifiers")
    k: int = Field(10, ge=1, le=50, description="how many")
    within: Within = None
    budget_tokens: Budget = None


class ImpactArguments(Arguments):
    """What `impact` takes."""

    symbol: str = Field(description="node id or name")
    direction: Literal["dependents", "dependencies"] = "dependents"
    depth: int = Field(3, ge=1, le=10, description="hops")
    budget_tokens: Budget = None


class IngestArguments(Arguments):
    """What `ingest` takes."""

    repo: str | None = Field(None, alias="path", description="default: the bound repository")
    full: bool = Field(False, description="rebuild from nothing")


class RememberArguments(Arguments):
    """What `remember` takes."""

    text: str = Field(description="one sentence that somebody could check")
    subject: str = Field("", description="whom or what it is about; self: you")
    predicate: str = Field("", description="as lives_in; a newer value supersedes")
    value: str = ""
    confidence: Literal["verified", "stated", "inferred", "unknown"] = "unknown"
    evidence: list[str] = Field(default_factory=list[str], description="path#L1-L9, URL or turn id")
    tier: Literal["project", "medulla"] = Field("medulla", description="project: of this repository")
    everyone: bool = Field(False, description="guests may see it")


class RecallArguments(Arguments):
    """What `recall` takes."""

    query: str = Field(description="a question, in words")
    tier: Literal["project", "medulla"] | None = Field(None, description="claims alone")
    budget_tokens: Budget = None


class ForgetArguments(Arguments):
    """What `forget` takes."""

    ids: list[str] = Field(default_factory=list[str], description="of rows or turns")
    old_text: str | None = Field(None, description="words that stand in it")
    person: str | None = Field(None, description="contact id")
    session: str | None = None
    before: str | None = Field(None, description="ISO time")
    dry_run: bool = Field(False, description="only tell what would go")


class AsksArguments(Arguments):
    """What `asks` takes."""

    action: Literal["list", "answer"] = Field("list", description="list or answer")
    code: str | None = Field(None, description="of the ask")
    answer: Literal["yes", "no"] | None = None
    message: str | None = Field(None, description="the owner's own words: yes or no, and the code")


AnyVerb: TypeAlias = (
    Verb[NorthArguments]
    | Verb[SeekArguments]
    | Verb[ImpactArguments]
    | Verb[IngestArguments]
    | Verb[RememberArguments]
    | Verb[RecallArguments]
    | Verb[ForgetArguments]
    | Verb[AsksArguments]
    | Verb[errands.DelegateArguments]
    | Verb[house.CockpitArguments]
    | Verb[house.MissionArguments]
    | Verb[house.MapArguments]
    | Verb[house.MapChangeArguments]
    | Verb[house.TrustArguments]
    | Verb[house.DriftArguments]
    | Verb[house.PresenceArguments]
    | Verb[thinking.TurnArguments]
)


def _north(app: App, call: Call, asked: NorthArguments) -> Answer:
    return app.north.packet(call.scope, _request(call, asked)).as_json()


def _beat(app: App, call: Call, asked: NorthArguments) -> None:
    """Let others see that the caller is at work here (decision 22)."""
    presence = app.north.presence(call.scope, _request(call, asked))
    if presence is not None:
        app.presences.beat(call.scope, presence)


def _request(call: Call, asked: NorthArguments) -> NorthRequest:
    """What is asked of north. A caller that names itself, or has a session, is a hand: others may meet it."""
    rooms = load("north")
    make = cast("type[NorthRequest]", rooms.NorthRequest)
    root, hand = call.caller.root, None
    if asked.agent_id is not None or call.caller.session:
        hand = rooms.Hand(call.caller.session, tuple(asked.working_set or ()), asked.mutating is not False)
    standing = make(
        task=asked.task,
        agent_id=call.caller.name,
        path=call.place,
        caller_root=None if root is None else str(root),
        hand=hand,
    )
    given = asked.model_dump(exclude_none=True, exclude={"repo", "working_set", "mutating"})
    return replace(standing, **given)


def _seek(app: App, call: Call, asked: SeekArguments) -> Answer:
    found = app.search.seek(
        call.scope,
        call.place,
        asked.query,
        k=asked.k,
        within=asked.within,
        budget_tokens=asked.budget_tokens,
    )
    return found.as_json()


def _impact(app: App, call: Call, asked: ImpactArguments) -> Answer:
    found = app.search.impact(
        call.scope,
        call.place,
        asked.symbol,
        direction=asked.direction,
        depth=asked.depth,
        budget_tokens=asked.budget_tokens,
    )
    return found.as_json()


def _ingest(app: App, call: Call, asked: IngestArguments) -> Answer:
    return report_json(app.ingest(call.scope, call.place, full=asked.full, progress=call.caller.progress))


def _remember(app: App, call: Call, asked: RememberArguments) -> Answer:
    rooms, evidence = load("memory"), load("evidence")
    cited = any("#" in one for one in asked.evidence)
    brain = app.graph.locate(call.place) if cited or asked.tier == "project" else None
    root = None if brain is None else brain.root
    new = rooms.NewClaim(
        asked.text,
        asked.subject,
        asked.predicate,
        asked.value,
        rooms.Confidence(asked.confidence),
        rooms.ClaimTier(asked.tier),
        "" if brain is None else brain.id,
        Audience.EVERYONE if asked.everyone else Audience.OWNER,
        tuple(evidence.read(one, root) for one in asked.evidence),
    )
    done = app.memory.remember(call.scope, new)
    return {"schema": "numen-remember-v1", **done.as_json()}


def _recall(app: App, call: Call, asked: RecallArguments) -> Answer:
    tier, budget = asked.tier, asked.budget_tokens
    brain = app.graph.locate(call.place).id if tier == "project" else None
    if budget is None:
        return app.memory.recall(call.scope, asked.query, tier=tier, brain=brain).as_json()
    found = app.memory.recall(call.scope, asked.query, budget_tokens=budget, tier=tier, brain=brain)
    return found.as_json()


def _forget(app: App, call: Call, asked: ForgetArguments) -> Answer:
    try:
        before = None if asked.before is None else from_iso(asked.before)
    except ValueError:
        raise InvalidInput("`before` is no time with a zone.", not_done="Nothing was forgotten.") from None
    what = load("forgetting").What(tuple(asked.ids), asked.old_text, asked.person, asked.session, before)
    return app.forgetting.forget(call.scope, what, dry_run=asked.dry_run).as_json()


def _asks(app: App, call: Call, asked: AsksArguments) -> Answer:
    if asked.action == "list":
        return asks_json(app, call.scope)
    if asked.code is None or asked.answer is None or asked.message is None:
        raise InvalidInput(
            "An answer needs `code`, `answer` and `message`, the owner's own words.",
            not_done="Nothing was answered.",
        )
    return ask_json(app.asks.answer(call.scope, asked.code, asked.answer == "yes", message=asked.message))


def _turn(app: App, call: Call, asked: thinking.TurnArguments) -> Answer:
    return thinking.turn(app, call, asked, [verb for verb in VERBS if verb.name in thinking.TOOLS])


def report_json(report: IngestReport) -> Answer:
    """An ingest in counts, `problems` named with their sentences."""
    return {
        "schema": "numen-ingest-v1",
        "brain": {
            "id": report.brain.id,
            "root": str(report.brain.root),
            "branch": report.brain.branch,
            "commit": report.brain.commit,
        },
        "files": report.files,
        "parsed": report.parsed,
        "removed": report.removed,
        "nodes": report.nodes,
        "edges": report.edges,
        "ambiguous": report.ambiguous,
        "seconds": round(report.seconds, 3),
        "skipped": dict(sorted(report.skipped.items())),
        "problems": [{"path": path, "text": text} for path, text in report.problems],
        "full": report.full,
    }


VERBS: tuple[AnyVerb, ...] = (
    Verb(
        "north",
        "Orient before touching a repository: is it the right one and fresh, where to start, what is known, "
        "what is not, what next. Read-only.",
        NorthArguments,
        _north,
        read_only=True,
        reach=Reach.INDEXED,
        after=_beat,
    ),
    Verb(
        "seek",
        "Find code by words or identifiers: ranked definitions with their text.",
        SeekArguments,
        _seek,
        read_only=True,
        reach=Reach.INDEXED,
    ),
    Verb(
        "impact",
        "Who depends on a symbol (reverse closure with certainty, tests first). Call before changing it.",
        ImpactArguments,
        _impact,
        read_only=True,
        reach=Reach.INDEXED,
    ),
    Verb(
        "cockpit",
        "The person's menu of a repository: what waits, map, missions, health, trust, memories, drift, who "
        "is at work.",
        house.CockpitArguments,
        house.cockpit,
        read_only=True,
        reach=Reach.INDEXED,
    ),
    Verb(
        "mission",
        "Work handed over in letters: list, show, post. merge_wait rings the person's bell until landed.",
        house.MissionArguments,
        house.mission,
        read_only=False,
        reach=Reach.INDEXED,
    ),
    Verb(
        "ingest",
        "Build or refresh the index of a repository; only changed files are parsed.",
        IngestArguments,
        _ingest,
        read_only=False,
        reach=Reach.BOUND,
    ),
    Verb(
        "remember",
        "Keep a sentence with its evidence: created, duplicate, supersedes, conflicts, or refused with why.",
        RememberArguments,
        _remember,
        read_only=False,
        reach=Reach.INDEXED,
    ),
    Verb(
        "recall",
        "What was said or is known: quotes with who, when, evidence; no rows where nothing answers.",
        RecallArguments,
        _recall,
        read_only=True,
        reach=Reach.INDEXED,
    ),
    Verb(
        "forget",
        "Erase rows and all made of them, for good. Recall first, then name ids.",
        ForgetArguments,
        _forget,
        read_only=False,
        reach=Reach.INDEXED,
    ),
    Verb(
        "turn",
        "Think a message through in its room, as far as its energy reaches; says how and at what cost.",
        thinking.TurnArguments,
        _turn,
        read_only=False,
        reach=Reach.BOUND,
        steps=True,
    ),
    Verb(
        "delegate",
        "Hand a bounded task (read files, write one page) to a cheaper agent: start, then result.",
        errands.DelegateArguments,
        errands.delegate,
        read_only=False,
        reach=Reach.BOUND,
    ),
    Verb(
        "asks",
        "What waits for the owner's nod; pass on the owner's own yes or no.",
        AsksArguments,
        _asks,
        read_only=False,
        reach=Reach.BOUND,
    ),
    Verb(
        "map",
        "The parts of a system as a person ratified them, beside the tree; or their picture.",
        house.MapArguments,
        house.system_map,
        read_only=True,
        reach=Reach.INDEXED,
        mcp=False,
    ),
    Verb(
        "map_change",
        "Propose the parts of a system from its code, ratify or drop them, take a map in. A person ratifies.",
        house.MapChangeArguments,
        house.map_change,
        read_only=False,
        reach=Reach.INDEXED,
        mcp=False,
    ),
    Verb(
        "trust",
        "How often each file had to be mended, counted in git.",
        house.TrustArguments,
        house.trust,
        read_only=True,
        reach=Reach.INDEXED,
        mcp=False,
    ),
    Verb(
        "drift",
        "What moved since a commit or a time: symbols, who depends on them, memories that rest on them.",
        house.DriftArguments,
        house.drift,
        read_only=True,
        reach=Reach.INDEXED,
        mcp=False,
    ),
    Verb(
        "presence",
        "Who is at work in a repository now.",
        house.PresenceArguments,
        house.presence,
        read_only=True,
        reach=Reach.INDEXED,
        mcp=False,
    ),
)
"""Every verb, in the order in which the tools are listed."""


def lookup(name: str) -> AnyVerb:
    """The verb of that name. Raises `InvalidInput` naming the nearest."""
    names = {verb.name: verb for verb in VERBS}
    if name in names:
        return names[name]
    near = nearest(name, names)
    raise InvalidInput(
        f"There is no verb `{name}`.",
        not_done="Nothing was done.",
        next_step=f"Did you mean `{near}`?" if near else f"The verbs are: {', '.join(names)}.",
    )
