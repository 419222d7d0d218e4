"""The record in words: why something was done, and what the mind has been doing. Each line cites its ids."""

from __future__ import annotations

from collections.abc import Iterable

from numen.kernel import iso
from numen.mind.types import Account, Intention, IntentionKind, State

LONGEST = 800
"""Characters of the narrative (mind contract, Mind)."""

_SAID = {
    State.SENT: "Told: “{title}”",
    State.DONE: "Done: “{title}”",
    State.FAILED: "Failed: “{title}”",
    State.UNCERTAIN: "Not known whether it happened: “{title}”",
    State.DISPATCHED: "At work on “{title}”",
    State.ASKED: "Waiting for a yes or no: “{title}”",
}
"""What is told, and in which words; what came to nothing is not."""


def narrative(intentions: Iterable[Intention]) -> str:
    """The newest of what was done, a line each, within 800 characters; empty where nothing was."""
    lines: list[str] = []
    room = LONGEST
    for one in intentions:
        form = _SAID.get(one.state)
        if form is None:
            continue
        line = f"- {form.format(title=one.title)}, {one.moved_at:%Y-%m-%d} ({one.id})"
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        lines.append(line)
    return "\n".join(lines)


def explained(account: Account) -> str:
    """Why there is an intention, and how it came to stand where it stands, step by step."""
    one = account.intention
    lines = [f"{one.kind} {one.id} is {one.state}: “{one.title}”"]
    concern = account.concern
    if concern is not None:
        resting = f", resting on {', '.join(concern.about)}" if concern.about else ""
        lines.append(f"Because {concern.drive} saw it ({concern.id}{resting}).")
    elif one.drive is None:
        lines.append("Because the owner asked for it.")
    for step in account.moves:
        words = f": {step.words}" if step.words else ""
        via = f" [ask {one.ask}]" if step.after is State.ASKED and one.ask is not None else ""
        lines.append(f"{iso(step.at)[:16]}Z  {step.after} ({step.reason}){via}{words}")
    for report in account.reports:
        who = f", vouched for by {report.verified}" if report.verified is not None else ""
        words = f": {report.words}" if report.words else ""
        lines.append(f"{iso(report.at)[:16]}Z  reported {report.outcome}{who}{words}")
    if one.kind is IntentionKind.MESSAGE:
        lines.append(f"Its words: {one.body}")
    return "\n".join(lines)


def logged(intentions: Iterable[Intention]) -> str:
    """A line for each, for a person."""
    return "\n".join(
        f"{iso(one.moved_at)[:16]}Z  {one.state:<10}  {one.kind:<7}  {one.title}  {one.id}"
        for one in intentions
    )
