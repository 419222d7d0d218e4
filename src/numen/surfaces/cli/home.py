"""`numen ledger verify`: the record that is kept in the home."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

from cyclopts import Parameter

from numen.app import build
from numen.kernel import Json, canonical_bytes
from numen.settings import load
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import local_door


def verify(
    *, json: Annotated[bool, Parameter(name="--json", help="Print the verdict as JSON.")] = False
) -> int:
    """Prove that the record was not changed: each event is chained to the last. Exit code 1 if it was."""
    with closing(build(load())) as app:
        found = app.ledger.verify(app.people.resolve(local_door()))
    verdict: dict[str, Json] = {
        "schema": "numen-ledger-v1",
        "ok": found.ok,
        "events": found.events,
        "bodies": found.bodies,
        "gone": found.gone,
        "head": found.head,
        "fault": found.fault,
        "seq": found.seq,
        "why": found.why,
    }
    if json:
        write_json(canonical_bytes(verdict))
    elif found.ok:
        say(f"The record is whole: {found.events:,} events, head {found.head[:12]}.")
    else:
        say(f"The record was changed: {found.why}")
    return 0 if found.ok else 1
