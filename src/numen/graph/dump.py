"""The whole index as sorted lines of text: two indexes are the same if their dumps are."""

from __future__ import annotations

from collections.abc import Iterator

from numen.graph.columns import integers
from numen.graph.postings import Postings
from numen.graph.rows import EDGES
from numen.graph.snapshot import Snapshot
from numen.graph.types import Certainty
from numen.kernel import Json, canonical_text


def dump(snapshot: Snapshot) -> Iterator[str]:
    """One JSON array a line: files, nodes, edges, ambiguous references, postings of every arm, history."""
    yield from map(canonical_text, _rows(snapshot))


def _rows(snapshot: Snapshot) -> Iterator[Json]:
    files, nodes = snapshot.files, snapshot.nodes
    for i in range(len(files)):
        entry = files.entry(i)
        yield [
            "file", entry.path, entry.language, entry.file_class.value, entry.size, entry.digest, entry.lines,
            entry.problem,
        ]  # fmt: skip
    ids = [nodes.id(i) for i in range(len(nodes))]
    for i in range(len(nodes)):
        node = nodes.node(i)
        yield ["node", node.id, node.kind.value, node.name, node.start, node.end, node.signature, node.parent]
    edges = snapshot.edges
    for i in range(len(edges)):
        kind, certainty = EDGES[int(edges.kind[i])], Certainty(int(edges.certainty[i]))
        yield ["edge", ids[int(edges.source[i])], ids[int(edges.target[i])], kind.value, certainty.label]
    lost = snapshot.ambiguous
    for i in range(len(lost)):
        kind, name = EDGES[int(lost.kind[i])], int(lost.name_key[i])
        candidates = [ids[node] for node in integers(nodes.by_key(name))]
        source = ids[int(lost.source[i])]
        yield ["ambiguous", source, f"{name:016x}", kind.value, int(lost.count[i]), candidates]
    for arm, postings in sorted(snapshot.arms.items()):
        yield from _postings(arm, postings)
    yield ["passed", dict(sorted(snapshot.passed.items()))]
    history = snapshot.history
    if history is not None:
        yield ["history", history.head, history.shallow, len(history.widths)]
        signals = (history.changes, history.fixes, history.reverts, history.last_changed)
        columns = zip(history.paths, *(integers(column) for column in signals), strict=True)
        for path, changes, fixes, reverts, last in columns:
            yield ["signal", path, changes, fixes, reverts, last]
        yield from _postings("message", history.messages)


def _postings(arm: str, postings: Postings) -> Iterator[Json]:
    for doc, length in enumerate(postings.lengths.tolist()):
        yield ["length", arm, doc, length]
    starts = integers(postings.indptr)
    for i, key in enumerate(integers(postings.keys)):
        span = slice(starts[i], starts[i + 1])
        yield ["term", arm, f"{key:016x}", integers(postings.docs[span]), integers(postings.counts[span])]
