"""The routes of `/v1/secrets`, at a real server, as the stock client speaks to them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from numen.kernel import SystemClock
from numen.ledger import Ledger
from numen.people import KeyScope, Local, People
from numen.secrets.rules import REFERENCE
from numen.store import Store
from tests.surfaces.processes import Reply, Server, numen, serving

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]
MANY = [f"S-AAAAAA{a}{b}" for a in "ABCDEF" for b in "ABCDEF"][:33]
SAID = "my password is Hunter1700x ok"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    with serving(home, home) as running:
        yield running


def post(server: Server, path: str, /, *, key: str | None = None, **body: object) -> Reply:
    return server.request("POST", path, json.dumps(body).encode(), key=key or server.key)


def seal(server: Server, text: str = SAID, **who: Any) -> Any:
    answer = post(server, "/v1/secrets/seal", text=text, **(who or {"owner": True}))
    assert answer.status == 200, answer.body
    return answer.json


def resolve(server: Server, **body: Any) -> Reply:
    return post(server, "/v1/secrets/resolve", **{"lane": "owner", "session_id": "s", **body})


def entries(server: Server) -> dict[str, Any]:
    answer = server.request("GET", "/v1/secrets", key=server.key)
    return {one["ref"]: one for one in answer.json["entries"]}


@pytest.mark.promise("secrets.wire")
def test_what_the_owner_says_is_sealed_listed_used_released_and_forgotten(server: Server) -> None:
    sealed = seal(server)
    match = REFERENCE.search(sealed["text"])
    assert match is not None
    ref = match[1]
    assert (sealed["refs"], sealed["released"]) == ([ref], [])
    owner = entries(server)[ref]["scope_contact"]
    assert re.fullmatch("contact_[0-9A-Z_]+", owner)
    assert seal(server, owner=True, contact_id=owner)["refs"] == [ref]
    call = {"tool": "send_message", "args": {"target": "telegram:1", "message": f"it is {match[0]}"}}
    said = {"refs": [ref], "contact_id": owner, "tool": "send_message", "action": call}
    filled = resolve(server, purpose="fill", own_refs=[ref], destination="telegram:1", **said)
    assert filled.json == {"values": {ref: "Hunter1700x"}, "refused": {}, "asks": {}, "unavailable": {}}
    asked = resolve(server, purpose="fill", **said).json
    assert (asked["values"], list(asked["asks"])) == ({}, [ref])
    assert f"[secret {ref}: password] in send_message" in asked["asks"][ref]["text"]
    assert resolve(server, refs=[ref], purpose="reveal").json["values"] == {ref: "Hunter1700x"}
    assert entries(server)[ref]["uses"] == 2
    assert post(server, f"/v1/secrets/{ref}/release").json["state"] == "released"
    again = seal(server)
    assert again["text"] == SAID
    assert [SAID[start:end] for start, end in again["released"]] == ["Hunter1700x"]
    assert post(server, f"/v1/secrets/{ref}/forget").json["state"] == "forgotten"
    assert post(server, f"/v1/secrets/{ref}/release").status == 409
    assert set(resolve(server, refs=[ref], purpose="reveal").json["refused"]) == {ref}


@pytest.mark.promise("secrets.wire")
def test_a_value_that_was_sealed_before_is_no_address_of_a_contact_and_no_name(server: Server) -> None:
    seal(server, "my wifi password is brindle-otter-40")
    path = "/v1/host/contacts/resolve?gateway=matrix&create=true&"
    refused = server.request("GET", f"{path}address=brindle-otter-40", key=server.key)
    assert refused.status == 422, refused.body
    assert "holds what looks like a secret" in str(refused.json)
    named = server.request("GET", f"{path}address=@ann:x.test&display_name=brindle-otter-40", key=server.key)
    assert named.status == 200
    assert "brindle-otter-40" not in str(named.json)
    assert server.request("GET", f"{path}address=61700401", key=server.key).status == 200


@pytest.mark.promise("secrets.another-persons-value")
def test_what_someone_else_says_is_theirs_and_is_given_to_nobody(server: Server) -> None:
    handles = ["handle:telegram:222", "handle:telegram:quoted", "handle:telegram:channel:-100"]
    refs = [seal(server, contact_id=handle)["refs"][0] for handle in handles]
    assert len(set(refs)) == 3
    assert [seal(server, contact_id=handle)["refs"][0] for handle in handles] == refs
    shown = entries(server)
    assert [shown[ref]["scope_contact"] for ref in refs] == handles
    assert set(resolve(server, refs=refs, purpose="reveal").json["refused"]) == set(refs)
    for handle in handles:
        found = resolve(server, refs=refs, purpose="use", contact_id=handle)
        assert set(found.json["refused"]) == set(refs)


@pytest.mark.promise("secrets.guest-types-a-reference")
def test_a_guest_and_a_lane_that_is_not_the_owners_get_no_value(server: Server) -> None:
    ref = seal(server)["refs"][0]
    guest = resolve(server, refs=[ref, "S-AAAAAAAA"], purpose="reveal", contact_id="handle:telegram:222").json
    assert guest["values"] == {}
    assert guest["refused"][ref] == guest["refused"]["S-AAAAAAAA"]
    assert resolve(server, refs=[ref], purpose="reveal", lane="guest").status == 422
    assert resolve(server, refs=[ref], purpose="send", intention_id="nope").json["values"] == {}


@pytest.mark.promise("secrets.wire-refusals")
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("seal", b"not json Hunter1700x"),
        ("seal", b"[]"),
        ("seal", b"{}"),
        ("seal", b'{"text": 7}'),
        ("seal", b'{"text": "Hunter1700x", "Hunter1700x": true}'),
        ("seal", b'{"text": "Hunter1700x", "owner": "Hunter1700x"}'),
        ("seal", b'{"text": "x", "contact_id": "' + b"x" * 600 + b'"}'),
        ("seal", b'{"text": "x", "owner": true, "contact_id": "handle:telegram:1"}'),
        ("resolve", b'{"refs": [], "purpose": "use", "lane": "owner"}'),
        ("resolve", b'{"refs": ["Hunter1700x"], "purpose": "use", "lane": "owner"}'),
        ("resolve", b'{"refs": ["S-AAAAAAAA"], "purpose": "peek", "lane": "owner"}'),
        ("resolve", b'{"refs": ["S-AAAAAAAA"], "purpose": "use"}'),
        ("resolve", json.dumps({"refs": MANY, "purpose": "use", "lane": "owner"}).encode()),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_and_never_echoed(
    server: Server, path: str, body: bytes
) -> None:
    answer = server.request("POST", f"/v1/secrets/{path}", body, key=server.key)
    assert answer.status == 422, answer.body
    assert set(answer.json["detail"]) >= {"code", "message"}
    assert b"Hunter1700x" not in answer.body


def test_nobody_without_a_key_gets_in(server: Server) -> None:
    for method, path in (
        ("GET", ""),
        ("POST", "/seal"),
        ("POST", "/resolve"),
        ("POST", "/S-AAAAAAAA/forget"),
    ):
        assert server.request(method, f"/v1/secrets{path}", b"{}").status == 401
    for path in ("release", "forget"):
        assert post(server, f"/v1/secrets/S-AAAAAAAA/{path}").status == 404
        assert post(server, f"/v1/secrets/nonsense/{path}").status == 404


def issued(server: Server, *scopes: KeyScope, platforms: Sequence[str] = ()) -> str:
    """A key that the owner of the server's home issues."""
    with Store.open(server.home, SystemClock()) as store:
        people = People(store, Ledger(store, SystemClock()), SystemClock(), server.home)
        owner = people.resolve(Local(os.geteuid(), interactive=True))
        return people.issue_key(owner, "test", scopes, owner_platforms=platforms).secret


@pytest.mark.promise("secrets.wire-keys")
def test_a_key_seals_and_uses_only_as_whom_it_may_speak_for(server: Server) -> None:
    ref = seal(server)["refs"][0]
    plain = issued(server)
    assert post(server, "/v1/secrets/seal", key=plain, text=SAID).json["refs"] != [ref]
    assert post(server, "/v1/secrets/seal", key=plain, text=SAID, owner=True).status == 403
    assert server.request("GET", "/v1/secrets", key=plain).status == 403
    for verb in ("release", "forget"):
        assert post(server, f"/v1/secrets/{ref}/{verb}", key=plain).status == 403
    wanted = {"refs": [ref], "purpose": "reveal", "lane": "owner"}
    assert post(server, "/v1/secrets/resolve", key=plain, **wanted).json["values"] == {}
    voice = issued(server, KeyScope.SPEAKS_FOR, platforms=["telegram"])
    assert post(server, "/v1/secrets/seal", key=voice, text=SAID, owner=True).status == 403
    on = {"platform": "telegram", "channel": "c", "server": "telegram:1"}
    assert post(server, "/v1/secrets/seal", key=voice, text=SAID, owner=True, **on).json["refs"] == [ref]
    assert post(server, "/v1/secrets/seal", key=voice, text=SAID, owner=True, platform="sms").status == 403
    assert post(server, "/v1/secrets/seal", key=voice, text=SAID, contact_id="handle:a:b").status == 403
    own = issued(server, KeyScope.OWNER)
    assert post(server, "/v1/secrets/resolve", key=own, **wanted).json["values"] == {ref: "Hunter1700x"}
    elsewhere = post(server, "/v1/secrets/resolve", key=own, contact_id="handle:a:b", **wanted)
    assert elsewhere.status == 403


def test_a_server_that_only_reads_seals_nothing(tmp_path: Path) -> None:
    numen(tmp_path, "init", "--yes")
    with serving(tmp_path, tmp_path, "--read-only") as server:
        assert post(server, "/v1/secrets/seal", text=SAID, owner=True).status == 403
        assert entries(server) == {}
    assert not (tmp_path / "vault.key").exists()


@pytest.mark.promise("secrets.verbs-are-sealed")
def test_a_value_in_the_words_of_a_verb_is_in_no_answer(server: Server) -> None:
    for verb, words in (("north", "task"), ("seek", "query"), ("impact", "symbol")):
        answer = server.ask(verb, **{words: SAID})
        assert answer.status in {200, 404, 422, 503}, answer.body
        assert b"Hunter1700x" not in answer.body
