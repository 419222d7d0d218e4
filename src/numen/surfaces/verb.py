"""What a verb is: arguments, one service call, who may name which repository, at whatever door."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Generic, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from numen.app import App, load
from numen.kernel import Forbidden, InvalidInput, Json, NumenError, Scope
from numen.settings import nearest

if TYPE_CHECKING:
    from numen.graph import Progress
    from numen.people import Speaker
    from numen.people.types import Door


@dataclass(frozen=True, slots=True)
class Caller:
    """Through which door someone calls, under what name, and where they stand.

    `bound` is the repository meant when none is named; `root` is the caller's own working directory where it
    is known. `progress` is told how an ingest goes. `session` names the lasting session of an agent, empty
    where a call stands for itself. `step` is told of each step of a turn (number, of how many, name), and may
    end it by raising.
    """

    door: Door
    name: str
    bound: Path
    root: Path | None = None
    progress: Progress | None = None
    session: str = ""
    step: Callable[[int, int, str], None] | None = None


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

Answer: TypeAlias = "Mapping[str, Json]"
A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Verb(Generic[A]):
    """One thing that can be asked of Numen, at whatever door.

    `after` is done once the answer is made, where this process may write: a read itself writes nothing.
    """

    name: str
    summary: str
    arguments: type[A]
    call: Callable[[App, Call, A], Mapping[str, Json]]
    read_only: bool
    reach: Reach
    mcp: bool = True
    after: Callable[[App, Call, A], None] | None = None
    steps: bool = False
    """Whether it goes by steps of which a caller may be told, and whether its arguments name a room."""

    def read(self, given: Mapping[str, object]) -> A:
        """`given` as arguments. Raises `InvalidInput` that names the argument, and the nearest known."""
        try:
            return self.arguments.model_validate(given)
        except ValidationError as error:
            raise self._refusal(error) from error

    def answer(
        self,
        app: App,
        caller: Caller,
        speaker: Speaker | None,
        given: Mapping[str, object],
        *,
        may_write: bool = True,
    ) -> Answer:
        """What the service says to these arguments; the surface adds nothing and takes nothing away."""
        asked = self.read(given)
        scope = app.people.resolve(caller.door, speaker)
        call = Call(scope, caller, reached(app, scope, caller, asked.repo, self.reach))
        said = self.call(app, call, asked)
        if self.after is not None and may_write:
            with suppress(NumenError):  # the answer is made; what comes after is advisory
                self.after(app, call, asked)
        return said

    def run(self, app: App, call: Call, given: Mapping[str, object]) -> Answer:
        """What the service says to these arguments, in a call that was let in."""
        return self.call(app, call, self.read(given))

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
