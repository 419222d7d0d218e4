"""`numen init` and `numen ledger verify`: the home, and the record that is kept in it."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

from cyclopts import Parameter
from rich.prompt import Confirm

from numen.app import build
from numen.kernel import Json, canonical_bytes
from numen.settings import load
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.household import local_door, settle


def init(
    *,
    yes: Annotated[bool, Parameter(name=("--yes", "-y"), help="Do not ask.")] = False,
    owner: Annotated[str | None, Parameter(help="The owner's name; by default the account's.")] = None,
) -> None:
    """Make the home: the store, the owner, and the key with which programs on this machine call Numen.

    It may be run again: what is there stays.
    """
    settings = load()
    if not yes and sys.stdin.isatty() and not Confirm.ask(f"Make the home of Numen in {settings.home}?"):
        raise KeyboardInterrupt
    with closing(build(settings)) as app:
        household = settle(app, owner)
    say(f"home   {settings.home}")
    say(f"owner  {household.owner.display_name}{' (new)' if household.owner_is_new else ''}")
    say(f"key    {household.key_file}{' (new)' if household.key_is_new else ''}")
    say("next   numen ingest PATH, then numen up")


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
