"""A conversation with a homelab, from end to end: a tool server, a recorded model, an ask, receipts.

    python examples/homelab/demo.py [--auto] [HOME]

`--auto` says yes to what is asked; without it you are asked here. The model is a script (`script.json`), so
nothing leaves this machine; everything else is what a real conversation runs on: the server is a process on
stdio, the turns are run by the durable engine, the receipts are in the ledger.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from numen.app import App
from numen.kernel import Scope, SystemClock
from numen.people import Local
from numen.resident import Cursor, Streamed, StreamKind
from numen.settings import Settings
from numen.surfaces.household import found

HERE = Path(__file__).parent
QUESTIONS = ("What is degraded, and what depends on it?", "Restart the low-risk service.")
PATIENCE = 60.0
"""Seconds without a word after which the demo gives up."""


def settings(home: Path) -> Settings:
    """A home whose owner trusts the homelab's word about which of its tools only read."""
    return Settings.model_validate(
        {
            "home": home,
            "model": {"use": "scripted", "name": str(HERE / "script.json")},
            "mind": {
                "trusted_servers": ["homelab"],
                "tools": {"homelab.request_execution": "external"},
            },
        }
    )


class Screen:
    """Shows a conversation, its words as they come."""

    def __init__(self) -> None:
        self._saying = False

    def show(self, one: Streamed) -> None:
        """Show one event."""
        if one.kind is StreamKind.TEXT:
            sys.stdout.write(("" if self._saying else "numen   ") + str(one.data["delta"]))
            self._saying = not one.data.get("final")
            sys.stdout.write("" if self._saying else "\n")
        elif (line := told(one)) is not None:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()


def told(one: Streamed) -> str | None:
    """One line of the conversation, or None where there is nothing to show."""
    data = one.data
    match one.kind:
        case StreamKind.MESSAGE:
            return f"\nyou     {data['text']}"
        case StreamKind.TOOL_USE:
            return f"  call    {data['name']} {data['args']}"
        case StreamKind.TOOL_RESULT:
            return f"  receipt {data['receipt']}" + (f": {data['result']}" if data["result"] else "")
        case StreamKind.ASK:
            return f"  ask     {data['code']} ({data['effect']}): {data['evidence']}"
        case StreamKind.DONE:
            return f"  done    {data['ending']}, {data['usage']}"
        case StreamKind.NOTICE | StreamKind.ERROR:
            return f"  note    {data['message']}"
        case _:
            return None


def converse(app: App, me: Scope, question: str, session: str | None, auto: bool) -> tuple[str, bool]:
    """One question and all that follows from it; its session, and whether it was answered."""
    said = app.resident.sessions.say(me, question, session=session)
    start = Cursor() if session is None else Cursor(app.ledger.tail(me, limit=1)[-1].seq)
    if session is not None:
        sys.stdout.write(f"\nyou     {question}\n")
    screen = Screen()
    with app.resident.streams.follow(me, said.session.id, start) as tail:
        while tail.wait(PATIENCE):
            for one in tail.pending():
                screen.show(one)
                if one.kind is StreamKind.ASK and "code" in one.data:
                    yes = auto or input("  yes or no? ").strip().lower().startswith("y")
                    app.asks.answer(me, str(one.data["code"]), yes)
                if one.kind is StreamKind.DONE:
                    return said.session.id, one.data["ending"] == "answered"
    return said.session.id, False


def main() -> int:
    """Play it through; 0 if every question was answered."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", nargs="?", type=Path)
    parser.add_argument("--auto", action="store_true")
    given = parser.parse_args()
    home = given.home or Path(tempfile.mkdtemp(prefix="numen-homelab-"))
    home.mkdir(parents=True, exist_ok=True)
    app = App(settings(home), SystemClock())
    try:
        found(app, "Ada", [])
        me = app.people.resolve(Local(home.stat().st_uid, interactive=True))
        server = {"command": sys.executable, "args": [str(HERE / "server.py"), str(home / "house.json")]}
        app.resident.servers.add(me, "homelab", server)
        app.engine.start()
        session: str | None = None
        for question in QUESTIONS:
            session, answered = converse(app, me, question, session, given.auto)
            if not answered:
                return 1
        sound = app.ledger.verify(me)
        sys.stdout.write(
            f"\nThe ledger has {sound.events} events and is {'sound' if sound.ok else sound.why}.\n"
        )
        return 0 if sound.ok else 1
    finally:
        app.close()


if __name__ == "__main__":
    sys.exit(main())
