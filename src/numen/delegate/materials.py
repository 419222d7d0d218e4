"""What is read into a prompt: regular files below allowed roots, cut, decoded, and sealed."""

from __future__ import annotations

import codecs
import glob
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from numen.delegate import rules
from numen.delegate.places import Below, Refused, below, regular
from numen.delegate.types import Gathered, Habits, Intent, Material, Missing
from numen.gate.places import is_secret

MOST_FILES = 1000
"""Files that one intent reads (ours: above it a pattern is a mistake)."""

MARGIN = 4096
"""Bytes beyond a cut that are looked at for secrets, so that none is cut in two unseen (ours)."""

WHOLE = 16 * 1024 * 1024
"""Bytes up to which a file is read whole: for its digest, and to count its lines (ours)."""

_LINES = re.compile(r"^(.+):([0-9]{1,9})-([0-9]{1,9})$", re.DOTALL)
_CLOSED = re.compile(
    r"(?:^|/)(?:\.env[^/]*|auth[^/]*|[^/]*(?:credential|secret|token|oauth)[^/]*|keys?|[^/]+\.key)(?:/|$)",
    re.IGNORECASE,
)

Seal = Callable[[str], tuple[str, int]]
"""A text without its secrets, and how many there were."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One file that is asked for: as it was named, where it lies, and which lines (from 1)."""

    named: str
    place: Below
    lines: tuple[int, int] | None = None


def gathered(intent: Intent, habits: Habits, seal: Seal) -> Gathered:
    """The materials of `intent`, and what is missing; together within the budget of tokens."""
    materials: list[Material] = []
    missing: list[Missing] = []
    seen: set[tuple[Path, tuple[int, int] | None]] = set()
    for wanted in islice(_wanted(intent, habits), MOST_FILES + 1):
        if isinstance(wanted, Missing):
            missing.append(wanted)
            continue
        if len(materials) == MOST_FILES:
            missing.append(Missing(wanted.named, "too_many_files"))
            break
        key = (wanted.place.path, wanted.lines)
        if key in seen:
            continue
        seen.add(key)
        try:
            materials.append(_read(wanted, habits, seal))
        except Refused as refusal:
            missing.append(Missing(wanted.named, refusal.why))
    return Gathered(rules.fitted(materials, habits.material_tokens), tuple(missing))


def _wanted(intent: Intent, habits: Habits) -> Iterator[_Wanted | Missing]:
    roots = (intent.project_root, habits.hermes_home, *habits.roots)
    for named in intent.target_paths:
        try:
            yield from _places(named, intent.project_root, roots)
        except Refused as refusal:
            yield Missing(named, refusal.why)


def _places(named: str, start: Path, roots: tuple[Path, ...]) -> Iterator[_Wanted | Missing]:
    place = below(named, start, roots)
    match = _LINES.match(named)
    if match is not None and not os.path.lexists(place.path):
        lines = (int(match[2]), int(match[3]))
        if not 1 <= lines[0] <= lines[1]:
            raise Refused("no_such_lines")
        yield _Wanted(named, below(match[1], start, roots), lines)
        return
    if glob.has_magic(named) and not os.path.lexists(place.path):
        pattern = os.path.join(*place.parts)
        found = sorted(islice(glob.iglob(pattern, root_dir=place.root, recursive=True), MOST_FILES + 1))
        files = [one for one in found if not os.path.isdir(place.root / one)]
        if not files:
            raise Refused("missing")
        spelled = os.path.isabs(os.path.expanduser(named))
        for one in files:
            inner = Below(place.root, Path(one).parts)
            yield _Wanted(str(inner.path) if spelled else _shown(inner.path, start), inner)
        return
    yield _Wanted(named, place)


def _shown(path: Path, start: Path) -> str:
    real = Path(os.path.realpath(start))
    return str(path.relative_to(real)) if path.is_relative_to(real) else str(path)


def _read(wanted: _Wanted, habits: Habits, seal: Seal) -> Material:
    """The material. Raises `Refused`."""
    place = wanted.place
    if is_secret(str(place.path)) or _is_closed(place, habits):
        raise Refused("credentials")
    with regular(place) as descriptor:
        size = os.fstat(descriptor).st_size
        if wanted.lines is not None and size > WHOLE:
            raise Refused("too_large_for_lines")
        try:
            if size <= WHOLE:
                data = _bytes(descriptor, 0, WHOLE + 1)
                sha256 = hashlib.sha256(data).hexdigest()
                whole = wanted.lines is not None or len(data) <= rules.MATERIAL_CAP
                text, count = _sealed(data, seal, wanted.lines) if whole else _ends(data, seal)
            else:
                reach = rules.MATERIAL_CAP // 2 + MARGIN
                data = _bytes(descriptor, 0, reach) + _bytes(descriptor, (size - reach) & ~3, reach + 3)
                sha256 = None
                text, count = _ends(data, seal, size)
        except OSError as error:
            raise Refused("unreadable") from error
    return Material(wanted.named, sha256, size, rules.cut(text, rules.MATERIAL_CAP), count)


def _is_closed(place: Below, habits: Habits) -> bool:
    home = Path(os.path.realpath(habits.hermes_home))
    return place.path.is_relative_to(home) and _CLOSED.search(str(place.path.relative_to(home))) is not None


def _bytes(descriptor: int, offset: int, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0:
        part = os.pread(descriptor, min(most, 1 << 20), offset)
        if not part:
            break
        parts.append(part)
        offset, most = offset + len(part), most - len(part)
    return b"".join(parts)


def _sealed(data: bytes, seal: Seal, lines: tuple[int, int] | None) -> tuple[str, int]:
    text = _text(data, _encoding(data))
    if lines is not None:
        rows = text.splitlines(keepends=True)
        if lines[0] > len(rows):
            raise Refused("no_such_lines")
        text = "".join(rows[lines[0] - 1 : lines[1]])
        if len(text.encode("utf-8", "replace")) > rules.MATERIAL_CAP:
            return _ends(text.encode("utf-8", "replace"), seal)
    return seal(text)


def _ends(data: bytes, seal: Seal, size: int | None = None) -> tuple[str, int]:
    """Head and tail with a mark between them; each was sealed with a margin, so no secret is cut in two."""
    encoding = _encoding(data)
    half = rules.MATERIAL_CAP // 2
    wide = half + MARGIN if size is None else len(data) // 2
    wide += wide % 2
    head, first = seal(_text(data[:wide], encoding, at_end=True))
    tail, second = seal(_text(data[-wide:], encoding, at_start=True))
    mark = rules.CUT.format(left=max(0, (size or len(data)) - rules.MATERIAL_CAP))
    room = half - len(mark.encode()) // 2 - 1
    first_part = head.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
    last_part = tail.encode("utf-8", "replace")[-room:].decode("utf-8", "ignore")
    return first_part + mark + last_part, first + second


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise Refused("not_text")
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    return "utf-16-be" if data.startswith(codecs.BOM_UTF16_BE) else "utf-8"


def _text(data: bytes, encoding: str, *, at_end: bool = False, at_start: bool = False) -> str:
    """`data` as text; a character that a cut went through is left out. Raises `Refused` for what is none."""
    if at_start and encoding == "utf-8":
        data = data.lstrip(bytes(range(0x80, 0xC0))) if data[:1] and 0x80 <= data[0] < 0xC0 else data
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=not at_end)
    except UnicodeDecodeError:
        raise Refused("not_text") from None
    if "\0" in text:
        raise Refused("not_text")
    return text.removeprefix("\ufeff")
