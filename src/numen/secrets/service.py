"""What can be done with secrets: seal a text, use a value, list, release, forget, and change the key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from numen.kernel import Clock, Conflict, Forbidden, InvalidInput, Json, NotFound, Scope, Unavailable
from numen.ledger import Event, Kind, Ledger
from numen.secrets import rules, tables
from numen.secrets.keys import Place
from numen.secrets.ports import Nods, Outbox, Shelf
from numen.secrets.repeats import Repeats
from numen.secrets.rules import Moment, Outcome, Standing
from numen.secrets.tables import Said, SecretRow, Stamp
from numen.secrets.types import (
    Ask,
    Comparable,
    Demand,
    Entry,
    Find,
    Finding,
    GoneThrough,
    Guarded,
    Health,
    Purpose,
    Reference,
    Rekeyed,
    Resolution,
    Sealed,
    State,
    VaultLocked,
)
from numen.secrets.vault import NoVault, Opener, Vault
from numen.store import ReadConnection, Store, WriteConnection

TOPIC = "secrets"
"""What those watch in the store who must know of every new value."""

OLDER_AT_ONCE = 200
"""Texts that are gone through in one transaction: it must be short, for others wait (ours)."""


class Secrets:
    """Values that were said and must not be seen. `home` is where the vault's key lies, `find` finds values.

    `outbox` knows outgoing messages and `nods` asks the owner; without them no value is sent in a message,
    and none is used that the owner has not just said.
    """

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        clock: Clock,
        home: Path,
        find: Find,
        *,
        outbox: Outbox | None = None,
        nods: Nods | None = None,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._vault = Vault(store, clock, home)
        self._find = find
        self._outbox = outbox
        self._nods = nods
        self._opened: tuple[Stamp, Comparable] | None = None
        self._repeats = Repeats(store, find, self._opener)

    def seal(self, scope: Scope, text: str) -> Sealed:
        """`text` with a reference in place of each value in it, before anyone sees it (decision 15).

        The values are kept when this returns. Where they cannot be, none of them is in the answer either:
        each is withheld, and `why` says the reason. The same value of the same person has one reference,
        whichever process seals it. A value that its owner released stays as it is. Nothing more is found in
        what is returned: a value that shows only once another is gone is sealed as well, and so is one that
        the same person said before, though no word announces it now.
        """
        find = self._repeats.finder(rules.whose(scope))
        if not find(text):
            return Sealed(text)
        try:
            with self._store.transaction() as connection:
                return self._settled(scope, connection, text, find)
        except (Unavailable, Conflict) as error:
            return rules.withheld(text, find, error.what)

    def seal_all(self, scope: Scope, value: Json) -> Json:
        """`value` with every text in it sealed, names of fields included: the arguments of a call."""
        return rules.changed(value, lambda text: self.seal(scope, text).text)

    def resolve(self, scope: Scope, demand: Demand) -> Resolution:
        """The values of a demand that may be used, and for each other reference why not.

        Only the owner's own values, for the owner: see `rules.judge`. Each use is counted and recorded. The
        values go to whoever uses them and are shown to nobody else, a model least of all. Raises
        `InvalidInput` for more than 32 references, or one that is none.
        """
        refs = _checked(demand)
        outgoing = None
        if demand.purpose is Purpose.SEND and self._outbox is not None and demand.message is not None:
            outgoing = self._outbox.outgoing(scope, demand.message)
        moment = Moment(self._vault.now(), scope.is_owner, rules.chat_of(scope), outgoing)
        call = self._store.ids.new("resolve")
        taken = _Taken()
        with self._store.transaction() as connection:
            asked: list[SecretRow] = []
            given: list[SecretRow] = []
            for ref in refs:
                row = tables.secret(connection, ref)
                verdict = rules.judge(ref, None if row is None else _standing(row), demand, moment)
                if row is None or verdict.outcome is Outcome.REFUSE:
                    taken.refused[ref] = verdict.why
                else:
                    (given if verdict.outcome is Outcome.GIVE else asked).append(row)
            given += self._asked(scope, connection, demand, asked, taken)
            self._give(scope, connection, demand.purpose, given, call, taken)
        return Resolution(taken.values, taken.refused, taken.asks, taken.unavailable)

    def entries(self, scope: Scope) -> tuple[Entry, ...]:
        """What was ever sealed, oldest first, without values. Raises `Forbidden` unless the owner asks."""
        _owner_only(scope, "see what is sealed")
        with self._store.reading() as connection:
            opener = self._opener(connection)
            return tuple(_entry(row, opener) for row in tables.all_secrets(connection))

    def release(self, scope: Scope, ref: str) -> Entry:
        """Say that one of the owner's own values is no secret: from now on it is left as it is when said.

        Raises `Forbidden` unless the owner asks and it is theirs, `NotFound`, `Conflict` if it was forgotten.
        """
        _owner_only(scope, "release a value")
        with self._store.transaction() as connection:
            row = self._row(connection, ref)
            if row.whose != rules.OWNER:
                raise Forbidden("It is another person's value.", not_done="It stays sealed.")
            if row.state is State.FORGOTTEN:
                raise Conflict("The value was forgotten.", not_done="There is nothing to release.")
            if tables.release(connection, ref):
                self._record(scope, connection, Kind.SECRET_RELEASED, ref)
            return _entry(self._row(connection, ref), self._opener(connection))

    def forget(self, scope: Scope, ref: str) -> Entry:
        """Take a value away for good, the owner's or another person's; its reference and label stay.

        Whoever has only a backup of the key and this database can bring it back no more. May be repeated.
        Raises `Forbidden` unless the owner asks, `NotFound`.
        """
        _owner_only(scope, "forget a value")
        with self._store.transaction() as connection:
            self._row(connection, ref)
            if tables.forget(connection, ref):
                self._record(scope, connection, Kind.SECRET_FORGOTTEN, ref)
            row = self._row(connection, ref)
        self._store.scrub()
        return Entry(row.ref, row.label, row.state, row.whose, row.created_at, row.uses)

    def rekey(self, scope: Scope, *, place: Place | None = None, lost_key: bool = False) -> Rekeyed:
        """Make a new key, put every value under it, and drop the old one; `place` moves it elsewhere.

        With `lost_key` it goes on without the old key: what was sealed under it stays and cannot be opened,
        until that key is found. Raises `Forbidden` unless the owner asks, `VaultLocked`, `Conflict` if
        another process did it just now, `InvalidInput` for a keyring where there is none.
        """
        _owner_only(scope, "change the vault's key")

        def record(connection: WriteConnection, done: Rekeyed) -> None:
            call = self._store.ids.new("rekey")
            payload: dict[str, Json] = {"key": done.after, "moved": done.moved, "left": len(done.left)}
            event = Event(f"vault.rekeyed:{done.after}", Kind.VAULT_REKEYED, "vault", call, payload)
            self._ledger.record(scope, connection, event)

        return self._vault.rekey(place, record, lost=lost_key)

    def seal_older(self, scope: Scope, shelf: Shelf, *, again: bool = False) -> GoneThrough:
        """Seal the values in words that were kept before: once for a shelf, or `again` from its beginning.

        A value and the text that it stood in change in one transaction. What was interrupted goes on where it
        was. Raises `Forbidden` unless the owner asks; `VaultLocked` and `Conflict` where the vault cannot be
        used, and then no text was changed that is not sealed.
        """
        _owner_only(scope, "go through what is kept")
        with self._store.reading() as connection:
            reached, is_done = tables.reached(connection, shelf.name)
        if is_done and not again:
            return GoneThrough(0, 0)
        seen = sealed = 0
        reached = "" if is_done else reached
        while True:
            with self._store.reading() as connection:
                batch = shelf.older(connection, reached, OLDER_AT_ONCE)
            found = [words for words in batch if self._find(words.text)]
            reached = batch[-1].id if batch else reached
            with self._store.transaction() as connection:
                for words in found:
                    text = self._settled(scope, connection, words.text, self._find, words.whose).text
                    shelf.replace(scope, connection, words, text)
                done_at = None if batch else self._vault.now()
                tables.reach(connection, shelf.name, reached, len(found), done_at)
            seen, sealed = seen + len(batch), sealed + len(found)
            if not batch:
                break
        if sealed:
            self._store.scrub()
        return GoneThrough(seen, sealed)

    def health(self, scope: Scope) -> Health:
        """How the vault stands. Raises `Forbidden` unless the owner asks."""
        _owner_only(scope, "see the vault")
        with self._store.reading() as connection:
            key_id, place = self._vault.key_place(connection)
            opener = self._opener(connection)
            states = [opener.state(row) for row in tables.all_secrets(connection)]
        lost = [why for state, why in states if state is State.UNAVAILABLE]
        kept = sum(state is not State.FORGOTTEN for state, _ in states)
        why = opener.why if isinstance(opener, NoVault) else next(iter(lost), "")
        return Health(key_id, place, kept, len(lost), why)

    def guarded(self) -> tuple[Guarded, ...]:
        """Every value that is kept sealed, whoever said it: for the output filter alone, which shows none.

        On nobody's behalf: what leaves must hold no value of anyone. One that cannot be opened is not here.
        Whoever watches the store for the topic `TOPIC` is told when there may be others.
        """
        return self.comparable().guarded

    def comparable(self) -> Comparable:
        """As `guarded`, and which values are kept sealed that cannot be opened, and why.

        Where nothing changed since the last time nothing is opened again.
        """
        found = self._opened_now()
        return self._opened_now() if found.lost else found

    def _opened_now(self) -> Comparable:
        """What can be opened; not all of it while the key is being changed."""
        with self._store.reading() as connection:
            stamp = tables.stamp(connection)
            if self._opened is not None and self._opened[0] == stamp:
                return self._opened[1]
            opener = self._opener(connection)
            rows = [row for row in tables.all_secrets(connection) if row.state is State.SEALED]
        if isinstance(opener, NoVault):
            return Comparable((), frozenset(row.ref for row in rows), opener.why if rows else "")
        guarded: list[Guarded] = []
        lost: dict[str, str] = {}
        for row in rows:
            try:
                guarded.append(Guarded(Reference(row.ref, row.label), opener.value(row)))
            except VaultLocked as error:
                lost[row.ref] = error.what
        found = Comparable(tuple(guarded), frozenset(lost), next(iter(lost.values()), ""))
        self._opened = None if lost else (stamp, found)
        return found

    def _settled(
        self, scope: Scope, connection: WriteConnection, text: str, find: Find, whose: str | None = None
    ) -> Sealed:
        """`text` sealed in this transaction, until nothing is found in it but what was released."""
        sealed = Sealed(text)
        references: dict[Reference, None] = {}
        known: list[rules.Known] = []
        while found := rules.beside(
            [*find(sealed.text), *rules.repeated(sealed.text, known)], sealed.released
        ):
            stands = self._kept(scope, connection, sealed.text, found, whose)
            known += rules.told(sealed.text, [one for one, stand in zip(found, stands, strict=True) if stand])
            spans = [(one.start, one.end) for one in found]
            left = [(span, None) for span in sealed.released]
            placed = sorted([*zip(spans, stands, strict=True), *left], key=lambda one: one[0])
            sealed = rules.spliced(sealed.text, [span for span, _ in placed], [one for _, one in placed])
            references.update(dict.fromkeys(sealed.references))
        in_order = sorted(references, key=lambda one: sealed.text.find(str(one)))
        return replace(sealed, references=tuple(in_order))

    def _kept(
        self,
        scope: Scope,
        connection: WriteConnection,
        text: str,
        found: Iterable[Finding],
        whose: str | None = None,
    ) -> list[Reference | None]:
        """What stands for each finding, kept in this transaction; None for a released value.

        With `whose` the words are not said now, and not by the one in `scope`.
        """
        cipher, is_new = self._vault.sealing(connection)
        call = self._store.ids.new("seal")
        if is_new:
            event = f"vault.created:{cipher.key_id}"
            self._ledger.record(
                scope, connection, Event(event, Kind.VAULT_CREATED, "vault", call, {"key": cipher.key_id})
            )
        now = self._vault.now()
        said = Said(now, rules.chat_of(scope)) if scope.is_owner and whose is None else Said()
        owner = rules.whose(scope) if whose is None else whose
        stands: list[Reference | None] = []
        for one in found:
            value = text[one.start : one.end]
            label = rules.label_of(one.label, value, lambda words: bool(self._find(words)))
            new = SecretRow("", owner, label, one.kind, State.SEALED, None, None, now, said.at, said.room, 0)
            row, is_new = self._vault.put(connection, cipher, new, value, said)
            if is_new:
                self._record(scope, connection, Kind.SECRET_SEALED, row.ref, call)
            stands.append(None if row.state is State.RELEASED else Reference(row.ref, row.label))
        return stands

    def _asked(
        self,
        scope: Scope,
        connection: WriteConnection,
        demand: Demand,
        rows: list[SecretRow],
        taken: _Taken,
    ) -> list[SecretRow]:
        """Those of `rows` that the owner said yes to; for the others there is a question, or a refusal."""
        if not rows or demand.call is None:
            return []
        if self._nods is None:
            taken.refused.update((row.ref, rules.NO_ASK) for row in rows)
            return []
        call_digest = rules.call_digest(demand.call)
        if self._nods.spend(scope, connection, call_digest):
            return rows
        words = " ".join(rules.question(row.label, row.ref, demand.call) for row in rows)
        ask = self._nods.ask(scope, connection, call_digest, words)
        taken.asks.update((row.ref, ask) for row in rows)
        return []

    def _give(
        self,
        scope: Scope,
        connection: WriteConnection,
        purpose: Purpose,
        rows: list[SecretRow],
        call: str,
        taken: _Taken,
    ) -> None:
        if not rows:
            return
        opener = self._opener(connection, writing=connection)
        for row in rows:
            if isinstance(opener, NoVault):
                taken.unavailable[row.ref] = opener.why
                continue
            try:
                taken.values[row.ref] = opener.value(row)
            except VaultLocked as error:
                taken.unavailable[row.ref] = error.what
                continue
            tables.use(connection, row.ref, self._vault.now())
            self._record(scope, connection, Kind.SECRET_USED, row.ref, call, purpose=str(purpose))

    def _opener(
        self, connection: ReadConnection, *, writing: WriteConnection | None = None
    ) -> Opener | NoVault:
        try:
            return self._vault.opened(connection) if writing is None else self._vault.using(writing)
        except (VaultLocked, Conflict) as error:
            return NoVault(error)

    def _row(self, connection: ReadConnection, ref: str) -> SecretRow:
        row = tables.secret(connection, ref)
        if row is None:
            raise NotFound(rules.UNKNOWN, not_done="Nothing was changed.", next_step="See numen secret list.")
        return row

    def _record(
        self,
        scope: Scope,
        connection: WriteConnection,
        kind: Kind,
        ref: str,
        call: str | None = None,
        **payload: Json,
    ) -> None:
        call = call or self._store.ids.new("secret")
        event = Event(f"{kind}:{ref}:{call}", kind, f"secret:{ref}", call, payload)
        self._ledger.record(scope, connection, event)
        self._store.touches(connection, (TOPIC,))


class _Taken:
    """What became of the references of one demand, so far."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.refused: dict[str, str] = {}
        self.asks: dict[str, Ask] = {}
        self.unavailable: dict[str, str] = {}


def _checked(demand: Demand) -> tuple[str, ...]:
    refs = tuple(dict.fromkeys(demand.refs))
    if not refs or len(refs) > rules.MOST_REFS or not all(map(rules.REF.fullmatch, refs)):
        raise InvalidInput(
            f"A demand names 1 to {rules.MOST_REFS} references such as S-ABCDEFGH.",
            not_done="No value was used.",
            next_step="Name more of them in a second demand.",
        )
    return refs


def _standing(row: SecretRow) -> Standing:
    return Standing(row.whose, row.state, row.said_at, row.said_in)


def _entry(row: SecretRow, opener: Opener | NoVault) -> Entry:
    state, why = opener.state(row)
    return Entry(row.ref, row.label, state, row.whose, row.created_at, row.uses, why)


def _owner_only(scope: Scope, what: str) -> None:
    if not scope.is_owner:
        raise Forbidden(f"Only the owner may {what}.", not_done="Nothing was read or changed.")
