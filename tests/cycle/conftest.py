"""One store for the tests of a file, each in a room of its own; the rows are tested on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from numen.kernel import RoomKey, SystemClock
from numen.store import Store
from tests.cycle.rooms import Actor, Mill, mill
from tests.gate.rooms import House, house


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """An open store in a file."""
    with Store.open(tmp_path_factory.mktemp("numen"), SystemClock()) as made:
        yield made


@pytest.fixture(scope="module")
def home(shelf: Store, tmp_path_factory: pytest.TempPathFactory) -> House:
    """Its owner and gate."""
    return house(shelf, tmp_path_factory.mktemp("home"))


@pytest.fixture
def make(home: House, request: pytest.FixtureRequest) -> Callable[..., Mill]:
    """A cycle over it, whose owner is in a room of this test."""
    room = RoomKey("ada", request.node.name, "test")
    known = replace(home, me=replace(home.me, room=room))

    def made(actor: Actor | None, **more: object) -> Mill:
        return mill(known, actor, **more)  # type: ignore[arg-type]

    return made
