"""What a delegation may cost: a bound before each call, taken from each budget, and settled after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from numen.delegate import rules
from numen.delegate.types import Attempt, Caps, Intent, Usage, Worker
from numen.gate.budgets import Lease
from numen.kernel import iso, tokens

PREFIX = "delegate "
"""Before the name of each budget."""

UNIT = 1_000_000
"""Tokens that a price is for, and millionths of a dollar in a dollar."""


@dataclass(frozen=True, slots=True)
class Price:
    """Millionths of a dollar for a million tokens."""

    input: int
    output: int
    cached: int = 0

    def of(self, usage: Usage) -> int:
        """What `usage` costs in millionths of a dollar, rounded up."""
        fresh = max(0, usage.input - usage.cached)
        whole = fresh * self.input + usage.cached * self.cached + usage.output * self.output
        return -(-whole // UNIT)


class Prices(Protocol):
    """Who costs what."""

    @property
    def version(self) -> str:
        """The version of the table."""
        ...

    def of(self, worker: Worker) -> Price | None:
        """The price of a worker, None where it is not known."""
        ...


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that one call is reckoned to take. `micros` is None where no price is known."""

    tokens: int
    micros: int | None


@dataclass(frozen=True, slots=True)
class Held:
    """Leases that were taken for one call, and of which kind each amount is."""

    lease: Lease
    money: bool


def bound(intent: Intent, prompt: str, price: Price | None) -> Bound:
    """What is reserved for one call: its prompt, and an answer of the length that is asked for or usual."""
    output = intent.max_output_tokens or max(rules.DEFAULT_OUTPUT_TOKENS, intent.max_chars)
    usage = Usage(tokens(prompt), output)
    return Bound(usage.input + usage.output, None if price is None else price.of(usage))


def refusal(intent: Intent, caps: Caps, call: Bound, spent: int) -> str | None:
    """Why the call does not fit what one delegation may cost; `spent` is what its earlier calls took."""
    most = [one for one in (intent.budget_micros, caps.call_micros) if one is not None]
    if call.micros is None:
        return "price_unknown" if most or counts_money(intent, caps) else None
    return "call" if most and spent + call.micros > min(most) else None


def counts_money(intent: Intent, caps: Caps) -> bool:
    """Whether a budget counts the money of this intent."""
    return (
        caps.day_micros is not None
        or (intent.tree is not None and caps.tree_micros is not None)
        or any(one in caps.tag_micros for one in intent.tags)
    )


def leases(intent: Intent, caps: Caps, call: Bound, at: datetime) -> Mapping[str, Held]:
    """What one call takes, by the scope that a refusal names. Days are of UTC."""
    day = iso(at)[:10]
    wanted: dict[str, tuple[str, int, int | None, bool]] = {
        "calls": (day, 1, caps.day_calls, False),
        "tokens": (day, call.tokens, caps.day_tokens, False),
    }
    if call.micros is not None:
        wanted["day"] = (day, call.micros, caps.day_micros, True)
        for tag in intent.tags:
            wanted[f"tag:{tag}"] = (day, call.micros, caps.tag_micros.get(tag), True)
        if intent.tree is not None:
            wanted[f"tree:{intent.tree}"] = ("", call.micros, caps.tree_micros, True)
    return {
        scope: Held(Lease(PREFIX + scope, period, amount, limit), money)
        for scope, (period, amount, limit, money) in wanted.items()
        if limit is not None
    }


def cost(attempts: tuple[Attempt, ...], prices: Prices) -> int | None:
    """What the attempts cost together in millionths of a dollar, None where a price is not known."""
    whole = 0
    for one in attempts:
        if one.usage is None:
            continue
        price = prices.of(one.worker)
        if price is None:
            return None
        whole += price.of(one.usage)
    return whole


def correction(held: Held, call: Bound, usage: Usage | None, price: Price | None) -> int:
    """What is to be added to a lease after the call, below 0 what is given back.

    A call that told nothing of itself keeps what was reserved: it may have been paid for.
    """
    if held.lease.name == f"{PREFIX}calls" or usage is None:
        return 0
    if held.money:
        return 0 if price is None or call.micros is None else price.of(usage) - call.micros
    return usage.input + usage.output - call.tokens
