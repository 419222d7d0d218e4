"""`/v1/mind/opinions*`: what the agent thinks, why, and the owner's word on it (wire contract, 1.5)."""

from __future__ import annotations

from fastapi import FastAPI
from pydantic import ConfigDict, Field

from numen.app import App
from numen.kernel import InvalidInput, Json, NotFound, Scope
from numen.surfaces.desk import Desk
from numen.surfaces.http.host import Setting, on_behalf, viewer_named
from numen.surfaces.http.route import Asked, Body, Takes, add_route

MOST = 50


class ReasonBody(Body):
    """Why a view is withdrawn or thought over."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)

    reason: str = Field("", repr=False)
    contact_id: str | None = None


def add_opinions(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        (
            "GET",
            "/v1/mind/opinions",
            "What the agent thinks.",
            Takes(
                _list,
                query=(
                    "limit",
                    "q",
                ),
            ),
            False,
        ),
        ("GET", "/v1/mind/opinions/{number}", "Why it thinks so.", _inspect, False),
        (
            "POST",
            "/v1/mind/opinions/{number}/withdraw",
            "A view is held no more.",
            Takes(_withdraw, ReasonBody),
            True,
        ),
        (
            "POST",
            "/v1/mind/opinions/{number}/reconsider",
            "A view is thought over.",
            Takes(_reconsider, ReasonBody),
            True,
        ),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def _list(app: App, asked: Asked) -> Json:
    limit = asked.query.get("limit", "10")
    if not limit.isdecimal() or not 1 <= int(limit) <= MOST:
        raise InvalidInput(f"`limit` must be 1..{MOST}.", not_done="Nothing was read.")
    found = app.opinions.listed(_viewer(app, asked), asked.query.get("q", ""), int(limit))
    return {"opinions": [one.as_json() for one in found]}


def _inspect(app: App, asked: Asked) -> Json:
    return app.opinions.inspect(_viewer(app, asked), _number(asked)).as_json()


def _withdraw(app: App, asked: Asked) -> Json:
    body = asked.read(ReasonBody)
    scope = on_behalf(app, asked, body.contact_id, Setting(), None)
    return app.opinions.withdraw(scope, _number(asked), body.reason).as_json()


def _reconsider(app: App, asked: Asked) -> Json:
    body = asked.read(ReasonBody)
    scope = on_behalf(app, asked, body.contact_id, Setting(), None)
    return app.opinions.reconsider(scope, _number(asked), body.reason).as_json()


def _viewer(app: App, asked: Asked) -> Scope:
    return on_behalf(app, asked, viewer_named(asked), Setting(), None)


def _number(asked: Asked) -> int:
    given = asked.path["number"]
    if not given.isdecimal() or len(given) > 9:
        raise NotFound("There is no view of that number.", next_step="See the list of opinions.")
    return int(given)
