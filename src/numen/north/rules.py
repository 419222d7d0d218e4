"""The laws of one orientation, as pure functions: values in, a verdict out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from numen.kernel import InvalidInput
from numen.north.memories import MemoryRow, Tier
from numen.north.types import (
    NorthRequest,
    Sufficiency,
    SufficiencyState,
)

MAX_TASK = 4_000
"""Characters of a task (north contract, "The packet")."""

TOP_K = (1, 50)
"""Least and most focus nodes (north contract, "The packet")."""

MAX_MEMORIES = 5
"""Rows of `memory[]` (north contract, "The packet")."""

ROW_SIGNATURE = 80
ROW_WHY = 60
"""Characters of a row's signature, and of its reasons together. `seek` shows them whole; here the room goes
to more rows: over 119 commits of one repository .91 of the packets then show a changed file, else .87."""

STRONG = 0.5
"""Share of the best score from which a hit is strong. A count of these told right lists from wrong ones
better than the widest drop between two scores (AUROC .73 to .63, 563 commits of five repositories); how
often each state is right stands in `fits/sufficiency.json`."""

LIGHT = "light::"
"""The `within` that asks for memories only."""


def checked(request: NorthRequest) -> NorthRequest:
    """`request` in its normal form: trimmed, clamped, its paths free of tricks.

    Raises `InvalidInput` for what has no honest reading. An unknown tier is left as it stands; `tier_of`
    reads it as the narrowest.
    """
    task = request.task.encode("utf-8", "replace").decode("utf-8").strip()
    if not task:
        raise _refused("The task is empty.", "Say in a sentence what you are about to do.")
    if len(task) > MAX_TASK:
        raise _refused(
            f"The task has {len(task):,} characters; at most {MAX_TASK:,} are read.", "Say it more briefly."
        )
    if not request.agent_id.strip():
        raise _refused("agent_id is empty.", "Name the agent that asks.")
    if request.budget_tokens < 0:
        raise _refused("budget_tokens is below zero.", "Give 0 or more; the default is 900.")
    return replace(
        request,
        task=task,
        agent_id=request.agent_id.strip(),
        top_k=max(TOP_K[0], min(TOP_K[1], request.top_k)),
        caller_root=_absolute(request.caller_root),
    )


def prefix(within: str | None, root: str) -> str | None:
    """`within` as a path below `root` without a slash at its end; None for the whole tree.

    Raises `InvalidInput` where it leads out of `root`. `light::` stays as it is.
    """
    text = (within or "").strip()
    if not text or text.startswith(LIGHT):
        return text or None
    if "\0" in text:
        raise _refused("within holds a null character.", "Give a path inside the repository.")
    path = posixpath.normpath(text)
    if posixpath.isabs(path):
        path = posixpath.relpath(path, root)
    if path == ".." or path.startswith("../"):
        raise _refused(f"within leads out of the repository: {text}", f"Give a path inside {root}.")
    return None if path == "." else path


def tier_of(text: str) -> tuple[Tier, bool]:
    """The tier that `text` names, and whether it names one; what it does not name never widens."""
    known = text in {tier.value for tier in Tier}
    return (Tier(text) if known else Tier.PROJECT), known


def age_ms(stamp_ms: int | None, now_ms: int) -> int | None:
    """How old a stamp is; None where it is missing, zero or of the future: never "now"."""
    return now_ms - stamp_ms if stamp_ms is not None and 0 < stamp_ms <= now_ms else None


def dated(rows: Iterable[MemoryRow], now_ms: int) -> tuple[MemoryRow, ...]:
    """Each memory once, with its honest age, newest first and undated last; ties by id."""
    unique = {row.node_id: replace(row, age_ms=age_ms(row.stamp_ms, now_ms)) for row in rows}
    return tuple(sorted(unique.values(), key=_newest_first))


def rounded(score: float) -> float:
    """A score as the packet shows it: four digits, and 0 for what is not a number."""
    return round(score, 4) if isfinite(score) else 0.0


def shortened(signature: str) -> str:
    """A signature as a row shows it: at most `ROW_SIGNATURE` characters, `…` where it goes on."""
    return signature if len(signature) <= ROW_SIGNATURE else signature[: ROW_SIGNATURE - 1].rstrip() + "…"


def reasons(why: Sequence[str]) -> tuple[str, ...]:
    """The first reasons that have `ROW_WHY` characters together; the first one in any case."""
    kept, room = list(why[:1]), ROW_WHY - sum(map(len, why[:1]))
    for reason in why[1:]:
        if len(reason) > room:
            break
        kept.append(reason)
        room -= len(reason)
    return tuple(kept)


def strong(scores: Sequence[float]) -> int:
    """How many of `scores` (best first) have at least `STRONG` of the best one."""
    return sum(score >= STRONG * scores[0] for score in scores)


def sufficiency(
    scores: Sequence[float],
    shown: int,
    match: str,
    reliability: Mapping[SufficiencyState, float] | None = None,
) -> Sufficiency:
    """Whether the first `shown` of `scores` (best first) are enough; no answer is looked at.

    Few strong hits, all shown, is a list that knows what it says; many, cut, is one that cannot choose.

    `reliability` holds what a fit report measured for a state; without it the packet says so.
    """
    many = strong(scores)
    captured = round(min(shown, many) / many, 2) if many else 0.0
    if not scores or match == "none":
        state, why = SufficiencyState.ABSENT, "nothing matched"
    elif match == "weak":
        state, why = SufficiencyState.GATHERING, "the best match is weak"
    elif shown < many:
        least = "at least " if many == len(scores) else ""
        state, why = SufficiencyState.SATURATED, f"{shown} of {least}{many} strong hits shown"
    else:
        state, why = SufficiencyState.SUFFICIENT, f"{many} strong, all shown"
    measured = (reliability or {}).get(state)
    if measured is None:
        why += "; reliability not measured"
    return Sufficiency(state, scores[0] if scores else 0.0, captured, why, measured)


def _newest_first(row: MemoryRow) -> tuple[bool, int, str]:
    return (row.age_ms is None, row.age_ms or 0, row.node_id)


def _absolute(path: str | None) -> str | None:
    if path is None or not path.strip():
        return None
    if "\0" in path or not posixpath.isabs(path):
        raise _refused("caller_root is not an absolute path.", "Give the directory you work in, from / on.")
    return path


def _refused(what: str, next_step: str) -> InvalidInput:
    return InvalidInput(what, not_done="Nothing was looked up.", next_step=next_step)
