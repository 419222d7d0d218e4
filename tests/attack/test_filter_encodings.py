"""Values in disguise, cut anywhere: none leaves. Ten thousand of them in the soak, a quarter in every run."""

from __future__ import annotations

import os
import random

import pytest

from numen.secrets import Guarded, Reference
from numen.secrets.filter import Sieve
from tests.attack.encodings import WAYS, private_key, shows, values

CASES = 10_000 if os.environ.get("NUMEN_SOAK") else 2_500
SEED = 18
LEADS = ("the {} is ", "here: {} ", "{}=", "use {} '", '{{"{}": "', "{}\n")
TAILS = (" ok?", ", thanks.", "'", '"}', "\n", "")
CUTS = (1, 1, 2, 3, 5, 8, 13, 40, 200)


def reference(number: int) -> str:
    """A reference of its own for each value."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    return "S-" + "".join(letters[number >> 5 * place & 31] for place in range(8))


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.attack
@pytest.mark.timeout(600)
@pytest.mark.promise("filter.ten-thousand")
def test_no_value_in_disguise_leaves_whole_or_in_parts() -> None:
    draw = random.Random(SEED)
    source = values(draw)
    pool = [next(source) for _ in range(60)]
    sieve = Sieve(
        Guarded(Reference(reference(number), name), value) for number, (name, value) in enumerate(pool)
    )
    leaks: list[str] = []
    for _ in range(CASES):
        name, value = draw.choice(pool)
        way = draw.choice(WAYS)
        text = f"Hello. {draw.choice(LEADS).format(name)}{way(value, draw)}{draw.choice(TAILS)}"
        stream, out, reached = sieve.stream(), "", 0
        while reached < len(text):
            size = draw.choice(CUTS)
            out += stream.feed(text[reached : reached + size])
            reached += size
        out += stream.finish()
        whole = sieve.clean(text)
        assert shows(text, value), f"{way.__name__} hides {value!r} from the reader: {text!r}"
        leaks += [f"{way.__name__}: {text!r} -> {shown!r}" for shown in {whole, out} if shows(shown, value)]
        assert out == whole
    assert not leaks, f"{len(leaks)} of {CASES}: {leaks[:5]}"


@pytest.mark.slow
@pytest.mark.attack
@pytest.mark.timeout(120)
@pytest.mark.promise("filter.long-values")
def test_no_private_key_in_disguise_leaves() -> None:
    draw = random.Random(SEED)
    keys = [private_key(draw) for _ in range(3)]
    sieve = Sieve(
        Guarded(Reference(reference(number), "private key"), key) for number, key in enumerate(keys)
    )
    for _ in range(150):
        key, way = draw.choice(keys), draw.choice(WAYS)
        text = f"key: {way(key, draw)} end"
        stream, out, reached = sieve.stream(), "", 0
        while reached < len(text):
            size = draw.choice((20, 50, 200, 1000))
            out += stream.feed(text[reached : reached + size])
            reached += size
        for shown in (out + stream.finish(), sieve.clean(text)):
            for line in key.splitlines()[1:-1]:
                assert not shows(shown, line), f"{way.__name__}: {shown!r}"
