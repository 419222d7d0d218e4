"""Why a file or a definition is in the list, in a few words."""

from __future__ import annotations

from numen.graph.corpus import Corpus
from numen.graph.features import Voices
from numen.graph.query import Query

MOST_WORDS = 4
"""Words that one reason names, the most telling first."""

STRONG_PAST = 0.5
"""Share of the loudest past commit's vote from which a commit is worth naming."""


def node_reasons(corpus: Corpus, query: Query, voices: Voices, node: int) -> tuple[str, ...]:
    """What speaks for a node: named outright, words of its name, words of its text, a past commit."""
    named = bool(voices.nodes["literal"][node] > 0)
    words = _worded(query, voices, node, "name", "chunk")
    return (*_named(named), *words, *_past(corpus, voices, int(corpus.file_of_node[node])))


def file_reasons(corpus: Corpus, query: Query, voices: Voices, file: int) -> tuple[str, ...]:
    """What speaks for a file: named outright, words of its path, words of its text, a past commit."""
    named = bool(voices.files["literal"][file] > 0)
    words = _worded(query, voices, file, "path", "file")
    return (*_named(named), *words, *_past(corpus, voices, file))


def _named(outright: bool) -> list[str]:
    return ["named in the task"] if outright else []


def _worded(query: Query, voices: Voices, document: int, first: str, rest: str) -> list[str]:
    """The query's words that stand in the shorter arm, and those that stand in the longer one alone."""
    known = [query.words[place] for place in voices.asked[first].held(document)]
    more = [query.words[place] for place in voices.asked[rest].held(document)]
    return _listed(first, known) + _listed("text", [word for word in more if word not in known])


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
