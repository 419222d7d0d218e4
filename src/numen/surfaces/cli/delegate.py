"""`numen delegate ...`, `numen ledger report`: work for cheaper agents, and what it cost."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from numen.app import App, load
from numen.kernel import InvalidInput, Json, NumenError, Scope, canonical_bytes
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.errors import foreseen

if TYPE_CHECKING:
    from numen.delegate import Done

SCRIPT = """#!/usr/bin/env python3
# Delegates through Numen: delegate.py --intent-file FILE.
import os
import sys

os.execvp("numen", ["numen", "delegate", "run", *sys.argv[1:]])"""
"""What stands in the place of a host's own script."""

MOST_INTENT = 1_048_577
"""Bytes of an intent file that are read; one more than an intent may have."""

IntentFile = Annotated[Path | None, Parameter(help="The intent as JSON; - is stdin.")]
IntentText = Annotated[str | None, Parameter(help="The intent itself, as JSON.")]
RunId = Annotated[str, Parameter(help="The id of the delegation.")]


def run(*, intent_file: IntentFile = None, intent: IntentText = None) -> int:
    """Delegate a bounded task and wait for it; prints the envelope, always.

    Exit code 0: an answer. 1: degraded, with the reason. 2: the intent is none. 3: a budget refused. 4: the
    same is being worked on. 70: a fault of ours.
    """

    def asked(app: App, scope: Scope) -> Done:
        try:
            given = _given(intent_file, intent)
        except InvalidInput as error:
            return app.delegate.refuse(scope, error.what)
        return app.delegate.run(scope, given)

    return _enveloped(asked)


def plan(*, intent_file: IntentFile = None, intent: IntentText = None, json: AsJson = False) -> int:
    """Show what a delegation would send and cost: prompt size, redactions, materials. Nothing is spent."""
    given = _given(intent_file, intent)
    with owner() as (app, scope):
        told = app.delegate.plan(scope, given)
    if json:
        write_json(canonical_bytes(told))
        return 0
    cost = told["cost_usd"]
    say(f"worker      {told['backend']} {told['model']}")
    say(f"prompt      {told['prompt_bytes']} bytes, about {told['est_prompt_tokens']} tokens")
    say(f"cost        {'not known' if cost is None else f'at most {cost} dollars'} ({told['price_table']})")
    say(f"redactions  {told['redactions']}")
    for one in cast("Sequence[Mapping[str, Json]]", told["materials"]):
        say(f"  {one['path']}  {one['sent_bytes']} of {one['bytes']} bytes, {one['redactions']} redactions")
    for one in cast("Sequence[Mapping[str, Json]]", told["missing_targets"]):
        say(f"  {one['path']}  missing: {one['why']}")
    if told["refusal"] is not None:
        say(f"refused     {told['refusal']}")
    return 0


def reapply(run: RunId, /) -> int:
    """Write an answer that was paid for and could not be written."""
    return _enveloped(lambda app, scope: app.delegate.reapply(scope, run))


def result(run: RunId, /) -> int:
    """Print the envelope of a delegation that has ended."""
    return _enveloped(lambda app, scope: app.delegate.result(scope, run))


def status(
    run: Annotated[str | None, Parameter(help="One of them.")] = None, /, *, json: AsJson = False
) -> None:
    """Show delegations, the last ones first, or how one stands."""
    with owner() as (app, scope):
        rows = app.delegate.runs(scope) if run is None else [app.delegate.status(scope, run)]
    if json:
        write_json(canonical_bytes({"schema": "numen-delegations-v1", "delegations": list(rows)}))
        return
    for one in rows:
        how = one["state"] if one["status"] is None else one["degraded_reason"] or one["status"]
        say(f"{one['run_id']}  {str(one['created_at'])[:16]}Z  {one['backend']} {one['model']}  {how}")
    if not rows:
        say("Nothing was delegated yet.")


def cancel(run: RunId, /, *, json: AsJson = False) -> None:
    """Stop a delegation and all its processes."""
    with owner() as (app, scope):
        row = app.delegate.cancel(scope, run)
    if json:
        write_json(canonical_bytes(row))
    else:
        say(f"{row['run_id']}  {row['state']}")


def enqueue(
    *,
    intent_file: IntentFile = None,
    intent: IntentText = None,
    jsonl: Annotated[bool, Parameter(help="The file has one intent a line.")] = False,
) -> int:
    """Have a task done later, by `numen delegate drain` or a Numen whose tool started one."""
    given = _given(intent_file, intent)
    worst = 0
    for one in given.splitlines() if jsonl else [given]:
        if one.strip():
            code = _enveloped(lambda app, scope, one=one: app.delegate_queue.enqueue(scope, one))
            worst = max(worst, code)
    return worst


def queue(*, json: AsJson = False) -> int:
    """Show what waits and runs, and what was given up; exit code 1 where something was."""
    with owner() as (app, scope):
        waiting, dead = app.delegate_queue.listed(scope)
    if json:
        told: dict[str, Json] = {"schema": "numen-delegation-queue-v1", "waiting": waiting, "given_up": dead}
        write_json(canonical_bytes(told))
    else:
        for one in waiting:
            say(f"{one['run_id']}  {one['state']}  try {one['tries']}  from {str(one['moved_at'])[:16]}Z")
        for one in dead:
            say(f"{one['run_id']}  given up: {one['degraded_reason']}")
        if not waiting and not dead:
            say("Nothing waits.")
    return 1 if dead else 0


def drain() -> int:
    """Carry out what waits until nothing is due; exit code 1 where something was given up."""
    with owner() as (app, scope):
        app.delegate_queue.refuse_nesting()
        if not app.engine.start(patient=False):
            say("Another process carries the queue out; it was left to it.")
            return 0
        app.delegate_queue.wait(scope)
        _, dead = app.delegate_queue.listed(scope)
    return 1 if dead else 0


def requeue(run: RunId, /, *, json: AsJson = False) -> None:
    """Have what was given up done again, under a new id."""
    with owner() as (app, scope):
        row = app.delegate_queue.requeue(scope, run)
    if json:
        write_json(canonical_bytes(row))
    else:
        say(f"{row['run_id']}  {row['state']}")


def compat_script() -> None:
    """Print a script to put where autobot's `delegate.py` was; it takes the same arguments."""
    say(SCRIPT)


def extract(
    file: Annotated[Path | None, Parameter(help="The answer; by default what comes on stdin.")] = None,
    /,
    *,
    jsonl: Annotated[bool, Parameter(help="Read lines {reply}, answer each with {value}.")] = False,
) -> int:
    """Print the JSON value in an answer, as a delegation takes it; null where there is none."""
    found = cast("Callable[[str], tuple[bool, Json]]", load("delegate").extracted)
    if not jsonl:
        text = sys.stdin.buffer.read() if file is None else file.read_bytes()
        is_there, value = found(text.decode("utf-8", "replace"))
        write_json(canonical_bytes(value))
        return 0 if is_there else 1
    wrong = 0
    for line in sys.stdin.buffer if file is None else file.read_bytes().splitlines():
        if not line.strip():
            continue
        try:
            said = cast("object", jsonlib.loads(line))
            reply = cast("Mapping[str, object]", said).get("reply") if isinstance(said, dict) else None
        except (ValueError, RecursionError):
            reply = None
        wrong += not isinstance(reply, str)
        write_json(canonical_bytes({"value": found(reply)[1] if isinstance(reply, str) else None}))
    return 2 if wrong else 0


def report(
    *,
    by: Annotated[
        str, Parameter(help="Of tag, model, day, backend, project, code, with commas.")
    ] = "tag,model,day",
    since: Annotated[str, Parameter(help="A day, such as 2026-01-31.")] = "",
    json: AsJson = False,
) -> None:
    """Show what delegations cost, and how many tokens the host was spared."""
    names = [one.strip() for one in by.split(",") if one.strip()]
    known = load("delegate").BY
    for one in names:
        if one not in known:
            raise InvalidInput(f"`{one}` is not one of {', '.join(known)}.", not_done="Nothing was counted.")
    with owner() as (app, scope):
        told = app.delegate.report(scope, names, since)
    if json:
        write_json(canonical_bytes(told))
        return
    total = cast("Mapping[str, Json]", told["total"])
    for one in [*cast("Sequence[Mapping[str, Json]]", told["rows"]), total]:
        name = "  ".join(str(one[name]) or "-" for name in names if name in one) or "in all"
        unpriced = f" (+ {one['unpriced']} without a price)" if one["unpriced"] else ""
        say(
            f"{name}: {one['delegations']} delegations, {one['ok']} ok, {one['input_tokens']} + "
            f"{one['output_tokens']} tokens, {one['cost_usd']} dollars{unpriced}, "
            f"{one['host_tokens_avoided']} tokens spared"
        )


def _given(file: Path | None, text: str | None) -> bytes:
    """The intent's bytes. Raises `InvalidInput` where it cannot be read."""
    if (file is None) == (text is None):
        raise InvalidInput("an intent comes by --intent-file or by --intent")
    if text is not None:
        return text.encode("utf-8", "surrogateescape")
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(MOST_INTENT)
        assert file is not None
        if not file.is_file():
            raise InvalidInput("the intent file is not a file, or is not there")
        with file.open("rb") as opened:
            return opened.read(MOST_INTENT)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the intent file cannot be read ({type(error).__name__})") from error


def _enveloped(work: Callable[[App, Scope], Done]) -> int:
    """Print an envelope whatever happens, and its exit code."""
    try:
        with owner() as (app, scope):
            done = work(app, scope)
    except NumenError as error:
        write_json(canonical_bytes(load("delegate").bare(f"{error.code}: {error.what}")))
        sys.stderr.write(error.sentences() + "\n")
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the edge: a host is owed an envelope, whatever we did wrong
        fault = foreseen(error)
        write_json(canonical_bytes(load("delegate").bare(f"internal: {fault.what}")))
        sys.stderr.write(fault.sentences() + "\n")
        return 70
    write_json(canonical_bytes(done.envelope))
    return done.exit
