"""The last stage of every door out: no sealed value leaves, in whatever way it is written (decision 18).

Where a value, or an encoding of it, shows in a view of a text, its reference goes out instead. A stream holds
back exactly what may still become a value, so nothing waits without cause and a cut anywhere changes nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, cast

from numen.kernel import Json
from numen.secrets.detector import labels
from numen.secrets.disguise import (
    HALF,
    PIECE,
    SHORT,
    WIDEST,
    Unit,
    View,
    plains,
    seen,
    spellings,
    views,
)
from numen.secrets.types import Guarded

BESIDE = 48
"""How many characters away a label is still beside a short value."""

_GRAM = 6
_STEP = 3
"""Every third stretch of six characters of a text is looked up, and a needle is known by its first three."""


class _Match(NamedTuple):
    """A stretch of a text that a reference replaces."""

    start: int
    end: int
    guarded: Guarded


class Sieve:
    """Takes the values that it knows out of texts; whole ones here, flowing ones by `stream`.

    Its time depends on the text, not on how many values there are.
    """

    def __init__(self, guarded: Iterable[Guarded] = ()) -> None:
        self._whose: dict[str, Guarded] = {}
        self._whole: set[str] = set()
        self._base64: set[str] = set()
        self._brief: list[str] = []
        self._by_gram: dict[str, str] = {}
        self._also: dict[str, tuple[str, ...]] = {}
        for one in guarded:
            self._add(one)

    def plus(self, guarded: Iterable[Guarded]) -> Sieve:
        """A sieve that takes out these values too; this one stays as it is."""
        more = Sieve()
        more._whose, more._brief = dict(self._whose), list(self._brief)
        more._whole, more._base64 = set(self._whole), set(self._base64)
        more._by_gram, more._also = dict(self._by_gram), dict(self._also)
        for one in guarded:
            more._add(one)
        return more

    def _add(self, guarded: Guarded) -> None:
        """Know each spelling of a value. A thousand values have 25,000: few objects are made for them."""
        for text, whole, is_base64 in spellings(guarded.value):
            if not text or text in self._whose:
                continue
            self._whose[text] = guarded
            if whole:
                self._whole.add(text)
            if is_base64:
                self._base64.add(text)
            if len(text) < _GRAM + _STEP - 1:
                self._brief.append(text)
                continue
            for gram in (text[:_GRAM], text[1 : _GRAM + 1], text[2 : _GRAM + 2]):
                if self._by_gram.setdefault(gram, text) is not text:
                    self._also[gram] = (*self._also.get(gram, ()), text)

    @cached_property
    def _longest(self) -> int:
        """Characters of the longest spelling."""
        return max(map(len, self._whose), default=0)

    @cached_property
    def _beginnings(self) -> set[str]:
        """How spellings begin, for streams: all heads that are shorter than a gram."""
        return {text[:size] for text in self._whose for size in range(1, min(len(text), _GRAM))}

    @cached_property
    def _by_head(self) -> dict[str, list[str]]:
        """The spellings by their first gram, for streams."""
        heads: dict[str, list[str]] = {}
        for text in self._whose:
            if len(text) >= _GRAM:
                heads.setdefault(text[:_GRAM], []).append(text)
        return heads

    def clean(self, text: str) -> str:
        """`text` with a reference in place of each sealed value in it, however it is written."""
        return self.stream().all_of(text) if self._longest else text

    def clean_json(self, value: Json) -> Json:
        """`value` with every text, number and name in it cleaned; a number that is a value becomes text."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, Mapping):
            fields = cast("Mapping[str, Json]", value)
            return {self.clean(name): self._beside(name, part) for name, part in fields.items()}
        if isinstance(value, Sequence):
            return [self.clean_json(part) for part in value]
        return self._number("", value)

    def _beside(self, name: str, part: Json) -> Json:
        if isinstance(part, str) and len(part) < BESIDE:
            lead = f"{name}: "
            whole = self.clean(lead + part)
            return whole.removeprefix(lead) if whole.startswith(lead) else self.clean(part)
        if isinstance(part, int | float) and not isinstance(part, bool):
            return self._number(name, part)
        return self.clean_json(part)

    def _number(self, name: str, value: Json) -> Json:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return value
        text = repr(value)
        clean = self.clean(f"{name}: {text}")
        return value if clean.endswith(text) else clean.removeprefix(self.clean(f"{name}: "))

    def stream(self) -> Stream:
        """A new stream: what goes in comes out clean, in as many parts as it pleases."""
        return Stream(self)

    def matches(self, text: str) -> Iterator[_Match]:
        """Where values stand in `text`, in any order; short ones whether or not a label is near."""
        if any(self._hit(plain) for plain in plains(text)):
            for view in views(text):
                yield from self._found(text, view)

    def _hit(self, plain: str) -> list[str]:
        """The spellings that may be in a view, and those that are, if they are brief."""
        grams = {plain[place : place + _GRAM] for place in range(0, len(plain) - _GRAM + 1, _STEP)}
        hit = [text for gram in grams & self._by_gram.keys() for text in self._with(gram)]
        return hit + [text for text in self._brief if text in plain]

    def _with(self, gram: str) -> tuple[str, ...]:
        return (self._by_gram[gram], *self._also.get(gram, ()))

    def _found(self, text: str, view: View) -> Iterator[_Match]:
        for spelling in set(self._hit(view.plain)):
            place = view.plain.find(spelling)
            while place >= 0:
                start, end = view.starts[place], view.ends[place + len(spelling) - 1]
                if spelling not in self._whole or _stands_alone(text, start, end):
                    edges = _with_edges(text, start, end) if spelling in self._base64 else (start, end)
                    yield _Match(*edges, self._whose[spelling])
                place = view.plain.find(spelling, place + 1)

    def held_from(self, text: str) -> int:
        """From where on `text` may still become a value when more of it comes."""
        first = len(text)
        units: list[Unit] = []
        while first and len(units) < WIDEST * self._longest:
            first = max(0, 2 * first - len(text) - WIDEST * self._longest)
            units = seen(text, first)
        tail = "".join(char for char, _, _ in units[-24:])
        half = HALF.search(tail)
        sizes = [len(units) - len(tail) + half.start() if half else len(units)]
        sizes += [sizes[0] - size for size in (1, 2) if tail[-size:] in ("0", "0x", "0X")]
        ends = [units[size - 1][2] if size else first for size in sizes]
        return max(0, min(self._held_in(text, first, end) for end in ends) - 1)

    def _held_in(self, text: str, first: int, end: int) -> int:
        """From where on `text[first:end]` is the beginning of a needle; `end` where it is of none."""
        held = end
        for view in views(text[first:end]):
            for place in range(max(0, len(view.plain) - self._longest), len(view.plain)):
                if self._begins(view.plain[place:]):
                    held = min(held, first + view.starts[place])
                    break
        return held

    def _begins(self, tail: str) -> bool:
        if len(tail) < _GRAM:
            return tail in self._beginnings
        return any(
            len(text) > len(tail) and text.startswith(tail) for text in self._by_head.get(tail[:_GRAM], ())
        )


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _with_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of base64 with its padding and the characters beside it, which hold bits of the value."""
    start -= text[start - 1 : start].isalnum()
    end += text[end : end + 1].isalnum()
    while end < len(text) and text[end] == "=":
        end += 1
    return start, end


class Stream:
    """One flow of text through a sieve. `feed` as it comes, `finish` at its end."""

    def __init__(self, sieve: Sieve) -> None:
        self._sieve = sieve
        self._held = ""
        self._past = ""
        self._last: Guarded | None = None

    @property
    def held(self) -> int:
        """Characters that went in and wait."""
        return len(self._held)

    def feed(self, chunk: str) -> str:
        """What may go out now: everything but an end that may still become a value."""
        self._held += chunk
        return self._released(self._sieve.held_from(self._held), last=False)

    def finish(self) -> str:
        """The rest."""
        return self._released(len(self._held), last=True)

    def all_of(self, text: str) -> str:
        """A whole text at once."""
        self._held += text
        return self.finish()

    def _released(self, cut: int, *, last: bool) -> str:
        """What is held up to `cut`, or up to a value that `cut` would part, with references for values."""
        text = self._held
        kept = self._kept(text, last=last)
        if not last:
            cut = self._undecided(text, kept, cut)
        parts: list[str] = []
        reached = 0
        for match in kept:
            if match.end > cut:
                break
            if not self._goes_on(match, text[reached : match.start]):
                parts += (text[reached : match.start], str(match.guarded.reference))
            reached, self._last = match.end, match.guarded
        parts.append(text[reached:cut])
        if parts[-1].strip():
            self._last = None
        self._past = (self._past + text[:cut])[-BESIDE:]
        self._held = text[cut:]
        return "".join(parts)

    def _goes_on(self, match: _Match, gap: str) -> bool:
        """Whether a match is a further piece of the long value whose reference went out last."""
        return match.guarded is self._last and len(match.guarded.value) > PIECE and not gap.strip()

    def _kept(self, text: str, *, last: bool) -> list[_Match]:
        """The matches that count, in order: no short one without a label, none within another."""
        found = sorted(set(self._sieve.matches(text)), key=lambda match: (match.start, -match.end))
        if any(len(match.guarded.value) < SHORT for match in found):
            around = self._past + text
            places = _mentions(around, {match.guarded.reference.label for match in found})
            shift = len(self._past)
            found = [
                match
                for match in found
                if len(match.guarded.value) >= SHORT
                or any(
                    start - BESIDE <= match.end + shift and match.start + shift <= end + BESIDE
                    for start, end in places
                )
            ]
        kept: list[_Match] = []
        for match in found:
            if kept and match.start < kept[-1].end:
                if match.end > kept[-1].end:
                    kept[-1] = kept[-1]._replace(end=match.end)
            else:
                kept.append(match)
        return kept

    def _undecided(self, text: str, kept: Sequence[_Match], cut: int) -> int:
        """`cut`, or where a value begins that it would part, or that may go on, or get its label yet."""
        first = max(0, len(text) - 2 * BESIDE)
        for match in self._sieve.matches(text[first:]):
            start, end = first + match.start, first + match.end
            inside = any(one.start <= start and end <= one.end for one in kept)
            if not inside and len(match.guarded.value) < SHORT and len(text) - end < BESIDE:
                cut = min(cut, start)
        for match in reversed(kept):
            if match.start < cut and (cut < match.end or match.end == len(text)):
                cut = match.start
        return cut


def _mentions(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Where a label stands: a word that announces secrets, or a word of the values' own labels."""
    places = list(labels(text))
    folded = text.lower()
    for word in {word for name in names for word in re.findall(r"[a-z]{3,}", name.lower())}:
        places += [match.span() for match in re.finditer(re.escape(word), folded)]
    return places


class OutputFilter:
    """The filter that every door shares: a sieve of what is sealed now. `guarded` tells what that is."""

    def __init__(self, guarded: Callable[[], Iterable[Guarded]]) -> None:
        self._guarded = guarded
        self._lock = threading.Lock()
        self._known: set[Guarded] = set()
        self._sieve = Sieve()
        self._is_old = True

    def renew(self) -> None:
        """Look again at what is sealed, before the next text: for whoever is told that it changed."""
        self._is_old = True

    @property
    def sieve(self) -> Sieve:
        """The sieve of what is sealed now. Raises what `guarded` raises, and then lets nothing out."""
        with self._lock:
            if self._is_old:
                self._is_old = False
                try:
                    self._take(set(self._guarded()))
                except BaseException:
                    self._is_old = True
                    raise
            return self._sieve

    def _take(self, guarded: set[Guarded]) -> None:
        if guarded == self._known:
            return
        kept = self._known if self._known <= guarded else set[Guarded]()
        self._sieve = (self._sieve if kept else Sieve()).plus(guarded - kept)
        self._known = guarded

    def clean(self, text: str) -> str:
        """As `Sieve.clean`."""
        return self.sieve.clean(text)

    def clean_json(self, value: Json) -> Json:
        """As `Sieve.clean_json`."""
        return self.sieve.clean_json(value)

    def stream(self) -> Stream:
        """As `Sieve.stream`; it knows the values that were sealed when it began."""
        return self.sieve.stream()
