"""`/v1/mind/people*`: who somebody is, and changes to how they may be reached (wire contract, 1.5)."""

from __future__ import annotations

from typing import Literal

from fastapi import FastAPI
from pydantic import Field

from numen.app import App, load
from numen.kernel import InvalidInput, Json
from numen.surfaces.desk import Desk
from numen.surfaces.faces import changed_json, person_json
from numen.surfaces.http.host import Setting, Wire, on_behalf, viewer_named
from numen.surfaces.http.mind import claimed, owner_of
from numen.surfaces.http.route import Asked, Takes, add_route

MOST = 50


class LinkBody(Wire):
    """A handle that may be somebody's."""

    contact_id: str = Field(max_length=512)
    gateway: str = Field(max_length=64)
    address: str = Field(max_length=512)
    evidence_refs: list[str] = Field(default_factory=list[str])


class ChangeBody(Wire):
    """A change to how somebody may be reached; `minutes` 0 takes a cadence away."""

    operation: Literal["set_permission", "set_cadence", "merge"]
    contact_id: str = Field(max_length=512)
    value: Literal["never", "ask", "auto"] | None = None
    minutes: int | None = None
    drop: str | None = Field(None, max_length=512)
    viewer: str | None = None
    by: str | None = None


def add_people(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        (
            "GET",
            "/v1/mind/people",
            "Who somebody is.",
            Takes(
                _who,
                query=(
                    "limit",
                    "q",
                ),
            ),
            False,
        ),
        ("GET", "/v1/mind/people/{ref:path}", "All that may be told of one person.", _inspect, False),
        (
            "POST",
            "/v1/mind/people/link",
            "Propose that a handle is somebody's.",
            Takes(_link, LinkBody),
            True,
        ),
        (
            "POST",
            "/v1/mind/people/changes",
            "Change how somebody may be reached.",
            Takes(_change, ChangeBody),
            True,
        ),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def _who(app: App, asked: Asked) -> Json:
    scope = on_behalf(app, asked, viewer_named(asked), Setting(), None)
    limit = asked.query.get("limit", "10")
    if not limit.isdecimal() or not 1 <= int(limit[:4]) <= MOST:
        raise InvalidInput(f"`limit` must be 1..{MOST}.", not_done="Nothing was read.")
    found = app.directory.who(scope, asked.query.get("q", ""))
    return {"contacts": [person_json(one, whole=scope.is_owner) for one in found[: int(limit)]]}


def _inspect(app: App, asked: Asked) -> Json:
    scope = on_behalf(app, asked, viewer_named(asked), Setting(), None)
    named = asked.path["ref"]
    if not scope.is_owner:
        return {"contact": person_json(app.directory.who(scope, named)[0], whole=False), "proposals": []}
    profile = app.directory.inspect(scope, named)
    return {
        "contact": person_json(profile.contact, whole=True, handles=profile.handles),
        "proposals": [
            {"gateway": one.handle.gateway, "address": one.handle.address} for one in profile.proposals
        ],
    }


def _link(app: App, asked: Asked) -> Json:
    body = asked.read(LinkBody)
    handle = load("handles").make(body.gateway, body.address)
    evidence = (body.evidence_refs or [""])[0][:256]
    done = app.directory.propose(owner_of(app, asked), body.contact_id, handle, evidence)
    text = f"That {done.handle} is theirs is proposed; the owner decides."
    return {"ok": True, "status": "proposed", "contact_id": done.contact, "text": text}


def _change(app: App, asked: Asked) -> Json:
    body = asked.read(ChangeBody)
    scope = claimed(app, asked, body.viewer, body.by)
    room = load("changes")
    value = None if body.value is None else load("people").MayContact(body.value)
    change = room.Change(
        room.Operation(body.operation), body.contact_id, value, body.minutes or None, body.drop
    )
    return changed_json(app.changes.change(scope, change))
