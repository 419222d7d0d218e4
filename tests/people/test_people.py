"""The household, its keys, and who a caller is, against a real store."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from numen.kernel import (
    Audience,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    RoomKey,
    StateUnavailable,
    SystemClock,
    Unauthorized,
    Unavailable,
    Via,
    parse_id,
)
from numen.ledger import Kind, Ledger
from numen.people import (
    ContactNotGranted,
    Http,
    KeyScope,
    Local,
    OwnerNotGranted,
    People,
    Speaker,
    Stdio,
    is_anonymous,
)
from numen.store import Store

ME = Local(os.geteuid(), interactive=True)
SOMEONE_ELSE = Local(os.geteuid() + 1, interactive=True)
INIT = """
import os, sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.ledger import Ledger
from numen.people import Local, People
from numen.store import Store
home = Path(sys.argv[2])
with Store.open(sys.argv[1], SystemClock()) as store:
    people = People(store, Ledger(store, SystemClock()), SystemClock(), home)
    sys.stdin.readline()
    print(people.init(people.resolve(Local(os.geteuid(), True)), "Ada").key.id)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def people(store: Store, home: Path) -> People:
    return People(store, Ledger(store, SystemClock()), SystemClock(), home)


@pytest.fixture
def house(people: People, home: Path) -> str:
    """The secret of the house key, after init."""
    people.init(people.resolve(ME), "Ada", ["telegram"])
    return (home / "api.key").read_text().strip()


def test_init_makes_the_owner_and_the_key_once(people: People, home: Path, store: Store) -> None:
    first = people.init(people.resolve(ME), " Ada ")
    again = people.init(people.resolve(ME), "Ada")
    assert (first.owner_is_new, first.key_is_new, again.owner_is_new, again.key_is_new) == (
        True,
        True,
        False,
        False,
    )
    assert (first.owner, first.key) == (again.owner, again.key)
    assert people.owner(people.resolve(ME)).display_name == "Ada"
    assert first.key_file == home / "api.key"
    entries = Ledger(store, SystemClock()).tail(people.resolve(ME))
    assert [entry.kind for entry in entries] == ["store.created", "contact.created", "key.created"]


@pytest.mark.promise("people.key-file-private")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_the_key_file_is_its_owners_alone_whatever_the_umask(people: People, home: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        people.init(people.resolve(ME), "Ada")
    finally:
        os.umask(before)
    assert stat.S_IMODE((home / "api.key").stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir() if path.name.startswith(".")] == []
    (home / "api.key").chmod(0o644)
    people.init(people.resolve(ME), "Ada")
    assert stat.S_IMODE((home / "api.key").stat().st_mode) == 0o600


@pytest.mark.promise("people.secrets-kept-nowhere")
def test_the_secret_of_a_key_is_kept_nowhere_but_in_the_file(
    people: People, house: str, store: Store, place: str | Path
) -> None:
    issued = people.issue_key(people.resolve(ME), "agent")
    assert re.fullmatch(r"numen_[A-Za-z0-9_-]{43}", issued.secret)
    assert issued.secret not in repr(issued)
    assert house not in repr(Http(Via.HTTP, house)) + repr(Stdio(0, "s", key=house))
    with store.reading() as connection:
        for table in ("keys", "contacts", "events", "bodies"):
            rows = str(connection.execute(sa.text(f"SELECT * FROM {table}")).all())
            assert issued.secret not in rows
            assert house not in rows
    if isinstance(place, Path):
        for path in place.glob("numen.db*"):
            assert issued.secret.encode() not in path.read_bytes()


def test_another_name_for_the_owner_is_refused(people: People, house: str) -> None:
    with pytest.raises(Conflict, match="Ada"):
        people.init(people.resolve(ME), "Ben")


def test_a_key_file_of_another_store_is_taken_over(
    people: People, house: str, home: Path, tmp_path: Path
) -> None:
    with Store.open(tmp_path / "other", SystemClock()) as store:
        other = People(store, Ledger(store, SystemClock()), SystemClock(), home)
        assert other.init(other.resolve(ME), "Ada").key_is_new
        assert (home / "api.key").read_text().strip() == house
        assert other.authenticate(house).name == "this machine"


def test_a_key_file_whose_key_was_revoked_is_replaced(people: People, house: str, home: Path) -> None:
    me = people.resolve(ME)
    people.revoke_key(me, people.authenticate(house).id)
    with pytest.raises(Unauthorized):
        people.authenticate(house)
    assert people.init(me, "Ada").key_is_new
    fresh = (home / "api.key").read_text().strip()
    assert fresh != house
    assert people.authenticate(fresh).revoked_at is None


@pytest.mark.parametrize("content", ["", "a recipe\n", "numen_short\n", "\xff\0"])
def test_a_key_file_that_holds_something_else_is_left_alone(people: People, home: Path, content: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "api.key").write_text(content, "latin-1")
    with pytest.raises(Conflict):
        people.init(people.resolve(ME), "Ada")
    assert (home / "api.key").read_text("latin-1") == content
    with pytest.raises(NotFound):
        people.owner(people.resolve(ME))


def test_a_key_file_that_cannot_be_read_is_said(people: People, home: Path) -> None:
    (home / "api.key").mkdir(parents=True)
    with pytest.raises(Unavailable, match=r"api\.key"):
        people.init(people.resolve(ME), "Ada")


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("people.one-owner")
def test_two_inits_at_once_make_one_owner_and_one_key(place: str | Path, home: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", INIT, str(place), str(home)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    answers = [process.communicate("go\n") for process in processes]
    assert [error for _, error in answers] == [""] * 4
    assert len({key for key, _ in answers}) == 1


def test_a_revoked_key_opens_nothing_from_then_on(people: People, house: str, store: Store) -> None:
    me = people.resolve(ME)
    issued = people.issue_key(me, "agent")
    assert people.resolve(Http(Via.HTTP, issued.secret)).viewer == issued.key.id
    revoked = people.revoke_key(me, issued.key.id)
    assert revoked.revoked_at is not None
    assert people.revoke_key(me, issued.key.id) == revoked
    for door in (Http(Via.HTTP, issued.secret), Stdio(0, "s", key=issued.secret), Http(Via.MCP, "numen_x")):
        with pytest.raises(Unauthorized) as refusal:
            people.resolve(door)
        assert issued.secret not in refusal.value.sentences()
    told = Ledger(store, SystemClock()).tail(me, kinds=[Kind.KEY_REVOKED])
    assert [entry.payload for entry in told] == [{"key": issued.key.id}]
    assert [key.revoked_at is None for key in people.list_keys(me)] == [True, False]


def test_a_key_that_does_not_exist_cannot_be_revoked(people: People, store: Store) -> None:
    me = people.resolve(ME)
    with pytest.raises(NotFound):
        people.revoke_key(me, store.ids.new("key"))
    with pytest.raises(StateUnavailable):
        people.revoke_key(me, f"key_{'0000' if store.epoch != '0000' else '1111'}_00000000000000000000000001")


def test_only_the_owner_has_to_do_with_keys(people: People, house: str) -> None:
    agent = people.issue_key(people.resolve(ME), "agent")
    for caller in (people.resolve(SOMEONE_ELSE), people.resolve(Http(Via.HTTP, agent.secret))):
        for call in (
            lambda scope: people.issue_key(scope, "mine", [KeyScope.OWNER]),
            lambda scope: people.revoke_key(scope, agent.key.id),
            people.list_keys,
            people.owner,
            lambda scope: people.init(scope, "Ada"),
        ):
            with pytest.raises(Forbidden):
                call(caller)


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 81, "\0"])
def test_a_name_of_a_wrong_form_is_refused(people: People, name: str) -> None:
    with pytest.raises(InvalidInput):
        people.issue_key(people.resolve(ME), name)
    with pytest.raises(InvalidInput):
        people.init(people.resolve(ME), name)
    with pytest.raises(InvalidInput):
        people.issue_key(people.resolve(ME), "fine", owner_platforms=[name])


@pytest.mark.promise("people.owner-by-credential")
def test_the_command_line_is_the_owners_under_the_account_of_the_home(people: People, house: str) -> None:
    mine, theirs = people.resolve(ME), people.resolve(SOMEONE_ELSE)
    assert (mine.is_owner, mine.audience, mine.via, mine.interactive) == (True, Audience.OWNER, Via.CLI, True)
    assert mine.viewer == people.owner(mine).id
    assert (theirs.viewer, theirs.is_owner, theirs.audience) == ("stranger", False, Audience.EVERYONE)


@pytest.mark.promise("people.stdio")
def test_a_host_on_stdio_is_a_stranger_unless_it_was_told_otherwise(people: People, house: str) -> None:
    account = os.geteuid()
    assert people.resolve(Stdio(account, "s")).viewer == "stranger"
    assert people.resolve(Stdio(account, "s", as_owner=True)).is_owner
    agent = people.issue_key(people.resolve(ME), "agent", [KeyScope.OWNER])
    assert people.resolve(Stdio(account, "s", key=agent.secret)).viewer == agent.key.id
    assert not people.resolve(Stdio(account, "s", key=agent.secret)).is_owner
    with pytest.raises(Forbidden):
        people.resolve(Stdio(account + 1, "s", as_owner=True))


@pytest.mark.promise("people.http")
def test_a_request_is_its_keys_and_without_one_refused_or_a_strangers(people: People, house: str) -> None:
    assert people.resolve(Http(Via.HTTP, house)).is_owner
    with pytest.raises(Unauthorized):
        people.resolve(Http(Via.HTTP, None))
    assert people.resolve(Http(Via.MCP, None, strangers=True)).viewer == "stranger"
    with pytest.raises(Unauthorized):
        people.resolve(Http(Via.MCP, "numen_" + "A" * 43, strangers=True))


@pytest.mark.promise("people.speaks-for")
def test_only_a_key_that_speaks_for_others_is_believed_about_the_speaker(people: People, house: str) -> None:
    me = people.resolve(ME)
    owner = people.owner(me)
    speaker = Speaker(owner.id, "session-1", "cli")
    agent = people.issue_key(me, "agent")
    believed = people.resolve(Http(Via.MCP, house), speaker)
    doubted = people.resolve(Http(Via.MCP, agent.secret), speaker)
    assert (believed.viewer, believed.is_owner) == (owner.id, True)
    assert believed.room == RoomKey(owner.id, "session-1", "cli")
    assert (doubted.viewer, doubted.is_owner) == (agent.key.id, False)
    assert doubted.room != believed.room
    assert not is_anonymous(doubted.room)
    assert people.resolve(Http(Via.MCP, agent.secret), speaker).room == doubted.room
    assert (
        people.resolve(Http(Via.MCP, house), dataclasses.replace(speaker, uid="owner")).room == believed.room
    )
    guest = people.resolve(Http(Via.MCP, house), Speaker("ann", "c", "telegram:7"))
    assert (guest.viewer, guest.is_owner, guest.room) == (
        "stranger",
        False,
        RoomKey("ann", "c", "telegram:7"),
    )
    nobody = people.resolve(Http(Via.MCP, house), Speaker(None, "c", "cli"))
    assert (nobody.viewer, nobody.is_owner, is_anonymous(nobody.room)) == ("stranger", False, True)


@pytest.mark.promise("people.speaks-for")
def test_a_key_speaks_only_for_whom_and_where_it_was_granted(people: People, house: str) -> None:
    me = people.resolve(ME)
    bridge = people.issue_key(
        me, "bridge", [KeyScope.SPEAKS_FOR], owner_platforms=["telegram"], contacts=["contact_ann"]
    )
    owner = people.owner(me).id
    assert people.resolve(Http(Via.HTTP, bridge.secret), Speaker(owner, "c", "telegram:9")).is_owner
    assert people.resolve(Http(Via.HTTP, bridge.secret), Speaker(owner, "c", "x", "telegram")).is_owner
    assert not people.resolve(Http(Via.HTTP, bridge.secret)).is_owner
    with pytest.raises(OwnerNotGranted) as refusal:
        people.resolve(Http(Via.HTTP, bridge.secret), Speaker(owner, "c", "discord"))
    assert refusal.value.code == "owner_not_granted"
    assert not people.resolve(Http(Via.HTTP, bridge.secret), Speaker("contact_ann", "c", "s")).is_owner
    with pytest.raises(ContactNotGranted):
        people.resolve(Http(Via.HTTP, bridge.secret), Speaker("contact_ben", "c", "s"))


@pytest.mark.promise("people.rooms-never-meet")
def test_a_call_without_a_room_gets_one_of_its_own(people: People, house: str) -> None:
    rooms = [people.resolve(Http(Via.MCP, None, strangers=True)).room for _ in range(20)]
    rooms += [people.resolve(Http(Via.MCP, house), Speaker("ann", "", "cli")).room for _ in range(20)]
    assert len(set(rooms)) == 40
    assert all(map(is_anonymous, rooms))
    first, second = (
        people.resolve(Stdio(0, session), Speaker("u", "c", "s")).room for session in ("one", "two")
    )
    assert first != second
    assert people.resolve(Stdio(0, "one"), Speaker("u", "c", "s")).room == first


def test_a_viewer_is_always_an_id_or_a_known_word(people: People, house: str) -> None:
    for speaker in (None, Speaker("+49 171 555", "c", "s"), Speaker("Ann Smith", "c", "s"), Speaker()):
        viewer = people.resolve(Http(Via.HTTP, house), speaker).viewer
        assert parse_id(viewer) or viewer in {"owner", "stranger"}
