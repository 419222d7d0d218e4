"""Shell commands are what they do: the corpus, and laws that hold for any command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from numen.gate import EffectClass
from numen.gate.commands import read_command

CORPUS = Path(__file__).parents[1] / "attack" / "shell.jsonl"
LINES = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
READING = [line["command"] for line in LINES if line["class"] == "read"]
OTHERS = [line["command"] for line in LINES if line["class"] != "read"]
PLAIN = [command for command in READING if "#" not in command and "<<" not in command]


@pytest.mark.attack
@pytest.mark.promise("gate.shell")
def test_every_command_of_the_corpus_is_what_its_label_says() -> None:
    wrong = [line for line in LINES if read_command(line["command"]).worst.cls != line["class"]]
    assert wrong == []


@pytest.mark.promise("gate.shell")
def test_the_corpus_is_large_and_of_all_classes() -> None:
    assert len(LINES) >= 150
    assert len({line["command"] for line in LINES}) == len(LINES)
    classes = Counter(line["class"] for line in LINES)
    assert min(classes["read"], classes["irreversible"], classes["exec"]) >= 40
    assert min(classes["credential"], classes["external"]) >= 15


@pytest.mark.promise("gate.shell-laws")
@given(
    st.sampled_from(PLAIN),
    st.sampled_from(OTHERS),
    st.sampled_from(["; ", "\n", "\n\\\n", "\n\\", " && ", " || ", " | "]),
)
@example("ls -la", "\\rm -rf /", "\n")
@example("export A=b", "\\rm -rf /", "\n")
@example("ls -la > /dev/null", "\\rm -rf /", "\n")
def test_a_command_beside_a_reading_one_keeps_its_gravity(reads: str, other: str, joint: str) -> None:
    alone, together = read_command(other), read_command(reads + joint + other)
    assert together.worst.cls.gravity >= min(alone.worst.cls.gravity, EffectClass.EXEC.gravity)
    assert together.worst.cls is not EffectClass.READ


@pytest.mark.promise("gate.shell-laws")
@given(
    st.sampled_from(OTHERS),
    st.sampled_from(
        ["echo $({})", "( {} )", "if true; then {}\nfi", "cat <({})", "x=$({})", "! {}", "echo $(ls\n\\{})"]
    ),
)
def test_no_construct_hides_a_command(other: str, frame: str) -> None:
    assert read_command(frame.format(other)).worst.cls is not EffectClass.READ


@pytest.mark.promise("gate.shell-laws")
@given(st.text(max_size=60) | st.text(alphabet="lsrm -f${}()<>|&;'\"\\\n*`#=@!~/", max_size=40))
def test_any_text_is_read_without_an_error(text: str) -> None:
    reading = read_command(text)
    assert reading.worst.cls in EffectClass


@pytest.mark.promise("gate.shell-laws")
@given(st.sampled_from(PLAIN), st.sampled_from(list("\u00a0\u200b\u202e\r\x00\x1b\ufeff")), st.data())
def test_a_mark_that_does_not_show_is_never_read(command: str, mark: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(command)))
    assert read_command(command[:at] + mark + command[at:]).worst.cls is not EffectClass.READ


@pytest.mark.promise("gate.shell-laws")
def test_depth_and_length_end_in_not_read_and_not_in_an_error() -> None:
    for command in (
        "$(" * 3000 + "ls" + ")" * 3000,
        "ls " + "a " * 20_000,
        "sh -c " * 50 + "ls",
        "(" * 500 + "ls" + ")" * 500,
    ):
        reading = read_command(command)
        assert reading.worst.cls is not EffectClass.READ
        assert not reading.bounded
