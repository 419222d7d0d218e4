"""The deck: 56 short questions, three of them always held, the others dealt anew for each turn of a room.

A lens asks to look at something. None tells what to find there, flatters, urges, or asks to look away.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from numen.cycle.types import DRAWS, Step

VERSION = 1
"""Of the deck; an identity keeps the one with which it began."""

FIXED: Mapping[str, str] = {
    "true": "Which of these sentences could be shown to be false, and how?",
    "asked": "What was asked, word for word, and is that what is being answered?",
    "cost": "Who bears the cost if this is wrong, and can it be undone?",
}
"""The three that every turn holds."""

POOL: Mapping[str, str] = {
    "absent": "What is not here that would be here if this were so?",
    "actor": "Who does each thing that is described?",
    "age": "How old is each fact, and does it change with time?",
    "ambiguity": "Which word could be read in two ways?",
    "analogy": "What well-known case has the same form, and where does the likeness end?",
    "assumption": "What is taken for granted without being said?",
    "audience": "Who will read this, and what do they know already?",
    "average": "Does this hold for each case, or only on the whole?",
    "baseline": "Compared with what?",
    "beginner": "What would someone ask who sees this for the first time?",
    "boundary": "Where exactly does this begin and end?",
    "cause": "What makes this happen, and what only comes along with it?",
    "change": "What changed last before this?",
    "choice": "Which other ways were open?",
    "claim": "Which is the one sentence that everything else rests on?",
    "conflict": "Which two statements cannot both hold?",
    "constraint": "Which limit was given, and is it kept?",
    "context": "What stands directly before and after the part in question?",
    "counter": "What is the strongest case for the opposite?",
    "count": "Can it be counted, and was it?",
    "default": "What happens if nothing is done?",
    "definition": "How would each key term be defined here?",
    "dependency": "What does this need in order to hold?",
    "detail": "Which detail does not fit?",
    "effort": "Which part takes the most work, and is it needed?",
    "empty": "What happens with nothing, with one, and with very many?",
    "error": "Where would a mistake here show first?",
    "evidence": "What was seen, and what was concluded from it?",
    "exception": "In which case does the rule not hold?",
    "extreme": "What happens at the largest and at the smallest value?",
    "first": "What is the first thing to do, and what can wait?",
    "form": "In which form is the answer wanted?",
    "frequency": "How often does this happen?",
    "goal": "What is to be different afterwards?",
    "history": "How was this solved before?",
    "inverse": "What does the problem look like from the end backwards?",
    "invariant": "What stays the same whatever happens?",
    "limit": "How much time, room or money is there?",
    "measure": "By what will one see that it worked?",
    "name": "Is each thing called by one name throughout?",
    "neighbour": "What else is touched by this?",
    "order": "Does the order of the steps matter?",
    "owner": "Whose decision is it?",
    "part": "Into which parts does it fall, and do they add up to the whole?",
    "reader": "Which sentence would a hurried reader get wrong?",
    "reversal": "What if the two sides changed places?",
    "risk": "What is the worst that follows, and how likely is it?",
    "scale": "Does it hold at ten times the size?",
    "simpler": "Which part can be left out without loss?",
    "source": "Where does each figure come from?",
    "test": "Which small trial would decide it?",
    "unit": "In which unit is each number?",
    "witness": "What would someone describe who has no stake in it?",
}
"""The fifty-three from which ten are dealt."""

DECK: Mapping[str, str] = {**FIXED, **POOL}
"""All of them by name."""


def deal(room: str, epoch: int) -> Mapping[Step, tuple[str, ...]]:
    """Which lenses a turn of a room gets at which step: ten of the pool, none twice, 2/2/2/4.

    `room` is the room's digest in hex, `epoch` the number of its turn: the same two give the same lenses.
    """

    def place(name: str) -> bytes:
        return hmac.digest(bytes.fromhex(room), f"{VERSION}:{epoch}:{name}".encode(), "sha256")

    shuffled = iter(sorted(POOL, key=place))
    return {step: tuple(next(shuffled) for _ in range(count)) for step, count in DRAWS.items()}
