"""The envelope: what a host is told of a delegation, in autobot's words; and the line of its cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from numen.delegate import rules
from numen.delegate.spend import UNIT
from numen.delegate.types import Attempt, Gathered, Status
from numen.kernel import Json, digest

LEFT_OUT = frozenset({"response"})
"""What the store keeps no copy of: words lie in the run's folder alone."""


@dataclass(frozen=True, slots=True)
class Read:
    """What went into the prompt, without its words."""

    prompt_tokens: int = 0
    material_tokens: int = 0
    materials: Sequence[Json] = ()
    missing: Sequence[Json] = ()

    @classmethod
    def of(cls, gathered: Gathered, prompt_tokens: int) -> Read:
        """What was gathered."""
        return cls(
            prompt_tokens,
            sum(rules.estimated(one.text) for one in gathered.materials),
            [one.as_json() for one in gathered.materials],
            [{"path": one.path, "why": one.why} for one in gathered.missing],
        )

    def as_json(self) -> Mapping[str, Json]:
        """As it is kept in the run's folder."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "material_tokens": self.material_tokens,
            "materials": self.materials,
            "missing": self.missing,
        }


@dataclass(frozen=True, slots=True)
class End:
    """How a delegation ended. `response` is the answer that may be used, `wrote_to` where it was written."""

    status: Status
    reason: str | None
    attempts: tuple[Attempt, ...] = ()
    response: str | None = field(default=None, repr=False)
    wrote_to: str | None = None
    micros: int | None = None
    millis: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    """What names a delegation in every record."""

    run: str
    intent_id: str
    intent_hash: str
    model: str
    profile: str
    backend: str
    tags: tuple[str, ...] = ()
    project: str = ""
    artifacts: str | None = None


def envelope(
    named: Named, read: Read, end: End, prices: str, ledger_entry: str | None = None
) -> dict[str, Json]:
    """The envelope (seed: result envelope; contract: Intent and envelope)."""
    response = end.response or ""
    usage = rules.total(end.attempts)
    told: dict[str, Json] = {
        "status": end.status,
        "degraded_reason": end.reason,
        "intent_id": named.intent_id,
        "duration_ms": end.millis,
        "response_chars": len(response),
        "est_prompt_tokens": read.prompt_tokens,
        "est_response_tokens": rules.estimated(response),
        "model": named.model,
        "hermes_profile": named.profile,
        "wrote_to": end.wrote_to,
        "ledger_entry": ledger_entry,
        "schema": "numen-delegation-v1",
        "run_id": named.run,
        "intent_hash": named.intent_hash,
        "backend": named.backend,
        "attempts": [one.as_json() for one in end.attempts],
        "usage": usage.as_json(),
        "cost_usd": None if end.micros is None else end.micros / UNIT,
        "price_table": prices,
        "missing_targets": read.missing,
        "materials": read.materials,
        "host_tokens_avoided": avoided(read, end),
        "artifacts": named.artifacts,
    }
    if end.response is not None:
        told["response_digest"] = digest(response.encode("utf-8", "replace"))
        if end.wrote_to is None:
            told["response"] = response
    return told


def bare(reason: str) -> dict[str, Json]:
    """The envelope where nothing could even be recorded."""
    end = End(Status.DEGRADED, reason)
    return envelope(Named("", "", "", "", "", ""), Read(), end, "")


def avoided(read: Read, end: End) -> int:
    """Tokens that the host neither read nor wrote; none where it got nothing."""
    if end.status is not Status.OK:
        return 0
    answer = rules.estimated(end.response or "")
    return max(0, read.material_tokens + (answer if end.wrote_to is not None else -answer))


def line(named: Named, told: Mapping[str, Json], at: str) -> dict[str, Json]:
    """What a project's cost lines say of a delegation: no word of the task or the answer."""
    same = (
        "status", "degraded_reason", "intent_id", "intent_hash", "run_id", "duration_ms", "response_chars",
        "est_prompt_tokens", "est_response_tokens", "model", "hermes_profile", "backend", "wrote_to", "usage",
        "cost_usd", "price_table", "host_tokens_avoided",
    )  # fmt: skip
    return {"ts": at, **{name: told.get(name) for name in same}, "tags": list(named.tags)}


def kept(told: Mapping[str, Json]) -> dict[str, Json]:
    """The envelope as the store keeps it."""
    return {name: value for name, value in told.items() if name not in LEFT_OUT}
