"""May it be done: the one gate in front of every effect."""

from numen.gate.asks import Asks, OwnerNods
from numen.gate.budgets import TASK_TOOL
from numen.gate.effects import Surroundings, call_digest, classify
from numen.gate.grants import TOOL as GRANT_TOOL
from numen.gate.grants import Grants
from numen.gate.service import Gate
from numen.gate.types import (
    Ask,
    AskState,
    Autonomy,
    Call,
    Claim,
    Decision,
    Effect,
    EffectClass,
    Grant,
    GrantKind,
    Limits,
    Lineage,
    NotAllowed,
    Outcome,
    Policy,
    Rule,
    Run,
    Verdict,
)

__all__ = [
    "GRANT_TOOL",
    "TASK_TOOL",
    "Ask",
    "AskState",
    "Asks",
    "Autonomy",
    "Call",
    "Claim",
    "Decision",
    "Effect",
    "EffectClass",
    "Gate",
    "Grant",
    "GrantKind",
    "Grants",
    "Limits",
    "Lineage",
    "NotAllowed",
    "Outcome",
    "OwnerNods",
    "Policy",
    "Rule",
    "Run",
    "Surroundings",
    "Verdict",
    "call_digest",
    "classify",
]
