"""The routes: each verb of the table, health, readiness, and what is mounted beside them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Route

from numen import __version__
from numen.kernel import Json, NumenError, canonical_bytes
from numen.surfaces.desk import Desk
from numen.surfaces.errors import detail, foreseen
from numen.surfaces.front import HEALTH
from numen.surfaces.http.body import add_body
from numen.surfaces.http.chat import add_chat
from numen.surfaces.http.contacts import add_contacts
from numen.surfaces.http.gate import add_gate
from numen.surfaces.http.guard import Admit, Guard, Proxied, refusal
from numen.surfaces.http.host import add_host
from numen.surfaces.http.mind import add_mind
from numen.surfaces.http.mount import Mount, Part
from numen.surfaces.http.opinions import add_opinions
from numen.surfaces.http.page import Page
from numen.surfaces.http.people import add_people
from numen.surfaces.http.route import MEDIA_TYPE, Plain, arguments, described
from numen.surfaces.http.secrets import add_secrets
from numen.surfaces.http.steps import MEDIA_TYPE as STREAM
from numen.surfaces.http.steps import Steps
from numen.surfaces.outlet import Outlet, passed
from numen.surfaces.verbs import VERBS, AnyVerb, Caller

TICK_SECONDS = 60
"""Between two steps of the mind (mind contract, Mind)."""


class Readiness:
    """Whether the services behind the routes are open; what refused to open is tried again when asked."""

    def __init__(self, warm: Callable[[], None]) -> None:
        self._warm = warm
        self._busy = anyio.Lock()
        self._done = False

    async def open(self) -> NumenError | None:
        """Open what is not open yet, in a worker thread; what refused, or None."""
        async with self._busy:
            try:
                if not self._done:
                    await anyio.to_thread.run_sync(self._warm)
                self._done = True
            except Exception as error:  # noqa: BLE001 - the edge: the server stays up and says why it is not ready
                return foreseen(error)
        return None

    async def answer(self, request: Request) -> Response:
        """200 when all is open; 503 while it is being opened, or with the reason why it could not be."""
        if self._busy.locked():
            passed(request)
            return _json({"status": "starting"}, 503)
        refused = await self.open()
        return _json({"status": "ready"}) if refused is None else _json(detail(refused), 503)


def make_http(
    desk: Desk,
    admit: Admit,
    proxied: Proxied,
    page: Page,
    mcp: Callable[[], Part],
    warm: Callable[[], None],
    tick: Callable[[], None],
) -> Outlet:
    """The whole ASGI app behind guard and outlet.

    `warm` opens the services, in a worker thread, at start; `tick` is a step of the mind, taken every minute.
    """
    readiness = Readiness(warm)
    mount = Mount(mcp)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with anyio.create_task_group() as tasks:
            mount.open(tasks)
            tasks.start_soon(_opening, desk, readiness)
            tasks.start_soon(_ticking, desk, tick)
            yield
            tasks.cancel_scope.cancel()

    app = FastAPI(title="Numen", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.router.route_class = Plain
    app.state.takes = {}
    app.add_exception_handler(HTTPException, _unrouted)
    _add_health(app, readiness)
    page.add_to(app, desk)
    for verb in VERBS:
        _add_verb(app, desk, verb)
    add_secrets(app, desk)
    add_contacts(app, desk)
    add_gate(app, desk)
    add_host(app, desk)
    add_opinions(app, desk)
    add_mind(app, desk)
    add_body(app, desk)
    add_people(app, desk)
    add_chat(app, desk)
    app.router.routes.append(Route("/mcp", mount, include_in_schema=False))
    _describe(app)
    settings = desk.app.settings
    hosts = [settings.host, *settings.hosts]
    guarded = Guard(app, admit=admit, hosts=hosts, body_limit=settings.body_limit, proxied=proxied)
    return Outlet(guarded, desk)


async def _opening(desk: Desk, readiness: Readiness) -> None:
    """Open the services, then make ready what readiness does not wait for."""
    await readiness.open()
    await desk.soon(desk.app.prime)
    if not desk.read_only:
        await desk.soon(desk.app.engage)


async def _ticking(desk: Desk, tick: Callable[[], None]) -> None:
    """Take a step of the mind every minute, for as long as the server lives."""
    while not desk.read_only:
        await anyio.sleep(TICK_SECONDS)
        await desk.soon(tick)


def _add_health(app: FastAPI, readiness: Readiness) -> None:
    async def healthz(request: Request) -> Response:
        passed(request)
        return _json(HEALTH)

    for path, answer, summary in (
        ("/healthz", healthz, "The process lives."),
        ("/readyz", readiness.answer, "The services are open: 200, else 503 with the reason."),
    ):
        app.add_api_route(path, answer, operation_id=path[1:], summary=summary, response_class=Response)


def _add_verb(app: FastAPI, desk: Desk, verb: AnyVerb) -> None:
    async def answer(request: Request) -> Response:
        try:
            given = arguments(await request.body())
            caller = cast("Caller", request.state.caller)
            if verb.steps and STREAM in request.headers.get("accept", ""):
                passed(request)
                return Steps(desk, verb.name, given, caller)
            said = await desk.answer_soon(verb.name, given, caller)
            passed(request)
            return Response(said, media_type=MEDIA_TYPE)
        except Exception as error:  # noqa: BLE001 - the edge: every fault becomes words, none a traceback
            return refusal(foreseen(error))

    schema = {"required": True, "content": {MEDIA_TYPE: {"schema": verb.schema()}}}
    app.add_api_route(
        f"/v1/{verb.name}",
        answer,
        methods=["POST"],
        summary=verb.summary,
        operation_id=verb.name,
        response_class=Response,
        openapi_extra={"requestBody": schema, "security": [{"key": []}]},
        responses={200: {"content": {MEDIA_TYPE: {}}}, 401: {"description": "No key, or an unknown one."}},
    )


def _json(value: Json, status: int = 200) -> Response:
    return Response(canonical_bytes(value), status, media_type=MEDIA_TYPE)


async def _unrouted(request: Request, error: Exception) -> Response:
    """What the router refuses by itself (no such path, no such method), in the one form of an error."""
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "refused")
    message = f"{request.method} {request.url.path}: {error.detail}."
    return _json({"detail": {"code": code, "message": message}}, error.status_code)


def _describe(app: FastAPI) -> None:
    """OpenAPI with the bearer key as its one security scheme."""
    made = app.openapi

    def told() -> dict[str, Any]:
        schema = made()
        described(app.state.takes, schema)
        schema.setdefault("components", {})["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        return schema

    app.openapi = told
