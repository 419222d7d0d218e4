"""`/asks`, `/v1/mind/guard`, `/v1/mind/off|on`, `/v1/mind/decide`: may it be done, and the owner's answer."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from fastapi import FastAPI
from pydantic import ConfigDict, Field

from numen.app import App, load
from numen.kernel import Json, NotFound, Scope, Via
from numen.surfaces.desk import Desk
from numen.surfaces.http.route import Asked, Body, Takes, add_route
from numen.surfaces.nods import ask_json, asks_json

if TYPE_CHECKING:
    from numen.gate import Verdict
    from numen.people import Http


JOB_TOOLS = frozenset({"cronjob", "cronjob_manage"})
"""Tools that make scheduled jobs."""


class DeclaredEffect(Body):
    """What the caller says that its action does."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    cls: str | None = None
    target: str | None = None
    digest: str | None = None
    recipients: list[str] = Field(default_factory=list[str])
    bounded: bool = True


class GuardBody(Body):
    """What the guard is asked: unknown fields are passed over, for a refused question blocks a tool."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    tool: str
    args: dict[str, object] = Field(default_factory=dict[str, object], repr=False)
    session: str | None = None
    run: Literal["mind", "guest", "owner"] = "guest"
    task_id: str | None = None
    recipients: list[str] = Field(default_factory=list[str])
    owner: bool | None = None
    contact_id: str | None = None
    platform: str | None = None
    sender_id: str | None = None
    cwd: str | None = None
    tool_call_id: str | None = None
    effect: DeclaredEffect | None = None


class AnswerBody(Body):
    """An answer to an ask. `seen`: how many of its calls were shown."""

    answer: Literal["yes", "no"]
    message: str | None = Field(None, repr=False)
    seen: int | None = Field(None, ge=0)


class DecideBody(Body):
    """An answer that the owner gave in a chat."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    code: str
    answer: Literal["yes", "no"]
    message: str | None = Field(None, repr=False)
    contact_id: str | None = None


def add_gate(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        ("GET", "/asks", "What waits for the owner's answer.", _asks, False),
        ("POST", "/asks/{code}", "The owner's answer; the first one wins.", Takes(_answer, AnswerBody), True),
        ("POST", "/v1/mind/guard", "May this call be made?", Takes(_guard, GuardBody), True),
        ("POST", "/v1/mind/decide", "The owner's answer in a chat.", Takes(_decide, DecideBody), True),
        ("POST", "/v1/mind/off", "Nothing is done any more.", _off, True),
        ("POST", "/v1/mind/on", "Things may be done again.", _on, True),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def _asks(app: App, asked: Asked) -> Json:
    return asks_json(app, app.people.resolve(asked.caller.door))


def _answer(app: App, asked: Asked) -> Json:
    body = asked.read(AnswerBody)
    scope = app.people.resolve(asked.caller.door)
    answered = app.asks.answer(
        scope, asked.path["code"], body.answer == "yes", message=body.message, seen=body.seen
    )
    return ask_json(answered)


def _decide(app: App, asked: Asked) -> Json:
    body = asked.read(DecideBody)
    scope = app.people.resolve(asked.caller.door)
    if body.contact_id not in {None, "owner", scope.viewer}:
        raise load("people").NotOwner("Only the owner answers asks.", not_done="Nothing was answered.")
    answered = app.asks.answer(scope, body.code, body.answer == "yes", message=body.message)
    return {"ok": True, "id": answered.id, "status": answered.state, "code": answered.code}


def _off(app: App, asked: Asked) -> Json:
    app.mind.switch_off(app.people.resolve(asked.caller.door))
    return {"enabled": False}


def _on(app: App, asked: Asked) -> Json:
    app.gate.turn_on(app.people.resolve(asked.caller.door))
    return {"enabled": not app.gate.is_off()}


def _guard(app: App, asked: Asked) -> Json:
    """The verdict as the stock client reads it: `allow` is always there, and nothing is ever a 404."""
    body = asked.read(GuardBody)
    try:
        return _judged(app, asked, body)
    except NotFound as error:
        return {
            "allow": False,
            "action": "block",
            "reason": error.sentences(),
            "rule": "gate_error",
            "retry": False,
        }


def _judged(app: App, asked: Asked, body: GuardBody) -> Json:
    room = load("gate")
    scope = _scope(app, asked, body)
    said = body.effect
    declared = None if said is None or said.cls not in set(room.EffectClass) else room.EffectClass(said.cls)
    around = room.Surroundings(
        owner=scope.viewer if scope.is_owner else None,
        recipients=tuple(dict.fromkeys((*body.recipients, *(said.recipients if said else ())))),
        workspace=_workspace(body) if body.run == "mind" else None,
        declared=declared,
    )
    call = room.Call(body.tool, cast("dict[str, Json]", body.args), None if said is None else said.target)
    effect = app.gate.effect(call, around)
    if said is not None and not said.bounded and body.cwd is None and effect.cls is room.EffectClass.READ:
        why = "its caller does not know where it would run"
        effect = replace(effect, cls=room.EffectClass.EXEC, bounded=False, why=why)
    lineage = room.Lineage(
        _root(app, scope, body) or body.session or scope.room.digest(),
        room.Run(body.run),
        body.task_id or None,
        body.session,
        around.workspace,
    )
    chat = f"{body.platform}:{body.sender_id}" if body.platform and body.sender_id else None
    verdict = app.gate.judge(scope, effect, lineage, chat=chat)
    if verdict.decision is room.Decision.ALLOW and effect.cls is not room.EffectClass.READ:
        try:
            app.gate.hand_over(scope, verdict)
        except room.NotAllowed as error:
            return _block(verdict, error.what) | {"retry": True}
        if body.run == "mind" and body.tool in JOB_TOOLS and body.tool_call_id:
            app.observations.trace_making(scope, body.tool_call_id, body.task_id or body.tool_call_id)
    return _said(verdict, None if said is None else said.digest)


def _workspace(body: GuardBody) -> str | None:
    """The only folder that a task may write to.

    The stock client names none with a file, and has seen to it that the file is inside before it asks.
    """
    if body.cwd is not None:
        return body.cwd
    call = load("gate").Call(body.tool, cast("dict[str, Json]", body.args))
    folders = [os.path.dirname(path) for path in load("effects").written(call) if os.path.isabs(path)]
    return os.path.commonpath(folders) if folders else None


def _root(app: App, scope: Scope, body: GuardBody) -> str | None:
    """The task from which this one comes, whose lineage they share."""
    if not body.task_id:
        return None
    return app.observations.root(scope, body.task_id) if scope.is_owner else body.task_id


def _scope(app: App, asked: Asked, body: GuardBody) -> Scope:
    """On whose behalf: a guest's call is the guest's, whatever key brings it."""
    door = cast("Http", asked.caller.door)
    if body.run != "guest":
        via = Via.MIND if body.run == "mind" else door.via
        return app.people.resolve(replace(door, via=via, interactive=False))
    speaker = load("people").Speaker(body.contact_id or "unknown", body.session, body.platform, body.platform)
    return app.people.resolve(door, speaker)


def _said(verdict: Verdict, digest: str | None) -> Json:
    room = load("gate")
    if verdict.decision is room.Decision.ALLOW:
        answer: dict[str, Json] = {
            "allow": True,
            "action": "allow",
            "reason": verdict.reason,
            "rule": verdict.rule,
            "class": verdict.effect.cls,
            "effect": {"digest": digest or verdict.effect.digest},
        }
        return answer | ({} if verdict.grant is None else {"grant": verdict.grant})
    if verdict.ask is None:
        return _block(verdict, verdict.reason)
    words = f"{verdict.reason} The owner is asked: yes {verdict.ask.code}, or no {verdict.ask.code}."
    return _block(verdict, words) | {"ask": True, "action": "ask", "code": verdict.ask.code}


def _block(verdict: Verdict, reason: str) -> dict[str, Json]:
    return {
        "allow": False,
        "action": "block",
        "reason": reason,
        "rule": verdict.rule,
        "class": verdict.effect.cls,
        "retry": verdict.retry,
    }
