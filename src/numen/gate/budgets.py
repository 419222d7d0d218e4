"""What a call takes from which budget, before it runs; what is held for a time only is given back after."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from numen.gate.types import Effect, EffectClass, Limits, Lineage, Run
from numen.kernel import iso

CONCURRENT = "concurrent_tasks"
TASK_TOOL = "task"
"""As what work that the mind gives to a body is judged: what is then done in it is judged call by call."""

TASK_TOOLS = frozenset({"delegate", "delegate_task", TASK_TOOL})
"""Calls that start a task."""


@dataclass(frozen=True, slots=True)
class Lease:
    """So much of a budget in one of its periods. `returned`: it is given back when the call is settled."""

    name: str
    period: str
    amount: int
    limit: int
    returned: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """A time that must lie between two calls that share the name."""

    name: str
    hours: int


def leases(effect: Effect, lineage: Lineage, limits: Limits, at: datetime) -> tuple[Lease, ...]:
    """What the call needs. Periods are the hours and days of UTC; what the owner asked for is not counted."""
    day, hour = iso(at)[:10], iso(at)[:13]
    wanted: list[tuple[str, str, int, int | None, bool]] = []
    if effect.cls is EffectClass.MONEY and effect.amount is not None:
        wanted.append((f"money {effect.currency or '?'}", day, effect.amount, limits.money_per_day, False))
    if not lineage.asked_for:
        match effect.cls:
            case EffectClass.OWNER_MESSAGE:
                wanted.append(("owner_messages", day, 1, limits.owner_messages_per_day, False))
            case EffectClass.CONTACT_MESSAGE | EffectClass.BULK:
                people = max(1, len(effect.recipients))
                wanted.append(("contact_messages", day, people, limits.contact_messages_per_day, False))
                if lineage.run is Run.MIND:
                    wanted.append(("outreach", day, people, limits.outreach_per_day, False))
            case _:
                pass
        if effect.call.tool in TASK_TOOLS and lineage.run is Run.MIND:
            wanted.append(("tasks", hour, 1, limits.tasks_per_hour, False))
            wanted.append((CONCURRENT, "", 1, limits.concurrent_tasks, True))
    return tuple(
        Lease(name, period, amount, limit, returned)
        for name, period, amount, limit, returned in wanted
        if limit is not None
    )


def gaps(effect: Effect, lineage: Lineage, limits: Limits) -> tuple[Gap, ...]:
    """Which times must have passed since the last such call."""
    if lineage.asked_for or effect.cls not in {EffectClass.CONTACT_MESSAGE, EffectClass.BULK}:
        return ()
    people = tuple(
        Gap(f"contact {one}", limits.contact_cooldown_hours) for one in sorted(set(effect.recipients))
    )
    outreach = (Gap("outreach", limits.outreach_gap_hours),) if lineage.run is Run.MIND else ()
    return people + outreach


def is_tripped(
    failures: list[datetime], at: datetime, count: int, within: timedelta, lasts: timedelta
) -> bool:
    """Whether a breaker is open: `count` failures lay `within` a time, the last less than `lasts` ago."""
    failures = sorted(failures)
    return any(
        failures[last] - failures[last - count + 1] <= within and at - failures[last] < lasts
        for last in range(count - 1, len(failures))
    )
