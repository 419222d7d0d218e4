"""What a body asks and tells: work, messages, outcomes, its board, who made what (wire, 1.3, 1.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from fastapi import FastAPI
from pydantic import Field

from numen.app import App, load
from numen.kernel import InvalidInput, Json, from_iso
from numen.surfaces.desk import Desk
from numen.surfaces.http.host import Wire
from numen.surfaces.http.mind import owner_of
from numen.surfaces.http.route import Asked, Takes, add_route
from numen.surfaces.minutes import intention_json, letter_json, work_json


class BoundBody(Wire):
    """Which task has the work."""

    hermes_ref: str = Field(min_length=1, max_length=512)


class SendingBody(Wire):
    """Where a message is about to go."""

    target: str | None = Field(None, max_length=512)


class SentBody(Wire):
    """What became of a message."""

    result: Literal["sent", "failed", "uncertain"]
    error: str | None = Field(None, repr=False)
    hermes_ref: str | None = None


class RunPart(Wire):
    """One attempt at a task."""

    id: str | int | None = None
    ended_at: str | None = None


class OutcomeBody(Wire):
    """What became of a task."""

    id: str
    outcome: Literal["done", "blocked", "failed", "cancelled", "uncertain"]
    hermes_ref: str | None = Field(None, max_length=512)
    status: str | None = None
    final: bool = False
    summary: str | None = Field(None, repr=False)
    error: str | None = Field(None, repr=False)
    verified: str | None = None
    run: RunPart | None = None


class TaskPart(Wire):
    """A task on a board."""

    id: str
    title: str | None = Field(None, repr=False)
    status: str | None = None
    idle_s: float | None = None
    block_kind: str | None = None


class ObservedBody(Wire):
    """What a body sees on its board."""

    observed_at: str | None = None
    board: str | None = Field(None, max_length=512)
    counts: dict[str, int] = Field(default_factory=dict[str, int], max_length=100)
    stale_tasks: list[TaskPart] = Field(default_factory=list[TaskPart], max_length=100)
    blocked_tasks: list[TaskPart] = Field(default_factory=list[TaskPart], max_length=100)
    goals: list[TaskPart] = Field(default_factory=list[TaskPart], max_length=100)


class LineageBody(Wire):
    """Which task made which."""

    child: str
    parent: str


class JobBody(Wire):
    """Which job a run of the mind made or changed."""

    job_id: str = ""
    task_id: str | None = None
    tool_call_id: str | None = None
    ok: bool = False


class SkillBody(Wire):
    """Which skill was used."""

    skill: str


def add_body(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        ("GET", "/v1/mind/dispatch", "Work for a body; its heartbeat.", _dispatch, True),
        ("POST", "/v1/mind/dispatch/{id}/bound", "A body has the work.", Takes(_bound, BoundBody), True),
        ("GET", "/v1/mind/outbox", "Messages that may be sent now.", _outbox, True),
        (
            "POST",
            "/v1/mind/outbox/{id}/sending",
            "Claim a message, to send it once.",
            Takes(_sending, SendingBody),
            True,
        ),
        ("POST", "/v1/mind/outbox/{id}/sent", "What became of a message.", Takes(_sent, SentBody), True),
        ("POST", "/v1/mind/outcome", "What became of a task.", Takes(_outcome, OutcomeBody), True),
        ("POST", "/v1/mind/observations", "What a body sees.", Takes(_observations, ObservedBody), True),
        ("POST", "/v1/mind/lineage", "A task made another.", Takes(_lineage, LineageBody), True),
        (
            "GET",
            "/v1/mind/cron-origin",
            "Whose a scheduled job is.",
            Takes(
                _origin,
                query=(
                    "created_at",
                    "job_id",
                ),
            ),
            False,
        ),
        ("POST", "/v1/mind/cron-origin", "A run of the mind made a job.", Takes(_job, JobBody), True),
        ("POST", "/v1/mind/skills/used", "A skill was used.", Takes(_skill, SkillBody), True),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def _dispatch(app: App, asked: Asked) -> Json:
    return {"intentions": [work_json(app, one) for one in app.dispatch.offer(owner_of(app, asked))]}


def _bound(app: App, asked: Asked) -> Json:
    body = asked.read(BoundBody)
    bound = app.dispatch.bound(owner_of(app, asked), asked.path["id"], body.hermes_ref)
    return {"ok": True, **intention_json(bound)}


def _outbox(app: App, asked: Asked) -> Json:
    return {"messages": [letter_json(one) for one in app.outbox.offer(owner_of(app, asked))]}


def _sending(app: App, asked: Asked) -> Json:
    body = asked.read(SendingBody)
    app.outbox.sending(owner_of(app, asked), asked.path["id"], body.target)
    return {"ok": True, "id": asked.path["id"], "status": "sending"}


def _sent(app: App, asked: Asked) -> Json:
    body = asked.read(SentBody)
    state = load("mind").State(body.result)
    error, ref = body.error or "", body.hermes_ref or ""
    one = app.outbox.sent(owner_of(app, asked), asked.path["id"], state, error, ref)
    return {"ok": True, "id": one.id, "status": one.state}


def _outcome(app: App, asked: Asked) -> Json:
    body = asked.read(OutcomeBody)
    room = load("mind")
    run = "" if body.run is None else f"{body.run.id}:{body.run.ended_at}"
    told = room.Told(
        room.Outcome(body.outcome),
        body.final,
        body.hermes_ref or "",
        body.status or "",
        body.summary or "",
        body.error or "",
        body.verified,
        run,
    )
    one, fresh = app.outcomes.record(owner_of(app, asked), body.id, told)
    return {"ok": True, "id": one.id, "status": one.state, "recorded": fresh}


def _observations(app: App, asked: Asked) -> Json:
    body = asked.read(ObservedBody)
    room = load("mind")
    seen = {
        name: tuple(_task(one) for one in tasks)
        for name, tasks in (
            ("stale", body.stale_tasks),
            ("blocked", body.blocked_tasks),
            ("goals", body.goals),
        )
    }
    at = _moment(body.observed_at) or app.clock.now()
    if any(count < 0 for count in body.counts.values()):
        raise InvalidInput("`counts` are of tasks.", not_done="Nothing was kept.")
    board = body.board or "default"
    app.observations.observe(owner_of(app, asked), room.Observation(board, at, body.counts, **seen))
    return {"ok": True}


def _task(one: TaskPart) -> object:
    make = load("mind").BoardTask
    return make(one.id, one.title or "", one.status or "", one.idle_s or 0.0, one.block_kind or "")


def _lineage(app: App, asked: Asked) -> Json:
    body = asked.read(LineageBody)
    app.observations.trace_task(owner_of(app, asked), body.child, body.parent)
    return {"ok": True}


def _origin(app: App, asked: Asked) -> Json:
    made_at = _moment(asked.query.get("created_at"))
    origin, task = app.observations.origin(owner_of(app, asked), asked.query.get("job_id", ""), made_at)
    return {"origin": origin, "task_id": task}


def _job(app: App, asked: Asked) -> Json:
    body = asked.read(JobBody)
    task = body.task_id or body.job_id
    job = body.job_id if body.ok else None
    if task:
        app.observations.trace_job(owner_of(app, asked), job or None, task, body.tool_call_id or "")
    return {"ok": True}


def _skill(app: App, asked: Asked) -> Json:
    app.observations.skill_used(owner_of(app, asked), asked.read(SkillBody).skill)
    return {"ok": True}


def _moment(text: str | None) -> datetime | None:
    """The moment that a body names; None for one that cannot be read, which is nobody's fault but unknown."""
    try:
        return None if not text else from_iso(text)
    except (ValueError, OverflowError):
        return None
