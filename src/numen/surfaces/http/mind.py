"""`/v1/mind/state|log|why|narrative|tick|rate|...`: the mind's record, for its owner (wire contract, 1.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, cast

from fastapi import FastAPI
from pydantic import ConfigDict, Field

from numen.app import App, load
from numen.kernel import InvalidInput, Json, NotFound, Scope, Via, iso
from numen.surfaces.desk import Desk
from numen.surfaces.http.host import Wire
from numen.surfaces.http.route import Asked, Takes, add_route
from numen.surfaces.minutes import account_json, concern_json, intention_json, state_json

if TYPE_CHECKING:
    from numen.mind import Wanted

K = TypeVar("K", bound=StrEnum)

MOST_HOURS = 24 * 366
"""Hours that a log looks back at most (ours: a year)."""


_LOG = ("split", "limit", "recipient", "status", "kind", "since_hours")
"""What a log is asked for."""


class RateBody(Wire):
    """What the owner says of something that the mind did."""

    id: str
    verdict: str


class GoalBody(Wire):
    """Something to be worked on until it is reached."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    title: str = Field(max_length=200, repr=False)
    body: str = Field("", max_length=8_000, repr=False)
    turns: int | None = None


class TaskBody(Wire):
    """Something to be done once."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    title: str = Field(max_length=200, repr=False)
    body: str = Field("", max_length=8_000, repr=False)


class GrantBody(Wire):
    """A grant as the owner asked for it in a conversation."""

    grant: dict[str, object]
    reason: str = Field("", repr=False)
    by: str | None = None
    contact_id: str | None = None


class RevokeBody(Wire):
    """Who ends a grant."""

    by: str | None = None
    contact_id: str | None = None


def add_mind(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        ("GET", "/v1/mind/state", "Whether the mind is on, and what waits.", _state, False),
        ("GET", "/v1/mind/log", "What the mind meant to do.", Takes(_log, query=_LOG), False),
        ("GET", "/v1/mind/why/{id}", "Why, and how it came to stand so.", _why, False),
        ("GET", "/v1/mind/narrative", "What it has done of late, in words.", _narrative, False),
        ("GET", "/v1/mind/concerns", "What is on its mind.", _concerns, False),
        ("GET", "/v1/mind/goals", "The goals that were set.", _goals, False),
        ("POST", "/v1/mind/goals", "Set a goal.", Takes(_set_goal, GoalBody), True),
        ("POST", "/v1/mind/tasks", "Have something done.", Takes(_set_task, TaskBody), True),
        ("GET", "/v1/mind/inbox", "What was said to the owner here.", _inbox, False),
        ("POST", "/v1/mind/tick", "Take a step now.", _tick, True),
        ("POST", "/v1/mind/rate", "The owner's word on what was done.", Takes(_rate, RateBody), True),
        ("POST", "/v1/mind/grants", "Ask the owner whether a grant stands.", Takes(_grant, GrantBody), True),
        ("POST", "/v1/mind/grants/{id}/revoke", "End a grant.", Takes(_revoke, RevokeBody), True),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def owner_of(app: App, asked: Asked) -> Scope:
    """On whose behalf a route is called that names nobody: the key's."""
    return app.people.resolve(asked.caller.door)


def claimed(app: App, asked: Asked, contact: str | None, by: str | None = None) -> Scope:
    """As `owner_of`, where the body says that the owner wants it. Raises `NotOwner` for another's name."""
    scope = owner_of(app, asked)
    if contact not in {None, "owner", scope.viewer} or by not in {None, "owner", scope.viewer}:
        raise load("people").NotOwner("Only the owner may do this.", not_done="Nothing was changed.")
    return scope


def _state(app: App, asked: Asked) -> Json:
    return state_json(app, owner_of(app, asked))


def _log(app: App, asked: Asked) -> Json:
    scope = owner_of(app, asked)
    rows = app.mind.log(scope, _wanted(app, scope, asked))
    notes = [one for one in rows if one.kind == "note"] if asked.query.get("split") == "true" else []
    shown = [one for one in rows if one not in notes]
    logged = load("mind_narrative").logged
    return {
        "text": logged(shown) or "(nothing)",
        "entries": [intention_json(one) for one in shown],
        "notes": [intention_json(one) for one in notes],
    }


def _wanted(app: App, scope: Scope, asked: Asked) -> Wanted:
    room = load("mind")
    limit = asked.query.get("limit", "20")
    if not limit.isdecimal() or len(limit) > 4:
        raise InvalidInput("`limit` is a number.", not_done="Nothing was read.")
    who = asked.query.get("recipient", "").strip()
    recipient = None
    if who:
        try:
            recipient = app.directory.who(scope, who)[0].id
        except NotFound:
            recipient = who
    return room.Wanted(
        int(limit),
        _chosen("status", asked.query.get("status", ""), room.State),
        _chosen("kind", asked.query.get("kind", ""), room.IntentionKind),
        recipient,
        _hours(asked.query.get("since_hours")),
    )


def _chosen(name: str, given: str, known: type[K]) -> tuple[K, ...]:
    wanted = tuple(one.strip() for one in given.split(",") if one.strip())
    values = {str(one): one for one in known}
    for one in wanted:
        if one not in values:
            raise InvalidInput(f"`{name}` is of: {', '.join(values)}.", not_done="Nothing was read.")
    return tuple(values[one] for one in wanted)


def _hours(given: str | None) -> timedelta | None:
    if given is None:
        return None
    try:
        hours = float(given)
    except ValueError:
        hours = -1.0
    if not 0.0 <= hours <= MOST_HOURS:
        raise InvalidInput(f"`since_hours` is 0 to {MOST_HOURS}.", not_done="Nothing was read.")
    return timedelta(hours=hours)


def _why(app: App, asked: Asked) -> Json:
    return account_json(app.intentions.account(owner_of(app, asked), asked.path["id"]))


def _narrative(app: App, asked: Asked) -> Json:
    text = app.mind.narrative(owner_of(app, asked))
    return {"enabled": bool(text), "text": text}


def _concerns(app: App, asked: Asked) -> Json:
    rows = app.mind.concerns(owner_of(app, asked))
    return {"concerns": [concern_json(one, left) for one, left in rows]}


def _goals(app: App, asked: Asked) -> Json:
    return {"goals": [intention_json(one) for one in app.mind.goals(owner_of(app, asked))]}


def _set_goal(app: App, asked: Asked) -> Json:
    body = asked.read(GoalBody)
    scope = owner_of(app, asked)
    turns = {} if body.turns is None else {"turns": body.turns}
    return intention_json(app.mind.set_goal(scope, body.title, body.body, **turns))


def _set_task(app: App, asked: Asked) -> Json:
    body = asked.read(TaskBody)
    return intention_json(app.mind.set_task(owner_of(app, asked), body.title, body.body))


def _inbox(app: App, asked: Asked) -> Json:
    return {"messages": [intention_json(one) for one in app.outbox.inbox(owner_of(app, asked))]}


def _tick(app: App, asked: Asked) -> Json:
    scope = replace(owner_of(app, asked), via=Via.MIND)
    return app.tick.tick(scope, forced=True).as_json()


def _rate(app: App, asked: Asked) -> Json:
    body = asked.read(RateBody)
    known = {str(one): one for one in load("mind").Judgement}
    if body.verdict not in known:
        raise InvalidInput(f"`verdict` is of: {', '.join(known)}.", not_done="Nothing was kept.")
    rated = app.outcomes.rate(owner_of(app, asked), body.id, known[body.verdict])
    return {"ok": True, "id": rated.id, "verdict": body.verdict}


def _grant(app: App, asked: Asked) -> Json:
    body = asked.read(GrantBody)
    scope = claimed(app, asked, body.contact_id, body.by)
    sealed = app.secrets.seal_all(scope, cast("dict[str, Json]", body.grant))
    code = app.grants.ask(scope, cast("dict[str, Json]", sealed))
    text = f"The owner is asked whether this stands: yes {code}, or no {code}."
    return {"ok": True, "status": "asked", "code": code, "text": text}


def _revoke(app: App, asked: Asked) -> Json:
    body = asked.read(RevokeBody)
    ended = app.grants.revoke(claimed(app, asked, body.contact_id, body.by), asked.path["id"])
    at = ended.revoked_at
    return {"ok": True, "id": ended.id, "status": "revoked", "revoked_at": None if at is None else iso(at)}
