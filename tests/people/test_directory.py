"""Senders, contacts and the owner's handles, against a real store."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from numen.kernel import Forbidden, InvalidInput, NotFound, Scope, SystemClock, Via
from numen.ledger import Kind, Ledger
from numen.people import (
    Amendment,
    Browser,
    ContactNotGranted,
    Declared,
    Http,
    KeyScope,
    Local,
    Match,
    MayContact,
    NotOwner,
    OwnerNotGranted,
    People,
    Speaker,
    TrustTier,
    TwoOwners,
)
from numen.people.directory import Directory
from numen.people.handles import read
from numen.store import Store

ME = Local(os.geteuid(), interactive=True)
PHONE = "+442079460123"


@pytest.fixture
def people(store: Store, tmp_path: Path) -> People:
    made = People(store, Ledger(store, SystemClock()), SystemClock(), tmp_path / "home")
    made.init(made.resolve(ME), "Ada", ["telegram"])
    return made


@pytest.fixture
def directory(store: Store) -> Directory:
    return Directory(store, Ledger(store, SystemClock()), SystemClock())


@pytest.fixture
def me(people: People) -> Scope:
    return people.resolve(ME)


def key_scope(people: People, me: Scope, *scopes: KeyScope, contacts: tuple[str, ...] = ()) -> Scope:
    issued = people.issue_key(me, "agent", scopes, contacts=contacts)
    return people.resolve(Http(Via.HTTP, issued.secret))


@pytest.mark.promise("people.ladder")
def test_a_sender_is_found_by_handle_then_by_number_then_made(directory: Directory, me: Scope) -> None:
    made = directory.find(me, read(f"sms:{PHONE}"), create=True, name="Bo")
    assert (made.match, made.contact.trust_tier, made.contact.display_name) == (
        Match.CREATED,
        TrustTier.UNKNOWN,
        "Bo",
    )
    assert made.contact.may_contact is MayContact.ASK
    assert directory.find(me, read("sms:+44 20 7946 0123")).match is Match.CANONICAL
    alike = directory.find(me, read("whatsapp:442079460123@s.whatsapp.net"), create=True)
    assert (alike.match, alike.contact) == (Match.CANONICAL, made.contact)
    exact = directory.find(me, read(f"SMS:{PHONE}"))
    assert (exact.match, exact.contact) == (Match.EXACT, made.contact)
    with pytest.raises(NotFound):
        directory.find(me, read(f"telegram:{PHONE}"))


@pytest.mark.promise("people.ladder")
def test_a_number_that_two_people_have_leads_to_neither(directory: Directory, me: Scope) -> None:
    first = directory.find(me, read(f"sms:{PHONE}"), create=True).contact
    second = directory.find(me, read("telegram:2"), create=True).contact
    directory.amend(me, second.id, Amendment(display_name="Ben"))
    directory.link(me, second.id, read("voice:+44 20 7946 0123"))
    with pytest.raises(NotFound):
        directory.find(me, read("whatsapp:442079460123"))
    third = directory.find(me, read("whatsapp:442079460123"), create=True)
    assert third.match is Match.CREATED
    assert third.contact.id not in {first.id, second.id}


@pytest.mark.promise("people.ladder")
def test_a_display_name_in_a_group_is_only_proposed(directory: Directory, me: Scope, store: Store) -> None:
    ann = directory.find(me, read("sms:+442079460124"), create=True, name="Ann Smith").contact
    other = directory.find(me, read("discord:9"), create=True, name="ann smith", shared=True)
    assert (other.match, other.contact.trust_tier) == (Match.CREATED, TrustTier.GROUP_GUEST)
    assert other.contact.id != ann.id
    profile = directory.inspect(me, ann.id)
    assert [str(one.handle) for one in profile.proposals] == ["discord:9"]
    assert [str(one.handle) for one in profile.handles] == ["sms:+442079460124"]
    linked = directory.link(me, ann.id, read("discord:9"))
    assert (len(linked.handles), linked.proposals) == (2, ())
    assert directory.find(me, read("discord:9")).contact.id == ann.id
    told = Ledger(store, SystemClock()).tail(me, kinds=[Kind.LINK_PROPOSED, Kind.HANDLE_LINKED])
    assert "smith" not in str([entry.payload for entry in told]).casefold()


@pytest.mark.promise("people.one-sender-one-contact")
def test_one_sender_seen_by_many_at_once_is_one_contact(directory: Directory, me: Scope) -> None:
    found: list[str] = []
    start = threading.Barrier(6)

    def arrive() -> None:
        start.wait()
        found.append(directory.find(me, read("telegram:222"), create=True).contact.id)

    threads = [threading.Thread(target=arrive) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1


@pytest.mark.promise("people.guest-sees-one-name")
def test_a_guest_sees_one_exactly_named_person_and_no_more(
    people: People, directory: Directory, me: Scope
) -> None:
    ann = directory.find(me, read(f"sms:{PHONE}"), create=True, name="Ann").contact
    guest = people.resolve(Http(Via.MCP, None, strangers=True))
    assert [one.id for one in directory.who(guest, " ann ")] == [ann.id]
    for named in ("An", "Nobody", "sms:+1", "sms:+44 20 7946 0123"):
        with pytest.raises(NotFound) as refusal:
            directory.who(guest, named)
        assert "Ann" not in refusal.value.sentences()
    for refused in (lambda: directory.who(guest), lambda: directory.inspect(guest, ann.id)):
        with pytest.raises(NotOwner):
            refused()
    assert {one.display_name for one in directory.who(me)} == {"Ada", "Ann"}
    assert [one.display_name for one in directory.who(me, "an")] == ["Ann"]
    assert not directory.find(guest, read(f"sms:{PHONE}")).whole
    with pytest.raises(NotFound):
        directory.find(guest, read("whatsapp:442079460123"))
    with pytest.raises(Forbidden):
        directory.find(guest, read("telegram:5"), create=True)


@pytest.mark.promise("people.guest-sees-one-name")
def test_two_people_of_one_name_are_told_apart_to_the_owner_alone(
    people: People, directory: Directory, me: Scope
) -> None:
    for address in ("telegram:1", "telegram:2"):
        directory.find(me, read(address), create=True, name="Ann")
    assert len(directory.who(me, "Ann")) == 2
    with pytest.raises(NotFound):
        directory.who(people.resolve(Http(Via.MCP, None, strangers=True)), "Ann")


def test_only_a_key_that_speaks_for_every_contact_makes_one(
    people: People, directory: Directory, me: Scope
) -> None:
    every = key_scope(people, me, KeyScope.SPEAKS_FOR, contacts=("*",))
    some = key_scope(people, me, KeyScope.SPEAKS_FOR, contacts=("contact_1",))
    none = key_scope(people, me)
    assert directory.find(every, read("telegram:7"), create=True).whole
    for scope in (some, none):
        with pytest.raises(Forbidden):
            directory.find(scope, read("telegram:8"), create=True)


@pytest.mark.promise("people.changes-by-the-owner")
def test_a_contact_is_changed_by_the_owner_in_their_own_session_alone(
    people: People, directory: Directory, me: Scope, store: Store
) -> None:
    ann = directory.find(me, read("telegram:1"), create=True, name="Ann").contact
    worker = people.resolve(Local(os.geteuid(), interactive=False))
    guest = people.resolve(Http(Via.MCP, None, strangers=True))
    for scope in (worker, guest, key_scope(people, me, KeyScope.OWNER)):
        for call in (
            lambda scope: directory.amend(scope, ann.id, Amendment(may_contact=MayContact.AUTO)),
            lambda scope: directory.link(scope, ann.id, read("sms:+442079460123")),
        ):
            with pytest.raises(NotOwner) as refusal:
                call(scope)
            assert refusal.value.code == "not_owner"
    change = Amendment(
        trust_tier=TrustTier.TRUSTED,
        may_contact=MayContact.NEVER,
        cadence_minutes=60,
        timezone="Europe/Berlin",
    )
    changed = directory.amend(people.resolve(Browser(os.geteuid(), "tab")), "telegram:1", change)
    assert (changed.trust_tier, changed.may_contact) == (TrustTier.TRUSTED, MayContact.NEVER)
    assert (changed.cadence_minutes, changed.timezone) == (60, "Europe/Berlin")
    assert directory.amend(me, ann.id, change) == changed
    told = Ledger(store, SystemClock()).tail(me, kinds=[Kind.CONTACT_CHANGED])
    assert [sorted(entry.payload) for entry in told] == [["contact", "fields"]]


@pytest.mark.parametrize(
    "change",
    [
        Amendment(trust_tier=TrustTier.OWNER),
        Amendment(cadence_minutes=0),
        Amendment(cadence_minutes=525_601),
        Amendment(digest="x" * 601),
        Amendment(timezone="../etc/passwd"),
        Amendment(display_name=" "),
    ],
)
def test_a_change_of_a_wrong_form_changes_nothing(directory: Directory, me: Scope, change: Amendment) -> None:
    before = directory.find(me, read("telegram:1"), create=True).contact
    with pytest.raises(InvalidInput):
        directory.amend(me, before.id, change)
    assert directory.find(me, read("telegram:1")).contact == before


@pytest.mark.promise("people.one-truth-for-the-owner")
def test_the_owners_handles_are_those_that_the_owner_declares(
    people: People, directory: Directory, me: Scope
) -> None:
    shadow = directory.find(me, read("telegram:111"), create=True).contact
    owner = people.owner(me)
    done = directory.reconcile(me, Declared("Ada B", (read("telegram:111"), read(f"sms:{PHONE}"))))
    assert (len(done.linked), done.unlinked, done.renamed) == (2, (), True)
    assert directory.find(me, read("telegram:111")).contact.id == owner.id
    assert directory.find(me, read("whatsapp:442079460123")).contact.id == owner.id
    assert directory.inspect(me, shadow.id).handles == ()
    assert people.owner(me).display_name == "Ada B"
    again = directory.reconcile(me, Declared("Ada B", (read("telegram:111"), read(f"sms:{PHONE}"))))
    assert (again.linked, again.unlinked, again.renamed) == ((), (), False)
    assert directory.reconcile(me, Declared()).unlinked == ()
    less = directory.reconcile(me, Declared(None, (read(f"sms:{PHONE}"),)))
    assert [str(one) for one in less.unlinked] == ["telegram:111"]
    with pytest.raises(NotFound):
        directory.find(me, read("telegram:111"))
    assert [one.primary for one in directory.inspect(me, owner.id).handles] == [True]


@pytest.mark.promise("people.one-truth-for-the-owner")
def test_a_handle_of_a_known_contact_is_not_taken_without_being_told_to(
    people: People, directory: Directory, me: Scope
) -> None:
    ann = directory.find(me, read("telegram:111"), create=True, name="Ann").contact
    directory.amend(me, ann.id, Amendment(trust_tier=TrustTier.REGULAR))
    with pytest.raises(TwoOwners) as refusal:
        directory.reconcile(me, Declared("Eve", (read("sms:+442079460199"), read("telegram:111"))))
    assert "numen init --handle telegram:111" in refusal.value.next_step
    assert people.owner(me).display_name == "Ada"
    assert directory.find(me, read("telegram:111")).contact.id == ann.id
    with pytest.raises(NotFound):
        directory.find(me, read("sms:+442079460199"))
    taken = read("telegram:111")
    directory.reconcile(me, Declared(None, (taken,)), insist=frozenset({taken}))
    assert directory.find(me, taken).contact.id == people.owner(me).id


@pytest.mark.promise("people.one-truth-for-the-owner")
def test_a_configuration_that_names_another_owner_is_refused(people: People, me: Scope, store: Store) -> None:
    owner = people.owner(me)
    assert people.init(me, "Ada", contact_id=owner.id).owner == owner
    with pytest.raises(TwoOwners) as refusal:
        people.init(me, "Ada", contact_id=store.ids.new("contact"))
    assert "numen init" in refusal.value.next_step


@pytest.mark.promise("people.speaks-for")
def test_a_speaker_named_by_handle_is_the_contact_who_has_it(
    people: People, directory: Directory, me: Scope
) -> None:
    ann = directory.find(me, read("telegram:222"), create=True).contact
    directory.reconcile(me, Declared(None, (read("telegram:111"), read("discord:333"))))
    house = (people.init(me, "Ada").key_file).read_text().strip()
    known = people.resolve(Http(Via.HTTP, house), Speaker("handle:telegram:222", "c", "telegram"))
    assert (known.viewer, known.is_owner, known.room.uid) == (ann.id, False, ann.id)
    assert people.resolve(Http(Via.HTTP, house), Speaker("handle:telegram:111", "c", "s")).is_owner
    nobody = people.resolve(Http(Via.HTTP, house), Speaker("handle:telegram:quoted", "c", "telegram"))
    assert (nobody.viewer, nobody.room.uid) == ("stranger", "handle:telegram:quoted")
    with pytest.raises(OwnerNotGranted):
        people.resolve(Http(Via.HTTP, house), Speaker("handle:discord:333", "c", "s"))
    bridge = people.issue_key(me, "bridge", [KeyScope.SPEAKS_FOR])
    with pytest.raises(ContactNotGranted):
        people.resolve(Http(Via.HTTP, bridge.secret), Speaker("handle:telegram:222", "c", "s"))


@pytest.mark.promise("people.page")
def test_a_browser_of_this_machine_is_the_owner_through_the_page_and_another_accounts_is_not(
    people: People,
) -> None:
    mine = people.resolve(Browser(os.geteuid(), "tab"), Speaker("u", "c", "s"))
    theirs = people.resolve(Browser(os.geteuid() + 1, "tab"))
    assert (mine.is_owner, mine.via, mine.interactive) == (True, Via.PAGE, True)
    assert (theirs.is_owner, theirs.viewer, theirs.via) == (False, "stranger", Via.PAGE)


@pytest.mark.promise("people.grants")
def test_what_a_key_may_do_is_said_anew_by_the_owner(people: People, me: Scope, store: Store) -> None:
    key = people.init(me, "Ada").key
    house = (people.init(me, "Ada").key_file).read_text().strip()
    owner = people.owner(me).id
    assert key.owner_platforms == {"api", "cli", "telegram"}
    people.grant_key(me, key.id, owner_platforms=["cli"])
    with pytest.raises(OwnerNotGranted):
        people.resolve(Http(Via.HTTP, house), Speaker(owner, "c", "telegram"))
    assert people.init(me, "Ada").key.owner_platforms == {"cli"}
    assert people.init(me, "Ada", ["sms"]).key.owner_platforms == {"cli", "sms"}
    for wrong in ("Telegram", ""):
        with pytest.raises(InvalidInput):
            people.grant_key(me, key.id, owner_platforms=[wrong])
    with pytest.raises(NotOwner):
        people.grant_key(people.resolve(Http(Via.MCP, None, strangers=True)), key.id, contacts=["*"])
    told = Ledger(store, SystemClock()).tail(me, kinds=[Kind.KEY_GRANTED])
    assert [entry.payload["platforms"] for entry in told] == [1, 2]
