"""The artifact is written whole, in allowed places, once; the cost lines are one a delegation."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.delegate import Habits, Intent, lines
from numen.delegate.artifact import target, write
from numen.delegate.places import Refused

SOAK = bool(os.environ.get("NUMEN_SOAK"))


def put(project: Path, words: str, name: str = "out.md", separator: str | None = None, **more: str) -> None:
    intent = Intent("x", project, write_to=name, separator=separator, **more)  # type: ignore[arg-type]
    place = target(intent, Habits(hermes_home=project.parent / "hermes"))
    assert place is not None
    write(intent, place, words, project / "plan.json")


@pytest.mark.promise("delegate.write-places")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../out.md", "dotdot"),
        ("/etc/passwd", "outside_roots"),
        ("link.md", "symlink"),
        ("linked/out.md", "symlink"),
        ("folder", "directory"),
        ("pipe", "not_a_file"),
        (".git/hooks/pre-commit", "protected"),
        (".agents/state/autobot-cost-ledger.jsonl", "protected"),
        ("~/.hermes/config.yaml", "outside_roots"),
    ],
)
def test_nothing_is_written_where_it_must_not_be(tmp_path: Path, name: str, why: str) -> None:
    project = tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    (project / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (project / "linked").symlink_to(tmp_path)
    os.mkfifo(project / "pipe")
    with pytest.raises(Refused) as refused:
        put(project, "words", name)
    assert refused.value.why == why
    assert not (tmp_path / "elsewhere.md").exists()


@pytest.mark.promise("delegate.write-places")
def test_hermes_memories_may_be_written_and_a_file_keeps_its_mode(tmp_path: Path) -> None:
    project, memory = tmp_path / "project", tmp_path / "hermes/memories/MEMORY.md"
    project.mkdir()
    memory.parent.mkdir(parents=True)
    memory.write_text("first\n")
    memory.chmod(0o640)
    put(project, "second", str(memory), "§")
    assert memory.read_text() == "first\n§\nsecond\n"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o640


@pytest.mark.promise("delegate.write-if-unchanged")
def test_a_file_that_changed_is_not_overwritten(tmp_path: Path) -> None:
    put(tmp_path, "one", if_sha256="absent")
    (tmp_path / "plan.json").unlink()
    with pytest.raises(Refused) as refused:
        put(tmp_path, "two", if_sha256="absent")
    assert refused.value.why == "changed"
    assert (tmp_path / "out.md").read_text() == "one\n"


@pytest.mark.promise("delegate.append-once")
def test_an_append_that_is_tried_again_is_there_once(tmp_path: Path) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    (tmp_path / "out.md").write_text("old\n")
    put(tmp_path, "new", separator="§")
    put(tmp_path, "new", separator="§")
    with (tmp_path / "out.md").open("a") as file:
        file.write("§\nanother's\n")
    put(tmp_path, "new", separator="§")
    assert (tmp_path / "out.md").read_text() == "old\n§\nnew\n§\nanother's\n"
    (tmp_path / "plan.json").unlink()
    intent = Intent("x", tmp_path, write_to="out.md", separator="§")
    place = target(intent, Habits())
    assert place is not None
    with pytest.raises(KeyboardInterrupt):
        write(intent, place, "late", tmp_path / "plan.json", stopped)
    put(tmp_path, "late", separator="§")
    assert (tmp_path / "out.md").read_text().count("late") == 1


@pytest.mark.promise("delegate.cost-lines")
def test_a_line_that_was_cut_off_stays_the_only_bad_one(tmp_path: Path) -> None:
    file = tmp_path / ".agents/state/autobot-cost-ledger.jsonl"
    assert str(lines.append(tmp_path, {"run_id": "a"})).endswith("#L1")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with file.open("a") as opened:
        opened.write('{"run_id": "cut')
    assert lines.append(tmp_path, {"run_id": "b"}).number == 3
    assert lines.append(tmp_path, {"run_id": "b"}, once="b").number == 3
    assert lines.append(tmp_path, {"run_id": "c"}, once="c").number == 4
    assert [None if one is None else one["run_id"] for one in lines.read(file)] == ["a", None, "b", "c"]


WRITER = """
import os, sys
from pathlib import Path
from numen.delegate import lines
for writer in range(int(sys.argv[2])):
    if os.fork() == 0:
        for n in range(int(sys.argv[3])):
            lines.append(Path(sys.argv[1]), {"run_id": f"{writer}-{n}", "words": "x" * 300})
        os._exit(0)
sys.exit(any(os.wait()[1] for _ in range(int(sys.argv[2]))))
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.promise("delegate.cost-lines")
def test_many_writers_lose_no_line_and_break_none(tmp_path: Path) -> None:
    writers, records = (64, 200) if SOAK else (8, 25)
    program = [sys.executable, "-c", WRITER, str(tmp_path), str(writers), str(records)]
    subprocess.run(program, check=True)
    file = tmp_path / ".agents/state/autobot-cost-ledger.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["line"] for row in rows] == list(range(1, writers * records + 1))
    assert len({row["run_id"] for row in rows}) == writers * records


@pytest.mark.promise("delegate.cost-lines")
@given(st.lists(st.sampled_from(["ours", "theirs", "cut"]), max_size=8))
def test_numbers_are_those_of_the_lines_whatever_stands_there(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    root = tmp_path_factory.mktemp("lines")
    file = root / ".agents/state/autobot-cost-ledger.jsonl"
    file.parent.mkdir(parents=True)
    for step in steps:
        if step == "ours":
            number = lines.append(root, {"run_id": "x"}).number
            assert number == file.read_bytes().count(b"\n")
        else:
            with file.open("a") as opened:
                opened.write('{"old": 1}\n' if step == "theirs" else '{"cut')
