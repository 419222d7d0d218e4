"""Cockpit, missions, presences and the map at the real doors: several agents and one person in one house."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from numen.north.catalogue import WHY
from numen.north.menu import ROUTES
from numen.surfaces.verbs import VERBS
from tests.surfaces.processes import environment, make_repository, numen, serving, speaking

slow = [pytest.mark.slow, pytest.mark.timeout(90)]


@pytest.mark.promise("cockpit.read-only")
def test_every_verb_that_the_cockpit_routes_to_only_reads() -> None:
    reads = {verb.name for verb in VERBS if verb.read_only}
    assert set(ROUTES.values()) <= reads
    assert "cockpit" in reads
    assert set(ROUTES.values()) <= set(WHY)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture
def home(tmp_path: Path, place: Path) -> Path:
    home = tmp_path / "home"
    assert numen(home.parent, "init", "--yes", "--owner", "Ada", env=environment(home)).returncode == 0
    assert numen(home, "ingest", cwd=place).returncode == 0
    return home


def told(result: Mapping[str, Any]) -> dict[str, Any]:
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


def owner(home: Path, place: Path, *words: str) -> dict[str, Any]:
    done = numen(home, *words, "--json", cwd=place)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def collisions(packet: Mapping[str, Any]) -> list[str]:
    return [gap["text"] for gap in packet["gaps"] if gap["code"] == "presence.collision"]


class TestTwoAgents:
    """On one worktree, over MCP."""

    pytestmark = slow

    @pytest.mark.promise("presences.collision")
    def test_both_packets_tell_of_the_other_and_one_who_left_is_told_of_no_more(
        self, home: Path, place: Path
    ) -> None:
        with speaking(home, place) as one:
            one.hello()
            with speaking(home, place, "--as", "owner") as other:
                other.hello()
                first = told(one.call("north", task="pick apples", agent_id="ada"))
                second = told(
                    other.call("north", task="add apples", agent_id="bert", working_set=["orchard"])
                )
                third = told(one.call("north", task="pick apples", agent_id="ada"))
                assert collisions(first) == []
                assert collisions(second) == ["Agent ada is at work in this worktree as well."]
                assert collisions(third) == ["Agent bert is at work in this worktree as well."]
                seen = owner(home, place, "presence")["presences"]
                assert [row["agent_id"] for row in seen] == ["ada", "bert"]
                assert seen[1]["working_set"] == ["orchard"]
                slot = told(other.call("cockpit", select="8"))
                assert slot["label"] == "presences: 2 at work, 1 collision"
            assert collisions(told(one.call("north", task="pick apples", agent_id="ada"))) == []

    @pytest.mark.promise("presences.beat")
    def test_under_read_only_nobody_is_written_down(self, home: Path, place: Path) -> None:
        with speaking(home, place, "--read-only") as one:
            one.hello()
            told(one.call("north", task="pick apples", agent_id="ada"))
            assert owner(home, place, "presence")["presences"] == []

    @pytest.mark.promise("presences.ttl")
    def test_an_agent_that_was_killed_stays_for_two_minutes_and_no_longer(
        self, home: Path, place: Path
    ) -> None:
        with speaking(home, place) as one:
            one.hello()
            told(one.call("north", task="pick apples", agent_id="ada"))
            one.process.kill()
            one.process.wait(10)
            assert len(owner(home, place, "presence")["presences"]) == 1
            one.process.returncode = 0


class TestMission:
    """From judging to landed, by an agent over MCP and a person on the terminal."""

    pytestmark = slow

    @pytest.mark.promise("north.landing-bell")
    def test_it_rings_for_the_person_until_they_say_that_it_has_landed(self, home: Path, place: Path) -> None:
        with speaking(home, place, "--as", "owner") as agent:
            agent.hello()
            head = None
            gate = {"command": "make test", "exit_status": 0, "artifact_hash": "a" * 40}
            for phase in ("judging", "executing", "gate", "review", "merge_wait"):
                asked: dict[str, Any] = {"action": "post", "mission": "pick-faster", "phase": phase}
                if head is not None:
                    asked["head"] = head
                if phase == "merge_wait":
                    asked["gate"] = gate
                assert "landing_bell" not in owner(home, place, "north", "apples")
                head = told(agent.call("mission", **asked))["head"]
            rung = told(agent.call("north", task="apples"))
            assert rung["landing_bell"] == {"merge_wait": 1}
            assert rung["human_view"]["state"] == "bell"
            assert rung["human_view"]["lines"][0].startswith("numen ╷╷╷│╷")
            [waits] = owner(home, place, "mission", "tray")["missions"]
            assert waits["mission"] == "pick-faster"
            landed = owner(
                home,
                place,
                "mission",
                "post",
                "pick-faster",
                "landed",
                "--head",
                waits["head"],
                "--receipt",
                "1a2b3c4",
            )
            assert landed["phase"] == "landed"
            stale = agent.call("mission", action="post", mission="pick-faster", phase="failed", head=head)
            assert stale["isError"]
            assert json.loads(stale["content"][0]["text"])["detail"]["code"] == "stale_head"
            calm = told(agent.call("north", task="apples"))
            assert "landing_bell" not in calm
            assert calm["human_view"]["lines"][0].startswith("numen ╷╷╷╷╷")


class TestMap:
    """Proposed by whom it may be, ratified by a person."""

    pytestmark = slow

    @pytest.mark.promise("map.ratified-by-a-person")
    def test_it_is_proposed_ratified_counted_drawn_and_taken_elsewhere(
        self, home: Path, place: Path, tmp_path: Path
    ) -> None:
        assert owner(home, place, "map", "propose")["ratified"] == 0
        ratified = owner(home, place, "map", "ratify")
        count = len(ratified["blocks"])
        packet = owner(home, place, "north", "apples")
        assert packet["map"] == {"ratified_blocks": count, "coherence": "ok"}
        assert f"map {count} block" in packet["human_view"]["lines"][0]
        file, picture = tmp_path / "map.json", tmp_path / "map.svg"
        assert numen(home, "map", "export", str(file), cwd=place).returncode == 0
        assert numen(home, "map", "picture", str(picture), cwd=place).returncode == 0
        assert picture.read_text().startswith("<svg")
        assert owner(home, place, "map", "drop")["blocks"] == []
        taken = owner(home, place, "map", "import", str(file))
        assert {row["state"] for row in taken["blocks"]} == {"candidate"}
        file.write_text("{")
        refused = numen(home, "map", "import", str(file), cwd=place)
        assert (refused.returncode, b"is not JSON" in refused.stderr) == (2, True)

    def test_it_is_no_tool_for_agents(self, home: Path, place: Path) -> None:
        with speaking(home, place, "--as", "owner") as agent:
            agent.hello()
            refused = agent.call("map", action="ratify")
            assert refused["code"] == -32602
            assert "There is no tool `map`" in refused["message"]

    @pytest.mark.promise("map.picture")
    def test_the_page_shows_it_to_the_browser_that_opened_the_link_and_to_no_other(
        self, home: Path, place: Path
    ) -> None:
        owner(home, place, "map", "propose")
        with serving(home, place, "--read-only") as server:
            opened = server.request("GET", server.link)
            cookie = opened.headers["set-cookie"].partition(";")[0]
            shown = server.request("GET", "/map", Cookie=cookie)
            assert (shown.status, b"<svg" in shown.body, b"<circle" in shown.body) == (200, True, True)
            assert "default-src 'none'" in shown.headers["content-security-policy"]
            closed = server.request("GET", "/map")
            assert (closed.status, b"<svg" in closed.body) == (401, False)
