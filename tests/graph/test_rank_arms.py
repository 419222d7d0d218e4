"""The arithmetic of ranking, against the plainest way to write it."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from numen.graph.bm25 import K1, Arm, B, top
from numen.graph.corpus import Spoken
from numen.graph.postings import Postings

documents = st.lists(st.lists(st.integers(1, 6), max_size=8), min_size=1, max_size=6)
keys = st.lists(st.integers(1, 9), max_size=5, unique=True)


def postings(texts: list[list[int]]) -> Postings:
    rows = [(doc, key, count) for doc, text in enumerate(texts) for key, count in Counter(text).items()]
    docs, found, counts = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
    return Postings.of(docs.astype(np.int32), found.astype(np.uint64), counts.astype(np.int32), len(texts))


def plain_idf(texts: list[list[int]], key: int) -> float:
    held = sum(key in text for text in texts)
    return log(1 + (len(texts) - held + 0.5) / (held + 0.5))


@given(documents, keys)
def test_scores_are_bm25(texts: list[list[int]], asked: list[int]) -> None:
    mean = sum(map(len, texts)) / len(texts)
    expected = [
        sum(
            plain_idf(texts, key)
            * text.count(key)
            * (K1 + 1)
            / (text.count(key) + K1 * (1 - B + B * (len(text) / mean if mean else 1)))
            for key in asked
        )
        for text in texts
    ]
    assert np.allclose(Arm(postings(texts)).ask(asked).scores(), expected, atol=1e-4)


@given(documents, st.dictionaries(st.integers(1, 9), st.integers(0, 4), max_size=5))
def test_a_document_meets_the_weights_of_the_keys_it_holds(
    texts: list[list[int]], asked: dict[int, int]
) -> None:
    answer = Arm(postings(texts)).ask(list(asked))
    weights = np.array(list(asked.values()), dtype=np.float32)
    assert answer.met(weights).tolist() == [sum(asked[key] for key in asked if key in text) for text in texts]
    assert answer.known.tolist() == [any(key in text for text in texts) for key in asked]
    held = answer.held(range(len(texts)))
    assert [{list(asked)[place] for place in held[i]} for i in range(len(texts))] == [
        set(asked) & set(text) for text in texts
    ]


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 10))
def test_the_best_come_first_and_ties_keep_their_order(scores: list[int], count: int) -> None:
    expected = sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], i))[
        :count
    ]
    assert top(np.array(scores, dtype=np.float32), count).tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), max_size=20).map(sorted))
def test_a_file_s_nodes_add_up_by_halves(nodes: list[tuple[int, int]]) -> None:
    owners = np.array([file for file, _ in nodes], dtype=np.int32)
    values = np.array([value for _, value in nodes], dtype=np.float32)
    by_file = {file: [value for owner, value in nodes if owner == file] for file in range(6)}
    spoken = Spoken(np.arange(len(nodes)), owners, 6)
    assert spoken.best(values).tolist() == [max(by_file[file], default=0) for file in range(6)]
    assert spoken.halving(values).tolist() == [
        sum(value / 2**i for i, value in enumerate(sorted(by_file[file], reverse=True)[:4]))
        for file in range(6)
    ]
    assert spoken.files.tolist() == [file for file in range(6) if by_file[file]]
    firsts = {
        file: next(i for i, row in enumerate(nodes) if row == (file, max(by_file[file]))) for file, _ in nodes
    }
    assert spoken.first(values).tolist() == sorted(firsts.values())
