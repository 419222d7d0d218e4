"""The five drives: what one look at things makes each of them want. Pure; most of the time all are silent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from numen.kernel import iso
from numen.memory.types import Claim, Commitment, CommitmentState, Debtor, Due
from numen.mind.types import (
    Drive,
    Intention,
    IntentionKind,
    Observation,
    Proposal,
    Signal,
    Verified,
)
from numen.people.types import Contact, MayContact, TrustTier

NEWS = timedelta(days=7)
"""How long ago something may have come due and still be spoken of for the first time (ours)."""

OFTEN = 2
"""Verified outcomes of one kind from which something is learnt (mind contract, Lessons)."""

LONGEST = 160
"""Characters of somebody's words in a title or a sentence of the mind's (ours)."""

_DUE, _LATE, _SEEN, _HINT = 0.9, 0.6, 0.7, 0.5
"""How much a due promise, a late one, a fault, and a suggestion weigh (ours: only their order matters)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A verified outcome of something that was intended."""

    intention: Intention
    failed: bool
    verified: Verified
    words: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """An ask that waits for the owner."""

    id: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One look at things: everything that the drives may see, all of one moment."""

    now: datetime
    zone: str
    owner: str | None = None
    commitments: tuple[Commitment, ...] = ()
    people: tuple[Contact, ...] = ()
    doubts: tuple[tuple[Claim, Claim], ...] = ()
    observation: Observation | None = None
    outcomes: tuple[Failure, ...] = ()
    uncertain: tuple[Intention, ...] = ()
    questions: tuple[Question, ...] = ()


def signals(seen: Snapshot) -> tuple[Signal, ...]:
    """What every drive sees."""
    return tuple(one for drive in (duty, social, curiosity, mastery, upkeep) for one in drive(seen))


def duty(seen: Snapshot) -> Iterator[Signal]:
    """What is owed: promises whose time has come, and work on the board that does not move."""
    for one in seen.commitments:
        stage = _due_stage(one, seen.now)
        if stage is not None:
            exact = stage == "due" and one.precision is Due.MINUTE
            yield _tell(
                Drive.DUTY,
                f"promise:{one.key}",
                stage,
                _DUE if stage == "due" else _LATE,
                (one.id,),
                _short(one.what),
                _reminder(one, stage),
                asked_for=True,
                exact=exact,
            )
    board = seen.observation
    if board is None:
        return
    for task in board.blocked:
        kind = f" ({task.block_kind})" if task.block_kind else ""
        words = f"The task “{_short(task.title)}” is blocked{kind} and waits for you."
        yield _tell(Drive.DUTY, f"task:{task.id}", f"blocked:{task.block_kind}", _SEEN, (), task.title, words)
    for task in board.stale:
        days = int(task.idle_s // 86_400)
        words = f"Nobody has worked on the task “{_short(task.title)}” for {_count(days, 'day')}."
        yield _tell(Drive.DUTY, f"task:{task.id}", "stale", _HINT, (), task.title, words)


def social(seen: Snapshot) -> Iterator[Signal]:
    """Who was not heard of for longer than the owner wanted. It is for the owner to write, or to say so."""
    for one in seen.people:
        if (
            one.cadence_minutes is None
            or one.last_interaction_at is None
            or one.may_contact is MayContact.NEVER
            or one.trust_tier in {TrustTier.OWNER, TrustTier.SILENCED}
        ):
            continue
        silent = seen.now - one.last_interaction_at
        wanted = timedelta(minutes=one.cadence_minutes)
        if silent <= wanted:
            continue
        words = (
            f"{one.display_name} has not written for {_span(silent)}; you wanted to be in touch every "
            f"{_span(wanted)}."
        )
        stage = iso(one.last_interaction_at)
        yield _tell(Drive.SOCIAL, f"contact:{one.id}", stage, _SEEN, (one.id,), one.display_name, words)


def curiosity(seen: Snapshot) -> Iterator[Signal]:
    """What is known and cannot both hold: the owner is asked which does."""
    for one, other in seen.doubts:
        words = (
            "Two things that I know do not agree. Which one holds?\n"
            f"1. {_short(one.text)}\n2. {_short(other.text)}"
        )
        ids = tuple(sorted((one.id, other.id)))
        yield _tell(Drive.CURIOSITY, f"doubt:{'+'.join(ids)}", "open", _SEEN, ids, _short(one.text), words)


def mastery(seen: Snapshot) -> Iterator[Signal]:
    """What goes wrong again and again, told with its last reason; silent once it went right."""
    by_title: dict[str, list[Failure]] = {}
    for one in sorted(seen.outcomes, key=lambda one: one.at):
        by_title.setdefault(" ".join(one.intention.title.casefold().split()), []).append(one)
    for title, known in by_title.items():
        last_good = max((n for n, one in enumerate(known) if not one.failed), default=-1)
        failed = known[last_good + 1 :]
        if len(failed) < OFTEN:
            continue
        reason = _short(failed[-1].words) or "no reason was given"
        shown = _short(failed[-1].intention.title)
        words = f"“{shown}” has failed {len(failed)} times. The last reason: {reason}."
        ids = tuple(one.intention.id for one in failed)
        yield _tell(Drive.MASTERY, f"fails:{title[:LONGEST]}", str(len(failed)), _SEEN, ids, shown, words)


def upkeep(seen: Snapshot) -> Iterator[Signal]:
    """What keeps the mind itself honest: messages of which nobody knows whether they went, waiting asks."""
    for one in seen.uncertain:
        if one.drive is Drive.UPKEEP:
            continue
        words = (
            f"I cannot tell whether this was sent, and I do not send it again: “{_short(one.body)}” "
            f"({one.id})."
        )
        yield _tell(Drive.UPKEEP, f"uncertain:{one.id}", "open", _SEEN, (one.id,), _short(one.title), words)
    for question in seen.questions:
        yield _tell(
            Drive.UPKEEP,
            f"ask:{question.id}",
            "open",
            _DUE,
            (question.id,),
            "A question waits for you",
            question.text,
            asked_for=True,
        )


def _due_stage(one: Commitment, now: datetime) -> str | None:
    """`due` from the named minute, or the morning of the named day; `late` a day after; None before."""
    if one.due_at is None or one.state not in {CommitmentState.PENDING, CommitmentState.OVERDUE}:
        return None
    start = one.due_at
    if one.precision is Due.DAY:
        local = start.astimezone(ZoneInfo(one.timezone))
        start = local.replace(hour=0, minute=0, second=0, microsecond=0)
    if now < start or now - start > NEWS:
        return None
    return "late" if now - start >= timedelta(days=1) else "due"


def _reminder(one: Commitment, stage: str) -> str:
    assert one.due_at is not None, "only what is due is told"
    local = one.due_at.astimezone(ZoneInfo(one.timezone))
    when = f"{local:%A}, {local.day} {local:%B}" + ("" if one.precision is Due.DAY else f", {local:%H:%M}")
    whose = {
        Debtor.OWNER: "",
        Debtor.ASSISTANT: "I owe you: ",
        Debtor.OTHER: f"{one.to_whom or 'Somebody'} owes: " if one.to_whom else "Owed to you: ",
    }[one.who]
    end = " That time has passed." if stage == "late" else ""
    return f"{whose}{one.what.strip().rstrip('.')} (due {when}).{end}"


def _tell(
    drive: Drive,
    key: str,
    stage: str,
    weight: float,
    about: Sequence[str],
    title: str,
    words: str,
    *,
    asked_for: bool = False,
    exact: bool = False,
) -> Signal:
    """A signal about which the owner is told."""
    proposal = Proposal(IntentionKind.MESSAGE, _short(title), words, asked_for=asked_for, exact=exact)
    return Signal(drive, key, stage, weight, tuple(about), proposal)


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rsplit(" ", 1)[0] + " […]"


def _span(time: timedelta) -> str:
    if time >= timedelta(days=1):
        return _count(time.days, "day")
    hours = int(time.total_seconds() // 3600)
    return _count(hours, "hour") if hours else _count(int(time.total_seconds() // 60), "minute")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
