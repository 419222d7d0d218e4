"""Ways to write a value so that it is not seen, and a reader who knows them all."""

from __future__ import annotations

import base64
import binascii
import html
import json
import random
import re
import string
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote, unquote_plus

LOOK_ALIKES = {
    "a": "а",
    "c": "с",
    "e": "е",
    "i": "і",
    "j": "ј",
    "o": "о",
    "p": "р",
    "s": "ѕ",
    "x": "х",
    "y": "у",
}
BACK = {foreign: char for char, foreign in LOOK_ALIKES.items()}
UNSEEN = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")


def plain(value: str, draw: random.Random) -> str:
    """As it is."""
    return value


def louder(value: str, draw: random.Random) -> str:
    """In capitals, or small."""
    return draw.choice((value.upper(), value.lower(), value.swapcase()))


def base64_of(value: str, draw: random.Random) -> str:
    """Base64, alone or in the middle of other bytes, with either alphabet."""
    data = (
        draw.choice((b"", b"x", b"pw", b"key=", b"user:"))
        + value.encode()
        + draw.choice((b"", b"!", b"\n", b" end"))
    )
    return draw.choice((base64.b64encode, base64.urlsafe_b64encode))(data).decode()


def hex_of(value: str, draw: random.Random) -> str:
    """Hexadecimal, small or large, alone or with marks between the bytes."""
    text = value.encode().hex()
    text = draw.choice((text, text.upper()))
    mark = draw.choice(("", "", " ", ":", "-", "\\x", ", 0x"))
    if not mark:
        return text
    lead = mark.strip(", ") if mark in ("\\x", ", 0x") else ""
    return lead + mark.join(text[place : place + 2] for place in range(0, len(text), 2))


def percent(value: str, draw: random.Random) -> str:
    """Some or all characters percent-encoded, once or twice."""
    every = draw.random() < 0.5
    text = "".join(
        "".join(f"%{byte:02x}" for byte in char.encode())
        if every or draw.random() < 0.4
        else quote(char, safe="")
        for char in value
    )
    return text.replace("%", "%25") if draw.random() < 0.2 else text


def escaped(value: str, draw: random.Random) -> str:
    """As a string of JSON, of Python, or of HTML."""
    ways: tuple[Callable[[str], str], ...] = (
        lambda text: json.dumps(text)[1:-1],
        lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
        lambda text: "".join(f"&#{ord(char)};" for char in text),
        lambda text: "".join(f"&#x{ord(char):x};" for char in text),
        html.escape,
        lambda text: "".join(f"\\x{byte:02x}" for byte in text.encode()),
    )
    return draw.choice(ways)(value)


def split(value: str, draw: random.Random) -> str:
    """With spaces, line ends, or what cannot be seen between its characters."""
    mark = draw.choice((" ", "\n", "  ", "\t", " \n ", "\r\n", *UNSEEN))
    if draw.random() < 0.5:
        return mark.join(value)
    return "".join(char + (mark if draw.random() < 0.3 else "") for char in value)


def look_alike(value: str, draw: random.Random) -> str:
    """With letters of other scripts, or full width, in place of some of its own."""
    if draw.random() < 0.3:
        return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in value)
    return "".join(LOOK_ALIKES.get(char, char) if draw.random() < 0.7 else char for char in value)


def both(value: str, draw: random.Random) -> str:
    """Two ways, one after the other."""
    first, second = draw.choice(
        (
            (base64_of, split),
            (hex_of, split),
            (look_alike, split),
            (base64_of, percent),
            (percent, split),
            (plain, split),
        )
    )
    return second(first(value, draw), draw)


WAYS = (plain, louder, base64_of, hex_of, percent, escaped, split, look_alike, both)


def shows(text: str, value: str) -> bool:
    """Whether a reader who tries every way finds `value` in `text`."""
    return _bare(value) in _bare("\x00".join(dict.fromkeys(_readings(text))))


def _bare(text: str) -> str:
    """Without spaces and what cannot be seen, look-alikes undone, small."""
    if not text.isascii():
        normal = unicodedata.normalize("NFKC", text)
        text = "".join(BACK.get(char, char) for char in normal if unicodedata.category(char) != "Cf")
    return "".join(text.split()).casefold()


def _readings(text: str) -> Iterator[str]:
    tight = _tight(text)
    ways: tuple[Callable[[str], str], ...] = (
        str,
        unquote,
        lambda text: unquote(unquote(text)),
        unquote_plus,
        html.unescape,
        _unescaped,
    )
    for reading in dict.fromkeys(_tight(way(form)) for form in (text, tight) for way in ways):
        yield reading
        for part in re.findall(r"[A-Za-z0-9+/_-]{6,}", reading):
            yield from _from_base64(part)
        for marks in (r"", r"[:-]", r"\\x", r",?0x"):
            bare = re.sub(marks, "", reading) if marks else reading
            for part in re.findall(r"[0-9a-fA-F]{8,}", bare):
                for first in (0, 1):
                    whole = part[first : first + (len(part) - first) // 2 * 2]
                    yield bytes.fromhex(whole).decode("utf-8", "replace")


def _tight(text: str) -> str:
    return re.sub(r"[\s\u200b-\u200d\u2060\ufeff\u00ad]+", "", text)


def _from_base64(part: str) -> Iterator[str]:
    standard = part.replace("-", "+").replace("_", "/")
    for first in range(4):
        cut = standard[first:]
        cut = cut[: len(cut) // 4 * 4] if len(cut) % 4 == 1 else cut + "=" * (-len(cut) % 4)
        try:
            yield base64.b64decode(cut).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            continue


def _unescaped(text: str) -> str:
    text = re.sub(r"(?:\\x[0-9a-fA-F]{2})+", _from_hex_escapes, text)
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\([\"\\/])", r"\1", text)


def _from_hex_escapes(match: re.Match[str]) -> str:
    return bytes.fromhex(match.group().replace("\\x", "")).decode("utf-8", "replace")


WORDS = "amber basket cloud dragon elbow fiddle garden hammer island jungle kettle lantern mirror".split()
FOREIGN = "Café Über Ñandú Maçã Città Straße".split()
MARKS = "!#%&*+-.=?@_"


def values(draw: random.Random) -> Iterator[tuple[str, str]]:
    """Secrets without end, each with the name it goes by."""
    pick = draw.choice
    while True:
        yield "password", pick(WORDS).title() + pick(MARKS) + str(draw.randrange(10, 9999)) + pick(WORDS)
        yield "password", pick(FOREIGN) + pick(MARKS) + str(draw.randrange(100, 999))
        yield "passphrase", " ".join(draw.sample(WORDS, 5))
        yield (
            "token",
            f"tk_{''.join(draw.choices(string.ascii_letters + string.digits, k=draw.randrange(12, 48)))}",
        )
        yield "one-time code", str(draw.randrange(100000, 99999999))
        yield "PIN", f"{draw.randrange(10000):04}"


def private_key(draw: random.Random) -> str:
    """A value of several lines and pieces."""
    body = "\n".join(
        "".join(draw.choices(string.ascii_letters + string.digits + "+/", k=64)) for _ in range(6)
    )
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"
