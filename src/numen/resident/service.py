"""What a person does with conversations: say, stop, find, name, fork, export, answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from numen.gate import Ask, AskState
from numen.kernel import Conflict, InvalidInput, Json, Scope, canonical_bytes, digest, iso
from numen.ledger import Departure, Kind
from numen.memory.terms import parts, words
from numen.people import NotOwner
from numen.resident import rules, server_tables, tables
from numen.resident.histories import History, Wanted, history, want
from numen.resident.means import TURNS, Means, found, input_of, stop_of
from numen.resident.types import (
    Agent,
    Ending,
    Input,
    InputState,
    Role,
    Session,
    Turn,
    TurnState,
)
from numen.resident.wire import call_json, message_json, session_json, turn_json
from numen.store import ReadConnection, WriteConnection

SCHEMA = "numen-session-v1"
"""Of an exported session."""

LONGEST_MESSAGE = 400_000
"""Characters of a message (ours: about a tenth of the largest request body)."""

LONGEST_TITLE = 200
MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class Said:
    """What became of a message. `steered`: it went into a turn at work. `again`: it had been said before."""

    session: Session
    turn: Turn
    steered: bool = False
    again: bool = False


class Sessions:
    """The conversations of a store. `agent` is the slug of who answers."""

    def __init__(self, means: Means, agent: str = "agent:numen") -> None:
        self._means = means
        self._agent = agent

    def say(self, scope: Scope, message: str, *, session: str | None = None, key: str | None = None) -> Said:
        """Say something in a session, or in a new one. Returns at once; a turn answers it.

        While a turn is at work the message steers it: it is taken at its next step. An answer to an open ask
        ("yes K7F") answers it. The same `key` again gives the same turn. Raises `InvalidInput` for an empty
        or oversized message, `Conflict` for a key that was used for another one, `NotFound`.
        """
        text = self._means.secrets.seal(scope, _checked(message)).text
        named, of = _keyed(scope, key, text)
        answered = self._means.asks.answered_in(scope, message)
        with self._means.store.transaction() as connection:
            tables.lock_session(connection)
            again = None if named is None else self._again(scope, connection, named, of)
            if again is not None:
                return again
            to = self._session(scope, connection, session, text)
            at_work = next(iter(tables.open_turns(connection, to.id)), None)
            turn = at_work or self._turn(scope, connection, to, TurnState.QUEUED, named, of)
            self._means.say(scope, connection, to.id, turn.id, Role.USER, text, step=turn.spent.steps)
            self._touch(connection, to, text)
            if answered is not None and at_work is None:
                turn = self._settled(scope, connection, turn, answered)
        return Said(to, turn, steered=at_work is not None)

    def steer(self, scope: Scope, session: str, message: str) -> Said:
        """Say something to the turn at work. Raises `Conflict` where none is, and as `say`."""
        with self._means.store.reading() as connection:
            found(self._means, scope, connection, session)
            if not tables.open_turns(connection, session):
                raise Conflict("No turn is at work here.", not_done="Nothing was said.", next_step="Say it.")
        return self.say(scope, message, session=session)

    def call(self, scope: Scope, tool: str, args: Mapping[str, Json], *, session: str | None = None) -> Said:
        """Have one tool called, by its full name, without a model: judged, claimed and recorded as any call.

        Raises `Conflict` where a turn is at work in the session, and as `say`.
        """
        sealed = self._means.secrets.seal_all(scope, args)
        assert isinstance(sealed, Mapping)
        canonical_bytes(sealed)
        with self._means.store.transaction() as connection:
            tables.lock_session(connection)
            to = self._session(scope, connection, session, tool)
            if tables.open_turns(connection, to.id):
                raise Conflict("A turn is at work here.", not_done="Nothing was called.")
            turn = self._turn(scope, connection, to, TurnState.ACTING, None, None, query=True)
            self._means.say(scope, connection, to.id, turn.id, Role.ASSISTANT, "")
            want(self._means, scope, connection, turn, 0, [Wanted("query", tool, sealed)])
            self._touch(connection, to, tool)
        return Said(to, turn)

    def list(
        self, scope: Scope, *, having: str = "", archived: bool = False, limit: int = 50
    ) -> tuple[Session, ...]:
        """The sessions that `scope` may see, pinned and latest first; `having` are words said in them."""
        if not 1 <= limit <= MOST_LISTED:
            raise InvalidInput(f"limit must be 1..{MOST_LISTED}.", not_done="Nothing was read.")
        whose = None if scope.is_owner else scope.viewer
        with self._means.store.reading() as connection:
            rows = tables.list_sessions(connection, whose, terms(having), archived, limit)
        return tuple(one for one in rows if scope.is_owner or one.room == scope.room or whose != "stranger")

    def get(self, scope: Scope, session: str) -> History:
        """A session with all that was said and done. Raises `NotFound`, `StateUnavailable`."""
        with self._means.store.reading() as connection:
            its = found(self._means, scope, connection, session)
            return history(self._means, connection, its)

    def change(
        self,
        scope: Scope,
        session: str,
        *,
        title: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
    ) -> Session:
        """Name, pin or put away a session. Raises `InvalidInput` for a title that is empty or too long."""
        values: dict[str, object] = {}
        if title is not None:
            values["title"] = self._means.secrets.seal(scope, _named(title)).text
        values |= {} if pinned is None else {"pinned": pinned}
        values |= {} if archived is None else {"archived": archived}
        with self._means.store.transaction() as connection:
            its = found(self._means, scope, connection, session)
            if values:
                tables.change_session(connection, session, values)
                told: dict[str, Json] = {"session": session, "fields": sorted(values)}
                self._means.record(scope, connection, session, Kind.SESSION_CHANGED, session, told)
            return found(self._means, scope, connection, its.id)

    def fork(self, scope: Scope, session: str, *, upto: str | None = None) -> Session:
        """A new session with what was said in this one, up to and with the turn `upto`.

        A turn that is not over is left out. Raises `NotFound` for a turn that the session does not have.
        """
        with self._means.store.transaction() as connection:
            its = found(self._means, scope, connection, session)
            turns = tables.turns_of(connection, session)
            if upto is not None:
                if upto not in {one.id for one in turns}:
                    raise self._means.store.absence(upto, "turn")
                turns = turns[: [one.id for one in turns].index(upto) + 1]
            new = self._new_session(scope, connection, its.title, its.actor, parent=its.id)
            for old in turns:
                if old.state in rules.ENDED:
                    self._copy(scope, connection, old, new)
        return new

    def stop(self, scope: Scope, session: str) -> bool:
        """Stop the turn at work, its running tool call too; False where none is."""
        with self._means.store.transaction() as connection:
            found(self._means, scope, connection, session)
            at_work = tables.open_turns(connection, session)
            for one in at_work:
                tables.change_turn(connection, one.id, None, {"stop": True})
            self._means.store.touches(connection, (TURNS, stop_of(session)))
        return bool(at_work)

    def export(self, scope: Scope, session: str) -> dict[str, Json]:
        """A session as JSON: what was said, each call with its receipt, and what it cost."""
        its = self.get(scope, session)
        return {
            "schema": SCHEMA,
            "session": session_json(its.session),
            "turns": [turn_json(one) for one in its.turns],
            "messages": [message_json(one) for one in its.messages],
            "calls": [call_json(one) for one in its.calls],
        }

    def forget(self, scope: Scope, session: str) -> int:
        """Let the words of a session go for good; how many. What happened stays, without words.

        Raises `Conflict` while a turn is at work in it.
        """
        with self._means.store.transaction() as connection:
            found(self._means, scope, connection, session)
            if tables.open_turns(connection, session):
                raise Conflict("A turn is at work here.", not_done="Nothing was forgotten.")
            bodies = [one.body for one in tables.messages_of(connection, session)]
            for call in tables.calls_of(connection, session):
                bodies += [call.args, *([call.result] if call.result else [])]
            gone = [
                one
                for one in dict.fromkeys(bodies)
                if self._means.ledger.forget_body(scope, connection, one, Departure.FORGOTTEN, session)
            ]
            tables.drop_words(connection, session)
            tables.change_session(connection, session, {"title": "(forgotten)", "archived": True})
            told: dict[str, Json] = {"session": session, "fields": ["archived", "forgotten"]}
            self._means.record(scope, connection, session, Kind.SESSION_CHANGED, session, told)
        self._means.store.scrub()
        return len(gone)

    def waiting(self, scope: Scope, session: str) -> tuple[tuple[Ask, ...], tuple[Input, ...]]:
        """What a session waits for: questions to the owner, and what a tool asks of a person."""
        with self._means.store.reading() as connection:
            found(self._means, scope, connection, session)
            roots = {one.id for one in tables.open_turns(connection, session)}
            asks = self._means.asks.waiting(scope, connection)
            inputs = [
                replace(one, **_words(self._means, connection, body))
                for one, body in server_tables.open_inputs(connection, session)
            ]
        return tuple(one for one in asks if one.lineage in roots), tuple(inputs)

    def answer(
        self, scope: Scope, identifier: str, how: InputState, content: Mapping[str, Json] | None = None
    ) -> None:
        """Answer what a tool asks for. Raises `NotFound`, `Conflict` where somebody else was first."""
        if how is InputState.OPEN or (content is None) is (how is InputState.ACCEPT):
            raise InvalidInput("Accept with content, or decline or cancel without.", not_done="Nothing.")
        sealed = None if content is None else self._means.secrets.seal_all(scope, content)
        with self._means.store.transaction() as connection:
            row = server_tables.input_of(connection, identifier)
            if row is None:
                raise self._means.store.absence(identifier, "input")
            its, _ = row
            found(self._means, scope, connection, its.session)
            kept = sealed if isinstance(sealed, Mapping) else None
            if not server_tables.answer_input(connection, identifier, how, kept):
                raise Conflict("It was answered already.", not_done="This answer changed nothing.")
            told: dict[str, Json] = {"input": identifier, "turn": its.turn, "how": how}
            self._means.record(scope, connection, its.session, Kind.INPUT_ANSWERED, its.turn, told)
            self._means.store.touches(connection, (input_of(its.session),))

    def rename_agent(self, scope: Scope, slug: str, new: str) -> Agent:
        """Give an agent another slug; history and relations follow its id, and the old slug still names it.

        Raises `NotOwner` for others, `NotFound`, `Conflict` for a slug that another agent has or had.
        """
        if not scope.is_owner:
            raise NotOwner("Only the owner names agents.", not_done="Nothing was changed.")
        with self._means.store.transaction() as connection:
            agent = server_tables.agent(connection, slug)
            if agent is None:
                raise self._means.store.absence(slug, "agent")
            other = server_tables.agent(connection, _named(new))
            if other is not None and other.id != agent.id:
                raise Conflict("Another agent has or had that name.", not_done="Nothing was changed.")
            server_tables.rename_agent(connection, agent.id, new)
            told: dict[str, Json] = {"agent": agent.id}
            self._means.record(scope, connection, "agents", Kind.AGENT_RENAMED, agent.id, told)
        return Agent(agent.id, new)

    def _again(self, scope: Scope, connection: WriteConnection, key: str, of: str | None) -> Said | None:
        known = tables.turn_of_key(connection, key)
        if known is None:
            return None
        turn, said = known
        if said != of:
            raise Conflict(
                "This key was used for another message.",
                not_done="Nothing was said.",
                next_step="Give each message a key of its own.",
            )
        return Said(found(self._means, scope, connection, turn.session), turn, again=True)

    def _session(self, scope: Scope, connection: WriteConnection, session: str | None, text: str) -> Session:
        if session is not None:
            return found(self._means, scope, connection, session)
        agent = server_tables.agent(connection, self._agent)
        if agent is None:
            agent = Agent(self._means.store.ids.new("agent"), self._agent)
            server_tables.add_agent(connection, agent)
        return self._new_session(scope, connection, rules.title_of(text), agent.id)

    def _new_session(
        self, scope: Scope, connection: WriteConnection, title: str, agent: str, parent: str | None = None
    ) -> Session:
        at, identifier = self._means.now(), self._means.store.ids.new("session")
        new = Session(identifier, scope.viewer, scope.room, scope.via, title, agent, at, at, parent=parent)
        tables.add_session(connection, new)
        told: dict[str, Json] = {"session": identifier, "agent": agent}
        told |= {} if parent is None else {"parent": parent}
        self._means.record(scope, connection, identifier, Kind.SESSION_CREATED, identifier, told)
        return new

    def _turn(
        self,
        scope: Scope,
        connection: WriteConnection,
        session: Session,
        state: TurnState,
        key: str | None,
        key_of: str | None,
        *,
        query: bool = False,
    ) -> Turn:
        n = tables.last_turn(connection, session.id) + 1
        new = Turn(self._means.store.ids.new("turn"), session.id, n, state, self._means.now(), query=query)
        tables.add_turn(connection, new, key, key_of)
        self._means.store.touches(connection, (TURNS,))
        told: dict[str, Json] = {"turn": new.id, "session": session.id, "n": n, "query": query}
        self._means.record(scope, connection, session.id, Kind.TURN_STARTED, new.id, told)
        return new

    def _settled(self, scope: Scope, connection: WriteConnection, turn: Turn, answered: Ask) -> Turn:
        """The turn of a message that only answers an ask: it needs no model."""
        said = "no" if answered.state is AskState.NO else "yes"
        text = f"{answered.code}: {said}."
        self._means.say(scope, connection, turn.session, turn.id, Role.ASSISTANT, text)
        values = {
            "state": str(TurnState.DONE),
            "ending": str(Ending.ANSWERED),
            "ended_at": iso(self._means.now()),
        }
        tables.change_turn(connection, turn.id, None, values)
        told: dict[str, Json] = {
            "turn": turn.id, "before": turn.state, "after": TurnState.DONE, "ending": Ending.ANSWERED,
        }  # fmt: skip
        self._means.record(scope, connection, turn.session, Kind.TURN_MOVED, turn.id, told)
        return replace(turn, state=TurnState.DONE, ending=Ending.ANSWERED)

    def _touch(self, connection: WriteConnection, session: Session, text: str) -> None:
        tables.add_words(connection, session.id, terms(text))
        tables.change_session(
            connection, session.id, {"active_at": iso(self._means.now()), "archived": False}
        )

    def _copy(self, scope: Scope, connection: WriteConnection, old: Turn, to: Session) -> None:
        new = self._turn(scope, connection, to, old.state, None, None, query=old.query)
        calls = [one for one in tables.calls_of(connection, old.session) if one.turn == old.id]
        for one in tables.messages_of(connection, old.session):
            if one.turn != old.id:
                continue
            self._means.say(scope, connection, to.id, new.id, one.role, "", step=one.step, body=one.body)
        for one in calls:
            copied = replace(
                one, id=self._means.store.ids.new("call"), session=to.id, turn=new.id, claim=None, ask=None
            )
            tables.add_call(connection, copied)
        ended = {"ending": old.ending and str(old.ending), "ended_at": old.ended_at and iso(old.ended_at)}
        tables.change_turn(connection, new.id, None, ended)
        texts = self._means.ledger.words(
            connection, [one.body for one in tables.messages_of(connection, to.id)]
        )
        tables.add_words(connection, to.id, terms(" ".join(text or "" for text in texts.values())))


def _words(means: Means, connection: ReadConnection, body: str) -> dict[str, object]:
    told = tables.json_of(means.ledger.words(connection, [body]).get(body))
    return {"message": str(told.get("message", "")), "schema": told.get("schema") or {}}


def _checked(message: str) -> str:
    if not message.strip() or len(message) > LONGEST_MESSAGE:
        raise InvalidInput(f"A message has 1 to {LONGEST_MESSAGE} characters.", not_done="Nothing was said.")
    return message


def _named(title: str) -> str:
    title = " ".join(title.split())
    if not title or len(title) > LONGEST_TITLE:
        raise InvalidInput(f"A name has 1 to {LONGEST_TITLE} characters.", not_done="Nothing was changed.")
    return title


def _keyed(scope: Scope, key: str | None, text: str) -> tuple[str | None, str | None]:
    if key is None:
        return None, None
    whose = [scope.viewer, scope.room.digest() if scope.viewer == "stranger" else "", key]
    return digest(canonical_bytes(whose)), digest(text.encode("utf-8", "surrogatepass"))


def terms(text: str) -> list[str]:
    """The words by which a session is found."""
    return list(dict.fromkeys(part for word in words(text) for part in parts(word)))
