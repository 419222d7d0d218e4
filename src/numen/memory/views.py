"""Opinions: what the agent thinks of something, why, and what would change its mind."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from numen.kernel import Audience, Json, iso

REST = timedelta(hours=24)
"""A view changes once in this time, corrections apart (memory contract, Opinions and commitments)."""


class Certainty(StrEnum):
    """How sure a view is."""

    TENTATIVE = "tentative"
    MODERATE = "moderate"
    STRONG = "strong"


class PremiseKind(StrEnum):
    """What a view may rest on."""

    CLAIM = "claim"
    OUTCOME = "outcome"
    FINDING = "finding"
    QUOTE = "quote"


class OpinionState(StrEnum):
    """What became of a view. `reconsidered`: the owner asked to think again; `replaced`: it was revised."""

    HELD = "held"
    WITHDRAWN = "withdrawn"
    RECONSIDERED = "reconsidered"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Premise:
    """What a view rests on: the id of a claim, an outcome or a turn, and its words."""

    kind: PremiseKind
    ref: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewOpinion:
    """A view to hold. `is_correction`: what was held is wrong, which does not wait."""

    subject: str
    stance: str = field(repr=False)
    certainty: Certainty
    premises: tuple[Premise, ...]
    revise_if: str = ""
    audience: Audience = Audience.OWNER
    is_correction: bool = False


@dataclass(frozen=True, slots=True)
class Opinion:
    """A view, by its number."""

    number: int
    subject: str
    stance: str = field(repr=False)
    certainty: Certainty
    premises: tuple[Premise, ...]
    revise_if: str
    audience: Audience
    state: OpinionState
    revises: int | None
    reason: str
    made_at: datetime
    changed_at: datetime

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "id": self.number,
            "number": self.number,
            "subject": self.subject,
            "stance": self.stance,
            "certainty": self.certainty,
            "premises": [{"kind": one.kind, "ref": one.ref, "text": one.text} for one in self.premises],
            "revise_if": self.revise_if,
            "audience": self.audience,
            "state": self.state,
            "revises": self.revises,
            "reason": self.reason,
            "made_at": iso(self.made_at),
            "changed_at": iso(self.changed_at),
        }
