"""A program gets a value from its environment or a private file, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from numen.kernel import FixedClock, InvalidInput, NotFound
from numen.secrets import Bindings, fill_file, set_variable
from tests.secrets.vaults import AT

REF = "S-ABCDEFGH"
NAME = "NUMEN_SECRET_ABCDEFGH"
HOLD = """
import os, sys
from pathlib import Path
from numen.kernel import SystemClock
from numen.secrets import Bindings
with Bindings(Path(sys.argv[1]), SystemClock()).bound({"S-ABCDEFGH": "Hunter1700x"}) as bound:
    print(bound.variables["NUMEN_SECRET_ABCDEFGH_FILE"], flush=True)
    sys.stdin.read()
"""
values = st.text(min_size=1).filter(lambda text: "\0" not in text)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(AT)


@pytest.fixture
def bindings(tmp_path: Path, clock: FixedClock) -> Bindings:
    return Bindings(tmp_path, clock)


@pytest.mark.promise("secrets.bound-to-one-program")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values)
def test_a_program_reads_exactly_the_value_from_the_variable_and_from_the_file(
    bindings: Bindings, value: str
) -> None:
    show = f'printf %s "${NAME}"; printf "\\0"; cat "${NAME}_FILE"'
    with bindings.bound({REF: value}) as bound:
        shown = subprocess.run(
            ["sh", "-c", show], env={**os.environ, **bound.variables}, stdout=subprocess.PIPE, check=True
        )
    data = value.encode("utf-8", "surrogatepass")
    assert shown.stdout == data + b"\0" + data


@pytest.mark.promise("secrets.bound-to-one-program")
def test_the_file_is_private_and_goes_with_the_call(bindings: Bindings, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with bindings.bound({REF: "Hunter1700x"}) as bound:
            file = Path(bound.variables[f"{NAME}_FILE"])
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
            assert NAME not in os.environ
    finally:
        os.umask(before)
    assert list((tmp_path / "private").iterdir()) == []


def test_a_value_that_no_variable_can_hold_has_its_file_only(bindings: Bindings) -> None:
    for value in ("a\0b", "x" * 200_000):
        with bindings.bound({REF: value}) as bound:
            assert set(bound.variables) == {f"{NAME}_FILE"}
            assert Path(bound.variables[f"{NAME}_FILE"]).read_text() == value


@pytest.mark.promise("secrets.file-goes-with-its-reader")
def test_a_file_stays_while_a_program_that_the_call_left_behind_still_holds_it(
    bindings: Bindings, tmp_path: Path
) -> None:
    with bindings.bound({REF: "Hunter1700x"}) as bound:
        file = Path(bound.variables[f"{NAME}_FILE"])
        reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=bound.descriptors)
    assert file.read_text() == "Hunter1700x"
    assert bindings.sweep() == 0
    reader.communicate()
    assert bindings.sweep() == 1
    assert not file.exists()


@pytest.mark.promise("secrets.file-goes-within-an-hour")
def test_after_an_hour_a_file_goes_whoever_holds_it(bindings: Bindings, clock: FixedClock) -> None:
    with bindings.bound({REF: "Hunter1700x"}) as bound:
        file = Path(bound.variables[f"{NAME}_FILE"])
        clock.move(timedelta(minutes=59))
        assert bindings.sweep() == 0
        clock.move(timedelta(minutes=2))
        assert bindings.sweep() == 1
        assert not file.exists()


@pytest.mark.crash
@pytest.mark.slow
@pytest.mark.timeout(30)
@pytest.mark.promise("secrets.file-goes-with-its-reader")
def test_the_file_of_a_process_that_was_killed_goes_at_the_next_look(
    bindings: Bindings, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    file = Path(process.stdout.readline().strip())
    assert file.read_text() == "Hunter1700x"
    assert bindings.sweep() == 0
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert file.exists()
    assert bindings.sweep() == 1
    assert not file.exists()


@pytest.mark.promise("secrets.revealed-file")
def test_a_revealed_value_lies_in_a_private_file_for_30_minutes_at_most(
    bindings: Bindings, clock: FixedClock
) -> None:
    with bindings.revealed(REF, "Hunter1700x") as path:
        assert path.read_text() == "Hunter1700x"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        clock.move(timedelta(minutes=29))
        assert bindings.sweep() == 0
        clock.move(timedelta(minutes=2))
        assert bindings.sweep() == 1
    with bindings.revealed(REF, "Hunter1700x") as path:
        pass
    assert not path.exists()


def test_a_value_stands_in_a_file_where_its_reference_stood(tmp_path: Path) -> None:
    file = tmp_path / "conf"
    file.write_text(f"a=[secret {REF}: x]\r\nb=[secret S-HGFEDCBA: x]\nc=[secret {REF}: y]")
    file.chmod(0o644)
    link = tmp_path / "link"
    link.symlink_to(file)
    assert fill_file(link, REF, r"pa\1ss") == 2
    assert file.read_bytes() == b"a=pa\\1ss\r\nb=[secret S-HGFEDCBA: x]\nc=pa\\1ss"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert link.is_symlink()
    with pytest.raises(NotFound):
        fill_file(file, REF, "x")
    with pytest.raises(NotFound):
        fill_file(tmp_path / "none", REF, "x")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput):
        fill_file(file, REF, "x")
    assert {path.name for path in tmp_path.iterdir()} == {"conf", "link"}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=20))
def test_a_shell_reads_a_variable_as_it_was(tmp_path: Path, value: str) -> None:
    file = tmp_path / "env"
    file.write_text("A=1\nexport PW=old\nPWX=2\n")
    set_variable(file, "PW", value)
    script = f'. {file}; printf %s "$A$PWX$PW"'
    shown = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, check=True).stdout
    assert shown == b"12" + value.encode()
    with pytest.raises(InvalidInput):
        set_variable(file, "P W", "x")
