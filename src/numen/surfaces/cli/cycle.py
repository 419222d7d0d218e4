"""`numen turn`, `numen cycle ...`: a message thought through, and what can be seen of how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, cast

from cyclopts import Parameter

from numen.app import load
from numen.kernel import Json, canonical_bytes
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import answered, parsed, say, write_json
from numen.surfaces.household import local_door

Uid = Annotated[str | None, Parameter(help="Who speaks.")]
Channel = Annotated[str | None, Parameter(help="In which conversation.")]
Server = Annotated[str | None, Parameter(help="On which platform.")]


def turn(
    text: Annotated[str, Parameter(help="The message.")],
    /,
    *,
    uid: Uid = None,
    channel: Channel = None,
    server: Server = None,
    repo: Annotated[
        str | None, Parameter(help="A path in the repository; by default where you stand.")
    ] = None,
    trace: Annotated[bool, Parameter(help="Show each step and what it cost.")] = False,
    json: AsJson = False,
) -> None:
    """Think a message through in its room: `uid`, `channel` and `server` name it, without them it is new."""
    answer = answered(
        "turn",
        {
            "input": text,
            "uid": uid,
            "channel": channel,
            "server": server,
            "repo": repo,
            "trace": trace or None,
        },
    )
    if json:
        write_json(answer)
        return
    said = parsed(answer)
    say(str(said["content"]))
    plan, energy = _part(said["plan"]), _part(said["energy"])
    cost = f"{said['calls']} calls, {said['tokens']} tokens, {energy['left']} of {energy['capacity']} left"
    say(f"\n{said['turn']}  {plan['arm']} ({plan['why']}), {cost}")
    drift = _part(said["drift"])
    say(f"drift    {drift['held']} of {drift['checks']} checks hold")
    for one in _parts(drift["findings"]):
        say(f"         {one['check']}: {one['reason']}")
    for one in _parts(said["tools"]):
        asked = f" ({one['ask']})" if "ask" in one else ""
        say(f"tool     {one['tool']}: {one['state']}{asked}")
    for note in cast("Sequence[str]", said["notes"]):
        say(f"note     {note}")
    if trace:
        _steps(_parts(said["trace"]))


def selftest(*, json: AsJson = False) -> int:
    """Run every organ of the cycle alone, with stubs for the others. Exit code 1 if one fails."""
    with owner() as (app, _):
        trials = load("cycle_selftest").selftest(app.clock)
    rows: list[dict[str, Json]] = [one.as_json() for one in trials]
    if json:
        write_json(canonical_bytes({"schema": "numen-selftest-v1", "organs": rows}))
    else:
        for row in rows:
            say(f"{'ok  ' if row['ok'] else 'FAIL'} {row['organ']!s:<10} {row['says']}")
    return 0 if all(row["ok"] for row in rows) else 1


def show(
    turn: Annotated[str | None, Parameter(help="The id of a turn; without it, how the cycle stands.")] = None,
    /,
    *,
    json: AsJson = False,
) -> None:
    """Show who thinks, with what, and the last turns; or all steps of one turn."""
    with owner() as (app, scope):
        said = app.cycle.standing(scope) if turn is None else app.cycle.trace(scope, turn)
    if json:
        write_json(canonical_bytes(said))
        return
    if turn is not None:
        say(f"{said['turn']}  {said['at']}  {said['calls']} calls, {said['tokens']} tokens")
        _steps(_parts(said["steps"]))
        return
    if said["identity"] is not None:
        who = _part(said["identity"])
        say(f"identity {', '.join(cast('Sequence[str]', who['lenses']))} (version {who['version']})")
    say(f"model    {said['model'] or 'none: numen model use'}")
    say(f"fit      {said['fit'] or 'none: one pass a turn (numen cycle fit)'}")
    for row in _parts(said["turns"]):
        say(f"{row['turn']}  {row['at']}  {row['calls']} calls")


def replay(turn: Annotated[str, Parameter(help="The id of a turn.")], /, *, json: AsJson = False) -> int:
    """Go through a turn again from what its room kept. Exit code 1 if a byte differs."""
    with owner() as (app, scope):
        said = app.cycle.replay(scope, turn)
    if json:
        write_json(canonical_bytes(said))
    else:
        say(f"{turn}: {'the same, byte by byte' if said['same'] else 'another course'}")
    return 0 if said["same"] else 1


def fit(
    tasks: Annotated[Path, Parameter(help='Labelled tasks, a line each: {"id", "input", "answer"}.')],
    /,
    *,
    limit: Annotated[int | None, Parameter(help="Only the first so many.")] = None,
    json: AsJson = False,
) -> None:
    """Measure how long the configured model is worth asking, and keep that for its turns."""
    with owner() as (app, scope):
        found = load("cycle_measuring").read_tasks(tasks)[:limit]
        made, place = app.cycle.fit(scope, found, lambda _: None)
    if json:
        write_json(canonical_bytes(made))
        return
    if place is None:
        say(f"{made['model']} follows a script: the mechanism ran, and nothing was measured or kept.")
        return
    for row in _parts(made["report"]):
        share = f"{row['right']}/{row['tasks']} [{row['low']}, {row['high']}]"
        cost = f"harm {row['harm']}, {row['tokens']} tokens, {row['millis']} ms"
        say(f"{row['kind']!s:<8} {row['way']!s:<16} {share:<28} {cost}")
    say(f"kept in {place}")


def keep(
    switch: Annotated[Literal["on", "off"], Parameter(help="off also erases what was kept.")],
    /,
    *,
    uid: Uid = None,
    channel: Channel = None,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Keep the words of a room's turns, so that they can be replayed; or no more."""
    with owner() as (app, _):
        scope = app.people.resolve(local_door(), load("people").Speaker(uid, channel, server))
        erased = app.cycle.keep(scope, on=switch == "on")
    if json:
        write_json(canonical_bytes({"schema": "numen-keep-v1", "on": switch == "on", "erased": erased}))
    else:
        say(f"words are kept: {switch}; {erased} turns lost theirs")


def soul(*, json: AsJson = False) -> None:
    """Fix who thinks, if nobody did, and write SOUL.md where `cycle.soul` says."""
    with owner() as (app, scope):
        who, done = app.cycle.boot(scope)
    if json:
        write_json(canonical_bytes({**who.as_json(), "soul": done}))
    else:
        say(f"SOUL.md: {done}")


def _steps(rows: Sequence[Mapping[str, Json]]) -> None:
    for row in rows:
        cost = f"{row.get('calls', 0)} calls, {row.get('input', 0)} in, {row.get('output', 0)} out"
        mark = " " if row["ran"] else "-"
        say(f"{row['n']!s:>2} {mark} {row['step']!s:<14} {cost:<34} {row.get('note', '')}")


def _part(value: Json) -> Mapping[str, Json]:
    return cast("Mapping[str, Json]", value)


def _parts(value: Json) -> Sequence[Mapping[str, Json]]:
    return cast("Sequence[Mapping[str, Json]]", value)
