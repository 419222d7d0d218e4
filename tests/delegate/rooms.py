"""Delegation over a real store, with the backends that need no model."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numen.delegate import BackendName, Caps, Delegate, Done, Habits, Means, Price, Step, Worker
from numen.delegate.backends.command import Program
from numen.delegate.backends.fake import Fake
from numen.gate import EffectClass, Policy
from numen.kernel import SystemClock
from numen.secrets import Secrets
from numen.secrets.detector import find
from numen.store import Store
from tests.gate.rooms import House, house

POLICY = Policy(tools={"task": EffectClass.INTERNAL})


class OneDollar:
    """A million tokens cost a dollar, a token a millionth of one; a model `unpriced` has no price."""

    version = "one dollar"

    def of(self, worker: Worker) -> Price | None:
        """The price."""
        return None if worker.model == "unpriced" else Price(1_000_000, 1_000_000)


@dataclass
class Yard:
    """A project, and who delegates in it."""

    project: Path
    house: House
    delegate: Delegate

    def ask(self, **given: Any) -> dict[str, Any]:
        """An intent for the fake backend; names of the payload and of the intent together."""
        top = {"intent": "Sum it up.", "project_root": str(self.project)}
        top |= {name: given.pop(name) for name in ("intent", "project_root", "target_paths") if name in given}
        return {**top, "payload": {"backend": "fake", "model": "text", **given}}

    def run(self, **given: Any) -> Done:
        """Delegate, as the owner."""
        return self.delegate.run(self.house.me, json.dumps(self.ask(**given)).encode())

    def lines(self) -> list[dict[str, Any]]:
        """The project's cost lines."""
        file = self.project / ".agents/state/autobot-cost-ledger.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def yard(
    store: Store,
    place: Path,
    *,
    caps: Caps | None = None,
    command: tuple[str, ...] = (),
    environ: Mapping[str, str] | None = None,
    passed: Callable[[Step], None] = lambda _step: None,
) -> Yard:
    """A yard whose project and homes lie in `place`."""
    project = place / "project"
    project.mkdir(parents=True, exist_ok=True)
    clock = SystemClock()
    rooms = house(store, place / "home", POLICY, clock)  # pyright: ignore[reportArgumentType]
    means = Means(
        store,
        rooms.ledger,
        rooms.gate,
        Secrets(store, rooms.ledger, clock, place / "home", find),
        clock,
        Habits(caps or Caps(), hermes_home=place / "hermes"),
        {BackendName.FAKE: Fake(), BackendName.COMMAND: Program(command)},
        OneDollar(),
        {**os.environ} if environ is None else environ,
        lambda: secrets.token_hex(8),
        passed,
    )
    return Yard(project, rooms, Delegate(means, find))


@contextmanager
def opened(place: Path, **more: Any) -> Iterator[Yard]:
    """A yard over a store of its own in `place`."""
    with Store.open(place / "home", SystemClock()) as store:
        yield yard(store, place, **more)
