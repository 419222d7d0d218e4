"""The home as its owner sets it up, in real commands and a real server."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.surfaces.processes import NUMEN, Server, environment, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

INIT = ("init", "--yes", "--owner", "Pat", "--handle", "telegram:111")


def owner_of(home: Path) -> str:
    return yaml.safe_load((home / "numen.yaml").read_text())["owner"]["contact_id"]


def resolved(server: Server, query: str) -> tuple[int, dict[str, object]]:
    reply = server.request("GET", f"/v1/host/contacts/resolve?{query}", key=server.key)
    return reply.status, reply.json


def findings(home: Path) -> dict[str, list[dict[str, str]]]:
    rows = json.loads(numen(home, "doctor", "--json").stdout)["findings"]
    return {about: [row for row in rows if row["about"] == about] for about in {row["about"] for row in rows}}


@pytest.mark.promise("init.writes-the-home")
def test_init_writes_the_home_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    env = environment(home)
    command = ["sh", "-c", 'umask 000; exec "$@"', "sh", *NUMEN, *INIT, "--stock-client"]
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert "as the owner on api, cli, telegram" in done.stdout.decode()
    files = {path.name: path.read_bytes() for path in home.iterdir() if path.suffix in {".yaml", ".key"}}
    assert set(files) == {"numen.yaml", "identity.yaml", "protagine.yaml", "api.key"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in home.iterdir() if path.is_file()} == {0o600}
    identity = yaml.safe_load(files["identity.yaml"])
    assert identity["owner"] == {"name": "Pat", "handles": [{"platform": "telegram", "id": "111"}]}
    stock = yaml.safe_load(files["protagine.yaml"])
    assert stock["owner"] == {"contact_id": owner_of(home)}
    assert stock["sidecar"] == {"host": "127.0.0.1", "port": 7777}
    again = numen(home, *INIT, "--stock-client")
    assert again.returncode == 0, again.stderr
    assert files == {name: (home / name).read_bytes() for name in files}
    assert all(row["state"] == "good" for rows in findings(home).values() for row in rows)


@pytest.mark.promise("init.keeps-what-was-written")
def test_init_keeps_what_a_person_wrote_and_adds_a_handle_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "numen.yaml").write_text("# mine\nport: 7001 # near\n")
    wrote = (
        "# who\nagent:\n  name: Ada # hers\n  boundaries: [no spending]\nowner:\n  name: Pat\n"
        "  handles:\n    - {platform: telegram, id: 111}\n  # the end\n"
    )
    (tmp_path / "identity.yaml").write_text(wrote)
    assert numen(tmp_path, "init", "--yes").returncode == 0
    assert (tmp_path / "identity.yaml").read_text() == wrote
    assert (tmp_path / "numen.yaml").read_text().startswith("# mine\nport: 7001 # near\nowner:\n")
    done = numen(tmp_path, "init", "--yes", "--handle", "sms:+442079460123")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "identity.yaml").read_text()
    assert {"# who", "name: Ada # hers", "# the end"} <= {line.strip() for line in text.splitlines()}
    said = yaml.safe_load(text)
    assert said["agent"]["boundaries"] == ["no spending"]
    assert [one["platform"] for one in said["owner"]["handles"]] == ["telegram", "sms"]


@pytest.mark.promise("people.one-truth-for-the-owner")
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("numen.yaml", "owner: {contact_id: a}\nowner: {contact_id: b}\n", "twice"),
        ("numen.yaml", "owner: [a, b]\n", "owner"),
        ("numen.yaml", "owner: {contact: a}\n", "contact_id"),
        ("identity.yaml", "owner: {name: Pat}\nowner: {name: Ben}\n", "twice"),
        ("identity.yaml", "owner: {name: Pat, handels: []}\n", "handles"),
        ("identity.yaml", "onwer: {name: Pat}\n", "owner"),
        ("identity.yaml", "owner: {handles: [{platform: telegram}]}\n", "id"),
        ("identity.yaml", "owner: {handles: ['Tele gram:1']}\n", "platform"),
    ],
)
def test_two_owners_and_misspelt_keys_are_refused_by_name(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    done = numen(tmp_path, "init", "--yes")
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    assert (tmp_path / name).read_text() == text
    assert not (tmp_path / "api.key").exists()
    assert numen(tmp_path, "doctor").returncode == 1


@pytest.mark.promise("people.one-truth-for-the-owner")
def test_a_server_serves_nobody_while_two_owners_are_named_and_init_mends_it(tmp_path: Path) -> None:
    assert numen(tmp_path, *INIT).returncode == 0
    real = owner_of(tmp_path)
    file = tmp_path / "numen.yaml"
    file.write_text(file.read_text().replace(real, real[:-1] + ("0" if real[-1] != "0" else "1")))
    assert findings(tmp_path)["owner"][0]["state"] == "bad"
    with serving(tmp_path, tmp_path) as server:
        for reply in (
            server.request("GET", "/readyz"),
            server.request("GET", "/v1/host/health", key=server.key),
        ):
            assert reply.json["detail"]["code"] == "two_owners"
            assert "numen init" in reply.json["detail"]["next_step"]
    assert numen(tmp_path, "init", "--yes").returncode == 0
    assert owner_of(tmp_path) == real


@pytest.mark.promise("wire.contacts-resolve")
def test_a_sender_is_resolved_over_http_and_becomes_the_owner_when_declared(tmp_path: Path) -> None:
    assert numen(tmp_path, *INIT).returncode == 0
    owner = owner_of(tmp_path)
    with serving(tmp_path, tmp_path) as server:
        status, said = resolved(server, "gateway=telegram&address=111&create=true")
        assert (status, said["contact_id"], said["may_contact"]) == (200, owner, "ask")
        assert resolved(server, "gateway=telegram&address=222")[0] == 404
        status, guest = resolved(
            server, "gateway=telegram&address=222&create=true&display_name=my+password+is+Hunter22x"
        )
        assert (status, guest["trust_tier"]) == (200, "unknown")
        assert "Hunter22x" not in str(guest)
        assert guest["contact_id"] not in {
            owner,
            resolved(server, "gateway=sms&address=1&create=1")[1]["contact_id"],
        }
        for wrong in (
            "gateway=mail&address=my+password+is+Hunter22x&create=true",
            "gateway=telegram",
            "address=1",
            "gateway=a b&address=1".replace(" ", "+"),
            "create=maybe&gateway=a&address=1",
        ):
            assert resolved(server, wrong)[0] == 422
        assert server.request("GET", "/v1/host/contacts/resolve?gateway=telegram&address=111").status == 401
        assert server.request("GET", "/v1/host/health", key=server.key).json["status"] == "ok"
    identity = tmp_path / "identity.yaml"
    identity.write_text(identity.read_text().replace('id: "111"', 'id: "222"'))
    assert "telegram:222" in str(findings(tmp_path)["handles"])
    with serving(tmp_path, tmp_path, "--read-only") as server:
        assert resolved(server, "gateway=telegram&address=333&create=true")[0] == 403
    with serving(tmp_path, tmp_path) as server:
        assert resolved(server, "gateway=telegram&address=222")[1]["contact_id"] == owner
        assert resolved(server, "gateway=telegram&address=111")[0] == 404


@pytest.mark.promise("people.grants")
def test_credentials_show_the_keys_and_change_what_they_may_do(tmp_path: Path) -> None:
    assert numen(tmp_path, *INIT).returncode == 0
    (house,) = json.loads(numen(tmp_path, "credentials", "--json").stdout)["keys"]
    assert house["owner_platforms"] == ["api", "cli", "telegram"]
    assert numen(tmp_path, "credentials", house["id"], "--owner-platform", "cli").returncode == 0
    (missing,) = findings(tmp_path)["platforms"]
    assert missing["state"] == "warn"
    assert numen(tmp_path, *missing["mend"].split()[1:]).returncode == 0
    assert findings(tmp_path)["platforms"][0]["state"] == "good"
    made = json.loads(numen(tmp_path, "credentials", "desk", "--new", "--json").stdout)
    assert re.fullmatch(r"numen_[\w-]{43}", made["secret"])
    (desk,) = [key for key in made["keys"] if key["name"] == "desk"]
    assert numen(tmp_path, "credentials", desk["id"], "--revoke").returncode == 0
    assert b"revoked" in numen(tmp_path, "credentials").stdout
    assert numen(tmp_path, "credentials", "--revoke").returncode == 2
    assert numen(tmp_path, "credentials", "key_nobody", "--revoke").returncode == 1


@pytest.mark.promise("page.fresh-link")
def test_open_prints_a_link_that_works_once_while_the_server_runs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert numen(tmp_path, *INIT, env=environment(home)).returncode == 0
    assert numen(home, "open").returncode == 1
    with serving(home, home) as server:
        server.request("GET", server.link)
        assert server.request("GET", server.link).status == 403
        link = numen(home, "open").stdout.decode().strip()
        assert link.startswith(f"http://127.0.0.1:{server.port}/open?code=")
        path = link.partition(str(server.port))[2]
        opened = server.request("GET", path)
        assert opened.status == 200
        assert server.request("GET", "/", Cookie=opened.headers["set-cookie"].partition(";")[0]).status == 200
        assert server.request("GET", path).status == 403
        assert stat.S_IMODE((home / "up.json").stat().st_mode) == 0o600
        desk = json.loads(numen(home, "credentials", "desk", "--new", "--json").stdout)["secret"]
        assert server.request("POST", "/v1/page/link", key=desk).status == 403
        assert server.request("POST", "/v1/page/link").status == 401
    gone = numen(home, "open")
    assert (gone.returncode, gone.stdout) == (1, b"")
    assert "numen up" in gone.stderr.decode()
    (home / "up.json").write_text('{"pid": 1, "host": "127.0.0.1", "port": 1}')
    assert numen(home, "open").returncode == 1


def test_a_home_that_is_not_there_or_open_to_others_is_found_by_the_doctor(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert numen(tmp_path, "doctor", env=environment(home)).returncode == 1
    assert not home.exists()
    assert numen(tmp_path, *INIT, env=environment(home)).returncode == 0
    os.chmod(home / "identity.yaml", 0o644)
    (wrong,) = findings(home)["files"]
    assert (wrong["state"], wrong["mend"]) == ("bad", f"chmod 600 {home / 'identity.yaml'}")


def test_a_stock_file_of_someone_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "protagine.yaml").write_text("mind: {enabled: false}\n")
    done = numen(tmp_path, *INIT, "--stock-client")
    assert done.returncode == 4
    assert (tmp_path / "protagine.yaml").read_text() == "mind: {enabled: false}\n"
    (tmp_path / "protagine.yaml").unlink()
    assert numen(tmp_path, *INIT, "--stock-client").returncode == 0
    text = (tmp_path / "protagine.yaml").read_text()
    (tmp_path / "protagine.yaml").write_text(text.replace("standard", "suggest"))
    (tmp_path / "numen.yaml").write_text((tmp_path / "numen.yaml").read_text() + "port: 7002\n")
    assert numen(tmp_path, *INIT, "--stock-client").returncode == 0
    said = yaml.safe_load((tmp_path / "protagine.yaml").read_text())
    assert (said["mind"]["autonomy"], said["sidecar"]["port"]) == ("suggest", 7002)
