"""What is called inside of a macro's arguments: they are read again, as the arguments of a call."""

from __future__ import annotations

from tree_sitter import Node, Parser, Tree

_OPEN, _CLOSE = b"fn a(){a(", b");}"
ROUNDS = 3
"""How deep macros in macros are read."""


def arguments_read(
    parser: Parser, source: bytes, invocations: list[Node]
) -> tuple[Tree, list[tuple[int, int]]] | None:
    """A tree of nothing but the arguments of `invocations`, at their own bytes, and where those are.

    None if there is nothing to read. Arguments that stand too close to others are left out.
    """
    text = bytearray(b" ") * len(source)
    spans: list[tuple[int, int]] = []
    free = 0
    for node in sorted(invocations, key=lambda one: one.start_byte):
        inner = node.named_children[-1]
        start, stop = inner.start_byte + 1, inner.end_byte - 1
        if (
            inner.type != "token_tree"
            or stop <= start
            or start - len(_OPEN) < free
            or stop + len(_CLOSE) > len(source)
        ):
            continue
        text[start - len(_OPEN) : start] = _OPEN
        text[start:stop] = source[start:stop]
        text[stop : stop + len(_CLOSE)] = _CLOSE
        spans.append((start, stop))
        free = stop + len(_CLOSE)
    return (parser.parse(bytes(text)), spans) if spans else None
