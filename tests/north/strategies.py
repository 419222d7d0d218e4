"""Values that the laws of north are tried on."""

from __future__ import annotations

from hypothesis import strategies as st

from numen.graph.types import FileClass, Hit, Node, NodeKind
from numen.north import CardFacts, Reception, State
from numen.north.types import Relation

words = st.text(st.characters(codec="utf-8"), max_size=90)
sentences = st.one_of(
    st.lists(st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=24), max_size=40).map(
        " ".join
    ),
    words,
)
paths = sentences.map(lambda text: "/" + text)

receptions = st.builds(
    Reception, relation=st.sampled_from(Relation), sentence=sentences, bound=paths, yours=paths
)

card_facts = st.builds(
    CardFacts,
    state=st.sampled_from(State),
    nodes=st.none() | st.integers(0, 10**60),
    focused=st.booleans(),
    memories=st.integers(0, 10**12),
    blocks=st.integers(0, 10**12),
    gap=sentences,
    move=sentences,
    bell=st.none() | sentences,
    coherence=st.none() | sentences,
    reception=st.none() | receptions,
    ascii=st.booleans(),
)


def node(path: str, name: str, kind: NodeKind = NodeKind.FUNCTION, line: int = 1) -> Node:
    """A node of `name` in `path`."""
    return Node(f"{path}::{name}", kind, path, name, line, line + 3, f"def {name}()", path)


nodes = st.builds(
    node, path=st.sampled_from(["a.py", "b.py", "c/d.py"]), name=st.sampled_from(["run", "stop", "go"])
)
hits = st.builds(
    Hit,
    node=nodes,
    file_class=st.just(FileClass.SOURCE),
    score=st.floats(allow_nan=True, allow_infinity=True),
    why=st.just(("names",)),
)
