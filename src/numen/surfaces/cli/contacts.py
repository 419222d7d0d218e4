"""`numen people who|inspect|permit|cadence|merge|link|proposals`: whom Numen knows, and how to reach them."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from numen.app import load
from numen.kernel import Json, canonical_bytes
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json
from numen.surfaces.faces import contact_json, person_json

Person = Annotated[str, Parameter(help="A contact's id, a handle such as telegram:111, or their exact name.")]


def who(
    named: Annotated[str, Parameter(help="A name, a handle or an id; by default everybody.")] = "",
    /,
    *,
    json: AsJson = False,
) -> None:
    """Show whom Numen knows, and whether they may be written to."""
    with owner() as (app, scope):
        found = app.directory.who(scope, named)
    if json:
        listed: list[Json] = [contact_json(one, whole=True) for one in found]
        write_json(canonical_bytes({"schema": "numen-people-v1", "contacts": listed}))
        return
    for one in found:
        say(f"{one.id}  {one.display_name}  {one.trust_tier}  {one.may_contact}")


def inspect(person: Person, /, *, json: AsJson = False) -> None:
    """Show all that is known of one person."""
    with owner() as (app, scope):
        profile = app.directory.inspect(scope, person)
    contact = profile.contact
    handles = [str(one.handle) for one in profile.handles]
    if json:
        said = person_json(contact, whole=True, handles=profile.handles)
        write_json(canonical_bytes({"schema": "numen-person-v1", **said}))
        return
    say(f"{contact.display_name}  {contact.id}")
    say(f"  tier      {contact.trust_tier}")
    say(f"  contact   {contact.may_contact}")
    every = contact.cadence_minutes
    say(f"  cadence   {'none' if every is None else f'{every} minutes'}")
    say(f"  handles   {', '.join(handles) or 'none'}")
    for one in profile.proposals:
        say(f"  maybe     {one.handle}: numen people link {contact.id} {one.handle}")


def proposals(*, json: AsJson = False) -> None:
    """Show handles that may be somebody's, and how to say that they are."""
    with owner() as (app, scope):
        found = app.directory.proposals(scope)
    if json:
        listed: list[Json] = [
            {"contact_id": one.id, "display_name": one.display_name, "handle": str(proposal.handle)}
            for one, proposal in found
        ]
        write_json(canonical_bytes({"schema": "numen-proposals-v1", "proposals": listed}))
        return
    for one, proposal in found:
        say(f"{one.display_name}: {proposal.handle}  (numen people link {one.id} {proposal.handle})")
    if not found:
        say("Nothing is proposed.")


def permit(person: Person, may: Literal["never", "ask", "auto"], /, *, json: AsJson = False) -> None:
    """Say whether Numen may write to a person: never, after asking you, or by itself."""
    _change(json, operation="PERMIT", contact=person, value=load("people").MayContact(may))


def cadence(person: Person, minutes: int, /, *, json: AsJson = False) -> None:
    """Say after how many minutes a person may be written to again."""
    _change(json, operation="CADENCE", contact=person, minutes=minutes)


def merge(keep: Person, drop: Person, /, *, json: AsJson = False) -> None:
    """Make one contact of two: the first keeps everything, and gets the handles of the second."""
    _change(json, operation="MERGE", contact=keep, drop=drop)


def link(person: Person, handle: str, /, *, json: AsJson = False) -> None:
    """Give a contact a handle, such as telegram:111."""
    _change(json, operation="LINK", contact=person, handle=load("handles").read(handle))


def _change(json: bool, *, operation: str, **given: object) -> None:
    room = load("changes")
    with owner() as (app, scope):
        done = app.changes.change(scope, room.Change(room.Operation[operation], **given))
    contact = done.contact
    if json:
        answer: dict[str, Json] = {
            "schema": "numen-change-v1",
            "ok": True,
            "status": done.status,
            "text": done.text,
            "code": done.code,
            "contact_id": contact.id,
            "may_contact": contact.may_contact,
            "cadence_minutes": contact.cadence_minutes,
            "dropped": done.dropped,
        }
        write_json(canonical_bytes(answer))
        return
    say(done.text)
