"""What the index of a working tree is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from pathlib import Path


class FileClass(StrEnum):
    """How a file is treated: only `source`, `test` and `document` files are ranked at full weight."""

    SOURCE = "source"
    TEST = "test"
    DOCUMENT = "document"
    CONFIG = "config"
    GENERATED = "generated"
    VENDORED = "vendored"
    MINIFIED = "minified"
    BINARY = "binary"
    OVERSIZED = "oversized"


class NodeKind(StrEnum):
    """What a node of the graph is."""

    FILE = "file"
    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    TYPE = "type"
    FUNCTION = "function"
    METHOD = "method"
    TEST = "test"
    SECTION = "section"


class EdgeKind(StrEnum):
    """What an edge of the graph says: source `contains`, `imports`, `calls`, ... target."""

    CONTAINS = "contains"
    IMPORTS = "imports"
    CALLS = "calls"
    INHERITS = "inherits"
    REFERENCES = "references"
    TESTS = "tests"
    CO_CHANGES = "co-changes"


class Certainty(IntEnum):
    """How an edge was established, surest first. An ambiguous reference is kept, but is never an edge."""

    EXACT = 0
    IMPORT_RESOLVED = 1
    UNIQUE_NAME = 2
    AMBIGUOUS = 3

    @property
    def label(self) -> str:
        """The word the outside sees: `exact`, `import-resolved`, `unique-name`, `ambiguous`."""
        return self.name.lower().replace("_", "-")


class Freshness(StrEnum):
    """Whether a span on disk is what was indexed, looked at when the answer is made."""

    FRESH = "fresh"
    CHANGED = "changed"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of the tree. `path` is relative, POSIX-style; `digest` is the SHA-256 of its bytes in hex."""

    path: str
    language: str
    file_class: FileClass
    size: int
    mtime_ns: int
    digest: str
    lines: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One thing that can be pointed at.

    `id` is `path::Qualified.name`, with `#2` on a clash; a file's id is its path.
    Lines are 1-based and inclusive. `parent` is the id of the node that holds it, None for a file.
    """

    id: str
    kind: NodeKind
    path: str
    name: str
    start: int
    end: int
    signature: str
    parent: str | None


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` stands in the relation `kind` to `target` (node ids)."""

    source: str
    target: str
    kind: EdgeKind
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class BrainId:
    """Which working tree an index belongs to: `id` is drawn from git's common dir and the worktree's path."""

    id: str
    root: Path
    branch: str | None
    commit: str | None
    remote: str | None
    is_git: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked node.

    `score` is in 0..1 and comparable inside one answer only; `why` names what spoke for it.
    """

    node: Node
    file_class: FileClass
    score: float
    why: tuple[str, ...]
    freshness: Freshness = Freshness.UNKNOWN


@dataclass(frozen=True, slots=True)
class Ranking:
    """The one scored list of a query: everything that north, seek, anchors and sufficiency say comes from it.

    `signals` holds the abstention signals (name -> value); `match` is `strong`, `weak` or `none`.
    """

    query: str
    hits: tuple[Hit, ...]
    files: tuple[Hit, ...]
    match: str
    signals: dict[str, float] = field(default_factory=dict)
    searched: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did, in counts.

    `problems` are (path, sentence) pairs; `skipped` counts files by class.
    """

    brain: BrainId
    files: int
    parsed: int
    removed: int
    nodes: int
    edges: int
    ambiguous: int
    seconds: float
    skipped: dict[str, int]
    problems: tuple[tuple[str, str], ...]
    full: bool


class IndexCondition(StrEnum):
    """Whether there is an index to answer from."""

    ABSENT = "absent"
    EMPTY = "empty"
    READY = "ready"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class IndexState:
    """The condition of an index; `reason` is a sentence when it is not ready, else empty."""

    condition: IndexCondition
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TreeDrift:
    """How a tree differs from its index, by size and times of its files; paths sorted."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    head_moved: bool

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed or self.head_moved)
