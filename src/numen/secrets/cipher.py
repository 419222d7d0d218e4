"""What one key can do: shut a value away, open it, and derive the reference that stands for it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from numen.secrets.tables import Box
from numen.secrets.types import VaultLocked

KEY_BYTES = 32
"""AES-256."""

_NONCE_BYTES = 12
"""NIST SP 800-38D, section 8.2: a random nonce of 96 bits, good for 2**32 values under one key."""

_REF_BYTES = 5
"""Eight characters of base32 are 40 bits (RFC 4648, section 6)."""


@dataclass(frozen=True, slots=True)
class Key:
    """A vault's key. `id` names it and tells nothing of it: the digest of 256 random bits."""

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """The name of the key: 128 bits of a digest, in hex."""
        return hashlib.sha256(b"numen vault key id" + self.secret).hexdigest()[:32]

    @classmethod
    def fresh(cls) -> Key:
        """A new one, from the machine's randomness."""
        return cls(os.urandom(KEY_BYTES))


class Cipher:
    """AES-256-GCM and HMAC-SHA-256 under two keys that are derived from one (NIST SP 800-108, counter mode).

    A value is bound to its reference and to whose it is: a row that was moved to another does not open.
    """

    def __init__(self, key: Key) -> None:
        self.key_id = key.id
        self._naming = hmac.digest(key.secret, b"\x01numen vault naming", "sha256")
        self._sealing = AESGCM(hmac.digest(key.secret, b"\x01numen vault sealing", "sha256"))

    def fingerprint(self, whose: str, value: str) -> str:
        """By which the same value of the same person is found again; nothing without the key."""
        return self._mac(whose, value).hex()

    def reference(self, whose: str, value: str, turn: int = 0) -> str:
        """`S-` and the first 40 bits of HMAC-SHA-256(key, whose NUL value) in base32.

        `turn` counts up where another value has that reference already.
        """
        start = self._mac(whose, value if turn == 0 else f"{value}\0{turn}")[:_REF_BYTES]
        return "S-" + base64.b32encode(start).decode()

    def shut(self, ref: str, whose: str, value: str) -> Box:
        """`value` as it is kept."""
        nonce = os.urandom(_NONCE_BYTES)
        return Box(self.key_id, nonce, self._sealing.encrypt(nonce, _bytes(value), _bound(ref, whose)))

    def open(self, ref: str, whose: str, box: Box) -> str:
        """The value in `box`. Raises `VaultLocked` if it is not what was shut under this key."""
        try:
            return self._sealing.decrypt(box.nonce, box.ciphertext, _bound(ref, whose)).decode(
                "utf-8", "surrogatepass"
            )
        except (InvalidTag, ValueError):
            raise VaultLocked(
                "The stored value is damaged.",
                not_done="It was not opened; it stays as it is.",
                next_step="Restore the database from a backup, or forget the value and say it again.",
            ) from None

    def opens(self, ref: str, whose: str, box: Box) -> bool:
        """Whether `box` is what was shut under this key."""
        try:
            self.open(ref, whose, box)
        except VaultLocked:
            return False
        return True

    def _mac(self, whose: str, value: str) -> bytes:
        return hmac.digest(self._naming, _bytes(f"{whose}\0{value}"), "sha256")


def _bound(ref: str, whose: str) -> bytes:
    return _bytes(f"{ref}\0{whose}")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
