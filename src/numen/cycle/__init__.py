"""How shall we think: a turn in 23 steps, as deep as its room can afford, and honest about it."""

from numen.cycle.identity import Character
from numen.cycle.organs import Bounds, Gauge, Tools
from numen.cycle.retrieval import Source
from numen.cycle.service import Ask, Cycle, Means, Settings
from numen.cycle.turning import Habits, Thinker
from numen.cycle.types import (
    CycleFailed,
    Drift,
    Energy,
    Intent,
    Label,
    Passage,
    Prompt,
    Signal,
    Step,
    Tank,
    Thought,
    ToolDoc,
    Turned,
)

__all__ = [
    "Ask",
    "Bounds",
    "Character",
    "Cycle",
    "CycleFailed",
    "Drift",
    "Energy",
    "Gauge",
    "Habits",
    "Intent",
    "Label",
    "Means",
    "Passage",
    "Prompt",
    "Settings",
    "Signal",
    "Source",
    "Step",
    "Tank",
    "Thinker",
    "Thought",
    "ToolDoc",
    "Tools",
    "Turned",
]
