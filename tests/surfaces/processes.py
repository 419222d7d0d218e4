"""Real processes of Numen: a home, a repository, `numen ...`, `numen up`, and `numen mcp` line by line."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NUMEN = [str(Path(sys.executable).with_name("numen"))]
MOMENT = "2026-01-02T03:04:05Z"

FILES = {
    "README.md": "# Orchard\n\nKeeps apples and counts baskets.\n\n## Harvest\n\nCall `pick_apples`.\n",
    "orchard/__init__.py": "",
    "orchard/basket.py": (
        '"""Baskets hold apples."""\n\n\nclass Basket:\n    """A basket with a limit."""\n\n'
        "    def __init__(self, limit):\n        self.limit = limit\n        self.apples = []\n\n"
        "    def add_apple(self, apple):\n"
        '        """Put an apple in; refuses when the basket is full."""\n'
        "        if len(self.apples) >= self.limit:\n            raise OverflowError(apple)\n"
        "        self.apples.append(apple)\n"
    ),
    "orchard/harvest.py": (
        "from orchard.basket import Basket\n\n\n"
        "def pick_apples(tree, limit):\n"
        '    """Pick every ripe apple of a tree into one basket."""\n'
        "    basket = Basket(limit)\n    for apple in tree:\n        basket.add_apple(apple)\n"
        "    return basket\n"
    ),
    "tests/test_harvest.py": (
        "from orchard.harvest import pick_apples\n\n\n"
        "def test_all_apples_are_picked():\n    assert len(pick_apples([1, 2], 3).apples) == 2\n"
    ),
}


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a process of Numen sees: its own home and nothing of ours."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("NUMEN_")}
    return kept | {"NUMEN_HOME": str(home), "COLUMNS": "80"} | more


def fixed(home: Path, **more: str) -> dict[str, str]:
    """The same with a clock that stands still, so that answers can be compared byte by byte."""
    return environment(home, NUMEN_TEST="1", NUMEN_TEST_CLOCK=MOMENT, **more)


def make_repository(place: Path) -> Path:
    """A small repository with one commit."""
    for name, text in FILES.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@orchard.example"]
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        [*who, "commit", "-q", "-m", "Baskets hold apples"],
    ):
        subprocess.run(["git", *command], cwd=place, check=True, env=environment(place))
    return place


def numen(
    home: Path, *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """`numen ARGUMENTS`, to its end."""
    return subprocess.run(
        [*NUMEN, *arguments],
        cwd=cwd or home,
        env=env or environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Server:
    """A running `numen up`."""

    process: subprocess.Popen[str]
    port: int
    link: str
    home: Path

    @property
    def key(self) -> str:
        """The owner's key."""
        return (self.home / "api.key").read_text().strip()

    def request(
        self, method: str, path: str, body: bytes | None = None, *, key: str | None = None, **headers: str
    ) -> Reply:
        """One request; header names are given with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            sent["Authorization"] = f"Bearer {key}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def ask(self, verb: str, key: str | None = None, **arguments: object) -> Reply:
        """A verb over HTTP, as the owner."""
        return self.request("POST", f"/v1/{verb}", json.dumps(arguments).encode(), key=key or self.key)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back over HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as values."""
        return json.loads(self.body)


@contextmanager
def serving(
    home: Path, cwd: Path, *arguments: str, port: int = 0, env: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """`numen up`, by default on a free port, ready; stopped at the end."""
    process = subprocess.Popen(
        [*NUMEN, "up", "--port", str(port), *arguments],
        cwd=cwd,
        env=env or environment(home),
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            where = re.search(r":(\d+)$", process.stdout.readline().strip())
            link = re.search(r"/open\?code=\S+", process.stdout.readline())
            assert where is not None
            assert link is not None
            server = Server(process, int(where[1]), link[0], home)
            while server.request("GET", "/readyz").json.get("status") == "starting":
                time.sleep(0.02)  # asking without a pause would take the processor that it starts with
            yield server
        finally:
            process.terminate()


class Lines:
    """`numen mcp`, spoken to in raw JSON-RPC lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0

    def send(self, line: bytes) -> None:
        """One line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        """The next line as values."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **params: object) -> Any:
        """One request, and the answer to it."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        answer = self.receive()
        assert answer["id"] == self._number
        return answer

    def call(self, tool: str, **arguments: object) -> Any:
        """A tool's result, or the protocol error."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer.get("result") or answer["error"]

    def hello(self, **capabilities: object) -> Any:
        """The handshake of 2025-06-18."""
        answer = self.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities=capabilities,
            clientInfo={"name": "lines", "version": "1"},
        )
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer["result"]


@contextmanager
def speaking(home: Path, cwd: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Lines]:
    """`numen mcp`, ended by closing its stdin."""
    process = subprocess.Popen(
        [*NUMEN, "mcp", *arguments],
        cwd=cwd,
        env=env or environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        yield Lines(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0
