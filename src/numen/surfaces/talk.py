"""Conversations as JSON, the same over HTTP and in the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from numen.app import App, load
from numen.kernel import Forbidden, InvalidInput, Json, Scope
from numen.surfaces.nods import ask_json

if TYPE_CHECKING:
    from numen.ledger import Entry
    from numen.resident import Cursor, Said, Session

PLACE = re.compile(r"(\d{1,15})(?:\.(\d{1,9}))?")
"""How a place in a conversation is written (decision 12)."""

MOST_ACTIVITY = 500
"""Events of an answer about what happened (ours: a turn has some dozens)."""


def cursor_of(text: str) -> Cursor:
    """A place in a conversation: `<seq>` or `<seq>.<n>`. Raises `InvalidInput`."""
    found = PLACE.fullmatch(text)
    if found is None:
        raise InvalidInput(
            "`after` is no place in a conversation.",
            not_done="Nothing was read.",
            next_step="Give the id of the last event that you saw, or 0.",
        )
    return cast("Cursor", load("resident").Cursor(int(found[1]), int(found[2] or 0)))


def start_of(app: App, scope: Scope, said: Said) -> Cursor:
    """From where on whoever said this is told: the beginning of its turn, or now, where it steers one."""
    place = load("resident").Cursor
    stream = f"session:{said.session.id}"
    if said.steered:
        last = app.ledger.tail(scope, stream=stream, limit=1)
        return place(last[-1].seq if last else 0)
    first = app.ledger.tail(scope, after=0, stream=stream, correlation_id=said.turn.id, limit=1)
    return place(first[0].seq - 1 if first else 0)


def answer_of(said: Said, told: Iterable[tuple[str, Mapping[str, Json]]]) -> dict[str, Json]:
    """A turn as one answer, of what its stream told."""
    texts, open_text = list[str](), ""
    tools: dict[str, dict[str, Json]] = {}
    asks, notices = list[Json](), list[Json]()
    last: Mapping[str, Json] = {"state": "waiting"}
    for kind, data in told:
        match kind:
            case "text":
                open_text += str(data["delta"])
                if data.get("final"):
                    texts, open_text = [*texts, open_text], ""
            case "text_reset":
                open_text = ""
            case "tool_use" | "tool_result":
                tools.setdefault(str(data["id"]), {}).update(data)
            case "ask" | "budget":
                asks.append(data)
            case "notice" | "error":
                notices.append(data)
            case "done":
                last = data
            case _:
                pass
    return {
        "session_id": said.session.id,
        "turn_id": said.turn.id,
        "again": said.again,
        "text": "\n\n".join([*texts, *([open_text] if open_text else [])]),
        "tools": list(tools.values()),
        "asks": asks,
        "notices": notices,
        **{name: last.get(name) for name in ("state", "ending", "usage", "cost_micros")},
    }


def session_json(one: Session) -> dict[str, Json]:
    """The wire form of a session."""
    return cast("dict[str, Json]", load("resident_wire").session_json(one))


def history_json(app: App, scope: Scope, session: str) -> dict[str, Json]:
    """A session with all that was said and done, and what it waits for. Raises `NotFound`."""
    sessions = app.resident.sessions
    asks, inputs = sessions.waiting(scope, session)
    return {
        **sessions.export(scope, session),
        "asks": [ask_json(one) for one in asks],
        "inputs": [
            {"id": one.id, "call_id": one.call, "message": one.message, "schema": one.schema}
            for one in inputs
        ],
    }


def tools_json(app: App, scope: Scope) -> dict[str, Json]:
    """What can be called now, and which servers are not connected, and why. Raises `Forbidden` for others.

    Every server is connected to for this, and left again.
    """
    _owner(scope, "see the tools")
    tools, problems = load("resident_listing").listed(app.resident.servers)
    return {
        "tools": [
            {"name": one.name, "server": one.server, "description": one.description, "schema": one.schema}
            for one in tools
        ],
        "servers": {one.name: problems.get(one.name) or "connected" for one in app.resident.servers.list()},
    }


def activity_json(app: App, scope: Scope, correlation: str | None, after: str | None) -> dict[str, Json]:
    """What happened, oldest first: of one correlation, after an event, or the last events."""
    if after is not None and not after.isdecimal():
        raise InvalidInput("`after` must be the number of an event.", not_done="Nothing was read.")
    since = int(after) if after is not None else 0 if correlation else None
    rows = app.ledger.tail(scope, after=since, limit=MOST_ACTIVITY, correlation_id=correlation)
    return {"events": [entry_json(one) for one in rows]}


def entry_json(one: Entry) -> dict[str, Json]:
    """The wire form of an event: no words, which are not in it."""
    return {
        "seq": one.seq,
        "event_id": one.event_id,
        "at": one.at,
        "kind": one.kind,
        "stream": one.stream,
        "correlation_id": one.correlation_id,
        "actor": one.actor,
        "payload": one.payload,
    }


def _owner(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise Forbidden(f"Only the owner may {what}.", not_done="Nothing was read.")
