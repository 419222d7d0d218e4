"""All that `numen up` serves, wired: imported while the process already answers that it lives."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import cast

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.types import Scope

from numen.app import App, load
from numen.kernel import InvalidInput, NumenError, Via
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen
from numen.surfaces.front import Served
from numen.surfaces.household import local_door, mind_scope, page_door, settle
from numen.surfaces.http.mount import Part
from numen.surfaces.http.page import Page
from numen.surfaces.http.proxy import Proxies, Refused, networks
from numen.surfaces.http.server import make_http
from numen.surfaces.screen import adopt, bare
from numen.surfaces.verbs import Caller

AWAY_SECONDS = 60.0
"""How long the same refusal of the same peer is recorded once only: a flood is not to fill the record."""

PAGE = "page"
"""The agent id under which the page asks."""


def served(app: App, bound: Path, where: str, *, read_only: bool) -> Served:
    """Routes, MCP and page over `app` for the repository `bound`; prints the link to the page."""
    desk = Desk(app, read_only=read_only, lasting=True)
    adopt(desk.threshold)
    doors = Doors(desk, bound)
    page = Page(doors.card, doors.map, str(bound))
    guarded = make_http(desk, doors.admit, doors.proxied, page, partial(_mcp, desk), doors.warm, doors.tick)
    terminal = bare()
    terminal.write(f"Open {where}/open?code={page.new_code()} (works once)\n")
    terminal.flush()
    return guarded


class Doors:
    """Who comes in over HTTP, and what the page may show."""

    def __init__(self, desk: Desk, bound: Path) -> None:
        self._desk = desk
        self._bound = bound
        self._settling = threading.Lock()
        self._settled = desk.read_only
        self._told = False
        self._stuck = ""
        self._proxies = proxies(desk.app)
        self._away: dict[tuple[str, str], float] = {}

    async def admit(self, key: str) -> Caller:
        """The caller whose key this is. Raises `Unauthorized` for no key or an unknown one.

        Raises as `settle` does while it is not known who the owner is: nobody is served before.
        """
        return await run_sync(self._known, key)

    def _known(self, key: str) -> Caller:
        self._settle()
        name = self._desk.app.people.authenticate(key).name
        return Caller(load("people").Http(Via.HTTP, key), name, self._bound)

    async def proxied(self, scope: Scope, headers: Headers) -> Caller | None:
        """The owner, where a listed proxy names them; None where a key is needed.

        Raises `Unauthorized` and `Forbidden` for what may not be let in, and records that, once a minute for
        each peer and reason.
        """
        peer = cast("tuple[str, int] | None", scope.get("client"))
        address = None if peer is None else peer[0]
        found = self._proxies.admit(address, scope["method"], headers)
        if isinstance(found, Refused):
            await run_sync(self._turned_away, address or "", found.code)
            raise found.error
        if found is None:
            return None
        await run_sync(self._settle)
        session = f"proxy:{found}"
        return Caller(await run_sync(page_door, session), session, self._bound)

    def _turned_away(self, peer: str, code: str) -> None:
        if self._desk.read_only:
            return
        self._settle()
        now = self._desk.app.clock.monotonic()
        with self._settling:
            self._away = {who: at for who, at in self._away.items() if now - at < AWAY_SECONDS}
            fresh = (peer, code) not in self._away
            self._away.setdefault((peer, code), now)
        if fresh:
            self._desk.app.turned_away(mind_scope(self._desk.app), peer, code)

    def warm(self) -> None:
        """Open the services; set up the household where there is none, unless nothing may be written.

        What refuses that is also said in the terminal, once.
        """
        try:
            self._settle()
        except NumenError as error:
            if not self._told:
                sys.stderr.write(error.sentences() + "\n")
            self._told = True
            raise
        self._desk.app.warm()
        if not self._desk.read_only:
            self._desk.app.tend()
            self._write_soul()

    def _write_soul(self) -> None:
        """Write `SOUL.md` where one is configured; what refuses that is said, and stops nothing."""
        app = self._desk.app
        if app.settings.cycle.soul is None:
            return
        try:
            _, done = app.cycle.boot(app.people.resolve(local_door()))
        except NumenError as error:
            sys.stderr.write(error.sentences() + "\n")
            return
        if done.startswith("replaced"):
            sys.stderr.write(f"Another's SOUL.md was {done.replace('replaced', 'kept as')}\n")
        self._desk.threshold.warm()

    def tick(self) -> None:
        """Take a step of the mind; what keeps it from that is said in the terminal, once while it lasts."""
        try:
            self._settle()
            self._desk.app.tick.tick(mind_scope(self._desk.app))
            self._stuck = ""
        except Exception as error:  # noqa: BLE001 - the edge: the next tick tries again
            why = foreseen(error).sentences()
            if why != self._stuck:
                sys.stderr.write(f"The mind could not take its step. {why}\n")
            self._stuck = why

    def _settle(self) -> None:
        with self._settling:
            if not self._settled:
                settle(self._desk.app)
            self._settled = True

    async def card(self, session: str, task: str) -> Sequence[str]:
        """The card of the bound repository for a task, for the owner, who alone can open the page."""
        await run_sync(self._settle)
        caller = Caller(await run_sync(page_door, session), PAGE, self._bound)
        answer = await self._desk.answer_soon("north", {"task": task}, caller)
        view = cast("dict[str, dict[str, list[str]]]", json.loads(answer)).get("human_view")
        return ["The card could not be drawn."] if view is None else view["lines"]

    async def map(self, session: str) -> str:
        """The picture of the bound repository's map as SVG, for the owner."""
        await run_sync(self._settle)
        caller = Caller(await run_sync(page_door, session), PAGE, self._bound)
        answer = await self._desk.answer_soon("map", {"action": "picture"}, caller)
        return cast("dict[str, str]", json.loads(answer))["svg"]


def proxies(app: App) -> Proxies:
    """What the settings say of what stands in front. Raises `InvalidInput` where its secret is not set."""
    said = app.settings.proxy
    secret = None
    if said.secret_variable is not None:
        secret = app.environ.get(said.secret_variable)
        if not secret:
            raise InvalidInput(
                f"{said.secret_variable}, which holds what the proxy shares with Numen, is not set.",
                not_done="Nothing is served.",
                next_step="Set it, or take `secret_variable` out of `proxy` in numen.yaml.",
            )
    return Proxies(networks(said.trusted), said.header, frozenset(said.owners), secret, networks(said.mesh))


def _mcp(desk: Desk) -> Part:
    return cast("Part", load("mcp").MountedMcp(desk))
