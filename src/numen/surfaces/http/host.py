"""`/v1/host/*` of memory: turns, context, search, forgetting, deadlines, promises (wire contract, 1.1, 1.2).

A host says who speaks; it is believed as its key allows. Fields that are not known here are passed over: the
clients are other people's, and newer than this.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from fastapi import FastAPI
from pydantic import ConfigDict, Field

from numen.app import App, load
from numen.kernel import Conflict, Forbidden, InvalidInput, Json, Scope
from numen.surfaces.desk import Desk
from numen.surfaces.http.route import Asked, Body, Takes, add_route

if TYPE_CHECKING:
    from numen.memory import Message, Receipt

OWNER = "owner"
"""The owner's alias as a speaker."""

UNKNOWN = "unknown"
"""A speaker who is nobody we know."""

LANE = "host"
"""The room of a person whom a host names without their chat."""

LONGEST_QUERY = 4_096
MOST = 20
"""Largest query and most rows of a search (wire contract, 1.2)."""


class Wire(Body):
    """A body of the wire: what is not known here is passed over."""

    model_config = ConfigDict(extra="ignore", strict=True, hide_input_in_errors=True)


class Metadata(Wire):
    """What a host says about a turn."""

    occurred_at: str | None = None
    kanban_task: str | None = None
    run: str | None = None


class Setting(Wire):
    """In which conversation, and whose."""

    session_id: str | None = None
    contact_id: str | None = None
    turn_id: str | None = None
    channel_id: str | None = None
    metadata: Metadata | None = None


class Sender(Wire):
    """Under which handle somebody wrote."""

    platform: str
    user_id: str | None = None
    group_id: str | None = None


class Block(Wire):
    """A part of a message; only what is text is kept."""

    type: str = "text"
    text: str = Field("", repr=False)


class Said(Wire):
    """A message."""

    role: Literal["user", "assistant"]
    content: str | list[Block] | None = Field(None, repr=False)

    @property
    def words(self) -> str:
        """The words of the message."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(one.text for one in self.content or () if one.text)


class TurnBody(Wire):
    """What `turns/sync` takes."""

    context: Setting
    sender: Sender | None = None
    user_message: Said | None = None
    assistant_message: Said | None = None
    checkpoint_messages: list[Said] | None = None
    model: str | None = None


class AssembleBody(Wire):
    """What `context/assemble` takes."""

    context: Setting
    incoming_message: Said | None = None
    include_initiatives: bool = True
    audience: str | None = None
    inline_chars: int | None = Field(None, ge=0)
    shown: list[str] = Field(default_factory=list[str])
    wait_ms: int | None = None


class SearchBody(Wire):
    """What `memory/search` takes."""

    person_id: str | None = None
    session_id: str | None = None
    query: str = Field(max_length=LONGEST_QUERY, repr=False)
    limit: int = Field(5, ge=1, le=MOST)


class ForgetBody(Wire):
    """What `memory/sources/forget` takes."""

    contact_id: str | None = None
    session_id: str | None = None
    source_ids: list[str] = Field(default_factory=list[str])
    old_text: str | None = Field(None, repr=False)


class DeadlineBody(Wire):
    """What `memory/sources/deadline` takes."""

    contact_id: str | None = None
    session_id: str | None = None
    source_id: str
    source_version: str
    claim_id: str
    timezone_name: str | None = None


class CommitmentBody(Wire):
    """What a commitment is told: its outcome, or a later time."""

    outcome: Literal["done", "invalid", "duplicate", "wont_do", "obsolete"] | None = None
    reason: str | None = None
    resolved_by: str | None = None
    due_at: str | None = None


def add_host(app: FastAPI, desk: Desk) -> None:
    """The routes."""
    for method, path, summary, answer, writes in (
        ("POST", "/v1/host/turns/sync", "Keep a turn.", Takes(_sync, TurnBody), True),
        ("POST", "/v1/host/context/assemble", "What a turn is told.", Takes(_assemble, AssembleBody), False),
        (
            "GET",
            "/v1/host/context/temporal",
            "The time where a contact is.",
            Takes(_temporal, query=("contact_id",)),
            False,
        ),
        ("POST", "/v1/host/memory/search", "What was said or is known.", Takes(_search, SearchBody), False),
        ("POST", "/v1/host/memory/sources/forget", "Erase turns for good.", Takes(_forget, ForgetBody), True),
        (
            "POST",
            "/v1/host/memory/sources/deadline",
            "When a promise is due.",
            Takes(_deadline, DeadlineBody),
            False,
        ),
        (
            "PATCH",
            "/v1/host/commitments/{id}",
            "Settle a promise, or put it off.",
            Takes(_settle, CommitmentBody),
            True,
        ),
    ):
        add_route(app, desk, method, path, summary, answer, writes=writes)


def on_behalf(app: App, asked: Asked, contact: str | None, setting: Setting, platform: str | None) -> Scope:
    """On whose behalf a host calls that names who speaks.

    Without a platform the owner's own key speaks for its owner. Raises `Forbidden` with the code of the
    refusal where the key may not speak for whom it names: never is one kept as another.
    """
    people = load("people")
    named = contact or OWNER
    if platform is None:
        own = app.people.resolve(asked.caller.door)
        if own.is_owner and named in {OWNER, own.viewer}:
            return own
    channel = setting.channel_id if ":" in (setting.channel_id or "") else setting.session_id
    speaker = people.Speaker(named, channel or LANE, platform or LANE, platform)
    scope = app.people.resolve(asked.caller.door, speaker)
    if scope.is_owner and named not in {OWNER, scope.viewer}:
        raise people.ContactNotGranted(
            "This key may not speak for a contact.",
            not_done="Nothing was done in the contact's name.",
            next_step="Let the owner issue a key that may: numen credentials.",
        )
    return scope


def viewer_named(asked: Asked) -> str | None:
    """For whom a read is, by its query: an empty `contact_id` is somebody of whom nothing is known."""
    named = asked.query.get("contact_id")
    return UNKNOWN if named == "" else named


def _platform(body: TurnBody) -> str | None:
    """Where a turn was said: its sender's platform, else the lane itself."""
    if body.sender is not None:
        return body.sender.platform
    return (body.context.channel_id or "").partition(":")[0] or None


def _sync(app: App, asked: Asked) -> Json:
    body = asked.read(TurnBody)
    platform = _platform(body)
    try:
        scope = on_behalf(app, asked, body.context.contact_id, body.context, platform)
    except load("people").OwnerNotGranted:
        app.observations.refused(app.people.resolve(asked.caller.door), platform or LANE)
        raise
    rooms = load("memory")
    checkpoint = body.checkpoint_messages is not None
    said = body.checkpoint_messages or [
        one for one in (body.user_message, body.assistant_message) if one is not None
    ]
    messages: list[Message] = [rooms.Message(rooms.Role(one.role), one.words) for one in said]
    exchange = rooms.Exchange(
        body.context.session_id or body.context.channel_id or LANE,
        messages,
        body.context.turn_id,
        _moment("occurred_at", None if body.context.metadata is None else body.context.metadata.occurred_at),
        body.model,
        checkpoint,
    )
    if not scope.is_owner and not checkpoint:
        heard = "" if body.user_message is None else body.user_message.words
        app.changes.heard(scope, scope.viewer, heard)
        app.directory.met(scope)
    return receipt_json(app.memory.keep(scope, exchange))


def receipt_json(receipt: Receipt) -> Json:
    """A receipt on the wire: accepted also where nothing is to be kept, else a client would send it again."""
    skipped = "source_erased" if receipt.erased else None
    return {
        "accepted": True,
        "skipped_reason": skipped,
        "source_recorded": bool(receipt.turns),
        "replayed": receipt.replayed,
        "continuity_updated": not receipt.replayed,
        "transport_media": None,
        "turns": list(receipt.turns),
        "claims": list(receipt.claims),
        "commitments": list(receipt.commitments),
        "errors": [],
    }


def _assemble(app: App, asked: Asked) -> Json:
    body = asked.read(AssembleBody)
    scope = on_behalf(app, asked, body.context.contact_id, body.context, None)
    if body.audience == "viewer" and scope.is_owner:
        raise Forbidden(
            "A guest's context was asked for in the owner's name.",
            not_done="Nothing was shown.",
            next_step="Name the guest in `contact_id`.",
        )
    meta = body.context.metadata or Metadata()
    asking = load("context").Asking(
        "" if body.incoming_message is None else body.incoming_message.words,
        body.context.session_id or "",
        body.inline_chars,
        frozenset(body.shown),
        body.wait_ms,
        meta.run,
        meta.kanban_task,
    )
    return app.context.assemble(scope, asking).as_json()


def _temporal(app: App, asked: Asked) -> Json:
    scope = on_behalf(app, asked, asked.query.get("contact_id"), Setting(), None)
    block = app.context.temporal(scope)
    return {"title": block.title, "body": block.body}


def _search(app: App, asked: Asked) -> Json:
    body = asked.read(SearchBody)
    scope = on_behalf(app, asked, body.person_id, Setting(session_id=body.session_id), None)
    if not body.query.strip():
        raise InvalidInput("`query` has no words.", not_done="Nothing was searched.")
    found = app.memory.recall(scope, body.query, limit=body.limit)
    return {
        "content": "\n".join(load("blocks").quote_lines(found.rows)),
        "count": len(found.rows),
        "source_refs": list(app.memory.sources(scope, [row.id for row in found.rows])),
        "retrieval": {"lexical": "ok", **{name.partition(":")[0]: name for name in found.degraded}},
        "abstained": found.abstained,
        "searched": dict(found.searched),
    }


def _forget(app: App, asked: Asked) -> Json:
    body = asked.read(ForgetBody)
    scope = on_behalf(app, asked, body.contact_id, Setting(session_id=body.session_id), None)
    rooms = load("forgetting")
    what = rooms.What(tuple(body.source_ids))
    if not body.source_ids and body.old_text is not None:
        sealed = load("secrets").hidden(body.old_text, load("detector").find)
        what = rooms.What(old_text=sealed, person=scope.viewer)
        if app.forgetting.sources(scope, what) > 1:
            raise Conflict(
                "More than one turn holds these words.",
                not_done="Nothing was forgotten.",
                next_step="Name the source ids that a search shows.",
            )
    done = app.forgetting.forget(scope, what)
    erased = done.left == 0
    return {**done.as_json(), "source_erased": erased, "watermark": done.watermark}


def _deadline(app: App, asked: Asked) -> Json:
    body = asked.read(DeadlineBody)
    scope = on_behalf(app, asked, body.contact_id, Setting(session_id=body.session_id), None)
    found = app.memory.deadline(scope, body.source_id, body.source_version, body.claim_id)
    if found is None:
        return {"status": "unavailable"}
    return {"status": "current", **found}


def _settle(app: App, asked: Asked) -> Json:
    body = asked.read(CommitmentBody)
    scope = app.people.resolve(asked.caller.door)
    rooms = load("memory")
    identifier = asked.path["id"]
    if (body.outcome is None) == (body.due_at is None):
        raise InvalidInput("Give either an `outcome` or a `due_at`.", not_done="Nothing was changed.")
    if body.outcome is not None:
        by = body.resolved_by if body.resolved_by in {"owner", "agent"} else "agent"
        resolution = rooms.Resolution(body.outcome)
        return rooms.commitment_json(
            app.commitments.settle(scope, identifier, resolution, body.reason or "", by)
        )
    due_at = _moment("due_at", body.due_at)
    assert due_at is not None, "checked above"
    return rooms.commitment_json(app.commitments.snooze(scope, identifier, due_at, body.reason or ""))


def _moment(name: str, text: str | None) -> datetime | None:
    """The moment that `text` names; one without a zone is in UTC. Raises `InvalidInput`."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(f"`{name}` is no ISO 8601 time.", not_done="Nothing was kept.") from None
