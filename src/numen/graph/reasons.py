"""Why a file or a definition is in the list, in a few words."""

from __future__ import annotations

from numen.graph.bm25 import Arm
from numen.graph.corpus import Corpus
from numen.graph.features import Voices
from numen.graph.query import Query

MOST_WORDS = 4
"""Words that one reason names, the most telling first."""

STRONG_PAST = 0.5
"""Share of the loudest past commit's vote from which a commit is worth naming."""


def node_reasons(corpus: Corpus, query: Query, voices: Voices, node: int) -> tuple[str, ...]:
    """What speaks for a node: named outright, words of its name, words of its text, a past commit."""
    reasons = ["named in the task"] if voices.nodes["literal"][node] > 0 else []
    in_name = _held(corpus.names, query, node)
    in_text = [word for word in _held(corpus.chunks, query, node) if word not in in_name]
    reasons += _listed("name", in_name) + _listed("text", in_text)
    return tuple(reasons + _past(corpus, voices, int(corpus.file_of_node[node])))


def file_reasons(corpus: Corpus, query: Query, voices: Voices, file: int) -> tuple[str, ...]:
    """What speaks for a file: named outright, words of its path, words of its text, a past commit."""
    reasons = ["named in the task"] if voices.files["literal"][file] > 0 else []
    in_path = _held(corpus.paths, query, file)
    in_text = [word for word in _held(corpus.files, query, file) if word not in in_path]
    reasons += _listed("path", in_path) + _listed("text", in_text)
    return tuple(reasons + _past(corpus, voices, file))


def _held(arm: Arm, query: Query, document: int) -> list[str]:
    found = [
        (-weight, word)
        for key, word, weight in zip(query.keys, query.words, arm.idf(query.keys).tolist(), strict=True)
        if arm.holding(key, document)
    ]
    return list(dict.fromkeys(word for _, word in sorted(found)))


def _listed(label: str, words: list[str]) -> list[str]:
    return [f"{label}: {', '.join(words[:MOST_WORDS])}"] if words else []


def _past(corpus: Corpus, voices: Voices, file: int) -> list[str]:
    """The commit that votes loudest for the file, where past commits speak for it at all clearly."""
    if corpus.past is None or voices.files["past_best"][file] < STRONG_PAST:
        return []
    commit = corpus.past.loudest(file, voices.commits)
    history = corpus.past.history
    return [f"past: {history.hashes[commit][:7]} {_short(history.subjects[commit])}"]


def _short(subject: str, limit: int = 48) -> str:
    return subject if len(subject) <= limit else f"{subject[: limit - 1].rstrip()}…"
