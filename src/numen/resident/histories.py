"""A session whole, and the calls that are added to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numen.kernel import Json, Scope, canonical_bytes
from numen.ledger import Kind
from numen.resident import tables
from numen.resident.means import Means
from numen.resident.types import Called, CallState, Message, Session, Turn
from numen.store import ReadConnection, WriteConnection


@dataclass(frozen=True, slots=True)
class History:
    """A session, whole."""

    session: Session
    turns: tuple[Turn, ...]
    messages: tuple[Message, ...]
    calls: tuple[Called, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that a model, or a person, asks for. With a `problem` it was no call, and that says why."""

    ref: str
    name: str
    args: Mapping[str, Json]
    problem: str | None = None


def want(
    means: Means,
    scope: Scope,
    connection: WriteConnection,
    turn: Turn,
    step: int,
    wanted: Sequence[Wanted],
) -> None:
    """Keep the calls of a step, in a transaction that is open."""
    for place, one in enumerate(wanted):
        identifier = means.store.ids.new("call")
        args = means.ledger.put_body(scope, connection, canonical_bytes(one.args).decode())
        name = means.ledger.put_body(scope, connection, one.name)
        told: dict[str, Json] = {
            "call": identifier, "turn": turn.id, "step": step, "place": place, "name": name, "args": args,
        }  # fmt: skip
        means.record(scope, connection, turn.session, Kind.CALL_WANTED, turn.id, told)
        state, result = CallState.WANTED, None
        if one.problem is not None:
            state, result = CallState.FAILED, means.ledger.put_body(scope, connection, one.problem)
            moved: dict[str, Json] = {"call": identifier, "turn": turn.id, "state": state, "result": result}
            means.record(scope, connection, turn.session, Kind.CALL_MOVED, turn.id, moved)
        tables.add_call(
            connection,
            tables.CallRow(
                identifier, turn.session, turn.id, step, place, one.ref, one.name, args, state,
                reads=False, claim=None, ask=None, result=result,
            ),
        )  # fmt: skip


def history(means: Means, connection: ReadConnection, session: Session) -> History:
    """A session whole, in a read that is open."""
    said = tables.messages_of(connection, session.id)
    called = tables.calls_of(connection, session.id)
    digests = [one.body for one in said]
    for one in called:
        digests += [one.args, *([one.result] if one.result else [])]
    texts = means.ledger.words(connection, digests)
    return History(
        session,
        tuple(tables.turns_of(connection, session.id)),
        tuple(
            Message(
                row.id, row.seq, row.session, row.turn, row.step, row.role, texts.get(row.body) or "", row.at,
                row.after,
            )
            for row in said
        ),
        tuple(_called(row, texts) for row in called),
    )  # fmt: skip


def _called(row: tables.CallRow, texts: Mapping[str, str | None]) -> Called:
    result = None if row.result is None else texts.get(row.result) or ""
    return Called(
        row.id, row.turn, row.step, row.place, row.ref, row.name, tables.json_of(texts.get(row.args)),
        row.state, row.reads, row.claim, row.ask, result,
    )  # fmt: skip
