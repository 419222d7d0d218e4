"""What a packet does not know: one table from a gap's code to its effect on the verdict and its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numen.north.types import Call, Gap, GapCode, Place, Relation, Severity, State, Verdict

STATES = tuple(State)
"""Best first."""

INGEST = "ingest"
READ = ""
"""The move where nothing stands in the way: read the first focus node."""

_TABLE: dict[GapCode, tuple[State, str, str]] = {
    GapCode.WRONG_REPO: (State.WRONG_REPO, "{relation}", "ingest your own repository, then north on it"),
    GapCode.INDEX_ABSENT: (State.NEEDS_INGEST, "Not indexed yet.", INGEST),
    GapCode.INDEX_DAMAGED: (State.NEEDS_INGEST, "{reason}", INGEST),
    GapCode.INDEX_EMPTY: (State.EMPTY, "No file here could be indexed.", INGEST),
    GapCode.TREE_DRIFTED: (
        State.STALE,
        "Since ingest: {changed} changed, {added} added, {removed} removed.",
        INGEST,
    ),
    GapCode.TREE_UNKNOWN: (
        State.DEGRADED,
        "Whether the tree moved since ingest cannot be told: {reason}",
        READ,
    ),
    GapCode.WITHIN_UNMATCHED: (
        State.DEGRADED,
        "No indexed file lies under the prefix that was asked for.",
        "north again with a wider within",
    ),
    GapCode.FOCUS_NONE: (
        State.DEGRADED,
        "Nothing in the index answers to the words of this task.",
        "north again, in words that the code may use",
    ),
    GapCode.FOCUS_WEAK: (
        State.DEGRADED,
        "The index answers this task weakly; it may concern something else.",
        "check the first focus node before you rely on it",
    ),
    GapCode.MEMORY_UNREADABLE: (State.DEGRADED, "The memories cannot be read: {reason}", READ),
    GapCode.COLLISION: (
        State.FULL_TRUST,
        "Agent {agent} is at work in {where} as well{more}.",
        READ,
    ),
    GapCode.LANDING_BELL: (
        State.FULL_TRUST,
        "{waits} for a person to land: numen mission tray.",
        READ,
    ),
    GapCode.MAP_MISMATCH: (
        State.FULL_TRUST,
        "Map and tree differ in {count} of {blocks} blocks; {first}.",
        READ,
    ),
    GapCode.WITHIN_MEMORY_ONLY: (
        State.FULL_TRUST,
        "Only memory was asked for; no code was searched.",
        "north again without within, for the code",
    ),
    GapCode.TIER_UNKNOWN: (
        State.FULL_TRUST,
        "No such tier; only this project's memories were asked.",
        READ,
    ),
    GapCode.MEMORY_NO_MATCH: (State.FULL_TRUST, "Of {count} stored, no memory fits this task.", READ),
    GapCode.MEMORY_EMPTY: (State.FULL_TRUST, "No memory yet.", READ),
    GapCode.HEAD_MOVED: (
        State.FULL_TRUST,
        "HEAD moved since ingest; the newest commits were not weighed.",
        READ,
    ),
    GapCode.HISTORY_NONE: (State.FULL_TRUST, "There is no git history here to weigh.", READ),
    GapCode.HISTORY_SHALLOW: (
        State.FULL_TRUST,
        "The git history is shallow; only what is there was weighed.",
        READ,
    ),
}
"""Code -> the best verdict it allows, what it says, and the move it calls for."""

_RELATIONS = {
    Relation.WORKTREE: "You work in another worktree of this repository.",
    Relation.CLONE: "You work in another clone of this repository.",
    Relation.NESTED: "You work in a repository that lies inside this one.",
    Relation.OUTER: "You work in a directory that holds this repository.",
    Relation.OTHER: "You work elsewhere: this is not your repository.",
}


def gap(code: GapCode, *, repair: Call | None = None, **facts: str | int) -> Gap:
    """The gap of `code`, its text rendered from `facts`; numbers get thousands separators."""
    text = _TABLE[code][1].format(**{name: _said(value) for name, value in facts.items()})
    return Gap(code, severity(code), text, repair)


def state_of(code: GapCode) -> State:
    """The best verdict that a packet with this gap can have."""
    return _TABLE[code][0]


def severity(code: GapCode) -> Severity:
    """Critical when the picture is missing or another tree's, warning when it is impaired, else note."""
    state = state_of(code)
    if state in (State.WRONG_REPO, State.NEEDS_INGEST, State.EMPTY):
        return Severity.CRITICAL
    return Severity.NOTE if state is State.FULL_TRUST else Severity.WARNING


def ordered(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Worst first, then in the table's order: so the first gap is the one that decided the verdict."""
    table = list(_TABLE)
    return tuple(sorted(gaps, key=lambda each: (-STATES.index(state_of(each.code)), table.index(each.code))))


def verdict(gaps: Iterable[Gap]) -> Verdict:
    """The worst that any gap allows: one source for trust and warning, so they cannot disagree."""
    reasons = tuple(each.code for each in ordered(gaps) if state_of(each.code) is not State.FULL_TRUST)
    return Verdict(state_of(reasons[0]) if reasons else State.FULL_TRUST, reasons)


def next_move(gaps: Iterable[Gap], focus: Sequence[Place]) -> str:
    """What to do next: what the worst gap with a move calls for, else to read the first focus node."""
    for each in ordered(gaps):
        if move := _TABLE[each.code][2]:
            return move
    return f"read {focus[0].path}:{focus[0].start}-{focus[0].end}" if focus else INGEST


def _said(value: str | int) -> str:
    if isinstance(value, Relation):
        return _RELATIONS[value]
    return f"{value:,}" if isinstance(value, int) else value
