"""How a value may be written so that it is not seen: views of a text in which it shows, and its spellings.

A view is a text without its spaces and what cannot be seen, in small letters, look-alike characters made
plain; once more with escapes undone; once more with letters and digits alone. A spelling is the value, or an
encoding of it, as a view would show it.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

SHORT = 6
"""Values with fewer characters are taken out only beside a label: they are everywhere (decision 18)."""

PIECE = 64
"""A longer value is searched for in pieces of about so many characters, so that no part of it leaves either,
and no encoding of a piece is longer than the 256 characters that a stream may hold back."""

WIDEST = 6
"""Characters that one character of a view may take: `\\u0041`."""

_ROUNDS = 3
"""How often escapes are undone: a value may be escaped, and the text with it, and again."""

_ESCAPE = re.compile(
    r"(?:%[0-9a-fA-F]{2})+|(?:\\x[0-9a-fA-F]{2})+|(?:=[0-9A-F]{2}){2,}|\\u[0-9a-fA-F]{4}"
    r"|\\u\{[0-9a-fA-F]{1,6}\}|\\[nrt\"'\\/]|&#\d{1,7};|&#[xX][0-9a-fA-F]{1,6};"
    r"|&(?:amp|lt|gt|quot|apos|nbsp);"
)
HALF = re.compile(
    r"(?:(?:%(?:25)*[0-9a-fA-F]{2}){0,4}(?:%(?:25)*[0-9a-fA-F]?|(?<=%[0-9a-fA-F]{2}))"
    r"|(?:\\+x[0-9a-fA-F]{2}){0,4}(?:\\+(?:x[0-9a-fA-F]?)?|(?<=x[0-9a-fA-F]{2}))"
    r"|(?:=[0-9A-F]{2}){0,4}(?:=[0-9A-F]?|(?<==[0-9A-F]{2}))"
    r"|\\+u(?:\{[0-9a-fA-F]{0,6}|[0-9a-fA-F]{0,3})|&(?:amp;)*[#a-zA-Z0-9]{0,8})\Z"
)
"""What may be the first half of an escape, or of a character that takes several."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}
_LOOK_ALIKES = dict(
    zip(
        "аеорсхуіјѕһԁԛԝӏвкмнтгзьб"
        "АВЕКМНОРСТУХІЈЅԌԚԜ"
        "αβγεικνορτυχωϲϳ"
        "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
        "ոսօցհյզ"
        "ɑɡıȷʏʀʙɢɪɴʜʟᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱ",
        "aeopcxyijshdqwlbkmhtr3b6"
        "abekmhopctyxijsgqw"
        "abyeiknoptuxwcj"
        "abezhikmnoptyx"
        "nuoghjq"
        "agijyrbginhlacdejkmoptuvwzfs",
        strict=True,
    )
)
"""Letters of other scripts, and small capitals, that look like Latin ones; what Unicode itself calls the same
(full width, bold, circled) is undone by NFKD."""


class View(NamedTuple):
    """What is left of a text to be searched, and from where to where each character stands in the text."""

    plain: str
    starts: Sequence[int]
    ends: Sequence[int]


@lru_cache(4096)
def _folded(char: str) -> str:
    """A character as it is searched for: nothing for spaces and what cannot be seen, else small and plain."""
    if char.isascii():
        return char.lower() if char > " " else ""
    plain = ""
    for part in unicodedata.normalize("NFKD", char):
        if not part.isspace() and unicodedata.category(part) not in ("Mn", "Me", "Cf", "Cc"):
            plain += _LOOK_ALIKES.get(part, part).casefold()
    return plain


Unit: TypeAlias = tuple[str, int, int]
"""A character, and from where to where it stands in the text."""


def seen(text: str, first: int = 0) -> list[Unit]:
    """The characters of `text` from `first` on that can be seen."""
    return [
        (char, place, place + 1)
        for place, char in enumerate(text[first:], first)
        if char > " " and (char.isascii() or _folded(char))
    ]


def _units(text: str) -> list[Unit]:
    """The characters of `text` that can be seen, escapes undone."""
    units = seen(text)
    for _ in range(_ROUNDS):
        found = list(_ESCAPE.finditer("".join(char for char, _, _ in units)))
        if not found:
            break
        parts: list[Unit] = []
        reached = 0
        for match in found:
            parts += units[reached : match.start()]
            parts += _undone(match.group(), [unit[1:] for unit in units[match.start() : match.end()]])
            reached = match.end()
        units = parts + units[reached:]
    return units


def _undone(escape: str, places: Sequence[tuple[int, int]]) -> Iterator[Unit]:
    """The characters that an escape stands for; `places` are those of its own characters."""
    width = {"%": 3, "=": 3, "\\x": 4}.get(escape[:1] if escape[0] in "%=" else escape[:2])
    if width is None:
        yield _character(escape), places[0][0], places[-1][1]
        return
    data = bytes(int(escape[place + width - 2 : place + width], 16) for place in range(0, len(escape), width))
    byte = 0
    for char in data.decode("utf-8", "surrogateescape"):
        size = len(char.encode("utf-8", "surrogateescape"))
        yield char, places[byte * width][0], places[(byte + size) * width - 1][1]
        byte += size


def _character(escape: str) -> str:
    """The one character of `\\n`, `\\u0041`, `&#65;` or `&amp;`."""
    if escape[1] not in "u#":
        return _NAMED[escape[1:-1]] if escape[0] == "&" else _CONTROL.get(escape[1], escape[1])
    digits = escape[2:].strip("{};")
    code = int(digits.lstrip("xX"), 10 if escape[1] == "#" and digits[0] not in "xX" else 16)
    return chr(code) if code < 0x110000 else " "


def _view(units: Iterable[Unit]) -> View:
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for char, start, end in units:
        for plain in _folded(char):
            chars.append(plain)
            starts.append(start)
            ends.append(end)
    return View("".join(chars), starts, ends)


def _letters_and_digits(view: View) -> View:
    """A view without marks, and without the marks of hexadecimal bytes."""
    bare = _HEX_MARKS.sub("  ", view.plain)
    kept = [place for place, char in enumerate(bare) if char.isalnum()]
    plain = "".join([bare[place] for place in kept])
    return View(plain, [view.starts[place] for place in kept], [view.ends[place] for place in kept])


def views(text: str) -> list[View]:
    """The ways of looking at a text: as it is, with escapes undone, and letters and digits alone."""
    units = seen(text)
    found = [_view(units)]
    if _ESCAPE.search("".join(char for char, _, _ in units)):
        found.append(_view(_units(text)))
    return found + [_letters_and_digits(view) for view in found]


def plains(text: str) -> list[str]:
    """The characters of `_views(text)`, without their places, in a fraction of the time."""
    plains = [plain(text)]
    if _SIGN.search(text):
        shown = _shown(text)
        undone = _unescaped(shown)
        if undone != shown:
            plains.append(plain(undone))
    return plains + ["".join(filter(str.isalnum, _HEX_MARKS.sub("", plain))) for plain in plains]


def plain(text: str) -> str:
    """What is left of `text` to be searched."""
    if not text.isascii():
        text = _FOREIGN.sub(lambda match: _folded(match.group()), text)
    return text.casefold().translate(_UNSEEN)


def _shown(text: str) -> str:
    """The characters of `seen(text)`."""
    if not text.isascii():
        text = _FOREIGN.sub(lambda match: match.group() if _folded(match.group()) else "", text)
    return text.translate(_UNSEEN)


def _unescaped(shown: str) -> str:
    """The characters of `_units`, from those of `seen`."""
    for _ in range(_ROUNDS):
        undone = _ESCAPE.sub(_without_escape, shown)
        if undone == shown:
            break
        shown = undone
    return shown


def _without_escape(match: re.Match[str]) -> str:
    escape = match.group()
    return "".join(char for char, _, _ in _undone(escape, [(0, 0)] * len(escape)))


_SIGN = re.compile(r"[%\\&]|=\s*[0-9A-F]")
_HEX_MARKS = re.compile(r"0x|\\x")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_UNSEEN = dict.fromkeys(range(33))


def _written(value: str) -> Iterator[tuple[str, bool]]:
    """How a piece of a value may be written, twice encoded even, as a view shows it; and if it is base64."""
    data = value.encode("utf-8", "surrogatepass")
    inner = [data, value.encode("utf-16-le", "surrogatepass")]
    inner += [
        data.hex().encode(),
        data.hex().upper().encode(),
        base64.b64encode(data),
        quote(data, safe="").encode(),
    ]
    yield plain(value), False
    for number, part in enumerate(inner):
        if number > 1:
            yield part.decode().lower(), False
        yield part.hex(), False
        for shift in range(3):
            core = _core(part, shift)
            yield core, True
            if "+" in core or "/" in core:
                yield core.replace("+", "-").replace("/", "_"), True


def _core(data: bytes, shift: int) -> str:
    """What base64 makes of `data`, whatever is around it, if `shift` bytes of its group precede it."""
    text = binascii.b2a_base64(_BEFORE[shift] + data, newline=False)
    return text[_SKIPPED[shift] : (shift + len(data)) * 8 // 6].decode().lower()


_BEFORE = (b"", b"\0", b"\0\0")
_SKIPPED = (0, 2, 3)


def _pieces(value: str) -> list[str]:
    """A value whole, or where it is long in pieces, none of them much shorter than the others."""
    count = -(-len(value) // PIECE)
    edges = [round(part * len(value) / max(count, 1)) for part in range(count + 1)]
    return [value[start:end] for start, end in pairwise(edges)]


Spelling: TypeAlias = tuple[str, bool, bool]
"""One way in which a piece of a value may be written; whether no letter or digit may stand beside it; whether
it is base64. A plain tuple, for a thousand values have 25,000."""


def spellings(value: str) -> Iterator[Spelling]:
    """Every way in which `value`, or where it is long a piece of it, may show in a view."""
    value = value.strip()
    least = SHORT if len(value) >= SHORT else 4
    forms = dict.fromkeys([value, "".join(char for char, _, _ in _units(value))])
    for piece in (piece for form in forms for piece in _pieces(form)):
        shown = plain(piece)
        bare = "".join(filter(str.isalnum, shown))
        number = bare.isdigit() and len(bare) <= 8
        yield shown, number or len(value) < SHORT, False
        if len(bare) >= max(SHORT, len(shown) // 2):
            yield bare, number, False
        for text, is_base64 in _written(piece):
            if len(text) >= least:
                yield text, False, is_base64
