"""The JSON of sessions, the same on every surface."""

from __future__ import annotations

from numen.kernel import Json, iso
from numen.resident.types import Called, Message, Session, Turn


def session_json(one: Session) -> dict[str, Json]:
    """The wire form of a session."""
    return {
        "id": one.id,
        "title": one.title,
        "actor": one.actor,
        "created_at": iso(one.created_at),
        "last_active_at": iso(one.active_at),
        "pinned": one.pinned,
        "archived": one.archived,
        "parent": one.parent,
    }


def turn_json(one: Turn) -> dict[str, Json]:
    """The wire form of a turn."""
    return {
        "id": one.id,
        "n": one.n,
        "state": one.state,
        "ending": one.ending,
        "started_at": iso(one.started_at),
        "ended_at": None if one.ended_at is None else iso(one.ended_at),
        "usage": usage_json(one),
    }


def usage_json(one: Turn) -> dict[str, Json]:
    """What a turn took; an unknown price is null."""
    spent = one.spent
    return {
        "steps": spent.steps,
        "input_tokens": spent.input,
        "output_tokens": spent.output,
        "cost_micros": spent.money,
        "millis": spent.millis,
    }


def message_json(one: Message) -> dict[str, Json]:
    """The wire form of a message."""
    return {
        "id": one.id,
        "turn_id": one.turn,
        "role": one.role,
        "content": one.text,
        "created_at": iso(one.at),
    }


def call_json(one: Called) -> dict[str, Json]:
    """The wire form of a call and its receipt."""
    return {
        "id": one.id,
        "turn_id": one.turn,
        "step": one.step,
        "name": one.name,
        "args": one.args,
        "receipt": one.state,
        "reads": one.reads,
        "result": one.result,
    }
