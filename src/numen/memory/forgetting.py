"""Taking words away for good, with everything that was made of them, and keeping them away."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from numen.kernel import Clock, InvalidInput, Json, Scope, Unavailable
from numen.ledger import Event, Kind, Ledger
from numen.memory import claim_tables, rules, tables, view_tables
from numen.memory.search import Search
from numen.memory.types import Claim, Commitment, NothingMatches, Turn
from numen.memory.views import Opinion
from numen.store import ReadConnection, Store, WriteConnection

FILE = "forgotten"
"""The list of tombstones in the home, one a line: it outlives a database that is restored from a backup."""

SHORTEST = 8
"""Characters of old words that are looked for: fewer stand in too much that is not meant (ours)."""

TOPIC = "memory"

_PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class What:
    """What is to be forgotten: rows of these ids or turns' names, or by words, person, session or time.

    Conditions that are given narrow each other, ids apart. `person` is a contact's id.
    """

    ids: tuple[str, ...] = ()
    old_text: str | None = field(default=None, repr=False)
    person: str | None = None
    session: str | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went, or would go: rows by sort, and the search's rows that were derived of them.

    `left` counts rows that a second look still found; it is 0, or the forgetting is to be repeated. `again`
    says that all of it had been forgotten before. `watermark` is the number of the event that tells of it.
    """

    turns: int
    claims: int
    commitments: int
    opinions: int
    derived: int
    left: int = 0
    again: bool = False
    dry_run: bool = False
    ids: tuple[str, ...] = ()
    watermark: int | None = None

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": "numen-forgotten-v1",
            "turns": self.turns,
            "claims": self.claims,
            "commitments": self.commitments,
            "opinions": self.opinions,
            "derived": self.derived,
            "left": self.left,
            "again": self.again,
            "dry_run": self.dry_run,
            "ids": list(self.ids),
            "watermark": self.watermark,
        }


@dataclass(frozen=True, slots=True)
class _Closure:
    """Rows that go together."""

    turns: tuple[Turn, ...]
    claims: tuple[Claim, ...]
    commitments: tuple[Commitment, ...]
    opinions: tuple[Opinion, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Their ids, turns first."""
        return tuple(one.id for one in (*self.turns, *self.claims, *self.commitments))


class Forgetting:
    """Forgets. `home` is where the list of what was forgotten is kept beside the store."""

    def __init__(self, store: Store, ledger: Ledger, clock: Clock, search: Search, home: Path) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._search = search
        self._file = home / FILE

    def forget(self, scope: Scope, what: What, *, dry_run: bool = False) -> Forgotten:
        """Forget rows and all that was derived of them; with `dry_run` only say what would go.

        The owner may forget everybody's, anyone else their own. May be repeated: what was forgotten stays so,
        and a re-delivery is stored nowhere. Raises `NothingMatches` where nothing matches and nothing did,
        `InvalidInput` where nothing is named.
        """
        _check(what)
        if dry_run:
            with self._store.reading() as connection:
                closed = self._closure(connection, self._chosen(scope, connection, what))
                return _counted(closed, 0, dry_run=True)
        with self._store.transaction() as connection:
            tables.lock_memory(connection)
            chosen = self._chosen(scope, connection, what)
            if not any(chosen):
                if self._was_forgotten(scope, connection, what):
                    return Forgotten(0, 0, 0, 0, 0, again=True)
                raise NothingMatches(
                    "Nothing that is kept matches.",
                    not_done="Nothing was forgotten.",
                    next_step="Recall it first, and name the ids that it shows.",
                )
            closed = self._closure(connection, chosen)
            marks = _marks(closed, self._whole_turns(connection, closed.turns))
            self._write_down(marks)
            derived, watermark = self._take(scope, connection, closed, marks)
        self._store.scrub()
        with self._store.reading() as connection:
            left = len(tables.turns_of(connection, [one.id for one in closed.turns]))
            left += len(claim_tables.claims_of(connection, [one.id for one in closed.claims]))
        return replace(_counted(closed, derived, left=left), watermark=watermark)

    def sources(self, scope: Scope, what: What) -> int:
        """How many turns `what` names that the caller may forget: words in several are ambiguous."""
        with self._store.reading() as connection:
            turns, claims, promised = self._chosen(scope, connection, what)
        return len({one.source for one in turns}) + (0 if turns else len(claims) + len(promised))

    def reconcile(self, scope: Scope) -> Forgotten:
        """Forget again what a store that was restored from an older backup holds of it.

        Compares the list in the home with the store; where they agree nothing is written. For the owner, at
        each start. Raises `Unavailable` if the list cannot be read.
        """
        listed = self._listed()
        with self._store.reading() as connection:
            missing = listed - tables.all_marks(connection) if listed else frozenset[str]()
            if not missing:
                return Forgotten(0, 0, 0, 0, 0)
        with self._store.transaction() as connection:
            tables.lock_memory(connection)
            turns = [
                one
                for one in tables.selected_turns(connection)
                if missing & {rules.id_mark(one.id), rules.source_mark(one.whose, one.source, one.part)}
            ]
            claims = [one for one in claim_tables.all_claims(connection) if rules.id_mark(one.id) in missing]
            closed = self._closure(connection, (tuple(turns), tuple(claims), ()))
            derived, watermark = self._take(scope, connection, closed, missing | _marks(closed, ()))
        self._store.scrub()
        return replace(_counted(closed, derived), watermark=watermark)

    def _chosen(
        self, scope: Scope, connection: ReadConnection, what: What
    ) -> tuple[tuple[Turn, ...], tuple[Claim, ...], tuple[Commitment, ...]]:
        """What matches and is the caller's to forget."""
        mine = None if scope.is_owner else rules.whose(scope)
        whose = mine
        if what.person is not None:
            whose = rules.whose_of(what.person, scope)
            if mine is not None and whose != mine:
                return ((), (), ())
        if what.ids:
            turns = tables.named_turns(connection, whose, what.ids)
            claims = tuple(claim_tables.claims_of(connection, what.ids).values())
            promised = [view_tables.commitment(connection, one) for one in what.ids]
            return (
                turns,
                tuple(one for one in claims if whose is None or one.whose == whose),
                tuple(one for one in promised if one is not None and (whose is None or one.whose == whose)),
            )
        turns = tables.selected_turns(connection, whose, what.session, what.before)
        by_claim = what.session is None
        claims = claim_tables.selected_claims(connection, whose, what.before) if by_claim else ()
        if what.old_text is not None:
            turns = tuple(one for one in turns if rules.holds(one.text, what.old_text))
            claims = tuple(one for one in claims if rules.holds(one.text, what.old_text))
        promised = ()
        if what.old_text is None and by_claim:
            promised = view_tables.selected_commitments(connection, whose, what.before)
        return turns, claims, promised

    def _closure(
        self,
        connection: ReadConnection,
        chosen: tuple[tuple[Turn, ...], tuple[Claim, ...], tuple[Commitment, ...]],
    ) -> _Closure:
        """What was made of the chosen rows goes with them; a claim that rests on more loses its part."""
        turns, claims, promised = chosen
        gone = {one.id for one in turns}
        refs = gone | {one.source for one in turns}
        resting = [
            one
            for one in claim_tables.claims_resting_on(connection, refs)
            if one.author == rules.WORDS or {each.ref for each in one.evidence} <= refs
        ]
        every = {one.id: one for one in (*claims, *resting)}
        owed = {one.id: one for one in (*promised, *view_tables.of_turns(connection, gone))}
        views = view_tables.resting_on(connection, refs | every.keys())
        return _Closure(turns, tuple(every.values()), tuple(owed.values()), views)

    def _take(
        self, scope: Scope, connection: WriteConnection, closed: _Closure, marks: Collection[str]
    ) -> tuple[int, int]:
        """Take the rows away and record it: how many derived rows went, and the event's number."""
        turns = [one.id for one in closed.turns]
        claims = [one.id for one in closed.claims]
        derived = self._search.remove(scope, connection, [*turns, *claims]) if turns or claims else 0
        claim_tables.drop_evidence(connection, [*turns, *{one.source for one in closed.turns}])
        counts: dict[str, Json] = {
            "turns": tables.drop_turns(connection, turns),
            "claims": claim_tables.drop_claims(connection, closed.claims),
            "commitments": view_tables.drop_commitments(connection, [one.id for one in closed.commitments]),
            "opinions": view_tables.drop_opinions(connection, [one.number for one in closed.opinions]),
            "rows": derived,
            "tombstones": tables.mark(connection, marks, self._clock.now()),
        }
        call = self._store.ids.new("forget")
        event = Event(call, Kind.MEMORY_FORGOTTEN, TOPIC, call, counts)
        return derived, self._ledger.record(scope, connection, event).seq

    def _whole_turns(self, connection: ReadConnection, turns: Iterable[Turn]) -> set[tuple[str, str]]:
        """Those turns, by person and name, of which every message goes."""
        going: dict[tuple[str, str], int] = {}
        for one in turns:
            going[one.whose, one.source] = going.get((one.whose, one.source), 0) + 1
        return {key for key, count in going.items() if count == tables.parts(connection, *key)}

    def _was_forgotten(self, scope: Scope, connection: ReadConnection, what: What) -> bool:
        """Whether what is named was forgotten before, by the caller's own names for it."""
        whose = rules.whose_of(what.person, scope) if what.person is not None else rules.whose(scope)
        marks = {rules.id_mark(one) for one in what.ids}
        marks |= {rules.all_mark(whose, one) for one in what.ids}
        marks |= {rules.source_mark(whose, one, part) for one in what.ids for part in (0, 1)}  # its sides
        return bool(tables.marked(connection, marks))

    def _write_down(self, marks: Iterable[str]) -> None:
        """Append to the list in the home, durably, before the rows go: a restore is to find it."""
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, _PRIVATE)
            with os.fdopen(descriptor, "a", encoding="ascii") as file:
                file.write("".join(f"{mark}\n" for mark in sorted(marks)))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise Unavailable(
                f"{self._file} could not be written: {error.strerror}.",
                not_done="Nothing was forgotten.",
                next_step="Check that the home is yours and has space, then forget again.",
            ) from error

    def _listed(self) -> frozenset[str]:
        try:
            return frozenset(self._file.read_text("ascii", "replace").split())
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise Unavailable(
                f"{self._file} could not be read: {error.strerror}.",
                not_done="It is not known whether the store holds what was forgotten.",
                next_step="Check that the home is yours.",
            ) from error


def _check(what: What) -> None:
    if not (what.ids or what.old_text or what.person or what.session or what.before):
        raise InvalidInput("Nothing was named to forget.", not_done="Nothing was forgotten.")
    if what.old_text is not None and len(rules.folded(what.old_text)) < SHORTEST:
        raise InvalidInput(
            f"Words to forget have at least {SHORTEST} characters.", not_done="Nothing was forgotten."
        )


def _marks(closed: _Closure, whole: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The tombstones of what goes."""
    marks = {rules.id_mark(one) for one in closed.ids}
    marks |= {rules.view_mark(one.number, one.made_at) for one in closed.opinions}
    for one in closed.turns:
        marks.add(rules.source_mark(one.whose, one.source, one.part))
        marks.add(rules.words_mark(one.whose, one.session, one.role, one.text))
    return frozenset(marks | {rules.all_mark(*key) for key in whole})


def _counted(closed: _Closure, derived: int, *, left: int = 0, dry_run: bool = False) -> Forgotten:
    return Forgotten(
        len(closed.turns),
        len(closed.claims),
        len(closed.commitments),
        len(closed.opinions),
        derived,
        left,
        dry_run=dry_run,
        ids=closed.ids,
    )
