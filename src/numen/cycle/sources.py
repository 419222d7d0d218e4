"""Where a turn looks things up, and who says how things stand: memory, the code, people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from numen.cycle.types import Label, Passage, Signal
from numen.graph import Graph
from numen.graph import Search as CodeSearch
from numen.kernel import NotFound, Scope, iso
from numen.memory import Commitments, Memory
from numen.people.directory import Directory
from numen.store import Store

_NAMES = re.compile(r"\b[^\W\d_a-z][\w'’-]+(?:\s+[^\W\d_a-z][\w'’-]+)*")
"""What may be somebody's name: words that begin with a capital letter."""

MOST_NAMES = 4
"""Names of a question that are looked up (ours)."""


class MemorySource:
    """What was said and is known, as the caller may see it."""

    name = "memory"
    """As it is named in traces."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def find(self, scope: Scope, question: str, limit: int) -> Sequence[Passage]:
        """Quotes with who said them and when; words from the web keep their label."""
        rows = self._memory.recall(scope, question, limit=limit).rows
        return [
            Passage(
                self.name,
                row.id,
                f"{row.who}, {iso(row.when)[:10]}: {row.quote}",
                Label.WEB if row.taint else Label.MEMORY,
            )
            for row in rows
        ]


class CodeSource:
    """The definitions of the repository in which the caller stands, where it has an index."""

    name = "graph"
    """As it is named in traces."""

    def __init__(self, search: CodeSearch, place: Path) -> None:
        self._search = search
        self._place = place

    def find(self, scope: Scope, question: str, limit: int) -> Sequence[Passage]:
        """Definitions that match well; one that matches weakly would be a guess."""
        try:
            answer = self._search.seek(scope, self._place, question[:_LONGEST_QUERY], k=limit)
        except NotFound:
            return ()
        if answer.match != "strong":
            return ()
        return [Passage(self.name, one.hit.node.id, one.text, Label.TOOL) for one in answer.found if one.text]


class PeopleSource:
    """Who the people are that a question names, as far as the caller may know it."""

    name = "people"
    """As it is named in traces."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def find(self, scope: Scope, question: str, limit: int) -> Sequence[Passage]:
        """One line a person: for the owner with tier and what is remembered in short."""
        found: dict[str, Passage] = {}
        for name in dict.fromkeys(_NAMES.findall(question)[:MOST_NAMES]):
            try:
                people = self._directory.who(scope, name)
            except NotFound:
                continue
            for one in people[:limit]:
                known = (
                    f", {one.trust_tier}{f': {one.digest}' if one.digest else ''}" if scope.is_owner else ""
                )
                found[one.id] = Passage(self.name, one.id, f"{one.display_name}{known}", Label.MEMORY)
        return list(found.values())[:limit]


class Promises:
    """How many promises are open, and how many of them late."""

    def __init__(self, commitments: Commitments) -> None:
        self._commitments = commitments

    def read(self, scope: Scope) -> Sequence[Signal]:
        """Those that the caller may see."""
        rows = self._commitments.pending(scope)
        late = sum(str(row.state) == "overdue" for row in rows)
        source = "memory.commitments"
        return (Signal("commitments_open", len(rows), source), Signal("commitments_late", late, source))


class Doubts:
    """How many claims contradict each other, and how often the person corrected us."""

    def __init__(self, memory: Memory, store: Store) -> None:
        self._memory = memory
        self._store = store

    def read(self, scope: Scope) -> Sequence[Signal]:
        """Contradictions are the owner's alone to know."""
        with self._store.reading() as connection:
            pairs = self._memory.doubts(scope, connection, MOST_COUNTED)
            corrections = self._memory.corrections(scope, connection)
        source = "memory.claims"
        return (Signal("contradictions", len(pairs), source), Signal("corrections", corrections, source))


class Staleness:
    """How many files of the repository have changed since they were indexed."""

    def __init__(self, graph: Graph, place: Path) -> None:
        self._graph = graph
        self._place = place

    def read(self, scope: Scope) -> Sequence[Signal]:
        """Nothing where there is no index."""
        try:
            drift = self._graph.drift(self._graph.open(scope, self._place))
        except NotFound:
            return ()
        return (Signal("stale_files", len(drift.changed) + len(drift.added) + len(drift.removed), "graph"),)


MOST_COUNTED = 100
"""Contradictions that are counted (ours: more are a hundred)."""

_LONGEST_QUERY = 1_000
"""Characters of a question that code is looked up by (ours: what is longer is text, and names no code)."""
