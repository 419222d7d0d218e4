"""The person at the terminal: whose home it is, where they stand, and how an answer reaches them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from numen.app import build
from numen.kernel import Json
from numen.settings import load
from numen.surfaces.desk import Desk
from numen.surfaces.household import local_door
from numen.surfaces.screen import Screen, adopt
from numen.surfaces.verbs import Caller

if TYPE_CHECKING:
    from numen.graph import Progress

TERMINAL = "cli"
"""The agent id of a call from the terminal that names none."""


def answered(verb: str, arguments: Mapping[str, object], progress: Progress | None = None) -> bytes:
    """The verb's answer to the owner of this home, as canonical JSON; what is None is not sent."""
    with opened() as desk:
        return asked(desk, verb, arguments, progress)


def asked(desk: Desk, verb: str, arguments: Mapping[str, object], progress: Progress | None = None) -> bytes:
    """As `answered`, at a desk that stays open."""
    given = {name: value for name, value in arguments.items() if value is not None}
    return desk.answer(verb, given, at_terminal(progress))


@contextmanager
def opened() -> Generator[Desk]:
    """A desk over this home, closed at the end."""
    with closing(build(load())) as app:
        desk = Desk(app)
        adopt(desk.threshold)
        yield desk


def at_terminal(progress: Progress | None = None) -> Caller:
    """Whoever runs this command, standing where it runs; its owner if the home is theirs."""
    here = Path(os.path.realpath(os.getcwd()))
    return Caller(local_door(), TERMINAL, here, progress=progress)


def parsed(answer: bytes) -> Mapping[str, Json]:
    """An answer as values, for those who show it."""
    return cast("Mapping[str, Json]", json.loads(answer))


def say(line: str) -> None:
    """One line to the person."""
    sys.stdout.write(line + "\n")


def write_json(answer: bytes) -> None:
    """The bytes that every door gives, and a newline, past the output filter as at every door."""
    if isinstance(sys.stdout, Screen):
        sys.stdout.write_body(answer)
    else:
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
