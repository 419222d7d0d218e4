"""The one table of verbs: MCP tools, HTTP routes and CLI commands are made from it (decision 20)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from numen.app import App, load
from numen.kernel import Audience, Forbidden, InvalidInput, Json, Scope, from_iso
from numen.settings import nearest
from numen.surfaces.nods import ask_json, asks_json

if TYPE_CHECKING:
    from numen.graph import Progress
    from numen.graph.types import IngestReport
    from numen.north import NorthRequest
    from numen.people import Speaker
    from numen.people.types import Door


@dataclass(frozen=True, slots=True)
class Caller:
    """Through which door someone calls, under what name, and where they stand.

    `bound` is the repository meant when none is named; `root` is the caller's own working directory where it
    is known. `progress` is told how an ingest goes.
    """

    door: Door
    name: str
    bound: Path
    root: Path | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was let in: on whose behalf, by whom, about which place."""

    scope: Scope
    caller: Caller
    place: Path


class Reach(StrEnum):
    """Which repositories a caller who is not the owner may name; the owner may name any.

    `bound`: the one that this process or the caller's session stands in. `indexed`: also any that the owner
    has had indexed.
    """

    BOUND = "bound"
    INDEXED = "indexed"


class Arguments(BaseModel):
    """The arguments of a verb: unknown names are refused, none is turned into another type."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    repo: str | None = Field(None, description="path in the repository; default: the bound one")


Within = Annotated[str | None, Field(alias="scope", description="path prefix, or light::")]
Budget = Annotated[int | None, Field(ge=0, description="answer size limit")]


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


Answer: TypeAlias = "Mapping[str, Json]"
A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Verb(Generic[A]):
    """One thing that can be asked of Numen, at whatever door."""

    name: str
    summary: str
    arguments: type[A]
    call: Callable[[App, Call, A], Mapping[str, Json]]
    read_only: bool
    reach: Reach
    mcp: bool = True

    def read(self, given: Mapping[str, object]) -> A:
        """`given` as arguments. Raises `InvalidInput` that names the argument, and the nearest known."""
        try:
            return self.arguments.model_validate(given)
        except ValidationError as error:
            raise self._refusal(error) from error

    def answer(
        self, app: App, caller: Caller, speaker: Speaker | None, given: Mapping[str, object]
    ) -> Answer:
        """What the service says to these arguments; the surface adds nothing and takes nothing away."""
        asked = self.read(given)
        scope = app.people.resolve(caller.door, speaker)
        return self.call(app, Call(scope, caller, reached(app, scope, caller, asked.repo, self.reach)), asked)

    def schema(self) -> Mapping[str, Json]:
        """The JSON Schema of the arguments: a top-level object, no titles, in the order of the model."""
        return cast("Mapping[str, Json]", _plain(self.arguments.model_json_schema(by_alias=True)))

    def _refusal(self, error: ValidationError) -> InvalidInput:
        errors = error.errors(include_url=False, include_input=False)
        first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
        name = ".".join(str(part) for part in first["loc"])
        known = [field.alias or key for key, field in self.arguments.model_fields.items()]
        what, next_step = f"`{name}`: {first['msg'].removeprefix('Value error, ')}.", ""
        if first["type"] == "extra_forbidden":
            near = nearest(name, known)
            what = f"`{self.name}` has no argument `{name}`."
            next_step = f"Did you mean `{near}`?" if near else f"It takes: {', '.join(known)}."
        elif first["type"] == "missing":
            what = f"`{self.name}` needs the argument `{name}`."
        return InvalidInput(what, not_done="Nothing was done.", next_step=next_step)


AnyVerb: TypeAlias = (
    Verb[NorthArguments]
    | Verb[SeekArguments]
    | Verb[ImpactArguments]
    | Verb[IngestArguments]
    | Verb[RememberArguments]
    | Verb[RecallArguments]
    | Verb[ForgetArguments]
    | Verb[AsksArguments]
)


def _north(app: App, call: Call, asked: NorthArguments) -> Answer:
    make = cast("type[NorthRequest]", load("north").NorthRequest)
    root = call.caller.root
    standing = make(
        task=asked.task,
        agent_id=call.caller.name,
        path=call.place,
        caller_root=None if root is None else str(root),
    )
    request = replace(standing, **asked.model_dump(exclude_none=True, exclude={"repo"}))
    return app.north.packet(call.scope, request).as_json()


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
        "asks",
        "What waits for the owner's nod; pass on the owner's own yes or no.",
        AsksArguments,
        _asks,
        read_only=False,
        reach=Reach.BOUND,
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


def reached(app: App, scope: Scope, caller: Caller, named: str | None, reach: Reach) -> Path:
    """The path that is meant, absolute; the bound repository where none is named.

    Raises `Forbidden` where the caller may not name it: in the same words whether it exists or not.
    """
    if named is None:
        return caller.bound
    place = _real(caller.bound, named)
    if scope.is_owner or any(_covers(own, place) for own in (caller.bound, caller.root)):
        return place
    if reach is Reach.INDEXED and _is_indexed(app, scope, place):
        return place
    raise Forbidden(
        f"{place} is outside of what this caller may name.",
        not_done="Nothing was read.",
        next_step=f"The owner can run `numen ingest {place}`.",
    )


def _real(bound: Path, named: str) -> Path:
    try:
        place = Path(os.path.realpath(bound / os.path.expanduser(named)))
        with suppress(PermissionError):  # closed or absent is for the service to tell
            place.exists()
    except (ValueError, OSError) as error:
        raise InvalidInput("This cannot be the path of anything.", not_done="Nothing was read.") from error
    return place


def _is_indexed(app: App, scope: Scope, place: Path) -> bool:
    try:
        return app.graph.state(scope, place).condition is not load("graph").IndexCondition.ABSENT
    except InvalidInput:
        return False


def _covers(own: Path | None, place: Path) -> bool:
    return own is not None and place.is_relative_to(os.path.realpath(own))


def _plain(schema: Mapping[str, Json], *, top: bool = True) -> dict[str, Json]:
    """`schema` without what a model does not need: generated titles, null alternatives and null defaults."""
    plain: dict[str, Json] = {}
    for key, value in schema.items():
        if key in {"title", "description"} and top:
            continue
        if key == "title" or (key == "default" and value is None):
            continue
        if key == "properties":
            properties = cast("Mapping[str, Mapping[str, Json]]", value)
            plain[key] = {name: _plain(part, top=False) for name, part in properties.items()}
        elif key == "anyOf":
            parts = cast("Sequence[Mapping[str, Json]]", value)
            plain.update(next(part for part in parts if part.get("type") != "null"))
        else:
            plain[key] = value
    return plain
