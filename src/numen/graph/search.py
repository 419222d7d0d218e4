"""The three questions that can be put to an index: rank, seek, impact. They read and change nothing."""

from __future__ import annotations

import os
import posixpath
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from threading import Lock

from numen.graph.answers import SPAN_LINES, Found, ImpactAnswer, SeekAnswer
from numen.graph.corpus import Corpus
from numen.graph.fit import Fit, localise_fit
from numen.graph.impact import impact
from numen.graph.rank import rank
from numen.graph.rules import text_of
from numen.graph.service import Graph
from numen.graph.snapshot import Snapshot
from numen.graph.types import Freshness, Hit, Ranking
from numen.kernel import InvalidInput, Scope

KEPT = 4
"""Snapshots whose ranking tables are kept in memory."""
MOST_RESULTS = 50
LONGEST_QUERY = 4000


class Search:
    """Asks the indexes of one `Graph`. Safe to share between threads."""

    def __init__(self, graph: Graph, fit: Fit | None = None) -> None:
        self._graph = graph
        self._fit = fit or localise_fit()
        self._corpora: OrderedDict[tuple[str, int], Corpus] = OrderedDict()
        self._lock = Lock()

    def rank(
        self, scope: Scope, snapshot: Snapshot, query: str, *, top_k: int, within: str | None = None
    ) -> Ranking:
        """The `top_k` nodes and files of `snapshot` that answer `query` best, in one pass.

        `within` is a folder or file, below the root or absolute. Freshness is not looked at.
        """
        del scope  # whoever may open the snapshot may rank it
        prefix = _prefix(snapshot, within)
        return rank(self._corpus(snapshot), query, self._fit, top_k=top_k, within=prefix)

    def seek(
        self,
        scope: Scope,
        path: Path | str,
        query: str,
        *,
        k: int = 10,
        within: str | None = None,
        budget_tokens: int | None = None,
    ) -> SeekAnswer:
        """The `k` (1 to 50) best nodes for `query` in the tree at `path`, with their text and freshness.

        No results, and a note why, where nothing in the tree has to do with the query. Raises
        `InvalidInput` for an empty or overlong query, `NotFound` where there is no index, `Unavailable`
        where it is damaged.
        """
        if not query.strip() or len(query) > LONGEST_QUERY:
            raise InvalidInput(
                "The query is empty."
                if not query.strip()
                else f"The query is over {LONGEST_QUERY} characters.",
                not_done="Nothing was searched.",
                next_step="Say in a sentence what you look for.",
            )
        snapshot = self._graph.open(scope, path)
        ranking = self.rank(scope, snapshot, query, top_k=max(1, min(k, MOST_RESULTS)), within=within)
        hits = ranking.hits if ranking.match != "none" else ()
        return SeekAnswer(
            query=query,
            match=ranking.match if hits else "none",
            found=tuple(self._found(snapshot, hit) for hit in hits),
            searched=ranking.searched,
            note="" if hits else self._silence(snapshot, within),
            budget_tokens=budget_tokens,
        )

    def impact(
        self,
        scope: Scope,
        path: Path | str,
        symbol: str,
        *,
        direction: str = "dependents",
        depth: int = 3,
        budget_tokens: int | None = None,
    ) -> ImpactAnswer:
        """What is affected when `symbol` changes, tests first; see `numen.graph.impact.impact`."""
        snapshot = self._graph.open(scope, path)
        answer = impact(self._corpus(snapshot), symbol, direction=direction, depth=depth)
        return replace(answer, budget_tokens=budget_tokens)

    def _corpus(self, snapshot: Snapshot) -> Corpus:
        key = (snapshot.brain.id, snapshot.generation)
        with self._lock:
            corpus = self._corpora.pop(key, None)
            if corpus is None or corpus.snapshot is not snapshot:
                corpus = Corpus(snapshot)
            self._corpora[key] = corpus
            while len(self._corpora) > KEPT:
                self._corpora.popitem(last=False)
        return corpus

    def _silence(self, snapshot: Snapshot, within: str | None) -> str:
        """Why there is no result."""
        prefix = _prefix(snapshot, within)
        if not len(snapshot.files):
            return "the index holds no file"
        if prefix is not None and not self._corpus(snapshot).under(prefix).any():
            return f"no file lies under {prefix}"
        return "nothing here has to do with this query"

    def _found(self, snapshot: Snapshot, hit: Hit) -> Found:
        freshness = self._graph.freshness(snapshot, hit.node.path)
        text = _span(snapshot.brain.root / hit.node.path, hit) if freshness is Freshness.FRESH else ""
        return Found(replace(hit, freshness=freshness), text)


def _prefix(snapshot: Snapshot, within: str | None) -> str | None:
    """`within` as a path below the root, without `./` and slashes at its ends; None for the whole tree."""
    if within is None or not within.strip():
        return None
    path = within.strip()
    if posixpath.isabs(path):
        path = posixpath.relpath(path, snapshot.brain.root.as_posix())
    path = posixpath.normpath(path)
    return None if path == "." else path


def _span(file: Path, hit: Hit) -> str:
    """The first lines of the hit, as they are on disk; empty when they cannot be read."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as stream:
            data = stream.read()
    except OSError:
        return ""
    lines = text_of(data)[0].split("\n")[hit.node.start - 1 : hit.node.end]
    return "\n".join(lines[:SPAN_LINES])
