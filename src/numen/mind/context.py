"""What the mind tells a turn: the owner what waits for them, and a contact's model to confirm an opt-out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from numen.gate import Asks
from numen.kernel import Scope
from numen.memory.blocks import Block
from numen.memory.context import Asking
from numen.people import MayContact, TrustTier
from numen.people.directory import Directory
from numen.store import ReadConnection

SHOWN = 5
"""Questions that a turn is told of (ours: more are not answered in one breath)."""

LONGEST = 240
"""Characters of a question in a turn; the whole of it stands with the ask (ours)."""

_CONFIRM = (
    "With these words this person asks not to be written to any more. Say in this reply, once and shortly, "
    "that nothing more will be sent to them unless they write first."
)


class Asked(Protocol):
    """Whether words ask for silence."""

    @property
    def asked(self) -> bool:
        """True where they do."""
        ...


class Waiting:
    """The sections of the mind in a turn's context."""

    title = "Waiting for your say"

    def __init__(self, asks: Asks, directory: Directory, opt_out: Callable[[str], Asked]) -> None:
        self._asks = asks
        self._directory = directory
        self._opt_out = opt_out

    def blocks(self, scope: Scope, connection: ReadConnection, asking: Asking) -> Sequence[Block]:
        """The open questions for the owner's own turn; to whoever opts out, that they do."""
        if not scope.is_owner:
            return self._opting_out(scope, connection, asking)
        if asking.run == "cron" or asking.task is not None:
            return ()
        waiting = self._asks.waiting(scope, connection)[:SHOWN]
        lines = tuple(f"- {one.code}: {_short(one.calls[0].words)}" for one in waiting)
        return (Block("protagine-waiting", self.title, lines, 84, 1_500),) if lines else ()

    def _opting_out(self, scope: Scope, connection: ReadConnection, asking: Asking) -> Sequence[Block]:
        known = self._directory.known(connection, scope.viewer)
        if known is None or known.trust_tier is TrustTier.OWNER or known.may_contact is MayContact.NEVER:
            return ()
        if not self._opt_out(asking.text).asked:
            return ()
        return (Block("numen-opt-out", "Opt-out", (_CONFIRM,), 95, 400),)


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[:LONGEST] + " […]"
