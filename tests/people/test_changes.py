"""How people may be reached: widening takes the owner's nod, narrowing and opting out happen at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from numen.kernel import Conflict, InvalidInput, NotFound, Via
from numen.ledger import Kind
from numen.people import MayContact, NotOwner
from numen.people.changes import Change, Operation, Status
from numen.people.handles import read
from numen.store import Store
from tests.gate.rooms import House, house


@pytest.fixture
def rooms(store: Store, tmp_path: Path) -> House:
    return house(store, tmp_path / "home")


def permit(contact: str, may: MayContact) -> Change:
    return Change(Operation.PERMIT, contact, may)


@pytest.mark.promise("people.widening")
def test_in_a_conversation_widening_asks_and_a_yes_does_it(rooms: House) -> None:
    bo = rooms.contact("telegram:2")
    chat = replace(rooms.me, via=Via.HTTP, interactive=False)
    asked = rooms.changes.change(chat, permit(bo.id, MayContact.AUTO))
    assert (asked.status, asked.contact.may_contact) == (Status.ASKED, MayContact.ASK)
    assert asked.code is not None
    again = rooms.changes.change(chat, permit(bo.id, MayContact.AUTO))
    assert again.code == asked.code
    answered = rooms.asks.answer(chat, asked.code, True, message=f"yes {asked.code}")
    assert answered.state == "spent"
    assert rooms.directory.inspect(rooms.me, bo.id).contact.may_contact is MayContact.AUTO
    narrowed = rooms.changes.change(chat, permit(bo.id, MayContact.NEVER))
    assert (narrowed.status, narrowed.contact.may_contact) == (Status.APPLIED, MayContact.NEVER)
    assert rooms.changes.change(chat, permit(bo.id, MayContact.NEVER)).status is Status.UNCHANGED


@pytest.mark.promise("people.widening")
def test_a_yes_to_records_that_changed_since_does_nothing(rooms: House) -> None:
    bo = rooms.contact("telegram:2")
    chat = replace(rooms.me, via=Via.HTTP, interactive=False)
    code = rooms.changes.change(chat, permit(bo.id, MayContact.AUTO)).code
    assert rooms.changes.heard(rooms.me, bo.id, "STOP")
    with pytest.raises(Conflict):
        rooms.asks.answer(chat, code or "", True)
    assert rooms.directory.inspect(rooms.me, bo.id).contact.may_contact is MayContact.NEVER


@pytest.mark.promise("people.widening")
def test_only_the_owner_changes_people_and_never_a_run_of_the_mind(rooms: House) -> None:
    bo = rooms.contact("telegram:2")
    for scope in (rooms.stranger, replace(rooms.me, via=Via.MIND)):
        with pytest.raises(NotOwner):
            rooms.changes.change(scope, permit(bo.id, MayContact.NEVER))
    with pytest.raises(NotFound):
        rooms.changes.change(rooms.me, permit("nobody", MayContact.NEVER))
    with pytest.raises(InvalidInput):
        rooms.changes.change(rooms.me, permit(rooms.me.viewer, MayContact.NEVER))
    with pytest.raises(InvalidInput):
        rooms.changes.change(rooms.me, Change(Operation.CADENCE, bo.id, minutes=0))


@pytest.mark.promise("people.merge")
def test_a_merge_moves_the_handles_and_keeps_the_narrower_permission(rooms: House) -> None:
    keep, drop = rooms.contact("telegram:2", MayContact.AUTO), rooms.contact("signal:3", MayContact.NEVER)
    merged = rooms.changes.change(rooms.me, Change(Operation.MERGE, keep.id, drop=drop.id))
    assert (merged.status, merged.dropped) == (Status.APPLIED, drop.id)
    assert merged.contact.may_contact is MayContact.NEVER
    assert rooms.directory.find(rooms.me, read("signal:3")).contact.id == keep.id
    with pytest.raises(NotFound):
        rooms.directory.inspect(rooms.me, drop.id)
    assert rooms.count(Kind.CONTACT_MERGED) == 1


@pytest.mark.promise("people.merge")
def test_a_linked_handle_leads_to_the_contact(rooms: House) -> None:
    bo = rooms.contact("telegram:2")
    rooms.changes.change(rooms.me, Change(Operation.LINK, bo.id, handle=read("email:bo@example.com")))
    assert rooms.directory.find(rooms.me, read("email:bo@example.com")).contact.id == bo.id


@pytest.mark.promise("people.opt-out")
def test_an_opt_out_lowers_once_in_the_contacts_own_words_only(rooms: House) -> None:
    bo, other = rooms.contact("telegram:2", MayContact.AUTO), rooms.contact("telegram:3", MayContact.AUTO)
    assert not rooms.changes.heard(rooms.me, bo.id, "stop by at 5")
    assert rooms.changes.heard(rooms.me, bo.id, "please stop texting me")
    assert not rooms.changes.heard(rooms.me, bo.id, "STOP")
    assert rooms.count(Kind.CONTACT_OPTED_OUT) == 1
    with pytest.raises(NotOwner):
        rooms.changes.heard(replace(rooms.stranger, viewer=bo.id), other.id, "STOP")
    assert not rooms.changes.heard(rooms.me, rooms.me.viewer, "STOP")
