"""The cockpit: eight slots that never move, data inline, within its budget, and true to what it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.kernel import InvalidInput, Json, NotFound, Unavailable, canonical_bytes, tokens
from numen.memory import ClaimTier, NewClaim
from numen.memory.evidence import read
from numen.north import Hand, NorthRequest
from numen.north.letters import Gate, NewLetter, Phase
from numen.north.menu import (
    DRILL_LIMIT,
    POINTERS,
    ROOT_LIMIT,
    ROUTES,
    Heading,
    Item,
    Key,
    Part,
    Reading,
    Slot,
    drill,
    path_of,
    root,
)
from tests.north.repos import commit, repository, write
from tests.north.rooms import KEY, OWNER, House

GREEN = Gate("make test", 0, "a" * 40)

texts = st.builds(
    str.__mul__, st.sampled_from(["", "a", "wörd ", "木", "\n", '"', "\ud800"]), st.integers(0, 4000)
)
facts = st.dictionaries(
    st.sampled_from(["waiting", "text", "state", "globs"]),
    st.integers(0, 10**12) | texts | st.booleans() | st.none() | st.lists(st.just("src/**"), max_size=9),
    max_size=4,
)
parts = st.lists(st.builds(Part, texts, facts), max_size=3)


def item(title: str, told: Mapping[str, Json], inner: Sequence[Part]) -> Item:
    return Item(title, told, lambda: inner)


items = st.builds(item, texts, facts, parts)
counts = st.dictionaries(
    st.sampled_from(["waiting", "landed", "drifted"]), st.integers(0, 10**15), max_size=3
)
slots = st.builds(
    Slot, st.sampled_from(Key), st.sampled_from(Reading), counts, st.lists(items, max_size=12), texts
)
bare = st.builds(Slot, st.sampled_from(Key), st.sampled_from(Reading), counts, st.just(()), texts)
HEADING = Heading("0123456789abcdef", "/home/ada/" + "deep/" * 200, "1234567.89.abcdef", has_moved=True)


def size(answer: Mapping[str, Json]) -> int:
    return tokens(canonical_bytes(answer))


def entries(answer: Mapping[str, Json]) -> dict[str, Any]:
    return {str(entry["key"]): entry for entry in cast("Sequence[Mapping[str, Any]]", answer["entries"])}


def titles(answer: Mapping[str, Json], name: str = "items") -> list[str]:
    return [str(row["title"]) for row in cast("Sequence[Mapping[str, Any]]", answer[name])]


def wait(house: House, place: Path, name: str = "fix-port") -> str:
    brain = house.brain(place).id
    head = house.missions.post(OWNER, brain, NewLetter(name, Phase.JUDGING, title="Fix the port")).head
    new = NewLetter(name, Phase.MERGE_WAIT, head=head, gate=GREEN)
    return house.missions.post(OWNER, brain, new).head


@pytest.mark.promise("cockpit.slots")
def test_the_eight_slots_stand_in_the_order_of_the_contract_whatever_they_hold(
    local: House, indexed: Path
) -> None:
    order = ["tray", "map", "missions", "health", "trust", "memories", "drift", "presences"]
    empty = local.cockpit.menu(OWNER, indexed)
    wait(local, indexed)
    local.propose(indexed)
    full = local.cockpit.menu(OWNER, indexed)
    for answer in (empty, full):
        rows = cast("Sequence[Mapping[str, Any]]", answer["entries"])
        assert [(row["slot"], row["key"]) for row in rows] == list(enumerate(order, 1))
        assert answer["schema"] == "numen-cockpit-v1"
        assert size(answer) <= ROOT_LIMIT
    assert entries(empty)["tray"]["state"] == "empty"
    assert entries(full)["tray"]["label"] == "tray: 1 waiting"


@pytest.mark.promise("cockpit.budget")
@settings(max_examples=40, deadline=None)
@given(st.lists(bare, min_size=8, max_size=8))
def test_the_root_is_within_its_budget_whatever_the_slots_hold(held: list[Slot]) -> None:
    assert size(root(HEADING, held)) <= ROOT_LIMIT


@pytest.mark.promise("cockpit.budget")
@settings(max_examples=40, deadline=None)
@given(slots)
def test_a_drill_is_within_its_budget_at_every_depth_and_counts_what_it_drops(slot: Slot) -> None:
    shown = drill(HEADING, slot, (slot.number,))
    assert size(shown) <= DRILL_LIMIT
    assert len(titles(shown)) + cast("int", shown["dropped"]) == len(slot.items)
    if slot.items:
        inner = drill(HEADING, slot, (slot.number, 1))
        assert size(inner) <= DRILL_LIMIT
        held = slot.items[0].parts()
        assert len(titles(inner, "parts")) + cast("int", inner["dropped"]) == len(held)
        if held:
            assert size(drill(HEADING, slot, (slot.number, 1, 1))) <= DRILL_LIMIT


CARRIED = ("state_sig", "menu_sig", "store_version", "state_moved")


@pytest.mark.promise("cockpit.state-sig")
@settings(max_examples=40, deadline=None)
@given(slots, slots, st.text(max_size=8))
def test_the_signature_changes_with_what_is_shown_and_with_nothing_else(
    one: Slot, other: Slot, version: str
) -> None:
    later = Heading(HEADING.brain, HEADING.root, version)
    for first, second in ((one, other), (one, one)):
        a, b = drill(HEADING, first, (first.number,)), drill(later, second, (second.number,))
        same = all(a.get(name) == b.get(name) for name in {*a, *b} - set(CARRIED))
        assert (a["state_sig"] == b["state_sig"]) == same
        c, d = root(HEADING, [first]), root(later, [second])
        assert (c["state_sig"] == d["state_sig"]) == (c["entries"] == d["entries"])


@pytest.mark.promise("cockpit.state-sig")
def test_the_signature_stands_while_only_the_clock_moves_and_changes_with_each_slot(
    local: House, indexed: Path
) -> None:
    def sig() -> object:
        return local.cockpit.menu(OWNER, indexed)["state_sig"]

    seen = [sig()]
    local.clock.move(timedelta(seconds=50))
    assert sig() == seen[0]
    wait(local, indexed)
    seen.append(sig())
    local.propose(indexed)
    seen.append(sig())
    local.ratify(indexed)
    seen.append(sig())
    asked = NorthRequest("look", "ada", indexed, hand=Hand("s1"))
    presence = local.north.presence(OWNER, asked)
    assert presence is not None
    local.presences.beat(OWNER, presence)
    seen.append(sig())
    new = NewClaim("The port is 80.", tier=ClaimTier.PROJECT, brain=local.brain(indexed).id)
    local.memory.remember(OWNER, new)
    seen.append(sig())
    write(indexed, {"src/new.py": "x = 1\n"})
    seen.append(sig())
    assert len(set(map(str, seen))) == len(seen)
    (indexed / "src/new.py").unlink()
    assert sig() == seen[-2]


@pytest.mark.promise("cockpit.one-reading")
def test_every_label_is_made_of_the_counts_that_its_slot_returns(local: House, indexed: Path) -> None:
    wait(local, indexed, "one")
    wait(local, indexed, "two")
    local.propose(indexed)
    for key, entry in entries(local.cockpit.menu(OWNER, indexed)).items():
        slot = local.cockpit.menu(OWNER, indexed, str(list(Key).index(Key(key)) + 1))
        assert (slot["key"], slot["label"], slot["state"]) == (key, entry["label"], entry["state"])
        assert slot["facts"] == entry["facts"]
        assert slot["kind"] == entry["kind"] == ("pointer" if Key(key) in POINTERS else "view")
        assert ("next" in slot) == (Key(key) in ROUTES)


@pytest.mark.promise("cockpit.navigation")
def test_one_drills_from_the_tray_to_a_letter_and_back(local: House, indexed: Path) -> None:
    wait(local, indexed)
    tray = local.cockpit.menu(OWNER, indexed, "1")
    assert titles(tray) == ["fix-port: Fix the port"]
    mission = local.cockpit.menu(OWNER, indexed, "1.1")
    assert titles(mission, "parts") == ["2 merge_wait", "1 judging"]
    letter = cast("Mapping[str, Any]", local.cockpit.menu(OWNER, indexed, "1.1.1")["part"])
    assert letter["facts"]["gate"] == GREEN.as_json()
    assert local.cockpit.menu(OWNER, indexed, "0") == local.cockpit.menu(OWNER, indexed)


@pytest.mark.promise("cockpit.navigation")
@pytest.mark.parametrize(
    "select", ["9", "10.1", "tray", "-1", "1.", ".1", "1.1.1.1", "0.1", "1;2", "1" * 99, "１"]
)
def test_a_slot_that_is_none_is_refused_in_words(local: House, indexed: Path, select: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        local.cockpit.menu(OWNER, indexed, select)
    assert caught.value.next_step.startswith("0 is the menu")


@pytest.mark.promise("cockpit.navigation")
@pytest.mark.parametrize("select", ["1.1", "4.99", "4.0", "4.1.1", "8.1"])
def test_an_item_that_is_not_there_is_not_found(local: House, indexed: Path, select: str) -> None:
    with pytest.raises(NotFound):
        local.cockpit.menu(OWNER, indexed, select)


@given(st.text(max_size=12))
def test_any_selection_is_read_or_refused(select: str) -> None:
    try:
        way = path_of(select)
    except InvalidInput:
        return
    assert way == () or (1 <= way[0] <= 8 and len(way) <= 3)


@pytest.mark.promise("cockpit.moved")
def test_a_caller_who_saw_an_older_store_is_told_that_it_moved(local: House, indexed: Path) -> None:
    seen = str(local.cockpit.menu(OWNER, indexed)["store_version"])
    still = local.cockpit.menu(OWNER, indexed, "3", seen_store_version=seen)
    assert "state_moved" not in still
    wait(local, indexed)
    moved = local.cockpit.menu(OWNER, indexed, "3", seen_store_version=seen)
    assert moved["state_moved"] is True
    assert moved["store_version"] != seen
    assert "state_moved" not in local.cockpit.menu(OWNER, indexed, "3")


@pytest.mark.promise("cockpit.unreadable")
def test_what_cannot_be_read_is_never_shown_as_empty(local: House, tmp_path: Path) -> None:
    fresh = repository(tmp_path / "fresh")
    unindexed = entries(local.cockpit.menu(OWNER, fresh))
    assert {unindexed[key]["state"] for key in ("trust", "drift")} == {"unreadable"}
    assert unindexed["trust"]["why"] == "It is not indexed yet."
    local.ingest(fresh)
    local.propose(fresh)
    [arrays] = (tmp_path / "home" / "brains").rglob("arrays.bin")
    arrays.write_bytes(arrays.read_bytes()[:-64])
    local.graph._held.clear()  # pyright: ignore[reportPrivateUsage]
    damaged = entries(local.cockpit.menu(OWNER, fresh))
    assert {damaged[key]["state"] for key in ("trust", "drift")} == {"unreadable"}
    assert damaged["map"]["facts"]["coherence"] == "unknown"
    assert damaged["map"]["why"]
    assert damaged["health"]["facts"]["bad"] == 1
    assert damaged["missions"]["state"] == "empty"


@pytest.mark.promise("cockpit.unreadable")
def test_a_store_that_cannot_be_read_takes_no_other_slot_along(
    local: House, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(local.store, "reading", broken)
    seen = entries(local.cockpit.menu(OWNER, indexed))
    for key in ("tray", "map", "missions", "memories", "presences"):
        assert seen[key]["state"] == "unreadable", key
        assert seen[key]["why"] == "The disk is gone."
        assert seen[key]["label"] == f"{key}: cannot be read"
    assert seen["trust"]["state"] == "ok"
    assert seen["health"]["facts"]["bad"] >= 1


@pytest.mark.promise("north.landing-bell")
def test_a_waiting_mission_rings_in_the_card_and_stops_when_it_has_landed(
    local: House, indexed: Path
) -> None:
    request = NorthRequest("parse settings", "ada", indexed)
    head = wait(local, indexed)
    rung = local.north.packet(OWNER, request)
    assert rung.as_json()["landing_bell"] == {"merge_wait": 1}
    assert rung.human_view is not None
    assert rung.human_view.state == "bell"
    assert rung.human_view.lines == (
        "numen ╷╷╷│╷  full trust · 9 nodes",
        "      │ 1 mission waits for a person to land: numen mission tray.",
    )
    assert rung.verdict.state == "full_trust"
    land = NewLetter("fix-port", Phase.LANDED, head=head, receipt="1a2b3c4")
    local.missions.post(OWNER, local.brain(indexed).id, land)
    calm = local.north.packet(OWNER, request)
    assert "landing_bell" not in calm.as_json()
    assert calm.human_view is not None
    assert calm.human_view.lines == ("numen ╷╷╷╷╷  full trust · 9 nodes",)


@pytest.mark.promise("north.landing-bell")
def test_the_bell_fails_open_and_never_takes_a_packet_down(
    local: House, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise Unavailable("The rows cannot be read.")

    wait(local, indexed)
    monkeypatch.setattr(local.missions, "waiting", broken)
    packet = local.north.packet(OWNER, NorthRequest("parse settings", "ada", indexed))
    assert (packet.bell, packet.verdict.state) == (0, "full_trust")


@pytest.mark.promise("north.landing-bell")
def test_a_card_of_another_tree_shows_neither_bell_nor_map(
    local: House, indexed: Path, tmp_path: Path
) -> None:
    wait(local, indexed)
    local.propose(indexed)
    other = repository(tmp_path / "other")
    packet = local.north.packet(
        OWNER, NorthRequest("parse settings", "ada", indexed, caller_root=str(other), hand=Hand("s"))
    )
    assert packet.verdict.state == "wrong_repo"
    body = packet.as_json()
    assert "landing_bell" not in body
    assert "map" not in body


def test_the_memories_of_a_tree_are_listed_newest_first_with_their_evidence(
    local: House, indexed: Path
) -> None:
    brain = local.brain(indexed).id
    cited = (read("src/parser.py#L4-L5", indexed),)
    for text, resting in (("The parser reads lines.", cited), ("The port is 80.", ())):
        local.memory.remember(OWNER, NewClaim(text, tier=ClaimTier.PROJECT, brain=brain, evidence=resting))
        local.clock.move(timedelta(seconds=1))
    slot = local.cockpit.menu(OWNER, indexed, "6")
    assert slot["label"] == "memories: 2 remembered"
    assert titles(slot) == ["The port is 80.", "The parser reads lines."]
    evidence = cast("Mapping[str, Any]", local.cockpit.menu(OWNER, indexed, "6.2.2")["part"])
    assert evidence["facts"]["at"] == "src/parser.py#L4-L5"
    assert local.cockpit.menu(KEY, indexed, "6")["state"] == "empty"


def test_what_moved_is_listed_with_its_dependents_and_the_memories_that_rest_on_it(
    local: House, indexed: Path
) -> None:
    brain = local.brain(indexed).id
    cited = (read("src/parser.py#L4-L5", indexed),)
    local.memory.remember(
        OWNER, NewClaim("The parser reads lines.", tier=ClaimTier.PROJECT, brain=brain, evidence=cited)
    )
    text = (indexed / "src/parser.py").read_text()
    write(indexed, {"src/parser.py": text.replace("def parse_settings(text", "def parse_settings(text_")})
    local.ingest(indexed)
    slot = local.cockpit.menu(OWNER, indexed, "7")
    assert slot["facts"] == {"changed": 1, "added": 0, "removed": 0, "symbols": 1, "memories": 1}
    assert titles(slot) == ["src/parser.py::parse_settings", "The parser reads lines."]
    inner = local.cockpit.menu(OWNER, indexed, "7.1")
    assert "src/server.py::start_server" in titles(inner, "parts")
    commit(indexed, "Rename")
    local.ingest(indexed)
    assert local.cockpit.menu(OWNER, indexed, "7")["state"] == "empty"
    since = local.survey.drift(OWNER, local.brain(indexed), "HEAD~1")
    assert [one.id for one in since.symbols] == ["src/parser.py::parse_settings"]
    assert json.dumps(since.symbols[0].as_json())
