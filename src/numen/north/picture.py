"""The picture of a map as SVG: blocks in a ring, as large as the code they hold; what uses what. Pure.

It holds no script, no style sheet and nothing that is fetched, and takes its colours from where it stands.
"""

from __future__ import annotations

from html import escape
from math import cos, pi, sin, sqrt

from numen.north.blocks import BlockState
from numen.north.maps import MapView

_SIZE = 960
_CENTRE = _SIZE / 2
_RING = 360
_LEAST, _MOST = 10.0, 46.0
_DASH = {BlockState.CANDIDATE: "4 4", BlockState.RATIFIED: "", BlockState.DRIFTED: "1 5"}
_LONGEST = 34


def drawn(view: MapView) -> str:
    """The map as SVG: a ratified block has a whole rim, a proposed one dashes, drifted: dots."""
    counts = view.files or tuple(1 for _ in view.blocks)
    most = max([1, *counts])
    spots: dict[str, tuple[float, float, float]] = {}
    for number, (block, count) in enumerate(zip(view.blocks, counts, strict=True)):
        angle = 2 * pi * number / len(view.blocks) - pi / 2
        radius = _LEAST + (_MOST - _LEAST) * sqrt(count / most)
        spots[block.id] = (_CENTRE + _RING * cos(angle), _CENTRE + _RING * sin(angle), radius)
    lines = [_head(view)]
    lines += [
        _arrow(spots[block.id], spots[socket])
        for block in view.blocks
        for socket in block.sockets
        if socket in spots and socket != block.id
    ]
    for block, count in zip(view.blocks, counts, strict=True):
        faults = [fault.text for fault in view.faults if fault.block == block.id]
        told = [block.name, block.purpose, f"{count:,} files" if view.files else "", *faults]
        lines.append(_spot(spots[block.id], block.name, block.state, "\n".join(one for one in told if one)))
    return "\n".join([*lines, "</g></svg>\n"])


def _head(view: MapView) -> str:
    said = f"map of {view.brain.root.name}: {view.ratified} of {len(view.blocks)} blocks ratified"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-120 0 {_SIZE + 240} {_SIZE}" role="img" '
        f'aria-label="{escape(_plain(said))}" font-family="ui-sans-serif,sans-serif" font-size="15">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>'
        '<g fill="none" stroke="currentColor">'
    )


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    """A line bent towards the middle, from rim to rim."""
    (x, y, _), (u, v, radius) = start, end
    a, b = (x + u) / 4 + _CENTRE / 2, (y + v) / 4 + _CENTRE / 2
    far = sqrt((u - a) ** 2 + (v - b) ** 2) or 1.0
    tip_x, tip_y = u - (u - a) * radius / far, v - (v - b) * radius / far
    return (
        f'<path d="M{x:.1f} {y:.1f}Q{a:.1f} {b:.1f} {tip_x:.1f} {tip_y:.1f}" '
        'stroke-opacity=".35" marker-end="url(#tip)"/>'
    )


def _spot(spot: tuple[float, float, float], name: str, state: BlockState, told: str) -> str:
    x, y, radius = spot
    dash = f' stroke-dasharray="{_DASH[state]}"' if _DASH[state] else ""
    away = x > _CENTRE + 1, abs(x - _CENTRE) <= 1
    anchor = "middle" if away[1] else "start" if away[0] else "end"
    side = 0 if away[1] else (radius + 8) * (1 if away[0] else -1)
    below = (radius + 20) * (1 if y > _CENTRE else -1) if away[1] else 5
    shown = name if len(name) <= _LONGEST else "…" + name[-_LONGEST + 1 :]
    return (
        f'<g><title>{escape(_plain(told))}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" '
        f'fill="currentColor" fill-opacity=".08" stroke-width="2"{dash}/>'
        f'<text x="{x + side:.1f}" y="{y + below:.1f}" text-anchor="{anchor}" fill="currentColor" '
        f'stroke="none">{escape(_plain(shown))}</text></g>'
    )


def _plain(text: str) -> str:
    """`text` without signs that XML cannot hold."""
    return "".join(sign if sign == "\n" or sign.isprintable() else "?" for sign in text)
