"""How an answer looks to a person: the card first, then what it says, one line a thing."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from rich.console import Console
from rich.text import Text

from numen.kernel import Json

Fields = Mapping[str, Json]
"""One object of an answer."""

FIRST = {"north": "task", "seek": "query", "impact": "symbol", "ingest": "path"}
"""The argument of each verb that a command takes without its name."""

SHOWN_PROBLEMS = 5
"""Files that could not be read as they should, named before the rest is counted."""


def show_packet(packet: Fields) -> None:
    """A packet of `north`: the card, what to do next, where to start, what is known, what is not."""
    page = Sheet()
    for line in _texts(_fields(packet, "human_view"), "lines"):
        page.line(line)
    page.part("next", [_next(packet)])
    context = _fields(packet, "context")
    for name in ("focus", "anchors"):
        page.part(name, (_place(place) for place in _rows(context, name)))
    page.part("memory", (_memory(row) for row in _rows(packet, "memory")))
    calls = _rows(context, "suggested_first_calls")
    page.part("first calls", (f"{_command(call)}  ({call['why']})" for call in calls))
    page.part("not known", (_gap(gap) for gap in _rows(packet, "gaps")))
    enough = _fields(packet, "sufficiency")
    if enough:
        page.part("enough?", [f"{enough['state']}: {enough['why']}"])


class Sheet:
    """Lines on stdout, names of parts in the margin; colour only on a terminal."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)

    def line(self, text: str) -> None:
        """One line as it is."""
        self._console.print(Text(text))

    def part(self, name: str, lines: Iterable[str]) -> None:
        """A part by name, left out when it has no lines."""
        margin = f"{name:<11} "
        for number, line in enumerate(line for line in lines if line):
            if number == 0:
                self._console.print()
            self._console.print(
                Text(margin if number == 0 else " " * len(margin), style="dim"), Text(line), sep=""
            )


def _place(place: Fields) -> str:
    fresh = "" if place["freshness"] == "fresh" else f"  [{place['freshness']}]"
    what = str(place["signature"]) or str(place["id"])
    return f"{place['score']:.2f}  {place['path']}:{place['lines']}  {what}{fresh}"


def _memory(row: Fields) -> str:
    evidence = _fields(row, "evidence")
    return f"{row['claim']}" + (f"  ({evidence['at']}, {evidence['freshness']})" if evidence else "")


def _command(call: Fields) -> str:
    """A call as the command that a person would type."""
    args = dict(_fields(call, "args"))
    words = ["numen", str(call["tool"])]
    first = args.pop(FIRST.get(str(call["tool"]), ""), None)
    words += [] if first is None else [shlex.quote(str(first))]
    for name, value in args.items():
        option = f"--{name.replace('_', '-')}"
        words += [option] if value is True else [option, shlex.quote(str(value))]
    return " ".join(words)


def _next(packet: Fields) -> str:
    """What to do next; where that is a repair, the command that does it."""
    move = str(packet["next_move"])
    repairs = [_fields(packet, "recovery"), *(_fields(gap, "repair") for gap in _rows(packet, "gaps"))]
    return next((_command(call) for call in repairs if call and call["tool"] == move), move)


def _gap(gap: Fields) -> str:
    repair = _fields(gap, "repair")
    return f"{gap['text']}" + (f"  ({_command(repair)})" if repair else "")


def _fields(answer: Fields, name: str) -> Fields:
    return cast("Fields", answer.get(name) or {})


def _rows(answer: Fields, name: str) -> Sequence[Fields]:
    return cast("Sequence[Fields]", answer.get(name) or ())


def _texts(answer: Fields, name: str) -> Sequence[str]:
    return cast("Sequence[str]", answer.get(name) or ())


def show_report(report: Fields) -> None:
    """What an ingest did, in counts; the first problems by name."""
    page = Sheet()
    took = cast("float", report["seconds"])
    rate = f", {cast('int', report['parsed']) / took:,.0f} files/s" if report["parsed"] and took else ""
    page.line(f"{_fields(report, 'brain')['root']}")
    page.line(
        f"{report['files']:,} files, {report['nodes']:,} nodes, {report['edges']:,} edges, "
        f"{report['ambiguous']:,} references kept as ambiguous"
    )
    page.line(f"{report['parsed']:,} parsed, {report['removed']:,} removed, in {took:.1f} s{rate}")
    skipped = _fields(report, "skipped")
    if skipped:
        page.line("set aside: " + ", ".join(f"{count:,} {kind}" for kind, count in skipped.items()))
    problems = _rows(report, "problems")
    for problem in problems[:SHOWN_PROBLEMS]:
        page.line(f"problem: {problem['path']}: {problem['text']}")
    if len(problems) > SHOWN_PROBLEMS:
        page.line(f"and {len(problems) - SHOWN_PROBLEMS} more; --json names them all")


def show_seek(answer: Fields) -> None:
    """An answer of `seek`: each place, then its first lines."""
    page = Sheet()
    if not _rows(answer, "results"):
        page.line(f"Nothing matches; {answer.get('searched', 0)} places were searched.")
    for row in _rows(answer, "results"):
        stale = row.get("freshness", "fresh")
        page.line(
            f"{row['score']:.2f}  {row['id']}  {row['lines']}" + ("" if stale == "fresh" else f"  [{stale}]")
        )
        for line in str(row.get("text", "")).splitlines():
            page.line(f"      {line}")
    _left_out(page, answer)


def show_impact(answer: Fields) -> None:
    """An answer of `impact`: who is affected, tests first, with the step that leads there."""
    page = Sheet()
    if answer["state"] != "found":
        page.line(f"{answer['symbol']}: {answer['note']}")
        for candidate in _texts(answer, "candidates"):
            page.line(f"  {candidate}")
        return
    counts = _fields(answer, "counts")
    names = ", ".join(_texts(answer, "targets"))
    page.line(f"{names}: {counts['all']} {answer['direction']}, {counts['tests']} of them tests")
    for row in _rows(answer, "rows"):
        page.line(f"{row['hop']}  {row['certainty']:<15}  {row['id']}  {row['lines']}  {row['reason']}")
    if counts["uncertain"]:
        page.line(f"{counts['uncertain']} more uses of the name could not be tied to one definition.")
    _left_out(page, answer)


def _left_out(page: Sheet, answer: Fields) -> None:
    if answer.get("dropped"):
        page.line(f"{answer['dropped']} more did not fit the budget.")
