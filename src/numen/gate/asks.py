"""The questions that wait for the owner, and their answers: the first one wins."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import cast

from numen.gate import rules, tables
from numen.gate.effects import call_digest
from numen.gate.service import TOPIC, Gate
from numen.gate.types import Ask, AskState, Call, Decision, Effect, EffectClass, Lineage, NotAllowed, Run
from numen.kernel import Clock, Conflict, InvalidInput, Json, NotFound, Scope, Via, from_iso, iso
from numen.ledger import Event, Kind, Ledger
from numen.people import NotOwner
from numen.secrets import Ask as Question
from numen.store import ReadConnection, Store, WriteConnection

RECENT = 20
"""How many answered asks are listed beside the open ones (ours)."""

Apply = Callable[[Scope, WriteConnection, Mapping[str, Json]], None]
"""Does at once, in the answer's transaction, what a yes was for; it is given the arguments of the call."""


class Asks:
    """The asks of a store. `follow` names by tool what does at once what was asked about, on a yes."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, follow: Mapping[str, Apply]) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._follow = follow

    def open(self, scope: Scope) -> tuple[Ask, ...]:
        """The asks that wait for an answer, oldest first. Raises `NotOwner` for others. Writes nothing."""
        _owner_only(scope)
        at = self._now()
        with self._store.reading() as connection:
            return tuple(one for one in tables.open_asks(connection) if one.expires_at > at)

    def recent(self, scope: Scope, limit: int = RECENT) -> tuple[Ask, ...]:
        """The asks that were answered last, newest first. Raises `NotOwner` for others."""
        _owner_only(scope)
        with self._store.reading() as connection:
            return tables.recent_asks(connection, limit)

    def of(self, scope: Scope, identifier: str) -> Ask:
        """The ask of that id, as it stands. Raises `NotOwner` for others, `NotFound`, `StateUnavailable`."""
        if not scope.is_owner:
            raise NotOwner("Only the owner sees asks.", not_done="Nothing was shown.")
        with self._store.reading() as connection:
            found = tables.ask_of(connection, identifier)
        if found is None:
            raise self._store.absence(identifier, "ask")
        return found

    def waiting(self, scope: Scope, connection: ReadConnection) -> tuple[Ask, ...]:
        """The asks that wait for an answer, in a read that is open, also for the mind; none for others."""
        if not scope.is_owner:
            return ()
        at = self._now()
        return tuple(one for one in tables.open_asks(connection) if one.expires_at > at)

    def unanswered(self, connection: ReadConnection, lineage: str) -> tuple[Ask, ...]:
        """The asks of one lineage that wait for an answer, in a read that is open."""
        at = self._now()
        return tuple(one for one in tables.open_asks(connection, lineage) if one.expires_at > at)

    def answer(
        self, scope: Scope, code: str, yes: bool, *, message: str | None = None, seen: int | None = None
    ) -> Ask:
        """Say yes or no to the ask of that code; whoever is first decides, at whatever door.

        `message` is the owner's own one where the answer came in a chat: it must open with the same answer
        and hold the code as a word. `seen` is how many calls were shown: later ones are not answered.

        Raises `NotOwner` for anyone but the owner and for a run of the mind; `NotFound` for a code that no
        ask has, naming the open one that the message carries; `Conflict` for one that was answered or ran
        out; `InvalidInput` for a message without the answer.
        """
        _owner_only(scope)
        code = code.strip().upper()
        at = self._now()
        with self._store.transaction() as connection:
            tables.lock_gate(connection)
            ask = tables.ask_of_code(connection, code)
            if message is not None:
                _check_message(message, code, yes, [one.code for one in tables.open_asks(connection)])
            if ask is None:
                raise NotFound(f"No open ask has the code {code}.", not_done="Nothing was answered.")
            if ask.state is not AskState.OPEN or ask.expires_at <= at:
                raise _closed(ask)
            after = AskState.YES if yes else AskState.NO
            if after not in rules.MOVES[ask.state] or not tables.move_ask(
                connection, ask.id, ask.state, after, at, str(scope.via)
            ):
                raise _closed(ask)
            if seen is not None and seen < len(ask.calls):
                tables.drop_calls(connection, ask.id, max(seen, 0))
                ask = replace(ask, calls=ask.calls[: max(seen, 0)])
            told: dict[str, Json] = {
                "ask": ask.id,
                "answer": "yes" if yes else "no",
                "via": scope.via,
                "calls": len(ask.calls),
            }
            event = f"approval.decided:{ask.id}"
            self._ledger.record(scope, connection, Event(event, Kind.APPROVAL_DECIDED, TOPIC, event, told))
            if yes:
                self._apply(scope, connection, ask)
            found = tables.ask_of(connection, ask.id)
        assert found is not None
        return found

    def answered_in(self, scope: Scope, message: str) -> Ask | None:
        """The ask that the owner's own message answers, answered; None where it answers none."""
        if not scope.is_owner:
            return None
        found = rules.answer_in(message, [one.code for one in self.open(scope)])
        return None if found is None else self.answer(scope, found[1], found[0], message=message)

    def _apply(self, scope: Scope, connection: WriteConnection, ask: Ask) -> None:
        for call in ask.calls:
            shown = cast("Mapping[str, Json]", json.loads(call.words))
            apply = self._follow.get(str(shown["tool"])) if "server" not in shown else None
            if apply is not None and tables.spend_nod(connection, ask.id, call.digest, ask.id):
                apply(scope, connection, cast("Mapping[str, Json]", shown["args"]))

    def _now(self) -> datetime:
        return from_iso(iso(self._clock.now()))


class OwnerNods:
    """Asks the owner on behalf of rooms below, each question about one exact call of `tool`."""

    def __init__(self, gate: Gate, clock: Clock, tool: str) -> None:
        self._gate = gate
        self._clock = clock
        self._tool = tool

    def spend(self, scope: Scope, connection: WriteConnection, digest: str) -> bool:
        """Use up the owner's yes to the call of that digest; False if there is none."""
        if not scope.is_owner:
            return False
        at = from_iso(iso(self._clock.now()))
        ask = tables.nod(connection, digest, self._lineage(digest).root, at)
        return ask is not None and tables.spend_nod(connection, ask, digest, ask)

    def ask(self, scope: Scope, connection: WriteConnection, digest: str, words: str) -> Question:
        """The open question about the call of that digest: the one that stands, else a new one.

        Raises `NotAllowed` where it cannot be asked.
        """
        effect = Effect(EffectClass.CREDENTIAL, Call(self._tool, {"words": words}), digest, words)
        asked = self._asked(scope, connection, effect)
        return Question(asked.code, asked.text)

    def ask_call(self, scope: Scope, connection: WriteConnection, args: Mapping[str, Json]) -> str:
        """The code of the question whether to do what `args` say, which a yes then does at once."""
        call = Call(self._tool, args)
        return self._asked(
            scope, connection, Effect(EffectClass.EXTERNAL, call, call_digest(call), self._tool)
        ).code

    def _asked(self, scope: Scope, connection: WriteConnection, effect: Effect) -> Ask:
        verdict = self._gate.ask_within(scope, connection, effect, self._lineage(effect.digest))
        if verdict.ask is None or verdict.decision is not Decision.ASK:
            raise NotAllowed(verdict.reason, not_done="Nothing was asked.")
        return verdict.ask

    def _lineage(self, digest: str) -> Lineage:
        return Lineage(f"{self._tool}:{digest}", Run.OWNER)


def _check_message(message: str, code: str, yes: bool, open_codes: list[str]) -> None:
    if not rules.names_code(message, code):
        carried = [one for one in open_codes if rules.names_code(message, one)]
        hint = (
            f"The message carries the code {carried[0]}."
            if carried
            else "Let the owner write yes or no and the code."
        )
        raise NotFound(
            f"The message does not carry the code {code}.", not_done="Nothing was answered.", next_step=hint
        )
    if rules.opens_with(message) is not yes:
        raise InvalidInput(
            "The message does not open with that answer.",
            not_done="Nothing was answered.",
            next_step=f"Let the owner write: yes {code}, or no {code}.",
        )


def _closed(ask: Ask) -> Conflict:
    said = {AskState.NO: "answered no", AskState.EXPIRED: "expired", AskState.OPEN: "expired"}.get(
        ask.state, "answered yes"
    )
    when = "" if ask.decided_at is None else f" at {iso(ask.decided_at)}"
    where = "" if ask.via is None else f" ({ask.via})"
    return Conflict(f"The ask {ask.code} was {said}{when}{where}.", not_done="This answer changed nothing.")


def _owner_only(scope: Scope) -> None:
    if not scope.is_owner or scope.via is Via.MIND:
        raise NotOwner("Only the owner sees and answers asks.", not_done="Nothing was answered.")
