"""What is called inside of a macro's arguments: they are read again, as the arguments of a call."""

from __future__ import annotations

from bisect import bisect_right

from tree_sitter import Node, Parser, Range, Tree

_OPEN, _CLOSE = b"fn a(){a(", b");}"
ROUNDS = 3
"""How deep macros in macros are read."""


class Arguments:
    """The arguments of some macros: a tree of nothing else, at their own bytes."""

    def __init__(self, tree: Tree, starts: list[int], stops: list[int]) -> None:
        self.tree = tree
        self._starts = starts
        self._stops = stops

    def hold(self, node: Node) -> bool:
        """Whether `node` of the tree is part of some macro's arguments."""
        at = bisect_right(self._starts, node.start_byte) - 1
        return at >= 0 and node.end_byte <= self._stops[at]


def arguments_read(parser: Parser, source: bytes, invocations: list[Node]) -> Arguments | None:
    """The arguments of `invocations`, read as Rust.

    None if there is nothing to read. Arguments that stand too close to others are left out.
    """
    text = bytearray(source)
    starts: list[int] = []
    stops: list[int] = []
    ranges: list[Range] = []
    free = 0
    for node in sorted(invocations, key=lambda one: one.start_byte):
        inner = node.named_children[-1]
        start, stop = inner.start_byte + 1, inner.end_byte - 1
        first, last = start - len(_OPEN), stop + len(_CLOSE)
        if inner.type != "token_tree" or stop <= start or first < free or last > len(source):
            continue
        text[first:start], text[stop:last] = _OPEN, _CLOSE
        starts.append(start)
        stops.append(stop)
        ranges.append(Range((0, first), (0, last), first, last))  # the points are not looked at
        free = last
    if not ranges:
        return None
    parser.included_ranges = ranges
    return Arguments(parser.parse(bytes(text)), starts, stops)
