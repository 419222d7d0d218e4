"""The six gaps that the packet's ancestor admitted to (seed 002, "Gaps"), each shown closed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from numen.graph import Ranking, Search, Snapshot
from numen.kernel import Scope, canonical_text, tokens
from numen.memory import ClaimTier, NewClaim
from numen.north import GapCode, MemoryRow, North, NorthRequest, Tier
from numen.north.rules import dated
from tests.north.rooms import OWNER, House

pytestmark = pytest.mark.promise("north.six-gaps")

TASK = "parse the settings"


def remember(house: House, root: Path, text: str, tier: ClaimTier = ClaimTier.PROJECT) -> None:
    brain = house.brain(root).id if tier is ClaimTier.PROJECT else ""
    house.memory.remember(OWNER, NewClaim(text, tier=tier, brain=brain))
    house.clock.move(timedelta(seconds=1))


def test_undated_memories_come_last_and_never_before_dated_ones() -> None:
    rows = [
        MemoryRow(name, "light", 1.0, name, Tier.PROJECT, "b", stamp_ms=stamp)
        for name, stamp in (("undated", None), ("old", 1_000), ("new", 9_000), ("of the future", 99_000))
    ]
    shown = dated(rows, 10_000)
    assert [row.claim for row in shown] == ["new", "old", "of the future", "undated"]
    assert [row.age_ms for row in shown] == [1_000, 9_000, None, None]


def test_the_tiers_are_folded_by_the_composer_itself_and_so_at_every_door(
    local: House, indexed: Path
) -> None:
    remember(local, indexed, "Settings are parsed line by line.")
    remember(local, indexed, "Parse settings before the port is opened.", ClaimTier.MEDULLA)
    request = NorthRequest(TASK, "ada", indexed, tier="project+medulla")
    packet = local.north.packet(OWNER, request)
    assert {row.tier for row in packet.memory} == {Tier.PROJECT, Tier.MEDULLA}
    alone = local.north.packet(OWNER, NorthRequest(TASK, "ada", indexed))
    assert {row.tier for row in alone.memory} == {Tier.PROJECT}


def test_the_whole_packet_has_one_budget(local: House, indexed: Path) -> None:
    for number in range(40):
        remember(local, indexed, f"Settings number {number} are parsed {'with great care ' * 20}.")
    for limit in (400, 900, 1_500):
        packet = local.north.packet(OWNER, NorthRequest(TASK, "ada", indexed, budget_tokens=limit))
        assert tokens(canonical_text(packet.as_json())) == packet.budget.used <= limit
        assert packet.memory_exists == 40


class Counted(Search):
    """A search that counts how often it is asked."""

    asked = 0

    def rank(
        self, scope: Scope, snapshot: Snapshot, query: str, *, top_k: int = 20, within: str | None = None
    ) -> Ranking:
        self.asked += 1
        return super().rank(scope, snapshot, query, top_k=top_k, within=within)


def test_one_retrieval_pass_feeds_focus_and_sufficiency_so_they_cannot_disagree(
    local: House, indexed: Path
) -> None:
    search = Counted(local.graph)
    packet = North(local.graph, search, local.clock).packet(OWNER, NorthRequest(TASK, "ada", indexed))
    assert search.asked == 1
    assert packet.context is not None
    assert packet.sufficiency is not None
    assert packet.sufficiency.top_score == packet.context.focus[0].score


def test_how_many_memories_there_are_is_a_kept_number_and_no_walk(local: House, indexed: Path) -> None:
    remember(local, indexed, "The port is 80.")
    said: list[str] = []

    def listen(*call: object) -> None:
        said.append(str(call[2]))

    event.listen(sa.Engine, "before_cursor_execute", listen)
    try:
        assert local.survey.remembered(OWNER, local.brain(indexed)) == 1
    finally:
        event.remove(sa.Engine, "before_cursor_execute", listen)
    asked = [statement for statement in said if "SELECT" in statement]
    assert asked
    assert all("claim_counts" in statement and "FROM claims" not in statement for statement in asked)


def test_every_gap_has_a_code_that_a_program_can_read(local: House, indexed: Path) -> None:
    (indexed / "src/server.py").unlink()
    packet = local.north.packet(OWNER, NorthRequest("quantum gluons", "ada", indexed, tier="galaxy"))
    assert len(packet.gaps) >= 3
    for gap in packet.gaps:
        assert gap.code in GapCode
        assert gap.text
        assert set(gap.as_json()) >= {"code", "severity", "text"}
