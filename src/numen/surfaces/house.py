"""The verbs of the house beside the code: cockpit, missions, the map, trust, drift, presences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, cast

from pydantic import Field

from numen.app import App, load
from numen.kernel import InvalidInput, Json, NotFound, Unavailable
from numen.surfaces.verb import Answer, Arguments, Call, Within

if TYPE_CHECKING:
    from numen.graph import BrainId, Snapshot
    from numen.north.letters import Gate, Phase


class CockpitArguments(Arguments):
    """What `cockpit` takes."""

    select: str = Field("0", description="0: the menu; 3: a slot; 3.2: its item; 3.2.1: a part")
    seen_store_version: str | None = Field(None, description="of your last answer")


class MissionArguments(Arguments):
    """What `mission` takes."""

    action: Literal["list", "tray", "show", "post"] = Field(
        "list", description="tray: what waits for a person"
    )
    mission: str | None = Field(None, description="its name; letters, digits, - and _")
    phase: (
        Literal["judging", "executing", "gate", "review", "merge_wait", "landed", "failed", "archived"] | None
    ) = Field(None, description="merge_wait needs gate, landed needs receipt")
    text: str = ""
    head: str | None = Field(None, description="the letter that yours follows; none opens a mission")
    title: str = ""
    gate: dict[str, object] | None = Field(None, description="{command, exit_status, artifact_hash}")
    receipt: str | None = Field(None, description="the commit that landed")
    agent_id: str | None = Field(None, description="your name")
    before: int | None = Field(None, ge=1, description="show letters before this number")


class MapArguments(Arguments):
    """What `map` takes."""

    action: Literal["show", "picture"] = Field("show", description="picture: as SVG")


class MapChangeArguments(Arguments):
    """What `map_change` takes."""

    action: Literal["propose", "ratify", "drop", "import"]
    ids: list[str] = Field(
        default_factory=list[str], description="blocks; none: all candidates, or all to drop"
    )
    name: str | None = Field(None, description="of the one block that is ratified")
    purpose: str | None = Field(None, description="what that block is for")
    file: dict[str, object] | None = Field(None, description="a map as `show` gives it")
    any_branch: bool = Field(False, description="take a map of another branch")


class TrustArguments(Arguments):
    """What `trust` takes."""

    within: Within = None
    limit: int = Field(20, ge=1, le=500, description="how many files")


class DriftArguments(Arguments):
    """What `drift` takes."""

    since: str | None = Field(None, description="commit, tag, or ISO time; default: HEAD")
    limit: int = Field(20, ge=1, le=200, description="how many symbols")


class PresenceArguments(Arguments):
    """What `presence` takes."""


def cockpit(app: App, call: Call, asked: CockpitArguments) -> Answer:
    """The menu, or what lies at `select`."""
    return app.cockpit.menu(call.scope, call.place, asked.select, seen_store_version=asked.seen_store_version)


def mission(app: App, call: Call, asked: MissionArguments) -> Answer:
    """Missions as they stand, one with its letters, or a mission after a letter was posted."""
    brain = app.graph.locate(call.place).id
    rooms = load("letters")
    if asked.action in {"list", "tray"}:
        phases = tuple(rooms.Phase) if asked.phase is None else (rooms.Phase(asked.phase),)
        if asked.action == "tray":
            phases = (rooms.Phase.MERGE_WAIT,)
        found = app.missions.missions(call.scope, brain, phases)
        return {"schema": _MISSIONS, "missions": [one.as_json() for one in found]}
    if asked.mission is None:
        raise InvalidInput("`mission`: which one is not said.", not_done="Nothing was done.")
    if asked.action == "show":
        one, letters = app.missions.letters(call.scope, brain, asked.mission, before=asked.before)
        return {"schema": _MISSION, **one.as_json(), "last": [letter.as_json() for letter in letters]}
    if asked.phase is None:
        raise InvalidInput("`phase`: a letter says where the mission stands.", not_done="Nothing was posted.")
    new = rooms.NewLetter(
        asked.mission,
        cast("Phase", rooms.Phase(asked.phase)),
        asked.text,
        asked.agent_id or call.caller.name,
        asked.head,
        asked.title,
        _gate(asked.gate),
        asked.receipt,
    )
    return {"schema": _MISSION, **app.missions.post(call.scope, brain, new).as_json()}


def system_map(app: App, call: Call, asked: MapArguments) -> Answer:
    """The map, or its picture."""
    brain = app.graph.locate(call.place)
    snapshot, why = _snapshot(app, call, brain)
    view = app.maps.view(call.scope, brain, snapshot, why)
    if asked.action == "picture":
        return {"schema": "numen-map-picture-v1", "svg": load("picture").drawn(view)}
    return view.as_json()


def map_change(app: App, call: Call, asked: MapChangeArguments) -> Answer:
    """The map after what was asked of it."""
    brain = app.graph.locate(call.place)
    snapshot, why = _snapshot(app, call, brain)
    if asked.action == "import":
        if asked.file is None:
            raise InvalidInput("`file`: there is no map to take.", not_done="The map was not changed.")
        given = cast("Json", asked.file)
        return app.maps.read(call.scope, brain, snapshot, given, any_branch=asked.any_branch).as_json()
    if asked.action == "drop":
        return app.maps.drop(call.scope, brain, snapshot, asked.ids).as_json()
    if snapshot is None:
        raise Unavailable(why, not_done="The map was not changed.", next_step=f"numen ingest {brain.root}")
    if asked.action == "propose":
        return app.maps.propose(call.scope, brain, snapshot).as_json()
    return app.maps.ratify(
        call.scope, brain, snapshot, asked.ids, name=asked.name, purpose=asked.purpose
    ).as_json()


def trust(app: App, call: Call, asked: TrustArguments) -> Answer:
    """The files that were mended most."""
    brain = app.graph.locate(call.place)
    within = load("north_rules").prefix(asked.within, str(brain.root))
    found = app.survey.trust(call.scope, brain, within)
    return {
        "schema": "numen-trust-v1",
        "basis": found.basis(),
        "files": len(found.files),
        "mended": found.mended,
        "untested": found.untested,
        "rows": [one.as_json() for one in found.files[: asked.limit]],
    }


def drift(app: App, call: Call, asked: DriftArguments) -> Answer:
    """What moved."""
    brain = app.graph.locate(call.place)
    found = app.survey.drift(call.scope, brain, asked.since)
    most = asked.limit
    return {
        "schema": "numen-drift-v1",
        "since": found.since,
        "changed": list(found.changed[:most]),
        "added": list(found.added[:most]),
        "removed": list(found.removed[:most]),
        "counts": {
            "changed": len(found.changed),
            "added": len(found.added),
            "removed": len(found.removed),
            "symbols": len(found.symbols),
            "memories": len(found.memories),
        },
        "symbols": [one.as_json() for one in found.symbols[:most]],
        "memories": [row.as_json() for row in found.memories],
    }


def presence(app: App, call: Call, _asked: PresenceArguments) -> Answer:
    """Who is at work."""
    brain = app.graph.locate(call.place)
    found = app.presences.living(call.scope, brain.id)
    rows = [one.as_json(words=call.scope.is_owner) for one in found]
    return {"schema": "numen-presence-v1", "brain": brain.id, "presences": rows}


_MISSIONS = "numen-missions-v1"
_MISSION = "numen-mission-v1"


def _gate(given: Mapping[str, object] | None) -> Gate | None:
    if given is None:
        return None
    parts = [given.get(name) for name in ("command", "exit_status", "artifact_hash")]
    command, status, artifact = parts
    if (
        len(given) != len(parts)
        or not isinstance(command, str)
        or not isinstance(artifact, str)
        or not isinstance(status, int)
        or isinstance(status, bool)
    ):
        raise InvalidInput(
            "`gate` is {command, exit_status, artifact_hash}: two texts and a number.",
            not_done="No letter was posted.",
        )
    return cast("Gate", load("letters").Gate(command, status, artifact))


def _snapshot(app: App, call: Call, brain: BrainId) -> tuple[Snapshot | None, str]:
    try:
        return app.graph.open(call.scope, brain.root), ""
    except NotFound as absent:
        return None, absent.what
    except Unavailable as damage:
        return None, damage.what
