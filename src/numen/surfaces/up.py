"""`numen up`: HTTP, MCP and the page in one process on this machine."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated, cast

import uvicorn
from anyio.to_thread import run_sync
from cyclopts import Parameter

from numen.app import App, build, load
from numen.kernel import Conflict, InvalidInput, NumenError, Unavailable, Via
from numen.settings import Settings
from numen.settings import load as load_settings
from numen.surfaces.desk import Desk
from numen.surfaces.household import page_door, settle
from numen.surfaces.http.mount import Part
from numen.surfaces.http.page import Page
from numen.surfaces.http.server import make_http
from numen.surfaces.running import announced, url
from numen.surfaces.screen import adopt, bare
from numen.surfaces.verbs import Caller

PAGE = "page"
"""The agent id under which the page asks."""

PATIENCE = 5
"""Seconds that a stopping server gives its running requests (ours: an ingest of a large repository fits)."""

BACKLOG = 128
"""Connections that wait while the server is starting (ours; what Linux used for long as the default)."""


def up(
    *,
    repo: Annotated[Path | None, Parameter(help="The repository meant when none is named.")] = None,
    host: Annotated[str | None, Parameter(help="The address to listen on.")] = None,
    port: Annotated[int | None, Parameter(help="The port; 0 takes a free one.")] = None,
    read_only: Annotated[bool, Parameter(help="Refuse every verb that writes.")] = False,
) -> None:
    """Serve HTTP, MCP and the page on this machine, until Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    bound = Path(os.path.realpath(repo or os.getcwd()))
    if not bound.is_dir():
        raise InvalidInput(f"{bound} is not a directory.", not_done="Nothing was started.")
    settings = load_settings(host=host, port=port)
    with (
        suppress(KeyboardInterrupt),
        closing(_listening(settings)) as listener,
        closing(build(settings)) as app,
    ):
        asyncio.run(_serve(app, bound, listener, read_only=read_only))


async def _serve(app: App, bound: Path, listener: socket.socket, *, read_only: bool) -> None:
    desk = Desk(app, read_only=read_only, lasting=True)
    adopt(desk.threshold)
    doors = Doors(desk, bound)
    page = Page(doors.card, str(bound))
    guarded = make_http(desk, doors.admit, page, partial(_mcp, desk), doors.warm)
    config = uvicorn.Config(
        guarded,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=PATIENCE,
    )
    host, port = _address(listener)
    with announced(app.settings.home, host, port):
        await Served(config, partial(_announce, host, port, page)).serve(sockets=[listener])


class Served(uvicorn.Server):
    """A server that says where it is once it answers, and that ends quietly on SIGINT and SIGTERM."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce
        self._told = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._announce()

    async def main_loop(self) -> None:
        """Look around once a second, not ten times: an idle server is to cost nothing."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), 1.0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and do not wait for the second to pass."""
        super().handle_exit(sig, frame)
        self._told.set()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take the signals for as long as the server lives; they end it and are not raised again."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


class Doors:
    """Who comes in over HTTP, and what the page may show."""

    def __init__(self, desk: Desk, bound: Path) -> None:
        self._desk = desk
        self._bound = bound
        self._settling = threading.Lock()
        self._settled = desk.read_only
        self._told = False

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
        self._desk.threshold.warm()

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


def _listening(settings: Settings) -> socket.socket:
    """A socket that already listens, so that whoever connects early waits and is answered."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Conflict(
                f"Port {settings.port} on {settings.host} is taken.",
                not_done="Numen was not started.",
                next_step="Stop what listens there, or take another: `numen up --port 0` finds a free one.",
            ) from error
        raise Unavailable(
            f"Numen cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.",
            not_done="Numen was not started.",
        ) from error
    return listener


def _address(listener: socket.socket) -> tuple[str, int]:
    host, port = cast("tuple[str, int]", listener.getsockname()[:2])
    return host, port


def _announce(host: str, port: int, page: Page) -> None:
    where = url(host, port)
    terminal = bare()
    terminal.write(f"Numen listens on {where}\nOpen {where}/open?code={page.new_code()} (works once)\n")
    terminal.flush()


def _mcp(desk: Desk) -> Part:
    return cast("Part", load("mcp").MountedMcp(desk))
