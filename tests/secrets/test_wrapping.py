"""A command or code is run as it was written, with the values of its call around it and nowhere else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.secrets import for_python, for_shell

REF, OTHER = "S-ABCDEFGH", "S-HGFEDCBA"
NAME, SECOND = "NUMEN_SECRET_ABCDEFGH", "NUMEN_SECRET_HGFEDCBA"
SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh", "ksh", "busybox") if shutil.which(shell)]


def files(tmp_path: Path, *values: str) -> dict[str, str]:
    made: dict[str, str] = {}
    for ref, value in zip((REF, OTHER), values, strict=False):
        path = tmp_path / f"it's {ref}"
        path.write_bytes(value.encode())
        made[ref] = str(path)
    return made


def shell(name: str, script: str) -> subprocess.CompletedProcess[bytes]:
    words = ["busybox", "sh"] if name == "busybox" else [name]
    return subprocess.run([*words, "-c", script], capture_output=True, check=False)


def python(code: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)


@pytest.mark.promise("secrets.wrapped")
@pytest.mark.parametrize("name", SHELLS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20))
def test_a_shell_command_reads_exactly_the_values_and_nothing_stays(
    name: str, tmp_path: Path, value: str
) -> None:
    bound = files(tmp_path, value, "second\n")
    show = f'printf %s "${NAME}"; cat "${NAME}_FILE"; printf %s "${SECOND}"'
    after = f'printf "[%s%s]" "${NAME}" "${{{NAME}_FILE-unset}}"'
    shown = shell(name, for_shell(show, bound) + "\n" + after)
    data = value.encode()
    assert (shown.stdout, shown.stderr) == (data + data + b"second\n[unset]", b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.promise("secrets.wrapped")
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("exit 7", 7, b""),
        ("echo a # comment", 0, b"a\n"),
        ("cat <<END\n$HOME_NOT x\nEND", 0, b" x\n"),
        ("false || echo b", 0, b"b\n"),
        ("echo c \\", 0, b"c\n"),
    ],
)
def test_a_shell_command_ends_as_it_would_without_the_values(
    tmp_path: Path, command: str, code: int, said: bytes
) -> None:
    done = shell("sh", for_shell(command, files(tmp_path, "x")))
    assert (done.returncode, done.stdout) == (code, said)
    assert list(tmp_path.iterdir()) == []


def test_a_shell_that_cannot_read_a_value_runs_nothing(tmp_path: Path) -> None:
    done = shell("sh", for_shell("echo ran", {REF: str(tmp_path / "none")}))
    assert done.returncode != 0
    assert done.stdout == b""


@pytest.mark.promise("secrets.wrapped")
def test_code_reads_exactly_the_values_and_nothing_stays(tmp_path: Path) -> None:
    value = "a\r\nb\u20ac'\"{}\n"
    code = (
        f"import os\nvalue = os.environ['{NAME}']\n"
        f"same = value == open(os.environ['{NAME}_FILE'], encoding='utf-8', newline='').read()"
    )
    after = f"\nprint(same, ascii(value), os.environ.get('{NAME}'), os.environ.get('{NAME}_FILE'))"
    done = python(for_python(code, files(tmp_path, value, "second")) + after)
    assert done.stderr == b""
    assert done.stdout.decode() == f"True {value!a} None None\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("code", "status"), [("raise SystemExit(7)", 7), ("1/0", 1), ("def f(:", 1)])
def test_code_that_fails_fails_as_it_would_and_leaves_no_file(tmp_path: Path, code: str, status: int) -> None:
    done = python(for_python(code, files(tmp_path, "Hunter1700x")))
    assert done.returncode == status
    assert b"Hunter1700x" not in done.stderr
    assert list(tmp_path.iterdir()) == []
