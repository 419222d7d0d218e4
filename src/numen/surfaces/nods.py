"""How asks, grants and verdicts look at every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numen.app import App, load
from numen.kernel import Json, Scope, iso

if TYPE_CHECKING:
    from numen.gate import Ask, Grant, Verdict


def ask_json(ask: Ask) -> dict[str, Json]:
    """An ask, whole."""
    return {
        "code": ask.code,
        "id": ask.id,
        "class": ask.cls,
        "state": ask.state,
        "task": ask.task,
        "created_at": iso(ask.created_at),
        "expires_at": iso(ask.expires_at),
        "decided_at": None if ask.decided_at is None else iso(ask.decided_at),
        "via": ask.via,
        "calls": [{"digest": one.digest, "words": one.words, "spent": one.spent} for one in ask.calls],
    }


def asks_json(app: App, scope: Scope) -> dict[str, Json]:
    """The open asks, and those that were answered last."""
    return {
        "schema": "numen-asks-v1",
        "asks": [ask_json(one) for one in app.asks.open(scope)],
        "recent": [ask_json(one) for one in app.asks.recent(scope)],
    }


def grant_json(grant: Grant) -> dict[str, Json]:
    """A grant; with a problem it is inert."""
    return {
        "id": grant.id,
        "kind": grant.kind,
        "grant": grant.spec,
        "created_at": iso(grant.created_at),
        "expires_at": None if grant.expires_at is None else iso(grant.expires_at),
        "revoked_at": None if grant.revoked_at is None else iso(grant.revoked_at),
        "uses": grant.uses,
        "problem": grant.problem,
    }


def verdict_json(verdict: Verdict) -> dict[str, Json]:
    """How a call would be judged, and why."""
    effect = verdict.effect
    return {
        "class": effect.cls,
        "verdict": verdict.decision,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "why": effect.why,
        "target": effect.target,
        "bounded": effect.bounded,
        "digest": effect.digest,
    }


def explained(app: App, scope: Scope, tool: str, args: dict[str, Json]) -> Verdict:
    """How this call would be judged in the owner's own session; nothing is asked, and nothing written."""
    room = load("gate")
    effect = app.gate.effect(room.Call(tool, args), room.Surroundings(owner=scope.viewer))
    return app.gate.explain(scope, effect, room.Lineage(f"explain {effect.digest}"))
