"""From files to rows: what a worker does with a handful of files, and all that it hands back."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from numen.graph.columns import I32, Rows, Texts
from numen.graph.parse import FAMILIES, NO_FAMILY, family_of, read
from numen.graph.parse.facts import Definition, Facts, file_definition
from numen.graph.postings import Postings
from numen.graph.rows import (
    CLASS_NUMBER,
    AliasRows,
    FileRows,
    ImportRows,
    NodeRows,
    ReferenceRows,
    alias_rows,
    import_rows,
    key_of,
    node_rows,
    reference_rows,
)
from numen.graph.rules import LARGEST, WORDED, class_by_path, class_of, is_test, language_of, text_of
from numen.graph.terms import Bag, Lexicon, Scan
from numen.graph.types import FileClass
from numen.graph.walk import Found

ARMS = ("file", "chunk", "name", "pair", "path")
"""What can be searched: `chunk` and `name` count nodes as documents, the others files."""

NODE_ARMS = frozenset(("chunk", "name"))
NAME_WEIGHT = 3
"""How often a definition's own name counts in its chunk (measured in the localisation study)."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything about some files, in path order. Documents of the arms count inside the batch."""

    files: FileRows
    nodes: NodeRows
    imports: ImportRows
    references: ReferenceRows
    aliases: AliasRows
    arms: dict[str, Postings]

    def tables(self) -> dict[str, Rows]:
        """The tables by name, without the arms."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "arms"}


@dataclass(slots=True)
class _Read:
    """One file as it was read. `text` is empty when its words are not searched."""

    found: Found
    language: str
    file_class: FileClass
    digest: bytes
    text: str
    facts: Facts


def batch_of(root: Path, found: Sequence[Found], lexicon: Lexicon) -> Batch:
    """Read, class, parse and count the words of some files of the tree at `root`, in path order.

    A file that vanished or may not be read keeps its place with a problem; nothing here raises for what
    a file holds.
    """
    reads = [_read(root, one) for one in found]
    facts = [one.facts for one in reads]
    return Batch(
        files=_file_rows(reads),
        nodes=node_rows(facts),
        imports=import_rows(facts),
        references=reference_rows(facts),
        aliases=alias_rows(facts),
        arms=_arms(reads, lexicon),
    )


def _read(root: Path, found: Found) -> _Read:
    path = found.path
    nothing = Facts([file_definition(path, 1)])
    settled = class_by_path(path)
    if settled is FileClass.BINARY or found.size > LARGEST:
        file_class = FileClass.BINARY if settled is FileClass.BINARY else FileClass.OVERSIZED
        return _Read(found, language_of(path), file_class, bytes(32), "", nothing)
    try:
        with open(f"{root}/{path}", "rb") as file:
            data = file.read()
    except OSError as error:
        nothing.problem = f"cannot be read: {error.strerror}"
        return _Read(found, language_of(path), FileClass.SOURCE, bytes(32), "", nothing)
    language = language_of(path, data)
    file_class = class_of(path, language, data)
    digest = hashlib.sha256(data).digest()
    if file_class not in WORDED:
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        return _Read(found, language, file_class, digest, "", Facts([file_definition(path, lines)]))
    text, problem = text_of(data)
    marked = data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    source = text.encode("utf-8", "replace") if marked or problem is not None else data
    facts = read(path, language, source, is_test(path))
    if problem is not None:
        facts.problem = problem if facts.problem is None else f"{problem}; {facts.problem}"
    _lead(facts, text, family_of(language))
    return _Read(found, language, file_class, digest, text, facts)


def _lead(facts: Facts, text: str, family: int) -> None:
    """Let each definition begin with the lines of comment right above it."""
    comments = FAMILIES[family].comments if family != NO_FAMILY else ()
    if not comments or len(facts.definitions) == 1:
        return
    lines = text.split("\n")
    for i, one in enumerate(facts.definitions):
        lead = one.lead
        while lead > 1 and i and lines[lead - 2].lstrip().startswith(comments):
            lead -= 1
        if lead != one.lead:
            facts.definitions[i] = one._replace(lead=lead)


def _file_rows(reads: Sequence[_Read]) -> FileRows:
    digests = b"".join(one.digest for one in reads)
    return FileRows(
        ends=np.arange(len(reads) + 1, dtype=np.int64),
        path=Texts.of([one.found.path for one in reads]),
        language=Texts.of([one.language for one in reads]),
        problem=Texts.of([one.facts.problem or "" for one in reads]),
        unit=np.array([key_of(one.facts.unit or one.found.path) for one in reads], dtype=np.uint64),
        family=np.array([family_of(one.language) for one in reads], dtype=np.uint8),
        file_class=np.array([CLASS_NUMBER[one.file_class] for one in reads], dtype=np.uint8),
        size=np.array([one.found.size for one in reads], dtype=np.int64),
        mtime_ns=np.array([one.found.mtime_ns for one in reads], dtype=np.int64),
        ctime_ns=np.array([one.found.ctime_ns for one in reads], dtype=np.int64),
        lines=np.array([one.facts.definitions[0].end for one in reads], dtype=np.int32),
        digest=np.frombuffer(digests, dtype=np.uint8).reshape(len(reads), 32),
    )


def _arms(reads: Sequence[_Read], lexicon: Lexicon) -> dict[str, Postings]:
    nodes = sum(len(one.facts.definitions) for one in reads)
    body_tokens: list[I32] = []
    body_files: list[I32] = []
    body_nodes: list[I32] = []
    headers: list[tuple[str, int, int]] = []
    paths: list[tuple[str, int, int]] = []
    first = 0
    for i, one in enumerate(reads):
        definitions = one.facts.definitions
        if one.file_class in WORDED:
            scan = lexicon.scan(one.text)
            body_tokens.append(scan.tokens)
            body_files.append(np.full(len(scan.tokens), i, dtype=np.int32))
            body_nodes.append(
                _owners(definitions)[np.minimum(scan.lines, definitions[0].end)] + np.int32(first)
            )
            paths.append((one.found.path, i, 1))
            headers.extend(_headers(one.found.path, definitions, first))
        first += len(definitions)
    body = _joined(body_tokens)
    files, owners = _joined(body_files), _joined(body_nodes)
    header, header_nodes, weights = _scanned(headers, lexicon)
    path, path_files, _ = _scanned(paths, lexicon)
    together = np.concatenate((body, header))
    weighted = np.concatenate((np.ones(len(body), dtype=np.int32), weights))
    whole, whole_files = np.concatenate((body, path)), np.concatenate((files, path_files))
    chunks = lexicon.bag(together, np.concatenate((owners, header_nodes)), weighted)
    return {
        "file": _postings(lexicon.bag(whole, whole_files), len(reads)),
        "chunk": _postings(chunks, nodes),
        "name": _postings(lexicon.bag(header, header_nodes, weights), nodes),
        "pair": _postings(lexicon.pairs(body, files), len(reads)),
        "path": _postings(lexicon.bag(path, path_files), len(reads)),
    }


def _owners(definitions: Sequence[Definition]) -> I32:
    """For each line, the innermost definition that holds it; its comment and decorators are its own."""
    owners = np.zeros(definitions[0].end + 1, dtype=np.int32)
    for i, one in enumerate(definitions):
        owners[one.lead : one.end + 1] = i
    return owners


def _headers(path: str, definitions: Sequence[Definition], first: int) -> list[tuple[str, int, int]]:
    """What is said of each definition beside its body, as (text, node, weight)."""
    rows: list[tuple[str, int, int]] = []
    for i, one in enumerate(definitions):
        node = first + i
        scope = definitions[one.parent].qualified if one.parent > 0 else ""
        rows.append((one.name, node, NAME_WEIGHT))
        rows.append((f"{scope} {one.signature} {path}", node, 1))
    return rows


def _scanned(rows: Sequence[tuple[str, int, int]], lexicon: Lexicon) -> tuple[I32, I32, I32]:
    """The tokens of short texts, with the document and weight of each."""
    scan: Scan = lexicon.scan("\n".join([text.replace("\n", " ") for text, _, _ in rows]))
    docs = np.array([doc for _, doc, _ in rows], dtype=np.int32)
    weights = np.array([weight for _, _, weight in rows], dtype=np.int32)
    at = scan.lines - np.int32(1)
    return scan.tokens, docs[at] if len(at) else docs[:0], weights[at] if len(at) else weights[:0]


def _postings(bag: Bag, documents: int) -> Postings:
    return Postings.of(bag.docs, bag.keys, bag.counts, documents)


def _joined(parts: Sequence[I32]) -> I32:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
