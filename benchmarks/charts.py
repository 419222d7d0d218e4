"""Bar charts of what `benchmarks.peers` measured: `python -m benchmarks.charts REPORT.json [--into DIR]`.

Each chart is one SVG file, drawn here: no library, no script, no font of its own. What was not measured has
no bar and says so.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

PLACE = Path("docs/benchmarks")
WIDTH, LABELS, BAR, GAP, TOP = 760, 190, 18, 10, 82
ROOM = WIDTH - LABELS - 90
OWN = "numen"

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-size: 15px; font-weight: 600 }
.note { fill: #666; font-size: 12px }
.own { fill: #2f6f8f } .peer { fill: #b4bcc4 }
.first { opacity: 1 } .second { opacity: .72 } .third { opacity: .45 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e6e6 } .note { fill: #9aa0a6 } .own { fill: #6fb6d6 } .peer { fill: #59616a }
}
""".strip()
SHADES = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing measured: its name and a value for each series; None is not measured."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: what it shows, what is good, and how a value is written. `series` name the bars of a line."""

    file: str
    title: str
    note: str
    lines: tuple[Line, ...]
    form: str = "{:,.0f}"
    series: tuple[str, ...] = ("",)
    full: float | None = None

    def svg(self) -> str:
        """The chart as a file. A bar is as long as its value, from zero, on one scale."""
        known = [value for line in self.lines for value in line.values if value is not None]
        longest = self.full or max(known, default=0) or 1
        block = len(self.series) * BAR + GAP
        height = TOP + len(self.lines) * block + GAP
        head = f"{self.title}: " + "; ".join(
            f"{line.name} {', '.join(self._written(value) for value in line.values)}" for line in self.lines
        )
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" role="img" aria-label={quoteattr(head)}>',
            f"<style>{STYLE}</style>",
            f'<text class="title" x="12" y="24">{escape(self.title)}</text>',
            f'<text class="note" x="12" y="44">{escape(self.note)}</text>',
            f'<text class="note" x="12" y="62">{escape(self._named())}</text>',
        ]
        for number, line in enumerate(self.lines):
            parts += self._drawn(line, TOP + number * block, longest)
        return "\n".join([*parts, "</svg>"]) + "\n"

    def _named(self) -> str:
        return f"Bars from above: {', '.join(self.series)}." if len(self.series) > 1 else ""

    def _drawn(self, line: Line, top: int, longest: float) -> list[str]:
        middle = top + len(line.values) * BAR / 2 + 5
        parts = [f'<text x="12" y="{middle:g}">{escape(line.name)}</text>']
        kind = "own" if line.name.startswith(OWN) else "peer"
        for number, value in enumerate(line.values):
            y = top + number * BAR
            long = 0.0 if value is None else value / longest * ROOM
            if value is not None:
                parts.append(
                    f'<rect class="{kind} {SHADES[number % 3]}" x="{LABELS}" y="{y}"'
                    f' width="{max(long, 1):.1f}" height="{BAR - 3}" rx="2"/>'
                )
            parts.append(
                f'<text class="note" x="{LABELS + long + 6:.1f}" y="{y + 12}">{self._written(value)}</text>'
            )
        return parts

    def _written(self, value: float | None) -> str:
        return "not measured" if value is None else self.form.format(value)


def charts(found: Mapping[str, Any]) -> list[Chart]:
    """The charts of one report."""
    rows: Mapping[str, Any] = found["rows"]
    asked = f"{found['questions']} questions, {len(found['repositories'])} repositories."
    strangers = (
        f"{found['strangers']} questions about another repository, {found['questions']} about this one."
    )
    return [
        Chart(
            "ranking.svg",
            "Is a right file among the first?",
            f"Share of {asked} More is better.",
            _lines(rows, lambda row: tuple(row["files"][key] for key in ("any@1", "any@5", "any@10"))),
            form="{:.2f}",
            series=("first", "first five", "first ten"),
            full=1.0,
        ),
        Chart(
            "mrr.svg",
            "Mean reciprocal rank of the first right file",
            f"{asked} More is better.",
            _lines(rows, lambda row: (row["files"]["mrr"],)),
            form="{:.2f}",
            full=1.0,
        ),
        Chart(
            "tokens.svg",
            "What an answer costs to read",
            "Median tokens, bytes over four. Less is better.",
            _lines(rows, lambda row: (row["tokens"]["p50"],)),
        ),
        Chart(
            "latency.svg",
            "How long an answer takes",
            "Median milliseconds in a process that is open. Less is better.",
            _lines(rows, lambda row: (row["milliseconds"]["p50"],)),
        ),
        Chart(
            "silence.svg",
            "Who says that the answer is not here?",
            f"Share without an answer: {strangers}",
            _lines(rows, lambda row: (row["silent"]["strangers"], row["silent"]["own"])),
            form="{:.0%}",
            series=("another's", "own, where silence is wrong"),
            full=1.0,
        ),
        Chart(
            "index.svg",
            "How long all the repositories take to index",
            "Seconds from the start of the process to its end. Less is better.",
            _programs(found, ("index seconds", "index processor seconds")),
            form="{:.1f}",
            series=("by the clock", "of processor"),
        ),
        Chart(
            "memory.svg",
            "Peak memory",
            "MB of all its processes. Less is better.",
            _programs(found, ("index MB", "answering MB")),
            series=("indexing", "answering"),
        ),
    ]


def _lines(rows: Mapping[str, Any], read: Any) -> tuple[Line, ...]:
    return tuple(Line(name, read(row)) for name, row in rows.items())


def _programs(found: Mapping[str, Any], keys: Sequence[str]) -> tuple[Line, ...]:
    return tuple(
        Line(name, tuple(cost[key] if cost else None for key in keys))
        for name, cost in found["programs"].items()
    )


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.charts", description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("--into", type=Path, default=PLACE, metavar="DIR")
    given = parser.parse_args()
    found = json.loads(given.report.read_text(encoding="utf-8"))
    given.into.mkdir(parents=True, exist_ok=True)
    for chart in charts(found):
        place: Path = given.into / chart.file
        place.write_text(chart.svg(), encoding="utf-8")
        print(place)


if __name__ == "__main__":
    main()
