"""The HTTP door of a real `numen up`: health, keys, hosts, sizes, the page."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surfaces.processes import Server, environment, make_repository, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

LIMIT = 65536


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, place: Path) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    (home / "numen.yaml").write_text(f"body_limit: {LIMIT}\nhosts: [numen.lan]\n")
    with serving(home, place) as server:
        yield server


@pytest.mark.promise("http.healthy-and-ready")
def test_health_and_readiness_answer_without_a_key(server: Server) -> None:
    health = server.request("GET", "/healthz")
    assert (health.status, health.json["status"]) == (200, "ok")
    ready = server.request("GET", "/readyz")
    assert (ready.status, ready.json) == (200, {"status": "ready"})


@pytest.mark.promise("http.key-needed")
@pytest.mark.parametrize(
    "path", ["/v1/north", "/v1/ingest", "/mcp", "/openapi.json", "/v1/nothing", "/anything"]
)
@pytest.mark.parametrize("key", [None, "numen_wrong", ""])
def test_without_a_valid_key_every_other_path_is_401_in_one_form(
    server: Server, path: str, key: str | None
) -> None:
    refused = server.request("POST", path, b'{"task":"x"}', key=key)
    assert refused.status == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert set(refused.json) == {"detail"}
    assert refused.json["detail"]["code"] == "unauthorized"
    assert refused.json["detail"]["message"]


def test_the_first_start_makes_the_key_of_the_machine_for_its_owner_alone(server: Server) -> None:
    assert (server.home / "api.key").stat().st_mode & 0o777 == 0o600
    assert server.key.startswith("numen_")


@pytest.mark.promise("http.no-rebinding")
@pytest.mark.parametrize("host", ["evil.example", "evil.example:7777", "127.0.0.1.evil.example", ""])
@pytest.mark.parametrize("path", ["/", "/healthz", "/v1/north", "/mcp"])
def test_a_host_that_is_not_this_machine_gets_nowhere(server: Server, host: str, path: str) -> None:
    refused = server.request("GET", path, key=server.key, Host=host)
    assert refused.status == 421
    assert refused.json["detail"]["code"] == "misdirected"


@pytest.mark.promise("http.no-rebinding")
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_page_of_another_origin_may_not_call(server: Server, origin: str) -> None:
    refused = server.request("POST", "/v1/north", b"{}", key=server.key, Origin=origin)
    assert (refused.status, refused.json["detail"]["code"]) == (403, "forbidden")


def test_a_host_that_the_owner_has_named_is_answered(server: Server) -> None:
    assert server.request("GET", "/healthz", Host="numen.lan").status == 200


def test_the_servers_own_origin_may_call(server: Server) -> None:
    own = f"http://127.0.0.1:{server.port}"
    assert server.request("POST", "/v1/north", b"{}", key=server.key, Origin=own).status == 422


@pytest.mark.promise("http.body-limit")
def test_a_body_over_the_limit_is_refused_by_its_length_before_it_is_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(
            b"POST /v1/north HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
            + server.key.encode()
            + b"\r\nContent-Length: 99999999999\r\n\r\n"
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


@pytest.mark.promise("http.body-limit")
def test_a_body_without_a_length_is_counted_as_it_comes(server: Server) -> None:
    chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(
            b"POST /v1/north HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
            + server.key.encode()
            + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunk * 3
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 60_000])
def test_a_body_that_is_no_json_object_is_422_in_words(server: Server, body: bytes) -> None:
    refused = server.request("POST", "/v1/north", body, key=server.key)
    assert refused.status == 422
    assert "JSON" in refused.json["detail"]["message"]


def test_bad_arguments_are_422_with_the_nearest_name(server: Server) -> None:
    refused = server.ask("north", tsak="look")
    assert refused.status == 422
    assert "`task`" in refused.json["detail"]["next_step"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/v1/nothing", 404), ("GET", "/v1/north", 405), ("GET", "/docs", 404)],
)
def test_what_is_not_there_is_told_in_the_one_form(
    server: Server, method: str, path: str, status: int
) -> None:
    refused = server.request(method, path, key=server.key)
    assert refused.status == status
    assert set(refused.json["detail"]) == {"code", "message"}


@pytest.mark.promise("http.openapi")
def test_openapi_describes_every_verb_with_the_schema_of_its_tool(server: Server) -> None:
    described = server.request("GET", "/openapi.json", key=server.key).json
    for verb in ("north", "seek", "impact", "ingest"):
        operation = described["paths"][f"/v1/{verb}"]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert schema["type"] == "object"
        assert operation["security"] == [{"key": []}]
    assert described["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


@pytest.mark.promise("http.port-taken")
def test_a_taken_port_is_said_in_words(server: Server, tmp_path: Path, place: Path) -> None:
    done = numen(tmp_path, "up", "--port", str(server.port), cwd=place)
    assert done.returncode == 4
    said = done.stderr.decode()
    assert f"Port {server.port} on 127.0.0.1 is taken." in said
    assert "--port 0" in said
    assert "Traceback" not in said


def test_only_loopback_is_listened_on(server: Server) -> None:
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split()[1] for line in table.readlines()[1:] if line.split()[3] == "0A"]
    assert [row.split(":")[0] for row in rows if int(row.split(":")[1], 16) == server.port] == ["0100007F"]


@pytest.mark.promise("page.opened-once")
def test_the_page_shows_the_card_to_the_browser_that_opened_the_link_and_the_link_works_once(
    server: Server, place: Path
) -> None:
    closed = server.request("GET", "/")
    assert closed.status == 401
    assert str(place) not in closed.body.decode()
    opened = server.request("GET", server.link)
    assert opened.status == 200
    cookie = opened.headers["set-cookie"]
    assert re.search(r"httponly", cookie, re.IGNORECASE)
    assert re.search(r"samesite=strict", cookie, re.IGNORECASE)
    page = server.request("GET", "/", Cookie=cookie.split(";")[0])
    assert page.status == 200
    assert "numen ╷" in page.body.decode()
    assert str(place) in page.body.decode()
    asked = server.request("GET", "/?task=%3Cb%3Eapples%22", Cookie=cookie.split(";")[0]).body.decode()
    assert 'value="&lt;b&gt;apples&quot;"' in asked
    assert "<b>" not in asked
    again = server.request("GET", server.link)
    assert again.status == 403
    assert "set-cookie" not in again.headers


@pytest.mark.promise("page.no-script")
@pytest.mark.parametrize("path", ["/", "/open?code=wrong"])
def test_the_page_runs_nothing_and_fetches_nothing(server: Server, path: str) -> None:
    page = server.request("GET", path)
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert not re.search(r"<script|\son\w+=|src=|href=", page.body.decode())


def test_a_cookie_opens_the_page_and_nothing_else(server: Server) -> None:
    assert server.request("POST", "/v1/north", b"{}", Cookie="numen_0=x").status == 401


def test_a_server_whose_store_cannot_be_opened_lives_and_says_why_it_is_not_ready(
    tmp_path: Path, place: Path
) -> None:
    (tmp_path / "numen.db").write_bytes(b"this is no database, it is a letter" * 100)
    with serving(tmp_path, place, env=environment(tmp_path)) as server:
        assert server.request("GET", "/healthz").status == 200
        ready = server.request("GET", "/readyz")
        assert ready.status == 503
        assert ready.json["detail"]["message"]
        refused = server.request("POST", "/v1/north", json.dumps({"task": "x"}).encode(), key="numen_x")
        assert refused.status == 503
