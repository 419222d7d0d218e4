"""What happens to a turn, each in one transaction; only who has the grip on it may.

A turn stands whole in the store after each of these, so whoever takes it up goes on from there, in this
process or in another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from numen.gate import (
    Ask,
    AskState,
    Call,
    Claim,
    Effect,
    EffectClass,
    Lineage,
    Outcome,
    Run,
    Verdict,
    call_digest,
)
from numen.kernel import Conflict, Json, NumenError, Scope, canonical_text, iso
from numen.ledger import Kind
from numen.people import Begun
from numen.resident import rules, server_tables, tables
from numen.resident.histories import History, Wanted, history, want
from numen.resident.means import Means, stream_of
from numen.resident.service import terms
from numen.resident.types import (
    Breach,
    Called,
    CallState,
    Ending,
    Input,
    InputState,
    NoticeCode,
    Role,
    Spent,
    Turn,
    TurnState,
)
from numen.store import Notice, Watch, WriteConnection
from numen.work import Superseded

BUDGET_TOOL = "turn.budget"
"""As what the gate is asked whether a turn may go on after a limit."""

_ENDS = {
    CallState.EXECUTED: Outcome.DONE,
    CallState.VERIFIED: Outcome.DONE,
    CallState.FAILED: Outcome.FAILED,
    CallState.UNCERTAIN: Outcome.UNCERTAIN,
}


@dataclass(frozen=True, slots=True)
class Hold:
    """The grip on a turn, and on whose behalf it runs."""

    turn: str
    session: str
    grip: int
    scope: Scope

    @property
    def lineage(self) -> Lineage:
        """From what its calls come."""
        run = Run.OWNER if self.scope.is_owner else Run.GUEST
        return Lineage(self.turn, run, session=self.session)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered in one step: its text as it is kept and as it `came`, its calls, what it took.

    The two differ where something in it had to be sealed, which shows only in the whole.
    """

    text: str
    came: str
    wanted: Sequence[Wanted]
    used: Spent
    cached: int = 0


class Turns:
    """The turns of a store, for whoever runs them."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def wanted(self) -> list[str]:
        """Turns that can go on now: those at work, and those at rest whose question has an answer."""
        found: list[str] = []
        with self._means.store.reading() as connection:
            for turn in tables.open_turns(connection):
                if turn.state not in rules.AT_REST or turn.stop:
                    found.append(turn.id)
                    continue
                waiting = {one.id for one in self._means.asks.unanswered(connection, turn.id)}
                asked = {turn.ask} if turn.state is TurnState.PAUSED else tables.asked_of(connection, turn.id)
                if asked - waiting:
                    found.append(turn.id)
        return found

    def broke(self, identifier: str, error: Exception) -> None:
        """End a turn whose run failed by a fault of ours, and say so in it."""
        hold = self.take(identifier)
        words = error.sentences() if isinstance(error, NumenError) else type(error).__name__
        self.notice(hold, NoticeCode.FAULT, f"The turn broke off by a fault: {words}")
        turn, _ = self.view(hold)
        self.end(hold, turn, TurnState.FAILED, Ending.FAULT)

    def take(self, identifier: str) -> Hold:
        """The grip on a turn; every earlier one is void from now on. Raises `NotFound`."""
        with self._means.store.transaction() as connection:
            grip = tables.take(connection, identifier)
            turn = tables.turn(connection, identifier)
            if grip is None or turn is None:
                raise self._means.store.absence(identifier, "turn")
            session = tables.session(connection, turn.session)
        assert session is not None
        scope = self._means.people.resolve(Begun(session.whose, session.room, session.via))
        return Hold(turn.id, session.id, grip, scope)

    def view(self, hold: Hold) -> tuple[Turn, History]:
        """The turn, and its session whole."""
        with self._means.store.reading() as connection:
            session = tables.session(connection, hold.session)
            turn = tables.turn(connection, hold.turn)
            assert session is not None
            assert turn is not None
            return turn, history(self._means, connection, session)

    def begin_step(self, hold: Hold, turn: Turn) -> int:
        """Before a model is called: the number of the event that tells so; text of a lost call goes."""
        step = turn.spent.steps + 1
        with self._means.store.transaction() as connection:
            self._change(hold, connection, {"steps": step})
            told: dict[str, Json] = {"turn": hold.turn, "step": step}
            if tables.drop_deltas(connection, hold.turn):
                self._record(hold, connection, Kind.TEXT_RESET, told)
            self._move(hold, connection, turn.state, TurnState.THINKING)
            return self._record(hold, connection, Kind.MODEL_CALLED, told)

    def delta(self, hold: Hold, base: int, n: int, text: str) -> None:
        """Keep a piece of the text that is being said, and wake those who follow."""
        with self._means.store.transaction() as connection:
            self._change(hold, connection, {})
            tables.add_delta(connection, hold.turn, base, n, text)
            self._means.store.touches(connection, (stream_of(hold.session),))

    def answered(self, hold: Hold, turn: Turn, base: int, answer: Answer) -> TurnState:
        """Keep what a model answered: its calls are wanted now, or the turn is done.

        What a person said since the model was called is taken up in another step.
        """
        spent, used = turn.spent, answer.used
        money = None if spent.money is None or used.money is None else spent.money + used.money
        with self._means.store.transaction() as connection:
            self._change(
                hold,
                connection,
                {
                    "input": spent.input + used.input,
                    "output": spent.output + used.output,
                    "money": money,
                    "millis": spent.millis + used.millis,
                },
            )
            told: dict[str, Json] = {
                "turn": hold.turn, "step": spent.steps, "input": used.input, "output": used.output,
                "cached": answer.cached, "millis": used.millis,
            }  # fmt: skip
            told |= {} if used.money is None else {"money": used.money}
            self._record(hold, connection, Kind.MODEL_ANSWERED, told)
            if not answer.text.startswith(answer.came):
                taken: dict[str, Json] = {"turn": hold.turn, "step": spent.steps}
                self._record(hold, connection, Kind.TEXT_RESET, taken)
            self._say(hold, connection, answer.text, step=spent.steps, base=base)
            want(self._means, hold.scope, connection, turn, spent.steps, answer.wanted)
            steered = any(
                one.turn == hold.turn and one.role is Role.USER and one.seq > base
                for one in tables.messages_of(connection, hold.session)
            )
            if answer.wanted:
                after, ending = TurnState.ACTING, None
            elif steered:
                after, ending = TurnState.THINKING, Ending.NEXT
            else:
                after, ending = TurnState.DONE, Ending.ANSWERED
            self._move(hold, connection, turn.state, after, ending)
        return after

    def asked(self, hold: Hold, call: Called, verdict: Verdict) -> None:
        """Keep that a call waits for the owner."""
        assert verdict.ask is not None
        with self._means.store.transaction() as connection:
            self._change(hold, connection, {})
            self._move_call(hold, connection, call, CallState.ASKED, ask=verdict.ask.id)

    def claim(self, hold: Hold, call: Called, effect: Effect) -> Claim:
        """The right to run a changing call, once: the gate's claim and the receipt in one transaction.

        Raises `NotAllowed` where it does not stand any more.
        """
        with self._means.store.transaction() as connection:
            self._change(hold, connection, {})
            claim = self._means.gate.claim_within(hold.scope, connection, effect, hold.lineage)
            self._move_call(hold, connection, call, CallState.CLAIMED, claim=claim.id)
        return claim

    def ended(
        self,
        hold: Hold,
        call: Called,
        after: CallState,
        result: str | None = None,
        *,
        reads: bool = False,
        millis: int = 0,
    ) -> None:
        """Keep how a call ended, with its sealed result; the gate's claim is settled with it."""
        with self._means.store.transaction() as connection:
            turn = tables.turn(connection, hold.turn)
            assert turn is not None
            self._change(hold, connection, {"millis": turn.spent.millis + millis})
            row = tables.call(connection, call.id)
            assert row is not None
            if row.claim is not None and row.state is CallState.CLAIMED and after in _ENDS:
                self._means.gate.settle_within(hold.scope, connection, row.claim, _ENDS[after])
            self._move_call(hold, connection, replace(call, state=row.state), after, result, reads=reads)

    def acted(self, hold: Hold, turn: Turn) -> TurnState:
        """After a step's calls: think on, wait for the owner, or be done (a call without a model)."""
        with self._means.store.transaction() as connection:
            states = {one.state for one in tables.calls_of(connection, hold.session) if one.turn == hold.turn}
            if CallState.ASKED in states:
                after, ending = TurnState.ASKING, Ending.ASK
            elif turn.query:
                after, ending = TurnState.DONE, Ending.ANSWERED
            else:
                after, ending = TurnState.THINKING, Ending.NEXT
            self._move(hold, connection, turn.state, after, ending)
        return after

    def decided(self, hold: Hold, turn: Turn) -> bool:
        """Whether somebody answered an ask of this turn; it goes on then."""
        with self._means.store.reading() as connection:
            waits = [
                one.ask
                for one in tables.calls_of(connection, hold.session)
                if one.turn == hold.turn and one.state is CallState.ASKED and one.ask is not None
            ]
        if not any(self.answer_to(hold, one) is not AskState.OPEN for one in waits) and waits:
            return False
        with self._means.store.transaction() as connection:
            self._move(hold, connection, turn.state, TurnState.ACTING)
        return True

    def answer_to(self, hold: Hold, ask: str) -> AskState:
        """Where an ask stands; one whose time is over is expired, though nobody has swept it yet."""
        its: Ask = self._means.asks.of(hold.scope, ask)
        late = its.state is AskState.OPEN and its.expires_at <= self._means.now()
        return AskState.EXPIRED if late else its.state

    def pause(self, hold: Hold, turn: Turn, breach: Breach) -> TurnState:
        """Ask the owner whether a turn may go on beyond a limit; for others it ends here."""
        if not hold.scope.is_owner:
            self.notice(hold, NoticeCode.BUDGET, _over(breach))
            return self.end(hold, turn, TurnState.STOPPED, Ending.BUDGET)
        call = Call(
            BUDGET_TOOL,
            {"turn": turn.id, "limit": breach.name, "used": breach.used, "extension": turn.extensions + 1},
        )
        effect = Effect(EffectClass.INTERNAL, call, call_digest(call), _over(breach))
        with self._means.store.transaction() as connection:
            verdict = self._means.gate.ask_within(hold.scope, connection, effect, hold.lineage)
            ask = None if verdict.ask is None else verdict.ask.id
            self._change(hold, connection, {"ask": ask})
            after = TurnState.STOPPED if ask is None else TurnState.PAUSED
            self._move(hold, connection, turn.state, after, Ending.BUDGET, ask)
        return after

    def extend(self, hold: Hold, turn: Turn) -> TurnState:
        """What becomes of a paused turn by the owner's answer; it stays where there is none."""
        state = AskState.NO if turn.ask is None else self.answer_to(hold, turn.ask)
        if state is AskState.OPEN:
            return TurnState.PAUSED
        if state is not AskState.YES:
            return self.end(hold, turn, TurnState.STOPPED, Ending.BUDGET)
        with self._means.store.transaction() as connection:
            self._change(hold, connection, {"extensions": turn.extensions + 1, "ask": None})
            self._move(hold, connection, turn.state, TurnState.THINKING)
        return TurnState.THINKING

    def end(
        self, hold: Hold, turn: Turn, after: TurnState, ending: Ending, text: str | None = None
    ) -> TurnState:
        """End a turn. Calls that did not begin are dropped; those that did keep their receipts."""
        with self._means.store.transaction() as connection:
            _, whole = turn, tables.calls_of(connection, hold.session)
            for row in whole:
                if row.turn == hold.turn and row.state in {CallState.WANTED, CallState.ASKED}:
                    self._move_row(hold, connection, row, CallState.DROPPED)
            if tables.drop_deltas(connection, hold.turn):
                told: dict[str, Json] = {"turn": hold.turn, "step": turn.spent.steps}
                self._record(hold, connection, Kind.TEXT_RESET, told)
            if text is not None:
                self._say(hold, connection, text, step=turn.spent.steps)
            self._move(hold, connection, turn.state, after, ending)
        return after

    def notice(self, hold: Hold, code: NoticeCode, words: str) -> None:
        """Tell the conversation something beside its messages."""
        with self._means.store.transaction() as connection:
            body = self._means.ledger.put_body(hold.scope, connection, words)
            told: dict[str, Json] = {"turn": hold.turn, "code": code, "words": body}
            self._record(hold, connection, Kind.NOTICE_GIVEN, told)

    def want_input(self, hold: Hold, call: Called, message: str, schema: Mapping[str, Json]) -> Input:
        """Keep what a tool asks a person for."""
        new = Input(
            self._means.store.ids.new("input"),
            hold.session,
            hold.turn,
            call.id,
            InputState.OPEN,
            self._means.now(),
            message=message,
            schema=schema,
        )
        with self._means.store.transaction() as connection:
            words = canonical_text({"message": message, "schema": schema})
            body = self._means.ledger.put_body(hold.scope, connection, words)
            server_tables.add_input(connection, new, body)
            told: dict[str, Json] = {"input": new.id, "turn": hold.turn, "call": call.id, "words": body}
            self._record(hold, connection, Kind.INPUT_ASKED, told)
        return new

    def input_of(self, identifier: str) -> Input:
        """What became of something that a tool asked for."""
        with self._means.store.reading() as connection:
            row = server_tables.input_of(connection, identifier)
        assert row is not None
        return row[0]

    def watch(self, topic: str, wake: Callable[[], object]) -> Watch:
        """Call `wake`, on any thread, when `topic` may have been touched."""

        def woken(_: Notice) -> None:
            wake()

        return self._means.store.watch(woken, (topic,))

    def is_stopped(self, turn: str) -> bool:
        """Whether somebody wants the turn stopped."""
        with self._means.store.reading() as connection:
            its = tables.turn(connection, turn)
        return its is not None and its.stop

    def _say(
        self, hold: Hold, connection: WriteConnection, text: str, *, step: int, base: int | None = None
    ) -> None:
        tables.drop_deltas(connection, hold.turn)
        self._means.say(
            hold.scope, connection, hold.session, hold.turn, Role.ASSISTANT, text, step=step, base=base
        )
        tables.add_words(connection, hold.session, terms(text))
        tables.change_session(connection, hold.session, {"active_at": iso(self._means.now())})

    def _move(
        self,
        hold: Hold,
        connection: WriteConnection,
        before: TurnState,
        after: TurnState,
        ending: Ending | None = None,
        ask: str | None = None,
    ) -> None:
        if after is before:
            return
        if after not in rules.TURN_MOVES[before]:
            raise Conflict(f"A turn that is {before} cannot be {after}.", not_done="Nothing was changed.")
        values: dict[str, object] = {"state": str(after), "ending": ending and str(ending)}
        if after in rules.ENDED:
            values["ended_at"] = iso(self._means.now())
        self._change(hold, connection, values)
        told: dict[str, Json] = {"turn": hold.turn, "before": before, "after": after}
        told |= {} if ending is None else {"ending": ending}
        told |= {} if ask is None else {"ask": ask}
        self._record(hold, connection, Kind.TURN_MOVED, told)

    def _move_call(
        self,
        hold: Hold,
        connection: WriteConnection,
        call: Called,
        after: CallState,
        result: str | None = None,
        *,
        ask: str | None = None,
        claim: str | None = None,
        reads: bool = False,
    ) -> None:
        row = tables.call(connection, call.id)
        assert row is not None
        if row.state is not call.state:
            raise Superseded("The call has moved meanwhile.", not_done="Nothing was changed.")
        self._move_row(hold, connection, row, after, result, ask=ask, claim=claim, reads=reads)

    def _move_row(
        self,
        hold: Hold,
        connection: WriteConnection,
        row: tables.CallRow,
        after: CallState,
        result: str | None = None,
        *,
        ask: str | None = None,
        claim: str | None = None,
        reads: bool = False,
    ) -> None:
        if after not in rules.CALL_MOVES[row.state]:
            raise Conflict(f"A call that is {row.state} cannot be {after}.", not_done="Nothing was changed.")
        told: dict[str, Json] = {"call": row.id, "turn": hold.turn, "state": after}
        values: dict[str, object] = {"state": str(after), "reads": reads or row.reads}
        if result is not None:
            told["result"] = values["result"] = self._means.ledger.put_body(hold.scope, connection, result)
        if ask is not None:
            told["ask"] = values["ask"] = ask
        if claim is not None:
            told["claim"] = values["claim"] = claim
        if not tables.move_call(connection, row.id, row.state, values):
            raise Superseded("The call has moved meanwhile.", not_done="Nothing was changed.")
        self._record(hold, connection, Kind.CALL_MOVED, told)

    def _change(self, hold: Hold, connection: WriteConnection, values: Mapping[str, object]) -> None:
        """Write into the turn, or raise `Superseded` where another has the grip on it."""
        if not tables.change_turn(connection, hold.turn, hold.grip, {"grip": hold.grip, **values}):
            raise Superseded("Somebody else runs this turn now.", not_done="Nothing was kept.")

    def _record(self, hold: Hold, connection: WriteConnection, kind: Kind, told: Mapping[str, Json]) -> int:
        return self._means.record(hold.scope, connection, hold.session, kind, hold.turn, told)


def _over(breach: Breach) -> str:
    return f"This turn has used {breach.used} of {breach.limit} {breach.name}. May it use as much again?"
