"""How well secrets are found, and how fast: precision, recall, microseconds a message.

`python -m benchmarks.secrets [--data FILE ...] [--show] [--peer] [--json]`: without `--data` the corpora of
`tests/attack`. A line of a corpus is JSON: `text`, `spans`, `kinds`, `lang`, `source`. What is said of a
corpus is in numbers and kinds alone; `--show` prints the lines that went wrong. `--peer` runs detect-secrets
over the same lines. Times are of this process's CPU, the best of some runs of each message.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from numen.secrets import Guarded, Reference
from numen.secrets.detector import find
from numen.secrets.filter import Sieve

CORPORA = tuple(
    f"tests/attack/{name}.jsonl"
    for name in ("secrets", "first", "second", "third", "sentences", "chat", "told")
)
BARS = {"precision": 0.97, "recall": 0.97, "median_us": 100.0}
"""What is asked of the kept-apart half of the corpus, and of a message of 500 characters with a secret."""

TALK = "tests/attack/talk.txt"
MESSAGE = 500
ROUNDS, RUNS = 12, 5
"""Each message is timed so often in a row, in so many rounds over all; the best counts, since what else the
machine does can only add."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """A line of a corpus: the text, and where which kinds of secrets stand in it."""

    text: str
    spans: Sequence[Span]
    kinds: Sequence[str]
    lang: str
    source: str


@dataclass
class Score:
    """Counts over a corpus: labelled values, and found ones.

    `exact`: found with exactly the labelled borders. `sealed`: labelled values of which no character is left.
    `idle`: found ones that touch no labelled value.
    """

    lines: int = 0
    labelled: int = 0
    found: int = 0
    exact: int = 0
    sealed: int = 0
    idle: int = 0
    named: int = 0

    def rates(self) -> dict[str, float | int]:
        """The numbers as they are reported."""
        return {
            "lines": self.lines,
            "values": self.labelled,
            "precision": share(self.exact, self.found),
            "recall": share(self.exact, self.labelled),
            "sealed_precision": share(self.found - self.idle, self.found),
            "sealed_recall": share(self.sealed, self.labelled),
            "kind_right": share(self.named, self.exact),
        }


def share(part: int, whole: int) -> float:
    """A share to four places; 1 of nothing."""
    return round(part / whole, 4) if whole else 1.0


def read(path: Path) -> list[Line]:
    """The lines of a corpus."""
    lines: list[Line] = []
    for row in path.read_text("utf-8").splitlines():
        fields = json.loads(row)
        spans = [(int(start), int(end)) for start, end in fields["spans"]]
        lines.append(Line(fields["text"], spans, fields["kinds"], fields["lang"], fields["source"]))
    return lines


def ours(text: str) -> list[tuple[Span, str]]:
    """What the detector finds."""
    return [((one.start, one.end), one.kind) for one in find(text)]


def score(line: Line, found: Sequence[tuple[Span, str]], into: Score) -> tuple[list[str], list[str]]:
    """Count one line; the kinds that were missed, and those that were found for nothing."""
    wanted = dict(zip(line.spans, line.kinds, strict=True))
    got = dict(found)
    covered = {place for start, end in got for place in range(start, end)}
    into.lines += 1
    into.labelled += len(wanted)
    into.found += len(got)
    into.exact += len(wanted.keys() & got.keys())
    into.named += sum(wanted[span] == got[span] for span in wanted.keys() & got.keys())
    into.sealed += sum(covered.issuperset(range(*span)) for span in wanted)
    into.idle += sum(all(end <= a or b <= start for a, b in wanted) for start, end in got)
    missed = [kind for span, kind in wanted.items() if span not in got]
    return missed, [kind for span, kind in got.items() if span not in wanted]


def measured(
    lines: Iterable[Line], finder: Callable[[str], list[tuple[Span, str]]], *, show: bool
) -> dict[str, object]:
    """The scores of a corpus, as a whole and by language, and the kinds that went wrong."""
    whole, by_language = Score(), dict[str, Score]()
    missed, idle = Counter[str](), Counter[str]()
    for line in lines:
        found = finder(line.text)
        wrong = score(line, found, whole)
        score(line, found, by_language.setdefault(line.lang, Score()))
        missed.update(f"{line.lang} {kind}" for kind in wrong[0])
        idle.update(f"{line.lang} {kind}" for kind in wrong[1])
        if show and any(wrong):
            print(f"  {line.lang} missed {wrong[0]} false {wrong[1]}: {line.text!r}", file=sys.stderr)
    return {
        **whole.rates(),
        "missed": dict(missed.most_common()),
        "false": dict(idle.most_common()),
        "languages": {name: one.rates() for name, one in sorted(by_language.items())},
    }


def messages(lines: Sequence[Line], secrets: int, seed: int = 500) -> list[str]:
    """200 messages of 500 characters: ordinary talk, and in it `secrets` lines of the corpora with some."""
    draw = random.Random(seed)
    telling = [line.text for line in lines if line.spans and len(line.text) < MESSAGE // 2]
    talk = Path(TALK).read_text("utf-8").splitlines()
    return [_filled(draw, draw.sample(telling, secrets), talk) for _ in range(200)]


def crowded(lines: Sequence[Line], seed: int = 500) -> list[str]:
    """200 messages of 500 characters that speak of nothing but secrets: lines of the corpora."""
    draw = random.Random(seed)
    return [_filled(draw, [], [line.text for line in lines]) for _ in range(200)]


def _filled(draw: random.Random, parts: list[str], rest: Sequence[str]) -> str:
    while sum(map(len, parts)) < MESSAGE:
        parts.insert(draw.randrange(len(parts) + 1), draw.choice(rest))
    return "\n".join(parts)[:MESSAGE]


def microseconds(texts: Iterable[str]) -> dict[str, float]:
    """Median, 95th percentile and worst of the best time of each text, in microseconds of CPU."""
    given = list(texts)
    rounds = [[min(_timed(text) for _ in range(RUNS)) for text in given] for _ in range(ROUNDS)]
    best = sorted(map(min, zip(*rounds, strict=True)))
    at = [statistics.median(best), best[int(len(best) * 0.95)], best[-1]]
    return dict(zip(("median_us", "p95_us", "worst_us"), (round(one, 1) for one in at), strict=True))


def _timed(text: str) -> float:
    began = time.thread_time_ns()
    find(text)
    return (time.thread_time_ns() - began) / 1000


def sieve_seconds(count: int = 1000, seed: int = 1000) -> float:
    """CPU until the output filter knows `count` values of 8 to 24 characters: seconds, the best of five."""
    draw = random.Random(seed)
    alphabet = "".join(map(chr, range(33, 127)))
    values = ["".join(draw.choices(alphabet, k=draw.randint(8, 24))) for _ in range(count)]
    guarded = [Guarded(Reference("S-AAAAAAAA", "password"), value) for value in values]
    times: list[float] = []
    for _ in range(5):
        began = time.process_time()
        Sieve(guarded)
        times.append(time.process_time() - began)
    return round(min(times), 3)


def peer() -> Callable[[str], list[tuple[Span, str]]]:
    """detect-secrets with its default plugins, over a file that holds the text."""
    from detect_secrets.core.scan import scan_file  # noqa: PLC0415 - only with --peer
    from detect_secrets.settings import default_settings  # noqa: PLC0415

    def finder(text: str) -> list[tuple[Span, str]]:
        with tempfile.TemporaryDirectory() as folder, default_settings():
            path = Path(folder) / "message.txt"
            path.write_text(text, "utf-8")
            return list(_places(text, ((one.secret_value or "", one.type) for one in scan_file(str(path)))))

    return finder


def _places(text: str, values: Iterable[tuple[str, str]]) -> Iterator[tuple[Span, str]]:
    for value, kind in values:
        start = text.find(value) if value else -1
        if start >= 0:
            yield (start, start + len(value)), kind


def main() -> int:
    """Print the measurements; 1 where a bar was missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, action="append", help="a corpus; may be given again")
    options.add_argument("--show", action="store_true", help="print the lines that went wrong")
    options.add_argument("--peer", action="store_true", help="run detect-secrets alongside")
    options.add_argument("--json", action="store_true", help="print JSON")
    given = options.parse_args()
    paths: list[Path] = given.data or list(map(Path, CORPORA))
    report: dict[str, dict[str, object]] = {}
    everything: list[Line] = []
    for path in paths:
        lines = read(path)
        everything += lines
        report[path.name] = measured(lines, ours, show=given.show)
        if given.peer:
            report[f"{path.name}, detect-secrets"] = measured(lines, peer(), show=False)
    times = {f"{count} secrets": microseconds(messages(everything, count)) for count in (0, 1, 2)}
    times["nothing but secrets"] = microseconds(crowded(everything))
    if given.json:
        sieve = {"values": 1000, "seconds": sieve_seconds()}
        print(json.dumps({"bars": BARS, "corpora": report, "messages": times, "sieve": sieve}, indent=1))
    else:
        _print(report, times)
        print(f"output filter, 1,000 values known after {sieve_seconds()} s")
    missed = any(
        float(str(row[name])) < BARS[name]
        for key, row in report.items()
        if "," not in key
        for name in ("precision", "recall")
    )
    return int(missed or times["1 secrets"]["median_us"] > BARS["median_us"])


def _print(report: dict[str, dict[str, object]], times: dict[str, dict[str, float]]) -> None:
    for name, row in report.items():
        print(name)
        for key, value in row.items():
            if key == "languages":
                for language, rates in cast("dict[str, dict[str, float]]", value).items():
                    print(
                        f"    {language:5} precision {rates['precision']:.3f}  recall {rates['recall']:.3f}"
                    )
            else:
                print(f"  {key:17} {value}")
    for name, row in times.items():
        print(f"500 characters, {name}: {row}")


if __name__ == "__main__":
    sys.exit(main())
