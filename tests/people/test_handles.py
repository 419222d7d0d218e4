"""Handles, and which of them are one phone number or one e-mail address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numen.kernel import InvalidInput
from numen.people import Handle
from numen.people.handles import MAIL_GATEWAYS, PHONE_GATEWAYS, canonical, make, read

# Numbers that the regulators set aside for fiction or print in their examples.
SPELLINGS = {
    "tel:+442079460123": [
        "sms:+44 20 7946 0123",
        "whatsapp:442079460123@s.whatsapp.net",
        "signal:+44-20-7946-0123",
    ],
    "tel:+4930231250001": ["sms:+49 30 23125 0001", "voice:+49 (30) 231250001", "whatsapp:4930231250001"],
    "tel:+33199001234": ["rcs:+33 1 99 00 12 34", "imessage:+33199001234", "whatsapp:33199001234@c.us"],
    "mailto:ann@orchard.example": ["email:Ann@Orchard.example", "imessage:ann@orchard.example"],
}


@pytest.mark.promise("people.one-number-many-spellings")
@pytest.mark.parametrize(("form", "spellings"), SPELLINGS.items())
def test_a_number_has_one_form_however_it_is_spelt(form: str, spellings: list[str]) -> None:
    assert {canonical(read(text)) for text in spellings} == {form}


@pytest.mark.promise("people.one-number-many-spellings")
@pytest.mark.parametrize(
    "text",
    [
        "telegram:442079460123",
        "telegram:+442079460123",
        "discord:ann@orchard.example",
        "matrix:@ann:orchard.example",
        "sms:020 7946 0123",
        "sms:12345",
        "sms:+1",
        "sms:ann",
        "voice:+442079460123;ext=7",
        "email:ann",
        "email:ann@orchard",
        "email:a@b.example, c@d.example",
        "whatsapp:12036304@g.us",
    ],
)
def test_what_is_no_international_number_and_no_address_has_no_form(text: str) -> None:
    assert canonical(read(text)) is None


@given(
    st.sampled_from(sorted(PHONE_GATEWAYS | MAIL_GATEWAYS | {"telegram", "cli"})),
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40),
)
def test_any_address_has_a_form_or_none_and_keeps_it(gateway: str, address: str) -> None:
    form = canonical(make(gateway, address))
    if form is not None:
        kind, _, value = form.partition(":")
        again = canonical(Handle("sms" if kind == "tel" else "email", value))
        assert again == form


@pytest.mark.parametrize(
    "text", ["", "telegram", "telegram:", "telegram:  ", "te legram:1", ":1", "sms:\n", "sms:" + "1" * 513]
)
def test_a_handle_of_a_wrong_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read(text)
