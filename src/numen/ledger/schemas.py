"""What each kind of event may say: ids, codes, counts, flags and digests, and never a word (decision 1).

There is no form for free text, so no schema can admit one. To add a kind, add it to `Kind` and here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from numen.kernel import InvalidInput, Json, parse_id
from numen.ledger.types import Departure, Event, Kind

_DIGEST = re.compile(r"[0-9a-f]{16,64}")
_EPOCH = re.compile(r"[0-9A-HJKMNP-TV-Z]{4}")
_LARGEST = 2**53 - 1
"""JSON numbers are exact up to here in every reader (RFC 8259, section 6)."""


class Form(StrEnum):
    """What a field may hold. `BODY` is the digest of words that are kept apart; `CODE` one of a list."""

    ID = "id"
    CODE = "code"
    COUNT = "count"
    FLAG = "flag"
    DIGEST = "digest"
    BODY = "body"
    EPOCH = "epoch"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a payload: its form, its codes, whether it is a list, whether it may be absent."""

    form: Form
    codes: frozenset[str] = frozenset()
    many: bool = False
    optional: bool = False

    def admits(self, value: Json) -> bool:
        """Whether `value` is of this field's form."""
        if not self.many:
            return self._admits_one(value)
        if isinstance(value, str) or not isinstance(value, Sequence):
            return False
        return all(self._admits_one(one) for one in value)

    def _admits_one(self, value: Json) -> bool:
        match self.form:
            case Form.FLAG:
                return isinstance(value, bool)
            case Form.COUNT:
                return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST
            case Form.CODE:
                return isinstance(value, str) and value in self.codes
            case Form.ID:
                return isinstance(value, str) and parse_id(value) is not None
            case Form.EPOCH:
                return isinstance(value, str) and _EPOCH.fullmatch(value) is not None
            case Form.DIGEST | Form.BODY:
                return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


Schema = Mapping[str, Field]

_ID, _COUNT, _FLAG, _DIGEST_FIELD = (Field(form) for form in (Form.ID, Form.COUNT, Form.FLAG, Form.DIGEST))


def code(*codes: str, many: bool = False, optional: bool = False) -> Field:
    """A field that is one of `codes`, or a list of them."""
    return Field(Form.CODE, frozenset(codes), many, optional)


_CLASS = code(
    "read", "internal", "owner_message", "contact_message", "external", "exec", "money", "credential",
    "irreversible", "bulk",
)  # fmt: skip
_RULE = code(
    "read", "off", "deny_list", "guest", "may_contact_never", "own_chat", "outside_workspace", "floor",
    "level", "may_contact", "taint", "unbounded", "breaker", "budget", "parked", "cannot_be_shown", "grant",
    "nod", "gate_error",
)  # fmt: skip
_INTENTION_STATE = (
    "proposed", "asked", "approved", "dispatched", "sending", "done", "sent", "failed", "uncertain",
    "expired", "cancelled", "dropped",
)  # fmt: skip
_MOVED_BY = (
    "formed", "allowed", "asked", "yes", "no", "denied", "ask_expired", "late", "bound", "claimed",
    "reported", "unsettled", "off", "unwanted", "forgotten", "owner",
)  # fmt: skip
_REPORTED = (
    "done", "blocked", "failed", "cancelled", "uncertain", "actioned", "dismissed", "ignored", "useful",
    "not_useful", "wrong",
)  # fmt: skip
_DRIVE = ("duty", "social", "curiosity", "mastery", "upkeep")
_DELEGATION = (
    "ok", "nested_delegation_forbidden", "lock_held", "duplicate", "profile_not_found", "no_key",
    "hermes_timeout", "hermes_not_installed", "hermes_exit", "command_not_installed", "command_exit",
    "model_exit", "backend_not_installed", "backend_not_started", "empty_response",
    "output_validation_failed", "budget_refused", "gate_refused", "material_refused", "write_refused",
    "invalid_intent", "cancelled", "orphaned_process", "internal", "other",
)  # fmt: skip
_VIA = code("cli", "mcp", "http", "page", "mind")
_TURN_STATE = (
    "queued", "thinking", "acting", "asking", "paused", "done", "stopped", "failed",
)  # fmt: skip
_CALL_STATE = (
    "wanted", "asked", "claimed", "executed", "verified", "contradicted", "uncertain", "denied", "failed",
    "dropped",
)  # fmt: skip
_BODY = Field(Form.BODY)

SCHEMAS: Mapping[Kind, Schema] = {
    Kind.STORE_CREATED: {"epoch": Field(Form.EPOCH)},
    Kind.KEY_CREATED: {
        "key": _ID,
        "scopes": code("owner", "speaks_for", "correlate", many=True),
    },
    Kind.KEY_REVOKED: {"key": _ID},
    Kind.KEY_GRANTED: {"key": _ID, "platforms": _COUNT, "contacts": _COUNT},
    Kind.DOOR_REFUSED: {
        "code": code("mesh", "peer", "secret", "name", "owner", "origin"),
        "peer": _DIGEST_FIELD,
    },
    Kind.CONTACT_CREATED: {"contact": _ID, "how": code("owner", "sender")},
    Kind.CONTACT_CHANGED: {
        "contact": _ID,
        "fields": code(
            "display_name", "trust_tier", "may_contact", "cadence_minutes", "digest", "timezone", many=True
        ),
    },
    Kind.HANDLE_LINKED: {"contact": _ID, "before": Field(Form.ID, optional=True)},
    Kind.HANDLE_UNLINKED: {"contact": _ID},
    Kind.LINK_PROPOSED: {"contact": _ID},
    Kind.CONTACT_MERGED: {"contact": _ID, "into": _ID, "handles": _COUNT},
    Kind.CONTACT_OPTED_OUT: {"contact": _ID, "before": code("never", "ask", "auto")},
    Kind.APPROVAL_CREATED: {"ask": _ID, "class": _CLASS, "rule": _RULE, "digest": _DIGEST_FIELD},
    Kind.APPROVAL_JOINED: {"ask": _ID, "digest": _DIGEST_FIELD, "calls": _COUNT},
    Kind.APPROVAL_DECIDED: {"ask": _ID, "answer": code("yes", "no"), "via": _VIA, "calls": _COUNT},
    Kind.APPROVAL_EXPIRED: {"ask": _ID},
    Kind.TOOL_CLAIMED: {
        "claim": _ID,
        "class": _CLASS,
        "rule": _RULE,
        "digest": _DIGEST_FIELD,
        "ask": Field(Form.ID, optional=True),
        "grant": Field(Form.ID, optional=True),
    },
    Kind.TOOL_SETTLED: {"claim": _ID, "outcome": code("done", "failed", "uncertain", "handed")},
    Kind.GATE_DENIED: {"class": _CLASS, "rule": _RULE, "digest": _DIGEST_FIELD},
    Kind.GRANT_CREATED: {"grant": _ID, "sound": _FLAG},
    Kind.GRANT_USED: {"grant": _ID, "digest": _DIGEST_FIELD},
    Kind.GRANT_REVOKED: {"grant": _ID},
    Kind.MIND_SWITCHED: {"on": _FLAG},
    Kind.MIND_LEVELLED: {"level": code("off", "suggest", "standard", "trusted")},
    Kind.INGEST_FINISHED: {
        "brain": _DIGEST_FIELD,
        "full": _FLAG,
        **dict.fromkeys(
            ("files", "parsed", "removed", "nodes", "edges", "ambiguous", "skipped", "problems", "millis"),
            _COUNT,
        ),
    },
    Kind.SECRET_SEALED: {},
    Kind.SECRET_USED: {"purpose": code("send", "fill", "use", "reveal")},
    Kind.SECRET_RELEASED: {},
    Kind.SECRET_FORGOTTEN: {},
    Kind.VAULT_CREATED: {"key": _DIGEST_FIELD},
    Kind.VAULT_REKEYED: {"key": _DIGEST_FIELD, "moved": _COUNT, "left": _COUNT},
    Kind.BODY_GONE: {"body": _DIGEST_FIELD, "reason": code(*Departure)},
    Kind.TURN_KEPT: {"turns": Field(Form.ID, many=True), "claims": _COUNT, "commitments": _COUNT},
    Kind.CLAIM_MADE: {
        "claim": _ID,
        "outcome": code("created", "supersedes", "conflicts_with"),
        "other": Field(Form.ID, optional=True),
    },
    Kind.CLAIM_CHANGED: {
        "claim": _ID,
        "state": code("active", "superseded", "retracted", "conflicted", optional=True),
        "tier": code("project", "medulla", optional=True),
    },
    Kind.COMMITMENT_MADE: {"commitment": _ID},
    Kind.COMMITMENT_CHANGED: {
        "commitment": _ID,
        "state": code("pending", "fulfilled", "cancelled"),
        "outcome": code("done", "invalid", "duplicate", "wont_do", "obsolete", optional=True),
    },
    Kind.OPINION_MADE: {"opinion": _COUNT, "revises": Field(Form.COUNT, optional=True)},
    Kind.OPINION_CHANGED: {"opinion": _COUNT, "state": code("withdrawn", "reconsidered", "held")},
    Kind.MEMORY_IMPORTED: dict.fromkeys(("turns", "claims", "commitments"), _COUNT),
    Kind.MISSION_POSTED: {
        "brain": _DIGEST_FIELD,
        "letter": _ID,
        "phase": code("judging", "executing", "gate", "review", "merge_wait", "landed", "failed", "archived"),
        "n": _COUNT,
    },
    Kind.MAP_CHANGED: {
        "brain": _DIGEST_FIELD,
        "how": code("proposed", "ratified", "dropped", "imported"),
        **dict.fromkeys(("before", "blocks", "ratified"), _COUNT),
    },
    Kind.CONCERN_RAISED: {"concern": _ID, "drive": code(*_DRIVE)},
    Kind.CONCERN_CLOSED: {"concern": _ID, "how": code("resolved", "crowded")},
    Kind.INTENTION_FORMED: {
        "intention": _ID,
        "kind": code("task", "message", "note", "goal"),
        "drive": code(*_DRIVE, optional=True),
        "concern": Field(Form.ID, optional=True),
    },
    Kind.INTENTION_MOVED: {
        "intention": _ID,
        "before": code(*_INTENTION_STATE),
        "after": code(*_INTENTION_STATE),
        "reason": code(*_MOVED_BY),
        "ask": Field(Form.ID, optional=True),
    },
    Kind.OUTCOME_RECORDED: {
        "intention": _ID,
        "report": _ID,
        "outcome": code(
            "done",
            "blocked",
            "failed",
            "cancelled",
            "uncertain",
            "actioned",
            "dismissed",
            "ignored",
            "useful",
            "not_useful",
            "wrong",
        ),
        "final": _FLAG,
        "verified": code("owner", "check", "hermes_failure", optional=True),
    },
    Kind.BOARD_OBSERVED: dict.fromkeys(("tasks", "stale", "blocked"), _COUNT),
    Kind.ORIGIN_TRACED: {
        "of": code("task", "job", "making", "made"),
        "name": _DIGEST_FIELD,
        "origin": _DIGEST_FIELD,
    },
    Kind.SKILL_USED: {"skill": _DIGEST_FIELD},
    Kind.MIND_TICKED: dict.fromkeys(("raised", "resolved", "formed", "moved", "delivered"), _COUNT),
    Kind.SESSION_CREATED: {"session": _ID, "agent": _ID, "parent": Field(Form.ID, optional=True)},
    Kind.SESSION_CHANGED: {
        "session": _ID,
        "fields": code("title", "pinned", "archived", "forgotten", many=True),
    },
    Kind.TURN_STARTED: {"turn": _ID, "session": _ID, "n": _COUNT, "query": _FLAG},
    Kind.TURN_MOVED: {
        "turn": _ID,
        "before": code(*_TURN_STATE),
        "after": code(*_TURN_STATE),
        "ending": code(
            "answered",
            "stopped",
            "budget",
            "model",
            "no_model",
            "repeats",
            "ask",
            "next",
            "fault",
            optional=True,
        ),
        "ask": Field(Form.ID, optional=True),
    },
    Kind.MODEL_CALLED: {"turn": _ID, "step": _COUNT},
    Kind.MODEL_ANSWERED: {
        "turn": _ID,
        **dict.fromkeys(("step", "input", "output", "cached", "millis"), _COUNT),
        "money": Field(Form.COUNT, optional=True),
    },
    Kind.MESSAGE_SAID: {
        "message": _ID,
        "turn": _ID,
        "role": code("user", "assistant"),
        "step": _COUNT,
        "words": _BODY,
        "base": Field(Form.COUNT, optional=True),
    },
    Kind.TEXT_RESET: {"turn": _ID, "step": _COUNT},
    Kind.CALL_WANTED: {
        "call": _ID,
        "turn": _ID,
        **dict.fromkeys(("step", "place"), _COUNT),
        **dict.fromkeys(("name", "args"), _BODY),
    },
    Kind.CALL_MOVED: {
        "call": _ID,
        "turn": _ID,
        "state": code(*_CALL_STATE),
        "ask": Field(Form.ID, optional=True),
        "claim": Field(Form.ID, optional=True),
        "result": Field(Form.BODY, optional=True),
    },
    Kind.NOTICE_GIVEN: {
        "turn": _ID,
        "code": code("cut", "servers", "no_receipt", "budget", "model", "fault"),
        "words": _BODY,
    },
    Kind.INPUT_ASKED: {"input": _ID, "turn": _ID, "call": _ID, "words": _BODY},
    Kind.INPUT_ANSWERED: {"input": _ID, "turn": _ID, "how": code("accept", "decline", "cancel")},
    Kind.SERVER_CHANGED: {"server": _DIGEST_FIELD, "how": code("added", "removed")},
    Kind.AGENT_RENAMED: {"agent": _ID},
    Kind.CYCLE_TURNED: {
        "turn": _ID,
        **dict.fromkeys(("passes", "calls", "input", "output"), _COUNT),
        "ended": code("answered", "broken_off"),
    },
    Kind.DELEGATION_QUEUED: {"run": _ID, "try": _COUNT},
    Kind.DELEGATION_RESERVED: {
        "run": _ID,
        "backend": code("hermes", "command", "openai", "local", "fake"),
        "attempt": _COUNT,
        "tokens": _COUNT,
        "micros": Field(Form.COUNT, optional=True),
    },
    Kind.DELEGATION_SETTLED: {
        "run": _ID,
        "status": code("ok", "degraded"),
        "code": code(*_DELEGATION),
        **dict.fromkeys(("attempts", "input", "output", "millis"), _COUNT),
        "micros": Field(Form.COUNT, optional=True),
    },
    Kind.MEMORY_FORGOTTEN: dict.fromkeys(
        ("turns", "claims", "commitments", "opinions", "rows", "tombstones"), _COUNT
    ),
}
"""The schema of each kind (a test sees to it that none is left out)."""


def bodies_of(kind: Kind, payload: Mapping[str, Json]) -> tuple[str, ...]:
    """The digests of the words that a payload of `kind` points at."""
    fields = (name for name, field in SCHEMAS[kind].items() if field.form is Form.BODY)
    found: list[str] = []
    for name in fields:
        value = payload.get(name)
        if isinstance(value, str):
            found.append(value)
        elif value is not None:
            found.extend(cast("Sequence[str]", value))
    return tuple(found)


def check(event: Event) -> None:
    """Raise `InvalidInput` unless the payload and the words of `event` fit the schema of its kind.

    The error names the field and the form it must have, never the value.
    """
    schema = SCHEMAS[event.kind]
    for name in (*event.payload, *event.words):
        if name not in schema:
            raise _refused(event, name, "is not a field of this kind")
    for name, field in schema.items():
        if name in event.words:
            if field.form is not Form.BODY or field.many or name in event.payload:
                raise _refused(event, name, "cannot hold words")
        elif name not in event.payload:
            if not field.optional:
                raise _refused(event, name, "is missing")
        elif not field.admits(event.payload[name]):
            raise _refused(event, name, f"must be of the form {field.form}")


def _refused(event: Event, name: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"The field {name!r} of the event {event.kind} {why}.",
        not_done="The event was not recorded.",
        next_step="Words belong into a body; the event holds its digest.",
    )
