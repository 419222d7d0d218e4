"""After a scripted day nothing but the vault holds a value, and the vault holds it only as ciphertext."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from numen.secrets.rules import REFERENCE
from tests.surfaces.processes import NUMEN, Reply, Server, environment, make_repository, serving, speaking

pytestmark = [pytest.mark.attack, pytest.mark.slow, pytest.mark.timeout(120)]

OWNERS = "Canary7391ownerQ"
GUESTS = "Canary7391guestQ"
LOST = "Canary7391lostQ"
GONE = "Canary7391goneQ"
ASKED = "Canary7391askedQ"
BROKEN = "Canary7391brokenQ"
CANARIES = (OWNERS, GUESTS, LOST, GONE, ASKED, BROKEN)


@dataclass(slots=True)
class Day:
    """What was said out loud in a day: everything but the answers that are meant to hold a value."""

    heard: list[bytes] = field(default_factory=list[bytes])

    def hears(self, said: bytes | str) -> str:
        """Note what came out, and give it on."""
        data = said if isinstance(said, bytes) else said.encode()
        self.heard.append(data)
        return data.decode("utf-8", "replace")


def shapes(value: str) -> Iterator[bytes]:
    """`value` in the forms in which it might lie somewhere."""
    data = value.encode()
    yield from (data, value.encode("utf-16-le"), data.hex().encode(), data.hex().upper().encode())
    yield "".join(f"%{byte:02X}" for byte in data).encode()
    yield data[::-1]
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + data)
        yield coded[4 if shift else 0 : -4]


def assert_clean(what: str, data: bytes) -> None:
    for canary in CANARIES:
        for shape in shapes(canary):
            assert shape not in data, f"{canary} stands in {what}"


def post(server: Server, path: str, **body: object) -> Reply:
    return server.request("POST", path, json.dumps(body).encode(), key=server.key)


def said(value: str) -> str:
    return f"my password is {value} ok"


def secret(home: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*NUMEN, "secret", *arguments],
        env=environment(home),
        input=text.encode(),
        capture_output=True,
        check=False,
    )


def processes(but: set[int]) -> Iterator[tuple[str, bytes]]:
    """The command line, the name and the environment of every process that can be read, but those."""
    for process in psutil.process_iter():
        if process.pid in but:
            continue
        for name in ("cmdline", "comm", "environ"):
            try:
                yield f"{name} of {process.pid}", Path(f"/proc/{process.pid}/{name}").read_bytes()
            except OSError:
                continue


def looks(folder: Path, but: Path | None = None) -> set[str]:
    """Look into every file below `folder`; their names."""
    found = [path for path in folder.rglob("*") if path.is_file() and path != but]
    for path in found:
        assert_clean(str(path), path.read_bytes())
        assert_clean("the name of a file", os.fsencode(path.name))
    return {path.name for path in found}


def seals(server: Server, day: Day, value: str, **who: object) -> str:
    """The reference of `value`, said over HTTP."""
    answer = post(server, "/v1/secrets/seal", text=said(value), **(who or {"owner": True}))
    match = REFERENCE.search(day.hears(answer.body))
    assert match is not None
    return match[1]


def misuses(server: Server, day: Day) -> None:
    """Bad bodies, wrong purposes, unknown names, all with a value in them."""
    for path, body in (
        ("/v1/secrets/seal", said(BROKEN).encode()),
        ("/v1/secrets/seal", json.dumps({"text": said(BROKEN), said(BROKEN): 1}).encode()),
        ("/v1/secrets/resolve", json.dumps({"refs": [BROKEN], "purpose": "use", "lane": "owner"}).encode()),
        ("/v1/secrets/resolve", json.dumps({"refs": [], "purpose": BROKEN}).encode()),
        ("/v1/north", json.dumps({"task": 7, "repo": said(BROKEN)}).encode()),
        ("/v1/seek", json.dumps({"query": said(BROKEN), "k": said(BROKEN)}).encode()),
    ):
        answer = server.request("POST", path, body, key=server.key)
        assert answer.status >= 400
        day.hears(answer.body)


def asks(server: Server, day: Day, repository: Path) -> None:
    """The verbs, over HTTP, MCP and the command line, with a value in their words."""
    for verb, word in (("north", "task"), ("seek", "query"), ("impact", "symbol")):
        day.hears(server.ask(verb, **{word: said(ASKED)}).body)
        with speaking(server.home, repository, "--as", "owner") as lines:
            lines.hello()
            day.hears(json.dumps(lines.call(verb, **{word: said(ASKED)})))


def runs(server: Server, day: Day, ref: str) -> None:
    """A program that has the value, while everything else is looked at."""
    name = f"NUMEN_SECRET_{ref[2:]}"
    script = f'test "${name}" = "$(cat "${name}_FILE")" && echo same && read -r _'
    process = subprocess.Popen(
        [*NUMEN, "secret", "exec", "--", "sh", "-c", script],
        env=environment(server.home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"same\n"
    own = {child.pid for child in psutil.Process(process.pid).children(recursive=True)}
    for what, data in processes(but=own):
        assert_clean(what, data)
    [private] = (server.home / "private").iterdir()
    assert private.read_bytes() == OWNERS.encode()
    looks(server.home, but=private)
    out, _ = process.communicate(b"\n")
    day.hears(out)


@pytest.mark.promise("secrets.canaries")
def test_after_a_scripted_day_no_value_stands_anywhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    home, repository = tmp_path / "home", make_repository(tmp_path / "repository")
    day = Day()
    with serving(home, repository, env=environment(home)) as server:
        ref = seals(server, day, OWNERS)
        theirs = seals(server, day, GUESTS, contact_id="handle:telegram:222")
        gone = seals(server, day, GONE)
        day.hears(secret(home, "seal", text=said(OWNERS)).stdout)
        misuses(server, day)
        asks(server, day, repository)
        wanted = {"refs": [ref, theirs, gone], "purpose": "reveal", "lane": "owner"}
        served = post(server, "/v1/secrets/resolve", **wanted).json
        assert served["values"] == {ref: OWNERS, gone: GONE}
        runs(server, day, ref)
        day.hears(post(server, f"/v1/secrets/{gone}/forget").body)
        for command in (("rekey",), ("list",), ("list", "--json"), ("exec", "--ref", gone, "--", "env")):
            done = secret(home, *command)
            day.hears(done.stdout + done.stderr)
        (home / "vault.key").rename(tmp_path / "vault.key")
        day.hears(post(server, "/v1/secrets/seal", text=said(LOST), owner=True).body)
        held = post(server, "/v1/secrets/resolve", **wanted)
        assert held.json["values"] == {}
        day.hears(held.body)
        (tmp_path / "vault.key").rename(home / "vault.key")
        assert seals(server, day, OWNERS) == ref
        day.hears(server.request("GET", "/v1/secrets", key=server.key).body)
        assert "numen.db-wal" in looks(home)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout is not None
        day.hears(server.process.stdout.read())
    logged = capfd.readouterr()
    day.hears(logged.out + logged.err)
    for data in day.heard:
        assert_clean("what was said", data)
    for what, data in processes(but=set()):
        assert_clean(what, data)
    assert {"numen.db", "vault.key"} <= looks(tmp_path)


def test_the_search_for_canaries_finds_one(tmp_path: Path) -> None:
    for shape in shapes(OWNERS):
        with pytest.raises(AssertionError):
            assert_clean("a haystack", b"hay" + shape + b"hay")
