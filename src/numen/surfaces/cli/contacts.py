"""`numen people permit|cadence|merge|link`: how a person may be reached, as the owner says it."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from numen.app import load
from numen.kernel import Json, canonical_bytes
from numen.surfaces.cli.gate import AsJson, owner
from numen.surfaces.cli.terminal import say, write_json

Person = Annotated[str, Parameter(help="A contact's id, a handle such as telegram:111, or their exact name.")]


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
