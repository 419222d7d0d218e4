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

from numen.app import App, load
from numen.kernel import NumenError, Via
from numen.surfaces.desk import Desk
from numen.surfaces.errors import foreseen
from numen.surfaces.front import Served
from numen.surfaces.household import mind_scope, page_door, settle
from numen.surfaces.http.mount import Part
from numen.surfaces.http.page import Page
from numen.surfaces.http.server import make_http
from numen.surfaces.screen import adopt, bare
from numen.surfaces.verbs import Caller

PAGE = "page"
"""The agent id under which the page asks."""


def served(app: App, bound: Path, where: str, *, read_only: bool) -> Served:
    """Routes, MCP and page over `app` for the repository `bound`; prints the link to the page."""
    desk = Desk(app, read_only=read_only, lasting=True)
    adopt(desk.threshold)
    doors = Doors(desk, bound)
    page = Page(doors.card, doors.map, str(bound))
    guarded = make_http(desk, doors.admit, page, partial(_mcp, desk), doors.warm, doors.tick)
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

    async def admit(self, key: str) -> Caller:
        """The caller whose key this is. Raises `Unauthorized` for no key or an unknown one.

        Raises as `settle` does while it is not known who the owner is: nobody is served before.
        """
        return await run_sync(self._known, key)

    def _known(self, key: str) -> Caller:
        self._settle()
        name = self._desk.app.people.authenticate(key).name
        return Caller(load("people").Http(Via.HTTP, key), name, self._bound)

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


def _mcp(desk: Desk) -> Part:
    return cast("Part", load("mcp").MountedMcp(desk))
