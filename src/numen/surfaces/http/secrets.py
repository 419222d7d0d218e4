"""`/v1/secrets*`: seal a text, use values, list, release, forget (wire contract, 1.6).

The answer of `resolve` is the one that holds values: it goes to the program that uses them, for the owner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from fastapi import FastAPI
from pydantic import Field

from numen.app import App, load
from numen.kernel import InvalidInput, Json, Scope, iso
from numen.surfaces.desk import Desk
from numen.surfaces.http.route import Asked, Body, Takes, add_route

if TYPE_CHECKING:
    from numen.secrets import Entry

OWNER = "owner"
"""The owner's alias as a speaker, and the lane of the owner's own chat."""

LANE = "owner"

ROOM = "secrets"
"""The room of a person whom a client names without their chat: the same value of theirs has one reference."""


class Spoken(Body):
    """Who speaks, by the word of whoever holds the key; `channel`, `server` and `platform` name the chat."""

    contact_id: str | None = None
    owner: bool = False
    channel: str | None = None
    server: str | None = None
    platform: str | None = None


class SealBody(Spoken):
    """What `seal` takes."""

    text: str = Field(repr=False)


class ActionBody(Body):
    """The complete call that a value is to go into."""

    tool: str
    args: dict[str, object] = Field(default_factory=dict[str, object])


class ResolveBody(Spoken):
    """What `resolve` takes. `own_refs`: sealed from the owner's latest message in this chat."""

    refs: list[str]
    purpose: Literal["send", "fill", "use", "reveal"]
    lane: str | None = None
    session_id: str | None = None
    tool: str | None = None
    own_refs: list[str] = Field(default_factory=list[str])
    action: ActionBody | None = None
    destination: str | None = None
    intention_id: str | None = None


def add_secrets(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        (
            "POST",
            "/v1/secrets/seal",
            "A text with references in place of its values.",
            Takes(_seal, SealBody),
            True,
        ),
        (
            "POST",
            "/v1/secrets/resolve",
            "Values for their owner, for one use.",
            Takes(_resolve, ResolveBody),
            True,
        ),
        ("GET", "/v1/secrets", "What is sealed, without the values.", _list, False),
        ("POST", "/v1/secrets/{ref}/release", "A value is no secret any more.", _release, True),
        ("POST", "/v1/secrets/{ref}/forget", "A value is gone for good.", _forget, True),
    ):
        gives = path.endswith("/resolve")
        add_route(app, desk, method, path, summary, answer, writes=writes, gives_values=gives)


def entry_json(entry: Entry, scope: Scope) -> Json:
    """An entry on the wire; the owner's own values are of the contact id that the owner has."""
    return {
        "ref": entry.ref,
        "label": entry.label,
        "state": entry.state,
        "created_at": iso(entry.created_at),
        "uses": entry.uses,
        "scope_contact": scope.viewer if entry.whose == OWNER else entry.whose,
        "why": entry.why or None,
    }


def _seal(app: App, asked: Asked) -> Json:
    body = asked.read(SealBody)
    sealed = app.secrets.seal(speaking(app, asked, body), body.text)
    return {
        "text": sealed.text,
        "released": [list(span) for span in sealed.released],
        "refs": [one.ref for one in sealed.references],
        "withheld": sealed.withheld,
        "why": sealed.why or None,
    }


def _resolve(app: App, asked: Asked) -> Json:
    body = asked.read(ResolveBody)
    scope = speaking(app, asked, body)
    room = load("secrets")
    if body.purpose != room.Purpose.SEND and body.lane != LANE:
        raise InvalidInput("`lane` must be owner.", not_done="No value was used.")
    call = None
    if body.action is not None:
        call = room.ToolCall(
            body.action.tool, cast("dict[str, Json]", body.action.args), body.destination or ""
        )
    demand = room.Demand(
        tuple(body.refs), room.Purpose(body.purpose), frozenset(body.own_refs), call, body.intention_id
    )
    found = app.secrets.resolve(scope, demand)
    return {
        "values": found.values,
        "refused": found.refused,
        "asks": {ref: {"code": ask.code, "text": ask.text} for ref, ask in found.asks.items()},
        "unavailable": found.unavailable,
    }


def _list(app: App, asked: Asked) -> Json:
    scope = app.people.resolve(asked.caller.door)
    return {"entries": [entry_json(one, scope) for one in app.secrets.entries(scope)]}


def _release(app: App, asked: Asked) -> Json:
    scope = app.people.resolve(asked.caller.door)
    return entry_json(app.secrets.release(scope, asked.path["ref"]), scope)


def _forget(app: App, asked: Asked) -> Json:
    scope = app.people.resolve(asked.caller.door)
    return entry_json(app.secrets.forget(scope, asked.path["ref"]), scope)


def speaking(app: App, asked: Asked, body: Spoken) -> Scope:
    """On whose behalf a request is made that names who speaks.

    A client that names no platform (the stock one does not) speaks for the owner only with the owner's key.
    Raises `Forbidden` where the key may not speak for whom it names.
    """
    own = app.people.resolve(asked.caller.door)
    for_owner = body.owner or body.contact_id in {OWNER, own.viewer}
    if body.owner and body.contact_id not in {None, OWNER, own.viewer}:
        raise InvalidInput("`owner` and `contact_id` name two people.", not_done="Nothing was done.")
    if body.platform is None and (for_owner or body.contact_id is None):
        if for_owner and not own.is_owner:
            raise load("people").OwnerNotGranted(
                "This key is not the owner's, and no platform was named on which it may speak for them.",
                not_done="Nothing was done in the owner's name.",
                next_step="Name the platform, or use the key of this machine.",
            )
        return own
    channel, server = body.channel, body.server
    if not for_owner:
        channel, server = channel or ROOM, server or body.platform or ROOM
    named = OWNER if for_owner else body.contact_id
    speaker = load("people").Speaker(named, channel, server, body.platform)
    scope = app.people.resolve(asked.caller.door, speaker)
    if scope.is_owner and not for_owner:
        raise load("people").ContactNotGranted(
            "This key may not speak for a contact.",
            not_done="Nothing was done in the contact's name.",
            next_step="Let the owner issue a key that may: numen credentials.",
        )
    return scope
