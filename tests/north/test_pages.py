"""What is written about north says every state and code that north can say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numen.north import GapCode, State, SufficiencyState
from numen.north.types import CardState

ROOT = Path(__file__).parents[2]


@pytest.mark.promise("north.pages")
def test_the_page_names_every_verdict_gap_and_card() -> None:
    page = (ROOT / "docs/north.md").read_text(encoding="utf-8")
    for said in (*State, *GapCode, *SufficiencyState, *CardState):
        assert f"`{said}`" in page, said


@pytest.mark.promise("north.pages")
def test_the_skill_names_every_verdict_and_the_cadence_of_the_card() -> None:
    skill = (ROOT / "skills/numen/SKILL.md").read_text(encoding="utf-8")
    for said in (*State, *SufficiencyState):
        assert f"`{said}`" in skill, said
    assert "Never show one `state_sig` twice in a session" in skill
    head = re.match(r"---\nname: (\S+)\ndescription: (.+)\n", skill)
    assert head is not None
    assert head[1] == "numen"
    assert len(head[2]) <= 1024
