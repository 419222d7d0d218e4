"""What can be done with the ledger: record, read, follow, verify, and let words go."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import cast

from numen.kernel import (
    Clock,
    Conflict,
    Forbidden,
    InvalidInput,
    Json,
    NotFound,
    Scope,
    Unavailable,
    canonical_text,
    iso,
)
from numen.ledger import rules, schemas, tables
from numen.ledger.subscription import Subscription
from numen.ledger.types import Body, Departure, Entry, Event, Kind, Recorded, Verification
from numen.ledger.verification import verify_chain
from numen.store import ReadConnection, Store, WriteConnection

LONGEST_TAIL = 1000
"""Most events that one call of `tail` gives."""


class Ledger:
    """The one history of Numen. Only `record` adds to it, and nothing takes away from it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def record(self, scope: Scope, connection: WriteConnection, event: Event) -> Recorded:
        """Append `event` on behalf of `scope`, inside the transaction of the use case that it tells of.

        An event id that was recorded before appends nothing, so a step may run again. The first event of a
        store is preceded by `store.created`. Raises `InvalidInput` for a payload that its kind's schema does
        not admit, `Conflict` if the id was used for something else.
        """
        actor = rules.actor_of(scope)
        schemas.check(event)
        for what, name in (
            ("id", event.event_id),
            ("stream", event.stream),
            ("correlation id", event.correlation_id),
        ):
            rules.check_name(what, name)
        tables.lock_append(connection)
        known = tables.recorded(connection, event.event_id)
        if known is not None:
            return _again(known, event)
        at = self._clock.now()
        room = scope.room.digest()
        link = tables.head(connection)
        if tables.last_seq(connection) != (0 if link is None else link.seq):
            raise Unavailable(
                "The ledger was changed from outside: its head is not its last event.",
                not_done="Nothing was recorded, and so nothing was done.",
                next_step="See what is wrong with numen ledger verify, then restore a backup.",
            )
        if link is None:
            link = self._append(connection, rules.START, self._genesis(event), actor, room, at)
        link = self._append(connection, link, event, actor, room, at)
        return Recorded(link.seq, event.event_id, fresh=True)

    def tail(
        self,
        scope: Scope,
        *,
        after: int | None = None,
        limit: int = 100,
        kinds: Iterable[Kind] | None = None,
        stream: str | None = None,
        correlation_id: str | None = None,
    ) -> tuple[Entry, ...]:
        """Events that `scope` may see, oldest first: those after the number `after`, or the last ones (None).

        The owner sees all; everyone else what they did in their own room. At most `limit` (1..1000). Raises
        `InvalidInput` for numbers out of range.
        """
        if not 1 <= limit <= LONGEST_TAIL or (after is not None and after < 0):
            raise InvalidInput(
                f"limit must be 1..{LONGEST_TAIL}, and after a number from 0 on.",
                not_done="Nothing was read.",
            )
        selection = _selection(scope, kinds, stream, correlation_id)
        with self._store.reading() as connection:
            if after is None:
                rows = tables.latest(connection, selection, limit)
            else:
                rows = tables.after(connection, after, selection, limit)
        return tuple(entry_of(row) for row in rows)

    def subscribe(
        self,
        scope: Scope,
        after: int = 0,
        *,
        kinds: Iterable[Kind] | None = None,
        stream: str | None = None,
        wake: Callable[[], None] | None = None,
    ) -> Subscription:
        """Follow what `scope` may see after the number `after`, without a gap and without a double.

        Woken by commits of this process at once and of others soon after. `wake` is called (on any thread)
        when there may be something new: asynchronous callers set their own flag with it and then call
        `pending` in a worker thread. To be closed, or used in a `with`.
        """
        selection = _selection(scope, kinds, stream, None)

        def read(seq: int) -> tuple[tuple[Entry, ...], int]:
            with self._store.reading() as connection:
                rows = tables.after(connection, seq, selection, LONGEST_TAIL)
                head = tables.head(connection) or rules.START
            entries = tuple(entry_of(row) for row in rows)
            return entries, entries[-1].seq if len(entries) == LONGEST_TAIL else max(seq, head.seq)

        return Subscription(self._store, read, after, None if stream is None else (stream,), wake)

    def verify(self, scope: Scope) -> Verification:
        """Whether every event and every body is what was recorded; with the first fault, if there is one.

        Forgotten words leave the ledger true. Writes nothing. Raises `Forbidden` unless the owner asks.
        """
        _owner_only(scope, "verify the ledger")
        with self._store.reading() as connection:
            return verify_chain(connection)

    def put_body(self, scope: Scope, connection: WriteConnection, text: str) -> str:
        """Put words away, and give the digest that stands for them in an event; new for each call."""
        return _put(connection, scope.room.digest(), text)

    def body(self, scope: Scope, digest: str) -> Body:
        """The words behind `digest`. Raises `NotFound` if there are none that `scope` may see."""
        with self._store.reading() as connection:
            row = tables.body(connection, digest)
        if row is not None:
            room, text, gone = row
            if scope.is_owner or room == scope.room.digest():
                return Body(digest, text, None if gone is None else Departure(gone))
        raise NotFound("There are no such words.", next_step="Check the digest.")

    def words(self, connection: ReadConnection, digests: Iterable[str]) -> dict[str, str | None]:
        """The words behind each digest, in a read that is open; None for those that are gone.

        For a room that keeps digests in rows of its own and has settled that its caller may read them.
        """
        return tables.texts(connection, digests)

    def forget_body(
        self, scope: Scope, connection: WriteConnection, digest: str, reason: Departure, correlation_id: str
    ) -> bool:
        """Replace words by a tombstone and record that; False if they are gone already.

        The ledger stays true. The caller sees to it that `scope` may do this to these words, and calls
        `Store.scrub` after the commit. Raises `NotFound` if there never were such words.
        """
        if tables.body(connection, digest) is None:
            raise NotFound("There are no such words.", not_done="Nothing was forgotten.")
        if not tables.empty_body(connection, digest, reason):
            return False
        payload: dict[str, Json] = {"body": digest, "reason": str(reason)}
        self.record(
            scope,
            connection,
            Event(f"body.gone:{digest}", Kind.BODY_GONE, f"body:{digest}", correlation_id, payload),
        )
        return True

    def _genesis(self, event: Event) -> Event:
        epoch = self._store.epoch
        return Event(
            f"store.created:{epoch}", Kind.STORE_CREATED, "store", event.correlation_id, {"epoch": epoch}
        )

    def _append(
        self,
        connection: WriteConnection,
        link: rules.Link,
        event: Event,
        actor: str,
        room: str,
        at: datetime,
    ) -> rules.Link:
        payload = dict(event.payload)
        for name, text in event.words.items():
            payload[name] = _put(connection, room, text)
        row: dict[str, object] = {
            "seq": link.seq + 1,
            "event_id": event.event_id,
            "v": rules.VERSION,
            "at": iso(at),
            "stream": event.stream,
            "kind": str(event.kind),
            "correlation_id": event.correlation_id,
            "actor": actor,
            "scope": room,
            "payload": canonical_text(payload),
            "prev_hash": link.hash,
        }
        row["hash"] = rules.row_hash(row)
        tables.append(connection, row)
        self._store.touches(connection, (event.stream,))
        return rules.Link(link.seq + 1, str(row["hash"]))


def entry_of(row: tables.Row) -> Entry:
    """A row as an entry. Raises `Unavailable` for a row that no event could have."""
    try:
        payload = json.loads(str(row["payload"]))
    except ValueError:
        raise Unavailable(
            f"Event {row['seq']} of the ledger is damaged.",
            not_done="It was not shown.",
            next_step="See what is wrong with numen ledger verify.",
        ) from None
    return Entry(**{**row, "payload": payload})  # pyright: ignore[reportArgumentType]


def _selection(
    scope: Scope, kinds: Iterable[Kind] | None, stream: str | None, correlation_id: str | None
) -> tables.Selection:
    wanted = None if kinds is None else frozenset(str(kind) for kind in kinds)
    if scope.is_owner:
        return tables.Selection(wanted, stream, correlation_id)
    return tables.Selection(wanted, stream, correlation_id, scope.room.digest(), scope.viewer)


def _again(known: tables.Row, event: Event) -> Recorded:
    if (known["kind"], known["stream"]) != (event.kind, event.stream):
        raise Conflict(
            "This event id was used for something else.",
            not_done="The event was not recorded.",
            next_step="Give each step an id of its own.",
        )
    return Recorded(cast("int", known["seq"]), event.event_id, fresh=False)


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise Forbidden(f"Only the owner may {what}.", not_done="Nothing was read.")


def _put(connection: WriteConnection, room: str, text: str) -> str:
    salt = secrets.token_bytes(rules.SALT_BYTES)
    digest = rules.body_digest(salt, room, text.encode("utf-8", "surrogatepass"))
    tables.put_body(connection, digest, room, salt, text)
    return digest
