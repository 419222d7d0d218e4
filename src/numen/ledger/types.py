"""What an event is, and what can be said about the chain of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from numen.kernel import Json


class Kind(StrEnum):
    """What happened. Each kind has its schema in `schemas`; a kind is never removed or renamed."""

    STORE_CREATED = "store.created"
    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    KEY_GRANTED = "key.granted"
    DOOR_REFUSED = "door.refused"
    CONTACT_CREATED = "contact.created"
    CONTACT_CHANGED = "contact.changed"
    HANDLE_LINKED = "handle.linked"
    HANDLE_UNLINKED = "handle.unlinked"
    LINK_PROPOSED = "link.proposed"
    CONTACT_MERGED = "contact.merged"
    CONTACT_OPTED_OUT = "contact.opted_out"
    APPROVAL_CREATED = "approval.created"
    APPROVAL_JOINED = "approval.joined"
    APPROVAL_DECIDED = "approval.decided"
    APPROVAL_EXPIRED = "approval.expired"
    TOOL_CLAIMED = "tool.claimed"
    TOOL_SETTLED = "tool.settled"
    GATE_DENIED = "gate.denied"
    GRANT_CREATED = "grant.created"
    GRANT_USED = "grant.used"
    GRANT_REVOKED = "grant.revoked"
    MIND_SWITCHED = "mind.switched"
    MIND_LEVELLED = "mind.levelled"
    INGEST_FINISHED = "ingest.finished"
    SECRET_SEALED = "secret.sealed"
    SECRET_USED = "secret.used"
    SECRET_RELEASED = "secret.released"
    SECRET_FORGOTTEN = "secret.forgotten"
    VAULT_CREATED = "vault.created"
    VAULT_REKEYED = "vault.rekeyed"
    BODY_GONE = "body.gone"
    TURN_KEPT = "turn.kept"
    CLAIM_MADE = "claim.made"
    CLAIM_CHANGED = "claim.changed"
    COMMITMENT_MADE = "commitment.made"
    COMMITMENT_CHANGED = "commitment.changed"
    OPINION_MADE = "opinion.made"
    OPINION_CHANGED = "opinion.changed"
    MEMORY_FORGOTTEN = "memory.forgotten"
    MEMORY_IMPORTED = "memory.imported"
    MISSION_POSTED = "mission.posted"
    MAP_CHANGED = "map.changed"
    CONCERN_RAISED = "concern.raised"
    CONCERN_CLOSED = "concern.closed"
    INTENTION_FORMED = "intention.formed"
    INTENTION_MOVED = "intention.moved"
    OUTCOME_RECORDED = "outcome.recorded"
    BOARD_OBSERVED = "board.observed"
    ORIGIN_TRACED = "origin.traced"
    SKILL_USED = "skill.used"
    MIND_TICKED = "mind.ticked"
    SESSION_CREATED = "session.created"
    SESSION_CHANGED = "session.changed"
    TURN_STARTED = "turn.started"
    TURN_MOVED = "turn.moved"
    MODEL_CALLED = "model.called"
    MODEL_ANSWERED = "model.answered"
    MESSAGE_SAID = "message.said"
    TEXT_RESET = "text.reset"
    CALL_WANTED = "call.wanted"
    CALL_MOVED = "call.moved"
    NOTICE_GIVEN = "notice.given"
    INPUT_ASKED = "input.asked"
    INPUT_ANSWERED = "input.answered"
    SERVER_CHANGED = "server.changed"
    AGENT_RENAMED = "agent.renamed"
    CYCLE_TURNED = "cycle.turned"
    DELEGATION_QUEUED = "delegation.queued"
    DELEGATION_RESERVED = "delegation.reserved"
    DELEGATION_SETTLED = "delegation.settled"


class Departure(StrEnum):
    """Why the words of a body are no longer kept."""

    FORGOTTEN = "forgotten"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Event:
    """Something to be recorded.

    `event_id` names the step that did it (`<workflow>:<step>` or the request id), so that a step that runs
    again records nothing. `stream` names what it happened to. `words` are put away as bodies, and their
    digests become the payload's fields of the same names; nobody's words may stand in `payload` itself.
    """

    event_id: str
    kind: Kind
    stream: str
    correlation_id: str
    payload: Mapping[str, Json] = field(default_factory=dict[str, Json])
    words: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where an event stands: `fresh` is False when it had been recorded before, and nothing was appended."""

    seq: int
    event_id: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the ledger. `at` is ISO 8601 in UTC; `actor` a viewer; `scope` the digest of a room."""

    seq: int
    event_id: str
    v: int
    at: str
    stream: str
    kind: str
    correlation_id: str
    actor: str
    scope: str
    payload: Mapping[str, Json]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Body:
    """Words that an event points at. `text` is None when they are gone, and `gone` says why."""

    digest: str
    text: str | None
    gone: Departure | None = None


class Fault(StrEnum):
    """What is wrong with the ledger."""

    CHANGED = "changed"
    MISSING = "missing"
    REORDERED = "reordered"
    REPLACED = "replaced"
    BODY_CHANGED = "body_changed"
    BODY_MISSING = "body_missing"
    BODY_GONE_UNRECORDED = "body_gone_unrecorded"


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether the ledger is what was recorded: `events` and `bodies` seen, `gone` of those without words.

    With a fault, `seq` is the first event that is wrong and `why` says in a sentence what is.
    """

    events: int
    bodies: int
    gone: int
    head: str
    fault: Fault | None = None
    seq: int | None = None
    why: str = ""

    @property
    def ok(self) -> bool:
        """True when nothing is wrong."""
        return self.fault is None
