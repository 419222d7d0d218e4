"""A store on both databases: SQLite in a temporary home, and a PostgreSQL that the test run starts and stops.

`place` is where a store can be opened; `store` is one that is open. A test that uses either runs twice.
Making the tables takes longer than most tests, so an open store is a copy of one that was made before.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from numen.kernel import SystemClock
from numen.store import Store

_SERVER = pytest.StashKey["Server"]()
_NAMES = itertools.count(1)
_QUICK = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=32MB")


class PortTaken(Exception):
    """The server ended before it answered: its port was free a moment ago."""


class Server:
    """One PostgreSQL cluster in a temporary folder, on a free port of 127.0.0.1 only."""

    def __init__(self) -> None:
        self.programs = {name: _program(name) for name in ("initdb", "postgres")}
        self.account = (
            {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        )
        self.folder = Path(tempfile.mkdtemp(prefix="numen-postgres-"))
        if self.account:
            shutil.chown(self.folder, "postgres", "postgres")
        self.data = self.folder / "data"
        self.port = 0
        self._run("initdb", "--pgdata", self.data, "--username=numen", "--auth=trust", "--no-sync", "-EUTF8")
        self.process: subprocess.Popen[bytes] | None = None
        for _ in range(5):
            self.port = _free_port()
            with contextlib.suppress(PortTaken):
                self.start()
                return
        raise RuntimeError((self.folder / "log").read_text())

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `PortTaken` when another one was quicker."""
        settings = (
            f"port={self.port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}",
        )
        flags = [part for setting in (*settings, *_QUICK) for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs["postgres"], "-D", self.data, *flags],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.account,
            )  # fmt: skip
        for _ in range(600):
            if self.process.poll() is not None:
                raise PortTaken((self.folder / "log").read_text())
            with contextlib.suppress(psycopg.OperationalError):
                if self._answers():
                    return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "log").read_text())

    def _answers(self) -> bool:
        """Whether it is this server, and not another one on the same port, that takes connections."""
        with psycopg.connect(self.url("postgres", driver=True)) as connection:
            row = connection.execute("SHOW data_directory").fetchone()
        return row is not None and Path(row[0]) == self.data

    def stop(self) -> None:
        """Stop the server, by its pid, and wait until it is gone."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)

    def remove(self) -> None:
        """Stop the server and remove its files."""
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, database: str, *, driver: bool = False, user: str = "numen") -> str:
        """The URL of `database`, as Numen takes it, or as the driver does."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}" + (
            "?connect_timeout=5" if driver else ""
        )

    @contextlib.contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """The URL of a database that lives as long as the `with`: an empty one, or a copy of `template`."""
        name = f"numen_{next(_NAMES)}"
        self._say(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield self.url(name)
        finally:
            self._say(f"DROP DATABASE {name} WITH (FORCE)")

    @functools.cached_property
    def made(self) -> str:
        """The name of a database with the tables of a new store, to be copied."""
        self._say("CREATE DATABASE numen_made TEMPLATE template0 STRATEGY file_copy")
        Store.open(self.url("numen_made"), SystemClock()).close()
        return "numen_made"

    def _say(self, command: str) -> None:
        with psycopg.connect(self.url("postgres", driver=True), autocommit=True) as connection:
            connection.execute(command.encode())

    def _run(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [self.programs[program], *arguments], cwd="/", check=True, capture_output=True, **self.account
        )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the server before the first test's time is counted, if one of the tests needs it."""
    if not session.config.option.collectonly and any(
        item.get_closest_marker("postgres") for item in session.items
    ):
        with contextlib.suppress(FileNotFoundError):
            session.config.stash[_SERVER] = Server()


def pytest_unconfigure(config: pytest.Config) -> None:
    server = config.stash.get(_SERVER, None)
    if server is not None:
        server.remove()


@pytest.fixture
def postgres(request: pytest.FixtureRequest) -> Server:
    """The PostgreSQL of this run; a test that uses it is marked `postgres`."""
    server = request.config.stash.get(_SERVER, None)
    if server is None:
        pytest.fail("PostgreSQL is not installed here; `make test` installs it.", pytrace=False)
    return server


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a new store, to be copied."""
    home = tmp_path_factory.mktemp("made")
    Store.open(home, SystemClock()).close()
    return home / "numen.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """A home, or the URL of a database: empty, but for a test that uses `store`."""
    is_made = "store" in request.fixturenames
    if request.param == "sqlite":
        home = tmp_path / "home"
        if is_made:
            home.mkdir(mode=0o700)
            shutil.copy(request.getfixturevalue("made"), home / "numen.db")
        yield home
        return
    server: Server = request.getfixturevalue("postgres")
    with server.database(server.made) if is_made else server.database() as url:
        yield url


@pytest.fixture
def store(place: str | Path) -> Iterator[Store]:
    """An open store."""
    with Store.open(place, SystemClock()) as opened:
        yield opened


def _program(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    if found:
        return str(found[-1])
    on_path = shutil.which(name)
    if on_path is None:
        raise FileNotFoundError(name)
    return on_path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
