"""The output filter: no sealed value leaves, whole or in parts, plain or disguised; all else does."""

from __future__ import annotations

import base64
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numen.secrets import Guarded, Reference
from numen.secrets.filter import BESIDE, OutputFilter, Sieve
from tests.attack.encodings import private_key

PASSWORD = Guarded(Reference("S-AAAAAAAA", "wifi password"), "Thistle.Moon44")
CODE = Guarded(Reference("S-BBBBBBBB", "one-time code"), "306718")
PIN = Guarded(Reference("S-CCCCCCCC", "PIN"), "9407")
PHRASE = Guarded(Reference("S-DDDDDDDD", "passphrase"), "nine quiet foxes paint ladders")
SIEVE = Sieve([PASSWORD, CODE, PIN, PHRASE])


def streamed(sieve: Sieve, text: str, *cuts: int) -> str:
    """What comes out of a stream into which `text` goes in parts."""
    stream, reached = sieve.stream(), 0
    parts: list[str] = []
    for cut in (*sorted(cuts), len(text)):
        parts.append(stream.feed(text[reached:cut]))
        reached = cut
    return "".join((*parts, stream.finish()))


@pytest.mark.promise("filter.reference-goes-out")
@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("it is Thistle.Moon44, ok?", "it is [secret S-AAAAAAAA: wifi password], ok?"),
        ("THISTLE.MOON44", "[secret S-AAAAAAAA: wifi password]"),
        ("T h i s t l e . M o o n 4 4!", "[secret S-AAAAAAAA: wifi password]!"),
        ("Thistle\u200b.Moon\u00ad44", "[secret S-AAAAAAAA: wifi password]"),
        ("Thіstlе.Mооn44", "[secret S-AAAAAAAA: wifi password]"),
        ("Ｔｈｉｓｔｌｅ．Ｍｏｏｎ４４", "[secret S-AAAAAAAA: wifi password]"),
        ("%54histle%2EMoon44", "[secret S-AAAAAAAA: wifi password]"),
        ("5468 6973 746c 652e 4d6f 6f6e 3434", "[secret S-AAAAAAAA: wifi password]"),
        ("Thistle-Moon-44", "[secret S-AAAAAAAA: wifi password]"),
        ("nine-quiet-foxes-paint-ladders.", "[secret S-DDDDDDDD: passphrase]."),
        ("306718 and 306718", "[secret S-BBBBBBBB: one-time code] and [secret S-BBBBBBBB: one-time code]"),
        ("see [secret S-AAAAAAAA: wifi password]", "see [secret S-AAAAAAAA: wifi password]"),
    ],
)
def test_a_reference_goes_out_in_place_of_a_value(text: str, clean: str) -> None:
    assert SIEVE.clean(text) == clean
    assert streamed(SIEVE, text, *range(1, len(text))) == clean


@pytest.mark.promise("filter.base64")
@given(st.binary(max_size=12), st.binary(max_size=12))
def test_base64_hides_no_value_wherever_it_stands(before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + PASSWORD.value.encode() + after).decode()
    clean = SIEVE.clean(f"data {text} end")
    assert "S-AAAAAAAA" in clean
    assert (
        base64.b64encode(b"".join((bytes(len(before) % 3), PASSWORD.value.encode()))).decode()[4:-4]
        not in clean
    )


@pytest.mark.promise("filter.short-values")
def test_a_short_value_goes_only_beside_a_label() -> None:
    far = "x " * BESIDE
    assert SIEVE.clean("your pin is 9407") == "your pin is [secret S-CCCCCCCC: PIN]"
    assert SIEVE.clean("9407 is the code") == "[secret S-CCCCCCCC: PIN] is the code"
    assert SIEVE.clean("mein Kennwort: OTQwNw==") == "mein Kennwort: [secret S-CCCCCCCC: PIN]"
    assert SIEVE.clean("we sold 9407 apples") == "we sold 9407 apples"
    assert SIEVE.clean(f"a pin, {far} 9407") == f"a pin, {far} 9407"
    assert SIEVE.clean("pin 19407") == "pin 19407"
    assert streamed(SIEVE, "9407 is the code", 4) == "[secret S-CCCCCCCC: PIN] is the code"
    assert streamed(SIEVE, f"pin {far} 9407") == f"pin {far} 9407"


@pytest.mark.promise("filter.nothing-else")
def test_what_is_no_value_goes_out_as_it_came() -> None:
    for text in (
        "",
        " ",
        "Thistle.Moon4",
        "Thistle Moon",
        "1306718",
        "f306718a",
        "a\r\n\tb\u200bc",
        "100 % of \\d+ &c.",
    ):
        assert SIEVE.clean(text) == text
        assert streamed(SIEVE, text, *range(1, len(text))) == text
    assert Sieve().clean("Thistle.Moon44") == "Thistle.Moon44"


@pytest.mark.promise("filter.streams")
@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "Thistle.Moon44",
                "306718",
                "pin 9407",
                "code",
                "Thistle",
                ".Moon",
                " ",
                "\n",
                "ok",
                "%54",
                "NTQ",
                "0x",
                "nine quiet",
            ]
        ),
        max_size=12,
    ).map("".join),
    st.lists(st.integers(0, 120), max_size=12),
)
def test_where_a_stream_is_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    assert streamed(SIEVE, text, *(min(cut, len(text)) for cut in cuts)) == SIEVE.clean(text)


@pytest.mark.promise("filter.no-waiting")
def test_a_stream_holds_back_only_what_may_become_a_value() -> None:
    talk = (Path(__file__).parent.parent / "attack" / "talk.txt").read_text("utf-8")
    stream, fed, out = SIEVE.stream(), "", ""
    for word in re.findall(r"\S+\s*", talk):
        fed += word
        out += stream.feed(word)
        assert len(fed) - len(out) <= 8, fed[-30:]
    assert out + stream.finish() == talk
    assert stream.feed("It is Thistle.M") in ("It is", "It is ", "It ", "It i")
    assert stream.feed("oor, a place, and so it goes").strip().startswith(("Thistle.Moor", "is Thistle.Moor"))


@pytest.mark.promise("filter.long-values")
def test_no_part_of_a_long_value_leaves() -> None:
    key = private_key(random.Random(5))
    sieve = Sieve([Guarded(Reference("S-EEEEEEEE", "private key"), key)])
    assert sieve.clean(f"key:\n{key}\n.") == "key:\n[secret S-EEEEEEEE: private key]\n."
    assert sieve.clean(json.dumps({"key": key})) == '{"key": "[secret S-EEEEEEEE: private key]"}'
    lines = key.splitlines()
    assert lines[3] not in sieve.clean("\n".join(lines[2:5]))
    assert lines[3] not in streamed(sieve, "\n".join(lines[1:6]), *range(1, 300, 7))


@pytest.mark.promise("filter.json")
def test_json_is_cleaned_and_stays_json() -> None:
    clean = SIEVE.clean_json(
        {
            "note": "it is Thistle.Moon44",
            "pin": 9407,
            "n": 9407,
            "code": [306718, True, None, 1.5],
            "Thistle.Moon44": 1,
        }
    )
    assert clean == {
        "note": "it is [secret S-AAAAAAAA: wifi password]",
        "pin": "[secret S-CCCCCCCC: PIN]",
        "n": 9407,
        "code": ["[secret S-BBBBBBBB: one-time code]", True, None, 1.5],
        "[secret S-AAAAAAAA: wifi password]": 1,
    }


@pytest.mark.promise("filter.renewed")
def test_a_value_that_is_sealed_later_is_filtered_from_then_on_and_a_forgotten_one_no_more() -> None:
    kept: list[Guarded] = []
    output = OutputFilter(lambda: kept)
    assert output.clean("Thistle.Moon44 306718") == "Thistle.Moon44 306718"
    kept += [PASSWORD, CODE]
    output.renew()
    assert "Moon44" not in output.clean("Thistle.Moon44 306718")
    kept.remove(CODE)
    output.renew()
    assert output.clean("Thistle.Moon44 306718") == "[secret S-AAAAAAAA: wifi password] 306718"
    assert output.stream().all_of("Thistle.Moon44") == "[secret S-AAAAAAAA: wifi password]"


@pytest.mark.promise("filter.closed")
def test_while_the_values_cannot_be_read_nothing_goes_out() -> None:
    answers: list[list[Guarded]] = []
    output = OutputFilter(answers.pop)
    for _ in range(2):
        with pytest.raises(IndexError):
            output.clean("anything")
    answers.append([PASSWORD])
    assert output.clean("Thistle.Moon44") == "[secret S-AAAAAAAA: wifi password]"
