"""Taking memory elsewhere and back: JSONL that holds everything, Markdown that a person reads and mends."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from numen.kernel import Audience, Clock, Forbidden, InvalidInput, Json, Scope, Unavailable, canonical_text
from numen.ledger import Event, Kind, Ledger
from numen.memory import claim_tables, rules, tables, view_tables
from numen.memory.forms import (
    Kept,
    as_json,
    file_names,
    markdown,
    read_jsonl,
    read_markdown,
)
from numen.memory.search import Search
from numen.memory.service import Names, claim_item, turn_item
from numen.memory.types import Claim, ClaimState, Commitment, CommitmentState, EvidenceKind, Turn
from numen.memory.views import Opinion
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection

AT_ONCE = 200
"""Rows that one transaction of an import keeps: it must be short, for others wait (as the vault's)."""

TOPIC = "memory"

_PRIVATE = 0o600
_TOTALS: tuple[str, ...] = ("turns", "claims", "commitments", "opinions", "known", "forgotten")


@dataclass(frozen=True, slots=True)
class Moved:
    """What an export wrote or an import took in; `known` was there before, `forgotten` stays away."""

    turns: int = 0
    claims: int = 0
    commitments: int = 0
    opinions: int = 0
    known: int = 0
    forgotten: int = 0
    files: int = 0

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": "numen-moved-v1",
            "turns": self.turns,
            "claims": self.claims,
            "commitments": self.commitments,
            "opinions": self.opinions,
            "known": self.known,
            "forgotten": self.forgotten,
            "files": self.files,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether memory agrees with itself: rows of each sort, and what is wrong, a sentence each."""

    turns: int
    claims: int
    commitments: int
    opinions: int
    tombstones: int
    faults: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Json]:
        """The wire form."""
        return {
            "schema": "numen-memory-v1",
            "turns": self.turns,
            "claims": self.claims,
            "commitments": self.commitments,
            "opinions": self.opinions,
            "tombstones": self.tombstones,
            "faults": list(self.faults),
            "ok": not self.faults,
        }


class Portability:
    """Export, import, verify. The owner moves everything; anyone else takes out what they may see."""

    def __init__(
        self, store: Store, ledger: Ledger, clock: Clock, secrets: Secrets, search: Search, names: Names
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._secrets = secrets
        self._search = search
        self._names = names

    def rows(self, scope: Scope) -> list[Kept]:
        """All that `scope` may see, turns first, each sort in the order of ids; sealed as it is kept."""
        mine = None if scope.is_owner else rules.whose(scope)
        with self._store.reading() as connection:
            both = [*tables.selected_turns(connection), *claim_tables.all_claims(connection)]
            seen = [one for one in both if rules.visible(scope, one.whose, one.audience)]
            views = view_tables.selected_opinions(connection, None if scope.is_owner else Audience.EVERYONE)
            return [*seen, *view_tables.selected_commitments(connection, mine), *views]

    def write(self, scope: Scope, place: Path, form: str) -> Moved:
        """Write an export: `jsonl` into one file, `markdown` into a folder, one file a subject.

        Files are their owner's alone. Raises `InvalidInput` for a place that holds something else already,
        `Unavailable` where it cannot be written.
        """
        rows = self.rows(scope)
        claims = [one for one in rows if isinstance(one, Claim)]
        if form == "jsonl":
            _write(place, "".join(f"{canonical_text(as_json(row))}\n" for row in rows))
            count = Counter(type(one) for one in rows)
            return Moved(count[Turn], count[Claim], count[Commitment], count[Opinion], files=1)
        groups: dict[tuple[str, str], list[Claim]] = {}
        for claim in claims:
            groups.setdefault((claim.whose, rules.folded(claim.subject) or "notes"), []).append(claim)
        names = file_names([about for _, about in groups])
        for name, group in zip(names, groups.values(), strict=True):
            _write(place / name, markdown(group))
        return Moved(claims=len(claims), files=len(groups))

    def read(self, scope: Scope, place: Path) -> Moved:
        """Take in an export of either form. May be repeated: what is there stays, what was forgotten too.

        Words are sealed before they are kept. Raises `Forbidden` unless the owner asks, `InvalidInput` for a
        file that is no export, `Unavailable` where it cannot be read.
        """
        if not scope.is_owner:
            raise Forbidden("Only the owner may import memory.", not_done="Nothing was taken in.")
        files = sorted(place.glob("*.md")) if place.is_dir() else [place]
        rows: list[Kept] = []
        for file in files:
            text = _text(file)
            rows += read_markdown(text) if file.suffix == ".md" else read_jsonl(text)
        total = dict.fromkeys(_TOTALS, 0)
        for start in range(0, len(rows), AT_ONCE):
            sealed = [self._sealed(scope, one) for one in rows[start : start + AT_ONCE]]
            with self._store.transaction() as connection:
                tables.lock_memory(connection)
                for name, count in self._take_in(scope, connection, sealed).items():
                    total[name] += count
        return Moved(**total, files=len(files))

    def verify(self, scope: Scope) -> Checked:
        """Whether memory agrees with itself. Writes nothing. Raises `Forbidden` unless the owner asks."""
        if not scope.is_owner:
            raise Forbidden("Only the owner may verify memory.", not_done="Nothing was read.")
        faults: list[str] = []
        with self._store.reading() as connection:
            turns = tables.selected_turns(connection)
            claims = claim_tables.all_claims(connection)
            promised = view_tables.selected_commitments(connection)
            marks = tables.all_marks(connection)
            views = view_tables.count_opinions(connection)
            kept = claim_tables.claim_totals(connection)
        back = [one.id for one in (*turns, *claims, *promised) if rules.id_mark(one.id) in marks]
        faults += [f"{one} was forgotten and is there." for one in back]
        faults += [
            f"{one.id} was changed: its digest is not that of its words."
            for one in turns
            if one.digest != rules.message_digest(one.role, one.text)
        ]
        known = {one.id for one in turns}
        faults += [
            f"{one.id} rests on {each.ref}, which is not there."
            for one in claims
            for each in one.evidence
            if each.kind is EvidenceKind.TURN and each.ref not in known
        ]
        live: dict[tuple[str, str, str, str], int] = {}
        for one in claims:
            if str(one.state) in claim_tables.LIVE:
                key = (str(one.tier), one.brain, one.whose, str(one.audience))
                live[key] = live.get(key, 0) + 1
        if live != kept:
            faults.append("The kept number of claims is not their number.")
        return Checked(len(turns), len(claims), len(promised), views, len(marks), tuple(faults))

    def stats(self, scope: Scope) -> dict[str, Json]:
        """How much is kept that the caller may see, by sort and state."""
        with self._store.reading() as connection:
            whose = None if scope.is_owner else rules.whose(scope)
            turns = tables.count_turns(connection, whose)
            claims = [
                one
                for one in claim_tables.all_claims(connection)
                if rules.visible(scope, one.whose, one.audience)
            ]
            promised = view_tables.selected_commitments(connection, whose)
        states = {str(state): sum(one.state is state for one in claims) for state in ClaimState}
        owed = {
            str(state): sum(one.state is state for one in promised)
            for state in CommitmentState
            if state is not CommitmentState.OVERDUE
        }
        return {"schema": "numen-memory-stats-v1", "turns": turns, "claims": states, "commitments": owed}

    def _sealed(self, scope: Scope, one: Kept) -> Kept:
        seal = self._secrets.seal
        match one:
            case Turn():
                text = seal(scope, one.text).text
                return replace(one, text=text, digest=rules.message_digest(one.role, text))
            case Claim():
                return replace(
                    one,
                    text=seal(scope, one.text).text,
                    subject=seal(scope, one.subject).text,
                    value=seal(scope, one.value).text,
                )
            case Commitment():
                return replace(one, what=seal(scope, one.what).text, reason=seal(scope, one.reason).text)
            case Opinion():
                return replace(
                    one,
                    subject=seal(scope, one.subject).text,
                    stance=seal(scope, one.stance).text,
                    revise_if=seal(scope, one.revise_if).text,
                    reason=seal(scope, one.reason).text,
                    premises=tuple(replace(each, text=seal(scope, each.text).text) for each in one.premises),
                )

    def _take_in(self, scope: Scope, connection: WriteConnection, rows: Sequence[Kept]) -> dict[str, int]:
        total = dict.fromkeys(_TOTALS, 0)
        gone = tables.marked(connection, {mark for one in rows for mark in _marks_of(one)})
        for one in rows:
            if gone & _marks_of(one):
                total["forgotten"] += 1
            elif self._is_known(connection, one):
                total["known"] += 1
            else:
                total[self._add(scope, connection, one)] += 1
        if any(total[name] for name in ("turns", "claims", "commitments")):
            call = self._store.ids.new("import")
            counts: dict[str, Json] = {key: total[key] for key in ("turns", "claims", "commitments")}
            self._ledger.record(scope, connection, Event(call, Kind.MEMORY_IMPORTED, TOPIC, call, counts))
        return total

    def _is_known(self, connection: ReadConnection, one: Kept) -> bool:
        match one:
            case Turn():
                named = tables.named_turns(connection, one.whose, [one.id, one.source])
                return any(each.id == one.id or each.part == one.part for each in named)
            case Claim():
                return bool(claim_tables.claims_of(connection, [one.id]))
            case Commitment():
                return view_tables.commitment(connection, one.id) is not None
            case Opinion():
                return view_tables.is_used(connection, one.number)

    def _add(self, scope: Scope, connection: WriteConnection, one: Kept) -> str:
        match one:
            case Turn():
                tables.add_turns(connection, [one])
                if one.origin in rules.RECALLABLE:
                    names = self._names.names(connection, {one.speaker})
                    self._search.add(scope, connection, [turn_item(one, names)])
                return "turns"
            case Claim():
                digest, near = rules.claim_digest(one.text), rules.near_digest(one.text)
                claim_tables.add_claim(connection, one, digest, near, rules.folded(one.subject))
                if str(one.state) in claim_tables.LIVE and one.author != rules.WORDS:
                    names = self._names.names(connection, {one.author})
                    self._search.add(scope, connection, [claim_item(one, names)])
                return "claims"
            case Commitment():
                view_tables.add_commitment(connection, one, rules.same_promise(one.what, one.who, one.due_at))
                return "commitments"
            case Opinion():
                view_tables.add_opinion(connection, one, rules.folded(one.subject))
                call = self._store.ids.new("import")
                event = Event(call, Kind.OPINION_MADE, TOPIC, call, {"opinion": one.number})
                self._ledger.record(scope, connection, event)
                return "opinions"


def _marks_of(one: Kept) -> set[str]:
    """The tombstones that would keep a row away."""
    if isinstance(one, Opinion):
        return {rules.view_mark(one.number, one.made_at)}
    marks = {rules.id_mark(one.id)}
    if isinstance(one, Turn):
        marks |= {rules.source_mark(one.whose, one.source, one.part), rules.all_mark(one.whose, one.source)}
    return marks


def _write(place: Path, text: str) -> None:
    """Write a file whole or not at all, for its owner alone."""
    part = place.with_name(f".{place.name}.part")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, _PRIVATE)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except OSError as error:
        raise _failed(place, "written", error) from error


def _text(place: Path) -> str:
    try:
        return place.read_bytes().decode("utf-8", "surrogatepass")
    except OSError as error:
        raise _failed(place, "read", error) from error
    except UnicodeDecodeError:
        raise InvalidInput(f"{place} is not a text in UTF-8.", not_done="Nothing was taken in.") from None


def _failed(place: Path, verb: str, error: OSError) -> Unavailable:
    return Unavailable(
        f"{place} could not be {verb}: {error.strerror}.",
        not_done="Nothing more was done.",
        next_step="Mend that, then do it again: it may be repeated.",
    )
