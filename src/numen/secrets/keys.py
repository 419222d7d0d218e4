"""Where a vault's keys lie: the keyring of the operating system where there is a real one, else a 0600 file.

A place may hold more than one key: the one that seals now, one that is about to, and those of values that
could not be moved. Which one seals is written in the store, not here.
"""

from __future__ import annotations

import base64
import binascii
import os
import secrets
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path

from numen.kernel import Conflict, InvalidInput
from numen.secrets.cipher import KEY_BYTES, Key
from numen.secrets.types import VaultLocked
from numen.store.files import make_directory

try:
    import keyring
    from keyring.errors import KeyringError
except ImportError:  # pragma: no cover - an extra
    keyring = None
    KeyringError = OSError

NAME = "vault.key"
"""Name of the file in `NUMEN_HOME`."""

SERVICE = "numen"
"""Under which a keyring keeps our entries."""

_HEAD = "numen-vault-1"
_MODE = 0o600


class Place(StrEnum):
    """Where keys can be kept."""

    FILE = "file"
    KEYRING = "keyring"


Ring = Mapping[str, Key]
"""Keys by their ids."""


class Keys:
    """The keys of the vault `vault_id`, which belongs to the store of `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @property
    def file(self) -> Path:
        """The file that holds the keys where no keyring does."""
        return self._home / NAME

    def ring(self, vault_id: str) -> Ring:
        """The keys in the file, where there is one, else in the keyring.

        Raises `VaultLocked` if they cannot be read, `Conflict` if there is something else in their place.
        """
        return {key.id: key for key in self._from_file() or self._from_keyring(vault_id)}

    def place(self, vault_id: str) -> Place:
        """Where the keys are, or where the first one will go."""
        if self.file.exists():
            return Place.FILE
        return Place.KEYRING if has_keyring() else Place.FILE

    def keep(self, vault_id: str, keys: Iterable[Key], place: Place) -> None:
        """Make the keys at `place` exactly these, whole or not at all and for good, and drop any elsewhere.

        Raises `InvalidInput` for a keyring where there is none, `VaultLocked` if they cannot be written.
        """
        text = _written(keys)
        if place is Place.KEYRING:
            self._to_keyring(vault_id, text)
            self.file.unlink(missing_ok=True)
        else:
            self._to_file(text)
            if has_keyring() and self._from_keyring(vault_id):
                self._out_of_keyring(vault_id)

    def _from_file(self) -> tuple[Key, ...]:
        try:
            text = self.file.read_text("utf-8", "replace")
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _locked(f"{self.file} cannot be read: {error.strerror}.") from error
        return _read(text, str(self.file))

    def _to_file(self, text: str) -> None:
        part = self._home / f".{NAME}.{secrets.token_hex(8)}"
        try:
            if not self._home.exists():
                make_directory(self._home)
            try:
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE)
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    os.fchmod(file.fileno(), _MODE)
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(self.file)
            finally:
                part.unlink(missing_ok=True)
            _settle(self._home)
        except OSError as error:
            raise _locked(f"{self.file} cannot be written: {error.strerror}.") from error

    def _from_keyring(self, vault_id: str) -> tuple[Key, ...]:
        if keyring is None or not has_keyring():
            return ()
        try:
            text = keyring.get_password(SERVICE, vault_id)
        except KeyringError as error:
            raise _locked(f"The keyring of this account cannot be read ({type(error).__name__}).") from error
        return () if text is None else _read(text, "the keyring's entry")

    def _to_keyring(self, vault_id: str, text: str) -> None:
        if keyring is None or not has_keyring():
            raise InvalidInput(
                "This account has no keyring that Numen can use.",
                not_done="The key stays where it is.",
                next_step="Keep it in the file, or install a keyring and pip install 'numen[keyring]'.",
            )
        try:
            keyring.set_password(SERVICE, vault_id, text)
            kept = keyring.get_password(SERVICE, vault_id)
        except KeyringError as error:
            raise _locked(
                f"The keyring of this account cannot be written ({type(error).__name__})."
            ) from error
        if kept != text:
            raise _locked("The keyring of this account did not keep the key.")

    def _out_of_keyring(self, vault_id: str) -> None:
        assert keyring is not None
        try:
            keyring.delete_password(SERVICE, vault_id)
        except KeyringError as error:
            raise _locked(f"The keyring did not let the key go ({type(error).__name__}).") from error


def has_keyring() -> bool:
    """Whether there is a keyring worth the name: one that its library recommends."""
    return keyring is not None and keyring.get_keyring().priority >= 1


def _written(keys: Iterable[Key]) -> str:
    return "".join(f"{_HEAD} {base64.urlsafe_b64encode(key.secret).decode()}\n" for key in keys)


def _read(text: str, where: str) -> tuple[Key, ...]:
    """The keys in `text`. Raises `Conflict` if it holds anything else: it is never written over."""
    keys: list[Key] = []
    for line in text.splitlines():
        head, _, encoded = line.partition(" ")
        try:
            secret = base64.b64decode(encoded, b"-_", validate=True)
        except (binascii.Error, ValueError):
            secret = b""
        if head != _HEAD or len(secret) != KEY_BYTES:
            keys.clear()
            break
        keys.append(Key(secret))
    if not keys:
        raise Conflict(
            f"{where[0].upper()}{where[1:]} does not hold a vault's key.",
            not_done="It was left as it is, and no key was made.",
            next_step="Restore it from where it was saved.",
        )
    return tuple(keys)


def _locked(what: str) -> VaultLocked:
    return VaultLocked(
        what,
        not_done="No value was sealed or opened; everything stays as it is.",
        next_step="Mend that, then try again.",
    )


def _settle(directory: Path) -> None:
    """Make the names in `directory` last through a power loss."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
