"""Where every door brings its calls: one table, one limit on what runs at once, one form of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from anyio import CapacityLimiter, to_thread

from numen.app import App, load
from numen.kernel import Forbidden, Json, canonical_bytes
from numen.surfaces.threshold import Threshold
from numen.surfaces.verb import Caller
from numen.surfaces.verbs import AnyVerb, lookup

if TYPE_CHECKING:
    from numen.people import Speaker

T = TypeVar("T")

PLACES = frozenset({"repo", "path", "caller_root"})
"""Arguments that name a place on this machine."""

IDENTITY = {"_uid": "uid", "_channel": "channel", "_server": "server"}
"""Arguments with which a trusted host says who speaks (decision 16): believed only from a key that speaks for
others, never in a schema, never an error.
"""


ROOM = {name: name for name in IDENTITY.values()}
"""Arguments of a verb that is about a room; they name who speaks as those of a trusted host do."""


class Desk:
    """Takes a verb's name and arguments and gives the bytes of the answer, the same at every door.

    With `read_only` it refuses each verb that is not on the read-only list, and lists only those. `lasting`
    is as for its `Threshold`, which each answer has passed.
    """

    def __init__(self, app: App, *, read_only: bool = False, lasting: bool = False) -> None:
        self.app = app
        self.threshold = Threshold(app, lasting=lasting)
        self.read_only = read_only
        self._limiter = CapacityLimiter(app.settings.workers)

    def serves(self, verb: AnyVerb) -> bool:
        """Whether the verb can be called here."""
        return verb.read_only or not self.read_only

    def answer(self, name: str, given: Mapping[str, object], caller: Caller) -> bytes:
        """Canonical JSON of the answer (decision 6). Raises `NumenError`."""
        verb = lookup(name)
        if not self.serves(verb):
            raise Forbidden(
                f"`{name}` writes, and this server was started with --read-only.",
                not_done="Nothing was written.",
                next_step="Start it without --read-only.",
            )
        names = ROOM | IDENTITY if verb.steps else IDENTITY
        identity = {names[key]: given[key] for key in names if key in given}
        speaker = load("people").Speaker(**identity) if identity else None
        arguments = {key: value for key, value in given.items() if key not in IDENTITY}
        sealed = self._sealed(verb, caller, speaker, arguments)
        said = verb.answer(self.app, caller, speaker, sealed, may_write=not self.read_only)
        return canonical_bytes(self.threshold.clean_json(said))

    def _sealed(
        self, verb: AnyVerb, caller: Caller, speaker: Speaker | None, given: Mapping[str, object]
    ) -> Mapping[str, object]:
        """The arguments without any value in their words (decision 15): a verb that only reads keeps none.

        Names of places are no words.
        """
        words = {key: cast("Json", value) for key, value in given.items() if key not in PLACES}
        hidden, find = load("secrets").hidden, load("detector").find
        clean: dict[str, Json] = {key: hidden(value, find) for key, value in words.items()}
        if clean != words and not verb.read_only:
            scope = self.app.people.resolve(caller.door, speaker)
            clean = {key: self.app.secrets.seal_all(scope, value) for key, value in words.items()}
        return {**given, **clean}

    async def answer_soon(self, name: str, given: Mapping[str, object], caller: Caller) -> bytes:
        """`answer` in a worker thread."""
        return await self.soon(partial(self.answer, name, given, caller))

    async def soon(self, work: Callable[[], T]) -> T:
        """`work` in a worker thread; at most `settings.workers` run at once, the others wait their turn."""
        return await to_thread.run_sync(work, limiter=self._limiter)
