"""Values in place of references, at the last moment before a tool is called."""

from __future__ import annotations

from collections.abc import Mapping

from numen.kernel import Json, Scope
from numen.resident.types import Called, Tool
from numen.secrets import Demand, Purpose, Secrets, ToolCall, refs_in
from numen.secrets.rules import REFERENCE, changed


def filled(secrets: Secrets, scope: Scope, call: Called, tool: Tool) -> tuple[Mapping[str, Json], str]:
    """The arguments of a call with values for references, or why they cannot be had.

    What is returned goes to the tool and is kept nowhere.
    """
    refs = refs_in(call.args)
    if not refs:
        return call.args, ""
    asked = ToolCall(tool.tool, call.args, tool.server)
    got = secrets.resolve(scope, Demand(tuple(refs), Purpose.FILL, call=asked))
    for ref in refs:
        if ref in got.asks:
            return call.args, f"The value {ref} waits for the owner's yes: {got.asks[ref].code}."
        if ref not in got.values:
            why = {**got.refused, **got.unavailable}.get(ref, f"The value {ref} cannot be had.")
            return call.args, why
    whole = changed(call.args, lambda text: REFERENCE.sub(lambda one: got.values[one[1]], text))
    assert isinstance(whole, Mapping)
    return whole, ""
