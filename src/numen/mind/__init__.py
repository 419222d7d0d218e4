"""What is worth doing unasked: concerns, intentions, and what became of them; nothing without a nod."""

from numen.mind.dispatch import Dispatch
from numen.mind.intentions import IllegalMove, Intentions, Means
from numen.mind.observations import Observations, Origin
from numen.mind.outbox import Letter, NoTarget, NotYours, Outbox
from numen.mind.outcomes import Outcomes, Told
from numen.mind.rules import read_quiet
from numen.mind.service import Mind, Standing, Wanted
from numen.mind.tick import Tick
from numen.mind.types import (
    Account,
    BoardTask,
    Concern,
    Drive,
    Habits,
    Intention,
    IntentionKind,
    Judgement,
    Observation,
    Outcome,
    Proposal,
    Quiet,
    State,
    Ticked,
)

__all__ = [
    "Account",
    "BoardTask",
    "Concern",
    "Dispatch",
    "Drive",
    "Habits",
    "IllegalMove",
    "Intention",
    "IntentionKind",
    "Intentions",
    "Judgement",
    "Letter",
    "Means",
    "Mind",
    "NoTarget",
    "NotYours",
    "Observation",
    "Observations",
    "Origin",
    "Outbox",
    "Outcome",
    "Outcomes",
    "Proposal",
    "Quiet",
    "Standing",
    "State",
    "Tick",
    "Ticked",
    "Told",
    "Wanted",
    "read_quiet",
]
