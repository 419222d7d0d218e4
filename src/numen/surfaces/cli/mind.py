"""`numen mind ...`, `numen status`, `numen inbox`: what the mind does unasked, and the owner's word on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, cast

from cyclopts import Parameter

from numen.app import load
from numen.kernel import Json, Via, canonical_bytes, iso
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.minutes import account_json, concern_json, intention_json, state_json, status_json

if TYPE_CHECKING:
    from numen.mind import Intention

Id = Annotated[str, Parameter(help="The id of an intention, as `numen mind log` shows it.")]


def status(*, json: AsJson = False) -> None:
    """Show how this home stands: who its owner is, the mind, what waits, and what was refused."""
    with owner() as (app, scope):
        said = status_json(app, scope)
    if json:
        write_json(canonical_bytes(said))
        return
    mind, refused = _part(said["mind"]), _parts(said["refused"])
    say(f"home     {said['home']}")
    say(f"owner    {said['owner'] or 'not known yet: numen init'}")
    say(f"mind     {'on' if mind['enabled'] else 'off'}, {mind['autonomy']}")
    say(f"body     {_body(mind.get('last_pull_at'))}")
    waiting = len(_parts(mind["asks"]))
    say(f"waiting  {waiting} asks, {mind.get('queued') or 0} on their way, {said['inbox']} in the inbox")
    for one in refused:
        name = one["platform"]
        say(f"refused  what you said on {name}, last at {one['at']}. To let the key speak for you there:")
        say(f"         numen credentials KEY --owner-platform {name}")


def mind_status(*, json: AsJson = False) -> None:
    """Show whether the mind is on, at what level, and what waits."""
    with owner() as (app, scope):
        said = state_json(app, scope)
        text = app.mind.narrative(scope)
    if json:
        write_json(canonical_bytes({"schema": "numen-mind-v1", **said, "narrative": text}))
        return
    say(f"mind     {'on' if said['enabled'] else 'off'}, {said['autonomy']}")
    say(f"tick     {said['last_tick'] or 'none that changed anything'}")
    say(f"body     {_body(said['last_pull_at'])}")
    say(f"concerns {said['concerns']}")
    say(f"queued   {said['queued']}")
    for one in _parts(said["asks"]):
        say(f"ask      {one['code']}  {one['title']}")
    if text:
        say(text)


def log(
    *,
    limit: Annotated[int, Parameter(help="How many, 1 to 100.")] = 20,
    kind: Annotated[Literal["task", "message", "note", "goal"] | None, Parameter(help="Only these.")] = None,
    json: AsJson = False,
) -> None:
    """Show what the mind meant to do, the newest first, and what became of it."""
    with owner() as (app, scope):
        room = load("mind")
        kinds = () if kind is None else (room.IntentionKind(kind),)
        rows = app.mind.log(scope, room.Wanted(limit, kinds=kinds))
    _show(rows, json, "Nothing was intended yet.")


def why(identifier: Id, /, *, json: AsJson = False) -> None:
    """Say why something was intended, and how it came to stand where it stands."""
    with owner() as (app, scope):
        said = account_json(app.intentions.account(scope, identifier))
    if json:
        write_json(canonical_bytes({"schema": "numen-why-v1", **said}))
        return
    say(str(said["text"]))


def rate(
    identifier: Id,
    verdict: Literal["actioned", "dismissed", "ignored", "useful", "not_useful", "wrong"],
    /,
) -> None:
    """Say what you think of something that the mind did; its drive is listened to accordingly."""
    with owner() as (app, scope):
        rated = app.outcomes.rate(scope, identifier, load("mind").Judgement(verdict))
    say(f"{rated.id}  {verdict}")


def level(
    to: Annotated[
        Literal["off", "suggest", "standard", "trusted"] | None,
        Parameter(help="off: nothing; suggest: nearly all is asked; trusted: only what is grave is."),
    ] = None,
    /,
) -> None:
    """Show or set how much is done without asking."""
    with owner() as (app, scope):
        if to is not None:
            app.gate.set_level(scope, load("gate").Autonomy(to))
        say(str(app.gate.level()))


def tick(*, json: AsJson = False) -> None:
    """Take one step of the mind now."""
    with owner() as (app, scope):
        done = app.tick.tick(replace(scope, via=Via.MIND), forced=True)
    if json:
        write_json(canonical_bytes({"schema": "numen-tick-v1", **done.as_json()}))
        return
    parts = {
        "concerns raised": done.raised,
        "resolved": done.resolved,
        "intentions formed": done.formed,
        "moved": done.moved,
        "put into the inbox": done.delivered,
    }
    told = ", ".join(f"{count} {name}" for name, count in parts.items() if count) or "nothing to do"
    say(told if done.asleep is None else f"{told} ({done.asleep})")


def concerns(*, json: AsJson = False) -> None:
    """Show what is on the mind's mind, the weightiest first."""
    with owner() as (app, scope):
        rows = app.mind.concerns(scope)
    if json:
        listed: list[Json] = [concern_json(one, left) for one, left in rows]
        write_json(canonical_bytes({"schema": "numen-concerns-v1", "concerns": listed}))
        return
    for one, left in rows:
        say(f"{left:.2f}  {one.drive:<9}  {one.title}  {one.id}")
    if not rows:
        say("Nothing is on its mind.")


def goals(
    title: Annotated[str | None, Parameter(help="Set a goal of this title.")] = None,
    /,
    *,
    body: Annotated[str, Parameter(help="With a title: what is to be reached, in words.")] = "",
    turns: Annotated[int | None, Parameter(help="With a title: turns it may take.")] = None,
    drop: Annotated[str | None, Parameter(help="Let go of the goal of this id.")] = None,
    json: AsJson = False,
) -> None:
    """Show the goals, or set one: it is worked on until it is reached."""
    with owner() as (app, scope):
        if title is not None:
            app.mind.set_goal(scope, title, body, **({} if turns is None else {"turns": turns}))
        if drop is not None:
            app.intentions.cancel(scope, drop)
        rows = app.mind.goals(scope)
    _show(rows, json, "No goal is set.")


def opinions(
    query: Annotated[str, Parameter(help="Only those that speak of this.")] = "", /, *, json: AsJson = False
) -> None:
    """Show the views that are held, and by their number why."""
    with owner() as (app, scope):
        rows = app.opinions.listed(scope, query)
    if json:
        listed: list[Json] = [one.as_json() for one in rows]
        write_json(canonical_bytes({"schema": "numen-opinions-v1", "opinions": listed}))
        return
    for one in rows:
        say(f"{one.number}  {one.subject}: {one.stance} ({one.certainty})")
    if not rows:
        say("No view is held.")


def inbox(*, limit: Annotated[int, Parameter(help="How many, 1 to 100.")] = 20, json: AsJson = False) -> None:
    """Show what Numen had to tell you while no body was there to send it, the newest first."""
    with owner() as (app, scope):
        rows = app.outbox.inbox(scope, limit)
    if json:
        _show(rows, json, "")
        return
    for one in rows:
        say(f"{iso(one.moved_at)[:16]}Z  {one.id}")
        for line in one.body.splitlines():
            say(f"    {line}")
    if not rows:
        say("The inbox is empty.")


def _part(value: Json) -> Mapping[str, Json]:
    return cast("Mapping[str, Json]", value)


def _parts(value: Json) -> Sequence[Mapping[str, Json]]:
    return cast("Sequence[Mapping[str, Json]]", value)


def _show(rows: Sequence[Intention], json: bool, empty: str) -> None:
    if json:
        listed: list[Json] = [intention_json(one) for one in rows]
        write_json(canonical_bytes({"schema": "numen-intentions-v1", "intentions": listed}))
        return
    if rows:
        say(load("mind_narrative").logged(rows))
    else:
        say(empty)


def _body(last_pull: Json) -> str:
    return f"asked for work last at {str(last_pull)[:16]}Z" if last_pull else "none has asked for work"
