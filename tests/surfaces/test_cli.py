"""The command line as a person meets it: its words, its exit codes, and no traceback, ever."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.surfaces.processes import NUMEN, environment, numen

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    """What went to stderr, seen to be a sentence and no traceback."""
    text = done.stderr.decode()
    assert "Traceback" not in text
    return text


def test_the_version_is_one_line(tmp_path: Path) -> None:
    done = numen(tmp_path, "--version")
    assert done.returncode == 0
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", done.stdout.decode())


@pytest.mark.promise("cli.help-names-every-command")
def test_help_names_every_command_with_its_purpose(tmp_path: Path) -> None:
    text = numen(tmp_path, "--help").stdout.decode()
    for name in ("north", "seek", "impact", "ingest", "ledger", "init", "up", "mcp"):
        assert re.search(rf"│ {name}\s+[A-Z].*\.|│ {name}\s+[A-Z].*\?", text), name


def test_help_imports_no_command(tmp_path: Path) -> None:
    code = (
        "import sys; from numen.surfaces.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "dear = {'mcp', 'fastapi', 'sqlalchemy', 'numpy', 'pydantic'}\n"
        "print([name for name in sys.modules if name.split('.')[0] in dear])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, check=True
    )
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.promise("cli.nearest-name")
@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["nroth", "task"], "`numen north`"),
        (["ledger", "verfy"], "`numen ledger verify`"),
        (["north", "--jsn", "task"], "--json"),
        (["mcp", "--as", "king"], '"owner"'),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest_and_exit_code_2(
    tmp_path: Path, arguments: list[str], near: str
) -> None:
    done = numen(tmp_path, *arguments)
    assert done.returncode == 2
    assert near in said(done)
    assert done.stdout == b""


@pytest.mark.parametrize(
    "arguments", [["north"], ["seek"], ["north", "a", "b"], ["north", "a", "--top-k", "many"]]
)
def test_a_wrong_command_line_says_what_is_wrong_and_where_to_look(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = numen(tmp_path, *arguments)
    assert done.returncode == 2
    assert f"numen {arguments[0]} --help" in said(done)


@pytest.mark.promise("cli.error-as-json")
def test_with_json_an_error_is_json_on_stdout_and_words_on_stderr(tmp_path: Path) -> None:
    done = numen(tmp_path, "seek", "--json")
    assert done.returncode == 2
    detail = json.loads(done.stdout)["detail"]
    assert detail["code"] == "invalid_input"
    assert detail["message"] in said(done)


def test_a_misspelt_setting_stops_every_command_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_text("prot: 7001\n")
    done = numen(tmp_path, "ledger", "verify")
    assert done.returncode == 2
    assert "'port'" in said(done)


@pytest.mark.promise("cli.init-repeats")
def test_init_makes_the_home_for_its_owner_alone_and_may_be_repeated(tmp_path: Path) -> None:
    home = tmp_path / "home"
    env = environment(home)
    first = numen(tmp_path, "init", "--yes", "--owner", "Ada", env=env)
    assert first.returncode == 0, said(first)
    assert (home.stat().st_mode & 0o777, (home / "api.key").stat().st_mode & 0o777) == (0o700, 0o600)
    key = (home / "api.key").read_text()
    again = numen(tmp_path, "init", env=env)
    assert again.returncode == 0
    assert b"Ada" in again.stdout
    assert (home / "api.key").read_text() == key
    other = numen(tmp_path, "init", "--yes", "--owner", "Bob", env=env)
    assert other.returncode == 4
    assert "Ada" in said(other)


@pytest.mark.promise("cli.ledger-verify")
def test_the_ledger_is_verified_and_a_changed_one_is_told(tmp_path: Path) -> None:
    assert numen(tmp_path, "init", "--yes", "--owner", "Ada").returncode == 0
    whole = numen(tmp_path, "ledger", "verify", "--json")
    assert whole.returncode == 0
    assert json.loads(whole.stdout)["ok"] is True
    with closing(sqlite3.connect(tmp_path / "numen.db")) as store, store:
        store.execute("update events set at = 'x'")
    broken = numen(tmp_path, "ledger", "verify", "--json")
    assert broken.returncode == 1
    verdict = json.loads(broken.stdout)
    assert (verdict["ok"], verdict["seq"]) == (False, 1)


@pytest.mark.promise("cli.quiet-ends")
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*NUMEN, "--help"], env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.promise("cli.quiet-ends")
@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_told_to_stop_stops_quietly(tmp_path: Path, with_signal: signal.Signals) -> None:
    with subprocess.Popen(
        [*NUMEN, "up", "--port", "0"],
        env=environment(tmp_path),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Numen listens on")
        process.send_signal(with_signal)
        assert process.wait(30) == 0
        assert process.stderr.read() == b""


@pytest.mark.promise("ingest.watch")
def test_ingest_with_watch_follows_each_save_until_it_is_stopped(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "one.py").write_text("def one(): ...\n")
    with subprocess.Popen(
        [*NUMEN, "ingest", str(tree), "--watch", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path / "home"),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["files"] == 1
        (tree / "one.py").write_text("def one(): two()\n\n\ndef two(): ...\n")
        assert json.loads(process.stdout.readline())["parsed"] == 1
        (tree / "inner").mkdir()
        (tree / "inner" / "three.py").write_text("x = 1\n")
        files = 1
        while files < 2:
            files = json.loads(process.stdout.readline())["files"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == b""
