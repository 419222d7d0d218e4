"""`numen secret ...` end to end, in real processes and on a real terminal."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from numen.secrets.rules import REFERENCE
from tests.surfaces.processes import NUMEN, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]
SAID = "my password is Hunter1700x ok"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *arguments: str, text: str = "", umask: int = 0o022) -> subprocess.CompletedProcess[str]:
    """`numen secret ARGUMENTS` to its end."""
    return subprocess.run(
        [*NUMEN, "secret", *arguments],
        env=environment(home),
        input=text,
        capture_output=True,
        text=True,
        umask=umask,
        check=False,
    )


def sealed(home: Path, text: str = SAID) -> str:
    """The reference of the value in `text`."""
    match = REFERENCE.search(run(home, "seal", text=text).stdout)
    assert match is not None
    return match[1]


def variable(ref: str) -> str:
    return f"NUMEN_SECRET_{ref[2:]}"


@pytest.mark.promise("secrets.terminal")
def test_a_value_goes_through_its_whole_life_in_a_terminal(home: Path) -> None:
    assert run(home, "list").stdout == "Nothing is sealed.\n"
    ref = sealed(home)
    assert sealed(home) == ref
    listed = run(home, "list")
    assert ref in listed.stdout
    assert "sealed" in listed.stdout
    assert json.loads(run(home, "list", "--json").stdout)["entries"][0]["ref"] == ref
    assert "1 value moved" in run(home, "rekey").stdout
    assert "released" in run(home, "release", ref).stdout
    assert run(home, "seal", text=SAID).stdout == SAID
    assert "forgotten" in run(home, "forget", ref).stdout
    assert "forgotten" in run(home, "list").stdout
    for command in (("show", ref, "--file"), ("exec", "--ref", ref, "--", "true")):
        refused = run(home, *command)
        assert (refused.returncode, "forgotten" in refused.stderr) == (1, True)
    assert run(home, "forget", "S-AAAAAAAA").returncode == 1
    assert run(home, "show", "nonsense", "--file").returncode == 2
    for file in home.rglob("*"):
        assert file.is_dir() or b"Hunter1700x" not in file.read_bytes()


@pytest.mark.promise("secrets.private-files")
def test_every_file_is_private_whatever_the_umask(home: Path) -> None:
    umask = 0
    ref = REFERENCE.findall(run(home, "seal", text=SAID, umask=umask).stdout)[0][0]
    run(home, "rekey", umask=umask)
    look = f'ls "{home}/private"; stat -c %a "${variable(ref)}_FILE" "{home}/private"'
    shown = run(home, "exec", "--", "sh", "-c", look, umask=umask)
    assert shown.stdout.split()[1:] == ["600", "700"]
    modes = {path.name: path.stat().st_mode & 0o777 for path in home.iterdir() if path.is_file()}
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.promise("secrets.bound-to-one-program")
def test_a_program_gets_the_value_and_its_arguments_are_left_as_they_are(home: Path) -> None:
    ref = sealed(home)
    shown = run(
        home, "exec", "--", "sh", "-c", f'printf "%s %s" "${variable(ref)}" "$0"', f"$({variable(ref)})"
    )
    assert shown.stdout == f"Hunter1700x $({variable(ref)})"
    code = f"import os; print(os.environ['{variable(ref)}'], open(os.environ['{variable(ref)}_FILE']).read())"
    assert run(home, "exec", "--", sys.executable, "-c", code).stdout == "Hunter1700x Hunter1700x\n"
    assert run(home, "exec", "--ref", ref, "--", "sh", "-c", "exit 7").returncode == 7
    assert run(home, "exec", "--ref", ref, "--", "sh", "-c", "kill -9 $$").returncode == 128 + 9
    assert run(home, "exec", "--ref", ref, "--", "no-such-program").returncode == 127
    assert run(home, "exec", "--", "true").returncode == 2
    assert run(home, "exec").returncode == 2
    assert list((home / "private").iterdir()) == []


def test_a_signal_reaches_the_program_and_the_file_goes(home: Path) -> None:
    ref = sealed(home)
    answer = 'trap "echo stopped; exit 3" TERM'
    command = f'{answer}; echo "${variable(ref)}_FILE"; while :; do read -r _ || exit 4; done'
    process = subprocess.Popen(
        [*NUMEN, "secret", "exec", "--", "sh", "-c", command],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    file = Path(process.stdout.readline().strip())
    assert file.read_text() == "Hunter1700x"
    process.send_signal(signal.SIGTERM)
    process.wait(10)
    assert process.stdin is not None
    process.stdin.close()
    assert process.stdout.read() == "stopped\n"
    process.stdout.close()
    assert (process.returncode, file.exists()) == (3, False)


@pytest.mark.promise("secrets.shown-on-a-terminal")
def test_a_value_is_shown_on_a_terminal_and_not_in_a_pipe(home: Path) -> None:
    ref = sealed(home)
    refused = run(home, "show", ref)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Hunter1700x" not in refused.stderr
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [*NUMEN, "secret", "show", ref], env=environment(home), stdin=child, stdout=child, stderr=child
    )
    os.close(child)
    assert process.wait(30) == 0
    assert os.read(parent, 1000) == b"Hunter1700x\r\n"
    os.close(parent)


@pytest.mark.promise("secrets.revealed-file")
def test_a_revealed_file_lasts_as_long_as_the_command(home: Path) -> None:
    ref = sealed(home)
    process = subprocess.Popen(
        [*NUMEN, "secret", "show", ref, "--file"], env=environment(home), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    file = Path(process.stdout.readline().strip())
    assert file.read_text() == "Hunter1700x"
    assert file.stat().st_mode & 0o777 == 0o600
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Hunter1700x" not in rest
    assert not file.exists()


def test_a_value_is_put_into_a_file(home: Path, tmp_path: Path) -> None:
    ref = sealed(home)
    file, variables = tmp_path / "conf", tmp_path / ".env"
    file.write_text(f"password = [secret {ref}: password]\n")
    done = run(home, "use", ref, str(file))
    assert file.read_text() == "password = Hunter1700x\n"
    assert run(home, "use", ref, str(variables), "--name", "PW").returncode == 0
    assert variables.read_text() == "PW=Hunter1700x\n"
    assert {path.stat().st_mode & 0o777 for path in (file, variables)} == {0o600}
    assert "Hunter1700x" not in done.stdout + done.stderr
    assert run(home, "use", ref, str(tmp_path / "none")).returncode == 1


@pytest.mark.promise("secrets.key-missing")
def test_with_the_key_gone_the_terminal_says_so_and_keeps_everything(home: Path) -> None:
    ref = sealed(home)
    (home / "vault.key").rename(home / "kept")
    assert "unavailable" in run(home, "list").stdout
    refused = run(home, "exec", "--ref", ref, "--", "true")
    assert (refused.returncode, "missing" in refused.stderr) == (1, True)
    held = run(home, "seal", text=SAID)
    assert (held.returncode, "[secret withheld" in held.stdout) == (1, True)
    assert "Hunter1700x" not in held.stdout + held.stderr
    rekeyed = run(home, "rekey")
    assert (rekeyed.returncode, "--lost-key" in rekeyed.stderr) == (1, True)
    (home / "kept").rename(home / "vault.key")
    assert run(home, "exec", "--", "sh", "-c", f"test ${variable(ref)} = Hunter1700x").returncode == 0


def examined(home: Path) -> dict[str, str]:
    """What the doctor says of the vault."""
    said = subprocess.run(
        [*NUMEN, "doctor", "--json"], env=environment(home), capture_output=True, text=True, check=False
    )
    rows = json.loads(said.stdout)["findings"]
    return next(row for row in rows if row["about"] == "vault")


@pytest.mark.promise("secrets.doctor")
def test_the_doctor_says_when_the_key_of_the_vault_is_missing_or_another_one(home: Path) -> None:
    sealed(home)
    assert (examined(home)["state"], "1 value sealed" in examined(home)["what"]) == ("good", True)
    key = home / "vault.key"
    kept = key.read_text()
    key.unlink()
    assert (examined(home)["state"], "missing" in examined(home)["what"]) == ("bad", True)
    sealed_elsewhere = home.parent / "other"
    sealed_elsewhere.mkdir()
    run(sealed_elsewhere, "seal", text=SAID)
    key.write_text((sealed_elsewhere / "vault.key").read_text())
    key.chmod(0o600)
    wrong = examined(home)
    assert (wrong["state"], "--lost-key" in wrong["mend"]) == ("bad", True)
    key.write_text(kept)
    assert examined(home)["state"] == "good"


@pytest.mark.promise("secrets.json-is-filtered")
def test_no_answer_in_json_holds_a_value_on_the_command_line(home: Path) -> None:
    init = [*NUMEN, "init", "--yes", "--owner", "Hunter1700x"]
    subprocess.run(init, env=environment(home), capture_output=True, check=True)
    ref = sealed(home)
    for command in (("credentials",), ("doctor",), ("secret", "list")):
        shown = subprocess.run(
            [*NUMEN, *command, "--json"], env=environment(home), capture_output=True, text=True, check=False
        )
        assert json.loads(shown.stdout)
        assert "Hunter1700x" not in shown.stdout + shown.stderr
        assert command != ("doctor",) or f"[secret {ref}" in shown.stdout
