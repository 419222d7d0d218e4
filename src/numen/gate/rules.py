"""What may be done: values in, a decision out. The table of the mind contract, Gate, from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from json import dumps
from typing import cast

from numen.gate.effects import is_inside, writes_files, written
from numen.gate.types import (
    FLOOR,
    AskState,
    Autonomy,
    Decision,
    Effect,
    EffectClass,
    Grant,
    GrantKind,
    Lineage,
    Policy,
    Rule,
    Run,
)
from numen.kernel import Json, canonical_text, from_iso
from numen.people.types import MayContact

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of codes: none that looks like another (mind contract, Asks)."""

CODE, LONG_CODE = 3, 6
"""Characters of a code; the longer form when short ones are crowded (mind contract, Asks)."""

EXPIRY = timedelta(hours=72)
"""How long an ask waits (mind contract, Asks)."""

MOST_OPEN = 7
"""Open asks of one lineage; then its task is parked (mind contract, Asks)."""

MOST_PEOPLE = 3
"""People that one lineage may write to in a day without being bulk (mind contract, Gate)."""

LONGEST_SHOWN = 8000
"""Characters of an ask that are shown; a call that takes more cannot be approved (wire contract, 1.5: the
longest message that carries an answer)."""

FAILURES, FAILURE_WINDOW, TRIPPED_FOR = 3, timedelta(hours=24), timedelta(hours=72)
"""When a breaker trips for a class, and for how long (mind contract, Gate)."""

UNSETTLED = timedelta(minutes=10)
"""After which a claim that nobody settled is uncertain (mind contract, Mind: outbox)."""

MOVES: Mapping[AskState, frozenset[AskState]] = {
    AskState.OPEN: frozenset({AskState.YES, AskState.NO, AskState.EXPIRED}),
    AskState.YES: frozenset({AskState.SPENT, AskState.EXPIRED}),
    AskState.NO: frozenset(),
    AskState.EXPIRED: frozenset(),
    AskState.SPENT: frozenset(),
}
"""Every move an ask can make; all others are refused."""

_YES = frozenset("yes y yep yeah ok okay ja oui si sí sim approve approved allow".split())
_NO = frozenset("no n nope nein non nao não deny denied refuse reject".split())
_WORD = re.compile(r"[^\W_]+")
_GRANT_FIELDS = frozenset(
    "id class scope tools match max_amount currency per_day expires kind task session digest".split()
)
_ALIASES = {
    "bulk_third_party_messaging": EffectClass.BULK,
    "irreversible_deletion": EffectClass.IRREVERSIBLE,
    "credentials": EffectClass.CREDENTIAL,
}
_LATER = frozenset({EffectClass.READ, EffectClass.INTERNAL})


@dataclass(frozen=True, slots=True)
class Standing:
    """What is so at the moment of judging. `permissions` are of the recipients; a missing one is unknown.

    `chat` is the session's own chat; `exhausted` names the budget that has nothing left, and until when.
    """

    is_owner: bool
    off: bool = False
    autonomy: Autonomy = Autonomy.STANDARD
    permissions: Mapping[str, MayContact] = field(default_factory=dict[str, MayContact])
    owner: str | None = None
    chat: str | None = None
    tripped: bool = False
    exhausted: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, its rule and the sentence that says it. `later`: it may end otherwise at another time."""

    decision: Decision
    rule: Rule
    reason: str
    later: bool = False


def decide(effect: Effect, lineage: Lineage, standing: Standing, policy: Policy) -> Decided:
    """The decision, before grants and nods: those turn an ask into a yes, and nothing else."""
    if effect.cls is EffectClass.READ:
        return Decided(Decision.ALLOW, Rule.READ, "It only reads.")
    refused = _refused(effect, lineage, standing, policy)
    if refused is not None:
        return refused
    if effect.cls in FLOOR:
        return Decided(
            Decision.ASK, Rule.FLOOR, f"What is {effect.cls} is asked about at every level: {effect.why}."
        )
    acts = _acts(effect, standing)
    if acts.decision is Decision.ASK:
        return acts
    if effect.taint:
        return Decided(Decision.ASK, Rule.TAINT, f"Its arguments come from {', '.join(effect.taint)}.")
    if not effect.bounded and effect.cls in {EffectClass.EXEC, EffectClass.EXTERNAL}:
        return Decided(
            Decision.ASK, Rule.UNBOUNDED, f"What it does cannot be known beforehand: {effect.why}."
        )
    if standing.tripped:
        return Decided(Decision.ASK, Rule.BREAKER, f"Calls of the class {effect.cls} have failed of late.")
    if standing.exhausted is not None and not lineage.asked_for:
        return Decided(Decision.DENY, Rule.BUDGET, f"The budget {standing.exhausted} is used up.", later=True)
    return acts


def _refused(effect: Effect, lineage: Lineage, standing: Standing, policy: Policy) -> Decided | None:
    """What no nod can allow."""
    if standing.off or standing.autonomy is Autonomy.OFF:
        return Decided(Decision.DENY, Rule.OFF, "Acting is switched off.")
    if _is_denied(effect, policy):
        return Decided(Decision.DENY, Rule.DENIED, "The owner's deny list has it.")
    if not standing.is_owner or lineage.run is Run.GUEST:
        if standing.chat is not None and effect.target == standing.chat:
            return Decided(
                Decision.DENY,
                Rule.OWN_CHAT,
                "Your final response is delivered to this conversation as your reply.",
            )
        return Decided(
            Decision.DENY, Rule.GUEST, "This is not something that can be done from this conversation."
        )
    if any(standing.permissions.get(one) is MayContact.NEVER for one in effect.recipients):
        return Decided(Decision.DENY, Rule.NEVER, "Someone it goes to does not want to be written to.")
    if lineage.run is Run.MIND and writes_files(effect.call):
        folder = lineage.workspace
        if folder is None or not all(is_inside(path, folder) for path in written(effect.call)):
            return Decided(Decision.DENY, Rule.WORKSPACE, "A task writes inside of its workspace only.")
    return None


def _acts(effect: Effect, standing: Standing) -> Decided:
    """The row of the table for this class and level."""
    level = standing.autonomy
    act = Decided(Decision.ALLOW, Rule.LEVEL, f"At the level {level} this is done without asking.")
    ask = Decided(Decision.ASK, Rule.LEVEL, f"At the level {level} this is asked about: {effect.why}.")
    match effect.cls:
        case EffectClass.INTERNAL:
            return act
        case EffectClass.OWNER_MESSAGE:
            return ask if level is Autonomy.SUGGEST else act
        case EffectClass.CONTACT_MESSAGE:
            others = [one for one in effect.recipients if one != standing.owner]
            free = bool(others) and all(standing.permissions.get(one) is MayContact.AUTO for one in others)
            if level is Autonomy.SUGGEST:
                return ask
            return act if free else Decided(Decision.ASK, Rule.PERMISSION, "Writing to them is asked about.")
        case _:
            return act if level is Autonomy.TRUSTED else ask


def _is_denied(effect: Effect, policy: Policy) -> bool:
    if effect.call.tool in policy.denied_tools:
        return True
    said = canonical_text(effect.call.args).casefold() if policy.denied_text else ""
    return any(text.casefold() in said for text in policy.denied_text)


def grant_problem(spec: Mapping[str, Json]) -> str | None:
    """Why a grant is inert, or None for a sound one."""
    for name in spec.keys() - _GRANT_FIELDS:
        return f"{name!r} is not known of grants"
    kind = grant_kind(spec)
    if kind is None:
        return "`kind` is once, task, session, until or standing"
    needs = {
        GrantKind.ONCE: "digest",
        GrantKind.TASK: "task",
        GrantKind.SESSION: "session",
        GrantKind.UNTIL: "expires",
        GrantKind.STANDING: "tools",
    }
    if spec.get(needs[kind]) in (None, "", []):
        return f"a grant of the kind {kind} names {needs[kind]!r}"
    if kind is not GrantKind.ONCE and grant_class(spec) is None:
        return f"`class` is one of {', '.join(one for one in EffectClass if one not in _LATER)}"
    tools = spec.get("tools", [])
    if (
        isinstance(tools, str)
        or not isinstance(tools, Sequence)
        or not all(isinstance(one, str) for one in tools)
    ):
        return "`tools` is a list of names"
    match = spec.get("match", {})
    if not isinstance(match, Mapping):
        return "`match` says for arguments what they must be, exactly"
    for name in ("max_amount", "per_day"):
        value = spec.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int | float) or value <= 0
        ):
            return f"`{name}` is a number above 0"
    if grant_class(spec) is EffectClass.MONEY and (
        spec.get("max_amount") is None or not spec.get("currency")
    ):
        return "a grant of money names `max_amount` and `currency`"
    expires = spec.get("expires")
    if expires is not None and _moment(expires) is None:
        return "`expires` is a moment such as 2026-01-02T03:04:05Z"
    return None


def grant_kind(spec: Mapping[str, Json]) -> GrantKind | None:
    """The kind that a grant says it has; standing where it says none."""
    given = spec.get("kind", "standing")
    return GrantKind(given) if isinstance(given, str) and given in set(GrantKind) else None


def grant_class(spec: Mapping[str, Json]) -> EffectClass | None:
    """The class that a grant is for."""
    given = spec.get("class")
    if not isinstance(given, str):
        return None
    known = _ALIASES.get(given) or (EffectClass(given) if given in set(EffectClass) else None)
    return None if known in _LATER else known


def grant_expiry(spec: Mapping[str, Json]) -> datetime | None:
    """When a grant ends, where it says so."""
    return _moment(spec.get("expires"))


def covers(grant: Grant, effect: Effect, lineage: Lineage, at: datetime) -> bool:
    """Whether a grant allows the effect. A tainted call needs a nod of its own; a broken grant is inert."""
    spec = grant.spec
    if grant.problem is not None or grant.revoked_at is not None or grant.kind is None:
        return False
    if grant.expires_at is not None and at >= grant.expires_at:
        return False
    if grant.kind is GrantKind.ONCE:
        return spec.get("digest") == effect.digest and grant.uses == 0
    if effect.taint or not effect.bounded or grant_class(spec) is not effect.cls:
        return False
    if grant.kind is GrantKind.TASK and spec.get("task") != lineage.task:
        return False
    if grant.kind is GrantKind.SESSION and spec.get("session") != lineage.session:
        return False
    tools = cast("Sequence[str]", spec.get("tools") or [])
    if tools and effect.call.tool not in tools:
        return False
    match = cast("Mapping[str, Json]", spec.get("match") or {})
    if any(effect.call.args.get(name) != value for name, value in match.items()):
        return False
    most = cast("float | None", spec.get("max_amount"))
    if most is not None:
        within = effect.amount is not None and effect.amount <= round(most * 100)
        return within and effect.currency == spec.get("currency")
    return True


def coalesces(cls: EffectClass) -> bool:
    """Whether calls of the class share an ask within a task; each call of the floor has its own."""
    return cls not in FLOOR


def answer_in(message: str, codes: Collection[str]) -> tuple[bool, str] | None:
    """The answer in a message that opens with yes or no and has an open code as a whole word."""
    words = _WORD.findall(message)
    if not words or words[0].casefold() not in _YES | _NO:
        return None
    said = {word.upper() for word in words[1:]}
    named = [code for code in codes if code in said]
    return (words[0].casefold() in _YES, named[0]) if len(named) == 1 else None


def names_code(message: str, code: str) -> bool:
    """Whether the code is a whole word of the message."""
    return code in {word.upper() for word in _WORD.findall(message)}


def opens_with(message: str) -> bool | None:
    """True for a message that opens with a yes, False with a no, None with neither."""
    first = _WORD.search(message)
    word = "" if first is None else first[0].casefold()
    return True if word in _YES else False if word in _NO else None


def shown(effect: Effect) -> str:
    """The whole call on one line: what cannot be seen is written as an escape."""
    call: dict[str, Json] = {"tool": effect.call.tool, "args": effect.call.args}
    if effect.call.target is not None:
        call["target"] = effect.call.target
    if effect.call.source is not None:
        call["server"] = effect.call.source
    return "".join(char if char.isprintable() else dumps(char)[1:-1] for char in canonical_text(call))


def _moment(value: Json) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return from_iso(value)
    except ValueError:
        return None
