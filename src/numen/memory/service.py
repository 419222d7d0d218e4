"""Keeping what was said and what is so, and recalling it: each row only to whom it belongs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from numen.kernel import (
    Audience,
    Clock,
    Forbidden,
    InvalidInput,
    Json,
    Scope,
    canonical_bytes,
    from_iso,
    iso,
    tokens,
)
from numen.ledger import Event, Kind, Ledger
from numen.memory import claim_tables, commitments, evidence, extraction, rules, tables, view_tables
from numen.memory.finding import Item, Sort
from numen.memory.search import Search
from numen.memory.types import (
    DEFAULT_BUDGET,
    LONGEST_FOUND,
    MOST_ROWS,
    Claim,
    ClaimState,
    ClaimTier,
    CommitmentState,
    Confidence,
    Evidence,
    EvidenceKind,
    Exchange,
    Freshness,
    Message,
    NewClaim,
    Origin,
    Outcome,
    Recalled,
    Receipt,
    Remembered,
    Role,
    Row,
    Turn,
    TurnConflict,
)
from numen.secrets import Secrets
from numen.store import ReadConnection, Store, WriteConnection

ASSISTANT = "assistant"
"""The speaker of the agent's own words."""

TOPIC = "memory"
"""The stream of memory's events, and what those watch in the store who must know of every change."""


class Names(Protocol):
    """Knows what people are called, and where their clocks stand."""

    def names(self, connection: ReadConnection, viewers: Collection[str]) -> Mapping[str, str]:
        """What the people of these ids are called; who is not known is left out."""
        ...

    def zone(self, connection: ReadConnection, viewer: str) -> str:
        """The time zone in which this person's words are meant, by its IANA name."""
        ...

    def relationship(self, connection: ReadConnection, viewer: str) -> Sequence[str]:
        """What may be told, in this person's own session, of how they are known; nothing of a stranger."""
        ...


class Memory:
    """Turns and claims. What it keeps was sealed first; what it gives is the caller's to see."""

    def __init__(
        self, store: Store, ledger: Ledger, clock: Clock, secrets: Secrets, search: Search, names: Names
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._secrets = secrets
        self._search = search
        self._names = names

    def doubts(self, scope: Scope, connection: ReadConnection, limit: int) -> tuple[tuple[Claim, Claim], ...]:
        """Pairs of claims that cannot both hold, in a read that is open; none for anyone but the owner."""
        return claim_tables.conflicting(connection, limit) if scope.is_owner else ()

    def corrections(self, scope: Scope, connection: ReadConnection) -> int:
        """How often the caller has corrected what was answered, in a read that is open."""
        own = claim_tables.profile(connection, rules.whose(scope))
        return sum(one.predicate == extraction.CORRECTION for one in own)

    def gone(self, scope: Scope, connection: ReadConnection, ids: Collection[str]) -> frozenset[str]:
        """Those of these ids of claims and commitments that are not kept any more, in a read that is open."""
        del scope
        kept = set(claim_tables.claims_of(connection, ids))
        kept |= {one for one in ids if view_tables.commitment(connection, one) is not None}
        return frozenset(ids) - kept

    def keep(self, scope: Scope, exchange: Exchange) -> Receipt:
        """Keep a turn, durably before this returns, with what its words say of people and promises.

        The same turn again changes nothing; one that was forgotten is kept nowhere. Raises `TurnConflict` for
        a known id with other words, `InvalidInput` for a name of a wrong size.
        """
        rules.check_name("session", exchange.session)
        source = exchange.source or self._store.ids.new("source")
        rules.check_name("turn's id", source)
        sealed = [self._sealed(scope, message) for message in exchange.messages]
        row_whose = rules.whose(scope)
        digests = {part: rules.message_digest(one.role, one.text) for part, one in enumerate(sealed)}
        marks = {rules.source_mark(row_whose, source, part): part for part in digests}
        whole = rules.all_mark(row_whose, source)
        with self._store.transaction() as connection:
            tables.lock_memory(connection)
            before = tables.before(connection, row_whose, source, exchange.session, {*marks, whole})
            known = before.known
            if any(part in known and known[part][1] != mark for part, mark in digests.items()):
                raise TurnConflict(
                    "A turn of this id is kept with other words.",
                    not_done="Nothing was changed.",
                    next_step="Send the turn under an id of its own.",
                )
            if whole in before.gone:
                return Receipt(replayed=True, erased=True)
            held = {part for mark, part in marks.items() if mark in before.gone} | known.keys()
            if exchange.checkpoint:
                held |= self._repeated(connection, row_whose, exchange.session, sealed, digests)
            fresh = {part: one for part, one in enumerate(sealed) if part not in held and one.text.strip()}
            if not fresh:
                ids = tuple(identifier for identifier, _ in known.values())
                return Receipt(ids, replayed=True, erased=bool(before.gone))
            return self._keep(scope, connection, exchange, source, fresh, digests, before.last)

    def remember(self, scope: Scope, new: NewClaim) -> Remembered:
        """Keep a claim, or say why not; what it met stays visible.

        Whoever is not the owner keeps it for themselves and the owner, tainted, and no better than stated.
        Raises `InvalidInput` for evidence that is not there.
        """
        sealed = self._secrets.seal(scope, rules.unfenced(new.text).strip())
        reason = rules.refusal(new, sealed.text, sealed.withheld)
        if reason is not None:
            return Remembered(Outcome.REFUSED, reason=reason)
        claim = replace(
            new,
            text=sealed.text,
            subject=self._secrets.seal(scope, new.subject.strip()).text,
            predicate=new.predicate.strip().casefold(),
            value=self._secrets.seal(scope, new.value.strip()).text,
            evidence=tuple(evidence.attested(one, self._clock.now()) for one in new.evidence),
        )
        if not scope.is_owner:
            confidence = max(claim.confidence, Confidence.STATED, key=list(Confidence).index)
            claim = replace(claim, audience=Audience.OWNER, confidence=confidence, taint=True)
        with self._store.transaction() as connection:
            tables.lock_memory(connection)
            self._check_turns(scope, connection, claim.evidence)
            return self._settle(scope, connection, claim, scope.viewer, is_found=True)

    def retract(self, scope: Scope, identifier: str) -> Claim:
        """Say that a claim does not hold; it stays to be seen, and is recalled no more.

        Raises `NotFound` where there is none that the caller may change.
        """
        with self._store.transaction() as connection:
            claim = self._own(scope, connection, identifier)
            claim_tables.set_state(connection, claim, ClaimState.RETRACTED)
            self._search.remove(scope, connection, [claim.id])
            self._changed(scope, connection, claim.id, state=str(ClaimState.RETRACTED))
        return replace(claim, state=ClaimState.RETRACTED)

    def promote(self, scope: Scope, identifier: str) -> Claim:
        """Let a project's claim go with its owner everywhere; it keeps the project that it came from.

        Raises `NotFound` as `retract` does, and `Forbidden` unless a person does it, or the claim is verified
        and the lines that it rests on are as they were.
        """
        with self._store.transaction() as connection:
            claim = self._own(scope, connection, identifier)
            if not (rules.is_person(scope) or rules.is_proven(claim, evidence.freshness(claim.evidence))):
                raise Forbidden(
                    "Only a person may promote a claim that is not proven.",
                    not_done="The claim stays in its project.",
                    next_step="Verify it with evidence that still stands, or let the owner promote it.",
                )
            if claim.tier is not ClaimTier.MEDULLA:
                claim_tables.set_tier(connection, claim, ClaimTier.MEDULLA, claim.brain)
                self._changed(scope, connection, claim.id, tier=str(ClaimTier.MEDULLA))
            claim = replace(claim, tier=ClaimTier.MEDULLA)
            if str(claim.state) in claim_tables.LIVE:
                self._search.add(scope, connection, [self._claim_item(connection, claim)])
        return claim

    def claims(self, scope: Scope, ids: Collection[str]) -> Mapping[str, Claim]:
        """Claims by id that the caller may see."""
        with self._store.reading() as connection:
            found = claim_tables.claims_of(connection, ids)
        return {key: one for key, one in found.items() if rules.visible(scope, one.whose, one.audience)}

    def recall(
        self,
        scope: Scope,
        question: str,
        *,
        budget_tokens: int = DEFAULT_BUDGET,
        limit: int = MOST_ROWS,
        room: str | None = None,
        tier: str | None = None,
        brain: str | None = None,
        kinds: Collection[Sort] = (),
    ) -> Recalled:
        """What is remembered of `question` that the caller may see, best first, within the budget.

        Whoever asks what is known of them gets their own profile first. Writes nothing. `room`, `tier` and
        `brain` narrow it, `kinds` says whether turns or claims are wanted.
        """
        if not question.strip():
            raise InvalidInput("A question has words.", not_done="Nothing was searched.")
        with self._store.reading() as connection:
            found = self._search.find(
                scope,
                connection,
                question,
                at=iso(self._clock.now()),
                limit=min(limit, MOST_ROWS),
                kinds=kinds,
                room=room,
                tier=tier,
                brain=brain,
            )
            rows: list[Row] = []
            if rules.asks_for_self(question) and not kinds:
                rows = self._rows(scope, connection, self._profile(scope, connection))
            known = {row.id for row in rows}
            turns = tables.turns_of(connection, [one.id for one in found.rows if one.kind is Sort.TURN])
            claims = claim_tables.claims_of(
                connection, [one.id for one in found.rows if one.kind is Sort.CLAIM]
            )
            loaded = {**turns, **claims}
            best = [loaded[one.id] for one in found.rows if one.id in loaded and one.id not in known]
            rows += self._rows(scope, connection, best)
        count = rules.fitting([tokens(canonical_bytes(row.as_json())) for row in rows], budget_tokens)
        searched: dict[str, Json] = dict(found.searched)
        return Recalled(tuple(rows[:count]), not rows, searched, found.degraded, len(rows) - count)

    def profile(self, scope: Scope) -> tuple[Row, ...]:
        """What the caller has said of themselves and of those about them, oldest first."""
        with self._store.reading() as connection:
            return tuple(self._rows(scope, connection, self._profile(scope, connection)))

    def sources(self, scope: Scope, ids: Sequence[str]) -> Sequence[Mapping[str, Json]]:
        """By what rows can be named outside: `source_id`, `source_version`, and the promises made in them."""
        with self._store.reading() as connection:
            turns = tables.turns_of(connection, ids)
            claims = claim_tables.claims_of(connection, ids)
            promised = view_tables.of_turns(connection, turns.keys())
        owed = {one.turn: one.id for one in promised}
        refs: list[Mapping[str, Json]] = []
        for key in ids:
            turn, claim = turns.get(key), claims.get(key)
            if turn is not None and rules.visible(scope, turn.whose, turn.audience):
                named: dict[str, Json] = {"source_id": turn.source, "source_version": turn.digest, "id": key}
                refs.append(named if key not in owed else named | {"claim_id": owed[key]})
            elif claim is not None and rules.visible(scope, claim.whose, claim.audience):
                version = rules.claim_digest(claim.text)
                refs.append({"source_id": key, "source_version": version, "id": key, "claim_id": key})
        return refs

    def deadline(self, scope: Scope, source: str, version: str, promise: str) -> Mapping[str, Json] | None:
        """When an open promise is due that stands in a turn of that name and version; else None."""
        with self._store.reading() as connection:
            one = view_tables.commitment(connection, promise)
            turns = {} if one is None or one.turn is None else tables.turns_of(connection, [one.turn])
        turn = next(iter(turns.values()), None)
        if one is None or turn is None or one.due_at is None or one.state is not CommitmentState.PENDING:
            return None
        if not rules.visible(scope, one.whose, turn.audience) or (turn.source, turn.digest) != (
            source,
            version,
        ):
            return None
        return {
            "deadline_at": one.due_at.astimezone(ZoneInfo(one.timezone)).isoformat(),
            "subject": str(one.who),
            "predicate": "owes",
            "value": one.what,
        }

    def texts(self, connection: ReadConnection, ids: Sequence[str]) -> Mapping[str, str]:
        """The words of rows by id, for the search, which keeps none."""
        turns = {key: one.text[:LONGEST_FOUND] for key, one in tables.turns_of(connection, ids).items()}
        return turns | {key: one.text for key, one in claim_tables.claims_of(connection, ids).items()}

    def _sealed(self, scope: Scope, message: Message) -> Message:
        return replace(message, text=self._secrets.seal(scope, rules.unfenced(message.text)).text)

    def _repeated(
        self,
        connection: WriteConnection,
        row_whose: str,
        session: str,
        sealed: Sequence[Message],
        digests: Mapping[int, str],
    ) -> set[int]:
        """The parts of a checkpoint that are kept already, or were forgotten."""
        said = tables.said_in_session(connection, row_whose, session, digests.values())
        marks = {
            part: rules.words_mark(row_whose, session, one.role, one.text) for part, one in enumerate(sealed)
        }
        gone = tables.marked(connection, set(marks.values()))
        return {part for part in marks if digests[part] in said or marks[part] in gone}

    def _keep(
        self,
        scope: Scope,
        connection: WriteConnection,
        exchange: Exchange,
        source: str,
        fresh: Mapping[int, Message],
        digests: Mapping[int, str],
        last: int,
    ) -> Receipt:
        row_whose, now = rules.whose(scope), from_iso(iso(self._clock.now()))
        occurred = now if exchange.occurred_at is None else from_iso(iso(exchange.occurred_at))
        room = scope.room.digest()
        turns = [
            Turn(
                self._store.ids.new("turn"),
                row_whose,
                source,
                part,
                digests[part],
                exchange.session,
                last + place,
                room,
                one.role,
                rules.origin_of(one),
                scope.viewer if one.role is Role.USER else ASSISTANT,
                Audience.OWNER,
                one.text,
                exchange.model,
                occurred,
                now,
            )
            for place, (part, one) in enumerate(fresh.items(), 1)
        ]
        tables.add_turns(connection, turns)
        items = self._items(connection, turns)
        if items:
            self._search.add(scope, connection, items)
        made: list[str] = []
        promised: list[str] = []
        for turn in turns:
            if turn.role is Role.USER and turn.origin is Origin.PERSON:
                self._heed(scope, connection, turn, made, promised)
        ids = tuple(turn.id for turn in turns)
        event = f"{Kind.TURN_KEPT}:{ids[0]}"
        payload: dict[str, Json] = {"turns": ids, "claims": len(made), "commitments": len(promised)}
        self._ledger.record(scope, connection, Event(event, Kind.TURN_KEPT, TOPIC, ids[0], payload))
        return Receipt(ids, claims=tuple(made), commitments=tuple(promised))

    def _heed(
        self, scope: Scope, connection: WriteConnection, turn: Turn, made: list[str], promised: list[str]
    ) -> None:
        """Keep what a person's words plainly say: of themselves, of a promise, that something was wrong."""
        if rules.is_touched(turn.text) or not extraction.may_say(turn.text):
            return
        zone = self._names.zone(connection, scope.viewer)
        said = extraction.said(turn.text, turn.occurred_at, zone)
        resting = (Evidence(EvidenceKind.TURN, turn.id, at=turn.occurred_at),)
        for fact in said.facts:
            claim = NewClaim(
                fact.sentence,
                fact.subject or rules.SELF,
                fact.predicate,
                fact.value,
                Confidence.STATED,
                evidence=resting,
                taint=not scope.is_owner,
            )
            kept = self._settle(scope, connection, claim, rules.WORDS, is_found=False)
            if kept.claim is not None and kept.outcome is not Outcome.DUPLICATE_OF:
                made.append(kept.claim)
        for promise in said.promises:
            kept_id = commitments.keep(
                scope, connection, self._ledger, self._store.ids, promise, zone, turn, self._clock.now()
            )
            if kept_id is not None:
                promised.append(kept_id)

    def _settle(
        self, scope: Scope, connection: WriteConnection, new: NewClaim, author: str, *, is_found: bool
    ) -> Remembered:
        """Keep a claim beside those that are there. `is_found`: it is searched, and not only its turn is."""
        row_whose, about = rules.whose(scope), rules.folded(new.subject)
        near = claim_tables.claims_near(connection, row_whose, rules.near_digest(new.text))
        rivals = claim_tables.claims_about(connection, row_whose, about, new.predicate, new.brain)
        stands = rules.standing(new, new.text, near, rivals)
        other = stands.other
        if stands.outcome is Outcome.DUPLICATE_OF and other is not None:
            fresh = [
                one
                for one in new.evidence
                if (one.ref, one.digest) not in {(e.ref, e.digest) for e in other.evidence}
            ]
            claim_tables.add_evidence(
                connection, other.id, claim_tables.next_evidence(connection, other.id), fresh
            )
            return Remembered(Outcome.DUPLICATE_OF, other.id, other.id)
        now = from_iso(iso(self._clock.now()))
        claim = Claim(
            self._store.ids.new("claim"),
            row_whose,
            new.audience,
            new.text,
            new.subject,
            new.predicate,
            new.value,
            new.confidence,
            stands.state,
            new.tier,
            new.brain,
            author,
            new.taint,
            new.pinned,
            now,
            new.valid_from,
            new.valid_to,
            new.evidence,
        )
        digest, words = rules.claim_digest(claim.text), rules.near_digest(claim.text)
        claim_tables.add_claim(connection, claim, digest, words, about)
        if is_found:
            self._search.add(scope, connection, [self._claim_item(connection, claim)])
        payload: dict[str, Json] = {"claim": claim.id, "outcome": str(stands.outcome)}
        if other is not None and stands.other_state is not None:
            claim_tables.relate(connection, claim.id, other.id, str(stands.outcome))
            claim_tables.set_state(connection, other, stands.other_state)
            if stands.other_state is ClaimState.SUPERSEDED:
                self._search.remove(scope, connection, [other.id])
            payload["other"] = other.id
        event = f"{Kind.CLAIM_MADE}:{claim.id}"
        self._ledger.record(scope, connection, Event(event, Kind.CLAIM_MADE, TOPIC, claim.id, payload))
        return Remembered(stands.outcome, claim.id, None if other is None else other.id)

    def _check_turns(self, scope: Scope, connection: ReadConnection, resting: Sequence[Evidence]) -> None:
        """Raises `InvalidInput` for a turn that is not there or not the caller's, in the same words."""
        wanted = {one.ref for one in resting if one.kind is EvidenceKind.TURN}
        found = tables.turns_of(connection, wanted)
        seen = {key for key, one in found.items() if rules.visible(scope, one.whose, one.audience)}
        if wanted - seen:
            raise InvalidInput(
                "There is no such turn to rest on.", not_done="Nothing was kept.", next_step="Check the id."
            )

    def _own(self, scope: Scope, connection: ReadConnection, identifier: str) -> Claim:
        claim = claim_tables.claims_of(connection, [identifier]).get(identifier)
        if claim is None or not (scope.is_owner or claim.whose == rules.whose(scope)):
            raise self._store.absence(identifier, "claim")
        return claim

    def _changed(self, scope: Scope, connection: WriteConnection, claim: str, **what: Json) -> None:
        call = self._store.ids.new("change")
        event = Event(call, Kind.CLAIM_CHANGED, TOPIC, call, {"claim": claim, **what})
        self._ledger.record(scope, connection, event)

    def _items(self, connection: ReadConnection, turns: Sequence[Turn]) -> list[Item]:
        """Messages as search takes them in; bookkeeping is not."""
        found = [turn for turn in turns if turn.origin in rules.RECALLABLE]
        names = self._names.names(connection, {turn.speaker for turn in found})
        return [turn_item(turn, names) for turn in found]

    def _claim_item(self, connection: ReadConnection, claim: Claim) -> Item:
        names = self._names.names(connection, {claim.author})
        return claim_item(claim, names)

    def _profile(self, scope: Scope, connection: ReadConnection) -> list[Turn | Claim]:
        return [
            claim
            for claim in claim_tables.profile(connection, rules.whose(scope))
            if claim.predicate != extraction.CORRECTION
        ]

    def _rows(self, scope: Scope, connection: ReadConnection, found: Sequence[Turn | Claim]) -> list[Row]:
        """Rows to show, of those that `scope` may see; a claim says how its evidence stands now."""
        seen = [one for one in found if rules.visible(scope, one.whose, one.audience)]
        speakers = {one.speaker if isinstance(one, Turn) else one.author for one in seen}
        whose = {one.whose for one in seen}
        names = self._names.names(connection, speakers | whose)
        met = claim_tables.related(connection, [one.id for one in seen if isinstance(one, Claim)])
        return [_row(one, names, met.get(one.id, [])) for one in seen]


def turn_item(turn: Turn, names: Mapping[str, str]) -> Item:
    """A message as search takes it in. One from the future counts as said when it was kept."""
    return Item(
        turn.id,
        Sort.TURN,
        turn.whose,
        turn.audience,
        turn.room,
        turn.text[:LONGEST_FOUND],
        iso(min(turn.occurred_at, turn.recorded_at)),
        turn.session,
        turn.position,
        names.get(turn.speaker, ""),
        turn.role,
    )


def claim_item(claim: Claim, names: Mapping[str, str]) -> Item:
    """A claim as search takes it in: its subject can be asked for too."""
    subject = "" if rules.folded(claim.subject) in rules.folded(claim.text) else f"{claim.subject}: "
    return Item(
        claim.id,
        Sort.CLAIM,
        claim.whose,
        claim.audience,
        "",
        subject + claim.text,
        iso(claim.created_at),
        speaker=names.get(claim.author, ""),
        tier=claim.tier,
        brain=claim.brain,
    )


def _row(one: Turn | Claim, names: Mapping[str, str], met: Sequence[tuple[str, str]]) -> Row:
    if isinstance(one, Turn):
        who = _called(one.speaker, names)
        return Row(one.id, one.text, who, one.occurred_at, (one.source,), Freshness.SAID, taint=_web(one))
    return Row(
        one.id,
        one.text,
        _called(one.whose if one.author == rules.WORDS else one.author, names),
        _said_at(one),
        tuple(each.ref for each in one.evidence),
        evidence.freshness(one.evidence),
        one.state,
        tuple(f"{kind} {other}" for kind, other in met),
        one.taint,
    )


def _called(speaker: str, names: Mapping[str, str]) -> str:
    """What somebody is called: their name, else what they are to us, never an id."""
    if speaker in {ASSISTANT, rules.OWNER}:
        return speaker
    return names.get(speaker, "an agent" if speaker.startswith("key_") else "someone")


def _said_at(claim: Claim) -> datetime:
    """When it was said, where it was taken from words; else when it was written down."""
    said = [one.at for one in claim.evidence if one.kind is EvidenceKind.TURN and one.at is not None]
    return said[0] if said else claim.created_at


def _web(turn: Turn) -> bool:
    return turn.origin is Origin.WEB
