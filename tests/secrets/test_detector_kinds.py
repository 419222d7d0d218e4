"""What is found, kind by kind, and what only looks like it."""

from __future__ import annotations

import base64
import hashlib
import random

import pytest

from numen.secrets import detector
from numen.secrets.detector import KINDS, find


def values(text: str) -> list[str]:
    """The values that are found in `text`, in order."""
    return [text[one.start : one.end] for one in find(text)]


def kinds(text: str) -> list[str]:
    return [one.kind for one in find(text)]


@pytest.mark.promise("secrets.value-alone")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: Thistle.Moon44", "Thistle.Moon44"),
        ("**Password:** `Thistle.Moon44`.", "Thistle.Moon44"),
        ('The password is "Thistle.Moon44".', "Thistle.Moon44"),
        ("Passwort:\n  Thistle.Moon44\n", "Thistle.Moon44"),
        ("le mot de passe est « Thistle.Moon44 »", "Thistle.Moon44"),
        ("(password Thistle.Moon44)", "Thistle.Moon44"),
        ("| password | Thistle.Moon44 |", "Thistle.Moon44"),
        ("Thistle.Moon44 is the password, right?", "Thistle.Moon44"),
        ("my password is Hunter22!", "Hunter22!"),
        ("my password is Hunter#22!", "Hunter#22"),
        ("PIN 4821, please", "4821"),
        ("code: 174 935.", "174 935"),
        ("lockbox code: 28-05-93", "28-05-93"),
    ],
)
def test_a_finding_is_the_value_without_label_quotes_or_closing_marks(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.promise("secrets.several")
def test_several_secrets_in_a_line_are_several_findings() -> None:
    text = "alarm PIN 83620, wifi password hedgehog!Dune3, backup codes: 7fq2-l0ze, d8wx-43nm"
    assert values(text) == ["83620", "hedgehog!Dune3", "7fq2-l0ze", "d8wx-43nm"]
    assert kinds(text) == ["pin", "wifi", "backup_code", "backup_code"]


@pytest.mark.promise("secrets.shape-outranks-label")
def test_a_shape_outranks_the_label_beside_it() -> None:
    assert kinds("API_TOKEN=ghp_4kLmQ9xZt7VbW2rYp8NcJ5dFhG3sKa1TuE6w") == ["token"]
    assert kinds("password: sk_live_kZRuwd3UBlZCxTUzeGGfzEQ9") == ["token"]


@pytest.mark.promise("secrets.exempt")
@pytest.mark.parametrize(
    "text",
    [
        "request 550e8400-e29b-41d4-a716-446655440000 failed",
        "call me on +44 7700 900123",
        "order 4539-8820-11, tracking 1Z999AA10123456784",
        "password: <password>, token: ${TOKEN}, api_key: your-api-key-here",
        "password: ********",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "password_hash = argon2.hash(password)",
        "commit 9a780f67558c3b9c448c50299c3e93c614c2daa0",
        "def login(user: str, password: str) -> Token: ...",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "the password is required",
        "Das Passwort ist abgelaufen.",
        "the zip code is 02139",
        "error code 40412",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find(text) == []


def _luhn_digit(digits: str) -> str:
    total = sum(sum(divmod(int(char) * 2, 10)) for char in digits[::-2]) + sum(map(int, digits[-2::-2]))
    return str(-total % 10)


@pytest.mark.promise("secrets.cards")
def test_a_card_is_a_brand_and_a_check_digit() -> None:
    draw = random.Random(1)
    for brand, size in (("4", 16), ("51", 16), ("2221", 16), ("37", 15), ("6011", 16), ("3528", 16)):
        body = brand + "".join(draw.choices("0123456789", k=size - 1 - len(brand)))
        right = body + _luhn_digit(body)
        wrong = body + str((int(right[-1]) + 1) % 10)
        spaced = " ".join(right[place : place + 4] for place in range(0, size, 4))
        assert kinds(f"pay {right} now") == ["card"]
        assert find(f"pay {wrong} now") == []
        assert kinds(f"pay {spaced} now") == (["card"] if size == 16 else [])
        assert find(f"order number {right}") == []


@pytest.mark.promise("secrets.ibans")
def test_an_iban_has_the_length_of_its_country_and_the_remainder_one() -> None:
    assert values("pay to DE84 4003 0925 7733 5146 95 please") == ["DE84 4003 0925 7733 5146 95"]
    assert values("pay to DE84400309257733514695 please") == ["DE84400309257733514695"]
    assert find("pay to DE84400309257733514696 please") == []
    assert find("pay to DE8440030925773351469 please") == []


def _phrase(entropy: bytes) -> str:
    words = {number: word.decode() for word, number in vars(detector)["_BIP39"].items()}
    check = len(entropy) // 4
    whole = int.from_bytes(entropy, "big") << check | hashlib.sha256(entropy).digest()[0] >> (8 - check)
    count = (len(entropy) * 8 + check) // 11
    return " ".join(words[whole >> 11 * (count - 1 - place) & 2047] for place in range(count))


@pytest.mark.promise("secrets.seed-phrases")
@pytest.mark.parametrize("size", [16, 20, 24, 28, 32])
def test_a_seed_phrase_is_known_by_its_checksum(size: int) -> None:
    draw = random.Random(size)
    for _ in range(20):
        phrase = _phrase(draw.randbytes(size))
        assert values(f"keep this: {phrase}.") == [phrase]
        first, *rest = phrase.split()
        others = [word for word in ("zoo", "abandon", "ability") if word != first]
        wrong = [" ".join((other, *rest)) for other in others]
        assert any(find(f"keep this: {text}.") == [] for text in wrong)


def test_the_word_list_is_the_one_of_the_standard() -> None:
    words = b"\n".join(vars(detector)["_BIP39"]) + b"\n"
    assert words.startswith(b"abandon\nability\nable\n")
    assert (
        hashlib.sha256(words).hexdigest()
        == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    )


@pytest.mark.promise("secrets.headers")
def test_a_basic_header_is_a_name_and_a_password_in_base64() -> None:
    value = base64.b64encode(b"ops:Quartz-12").decode()
    assert values(f"Authorization: Basic {value}") == [value]
    assert find("Basic knowledge1234 is enough") == []


@pytest.mark.promise("secrets.labels")
def test_every_kind_is_listed_and_every_label_is_fit_for_a_reference() -> None:
    text = (
        "DB_PASSWORD=gr0und-Hog.Day my_secret_token_2024_with_a_very_long_name_that_goes_on_and_on_ever = "
        '"9d2f0c7be1a84f6c8d3e5b7a90c1f2e4" wifi password tidal.Lantern82'
    )
    found = find(text)
    assert len(found) >= 2
    for one in found:
        assert one.kind in KINDS
        assert 0 < len(one.label) <= 60
        assert set(one.label) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _.@+-")
        assert find(f"[secret S-AAAAAAAA: {one.label}]") == []
        assert find(one.label) == []


TOLD = {
    "the gate opens with 7735": "7735",
    "pour l'immeuble tape 4821A puis le bouton": "4821A",
    "il cancello si apre con 2294": "2294",
    "me llegó 483920 por sms": "483920",
    "o banco mandou 390415, coloco?": "390415",
    "der Code wurde geändert, jetzt 9406": "9406",
    "they changed the code, it's 9406 now": "9406",
}
COUNTED = [
    "the gate opens at 1730",
    "text STOP to 88021 to unsubscribe",
    "il codice prodotto è 482913",
    "a porta custou 4850",
    "le casier 1204 est à moi",
    "das Haus am Tor ist von 1985",
]


@pytest.mark.promise("secrets.told-in-a-sentence")
@pytest.mark.parametrize(("text", "value"), TOLD.items())
def test_a_number_that_its_sentence_makes_a_code_is_found(text: str, value: str) -> None:
    assert [text[one.start : one.end] for one in find(text)] == [value]


@pytest.mark.promise("secrets.told-in-a-sentence")
@pytest.mark.parametrize("text", COUNTED)
def test_a_number_that_counts_or_names_something_else_is_left_alone(text: str) -> None:
    assert find(text) == []


@pytest.mark.promise("secrets.unseen-characters")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my p\u200bin is 48\u200b21", "48\u200b21"),
        ("senha e\u0301 \uff14\uff18\uff12\uff11", "\uff14\uff18\uff12\uff11"),
        ("contrasen\u0303a: Nube_55x", "Nube_55x"),
        ("pass\u00adword: Eggplant!33 \U0001f44d\ufe0f", "Eggplant!33"),
    ],
)
def test_what_is_not_seen_hides_no_value(text: str, value: str) -> None:
    assert [text[one.start : one.end] for one in find(text)] == [value]
