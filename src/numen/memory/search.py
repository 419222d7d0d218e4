"""Finding rows of memory: by words, by their neighbours' words, by time, by who spoke, and by meaning.

SQL only says which rows a caller may see and where terms stand in them; scores are computed here from that,
so that both databases rank alike.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from numen.kernel import Scope, Unavailable
from numen.memory import meaning, ranking, rules
from numen.memory import search_tables as tables
from numen.memory.finding import Encoder, Found, Item, MakeEncoder, Scored, Sort, Texts
from numen.memory.fit import Fit, Near, Weights, recall_fit
from numen.memory.languages import FUNCTION_WORDS
from numen.memory.questions import Question, read_question
from numen.memory.ranking import Beside, Corpus, Field, Hits, Nearness
from numen.memory.signals import marks_of
from numen.memory.terms import days, folded, language, terms
from numen.memory.types import LONGEST_FOUND, Role
from numen.memory.wholes import Shelf, Wholes
from numen.store import ReadConnection, Store, WriteConnection

BY_WORDS = 150
"""Rows that are proposed for weighing by the words of their windows."""

_BY_PERSON = ("", str(Role.USER))
_POSITIONS = 1 << 22
_BATCH = 16
_SHELVES = 4
"""Callers whose view of the meanings is kept: 5 MB each at 10,000 rows."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a question's search saw: the candidates, by place, with what speaks for each of them. `tell` gives
    what speaks for an answer being here at all, when the candidates have these scores."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    scores: NDArray[np.float64]
    features: dict[str, NDArray[np.float64]]
    tell: Callable[[NDArray[np.float64]], dict[str, float]]
    weights: Weights | None
    named: bool
    searched: dict[str, int]
    degraded: tuple[str, ...]


class Search:
    """The index over turns and claims. Built with a store; takes no clock. Safe to use from many threads.

    `encoder` makes what tells meanings; without one only words count, and answers say so.
    """

    def __init__(self, store: Store, encoder: MakeEncoder | None = None, fit: Fit | None = None) -> None:
        self._store = store
        self._make = encoder
        self._fit = fit
        self._encoder: Encoder | None = None
        self._refused = ""
        self._lock = threading.Lock()
        self._shelves: dict[tuple[int, str, bool, tables.Filter, str], Shelf] = {}

    def add(self, scope: Scope, connection: WriteConnection, items: Sequence[Item]) -> None:
        """Make `items` findable, in the transaction that stores them. An id that is there is replaced."""
        for item in items:
            tables.put(connection, _row(item))

    def remove(self, scope: Scope, connection: WriteConnection, ids: Collection[str]) -> int:
        """Make rows unfindable with all that was derived of them; gives how many there were.

        No neighbour keeps a word of theirs, for none ever had one. The words leave the file for good with
        `Store.scrub`.
        """
        count = tables.drop(connection, ids)
        if count:
            tables.rewrite(connection)
        return count

    def find(
        self,
        scope: Scope,
        connection: ReadConnection,
        question: str,
        *,
        at: str,
        limit: int,
        kinds: Collection[Sort] = (),
        room: str | None = None,
        tier: str | None = None,
        brain: str | None = None,
    ) -> Found:
        """The rows that answer `question`, best first, or none. `at` is now, ISO in UTC ("last spring").

        Only rows that `scope` may see are looked at: the owner's are all, another's are their own and
        everyone's. Empty `kinds` means all; `room` (a digest), `tier` and `brain` narrow it further.
        """
        wanted = tables.Filter(tuple(kinds), room, tier, brain)
        sight = self.look(scope, connection, question, at, wanted)
        chance, floor = None, 0.0
        if sight.weights is not None:
            silence = sight.weights.named if sight.named else sight.weights.plain
            chance = ranking.chance(sight.tell(sight.scores), silence.weights)
            floor = 0.0 if _is_near(sight, silence.near) else silence.floor
        silent = not sight.ids or (chance is not None and chance < floor)
        order = np.argsort(-sight.scores, kind="stable")[: 0 if silent else max(limit, 0)]
        rows = tuple(
            Scored(sight.ids[i], Sort(sight.kinds[i]), float(sight.scores[i])) for i in map(int, order)
        )
        return Found(rows, silent, sight.searched, sight.degraded, chance)

    def look(
        self, scope: Scope, connection: ReadConnection, text: str, at: str, wanted: tables.Filter
    ) -> Sight:
        """Weigh what may answer `text`: the numbers behind `find`, which the benchmark fits."""
        census = tables.census(connection, scope, wanted)
        question = read_question(text[:LONGEST_FOUND], at, census.languages)
        voices = {voice for voice in census.voices if set(voice.split()) & set(question.names)}
        groups = _groups(question, {word for voice in voices for word in voice.split()})
        hits = _hits(tables.hits(connection, scope, wanted, {t for g in groups for t in g}), groups)
        corpus = Corpus(census.items, census.mean_length)
        proposed = ranking.proposals(hits, len(groups), corpus, BY_WORDS)
        degraded: list[str] = []
        asked, whole = None, None
        encoder = self._ready(degraded)
        if encoder is not None and text.strip():
            asked = encoder.encode([text])[0]
            whole = Wholes(self._shelf(scope, connection, wanted, encoder.model), asked)
            proposed = np.union1d(proposed, whole.proposals())
        searched = {"items": census.items, "weighed": 0, "embedded": 0 if whole is None else len(whole.n)}
        if whole is not None and len(whole.n) < census.items:
            degraded.append(f"meaning: {census.items - len(whole.n)} of {census.items} rows wait for it")
        around = (proposed[:, None] + np.arange(-ranking.REACH, ranking.REACH + 1)).ravel()
        rows = tables.near(connection, scope, wanted, np.unique(around).tolist())
        candidate = np.isin(rows.place, proposed)
        if not candidate.any():
            return _nothing(searched, degraded)
        searched["weighed"] = int(candidate.sum())
        said = _said(connection, rows, voices, question, scope)
        field = Field(rows.n, rows.place, rows.length, rows.words, rows.marks, said, candidate)
        near = None
        if asked is not None and whole is not None and 2 * len(whole.n) > census.items:
            names = {word for voice in voices for word in voice.split()}
            near = whole.nearness(rows, tables.part_vectors(connection, rows.n.tolist()), names)
        weights = self._weights(near is not None, encoder, degraded)
        called = tables.named(connection, rows.n[candidate].tolist())
        return _weighed(
            question, hits, groups, field, corpus, near, weights, bool(voices), called, searched, degraded
        )

    def embed_pending(self, texts: Texts, limit: int) -> int:
        """Give up to `limit` rows that have none a meaning, in small batches; how many got one.

        For a worker's thread, on nobody's behalf and shown to nobody: it reads, encodes outside any
        transaction, and writes. 0 when nothing waits or there is no model. Raises `Unavailable` when the
        model cannot be used.
        """
        if self._make is None:
            return 0
        with self._store.reading() as connection:  # a server with nothing to do does not load the model
            if not tables.waiting(connection, (self._fit or recall_fit()).model, 1):
                return 0
        encoder = self._made()
        done = 0
        while done < limit:
            with self._store.reading() as connection:
                waiting = tables.waiting(connection, encoder.model, min(_BATCH, limit - done))
                words = texts(connection, [row.id for row in waiting])
            if not waiting:
                return done
            meanings = encoder.encode([_told(row, words.get(row.id, "")) for row in waiting])
            with self._store.transaction() as connection:
                for row, found in zip(waiting, meanings, strict=True):
                    kept = meaning.telling(found, FUNCTION_WORDS.get(row.language, frozenset()))
                    whole = meaning.packed(found.whole[None])
                    tables.put_meaning(connection, row, encoder.model, whole, meaning.packed(kept))
            done += len(waiting)
        return done

    def _shelf(self, scope: Scope, connection: ReadConnection, wanted: tables.Filter, model: str) -> Shelf:
        """What a caller may see of the meanings: put together once, until one of any row changes."""
        key = (tables.meanings_revision(connection), rules.whose(scope), scope.is_owner, wanted, model)
        with self._lock:
            if key in self._shelves:
                return self._shelves[key]
        n, place, data = tables.whole_vectors(connection, scope, wanted, model)
        own = meaning.unpacked(data)
        shelf = Shelf(n, place, own, ranking.window_wholes(place, own))
        with self._lock:
            old = [each for each in self._shelves if each[0] < key[0]]
            for each in old or list(self._shelves)[: 1 - _SHELVES]:
                del self._shelves[each]
            self._shelves[key] = shelf
        return shelf

    def _ready(self, degraded: list[str]) -> Encoder | None:
        if self._make is None or self._refused:
            degraded.append(f"meaning: {self._refused or 'not installed'}")
            return None
        try:
            return self._made()
        except Unavailable as error:
            degraded.append(f"meaning: {error.what}")
            return None

    def _made(self) -> Encoder:
        """The encoder, made once; one that could not be made is not tried again in this process."""
        with self._lock:
            if self._encoder is None and self._make is not None and not self._refused:
                try:
                    self._encoder = self._make()
                except Unavailable as error:
                    self._refused = error.what
        if self._encoder is None:
            raise Unavailable(self._refused or "There is no model.")
        return self._encoder

    def _weights(self, by_meaning: bool, encoder: Encoder | None, degraded: list[str]) -> Weights | None:
        fit = self._fit or recall_fit()
        if not by_meaning:
            return fit.words
        assert encoder is not None
        if encoder.model == fit.model:
            return fit.meaning
        degraded.append(f"meaning: no weights for {encoder.model}")
        return fit.words


def _weighed(
    question: Question,
    hits: Hits,
    groups: Sequence[tuple[str, ...]],
    field: Field,
    corpus: Corpus,
    near: Nearness | None,
    weights: Weights | None,
    named: bool,
    called: Sequence[tuple[str, str]],
    searched: dict[str, int],
    degraded: list[str],
) -> Sight:
    beside = Beside(field.place)
    words = ranking.weigh_words(question, hits, len(groups), field, corpus, beside)
    found = ranking.features(question, field, words, near, beside)
    chosen = np.flatnonzero(field.candidate)
    features = {name: values[chosen] for name, values in found.items()}
    if weights is None:
        degraded.append("fit: missing")
        scores = features["win"]
    else:
        scores = ranking.weighed(features, weights.rank)
    return Sight(
        ids=tuple(identifier for identifier, _ in called),
        kinds=tuple(kind for _, kind in called),
        scores=scores,
        features=features,
        tell=partial(ranking.answerability, question, field, words, near, found, beside),
        weights=weights,
        named=named,
        searched=searched,
        degraded=tuple(degraded),
    )


def _nothing(searched: dict[str, int], degraded: list[str]) -> Sight:
    return Sight((), (), np.zeros(0), {}, _untold, None, False, searched, tuple(degraded))


def _row(item: Item) -> dict[str, object]:
    text = item.text[:LONGEST_FOUND]
    spoken = language(text)
    found = terms(text, spoken)
    return {
        "id": item.id,
        "kind": str(item.kind),
        "contact": item.contact,
        "audience": str(item.audience),
        "room": item.room,
        "place": _place(item),
        "voice": " ".join(folded(item.speaker)),
        "role": item.role,
        "tier": item.tier,
        "brain": item.brain,
        "language": spoken,
        "length": len(found),
        "words": len(text.split()),
        "marks": int(marks_of(text)),
        "terms": " ".join([*found, *days(item.occurred_at)]),
    }


def _place(item: Item) -> int:
    """A number in which rows of one session stand side by side, and rows of two far apart."""
    apart = item.id if item.session is None else f"{item.room}\0{item.session}"
    name = blake2b(apart.encode("utf-8", "surrogatepass"), digest_size=5).digest()
    lead = int.from_bytes(name, "big")
    position = 0 if item.session is None else item.position
    return lead * _POSITIONS + ranking.REACH + position % (_POSITIONS - 2 * ranking.REACH)


def _told(row: tables.Waiting, text: str) -> str:
    """A row as its meaning is made of: with who said it, for questions name people (R@10 .33 without, .46
    with)."""
    return f"{row.voice}: {text}" if row.voice else text


def _groups(question: Question, names: Collection[str]) -> list[tuple[str, ...]]:
    """What to look for: without the names of those who speak, unless there is nothing else; dates last."""
    subject = [group for group in question.groups if not set(group) & {*names, *_stems(names)}]
    return [*(subject or question.groups), *((date,) for date in question.dates)]


def _stems(names: Collection[str]) -> set[str]:
    return {term for name in names for term in terms(name, "english")}


def _hits(found: Sequence[tuple[str, int, int]], groups: Sequence[tuple[str, ...]]) -> Hits:
    """What was found by group, row and place; a term may be of several groups."""
    if not found:
        return Hits(*np.zeros((3, 0), np.int64))
    terms, numbers, places = zip(*found, strict=True)
    code = {term: i for i, term in enumerate(dict.fromkeys(terms))}
    which = np.fromiter(map(code.__getitem__, terms), np.int64, len(terms))
    member = np.zeros((len(groups), len(code)), np.bool_)
    for i, group in enumerate(groups):
        member[i, [code[term] for term in group if term in code]] = True
    group, chosen = np.nonzero(member[:, which])
    n, place = np.array(numbers, np.int64)[chosen], np.array(places, np.int64)[chosen]
    order = np.lexsort((place, n, group))
    return Hits(group[order], n[order], place[order])


def _said(
    connection: ReadConnection, rows: tables.Near, voices: Collection[str], question: Question, scope: Scope
) -> NDArray[np.int64]:
    """Whether each row is by the one person asked about: by name, or the asker ("I", "my")."""
    if len(voices) != 1 and (voices or not question.mine):
        return np.zeros(len(rows.n), np.int64)
    spoken = tables.spoken(connection, rows.n.tolist())
    if voices:
        is_theirs = [voice in voices for voice, _, _ in spoken]
    else:
        mine = rules.whose(scope)
        is_theirs = [contact == mine and role in _BY_PERSON for _, contact, role in spoken]
    return np.where(is_theirs, 1, -1).astype(np.int64)


def _is_near(sight: Sight, near: Near | None) -> bool:
    """Whether a row's meaning alone says that it is an answer."""
    if near is None or "cos" not in sight.features:
        return False
    nearest, rows = float(sight.features["cos"].max()), sight.searched["embedded"]
    return ranking.beyond_chance(nearest, rows, near.mean, near.deviation) > near.margin


def _untold(_: NDArray[np.float64]) -> dict[str, float]:
    return {}
