"""Sessions: found, named, forked, exported, forgotten; what is streamed, to followers that come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import Conflict, InvalidInput, NotFound, StateUnavailable
from numen.people import Begun, NotOwner
from numen.resident import Cursor, Streamed, StreamKind, TurnState
from tests.resident.rooms import House, call, house

YES = {"when": ".", "text": "Yes."}


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    home = tmp_path_factory.mktemp("home")
    with house(home, home, YES) as made:
        yield made


@pytest.mark.promise("resident.sessions")
def test_a_session_is_found_by_any_words_said_in_it_and_pinned_ones_stand_first(
    place: str | Path, tmp_path: Path
) -> None:
    with house(place, tmp_path, YES) as it:
        sessions = it.resident.sessions
        whale = it.say("Tell me of the Straße of whales").session.id
        goat = it.say("and of goats").session.id
        assert [one.id for one in sessions.list(it.me)] == [goat, whale]
        assert [one.id for one in sessions.list(it.me, having="STRASSE whal")] == [whale]
        assert [one.id for one in sessions.list(it.me, having="yes")] == [goat, whale]
        assert sessions.list(it.me, having="nobody 100%_") == ()
        sessions.change(it.me, whale, pinned=True, title="  The\nwhales ")
        assert [one.title for one in sessions.list(it.me)] == ["The whales", "and of goats"]
        sessions.change(it.me, goat, archived=True)
        assert [one.id for one in sessions.list(it.me)] == [whale]
        assert [one.id for one in sessions.list(it.me, archived=True)] == [goat]
        it.say("still there?", goat)
        assert len(sessions.list(it.me)) == 2, "who speaks in it takes it out of the archive"


@pytest.mark.promise("resident.sessions")
def test_bad_names_messages_and_ids_are_refused_and_nothing_is_kept(it: House) -> None:
    sessions = it.resident.sessions
    before = len(sessions.list(it.me))
    for bad in ("", "  \n", "x" * 400_001):
        with pytest.raises(InvalidInput):
            sessions.say(it.me, bad)
    with pytest.raises(NotFound):
        sessions.say(it.me, "hello", session="session_none")
    with pytest.raises(StateUnavailable):
        sessions.get(it.me, "session_ZZZZ_01KJPWD6M0YW7K7QN9MNSFEV0A")
    said = it.say("hello")
    for title in ("", "x" * 201):
        with pytest.raises(InvalidInput):
            sessions.change(it.me, said.session.id, title=title)
    with pytest.raises(InvalidInput):
        sessions.list(it.me, limit=0)
    with pytest.raises(NotFound):
        sessions.fork(it.me, said.session.id, upto="turn_none")
    assert len(sessions.list(it.me)) == before + 1


@pytest.mark.promise("resident.sessions")
def test_the_same_key_is_the_same_turn_and_another_message_under_it_is_refused(it: House) -> None:
    sessions = it.resident.sessions
    first = sessions.say(it.me, "hello", key="one")
    again = sessions.say(it.me, "hello", key="one")
    assert (again.again, again.turn.id) == (True, first.turn.id)
    with pytest.raises(Conflict):
        sessions.say(it.me, "good bye", key="one")
    theirs = sessions.say(it.stranger, "good bye", key="one")
    assert theirs.turn.id != first.turn.id
    it.run(first)
    it.run(theirs)


@pytest.mark.promise("resident.sessions")
def test_a_fork_has_what_was_said_up_to_its_turn_and_goes_its_own_way(it: House) -> None:
    sessions = it.resident.sessions
    said = it.say("one")
    it.say("two", said.session.id)
    first = it.history(said).turns[0]
    fork = sessions.fork(it.me, said.session.id, upto=first.id)
    its = sessions.get(it.me, fork.id)
    assert [one.text for one in its.messages] == ["one", "Yes."]
    assert fork.parent == said.session.id
    it.say("three", fork.id)
    assert [one.text for one in sessions.get(it.me, fork.id).messages] == ["one", "Yes.", "three", "Yes."]
    assert len(it.history(said).messages) == 4
    replayed = it.resident.streams.after(it.me, fork.id, Cursor())[0]
    assert [one.data.get("text") or one.data.get("delta") for one in replayed][:2] == ["one", "Yes."]
    assert it.app.ledger.verify(it.me).ok


@pytest.mark.promise("resident.sessions")
def test_an_export_has_each_message_each_call_and_what_it_cost(tmp_path: Path) -> None:
    with house(tmp_path, tmp_path, {"calls": [call("lab__poll", n=1)]}, {"text": "Done looking."}) as it:
        it.bench.add("poll", lambda *_: "polled", reads=True)
        said = it.say("look")
        told = it.resident.sessions.export(it.me, said.session.id)
        assert told["schema"] == "numen-session-v1"
        (one,) = told["calls"]  # pyright: ignore
        assert (one["args"], one["receipt"], one["result"]) == ({"n": 1}, "executed", "polled")
        (turn,) = told["turns"]  # pyright: ignore
        assert turn["usage"]["cost_micros"] == 14
        assert [one["content"] for one in told["messages"]] == ["look", "", "Done looking."]  # pyright: ignore


@pytest.mark.promise("resident.sessions")
def test_a_forgotten_session_has_no_words_left_anywhere(tmp_path: Path) -> None:
    with house(tmp_path, tmp_path, YES) as it:
        said = it.say("the quokka sleeps")
        assert it.resident.sessions.forget(it.me, said.session.id) == 2
        assert it.resident.sessions.forget(it.me, said.session.id) == 0
        assert it.resident.sessions.list(it.me, having="quokka", archived=True) == ()
        assert [one.text for one in it.history(said).messages] == ["", ""]
        assert it.app.ledger.verify(it.me).ok
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("numen.db*"))
    assert b"quokka" not in kept


@pytest.mark.promise("resident.agents")
def test_an_agent_keeps_its_history_under_another_name_and_its_old_name_makes_no_second_one(
    it: House,
) -> None:
    said = it.say("who are you?")
    sessions = it.resident.sessions
    renamed = sessions.rename_agent(it.me, "agent:numen", "agent:nomos")
    assert renamed.id == said.session.actor
    assert it.say("and now?").session.actor == renamed.id, "the old name is still its own"
    assert sessions.rename_agent(it.me, "agent:nomos", "agent:numen").id == renamed.id
    with pytest.raises(NotOwner):
        sessions.rename_agent(it.stranger, "agent:numen", "agent:mine")
    with pytest.raises(NotFound):
        sessions.rename_agent(it.me, "agent:nobody", "agent:mine")


@pytest.mark.promise("resident.guests")
def test_work_begun_for_the_owner_is_no_longer_theirs_where_another_is_the_owner(it: House) -> None:
    owner = it.app.people.resolve(Begun(it.me.viewer, it.me.room, it.me.via))
    assert (owner.is_owner, owner.viewer, owner.interactive) == (True, it.me.viewer, False)
    other = it.app.people.resolve(Begun("contact_TEST_1", it.me.room, it.me.via))
    assert not other.is_owner
    assert not it.app.people.resolve(Begun("stranger", it.me.room, it.me.via)).is_owner


def read(told: list[Streamed]) -> str:
    """What a device shows of the answer that is being said."""
    text = ""
    for one in told:
        if one.kind is StreamKind.TEXT_RESET:
            text = ""
        elif one.kind is StreamKind.TEXT:
            text += str(one.data["delta"])
    return text


SAID = "".join(f"This is line {n} of it. " for n in range(20))


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, str, list[Cursor]]]:
    """A session, and every cursor that a follower had while its answer came."""
    home = tmp_path_factory.mktemp("talk")
    with house(home, home, {"text": SAID, "pause": 0.004}) as it:
        said = it.resident.sessions.say(it.me, "tell me")
        seen = [Cursor()]

        async def both() -> TurnState:
            running = asyncio.create_task(it.loop.run(said.turn.id))
            told: list[Streamed] = []
            while not running.done():
                new, at = await asyncio.to_thread(it.resident.streams.after, it.me, said.session.id, seen[-1])
                told += new
                if at != seen[-1]:
                    seen.append(at)
                await asyncio.sleep(0.002)
            told += it.resident.streams.after(it.me, said.session.id, seen[-1])[0]
            assert read(told) == SAID
            return await running

        assert asyncio.run(both()) is TurnState.DONE
        yield it, said.session.id, seen


@pytest.mark.promise("resident.stream")
def test_a_follower_sees_the_answer_grow_and_has_it_whole(talk: tuple[House, str, list[Cursor]]) -> None:
    _, _, seen = talk
    grew = [one for one in seen if one.n]
    assert len(grew) >= 3, "it came in pieces"
    assert grew == sorted(grew)


@pytest.mark.promise("resident.stream")
@given(st.data())
def test_a_follower_that_comes_back_anywhere_has_every_word_once(
    talk: tuple[House, str, list[Cursor]], data: st.DataObject
) -> None:
    it, session, seen = talk
    at = data.draw(st.sampled_from(seen))
    told, _ = it.resident.streams.after(it.me, session, at)
    had = SAID[: at.n] if at.n else (SAID if any(one.n and one < at for one in seen) and not at.n else "")
    assert had + read(told) == SAID
    assert [one.at for one in told] == sorted(one.at for one in told)


@pytest.mark.promise("resident.stream")
def test_a_tail_waits_for_what_comes_and_gives_it_once(it: House) -> None:
    said = it.resident.sessions.say(it.me, "hello")
    woken: list[bool] = []
    with it.resident.streams.follow(
        it.me, said.session.id, Cursor(), wake=lambda: woken.append(True)
    ) as tail:
        assert [one.kind for one in tail.pending()] == [StreamKind.MESSAGE]
        it.run(said)
        assert woken
        assert tail.wait(1)
        assert [one.kind for one in tail.pending()] == [StreamKind.TEXT, StreamKind.DONE]
        assert tail.pending() == []
        assert not tail.wait(0)
    assert not tail.wait(1)


@pytest.mark.promise("resident.stream", "resident.sealed")
def test_a_secret_that_a_model_says_is_taken_back_from_those_who_saw_it_come(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    with house(tmp_path, tmp_path, {"text": f"It is {token}, I think.", "pause": 0.02}) as it:
        said = it.resident.sessions.say(it.me, "tell me")
        told: list[Streamed] = []

        async def both() -> None:
            running = asyncio.create_task(it.loop.run(said.turn.id))
            at = Cursor()
            while not running.done():
                new, at = await asyncio.to_thread(it.resident.streams.after, it.me, said.session.id, at)
                told.extend(new)
            told.extend(it.resident.streams.after(it.me, said.session.id, at)[0])

        asyncio.run(both())
        assert StreamKind.TEXT_RESET in [one.kind for one in told]
        assert read(told) == it.answer(said)
        assert token not in it.answer(said)
