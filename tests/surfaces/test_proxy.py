"""A proxy's word is believed from where a proxy is, and every known way around is closed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from numen.app import App
from numen.kernel import InvalidInput, SystemClock
from numen.ledger import Kind, Ledger
from numen.settings import Settings, load
from numen.store import Store
from numen.surfaces.http.proxy import Proxies, Refused, networks
from numen.surfaces.serving import proxies
from tests.ledger.scopes import OWNER
from tests.surfaces.processes import environment, serving

BEHIND = Proxies(networks(["10.8.0.0/24", "fd00::/64"]), owners=frozenset({"ada"}))
SECRET = Proxies(BEHIND.trusted, owners=BEHIND.owners, secret="between us")
MESH = Proxies(mesh=networks(["100.64.0.0/10"]))


def admit(proxies: Proxies, peer: str | None, method: str = "GET", **headers: str) -> object:
    named = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    found = proxies.admit(peer, method, named)
    return found.code if isinstance(found, Refused) else found


@pytest.mark.promise("door.proxy")
def test_a_listed_proxy_names_the_owner() -> None:
    assert admit(BEHIND, "10.8.0.7", X_Authentik_Username="ada") == "ada"
    assert admit(BEHIND, "::ffff:10.8.0.7", X_Authentik_Username="ada") == "ada"
    assert admit(BEHIND, "fd00::9%eth0", X_Authentik_Username="ada") == "ada"
    assert admit(BEHIND, "10.8.0.7") is None


@pytest.mark.parametrize(
    ("proxies", "peer", "headers", "code"),
    [
        (BEHIND, "10.9.0.7", {"X_Authentik_Username": "ada"}, "peer"),
        (BEHIND, "127.0.0.1", {"X_Authentik_Username": "ada"}, "peer"),
        (BEHIND, None, {"X_Authentik_Username": "ada"}, "peer"),
        (BEHIND, "not an address", {"X_Authentik_Username": "ada"}, "peer"),
        (BEHIND, "10.9.0.7", {"X_Authentik_Username": "ada", "X_Forwarded_For": "10.8.0.7"}, "peer"),
        (BEHIND, "10.9.0.7", {"X_Authentik_Username": "ada", "X_Real_IP": "10.8.0.7"}, "peer"),
        (BEHIND, "10.9.0.7", {"X_Authentik_Username": "ada", "Forwarded": "for=10.8.0.7"}, "peer"),
        (Proxies(), "127.0.0.1", {"X_Authentik_Username": "ada"}, "peer"),
        (Proxies(), "127.0.0.1", {"X_Numen_Proxy_Secret": "guess"}, "peer"),
        (BEHIND, "10.8.0.7", {"X_Authentik_Username": "eve"}, "owner"),
        (BEHIND, "10.8.0.7", {"X_Authentik_Username": "ada,eve"}, "owner"),
        (BEHIND, "10.8.0.7", {"X_Authentik_Username": ""}, "name"),
        (SECRET, "10.8.0.7", {"X_Authentik_Username": "ada"}, "secret"),
        (SECRET, "10.8.0.7", {"X_Authentik_Username": "ada", "X_Numen_Proxy_Secret": "guess"}, "secret"),
        (SECRET, "10.8.0.7", {"X_Authentik_Username": "ada", "X_Numen_Proxy_Secret": "éé"}, "secret"),
        (MESH, "10.8.0.7", {}, "mesh"),
        (MESH, "127.0.0.1", {"X_Forwarded_For": "100.64.0.1"}, "mesh"),
        (MESH, None, {}, "mesh"),
    ],
)
@pytest.mark.attack
@pytest.mark.promise("door.bypass")
def test_no_way_around_is_open(
    proxies: Proxies, peer: str | None, headers: dict[str, str], code: str
) -> None:
    assert admit(proxies, peer, "GET", **headers) == code


@pytest.mark.attack
def test_two_names_are_none() -> None:
    twice = Headers(raw=[(b"x-authentik-username", b"eve"), (b"x-authentik-username", b"ada")])
    found = BEHIND.admit("10.8.0.7", "GET", twice)
    assert isinstance(found, Refused)
    assert (found.code, found.error.http_status) == ("name", 401)


@pytest.mark.parametrize(
    ("method", "headers", "let_in"),
    [
        ("POST", {"Sec_Fetch_Site": "same-origin"}, True),
        ("POST", {"Sec_Fetch_Site": "cross-site"}, False),
        ("POST", {"Sec_Fetch_Site": "same-site"}, False),
        ("POST", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, False),
        ("POST", {}, False),
        ("POST", {"Origin": "https://numen.home.example"}, True),
        ("GET", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, True),
        ("GET", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}, False),
        ("GET", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "cors"}, False),
        ("GET", {}, True),
    ],
)
@pytest.mark.attack
@pytest.mark.promise("door.csrf")
def test_another_site_cannot_use_the_proxys_cookie(
    method: str, headers: dict[str, str], let_in: bool
) -> None:
    """A foreign Origin is refused before this, for every caller (`Guard`)."""
    found = admit(BEHIND, "10.8.0.7", method, X_Authentik_Username="ada", **headers)
    assert found == ("ada" if let_in else "origin")


@given(st.ip_addresses())
def test_whoever_is_not_listed_is_never_believed(address: Any) -> None:
    listed = any(address in network for network in BEHIND.trusted if network.version == address.version)
    mapped = getattr(address, "ipv4_mapped", None)
    if not listed and mapped is None:
        assert admit(BEHIND, str(address), X_Authentik_Username="ada") == "peer"


@pytest.mark.parametrize(
    "proxy",
    [
        {"trusted": ["0.0.0.0/0"], "owners": ["ada"]},
        {"trusted": ["::/0"], "owners": ["ada"]},
        {"trusted": [], "owners": ["ada"]},
        {"owners": ["ada"]},
        {"mesh": ["0.0.0.0/0"]},
        {"trusted": ["10.0.0.1/8"], "owners": ["ada"]},
        {"trusted": ["proxy.example"], "owners": ["ada"]},
        {"header": "X Name\nY"},
    ],
)
@pytest.mark.attack
@pytest.mark.promise("door.listed")
def test_a_list_that_lists_nobody_or_everybody_is_refused(
    proxy: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numen.yaml").write_text(json.dumps({"proxy": proxy}))
    monkeypatch.setenv("NUMEN_HOME", str(tmp_path))
    with pytest.raises(InvalidInput):
        load()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("door.proxy", "door.bypass")
def test_a_served_home_believes_its_proxy_and_records_who_was_turned_away(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "numen.yaml").write_text(
        "proxy: {trusted: [127.0.0.1/32], owners: [ada], secret_variable: BETWEEN_US}\n"
    )
    env = environment(home, BETWEEN_US="a word between us")
    behind = {"X_Authentik_Username": "ada", "X_Numen_Proxy_Secret": "a word between us"}
    asks = ("GET", "/asks")
    with serving(home, tmp_path, env=env) as server:
        assert server.request(*asks, **behind).status == 200
        assert server.request("GET", "/", **behind).status == 200
        assert server.request(*asks, **behind | {"X_Authentik_Username": "eve"}).status == 403
        for _ in range(3):
            forged = server.request(*asks, X_Authentik_Username="ada", X_Numen_Proxy_Secret="a guess")
            assert forged.status == 401
        assert server.request("GET", "/healthz", X_Authentik_Username="ada").status == 401
        csrf = server.request("POST", "/v1/mind/off", b"{}", **behind, Sec_Fetch_Site="cross-site")
        assert csrf.status == 403
        assert server.request("POST", "/v1/mind/off", b"{}", **behind).status == 403
        foreign = server.request("POST", "/v1/mind/off", b"{}", **behind, Origin="https://evil.example")
        assert foreign.status == 403
        own = {"Origin": f"http://127.0.0.1:{server.port}", "Sec_Fetch_Site": "same-origin"}
        assert server.request("POST", "/v1/mind/off", b"{}", **behind, **own).status == 200
    with Store.open(home, SystemClock()) as store:
        told = Ledger(store, SystemClock()).tail(OWNER, kinds=[Kind.DOOR_REFUSED])
    assert [one.payload["code"] for one in told] == ["owner", "secret", "origin"]
    assert "127.0.0.1" not in "".join(str(one.payload) for one in told)


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.promise("door.bypass")
def test_a_home_whose_shared_word_is_not_set_serves_nobody(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "numen.yaml").write_text("proxy: {trusted: [127.0.0.1/32], secret_variable: NOT_SET_HERE}\n")
    with pytest.raises(InvalidInput, match="NOT_SET_HERE"):
        proxies(App(Settings(home=home, **yaml.safe_load((home / "numen.yaml").read_text())), SystemClock()))
