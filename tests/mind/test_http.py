"""The mind's routes at a real server, as a body speaks to them, and what nobody should send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.surfaces.processes import Reply, Server, numen, serving

OWNER = "telegram:111"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    assert numen(home, "init", "--yes", "--owner", "Ada", "--handle", OWNER).returncode == 0
    with serving(home, home) as running:
        yield running


def post(server: Server, path: str, /, **body: object) -> Reply:
    return server.request("POST", path, json.dumps(body).encode(), key=server.key)


def get(server: Server, path: str, key: str | None = None) -> Reply:
    return server.request("GET", path, key=key or server.key)


@pytest.mark.promise("mind.wire")
def test_work_goes_out_and_its_end_comes_back(server: Server) -> None:
    made = post(server, "/v1/mind/tasks", title="Sort the photos", body="All of last year.").json
    [item] = [one for one in get(server, "/v1/mind/dispatch").json["intentions"] if one["id"] == made["id"]]
    assert item["dedup_key"] == f"mind:{made['id']}"
    assert (item["kind"], item["goal_mode"], item["max_runtime_seconds"]) == ("task", False, 600)
    bound = {"hermes_ref": "t_1", "hermes_kind": "kanban", "status": "ready", "bound_at": "2026-01-02"}
    assert post(server, f"/v1/mind/dispatch/{made['id']}/bound", **bound).status == 200
    entries = get(server, "/v1/mind/log?status=dispatched,approved&kind=task&limit=20").json["entries"]
    assert {"id": made["id"], "title": "Sort the photos", "status": "dispatched"}.items() <= entries[
        0
    ].items()
    told = {"id": made["id"], "hermes_ref": "t_1", "status": "done", "outcome": "done", "final": True}
    assert post(server, "/v1/mind/outcome", **told).json["recorded"] is True
    assert post(server, "/v1/mind/outcome", **told).json["recorded"] is False
    why = get(server, f"/v1/mind/why/{made['id']}").json
    assert (why["status"], [one["after"] for one in why["moves"]][-1]) == ("done", "done")
    assert "Because the owner asked for it." in why["text"]
    assert post(server, "/v1/mind/rate", id=made["id"], verdict="useful").json["ok"]
    assert made["id"] in get(server, "/v1/mind/narrative").json["text"]


@pytest.mark.promise("mind.wire")
def test_the_state_says_what_a_body_reads_and_a_tick_is_told(server: Server) -> None:
    assert post(server, "/v1/mind/tick").json["ok"]
    state = get(server, "/v1/mind/state").json
    assert (state["enabled"], state["autonomy"], state["skills"]) == (True, "standard", {"generation": 0})
    assert state["last_tick_at"]
    assert get(server, "/v1/mind/outbox").json == {"messages": []}


@pytest.mark.promise("mind.wire", "people.guest-sees-one-name")
def test_an_empty_viewer_is_a_stranger_and_sees_no_list(server: Server) -> None:
    assert get(server, "/v1/mind/people?q=&limit=10").json["contacts"][0]["display_name"] == "Ada"
    assert get(server, "/v1/mind/people?q=&limit=10&contact_id=").status == 403
    named = get(server, f"/v1/mind/people?q={OWNER}&contact_id=").json["contacts"]
    assert [set(one) for one in named] == [{"contact_id", "display_name", "trust_tier"}]
    assert get(server, f"/v1/mind/people/{OWNER}?contact_id=").json["proposals"] == []
    assert get(server, "/v1/mind/opinions?contact_id=").json == {"opinions": []}


@pytest.mark.promise("mind.wire")
def test_a_turn_that_is_refused_for_its_platform_shows_in_the_status(server: Server) -> None:
    turn: dict[str, Any] = {
        "identity": {"host_id": "hermes"},
        "context": {"session_id": "s", "contact_id": "owner", "turn_id": "d1", "channel_id": "discord:9"},
        "sender": {"platform": "discord", "user_id": "9"},
        "user_message": {"role": "user", "content": "Hello."},
    }
    refused = post(server, "/v1/host/turns/sync", **turn)
    assert (refused.status, refused.json["detail"]["code"]) == (403, "owner_not_granted")
    said = json.loads(numen(server.home, "status", "--json").stdout)
    assert [one["platform"] for one in said["refused"]] == ["discord"]
    assert b"--owner-platform discord" in numen(server.home, "status").stdout


@pytest.mark.promise("mind.wire")
def test_a_grant_from_a_conversation_is_asked_about_and_stands_after_a_yes(server: Server) -> None:
    spec = {"id": "notes", "class": "external", "tools": ["browser_click"], "per_day": 3}
    asked = post(server, "/v1/mind/grants", grant=spec, reason="you may", by="owner").json
    assert asked["status"] == "asked"
    assert get(server, "/v1/mind/state").json["grants"] == []
    code = asked["code"]
    decided = post(server, "/v1/mind/decide", code=code, answer="yes", message=f"yes {code}")
    assert decided.json["ok"], decided.body
    assert [one["id"] for one in get(server, "/v1/mind/state").json["grants"]] == ["notes"]
    assert post(server, "/v1/mind/grants/notes/revoke", by="owner").json["status"] == "revoked"
    assert post(server, "/v1/mind/grants", grant={"id": "x"}, reason="y", by="owner").status == 422
    assert post(server, "/v1/mind/grants", grant=spec, reason="y", by="guest").status == 403


ROUTES = [
    ("GET", "/v1/mind/state"),
    ("GET", "/v1/mind/log"),
    ("GET", "/v1/mind/why/x"),
    ("GET", "/v1/mind/narrative"),
    ("GET", "/v1/mind/concerns"),
    ("GET", "/v1/mind/goals"),
    ("POST", "/v1/mind/goals"),
    ("POST", "/v1/mind/tasks"),
    ("GET", "/v1/mind/inbox"),
    ("POST", "/v1/mind/rate"),
    ("POST", "/v1/mind/grants"),
    ("POST", "/v1/mind/grants/x/revoke"),
    ("GET", "/v1/mind/dispatch"),
    ("POST", "/v1/mind/dispatch/x/bound"),
    ("GET", "/v1/mind/outbox"),
    ("POST", "/v1/mind/outbox/x/sending"),
    ("POST", "/v1/mind/outbox/x/sent"),
    ("POST", "/v1/mind/outcome"),
    ("POST", "/v1/mind/observations"),
    ("POST", "/v1/mind/lineage"),
    ("GET", "/v1/mind/cron-origin"),
    ("POST", "/v1/mind/cron-origin"),
    ("POST", "/v1/mind/skills/used"),
    ("GET", "/v1/mind/people"),
    ("GET", "/v1/mind/people/x"),
    ("POST", "/v1/mind/people/link"),
    ("POST", "/v1/mind/people/changes"),
]
WRONG = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"id": 7, "hermes_ref": [], "target": {}, "result": 1, "outcome": "x", "skill": null, "child": 1}',
    b'{"id": "x", "title": 5, "grant": "x", "counts": {"a": "b"}, "operation": "steal", "contact_id": 1}',
    b'{"id": "\\ud800", "hermes_ref": "\\ud800", "skill": "\\ud800", "child": "\\ud800"}',
    json.dumps({"title": "x" * 20_000, "skill": "x" * 20_000, "hermes_ref": "x" * 20_000}).encode(),
]


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.promise("mind.bad-input")
def test_no_wrong_question_is_a_fault_of_ours_and_each_is_told_in_one_form(server: Server) -> None:
    for method, path in ROUTES:
        for body in WRONG if method == "POST" else [None]:
            reply = server.request(method, path, body, key=server.key)
            assert reply.status < 500, (method, path, body and body[:80], reply.body)
            if reply.status >= 400:
                assert {"code", "message"} <= reply.json["detail"].keys(), (path, reply.body)
        assert server.request(method, path, b"{}", key="wrong").status == 401
        assert server.request(method, path, b"{}").status == 401
    for query in (
        "limit=0",
        "limit=x",
        "limit=99999",
        "kind=x",
        "status=x",
        "since_hours=nan",
        "since_hours=-1",
    ):
        assert get(server, f"/v1/mind/log?{query}").status == 422, query
    big = b'{"title": "' + b"x" * 10_000_000 + b'"}'
    assert server.request("POST", "/v1/mind/tasks", big, key=server.key).status == 413


@pytest.mark.promise("mind.bad-input", "mind.state-lost")
def test_ids_of_nobody_of_others_and_of_a_lost_time_are_told_apart(server: Server) -> None:
    ask = get(server, "/v1/mind/why/intention_7777_01KJPWD6M0V163Y5PTT7D6SSJC")
    assert (ask.status, ask.json["detail"]["code"]) == (503, "state_unavailable")
    contact = get(server, f"/v1/mind/people/{OWNER}").json["contact"]["contact_id"]
    for path, body in (
        ("dispatch/{}/bound", {"hermes_ref": "t"}),
        ("outbox/{}/sending", {"target": "telegram:111"}),
        ("outbox/{}/sent", {"result": "sent"}),
    ):
        assert post(server, "/v1/mind/" + path.format("nope"), **body).status == 404
        assert post(server, "/v1/mind/" + path.format(contact), **body).status == 404
    assert get(server, f"/v1/mind/why/{contact}").status == 404


@pytest.mark.promise("mind.owners-record")
def test_a_key_that_is_not_the_owners_learns_nothing_of_the_record(server: Server) -> None:
    issued = json.loads(numen(server.home, "credentials", "helper", "--new", "--json").stdout)
    for method, path in ROUTES:
        if path in {"/v1/mind/state", "/v1/mind/people", "/v1/mind/people/x"} or method == "POST":
            continue
        assert get(server, path, issued["secret"]).status == 403, path
    state = get(server, "/v1/mind/state", issued["secret"]).json
    assert state == {"enabled": True, "autonomy": "standard", "asks": []}
