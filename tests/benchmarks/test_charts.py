"""The charts and tables say what was measured, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.charts import LABELS, WIDTH, Chart, Line, charts
from benchmarks.peers import Repository, Row, markdown, report, table
from benchmarks.peers_programs import ROWS, Answer, Indexed

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"


def repository(failed: dict[str, str] | None = None) -> Repository:
    """A repository of two questions and one stranger, on which aider was not measured."""
    found = Repository("some/where", "0" * 40, 40, 20, 2, 1, failed=failed or {"aider": "not installed"})
    for name in ROWS:
        if name.startswith("aider"):
            continue
        row = found.rows[name] = Row()
        for first, right in (("a.py", "a.py"), ("b.py", "a.py")):
            row.files.add([first, "c.py", "a.py"], [right])
            row.own.append(Answer([first], 300))
            row.milliseconds.append(4.0)
        row.strange.append(Answer([] if name.startswith("numen") else ["a.py"], 20))
    for name in ("numen", "code-review-graph", "codegraph"):
        found.indexed[name] = Indexed(2.0, 1.0, 90.0)
        found.answering_mb[name] = 60.0
    return found


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Any]:
    """A whole report, as it is kept."""
    return json.loads(json.dumps(report([repository(), repository()], tmp_path)))


def bars(svg: str) -> list[float]:
    """The lengths of the bars of a chart."""
    return [float(one.attrib["width"]) for one in ElementTree.fromstring(svg).iter(f"{SVG}rect")]


@pytest.mark.promise("peers.charts-from-the-report")
@given(st.lists(st.floats(0, 1e7) | st.none(), min_size=1, max_size=9))
def test_a_bar_is_as_long_as_its_number_and_what_was_not_measured_has_none(
    values: list[float | None],
) -> None:
    lines = tuple(Line(f"numen {number}", (value,)) for number, value in enumerate(values))
    svg = Chart("x.svg", "Times & sizes", "Less is <better>.", lines, form="{:.3f}").svg()
    known = [value for value in values if value is not None]
    drawn = bars(svg)
    assert len(drawn) == len(known)
    longest = max(known, default=0)
    for value, width in zip(known, drawn, strict=True):
        assert width <= WIDTH - LABELS
        if longest:
            assert width == pytest.approx(max(1, value / longest * max(drawn)), abs=0.2)
    texts = [one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts.count("not measured") == values.count(None)
    assert all(f"{value:.3f}" in texts for value in known)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_each_chart_of_a_report_is_a_file_that_a_browser_reads(found: dict[str, Any], tmp_path: Path) -> None:
    place = tmp_path / "report.json"
    place.write_text(json.dumps(found))
    subprocess.run(
        [sys.executable, "-m", "benchmarks.charts", str(place), "--into", str(tmp_path / "drawn")],
        check=True,
        capture_output=True,
        cwd=Path(__file__).parents[2],
    )
    drawn = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert drawn == {chart.file for chart in charts(found)}
    for path in (tmp_path / "drawn").iterdir():
        assert ElementTree.parse(path).getroot().tag == f"{SVG}svg"


def test_questions_of_several_repositories_are_counted_together(found: dict[str, Any]) -> None:
    assert found["questions"] == 4
    row = found["rows"]["numen seek"]
    assert row["files"]["n"] == 4
    assert row["files"]["any@1"] == 0.5
    assert row["files"]["any@5"] == 1.0
    assert row["files"]["mrr"] == pytest.approx((1 + 1 / 3) / 2, abs=0.001)
    assert row["silent"] == {"own": 0.0, "strangers": 1.0}
    assert found["rows"]["codegraph search"]["silent"]["strangers"] == 0.0
    assert found["programs"]["codegraph"]["index seconds"] == 4.0
    assert found["programs"]["codegraph"]["files a second"] == 20.0


def test_a_program_that_missed_a_repository_is_left_out_of_what_is_pooled_and_named(tmp_path: Path) -> None:
    broken = repository({"codegraph": "at question 2: it ended"})
    for name in [name for name in broken.rows if name.startswith("codegraph")]:
        del broken.rows[name]
    del broken.indexed["codegraph"]
    found = report([repository(), broken], tmp_path)
    assert not [name for name in found["rows"] if name.startswith(("codegraph", "aider"))]
    assert found["programs"]["codegraph"] is None
    told = table(found)
    assert "codegraph was not measured: at question 2: it ended" in told
    assert "aider was not measured: not installed" in told
    assert any(line.values == (None, None) for chart in charts(found) for line in chart.lines)


def test_the_table_names_every_row_with_its_numbers(found: dict[str, Any]) -> None:
    told = table(found).splitlines()
    line = next(line for line in told if line.startswith("| codegraph explore"))
    assert [cell.strip() for cell in line.split("|")[2:6]] == ["0.50", "1.00", "1.00", "0.67"]
    assert "100%" in next(line for line in told if line.startswith("| numen north"))


def test_columns_of_a_table_have_one_width() -> None:
    lines = markdown(["a", "long head"], [["row", "1"], ["x", "22"]]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1].endswith(":|")


@pytest.mark.promise("peers.documented-as-measured")
def test_the_documentation_shows_the_report_that_is_kept_beside_it() -> None:
    kept = json.loads((DOCS / "benchmarks/peers.json").read_text(encoding="utf-8"))
    page = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    told = [line for line in table(kept).splitlines() if line.startswith("|")]
    assert [line for line in told if line not in page] == []
    for chart in charts(kept):
        assert (DOCS / "benchmarks" / chart.file).read_text(encoding="utf-8") == chart.svg()
        assert f"(benchmarks/{chart.file})" in page
