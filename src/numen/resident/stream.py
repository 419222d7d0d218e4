"""What a conversation streams: replayed from the ledger, then followed, for any number of devices.

A cursor is the last event that was seen and how many characters of the text that is being said were. So a
follower that comes back gets the rest of a sentence, whether it is still being said or is a message by now.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Self, cast

from numen.kernel import Json, Scope
from numen.ledger import Entry, Kind
from numen.resident import rules, tables
from numen.resident.means import Means, found, stream_of
from numen.resident.types import CallState, Cursor, NoticeCode, Role, Streamed, StreamKind, TurnState
from numen.resident.wire import usage_json
from numen.store import ReadConnection

SHOWN = 2_000
"""Characters of a result in a stream; the whole of it is in the session (ours)."""

AT_ONCE = 500

_TOLD = frozenset(
    {
        CallState.EXECUTED,
        CallState.VERIFIED,
        CallState.CONTRADICTED,
        CallState.UNCERTAIN,
        CallState.DENIED,
        CallState.FAILED,
        CallState.DROPPED,
    }
)


class Streams:
    """The streams of a store's sessions."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def after(self, scope: Scope, session: str, cursor: Cursor) -> tuple[list[Streamed], Cursor]:
        """What came after `cursor`, and the place up to which was looked. Raises `NotFound`."""
        entries = self._means.ledger.tail(scope, after=cursor.seq, limit=AT_ONCE, stream=stream_of(session))
        told: list[Streamed] = []
        with self._means.store.reading() as connection:
            found(self._means, scope, connection, session)
            for entry in entries:
                n = cursor.n
                if entry.kind in {Kind.MESSAGE_SAID, Kind.TEXT_RESET, Kind.MODEL_CALLED} and not _by_person(
                    entry
                ):
                    n = 0
                at = Cursor(entry.seq, n)
                told += [
                    Streamed(at, kind, data) for kind, data in self._told(scope, connection, entry, cursor)
                ]
                cursor = at
            if len(entries) < AT_ONCE:
                pieces, cursor = self._pieces(connection, session, cursor)
                told += pieces
        return told, cursor

    def follow(
        self, scope: Scope, session: str, cursor: Cursor, *, wake: Callable[[], None] | None = None
    ) -> Tail:
        """Follow a session after `cursor`. `wake` is called, on any thread, when something may be new."""
        with self._means.store.reading() as connection:
            found(self._means, scope, connection, session)
        return Tail(self, self._means, scope, session, cursor, wake)

    def _pieces(
        self, connection: ReadConnection, session: str, cursor: Cursor
    ) -> tuple[list[Streamed], Cursor]:
        """What is being said now, from where the cursor stands."""
        told: list[Streamed] = []
        at_work = [one.id for one in tables.open_turns(connection, session)]
        for turn, base, n, text in tables.deltas_of(connection, at_work) if at_work else ():
            end = n + len(text)
            if base > cursor.seq or end <= cursor.n:
                continue
            fresh = text[max(0, cursor.n - n) :]
            cursor = Cursor(cursor.seq, end)
            told.append(Streamed(cursor, StreamKind.TEXT, {"turn_id": turn, "delta": fresh}))
        return told, cursor

    def _told(
        self, scope: Scope, connection: ReadConnection, entry: Entry, seen: Cursor
    ) -> Iterable[tuple[StreamKind, dict[str, Json]]]:
        """What one event says, in the words of the stream."""
        told = entry.payload
        turn = str(told.get("turn", ""))
        match entry.kind:
            case Kind.MESSAGE_SAID:
                text = self._words(connection, str(told["words"]))
                about: dict[str, Json] = {"message_id": told["message"], "turn_id": turn}
                if told["role"] == Role.USER:
                    yield StreamKind.MESSAGE, {**about, "role": "user", "text": text}
                    return
                n = seen.n if seen.seq >= cast("int", told.get("base", 0)) else 0
                if text:
                    yield StreamKind.TEXT, {**about, "delta": text[n:], "final": True}
            case Kind.TEXT_RESET:
                yield StreamKind.TEXT_RESET, {"turn_id": turn}
            case Kind.CALL_WANTED:
                args = tables.json_of(self._words(connection, str(told["args"])) or "{}")
                name = self._words(connection, str(told["name"]))
                yield (
                    StreamKind.TOOL_USE,
                    {"id": told["call"], "turn_id": turn, "name": name, "args": args,
                     "purpose": self._purpose(connection, entry)},
                )  # fmt: skip
            case Kind.CALL_MOVED:
                yield from self._moved(scope, connection, entry)
            case Kind.NOTICE_GIVEN:
                words = self._words(connection, str(told["words"]))
                faults = {NoticeCode.MODEL, NoticeCode.FAULT}
                kind = StreamKind.ERROR if told["code"] in faults else StreamKind.NOTICE
                yield kind, {"turn_id": turn, "code": told["code"], "message": words}
            case Kind.INPUT_ASKED:
                asked = tables.json_of(self._words(connection, str(told["words"])) or "{}")
                yield StreamKind.ASK, {"input_id": told["input"], "call_id": told["call"], **asked}
            case Kind.INPUT_ANSWERED:
                yield StreamKind.ASK, {"input_id": told["input"], "answered": told["how"]}
            case Kind.TURN_MOVED:
                yield from self._turned(scope, connection, entry)
            case _:
                return

    def _moved(
        self, scope: Scope, connection: ReadConnection, entry: Entry
    ) -> Iterable[tuple[StreamKind, dict[str, Json]]]:
        told = entry.payload
        state = CallState(str(told["state"]))
        if state is CallState.ASKED:
            yield StreamKind.ASK, {"call_id": told["call"], **self._ask(scope, str(told["ask"]))}
        elif state in _TOLD:
            result = self._words(connection, str(told["result"])) if "result" in told else None
            cut = result is not None and len(result) > SHOWN
            yield (
                StreamKind.TOOL_RESULT,
                {
                    "id": told["call"],
                    "turn_id": told["turn"],
                    "ok": state in rules.DONE_CALLS,
                    "receipt": state,
                    "result": result if result is None else result[:SHOWN],
                    "truncated": cut,
                },
            )

    def _turned(
        self, scope: Scope, connection: ReadConnection, entry: Entry
    ) -> Iterable[tuple[StreamKind, dict[str, Json]]]:
        told = entry.payload
        after = TurnState(str(told["after"]))
        turn = tables.turn(connection, str(told["turn"]))
        assert turn is not None
        if after is TurnState.PAUSED:
            yield StreamKind.BUDGET, {"turn_id": turn.id, **self._ask(scope, str(told["ask"]))}
        elif after in rules.ENDED:
            usage = usage_json(turn)
            yield (
                StreamKind.DONE,
                {
                    "session_id": turn.session,
                    "turn_id": turn.id,
                    "state": after,
                    "ending": told.get("ending"),
                    "usage": usage,
                    "cost_micros": usage["cost_micros"],
                },
            )

    def _ask(self, scope: Scope, identifier: str) -> dict[str, Json]:
        ask = self._means.asks.of(scope, identifier)
        return {
            "code": ask.code,
            "ask_id": ask.id,
            "effect": ask.cls,
            "evidence": [one.words for one in ask.calls],
            "state": ask.state,
        }

    def _purpose(self, connection: ReadConnection, entry: Entry) -> str:
        """What the model said that the call is for."""
        turn, step = str(entry.payload["turn"]), entry.payload["step"]
        session = entry.stream.removeprefix("session:")
        for one in tables.messages_of(connection, session):
            if (one.turn, one.step, one.role) == (turn, step, Role.ASSISTANT):
                return rules.title_of(self._words(connection, one.body))
        return ""

    def _words(self, connection: ReadConnection, body: str) -> str:
        return self._means.ledger.words(connection, [body]).get(body) or ""


class Tail:
    """A place in a session's stream that moves forward; used by one thread at a time."""

    def __init__(
        self,
        streams: Streams,
        means: Means,
        scope: Scope,
        session: str,
        cursor: Cursor,
        wake: Callable[[], None] | None,
    ) -> None:
        self._streams = streams
        self._scope = scope
        self._session = session
        self._wake = wake
        self._flag = threading.Event()
        self._flag.set()
        self._closed = False
        self.cursor = cursor
        """The place up to which everything was given."""
        self._watch = means.store.watch(lambda _: self._woken(), (stream_of(session),))

    def pending(self) -> list[Streamed]:
        """What came since the last call; empty at once if nothing did."""
        self._flag.clear()
        told, self.cursor = self._streams.after(self._scope, self._session, self.cursor)
        if told:
            self._flag.set()
        return told

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there may be something new; False if `seconds` passed or it was closed."""
        return self._flag.wait(seconds) and not self._closed

    def close(self) -> None:
        """Stop following; whoever waits is let go."""
        self._closed = True
        self._watch.close()
        self._flag.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _woken(self) -> None:
        self._flag.set()
        if self._wake is not None:
            self._wake()


def _by_person(entry: Entry) -> bool:
    return entry.payload.get("role") == Role.USER
