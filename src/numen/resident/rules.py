"""How a conversation runs: values in, a decision out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from numen.kernel import Json, canonical_text, tokens
from numen.resident.types import (
    Breach,
    Called,
    CallState,
    Cursor,
    Limits,
    Line,
    Message,
    ReadBack,
    Role,
    Spent,
    TurnState,
)

LONGEST_RESULT = 8_000
"""Characters of a tool's result that a model is shown; the rest is read in pages (contract, Loop)."""

PAGE = 7_000
"""Characters of one page of a longer result (ours: a page and its frame fit into `LONGEST_RESULT`)."""

SAME = 3
"""How often a turn may want the very same call with the same result before it is told so (ours)."""

_SHORT = 400

_T, _C = TurnState, CallState

TURN_MOVES: Mapping[TurnState, frozenset[TurnState]] = {
    _T.QUEUED: frozenset({_T.THINKING, _T.ACTING, _T.DONE, _T.STOPPED, _T.FAILED}),
    _T.THINKING: frozenset({_T.THINKING, _T.ACTING, _T.PAUSED, _T.DONE, _T.STOPPED, _T.FAILED}),
    _T.ACTING: frozenset({_T.THINKING, _T.ASKING, _T.DONE, _T.STOPPED, _T.FAILED}),
    _T.ASKING: frozenset({_T.ACTING, _T.STOPPED, _T.FAILED}),
    _T.PAUSED: frozenset({_T.THINKING, _T.STOPPED, _T.FAILED}),
    _T.DONE: frozenset(),
    _T.STOPPED: frozenset(),
    _T.FAILED: frozenset(),
}
"""Every move of a turn; all others are refused."""

CALL_MOVES: Mapping[CallState, frozenset[CallState]] = {
    _C.WANTED: frozenset({_C.ASKED, _C.CLAIMED, _C.EXECUTED, _C.FAILED, _C.DENIED, _C.DROPPED}),
    _C.ASKED: frozenset({_C.CLAIMED, _C.DENIED, _C.DROPPED}),
    _C.CLAIMED: frozenset({_C.EXECUTED, _C.FAILED, _C.UNCERTAIN, _C.VERIFIED}),
    _C.EXECUTED: frozenset({_C.VERIFIED, _C.CONTRADICTED, _C.UNCERTAIN}),
    _C.VERIFIED: frozenset(),
    _C.CONTRADICTED: frozenset(),
    _C.UNCERTAIN: frozenset(),
    _C.DENIED: frozenset(),
    _C.FAILED: frozenset(),
    _C.DROPPED: frozenset(),
}
"""Every move of a receipt. Nothing leads back to `wanted`: what was claimed is never run again."""

ENDED = frozenset(state for state, after in TURN_MOVES.items() if not after)
"""States of a turn that is over."""

AT_REST = frozenset({_T.ASKING, _T.PAUSED})
"""States in which a turn waits for a person, and nothing runs."""

OPEN_CALLS = frozenset({_C.WANTED, _C.ASKED, _C.CLAIMED})
"""States of a call of which a model is told nothing yet."""

DONE_CALLS = frozenset({_C.EXECUTED, _C.VERIFIED})
"""Receipts that say that a call was done."""


def breach(spent: Spent, limits: Limits, extensions: int) -> Breach | None:
    """The limit that leaves no room for another call of the model, or None."""
    used = {
        "steps": (spent.steps, limits.steps),
        "tokens": (spent.tokens, limits.tokens),
        "money": (spent.money or 0, limits.money),
        "seconds": (spent.millis // 1000, limits.seconds),
    }
    for name, (amount, limit) in used.items():
        if limit is not None and amount >= limit * (1 + extensions):
            return Breach(name, amount, limit * (1 + extensions))
    return None


def left(spent: Spent, limits: Limits, extensions: int, most: int) -> int:
    """How many tokens the model may answer with: `most`, or what its turn has left of them."""
    if limits.tokens is None:
        return most
    return max(1, min(most, limits.tokens * (1 + extensions) - spent.tokens))


def shown(text: str, call: str) -> str:
    """A result as a model sees it: whole, or its head and tail, and how the rest is read."""
    if len(text) <= LONGEST_RESULT:
        return text
    note = (
        f"\n[... {len(text)} characters in all: read the rest with read_result, id {call}, "
        "offset from 0 on ...]\n"
    )
    room = LONGEST_RESULT - len(note)
    head = room * 3 // 4
    return text[:head] + note + text[len(text) - (room - head) :]


def page(text: str, offset: int) -> str:
    """One page of a result from `offset` on, and where the next one begins."""
    upto = min(len(text), offset + PAGE)
    rest = "the end" if upto >= len(text) else f"next offset {upto}"
    return f"[characters {min(offset, len(text))} to {upto} of {len(text)}; {rest}]\n{text[offset:upto]}"


def fenced(text: str, tool: str, call: str) -> str:
    """A result in a frame that names itself by an id its server cannot know: it is data, no instruction."""
    return f'<result tool="{tool}" id="{call}">\n{text}\n</result id="{call}">'


def folded(messages: Sequence[Message], calls: Sequence[Called]) -> list[Line]:
    """What was said and done, in the order in which a model must see it.

    The results of a step's calls follow the message that wanted them at once; what a person said while the
    model spoke, or its calls ran, comes after them.
    """
    wanted: dict[tuple[str, int], list[Called]] = {}
    for call in sorted(calls, key=lambda one: one.place):
        wanted.setdefault((call.turn, call.step), []).append(call)
    lines: list[Line] = []
    for one in sorted(messages, key=lambda one: (one.after, one.seq)):
        if one.role is Role.USER:
            lines.append(Line("user", one.text, turn=one.turn))
            continue
        its = tuple(wanted.get((one.turn, one.step), ()))
        lines.append(Line("assistant", one.text, its, turn=one.turn))
        for call in its:
            told = fenced(shown(told_of(call), call.id), call.name, call.id)
            lines.append(Line("tool", told, ref=call.ref, name=call.name, turn=one.turn))
    return lines


def told_of(call: Called) -> str:
    """What a model is told of a call: its result and, where that is not the whole story, its receipt."""
    result = call.result or ""
    match call.state:
        case CallState.VERIFIED:
            return f"{result}\n[verified: a look afterwards shows it]"
        case CallState.CONTRADICTED:
            return f"{result}\n[contradicted: a look afterwards does not show what this call was to do]"
        case CallState.UNCERTAIN:
            return f"{result}\n[uncertain: nobody knows whether this was done; do not repeat it unasked]"
        case CallState.DENIED:
            return f"[not done: {result or 'it was not allowed'}]"
        case CallState.DROPPED:
            return "[not done: the turn was stopped before it began]"
        case CallState.FAILED:
            return f"[failed] {result}"
        case _:
            return result


def size(line: Line) -> int:
    """Tokens of a line (decision 6)."""
    return tokens(line.text) + sum(tokens(canonical_text(one.args)) + tokens(one.name) for one in line.calls)


def cut(lines: Sequence[Line], window: int, current: str) -> tuple[list[Line], int]:
    """The lines that go into `window` tokens, and how many were left out.

    Long results of earlier turns are shortened first; then whole turns go, the oldest first, and a line says
    so. The turn `current` is never touched, nor is a call parted from its result.
    """
    kept = list(lines)
    if sum(map(size, kept)) <= window:
        return kept, 0
    kept = [_shortened(one) if one.turn != current and one.role == "tool" else one for one in kept]
    gone = 0
    while sum(map(size, kept)) > window:
        oldest = next((one.turn for one in kept if one.turn != current), None)
        if oldest is None:
            break
        gone += sum(one.turn == oldest for one in kept)
        kept = [one for one in kept if one.turn != oldest]
    if gone:
        kept.insert(0, Line("user", f"[{gone} earlier lines of this conversation are not shown here.]"))
    return kept, gone


def _shortened(line: Line) -> Line:
    if len(line.text) <= 2 * _SHORT:
        return line
    return replace(line, text=f"{line.text[:_SHORT]}\n[... shortened ...]\n{line.text[-_SHORT:]}")


def repeats(calls: Sequence[Called], name: str, args: Mapping[str, Json]) -> int:
    """How often the turn made this very call in a row at its end, with the same result or refused."""
    count, result = 0, None
    for one in reversed(calls):
        if one.state in OPEN_CALLS:
            continue
        if one.name != name or canonical_text(one.args) != canonical_text(args):
            break
        if one.state is not CallState.FAILED:
            if result is not None and one.result != result:
                break
            result = one.result
        count += 1
    return count


def filled(back: ReadBack, args: Mapping[str, Json]) -> dict[str, Json]:
    """The arguments of a look afterwards, with the call's own ones in them."""
    return {
        name: args.get(value[1:], "") if isinstance(value, str) and value.startswith("$") else value
        for name, value in back.args.items()
    }


def is_shown(back: ReadBack, args: Mapping[str, Json], result: str) -> bool | None:
    """Whether the look afterwards shows what it must; None where it cannot be read."""
    try:
        found = cast("Json", json.loads(result))
    except ValueError:
        return None
    for pointer, wanted in filled(ReadBack("", back.expect), args).items():
        if _at(found, pointer) != wanted:
            return False
    return True


def _at(value: Json, pointer: str) -> Json:
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, Sequence) and not isinstance(value, str) and name.isdigit():
            value = value[int(name)] if int(name) < len(value) else None
        else:
            return None
    return value


def title_of(text: str) -> str:
    """A session's name until a person gives it one: the first words of its first message."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57].rsplit(" ", 1)[0] + " ..."


def read_cursor(text: str) -> Cursor | None:
    """The place that `<seq>` or `<seq>.<n>` names; None for anything else."""
    seq, dot, n = text.strip().partition(".")
    if not seq.isascii() or not seq.isdigit() or (dot and not (n.isascii() and n.isdigit())):
        return None
    return Cursor(int(seq), int(n or 0))


def drift(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[list[str], list[str], list[str]]:
    """Which tools of a server vanished, came, and changed, by the digests of what they say of themselves."""
    return (
        sorted(before.keys() - now.keys()),
        sorted(now.keys() - before.keys()),
        sorted(name for name in before.keys() & now.keys() if before[name] != now[name]),
    )


def wait_before(failures: int, first: float = 0.5, most: float = 60.0) -> float:
    """Seconds before a server is tried again after so many failures: doubling, and never long (ours)."""
    return 0.0 if failures <= 0 else min(most, first * 2 ** (failures - 1))
