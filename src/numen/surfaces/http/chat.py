"""Conversations over HTTP (resident contract, HTTP): say, follow, stop, find, call a tool."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from fastapi import FastAPI, Request, Response
from pydantic import Field, JsonValue
from starlette.responses import StreamingResponse

from numen.app import App, load
from numen.kernel import Forbidden, InvalidInput, Json, Scope, canonical_bytes
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen
from numen.surfaces.http.following import BEAT, HEADERS, Followings, Sent
from numen.surfaces.http.guard import refusal
from numen.surfaces.http.route import MEDIA_TYPE, Asked, Body, add_route
from numen.surfaces.outlet import passed
from numen.surfaces.talk import (
    activity_json,
    answer_of,
    cursor_of,
    history_json,
    session_json,
    start_of,
    tools_json,
)
from numen.surfaces.verbs import Caller

if TYPE_CHECKING:
    from numen.resident import Said

EVENTS = "text/event-stream; charset=utf-8"

WAITING = frozenset({"ask", "budget"})
"""What a turn says last while it waits for a person: an answer that is not streamed ends here."""

Parts: TypeAlias = "AsyncGenerator[Sent | None]"

Flowing = Callable[[Request, Scope], Awaitable[Response]]


class ChatBody(Body):
    """What somebody says."""

    session_id: str | None = None
    message: str = Field(repr=False)
    idempotency_key: str | None = Field(None, min_length=1, max_length=200)


class WordBody(Body):
    """What somebody says to a turn at work."""

    message: str = Field(repr=False)


class ForkBody(Body):
    """Up to and with which turn."""

    turn_id: str | None = None


class ChangeBody(Body):
    """What is to be different about a session."""

    title: str | None = Field(None, repr=False)
    pinned: bool | None = None
    archived: bool | None = None


class QueryBody(Body):
    """A call of one tool, by its full name."""

    tool: str | None = None
    args: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue], repr=False)
    session_id: str | None = None


class InputBody(Body):
    """An answer to what a running tool asks for."""

    how: Literal["accept", "decline", "cancel"]
    content: dict[str, JsonValue] | None = Field(None, repr=False)


def add_chat(app: FastAPI, desk: Desk) -> None:
    """The routes of conversations."""
    flows = Followings(desk)
    _add_flow(app, desk, "POST", "/chat", "Say something; the answer streams.", partial(_chat, desk, flows))
    _add_flow(
        app,
        desk,
        "GET",
        "/sessions/{session}/events",
        "Follow a session, from any place in it.",
        partial(_events, desk, flows),
    )
    _add_flow(app, desk, "POST", "/query", "Call one tool, without a model.", partial(_query, desk, flows))
    for method, path, summary, answer, writes in (
        ("GET", "/sessions", "Conversations; `q` are words said in them.", _list, False),
        ("GET", "/sessions/{session}", "A conversation with all that was said and done.", _get, False),
        ("PATCH", "/sessions/{session}", "Name, pin or put away a conversation.", _change, True),
        ("POST", "/sessions/{session}/fork", "A new conversation from a place in this one.", _fork, True),
        ("POST", "/sessions/{session}/stop", "Stop the turn at work.", _stop, True),
        ("POST", "/sessions/{session}/steer", "Say something to the turn at work.", _steer, True),
        ("GET", "/sessions/{session}/export", "A conversation as one document.", _export, False),
        ("POST", "/sessions/{session}/inputs/{input}", "Answer a running tool.", _input, True),
        ("GET", "/tools", "The tools of the connected servers.", _tools, False),
        ("GET", "/activity", "What happened, by `correlation_id`.", _activity, False),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def _add_flow(app: FastAPI, desk: Desk, method: str, path: str, summary: str, answer: Flowing) -> None:
    """A route whose answer flows: each part of it has passed the threshold before it leaves."""

    async def answered(request: Request) -> Response:
        try:
            if method == "POST" and desk.read_only:
                raise Forbidden(
                    "This server was started with --read-only.",
                    not_done="Nothing was said.",
                    next_step="Start it without --read-only.",
                )
            caller = cast("Caller", request.state.caller)
            scope = await desk.soon(lambda: desk.app.people.resolve(caller.door))
            response = await answer(request, scope)
            passed(request)
            return response
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            return refusal(foreseen(error))

    app.add_api_route(
        path,
        answered,
        methods=[method],
        summary=summary,
        operation_id=f"{method.lower()} {path}",
        response_class=Response,
        openapi_extra={"security": [{"key": []}]},
        responses={
            200: {"content": {"text/event-stream": {}, MEDIA_TYPE: {}}},
            401: {"description": "No key, or an unknown one."},
        },
    )


async def _chat(desk: Desk, flows: Followings, request: Request, scope: Scope) -> Response:
    body = Asked(cast("Caller", request.state.caller), {}, {}, await request.body()).read(ChatBody)
    said = await desk.soon(
        lambda: desk.app.resident.sessions.say(
            scope, body.message, session=body.session_id, key=body.idempotency_key
        )
    )
    return await _answered(desk, flows, request, scope, said)


async def _query(desk: Desk, flows: Followings, request: Request, scope: Scope) -> Response:
    """One tool by its name; the words of a person are no tool."""
    body = Asked(cast("Caller", request.state.caller), {}, {}, await request.body()).read(QueryBody)
    if body.tool is None:
        listed = await desk.soon(lambda: tools_json(desk.app, scope))
        names = [str(one["name"]) for one in cast("Sequence[Mapping[str, Json]]", listed["tools"])]
        raise InvalidInput(
            "Natural language belongs to /chat.",
            not_done="Nothing was called.",
            next_step=f"Name a tool: {', '.join(names) or 'none is connected'}.",
        )
    tool, args = body.tool, cast("Mapping[str, Json]", body.args)
    said = await desk.soon(
        lambda: desk.app.resident.sessions.call(scope, tool, args, session=body.session_id)
    )
    return await _answered(desk, flows, request, scope, said, whole=True)


async def _answered(
    desk: Desk, flows: Followings, request: Request, scope: Scope, said: Said, *, whole: bool = False
) -> Response:
    """The turn as it goes on until it is over; as one answer where JSON is asked for."""
    start = await desk.soon(lambda: start_of(desk.app, scope, said))
    ids = {"Numen-Session": said.session.id, "Numen-Turn": said.turn.id}
    parts = _of_turn(flows.follow(scope, said.session.id, start, _allowed(desk, request)), said.turn.id)
    if not whole and MEDIA_TYPE not in request.headers.get("accept", ""):
        return StreamingResponse(_lines(desk, parts), media_type=EVENTS, headers=HEADERS | ids)
    told: list[tuple[str, Mapping[str, Json]]] = []
    async with aclosing(parts):
        async for one in parts:
            if one is not None:
                told.append((one.kind, one.data))
            if one is not None and one.kind in WAITING:
                break
    body = canonical_bytes(answer_of(said, told))
    return Response(body, media_type=MEDIA_TYPE, headers=HEADERS | ids)


async def _events(desk: Desk, flows: Followings, request: Request, scope: Scope) -> Response:
    session = str(request.path_params["session"])
    given = request.query_params.get("after") or request.headers.get("last-event-id") or "0"
    cursor = cursor_of(given)
    await desk.soon(lambda: desk.app.resident.sessions.waiting(scope, session))
    stream = flows.follow(scope, session, cursor, _allowed(desk, request))
    return StreamingResponse(_lines(desk, stream), media_type=EVENTS, headers=HEADERS)


async def _of_turn(stream: Parts, turn: str) -> Parts:
    """What flows until a turn is over."""
    async with aclosing(stream):
        async for one in stream:
            yield one
            if one is not None and one.kind == "done" and one.data.get("turn_id") == turn:
                return


async def _lines(desk: Desk, stream: Parts) -> AsyncGenerator[bytes]:
    """The bytes of a stream; a fault in it is its last event."""
    try:
        async with aclosing(stream):
            async for one in stream:
                yield BEAT if one is None else one.line
    except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
        said = desk.threshold.detail(foreseen(error))
        yield b"event: error\ndata: " + canonical_bytes(said["detail"]) + b"\n\n"


def _allowed(desk: Desk, request: Request) -> Callable[[], object]:
    """Raises as soon as whoever asked may ask no more: a key that was taken back ends its streams."""
    door = cast("Caller", request.state.caller).door
    return lambda: desk.app.people.resolve(door)


def _scope(app: App, asked: Asked) -> Scope:
    return app.people.resolve(asked.caller.door)


def _list(app: App, asked: Asked) -> Json:
    limit = asked.query.get("limit", "50")
    if not limit.isdecimal():
        raise InvalidInput("limit must be a number.", not_done="Nothing was read.")
    rows = app.resident.sessions.list(
        _scope(app, asked),
        having=asked.query.get("q", ""),
        archived=asked.query.get("archived") == "true",
        limit=int(limit),
    )
    return {"sessions": [session_json(one) for one in rows]}


def _get(app: App, asked: Asked) -> Json:
    return history_json(app, _scope(app, asked), asked.path["session"])


def _change(app: App, asked: Asked) -> Json:
    body = asked.read(ChangeBody)
    changed = app.resident.sessions.change(
        _scope(app, asked),
        asked.path["session"],
        title=body.title,
        pinned=body.pinned,
        archived=body.archived,
    )
    return session_json(changed)


def _fork(app: App, asked: Asked) -> Json:
    body = asked.read(ForkBody)
    return session_json(
        app.resident.sessions.fork(_scope(app, asked), asked.path["session"], upto=body.turn_id)
    )


def _stop(app: App, asked: Asked) -> Json:
    return {"stopped": app.resident.sessions.stop(_scope(app, asked), asked.path["session"])}


def _steer(app: App, asked: Asked) -> Json:
    body = asked.read(WordBody)
    said = app.resident.sessions.steer(_scope(app, asked), asked.path["session"], body.message)
    return {"session_id": said.session.id, "turn_id": said.turn.id}


def _export(app: App, asked: Asked) -> Json:
    return app.resident.sessions.export(_scope(app, asked), asked.path["session"])


def _input(app: App, asked: Asked) -> Json:
    body = asked.read(InputBody)
    how = load("resident").InputState(body.how)
    app.resident.sessions.answer(
        _scope(app, asked), asked.path["input"], how, cast("Mapping[str, Json] | None", body.content)
    )
    return {"ok": True}


def _tools(app: App, asked: Asked) -> Json:
    return tools_json(app, _scope(app, asked))


def _activity(app: App, asked: Asked) -> Json:
    return activity_json(app, _scope(app, asked), asked.query.get("correlation_id"), asked.query.get("after"))
