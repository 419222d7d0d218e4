"""What a handle is, and which handles on different gateways are one phone number or one e-mail address."""

from __future__ import annotations

import re

import phonenumbers

from numen.kernel import InvalidInput
from numen.people.rules import LONGEST_ID, check_platform
from numen.people.types import Handle

PHONE_GATEWAYS = frozenset({"whatsapp", "sms", "rcs", "voice", "signal", "imessage", "phone"})
"""Gateways whose addresses are phone numbers in international form."""

MAIL_GATEWAYS = frozenset({"email", "mail", "imessage", "teams", "google_chat"})
"""Gateways whose addresses are, or may be, e-mail addresses."""

_WITHOUT_PLUS = frozenset({"whatsapp"})
"""Gateways that leave the plus of an international number out (WhatsApp: `4917...@s.whatsapp.net`)."""

_WHATSAPP_HOSTS = ("@s.whatsapp.net", "@c.us")
_MAIL = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+\.[^\s@<>,;:\".]+")


def read(text: str) -> Handle:
    """The handle that `gateway:address` names. Raises `InvalidInput` where it is none."""
    gateway, colon, address = text.partition(":")
    if not colon:
        raise InvalidInput(
            "A handle is a platform and an address, such as telegram:111.",
            not_done="Nothing was done.",
            next_step="Put the platform and a colon before the address.",
        )
    return make(gateway, address)


def make(gateway: str, address: str) -> Handle:
    """A handle, the gateway in lower case and nothing around the address. Raises `InvalidInput`."""
    address = address.strip()
    if not address or len(address) > LONGEST_ID or not address.isprintable():
        raise InvalidInput(
            f"The address of a handle must be one line of 1 to {LONGEST_ID} characters.",
            not_done="Nothing was done.",
            next_step="Send the platform's own id.",
        )
    return Handle(check_platform(gateway.strip().lower()), address)


def canonical(handle: Handle) -> str | None:
    """`tel:` and the number in E.164, or `mailto:` and the address; None where it is neither.

    A number is read only in international form, for a local one belongs to no one country. An e-mail address
    is compared without regard to case: no provider in use tells two people apart by it.
    """
    if handle.gateway in MAIL_GATEWAYS and _MAIL.fullmatch(handle.address):
        return f"mailto:{handle.folded}"
    return _number(handle) if handle.gateway in PHONE_GATEWAYS else None


def _number(handle: Handle) -> str | None:
    text = handle.address
    if handle.gateway in _WITHOUT_PLUS:
        for host in _WHATSAPP_HOSTS:
            text = text.removesuffix(host)
        text = text if text.startswith("+") else f"+{text}"
    if not text.startswith("+"):
        return None
    try:
        number = phonenumbers.parse(text)
    except phonenumbers.NumberParseException:
        return None
    possible = phonenumbers.is_possible_number_with_reason(number)
    if number.extension or possible != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    return f"tel:{phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)}"
