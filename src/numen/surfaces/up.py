"""`numen up`: HTTP, MCP and the page in one process on this machine."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Annotated, cast

import uvicorn
from cyclopts import Parameter

from numen.app import App, build, load
from numen.kernel import Conflict, InvalidInput, Unavailable
from numen.settings import Settings
from numen.settings import load as load_settings
from numen.surfaces.front import Front, Served
from numen.surfaces.running import announced, url
from numen.surfaces.screen import bare

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
    host, port = _address(listener)
    config = uvicorn.Config(
        Front(
            lambda: cast("Served", load("serving").served(app, bound, url(host, port), read_only=read_only))
        ),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=PATIENCE,
    )
    with announced(app.settings.home, host, port):
        await Server(config, partial(_announce, host, port)).serve(sockets=[listener])


class Server(uvicorn.Server):
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


def _listening(settings: Settings) -> socket.socket:
    """A socket that already listens, so that whoever connects early waits and is answered."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Inherited by what it accepts: else the body of each answer waits 40 ms for the client's late ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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


def _announce(host: str, port: int) -> None:
    terminal = bare()
    terminal.write(f"Numen listens on {url(host, port)}\n")
    terminal.flush()
