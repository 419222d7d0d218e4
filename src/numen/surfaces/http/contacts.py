"""`/v1/host/contacts/resolve` and `/v1/host/health`: who a sender is, and that Numen answers (wire, 1.1)."""

from __future__ import annotations

from fastapi import FastAPI

from numen import __version__
from numen.app import App, load
from numen.kernel import Forbidden, InvalidInput, Json
from numen.settings import nearest
from numen.surfaces.desk import Desk
from numen.surfaces.faces import contact_json
from numen.surfaces.http.route import Asked, Takes, add_route

KNOWN = frozenset({"gateway", "address", "create", "display_name", "shared"})
"""What a query may say. `shared`: the chat is a group's."""

YES = {"true": True, "1": True, "false": False, "0": False, "": False}


def add_contacts(app: FastAPI, desk: Desk) -> None:
    """The routes."""

    def resolve(services: App, asked: Asked) -> Json:
        return _resolve(services, asked, desk)

    add_route(app, desk, "GET", "/v1/host/health", "The service answers.", _health, writes=False)
    sender = Takes(resolve, query=tuple(sorted(KNOWN)))
    add_route(app, desk, "GET", "/v1/host/contacts/resolve", "Who a sender is.", sender, writes=False)


def _health(_app: App, _asked: Asked) -> Json:
    return {"status": "ok", "version": __version__}


def _resolve(app: App, asked: Asked, desk: Desk) -> Json:
    for name in asked.query.keys() - KNOWN:
        near = nearest(name, KNOWN)
        raise InvalidInput(
            "The query has a field that is not known here.",
            not_done="Nothing was done.",
            next_step=f"Did you mean `{near}`?" if near else f"It takes: {', '.join(sorted(KNOWN))}.",
        )
    find, address = load("detector").find, asked.query.get("address", "")
    known = desk.threshold.clean(address) != address  # a value that is kept sealed and that no word announces
    if not address.isdigit() and (known or find(address)):
        raise InvalidInput(
            "The address holds what looks like a secret.",
            not_done="It was neither looked up nor kept.",
            next_step="Send the sender's id at the gateway as `address`, and nothing else.",
        )
    handle = load("handles").make(asked.query.get("gateway", ""), address)
    create = _flag(asked, "create")
    if create and desk.read_only:
        raise Forbidden(
            "This server was started with --read-only.",
            not_done="No contact was made.",
            next_step="Start it without --read-only, or ask without `create`.",
        )
    called = desk.threshold.clean(load("secrets").hidden(asked.query.get("display_name", ""), find))
    scope = app.people.resolve(asked.caller.door)
    found = app.directory.find(scope, handle, create=create, name=called, shared=_flag(asked, "shared"))
    return contact_json(found.contact, whole=found.whole) | {"match": found.match}


def _flag(asked: Asked, name: str) -> bool:
    given = asked.query.get(name, "").lower()
    if given not in YES:
        raise InvalidInput(f"`{name}` must be true or false.", not_done="Nothing was done.")
    return YES[given]
