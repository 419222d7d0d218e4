"""Presences: who is at work, and that both of two who get in each other's way are told."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import InvalidInput, Scope
from numen.north import GapCode, Hand, NorthRequest, Packet
from numen.north.collisions import BEAT, TTL, Presence, collision, is_live, overlap, working_set
from tests.north.rooms import MOMENT, OWNER, STRANGER, House

ADA = Presence("b1", "ada", "s1", "", "/w/one", "the parser", (), True, MOMENT, MOMENT)
BERT = replace(ADA, agent="bert", session="s2", worktree="/w/two")

parts = st.lists(st.sampled_from(["src", "app", "a.py", "b.py"]), min_size=1, max_size=3).map("/".join)
paths = st.lists(st.just(".") | parts, max_size=4).map(tuple)
hands = st.builds(
    Presence,
    brain=st.sampled_from(["b1", "b2"]),
    agent=st.sampled_from(["ada", "bert"]),
    session=st.sampled_from(["s1", "s2"]),
    caller_root=st.sampled_from(["", "/w/one", "/w/two"]),
    worktree=st.sampled_from(["/w/one", "/w/two"]),
    theme=st.just(""),
    working_set=paths,
    mutating=st.booleans(),
    first_seen=st.just(MOMENT),
    last_beat=st.just(MOMENT),
)


def asks(house: House, root: Path, agent: str, hand: Hand | None, scope: Scope = OWNER) -> Packet:
    """What an agent is told; as a surface does, its beat is written after."""
    request = NorthRequest("parse settings", agent, root, caller_root=str(root), hand=hand)
    packet = house.north.packet(scope, request)
    presence = house.north.presence(scope, request)
    if presence is not None:
        house.presences.beat(scope, presence)
    return packet


def told(packet: Packet) -> list[str]:
    return [gap.text for gap in packet.gaps if gap.code is GapCode.COLLISION]


@pytest.mark.promise("presences.collision")
@given(hands, hands)
def test_a_collision_is_mutual_of_one_brain_and_of_two_hands_that_change_things(
    one: Presence, other: Presence
) -> None:
    met, back = collision(one, other), collision(other, one)
    assert (met is None) == (back is None)
    if met is not None:
        assert one.brain == other.brain
        assert one.mutating
        assert other.mutating
        assert one.hand != other.hand
        assert (
            one.worktree == other.worktree
            or (one.caller_root and one.caller_root == other.caller_root)
            or overlap(one.working_set, other.working_set)
        )


@pytest.mark.promise("presences.collision")
@given(parts, parts)
def test_a_directory_meets_every_file_below_it_and_none_beside_it(one: str, other: str) -> None:
    meets = one == other or other.startswith(f"{one}/") or one.startswith(f"{other}/")
    assert (overlap([one], [other]) is not None) == meets
    assert overlap(["."], [other]) == other


@pytest.mark.promise("presences.collision")
def test_working_sets_in_two_worktrees_meet_where_a_directory_holds_the_others_file() -> None:
    assert collision(ADA, BERT) is None
    one, other = replace(ADA, working_set=("src",)), replace(BERT, working_set=("src/app/a.py",))
    assert collision(one, other) is not None
    assert collision(one, replace(other, working_set=("srcs/a.py",))) is None
    assert collision(one, replace(other, mutating=False)) is None


@pytest.mark.promise("presences.collision")
def test_both_agents_on_one_worktree_are_told_and_a_reader_is_not(local: House, indexed: Path) -> None:
    assert told(asks(local, indexed, "ada", Hand("s1", ("src/parser.py",)))) == []
    assert told(asks(local, indexed, "bert", Hand("s2", ("src",)))) == [
        "Agent ada is at work in src/parser.py as well."
    ]
    assert told(asks(local, indexed, "ada", Hand("s1", ("src/parser.py",)))) == [
        "Agent bert is at work in src/parser.py as well."
    ]
    assert told(asks(local, indexed, "cleo", Hand("s3", mutating=False))) == []
    assert told(asks(local, indexed, "dora", None)) == []
    third = asks(local, indexed, "eve", Hand("s4"))
    assert told(third) == ["Agent ada is at work in this worktree as well, and 1 more."]
    assert third.verdict.state == "full_trust"


@pytest.mark.promise("presences.collision")
def test_two_agents_of_one_name_are_two_hands_and_one_agent_is_never_in_its_own_way(
    local: House, indexed: Path
) -> None:
    asks(local, indexed, "claude", Hand("s1"))
    assert told(asks(local, indexed, "claude", Hand("s1"))) == []
    assert len(told(asks(local, indexed, "claude", Hand("s2")))) == 1


@pytest.mark.promise("presences.ttl")
def test_a_presence_that_dies_is_gone_after_two_minutes_and_its_row_with_the_next_beat(
    house: House, tmp_path: Path
) -> None:
    house.presences.beat(OWNER, ADA)
    house.clock.move(TTL)
    assert [one.agent for one in house.presences.living(OWNER, "b1")] == ["ada"]
    house.clock.move(timedelta(milliseconds=1))
    assert house.presences.living(OWNER, "b1") == ()
    house.presences.beat(OWNER, BERT)
    house.clock.move(-timedelta(minutes=1))
    assert [one.agent for one in house.presences.living(OWNER, "b1")] == ["bert"]


@pytest.mark.promise("presences.ttl")
def test_a_session_that_ends_takes_all_its_hands_along(house: House) -> None:
    for presence in (ADA, replace(ADA, brain="b2"), BERT):
        house.presences.beat(OWNER, presence)
    assert house.presences.leave(OWNER, "s1") == 2
    assert [one.agent for one in house.presences.living(OWNER, "b1")] == ["bert"]
    assert house.presences.living(OWNER, "b2") == ()


@pytest.mark.promise("presences.beat")
def test_a_beat_is_written_at_most_every_thirty_seconds_unless_others_must_know(house: House) -> None:
    assert house.presences.beat(OWNER, ADA)
    house.clock.move(BEAT - timedelta(seconds=1))
    assert not house.presences.beat(OWNER, replace(ADA, theme="another"))
    assert house.presences.beat(OWNER, replace(ADA, working_set=("src",)))
    house.clock.move(BEAT)
    assert house.presences.beat(OWNER, replace(ADA, working_set=("src",)))
    [kept] = house.presences.living(OWNER, "b1")
    assert (kept.first_seen, kept.last_beat) == (MOMENT, MOMENT + BEAT + BEAT - timedelta(seconds=1))


@pytest.mark.promise("presences.ttl")
def test_a_clock_that_jumps_leaves_nobody_for_ever(house: House) -> None:
    house.clock.move(timedelta(days=400))
    house.presences.beat(OWNER, ADA)
    house.clock.move(-timedelta(days=400))
    assert house.presences.living(OWNER, "b1") == ()
    assert house.presences.beat(OWNER, ADA)
    [kept] = house.presences.living(OWNER, "b1")
    assert kept.last_beat == MOMENT
    assert kept.first_seen == MOMENT
    assert is_live(kept, MOMENT - timedelta(seconds=30))


def test_what_another_works_on_is_shown_to_the_owner_alone(local: House, indexed: Path) -> None:
    asks(local, indexed, "ada", Hand("s1"))
    brain = local.brain(indexed)
    [mine] = local.presences.living(OWNER, brain.id)
    assert mine.as_json(words=True)["theme"] == "parse settings"
    answer = local.cockpit.menu(STRANGER, indexed, "8.1")
    assert "parse settings" not in str(answer)
    assert "parse settings" in str(local.cockpit.menu(OWNER, indexed, "8.1"))


def test_a_working_set_that_leaves_the_repository_is_refused(local: House, indexed: Path) -> None:
    with pytest.raises(InvalidInput):
        asks(local, indexed, "ada", Hand("s1", ("../other",)))
    with pytest.raises(InvalidInput):
        working_set([f"a{number}" for number in range(51)])
    assert asks(local, indexed, "ada", Hand("s1", (str(indexed / "src"), "src/"))).gaps is not None
    [kept] = local.presences.living(OWNER, local.brain(indexed).id)
    assert kept.working_set == ("src",)


def test_another_agents_name_cannot_break_out_of_its_sentence(local: House, indexed: Path) -> None:
    asks(local, indexed, "evil\n\x1b[2J" + "x" * 500, Hand("s1"))
    [said] = told(asks(local, indexed, "bert", Hand("s2")))
    assert said.isprintable()
    assert len(said) < 120
