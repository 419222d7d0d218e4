"""The programs that are measured side by side: how each indexes a tree, and how each is asked.

Every program is used as an agent uses it, with its defaults, in processes of its own, with a home of its own
and no network: an MCP server on stdio, or, for aider, its repo map behind a line of JSON a message.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from numen.kernel import tokens

PATIENCE = 600
"""Seconds after which a program that says nothing is given up."""

LOOKS = 0.05
"""Seconds between two looks at the memory of a program."""

EXPLORED = re.compile(r"^- `[^`]*` \(([^\s()]+):\d+\)|^\*\*`([^`]+)`\*\*|^- ([^\s:`]+): ", re.MULTILINE)
"""Where codegraph's exploration names a file."""

SEARCHED = re.compile(r"^(\S+):\d+$", re.MULTILINE)
"""Where codegraph's search names a file."""


class ProgramFailed(Exception):
    """A program ended, or did not answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Paths of files, best first; what the whole answer costs; whether it was said to be doubtful."""

    files: list[str]
    tokens: int
    weak: bool = False

    @property
    def silent(self) -> bool:
        """Whether no file was named at all."""
        return not self.files


@dataclass(frozen=True, slots=True)
class Indexed:
    """What an index cost: seconds by the clock, seconds of processor, peak MB of all its processes."""

    seconds: float
    cpu_seconds: float
    peak_mb: float


class Memory:
    """Peak resident memory of a process and all that it started, summed: shared pages count each time."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak_mb = 0.0
        self._thread.start()

    def look(self) -> None:
        """Look once."""
        total = 0
        try:
            for one in (self._process, *self._process.children(recursive=True)):
                total += one.memory_info().rss
        except psutil.Error:
            return
        self.peak_mb = max(self.peak_mb, total / 1e6)

    def stop(self) -> float:
        """Stop looking; the peak in MB."""
        self._ended.set()
        self._thread.join()
        return round(self.peak_mb, 1)

    def _watch(self) -> None:
        while not self._ended.wait(LOOKS):
            self.look()


class Lines:
    """A process that is asked in lines of JSON and answers in lines of JSON."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.memory = Memory(self._process.pid)

    def send(self, body: Mapping[str, Any]) -> None:
        """Write one line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(body) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise ProgramFailed("it ended and reads no more") from error

    def receive(self) -> dict[str, Any]:
        """Read one line; a program that is silent for too long is ended."""
        assert self._process.stdout is not None
        watch = threading.Timer(PATIENCE, self._process.kill)
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        if not line:
            raise ProgramFailed("it ended, or said nothing for too long")
        try:
            return json.loads(line)
        except ValueError as error:
            raise ProgramFailed(f"it said something that is no JSON: {line[:80]!r}") from error

    def close(self) -> float:
        """End the process; its peak memory in MB."""
        self.memory.look()
        peak = self.memory.stop()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        return peak


class Mcp(Lines):
    """An MCP server on stdio."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        super().__init__(command, cwd, env)
        self._asked = 0
        client = {"name": "benchmark", "version": "1"}
        try:
            self._request(
                "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
            )
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except ProgramFailed:
            self.close()
            raise

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The text that a tool answers."""
        result = self._request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result["content"])
        if result.get("isError"):
            raise ProgramFailed(f"{tool} answered with an error: {text[:200]}")
        return text

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._asked += 1
        self.send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        while True:
            said = self.receive()
            if said.get("id") != self._asked or "method" in said:
                continue
            if "error" in said:
                raise ProgramFailed(f"{method} was refused: {said['error'].get('message')}")
            return said["result"]


class Program:
    """One program at one tree. `rows` are the ways to ask it, in the order in which they are shown."""

    name = ""
    rows: tuple[str, ...] = ()

    def __init__(self, folder: Path, tree: Path, home: Path) -> None:
        self.folder = folder / self.name
        self.tree = tree
        self.home = home
        self.session: Lines | None = None
        self.peak_mb = 0.0
        home.mkdir(parents=True, exist_ok=True)

    @property
    def env(self) -> dict[str, str]:
        """The environment of its processes: a home of its own, nothing told to anyone."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMEN_")}
        return kept | {
            "HOME": str(self.home),
            "DO_NOT_TRACK": "1",
            "NO_COLOR": "1",
            "CODEGRAPH_TELEMETRY": "off",
            "CODEGRAPH_NO_DAEMON": "1",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "NUMEN_HOME": str(self.home / "numen"),
        }

    @classmethod
    def version(cls, folder: Path) -> str | None:
        """Which version is installed in the program's `folder`, None if none is."""
        raise NotImplementedError

    def indexing(self) -> list[str]:
        """The command that indexes the tree."""
        raise NotImplementedError

    def opened(self) -> Lines:
        """The process that answers."""
        raise NotImplementedError

    def ask(self, row: str, text: str) -> Answer:
        """The answer to `text`; raises ProgramFailed."""
        raise NotImplementedError

    def index(self) -> Indexed:
        """Index the tree, the start of the process included; raises ProgramFailed."""
        spent, began = _children_cpu(), time.perf_counter()
        with subprocess.Popen(
            self.indexing(),
            cwd=self.tree,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process:
            memory = Memory(process.pid)
            try:
                said = process.communicate(timeout=PATIENCE)[1]
            except subprocess.TimeoutExpired as error:
                process.kill()
                raise ProgramFailed(f"no index after {PATIENCE} seconds") from error
            finally:
                peak = memory.stop()
        took = time.perf_counter() - began
        if process.returncode:
            raise ProgramFailed(f"indexing ended with {process.returncode}: {said.decode()[-200:].strip()}")
        return Indexed(round(took, 2), round(_children_cpu() - spent, 2), peak)

    def open(self) -> None:
        """Start the process that answers."""
        self.session = self.opened()

    def close(self) -> None:
        """End that process; its peak memory is kept as `peak_mb`."""
        if self.session is not None:
            self.peak_mb = self.session.close()
            self.session = None

    def called(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What a tool of the open MCP server answers."""
        assert isinstance(self.session, Mcp)
        return self.session.call(tool, arguments)

    def inside(self, paths: Sequence[str]) -> list[str]:
        """`paths` relative to the tree, each once."""
        root = str(self.tree.resolve()) + "/"
        return list(dict.fromkeys(path.removeprefix(root) for path in paths))


class Numen(Program):
    """Numen, by its MCP server."""

    name = "numen"
    rows = ("numen seek", "numen seek, 300 tokens", "numen north")
    _command = str(Path(sys.executable).with_name("numen"))

    @classmethod
    def version(cls, folder: Path) -> str | None:  # noqa: ARG003 - Numen is what runs here
        """The version of the package."""
        return version("numen")

    def indexing(self) -> list[str]:
        """`numen ingest`."""
        return [self._command, "ingest", str(self.tree), "--json"]

    def opened(self) -> Lines:
        """`numen mcp`."""
        return Mcp([self._command, "mcp", "--as", "owner", "--repo", str(self.tree)], self.tree, self.env)

    def ask(self, row: str, text: str) -> Answer:
        """`seek`, with and without a budget, or `north`."""
        if row == "numen north":
            said = self.called("north", {"task": text, "agent_id": "benchmark"})
            body = json.loads(said)
            context = body["context"] or {"focus": [], "anchors": []}
            paths = [place["path"] for place in (*context["focus"], *context["anchors"])]
            weak = any(gap["code"] == "focus.weak" for gap in body["gaps"])
            return Answer(self.inside(paths), tokens(said), weak)
        budget = {"budget_tokens": 300} if row.endswith("300 tokens") else {}
        said = self.called("seek", {"query": text} | budget)
        body = json.loads(said)
        paths = [one["id"].split("::")[0] for one in body["results"]]
        return Answer(self.inside(paths), tokens(said), body["match"] == "weak")


class CodeReviewGraph(Program):
    """code-review-graph, by the search of its MCP server, without embeddings."""

    name = "code-review-graph"
    rows = ("code-review-graph search",)

    @property
    def _command(self) -> str:
        return str(self.folder / "bin/code-review-graph")

    @classmethod
    def version(cls, folder: Path) -> str | None:
        """The version of the package in its environment."""
        return python_version(folder, "code-review-graph")

    def indexing(self) -> list[str]:
        """`code-review-graph build`."""
        return [self._command, "build", "-q", "--repo", str(self.tree)]

    def opened(self) -> Lines:
        """`code-review-graph serve`."""
        return Mcp([self._command, "serve", "--repo", str(self.tree)], self.tree, self.env)

    def ask(self, row: str, text: str) -> Answer:
        """`semantic_search_nodes_tool`, which without embeddings searches words."""
        said = self.called("semantic_search_nodes_tool", {"query": text})
        found = json.loads(said).get("results", [])
        return Answer(self.inside([one["file_path"] for one in found]), tokens(said))


class CodeGraph(Program):
    """codegraph, by its MCP server: what it tells agents to call first, and its search."""

    name = "codegraph"
    rows = ("codegraph explore", "codegraph search")

    @property
    def _command(self) -> str:
        return str(self.folder / "node_modules/.bin/codegraph")

    @property
    def env(self) -> dict[str, str]:
        """With both tools listed; by default only the first is."""
        return super().env | {"CODEGRAPH_MCP_TOOLS": "explore,search"}

    @classmethod
    def version(cls, folder: Path) -> str | None:
        """The version of the package in its folder."""
        place = folder / "node_modules/@colbymchenry/codegraph/package.json"
        return json.loads(place.read_text())["version"] if place.is_file() else None

    def indexing(self) -> list[str]:
        """`codegraph init`, which indexes."""
        return [self._command, "init", "-y", str(self.tree)]

    def opened(self) -> Lines:
        """`codegraph serve --mcp`."""
        command = [self._command, "serve", "--mcp", "--no-watch", "-p", str(self.tree)]
        return Mcp(command, self.tree, self.env)

    def ask(self, row: str, text: str) -> Answer:
        """`codegraph_explore` or `codegraph_search`; files in the order in which the text names them."""
        explores = row.endswith("explore")
        said = self.called("codegraph_explore" if explores else "codegraph_search", {"query": text})
        return Answer(self.inside(self.explored(said) if explores else self.searched(said)), tokens(said))

    @staticmethod
    def explored(text: str) -> list[str]:
        """Files that an exploration names: of its entries, of the source shown, of what it names besides."""
        return [one[one.lastindex or 0] for one in EXPLORED.finditer(text)]

    @staticmethod
    def searched(text: str) -> list[str]:
        """Files of the results of a search."""
        return SEARCHED.findall(text)


class Aider(Program):
    """aider's repo map, with the words of the question mentioned as aider does for a message."""

    name = "aider"
    rows = ("aider map",)
    _script = str(Path(__file__).with_name("peers_aider.py"))

    @property
    def _command(self) -> list[str]:
        # -P: modules beside the script must not stand before those of aider.
        return [str(self.folder / "bin/python"), "-P", self._script]

    @classmethod
    def version(cls, folder: Path) -> str | None:
        """The version of the package in its environment."""
        return python_version(folder, "aider-chat")

    def indexing(self) -> list[str]:
        """The map for no words."""
        return [*self._command, str(self.tree), "--index"]

    def opened(self) -> Lines:
        """The map as a process."""
        return Lines([*self._command, str(self.tree)], self.tree, self.env)

    def ask(self, row: str, text: str) -> Answer:
        """The map for a message; its files in the order of aider's ranking."""
        assert self.session is not None
        self.session.send({"ask": text})
        said = self.session.receive()
        return Answer(self.inside(said["files"]), tokens(said["text"]))


PROGRAMS: tuple[type[Program], ...] = (Numen, CodeReviewGraph, CodeGraph, Aider)
ROWS = tuple(row for program in PROGRAMS for row in program.rows)


def python_version(folder: Path, package: str) -> str | None:
    """The version of a package in the environment at `folder`, None if there is none."""
    found = sorted(folder.glob(f"lib/python*/site-packages/{package.replace('-', '_')}-*.dist-info"))
    return found[-1].name.removesuffix(".dist-info").rpartition("-")[2] if found else None


@contextmanager
def opened(programs: Sequence[Program]) -> Iterator[None]:
    """Ends the processes of all `programs` whatever happens."""
    try:
        yield
    finally:
        for one in programs:
            one.close()


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
