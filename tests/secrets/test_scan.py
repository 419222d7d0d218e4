"""`numen secret scan` in real processes, the copy of the detector, and the second opinion."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from numen.secrets.detector import find
from tests.surfaces.processes import NUMEN, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

ROOT = Path(__file__).parent.parent.parent
SAID = "Hello,\nmy pin is 9407 and DB_PASSWORD=gr0und-Hog.Day\n"


def scan(home: Path, *arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`numen secret scan ARGUMENTS` to its end."""
    command = [*NUMEN, "secret", "scan", *arguments]
    return subprocess.run(command, env=environment(home), input=text, capture_output=True, check=False)


@pytest.mark.promise("secrets.scan")
def test_a_scan_names_places_and_kinds_and_never_a_value(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text(SAID, "utf-8")
    for done in (scan(tmp_path / "home", text=SAID.encode()), scan(tmp_path / "home", str(path))):
        assert done.returncode == 1
        assert b"2:11: pin (PIN, 4 characters)" in done.stdout
        assert b"DB_PASSWORD, 14 characters" in done.stdout
        assert b"9407" not in done.stdout + done.stderr
        assert b"gr0und" not in done.stdout + done.stderr
    found = json.loads(scan(tmp_path / "home", "--json", str(path)).stdout)
    assert [row["kind"] for row in found["found"]] == ["pin", "assignment"]
    assert not (tmp_path / "home").exists(), "a scan keeps nothing"


@pytest.mark.promise("secrets.scan")
def test_a_text_without_secrets_and_a_file_that_is_not_there_are_two_answers(tmp_path: Path) -> None:
    assert scan(tmp_path, text=b"Hello.").returncode == 0
    gone = scan(tmp_path, str(tmp_path / "gone"))
    assert gone.returncode == 1
    assert gone.stdout == b""
    assert b"cannot be read" in gone.stderr
    assert b"Traceback" not in gone.stderr
    assert scan(tmp_path, text=b"pin \xff is 4821").returncode in (0, 1)


@pytest.mark.promise("secrets.scan-lines")
def test_lines_are_answered_one_by_one_and_a_bad_one_loses_no_other(tmp_path: Path) -> None:
    command = [*NUMEN, "secret", "scan", "--jsonl"]
    with subprocess.Popen(
        command,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text in ("my pin is 9407", "Hé, mon code pin c'est 3719", "nothing"):
            process.stdin.write(json.dumps({"text": text}).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["spans"] == [[one.start, one.end] for one in find(text)]
            assert answer["kinds"] == [one.kind for one in find(text)]
        process.stdin.write(b'no json\n[1]\n{"text": 5}\n\n{"text": "pin 4821"}\n')
        process.stdin.close()
        rest = [json.loads(row) for row in process.stdout.read().splitlines()]
        assert process.wait() == 2
    assert [set(row) for row in rest] == [{"error"}, {"error"}, {"error"}, {"spans", "kinds"}]


@pytest.mark.promise("secrets.one-detector")
def test_the_copy_in_the_hermes_wheel_is_the_detector(tmp_path: Path) -> None:
    script, copy = str(ROOT / "scripts/sync-detector"), tmp_path / "_detector.py"
    assert subprocess.run([script, "--check"], check=False).returncode == 0
    copy.write_text("old", "utf-8")
    assert subprocess.run([script, "--check", str(copy)], check=False, capture_output=True).returncode == 1
    assert subprocess.run([script, str(copy)], check=False, capture_output=True).returncode == 0
    assert copy.read_bytes() == (ROOT / "src/numen/secrets/detector.py").read_bytes()
    program = "import importlib.util as u, sys; s = u.spec_from_file_location('d', sys.argv[1])\n"
    program += "m = sys.modules['d'] = u.module_from_spec(s); s.loader.exec_module(m)\n"
    program += "print(m.find('my pin is 9407')[0].kind)"
    done = subprocess.run(
        [NUMEN[0].replace("numen", "python"), "-I", "-c", program, str(copy)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "pin\n", "the copy needs nothing but the standard library"


@pytest.mark.peer
@pytest.mark.promise("secrets.second-opinion")
def test_the_second_opinion_names_what_the_detector_passes_over(tmp_path: Path) -> None:
    pytest.importorskip("detect_secrets")
    both, other = tmp_path / "both.txt", tmp_path / "other.txt"
    both.write_text("token: ghp_4kLmQ9xZt7VbW2rYp8NcJ5dFhG3sKa1TuE6w\n", "utf-8")
    value = "AKCp5bueTFpfypEqQbGJPp7eHFi28fBivfWczrjbPb9erDff9LbXZbj6UsRExVXA8asWGc9fM"
    other.write_text(f"https://artifacts.example {value}\n", "utf-8")
    script = str(ROOT / "scripts/scan-secrets")
    assert subprocess.run([script, str(both)], check=False, capture_output=True).returncode == 0
    done = subprocess.run([script, str(other)], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == f"{other}:1: Artifactory Credentials\n"
