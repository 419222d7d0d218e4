"""The last stage of every door out: what leaves holds no value that is kept sealed (secrets contract).

A value that cannot be read cannot be compared. While there is one, what looks like a secret is withheld as
well, answers still go out, and it is said on stderr what is wrong.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from numen.app import App, build, load
from numen.kernel import Json, NumenError, canonical_bytes
from numen.settings import load as load_settings
from numen.surfaces.errors import detail, foreseen

if TYPE_CHECKING:
    from numen.secrets import Guarded
    from numen.secrets.filter import OutputFilter, Sieve

T = TypeVar("T")

LOST = (
    "Sealed values that cannot be opened are not recognised where they leave; what looks like one is withheld"
)


class Threshold:
    """What everything passes that leaves through the doors of `app`; safe to use from many threads.

    Where there is no store it opens none, and where nothing is sealed it does nothing. A process that is
    `lasting` is told of what is sealed after it looked, here at once and elsewhere within 0.25 s.
    """

    def __init__(self, app: App, *, lasting: bool = False) -> None:
        self._app = app
        self._lasting = lasting
        self._lock = threading.RLock()
        self._mine = threading.local()
        self._filter: OutputFilter | None = None
        self._known: tuple[Guarded, ...] = ()
        self._told = ""
        self.degraded = ""
        """Why some values cannot be compared; empty where all can."""

    def clean(self, text: str) -> str:
        """`text` with a reference in place of each sealed value in it."""
        return self._passed(text, lambda sieve: sieve.clean(text))

    def clean_json(self, value: Json) -> Json:
        """`value` with each text in it cleaned, a list of texts as lines of one, and itself where clean."""
        return self._passed(value, lambda sieve: _cleaned(sieve, value))

    def flow(self) -> Flow:
        """For one text that flows: what is sealed now is looked for across its pieces."""
        return Flow(self._sieve() if self._app.has_store else None, self)

    def detail(self, error: NumenError) -> dict[str, Json]:
        """The one body of an error, cleaned."""
        return cast("dict[str, Json]", self.clean_json(detail(error)))

    def body(self, data: bytes) -> bytes:
        """A body of JSON or of any other text, cleaned; the very same bytes where no value is in it."""
        text = data.decode("utf-8", "replace")
        try:
            value = cast("Json", json.loads(text))
        except (ValueError, RecursionError):
            clean = self.clean(text)
            return data if clean == text else clean.encode("utf-8", "replace")
        clean_value = self.clean_json(value)
        return data if clean_value == value else canonical_bytes(clean_value)

    def close(self) -> None:
        """Let the home go, for whoever made the threshold `at_home`."""
        self._app.close()

    def warm(self) -> None:
        """Read what is sealed, so that the first answer does not wait for it."""
        self.clean("")

    def _passed(self, value: T, clean: Callable[[Sieve], T]) -> T:
        if getattr(self._mine, "is_looking", False):
            return withheld(value)  # what is written while the filter itself is being made
        if not self._app.has_store:
            return value
        sieve = self._sieve()
        passed = value if sieve is None else clean(sieve)
        return withheld(passed) if self.degraded else passed

    def _sieve(self) -> Sieve | None:
        self._mine.is_looking = True
        try:
            with self._lock:
                if self._filter is None:
                    self._filter = self._made()
            return self._filter.sieve
        except Exception as error:  # noqa: BLE001 - the edge: whatever refuses, no value gets out for it
            self._degrade(foreseen(error).what)
            return None
        finally:
            self._mine.is_looking = False

    def _made(self) -> OutputFilter:
        made = cast("type[OutputFilter]", load("filter").OutputFilter)(self._values)
        if self._lasting:
            self._app.store.watch(lambda _: made.renew(), (load("secrets").TOPIC,))
        return made

    def _values(self) -> Iterable[Guarded]:
        """What is sealed now; of what cannot be opened any more, what was known before."""
        try:
            found = self._app.secrets.comparable()
        except Exception as error:  # noqa: BLE001 - the edge: whatever refuses, what is known stays known
            self._degrade(foreseen(error).what)
        else:
            kept = tuple(one for one in self._known if one.reference.ref in found.lost)
            self._known = (*found.guarded, *kept)
            self._degrade(found.why if len(kept) < len(found.lost) else "")
        if self.degraded and self._filter is not None:
            self._filter.renew()
        return self._known

    def _degrade(self, why: str) -> None:
        self.degraded = why
        if why and why != self._told:
            sys.stderr.write(f"{LOST}: {why}\n")
        self._told = why


class Flow:
    """One text that leaves in pieces. Where nothing can be compared each piece is withheld by itself."""

    def __init__(self, sieve: Sieve | None, threshold: Threshold) -> None:
        self._stream = None if sieve is None else sieve.stream()
        self._threshold = threshold

    @property
    def held(self) -> int:
        """Characters that wait, because they may become a value."""
        return 0 if self._stream is None else self._stream.held

    def feed(self, piece: str) -> str:
        """What may leave now."""
        return self._out(piece if self._stream is None else self._stream.feed(piece))

    def finish(self) -> str:
        """The rest."""
        return "" if self._stream is None else self._out(self._stream.finish())

    def _out(self, text: str) -> str:
        return withheld(text) if self._threshold.degraded else text


def withheld(value: T) -> T:
    """`value` without whatever looks like a secret: for where nothing can be compared."""
    return cast("T", load("secrets").hidden(cast("Json", value), load("detector").find))


def withheld_body(data: bytes) -> bytes:
    """As `withheld`, for a body of JSON; canonical where something was withheld."""
    value = cast("Json", json.loads(data))
    clean = withheld(value)
    return data if clean == value else canonical_bytes(clean)


def at_home() -> Threshold:
    """The threshold of a command that has not opened the home itself. Raises as reading the settings does."""
    return Threshold(build(load_settings()))


def _cleaned(sieve: Sieve, value: Json) -> Json:
    whole = "\n".join(_texts(value))
    return value if sieve.clean(whole) == whole else sieve.clean_json(_by_line(sieve, value))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in cast("Mapping[str, Json]", value).items():
            yield name
            yield from _texts(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield repr(value)


def _by_line(sieve: Sieve, value: Json) -> Json:
    """`value` with each list of texts cleaned as one text: a value may go on in the next line of a card."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {name: _by_line(sieve, part) for name, part in cast("Mapping[str, Json]", value).items()}
    if isinstance(value, Sequence):
        if len(value) > 1 and all(isinstance(part, str) for part in value):
            whole = "\n".join(cast("Sequence[str]", value))
            clean = sieve.clean(whole)
            return value if clean == whole else clean.split("\n")
        return [_by_line(sieve, part) for part in value]
    return value
