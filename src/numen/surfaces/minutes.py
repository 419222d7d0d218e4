"""How the mind's record looks at every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numen.app import App, load
from numen.kernel import Json, NotFound, Scope, iso

if TYPE_CHECKING:
    from numen.gate import Ask
    from numen.mind import Account, Concern, Intention, Letter

LONGEST_TITLE = 200
"""Characters of a title (wire contract, 1.3)."""


def state_json(app: App, scope: Scope) -> dict[str, Json]:
    """How the mind stands; for whoever is not the owner, whether it is on and at what level."""
    found = app.mind.state(scope)
    said: dict[str, Json] = {"enabled": found.enabled, "autonomy": found.level}
    if not scope.is_owner:
        return {**said, "asks": []}
    last = None if found.last_tick is None else iso(found.last_tick)
    grants = [one for one in app.grants.list(scope) if one.revoked_at is None and one.problem is None]
    return said | {
        "level": found.level,
        "queued": found.queued,
        "asks": [asked_json(one) for one in found.asks or ()],
        "concerns": found.concerns,
        "last_tick": last,
        "last_tick_at": last,
        "last_pull_at": None if found.last_pull is None else iso(found.last_pull),
        "breaker": list(found.breaker or ()),
        "grants": [{"id": one.spec.get("id", one.id), "grant": one.spec} for one in grants],
        "skills": {"generation": 0},
    }


def asked_json(ask: Ask) -> dict[str, Json]:
    """An ask on one line."""
    return {
        "code": ask.code,
        "id": ask.id,
        "title": ask.calls[0].words[:LONGEST_TITLE] if ask.calls else "",
        "cls": ask.cls,
        "calls": len(ask.calls),
        "created_at": iso(ask.created_at),
        "expires_at": iso(ask.expires_at),
    }


def intention_json(one: Intention) -> dict[str, Json]:
    """An intention."""
    return {
        "id": one.id,
        "kind": one.kind,
        "drive": one.drive,
        "status": one.state,
        "title": one.title,
        "text": one.body,
        "recipient": one.recipient,
        "hermes_ref": one.ref,
        "via": one.via,
        "created_at": iso(one.created_at),
        "at": iso(one.moved_at),
        "expires_at": iso(one.expires_at),
    }


def account_json(account: Account) -> dict[str, Json]:
    """All about one intention, in words and step by step."""
    concern = account.concern
    moves: list[Json] = [
        {
            "n": one.n,
            "before": one.before,
            "after": one.after,
            "reason": one.reason,
            "words": one.words,
            "at": iso(one.at),
        }
        for one in account.moves
    ]
    reports: list[Json] = [
        {
            "id": one.id,
            "outcome": one.outcome,
            "final": one.final,
            "verified": one.verified,
            "words": one.words,
            "at": iso(one.at),
        }
        for one in account.reports
    ]
    return {
        "id": account.intention.id,
        "status": account.intention.state,
        "text": load("mind_narrative").explained(account),
        "intention": intention_json(account.intention),
        "concern": None if concern is None else concern_json(concern, concern.salience),
        "moves": moves,
        "outcomes": reports,
    }


def concern_json(one: Concern, left: float) -> dict[str, Json]:
    """A concern, with what is `left` of its salience."""
    return {
        "id": one.id,
        "drive": one.drive,
        "title": one.title,
        "salience": round(left, 3),
        "about": list(one.about),
        "state": one.state,
        "raised_at": iso(one.raised_at),
    }


def letter_json(letter: Letter) -> dict[str, Json]:
    """A message that may be sent, as a body reads it."""
    return {
        "id": letter.intention.id,
        "text": letter.intention.body,
        "recipient": letter.recipient,
        "recipient_is_owner": letter.to_owner,
        "recipient_handles": [{"gateway": one.gateway, "address": one.address} for one in letter.handles],
    }


def work_json(app: App, one: Intention) -> dict[str, Json]:
    """Work that is offered, as a body reads it."""
    habits = app.habits
    said: dict[str, Json] = {
        "id": one.id,
        "kind": "task",
        "dedup_key": f"mind:{one.id}",
        "title": one.title,
        "body": one.body,
        "priority": one.priority,
        "max_runtime_seconds": int(habits.runtime.total_seconds()),
        "max_retries": habits.retries,
        "goal_mode": one.kind == "goal",
    }
    return said if one.turns is None else said | {"goal_max_turns": one.turns}


def status_json(app: App, scope: Scope) -> dict[str, Json]:
    """How this home stands, for its owner."""
    refused = app.observations.refusals(scope)
    return {
        "schema": "numen-status-v1",
        "home": str(app.settings.home),
        "owner": _owner(app, scope),
        "mind": state_json(app, scope),
        "inbox": len(app.outbox.inbox(scope)),
        "refused": [{"platform": name, "at": iso(at)} for name, at in refused],
    }


def _owner(app: App, scope: Scope) -> str | None:
    try:
        return app.people.owner(scope).display_name
    except NotFound:
        return None
