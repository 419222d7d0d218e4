"""The rows of the cycle on both databases."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from numen.store import Store
from tests.cycle.rooms import mill, whole
from tests.gate.rooms import house


@pytest.mark.timeout(30)
def test_a_room_its_turns_and_its_words_are_kept_and_let_go(store: Store, tmp_path: Path) -> None:
    made = house(store, tmp_path / "home")
    mill_ = mill(made, whole())
    mill_.cycle.keep(made.me, on=True)
    first = mill_.turn("What is the plan?", pairs=1)
    assert mill_.cycle.replay(made.me, first.id)["same"] is True
    assert mill_.cycle.standing(made.me)["keeps_words"] is True
    assert first.energy == first.capacity - first.spent
    second = mill_.turn("What is the plan?")
    assert [row["turn"] for row in mill_.cycle.standing(made.me)["turns"]] == [second.id, first.id]  # type: ignore[union-attr,index,call-overload]
    assert mill_.cycle.keep(made.me, on=False) == 2
    made.clock.move(timedelta(days=31))
    later = mill_.turn("What is the plan?", made.stranger)
    assert later.energy == later.capacity - later.spent
    turns = mill_.cycle.standing(made.me)["turns"]
    assert [row["turn"] for row in turns] == [later.id]  # type: ignore[union-attr,index,call-overload]
    assert made.ledger.verify(made.me).fault is None
