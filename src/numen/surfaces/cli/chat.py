"""`numen chat`, `numen sessions`, `numen tools`, `numen mcp add|list|test|remove`, `numen agent rename`."""

from __future__ import annotations

import json as jsonlib
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from numen.app import App, load
from numen.kernel import InvalidInput, Json, NotFound, NumenError, Scope, canonical_bytes, iso
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.desk import Desk
from numen.surfaces.screen import adopt, bare
from numen.surfaces.talk import answer_of, session_json, start_of, tools_json

if TYPE_CHECKING:
    from numen.resident import Said, Streamed
    from numen.surfaces.threshold import Flow

WAITS = 3
"""Exit code where a turn waits for an answer that nobody is here to give."""

SHOWN = 200
"""Characters of a result that a line of the terminal shows (ours)."""

Name = Annotated[str, Parameter(help="The server's name; it stands before each of its tools.")]


def chat(
    message: Annotated[str | None, Parameter(help="What to say; without it a conversation begins.")] = None,
    /,
    *,
    session: Annotated[str | None, Parameter(help="Go on with the session of this id.")] = None,
    json: AsJson = False,
) -> int:
    """Talk: the answer streams, tools are shown at work, and what needs your nod is asked here.

    With a message and nobody to ask, the exit code is 3 where the turn waits for an answer: `numen yes CODE`.
    """
    with owner() as (app, scope):
        desk = Desk(app)
        adopt(desk.threshold)
        app.engage(patient=False)
        asks = sys.stdin.isatty() and not json
        if message is not None:
            return _turn(desk, scope, message, session, asks=asks, json=json)[1]
        if not asks:
            raise InvalidInput("There is nobody to talk to.", next_step='numen chat "MESSAGE"')
        for words in _typed():
            session, _ = _turn(desk, scope, words, session, asks=True, json=False)
        say(f"numen chat --session {session}" if session else "")
    return 0


def sessions(
    query: Annotated[str, Parameter(help="Only those in which these words were said.")] = "",
    /,
    *,
    archived: Annotated[bool, Parameter(help="Also those that were put away.")] = False,
    export: Annotated[str | None, Parameter(help="Print the session of this id, whole, as JSON.")] = None,
    stop: Annotated[str | None, Parameter(help="Stop the turn at work in the session of this id.")] = None,
    json: AsJson = False,
) -> None:
    """Show conversations, pinned and latest first; print one whole, or stop what runs in it."""
    with owner() as (app, scope):
        its = app.resident.sessions
        if export is not None:
            write_json(canonical_bytes(its.export(scope, export)))
            return
        if stop is not None:
            say("stopped" if its.stop(scope, stop) else "nothing is at work there")
            return
        rows = its.list(scope, having=query, archived=archived)
    if json:
        listed: list[Json] = [session_json(one) for one in rows]
        write_json(canonical_bytes({"schema": "numen-sessions-v1", "sessions": listed}))
        return
    for one in rows:
        say(f"{iso(one.active_at)[:16]}Z  {one.id}  {'* ' if one.pinned else ''}{one.title}")
    if not rows:
        say("There is no conversation." if not query else "Nobody said that.")


def tools(*, json: AsJson = False) -> None:
    """Show what can be called, and which servers cannot be reached, and why."""
    with owner() as (app, scope):
        said = tools_json(app, scope)
    if json:
        write_json(canonical_bytes({"schema": "numen-tools-v1", **said}))
        return
    for tool in cast("Sequence[Mapping[str, str]]", said["tools"]):
        say(f"{tool['name']:<40}{' '.join(tool['description'].split())[:80]}")
    for name, state in cast("Mapping[str, str]", said["servers"]).items():
        if state != "connected":
            say(f"{name}: {state}")
    if not said["servers"]:
        say("No server is connected: numen mcp add NAME COMMAND, or --url URL.")


def add(
    name: Name,
    command: Annotated[str | None, Parameter(help="The program and its arguments, in one text.")] = None,
    /,
    *,
    url: Annotated[str | None, Parameter(help="Where it answers over HTTP, instead of a command.")] = None,
    env: Annotated[tuple[str, ...], Parameter(help="Variables of yours that it is given.")] = (),
) -> None:
    """Connect a tool server from now on."""
    if (command is None) is (url is None):
        raise InvalidInput("Give a command or --url.", not_done="Nothing was added.")
    words = shlex.split(command or "")
    spec: dict[str, Json] = (
        {"url": url} if url is not None else {"command": words[0], "args": words[1:], "env": env}
    )
    with owner() as (app, scope):
        app.resident.servers.add(scope, name, spec)
    say(f"added    {name}; numen mcp test {name} tries it")


def list_(*, json: AsJson = False) -> None:
    """Show the tool servers."""
    with owner() as (app, _):
        rows = app.resident.servers.list()
    if json:
        listed: list[Json] = [{"name": one.name, **one.as_json()} for one in rows]
        write_json(canonical_bytes({"schema": "numen-servers-v1", "servers": listed}))
        return
    for one in rows:
        say(f"{one.name:<20}{one.url or shlex.join(one.command)}")
    if not rows:
        say("There is none: numen mcp add NAME COMMAND, or --url URL.")


def try_(name: Name, /) -> int:
    """Connect to a tool server, and show its tools. Exit code 1 if it cannot be reached."""
    with owner() as (app, scope):
        said = tools_json(app, scope)
    state = cast("Mapping[str, str]", said["servers"]).get(name)
    if state is None:
        raise NotFound(f"There is no server {name!r}.", next_step="numen mcp list")
    tools = [one for one in cast("Sequence[Mapping[str, str]]", said["tools"]) if one["server"] == name]
    say(f"{name}: {state}")
    for tool in tools:
        say(f"  {tool['name']}")
    return 0 if state == "connected" else 1


def remove(name: Name, /) -> None:
    """Forget a tool server."""
    with owner() as (app, scope):
        app.resident.servers.remove(scope, name)
    say(f"removed  {name}")


def rename(
    slug: Annotated[str, Parameter(help="The agent's name now, such as agent:numen.")],
    new: Annotated[str, Parameter(help="Its name from now on.")],
    /,
) -> None:
    """Give an agent another name; its history follows it, and the old name still finds it."""
    with owner() as (app, scope):
        agent = app.resident.sessions.rename_agent(scope, slug, new)
    say(f"{agent.id}  {agent.slug}")


def _typed() -> Iterator[str]:
    """What a person types, until they leave."""
    while True:
        try:
            words = input("> ").strip()
        except EOFError:
            return
        if words:
            yield words


def _turn(
    desk: Desk, scope: Scope, message: str, session: str | None, *, asks: bool, json: bool
) -> tuple[str, int]:
    """Say something and show what comes of it: the session, and the exit code."""
    app = desk.app
    said = app.resident.sessions.say(scope, message, session=session)
    shown = _Shown(desk, app, scope, asks=asks, quiet=json)
    told: list[tuple[str, Mapping[str, Json]]] = []
    waits = False
    try:
        for one in _events(app, scope, said):
            told.append((str(one.kind), one.data))
            waits = shown.show(one)
            if waits:
                break
    except KeyboardInterrupt:
        app.resident.sessions.stop(scope, said.session.id)
        say("\nstopped")
    if json:
        clean = desk.threshold.clean_json(answer_of(said, told))
        write_json(canonical_bytes(clean))
    return said.session.id, WAITS if waits else 0


def _events(app: App, scope: Scope, said: Said) -> Iterator[Streamed]:
    with app.resident.streams.follow(scope, said.session.id, start_of(app, scope, said)) as tail:
        while True:
            tail.wait()
            for one in tail.pending():
                yield one
                if str(one.kind) == "done" and one.data.get("turn_id") == said.turn.id:
                    return


class _Shown:
    """A turn on the terminal."""

    def __init__(self, desk: Desk, app: App, scope: Scope, *, asks: bool, quiet: bool) -> None:
        self._desk = desk
        self._app = app
        self._scope = scope
        self._asks = asks
        self._quiet = quiet
        self._flow: Flow | None = None

    def show(self, one: Streamed) -> bool:
        """Show one event; whether the turn waits for somebody who is not here."""
        kind, data = str(one.kind), one.data
        if self._quiet:
            return kind in {"ask", "budget"} and "answered" not in data
        match kind:
            case "text":
                self._text(str(data["delta"]), final=bool(data.get("final")))
            case "text_reset":
                say("\n(it begins again)")
            case "tool_use":
                say(f"  - {data['name']} {jsonlib.dumps(data['args'], ensure_ascii=False)}")
            case "tool_result":
                result = " ".join(str(data["result"] or "").split())[:SHOWN]
                say(f"    {data['receipt']}: {result}")
            case "ask" | "budget":
                return self._ask(data)
            case "notice" | "error":
                say(f"  ! {data['message']}")
            case _:
                pass
        return False

    def _text(self, piece: str, *, final: bool) -> None:
        terminal = bare()
        if self._flow is None:
            self._flow = self._desk.threshold.flow()
        terminal.write(self._flow.feed(piece))
        if final:
            terminal.write(self._flow.finish() + "\n")
            self._flow = None
        terminal.flush()

    def _ask(self, data: Mapping[str, Json]) -> bool:
        if "answered" in data or data.get("state") not in {None, "open"}:
            return False
        if "input_id" in data:
            say(f"  ? {data.get('message')}")
            self._app.resident.sessions.answer(
                self._scope, str(data["input_id"]), load("resident").InputState.CANCEL
            )
            say("    A form cannot be filled in here; it was cancelled.")
            return False
        for words in cast("Sequence[str]", data["evidence"]):
            say(f"  ? {words}")
        if not self._asks:
            say(f"    numen yes {data['code']}, or numen no {data['code']}")
            return True
        answer = input("    Do it? [y/N] ").strip().lower()
        try:
            self._app.asks.answer(self._scope, str(data["code"]), answer in {"y", "yes"})
        except NumenError as error:
            say(f"    {error.sentences()}")
        return False
