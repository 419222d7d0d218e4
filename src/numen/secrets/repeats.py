"""Values that were said before: they are sealed again where no word announces them any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from numen.secrets import rules, tables
from numen.secrets.rules import Known
from numen.secrets.tables import Stamp
from numen.secrets.types import Find, State, VaultLocked
from numen.secrets.vault import NoVault, Opener
from numen.store import ReadConnection, Store

Open: TypeAlias = Callable[[ReadConnection], Opener | NoVault]
"""Opens the vault, or says why not."""


class Repeats:
    """Finds values by `find`, and those that the same person said before. They are opened once a change."""

    def __init__(self, store: Store, find: Find, opens: Open) -> None:
        self._store = store
        self._find = find
        self._opens = opens
        self._said: tuple[Stamp, Mapping[str, Sequence[Known]]] | None = None

    def finder(self, whose: str) -> Find:
        """What finds the values in a text of `whose`; only by how they look where the vault is shut."""
        known = self._said_before().get(whose, ())
        return lambda text: [*self._find(text), *rules.repeated(text, known)]

    def _said_before(self) -> Mapping[str, Sequence[Known]]:
        """The values that are kept sealed, by whose they are, as far as they can be opened."""
        with self._store.reading() as connection:
            stamp = tables.stamp(connection)
            if self._said is not None and self._said[0] == stamp:
                return self._said[1]
            opener = self._opens(connection)
            rows = [row for row in tables.all_secrets(connection) if row.state is State.SEALED]
        if isinstance(opener, NoVault):
            return {}
        said: dict[str, list[Known]] = {}
        for row in rows:
            with suppress(VaultLocked):
                said.setdefault(row.whose, []).append(Known(opener.value(row), row.kind, row.label))
        self._said = (stamp, said)
        return said
