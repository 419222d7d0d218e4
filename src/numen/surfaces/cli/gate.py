"""`numen gate explain`, `numen asks|yes|no|grants`, `numen mind off|on`: the owner's nod."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from numen.app import App, build, load
from numen.kernel import Forbidden, InvalidInput, Json, NumenError, Scope, canonical_bytes, iso
from numen.settings import load as load_settings
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import local_door
from numen.surfaces.nods import ask_json, asks_json, explained, grant_json, verdict_json

if TYPE_CHECKING:
    from numen.gate import Ask

AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
Code = Annotated[str, Parameter(help="The code of the ask, such as K7F.")]


@contextmanager
def owner() -> Generator[tuple[App, Scope]]:
    """The services, and the owner of this home if that is who runs this. Raises `Forbidden` for others."""
    with closing(build(load_settings())) as app:
        scope = app.people.resolve(local_door())
        if not scope.is_owner:
            raise Forbidden("This home belongs to another account.", not_done="Nothing was read or changed.")
        yield app, scope


def explain(
    *,
    tool: Annotated[str | None, Parameter(help="The tool; a shell command is the tool terminal.")] = None,
    args: Annotated[str, Parameter(help="Its arguments as JSON.")] = "{}",
    jsonl: Annotated[
        bool, Parameter(help="Read lines {tool, args}, answer each with {class, verdict, rule}.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Say how a call would be judged, and why; nothing is asked, and nothing written.

    With --jsonl the exit code is 0, or 2 if a line was not {tool, args}.
    """
    with owner() as (app, scope):
        if jsonl:
            return _explain_lines(app, scope)
        if tool is None:
            raise InvalidInput(
                "No tool is named.", next_step="numen gate explain --tool terminal --args JSON"
            )
        said = verdict_json(explained(app, scope, tool, _arguments(args)))
    if json:
        write_json(canonical_bytes({"schema": "numen-verdict-v1", **said}))
        return 0
    say(f"class    {said['class']}: {said['why']}")
    say(f"verdict  {said['verdict']} ({said['rule']}): {said['reason']}")
    return 0


def asks(*, json: AsJson = False) -> None:
    """Show what waits for your answer: each call whole, and the code to answer with."""
    with owner() as (app, scope):
        if json:
            write_json(canonical_bytes(asks_json(app, scope)))
            return
        waiting = app.asks.open(scope)
    for one in waiting:
        say(
            f"{one.code}  {one.cls}  until {iso(one.expires_at)[:16]}Z"
            + (f"  task {one.task}" if one.task else "")
        )
        for call in one.calls:
            say(f"     {call.words}")
    say("Answer with numen yes CODE, or numen no CODE." if waiting else "Nothing waits for an answer.")


def yes(code: Code, /, *, json: AsJson = False) -> None:
    """Allow what an ask asks for, once and exactly as it was shown."""
    _answer(code, True, json)


def no(code: Code, /, *, json: AsJson = False) -> None:
    """Refuse what an ask asks for."""
    _answer(code, False, json)


def grants(
    *,
    give: Annotated[str | None, Parameter(help="A grant as JSON, such as {class, tools, per_day}.")] = None,
    revoke: Annotated[str | None, Parameter(help="The id of a grant to end.")] = None,
    json: AsJson = False,
) -> None:
    """Show what you allowed beforehand; give or end such a grant."""
    with owner() as (app, scope):
        if give is not None:
            app.grants.give(scope, _arguments(give))
        if revoke is not None:
            app.grants.revoke(scope, revoke)
        known = app.grants.list(scope)
    if json:
        write_json(
            canonical_bytes({"schema": "numen-grants-v1", "grants": [grant_json(one) for one in known]})
        )
        return
    for one in known:
        state = (
            f"inert: {one.problem}" if one.problem else "revoked" if one.revoked_at else f"{one.uses} uses"
        )
        say(f"{one.id}  {one.kind or '-'}  {state}")
        say(f"     {canonical_bytes(one.spec).decode()}")
    if not known:
        say("Nothing is allowed beforehand.")


def off() -> None:
    """Switch everything off that acts by itself; works also when the store does not."""
    settings = load_settings()
    load("gate_switch").turn_off(settings.home)
    try:
        with owner() as (app, scope):
            app.mind.switch_off(scope)
    except NumenError as error:
        sys.stderr.write(
            f"The file {settings.home / 'mind.off'} holds it off; the store did not take it: {error.what}\n"
        )
    say("off")


def on() -> None:
    """Let things be done again."""
    with owner() as (app, scope):
        app.gate.turn_on(scope)
    say("on")


def _answer(code: str, allow: bool, json: bool) -> None:
    with owner() as (app, scope):
        answered: Ask = app.asks.answer(scope, code, allow)
    if json:
        write_json(canonical_bytes({"schema": "numen-ask-v1", **ask_json(answered)}))
        return
    say(f"{answered.code}  {'allowed, once' if allow else 'refused'}")
    for call in answered.calls:
        say(f"     {call.words}")


def _explain_lines(app: App, scope: Scope) -> int:
    wrong = 0
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            row = _arguments(line)
            tool, args = row.get("tool"), row.get("args", {})
            if not isinstance(tool, str) or not isinstance(args, dict):
                raise InvalidInput("It is not {tool, args}.")
            said = verdict_json(explained(app, scope, tool, args))
            answer: dict[str, Json] = {name: said[name] for name in ("class", "verdict", "rule", "why")}
        except InvalidInput as error:
            wrong += 1
            answer = {"error": {"code": error.code, "message": f"Line {number}: {error.what}"}}
        write_json(canonical_bytes(answer))
    return 2 if wrong else 0


def _arguments(text: str) -> dict[str, Json]:
    try:
        given: object = jsonlib.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("It is not JSON.", not_done="Nothing was judged.") from None
    if not isinstance(given, dict):
        raise InvalidInput("It is not a JSON object.", not_done="Nothing was judged.")
    return cast("dict[str, Json]", given)


def optout(
    file: Annotated[Path | None, Parameter(help="The text; by default what comes on stdin.")] = None,
    /,
    *,
    jsonl: Annotated[bool, Parameter(help="Read lines {text}, answer each with {optout, rule}.")] = False,
) -> int:
    """Say whether words ask that nothing be sent any more, and by which rule. Nothing is changed."""
    read = load("optout").opt_out
    text = sys.stdin.read() if file is None else file.read_text("utf-8", "replace")
    if not jsonl:
        found = read(text)
        say(f"opt-out ({found.rule})" if found.asked else "no opt-out")
        return 0
    wrong = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = _arguments(line).get("text")
            if not isinstance(said, str):
                raise InvalidInput("It is not {text}.")
            found = read(said)
            answer: dict[str, Json] = {"optout": found.asked, "rule": found.rule}
        except InvalidInput as error:
            wrong += 1
            answer = {"error": {"code": error.code, "message": f"Line {number}: {error.what}"}}
        write_json(canonical_bytes(answer))
    return 2 if wrong else 0
