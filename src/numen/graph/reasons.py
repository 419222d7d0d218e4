"""Why a file or a definition is in the list, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from numen.graph.columns import F32
from numen.graph.corpus import Corpus
from numen.graph.features import Voices
from numen.graph.query import Query

MOST_WORDS = 4
"""Words that one reason names, the most telling first."""

STRONG_PAST = 0.5
"""Share of the loudest past commit's vote from which a commit is worth naming."""


Reasons = list[tuple[str, ...]]


def node_reasons(corpus: Corpus, query: Query, voices: Voices, nodes: Sequence[int]) -> Reasons:
    """What speaks for each node: named outright, words of its name, words of its text, a past commit."""
    files = [int(corpus.file_of_node[node]) for node in nodes]
    words = _worded(query, voices, nodes, "name", "chunk")
    outright = _named(voices.nodes["literal"], nodes)
    return [
        (*said, *word, *_past(corpus, voices, file))
        for said, word, file in zip(outright, words, files, strict=True)
    ]


def file_reasons(corpus: Corpus, query: Query, voices: Voices, files: Sequence[int]) -> Reasons:
    """What speaks for each file: named outright, words of its path, words of its text, a past commit."""
    words = _worded(query, voices, files, "path", "file")
    outright = _named(voices.files["literal"], files)
    return [
        (*said, *word, *_past(corpus, voices, file))
        for said, word, file in zip(outright, words, files, strict=True)
    ]


def _named(literal: F32, documents: Sequence[int]) -> list[list[str]]:
    return [["named in the task"] if literal[document] > 0 else [] for document in documents]


def _worded(query: Query, voices: Voices, documents: Sequence[int], first: str, rest: str) -> list[list[str]]:
    """The query's words that stand in the shorter arm, and those that stand in the longer one alone."""
    known, held = voices.asked[first].held(documents), voices.asked[rest].held(documents)
    reasons: list[list[str]] = []
    for document in documents:
        words = [query.words[place] for place in known[document]]
        more = [word for place in held[document] if (word := query.words[place]) not in words]
        reasons.append(_listed(first, words) + _listed("text", more))
    return reasons


def _listed(label: str, words: list[str]) -> list[str]:
    return [f"{label}: {', '.join(list(dict.fromkeys(words))[:MOST_WORDS])}"] if words else []


def _past(corpus: Corpus, voices: Voices, file: int) -> list[str]:
    """The commit that votes loudest for the file, where past commits speak for it at all clearly."""
    if corpus.past is None or voices.files["past_best"][file] < STRONG_PAST:
        return []
    commit = corpus.past.loudest(file, voices.commits)
    history = corpus.past.history
    return [f"past: {history.hashes[commit][:7]} {_short(history.subjects[commit])}"]


def _short(subject: str, limit: int = 48) -> str:
    return subject if len(subject) <= limit else f"{subject[: limit - 1].rstrip()}…"
