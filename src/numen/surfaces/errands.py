"""The verb `delegate`: a bounded task for a cheaper agent, started, looked at, stopped."""

from __future__ import annotations

from typing import Literal, cast

from pydantic import Field

from numen.app import App
from numen.kernel import InvalidInput, Json, canonical_bytes
from numen.surfaces.verb import Answer, Arguments, Call


class DelegateArguments(Arguments):
    """What `delegate` takes."""

    action: Literal["start", "plan", "status", "result", "cancel"] = "start"
    intent: dict[str, object] | None = Field(
        None, description="{intent, project_root, target_paths, payload}; for start, plan"
    )
    run: str | None = Field(None, description="its id; for status, result, cancel")


def delegate(app: App, call: Call, asked: DelegateArguments) -> Answer:
    """What became of it: a row, an envelope, or a plan."""
    if asked.action in {"start", "plan"}:
        if asked.intent is None:
            raise InvalidInput("`intent`: what is to be done is not said.", not_done="Nothing was delegated.")
        try:
            given = canonical_bytes(cast("Json", asked.intent))
        except ValueError:
            raise InvalidInput("`intent` is not JSON.", not_done="Nothing was delegated.") from None
        if asked.action == "plan":
            return app.delegate.plan(call.scope, given)
        started = app.delegate_queue.enqueue(call.scope, given).envelope
        app.carry_out()
        return started
    if asked.run is None:
        raise InvalidInput("`run`: which one is not said.", not_done="Nothing was done.")
    if asked.action == "result":
        return app.delegate.result(call.scope, asked.run).envelope
    if asked.action == "cancel":
        return app.delegate.cancel(call.scope, asked.run)
    return app.delegate.status(call.scope, asked.run)
